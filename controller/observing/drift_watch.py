"""Watches for calibration drift: camera or board were bumped. Checked at intervals while nothing moves."""

from dataclasses import dataclass, replace

from vision.field.drift import Moved, Shifted, Steady, check_drift
from vision.frame import Frame
from vision.geometry.calibration import Calibration

CHECK_INTERVAL_MS = 2_000
FRAME_INTERVAL_MS = 125  # between the frames of a check; three frames span the time that `check_drift` needs
_FRAMES = 3


@dataclass(frozen=True, slots=True, eq=False)
class DriftWatch:
    """The state of the watch. `moved_mm`: the displacement of the board if it is too large to be corrected, else 0.

    `is_lost`: in the last check the pictures did not look like the board.
    """

    frames: tuple[Frame, ...] = ()  # of the present rest, the newest last
    checked_ms: int | None = None
    moved_mm: float = 0.0
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
    is_early = watch.checked_ms is not None and frame.taken_ms - watch.checked_ms < CHECK_INTERVAL_MS
    if len(frames) < _FRAMES or is_early:
        return watch, calibration
    watch = replace(watch, checked_ms=frame.taken_ms)
    match check_drift(calibration, frames):
        case Steady():
            return replace(watch, moved_mm=0.0, is_lost=False), calibration
        case Shifted(corrected, _):
            return replace(watch, moved_mm=0.0, is_lost=False), corrected
        case Moved(shift_mm, _):
            return replace(watch, moved_mm=shift_mm, is_lost=False), calibration
        case _:
            return replace(watch, is_lost=True), calibration
