"""Watches for calibration drift: camera or board were bumped. Checked in each rest, and at intervals while it lasts."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from vision.field.drift import Moved, Shifted, Steady, check_drift, make_reference
from vision.field.position_calibration import calibrate_from_position
from vision.frame import Frame
from vision.geometry.calibration import Calibration, Placement, Refusal
from vision.geometry.projection import Projection
from vision.places import Colour, Place

Occupancy = Mapping[Place, tuple[Colour, int]]  # a missing point is empty

CHECK_INTERVAL_MS = 2_000
REST_INTERVAL_MS = 1_000  # between checks of different rests; people must hear of a bump within 2 s
LOST_INTERVAL_MS = 500  # between the checks that find nothing; with the first one within 2 s too
FRAME_INTERVAL_MS = 125  # between the frames of a check; three frames span the time that `check_drift` needs
LOST_CHECKS = 2  # on end, before a board counts as out of view: a person who leans over it for a moment is no news
_FRAMES = 3
SEARCHED_SHARE = 0.005  # of the width: standard deviation of corners that were found by the features of the surface


@dataclass(frozen=True, slots=True, eq=False)
class DriftWatch:
    """The state of the watch. `moved_mm`: the displacement of the board if it is too large to be corrected, else 0.

    `found`: the calibration for the place where a board that moved so far seems to lie now; nothing has proved it yet.
    `lost_checks`: in how many of the last checks on end nothing in the pictures looked like the board.
    """

    frames: tuple[Frame, ...] = ()  # of the present rest, the newest last
    checked_ms: int | None = None
    moved_mm: float = 0.0
    found: Calibration | None = None
    lost_checks: int = 0


def update_drift_watch(
    watch: DriftWatch, calibration: Calibration, frame: Frame, *, still_ms: int
) -> tuple[DriftWatch, Calibration]:
    """Advances by one frame and returns the calibration that is valid from now on. `still_ms`: how long nothing has moved."""
    if calibration.reference is None:
        return watch, calibration
    since_ms = frame.taken_ms - still_ms
    frames = tuple(one for one in watch.frames if one.taken_ms >= since_ms)
    if frames and frame.taken_ms - frames[-1].taken_ms < FRAME_INTERVAL_MS:
        return replace(watch, frames=frames), calibration
    frames = (*frames, frame)[-_FRAMES:]
    watch = replace(watch, frames=frames)
    if len(frames) < _FRAMES or not _is_due(watch, since_ms, frame.taken_ms):
        return watch, calibration
    watch = replace(watch, checked_ms=frame.taken_ms)
    match check_drift(calibration, frames):
        case Steady():
            return DriftWatch(frames, watch.checked_ms), calibration
        case Shifted(corrected, _):
            return DriftWatch(frames, watch.checked_ms), corrected
        case Moved(shift_mm, _, there):
            return DriftWatch(frames, watch.checked_ms, shift_mm, there), calibration
        case _:
            return replace(watch, lost_checks=watch.lost_checks + 1), calibration


def prove_moved_board(watch: DriftWatch, occupancy: Occupancy) -> tuple[DriftWatch, Calibration | None]:
    """The calibration for the place where a board that moved far lies now, if what stands on it proves that place.

    It is tried once after each check; None where nothing is proved. What is known of the board itself stays, and later
    frames are compared with the present picture.
    """
    there = watch.found
    if there is None:
        return watch, None
    pixels, field = watch.frames[-1].pixels, there.field
    found = calibrate_from_position(
        pixels,
        occupancy,
        outline=replace(there, error_mm=SEARCHED_SHARE * field.width_mm),
        placements=(Placement.UPRIGHT,),
        field_mm=(field.width_mm, field.height_mm),
        taken_at=there.taken_at,
    )
    if isinstance(found, Refusal):
        return replace(watch, found=None), None
    corners_px = found.projection.to_picture(found.field.corners_mm)
    projection = Projection.of_corners(corners_px, field, found.projection.lens)
    return DriftWatch(), replace(there, projection=projection, reference=make_reference(pixels, projection))


def _is_due(watch: DriftWatch, since_ms: int, now_ms: int) -> bool:
    """`since_ms`: the begin of the present rest. What may be news is checked again soon."""
    if watch.checked_ms is None:
        return True
    if 0 < watch.lost_checks < LOST_CHECKS:
        return now_ms - watch.checked_ms >= LOST_INTERVAL_MS
    return now_ms - watch.checked_ms >= (REST_INTERVAL_MS if watch.checked_ms < since_ms else CHECK_INTERVAL_MS)
