"""Calibration from one picture: from given corners, tags, a known position, or the board alone."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from controller.pictures.picture_options import Corners
from vision.field.auto_calibration import calibrate_automatically, calibrate_from_corners, calibrate_moved_camera
from vision.field.position_calibration import OccupancyByPlace, calibrate_from_position
from vision.field.tag_calibration import calibrate_from_tags
from vision.geometry.calibration import Calibration, Placement, Refusal, scale_to_picture

Picture = NDArray[np.uint8]
SizeMm = tuple[float, float]
_UNUSED = "The start position was not used."


@dataclass(frozen=True, slots=True)
class KnownPosition:
    """What stands on the board. With `is_certain`, a board that does not show it is refused, else found without it.

    With `is_upright`, the places are those of the picture, else the placement on the board is determined.
    """

    occupancy: OccupancyByPlace
    is_certain: bool = False
    is_upright: bool = False


def find_board(
    pixels: Picture, *, start: KnownPosition | None = None, field_mm: SizeMm | None = None, use_tags: bool = True
) -> Calibration | Refusal:
    """Uses the tags on the rim where they are visible, else the known position where it fits, else the board alone.

    The known position proves a calibration by tags and teaches what the board looks like, which tags do not tell. A
    position by places of the picture goes before the tags, whose upper left corner may be another one.
    """
    taken_at = _now_text()
    known = start if start and start.occupancy else None  # a game may start with an empty board
    if use_tags and not (known and known.is_upright):
        tagged = calibrate_from_tags(pixels, field_mm=field_mm, taken_at=taken_at)
        if isinstance(tagged, Calibration):
            return tagged if known is None else _prove(pixels, known, tagged, field_mm=field_mm, taken_at=taken_at)
    if known is None:
        return calibrate_automatically(pixels, field_mm=field_mm, taken_at=taken_at)
    found = _find_by_position(pixels, known, field_mm=field_mm, taken_at=taken_at)
    if isinstance(found, Calibration) or known.is_certain:
        return found
    return _with_reason(calibrate_automatically(pixels, field_mm=field_mm, taken_at=taken_at), found)


def _prove(
    pixels: Picture, known: KnownPosition, outline: Calibration, *, field_mm: SizeMm | None, taken_at: str
) -> Calibration | Refusal:
    """The outline with what the known position tells; without that, with the reason, unless the position is certain."""
    found = _find_by_position(pixels, known, outline=outline, field_mm=field_mm, taken_at=taken_at)
    if isinstance(found, Calibration) or known.is_certain:
        return found
    return _with_reason(outline, found)


def find_board_at_corners(
    pixels: Picture, corners: Corners, *, start: KnownPosition | None = None, field_mm: SizeMm | None = None
) -> Calibration | Refusal:
    """Uses corners given by hand (px), with the known position where it fits, else refined to clear edges nearby."""
    taken_at = _now_text()
    if not start or not start.occupancy:
        return calibrate_from_corners(pixels, corners, field_mm=field_mm, taken_at=taken_at)
    found = _find_by_position(pixels, start, corners=corners, field_mm=field_mm, taken_at=taken_at)
    if isinstance(found, Calibration) or start.is_certain:
        return found
    return _with_reason(calibrate_from_corners(pixels, corners, field_mm=field_mm, taken_at=taken_at), found)


def _find_by_position(
    pixels: Picture,
    known: KnownPosition,
    *,
    corners: Corners | None = None,
    outline: Calibration | None = None,
    field_mm: SizeMm | None,
    taken_at: str,
) -> Calibration | Refusal:
    return calibrate_from_position(
        pixels,
        known.occupancy,
        corners_px=corners,
        outline=outline,
        placements=(Placement.UPRIGHT,) if known.is_upright else tuple(Placement),
        field_mm=field_mm,
        taken_at=taken_at,
    )


def _with_reason(found: Calibration | Refusal, unused: Refusal) -> Calibration | Refusal:
    """A calibration without the known position says why it was not used."""
    if isinstance(found, Calibration):
        return replace(found, notes=(*found.notes, f"{_UNUSED} {unused.reason}"))
    return found


def find_unused(found: Calibration) -> str:
    """Why the start position that was given was not used; empty if it was used, or none was given."""
    return next((note for note in found.notes if note.startswith(_UNUSED)), "")


@dataclass(frozen=True, slots=True)
class BoardLocation:
    """A calibration or four corners (px) for every picture; without both, the board is detected in each picture.

    With both, the corners give the geometry and the calibration gives all else: the same board, the camera moved.
    """

    calibration: Calibration | None = None
    corners: Corners | None = None


def locate_board(pixels: Picture, location: BoardLocation) -> Calibration | Refusal:
    """The calibration for a picture. Raises WrongPictureSizeError where the given one has another aspect ratio."""
    height_px, width_px = pixels.shape[:2]
    if location.calibration is not None and location.corners is not None:
        return calibrate_moved_camera(pixels, location.calibration, location.corners, taken_at=_now_text())
    if location.calibration is not None:
        return scale_to_picture(location.calibration, width_px, height_px)
    if location.corners is not None:
        return find_board_at_corners(pixels, location.corners)
    return find_board(pixels)


def _now_text() -> str:
    """The time in UTC, ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
