"""Has the camera or the board been bumped? Asked now and then while nothing moves, as a value that goes with the frames."""

from dataclasses import dataclass, replace

from vision.field.drift import Moved, Shifted, Steady, check_drift
from vision.frame import Frame
from vision.geometry.calibration import Calibration

CHECK_INTERVAL_MS = 2_000
FRAME_INTERVAL_MS = 125  # of the frames that are looked at; three of them span what a recheck asks for
_FRAMES = 3


@dataclass(frozen=True, slots=True, eq=False)
class DriftWatch:
    """`moved_mm`: how far the board lies from where the calibration has it, once that is too far to be corrected."""

    frames: tuple[Frame, ...] = ()  # of the present stillness, the newest last
    checked_ms: int | None = None
    moved_mm: float = 0.0


def update_drift_watch(
    watch: DriftWatch, calibration: Calibration, frame: Frame, *, still_ms: int
) -> tuple[DriftWatch, Calibration]:
    """One frame further, with the calibration that holds from now on. `still_ms`: since when nothing moves."""
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
            return replace(watch, moved_mm=0.0), calibration
        case Shifted(corrected, _):
            return replace(watch, moved_mm=0.0), corrected
        case Moved(shift_mm, _):
            return replace(watch, moved_mm=shift_mm), calibration
        case _:
            return watch, calibration
