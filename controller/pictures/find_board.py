"""Calibration from one picture: from given corners, tags, the start position of a game, or the board alone."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from controller.pictures.picture_options import Corners
from vision.field.appearance_learning import learn_from_position
from vision.field.auto_calibration import calibrate_automatically, calibrate_from_corners, calibrate_moved_camera
from vision.field.position_calibration import OccupancyByPlace, calibrate_from_position, orient_occupancy
from vision.field.tag_calibration import calibrate_from_tags
from vision.geometry.calibration import Calibration, Placement, Refusal, scale_to_picture

Picture = NDArray[np.uint8]
SizeMm = tuple[float, float]


def find_board(
    pixels: Picture, *, start: OccupancyByPlace | None = None, field_mm: SizeMm | None = None, use_tags: bool = True
) -> Calibration | Refusal:
    """Uses the tags on the rim where they are visible, else the start position where it fits, else the board alone.

    The start position also teaches what the board looks like.
    """
    taken_at = _now_text()
    if use_tags:
        found = calibrate_from_tags(pixels, field_mm=field_mm, taken_at=taken_at)
        if isinstance(found, Calibration):
            return found
    if not start:  # None, or a game that starts with an empty board
        return calibrate_automatically(pixels, field_mm=field_mm, taken_at=taken_at)
    found = calibrate_from_position(pixels, start, field_mm=field_mm, taken_at=taken_at)
    if isinstance(found, Calibration):
        occupancy = orient_occupancy(start, found.placement or Placement.UPRIGHT)
        return learn_from_position(pixels, found, occupancy)
    alone = calibrate_automatically(pixels, field_mm=field_mm, taken_at=taken_at)
    if isinstance(alone, Calibration):
        return replace(alone, notes=(*alone.notes, f"The start position was not used. {found.reason}"))
    return alone


def find_board_at_corners(
    pixels: Picture, corners: Corners, *, field_mm: SizeMm | None = None
) -> Calibration | Refusal:
    """Uses corners given by hand (px), refined to the edges of the field where these are clear."""
    return calibrate_from_corners(pixels, corners, field_mm=field_mm, taken_at=_now_text())


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
