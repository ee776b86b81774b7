"""Watches for calibration drift: camera or board were bumped. Checked in each rest, and at intervals while it lasts."""

from dataclasses import dataclass, replace

from vision.field.drift import Moved, Shifted, Steady, check_drift
from vision.frame import Frame
from vision.geometry.calibration import Calibration

CHECK_INTERVAL_MS = 2_000
REST_INTERVAL_MS = 1_000  # between checks of different rests; people must hear of a bump within 2 s
FRAME_INTERVAL_MS = 125  # between the frames of a check; three frames span the time that `check_drift` needs
_FRAMES = 3


@dataclass(frozen=True, slots=True, eq=False)
class DriftWatch:
    """The state of the watch. `moved_mm`: the displacement of the board if it is too large to be corrected, else 0.

    `found`: the calibration for the place where a board that moved so far seems to lie now; nothing has proved it yet.
    `is_lost`: in the last check the pictures did not look like the board.
    """

    frames: tuple[Frame, ...] = ()  # of the present rest, the newest last
    checked_ms: int | None = None
    moved_mm: float = 0.0
    found: Calibration | None = None
    is_lost: bool = False


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
    if len(frames) < _FRAMES or not _is_due(watch.checked_ms, since_ms, frame.taken_ms):
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
            return replace(watch, is_lost=True), calibration


def _is_due(checked_ms: int | None, since_ms: int, now_ms: int) -> bool:
    """`checked_ms`: the last check; `since_ms`: the begin of the present rest."""
    if checked_ms is None:
        return True
    return now_ms - checked_ms >= (REST_INTERVAL_MS if checked_ms < since_ms else CHECK_INTERVAL_MS)
