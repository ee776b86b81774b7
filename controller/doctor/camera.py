"""Checks of the camera: it opens, frame rate, picture size, locks, light, glare, focus, and calibration drift."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from controller.doctor.findings import Finding, fault, inconclusive, ok, warning
from vision.camera.capture import Lock
from vision.errors import BadPictureError
from vision.field.drift import CannotTell, DriftResult, Moved, Shifted, Steady, check_drift
from vision.frame import Clock, Condition, Frame, FrameSource, SourceState
from vision.geometry.calibration import Calibration
from vision.pixels.picture_quality import (
    DARK_LEVEL,
    LEAST_SHARPNESS,
    PictureQuality,
    measure_quality,
)

CHECK = "camera"
WAIT_MS = 100


@dataclass(frozen=True, slots=True)
class CameraLimits:
    """Thresholds below or above which a camera or picture is reported. Levels are grey values 0..255.

    They are knobs, set between sharp, well lit boards and boards that are dark, dazzled, or blurred by 3 px.
    """

    least_fps: float = 10.0
    slow_fps: float = 15.0  # the frame rate that the referee needs
    least_width_px: int = 640
    usual_width_px: int = 1280
    dark_level: float = DARK_LEVEL
    dim_level: float = 90.0  # level of the bright parts
    bright_level: float = 200.0  # mean level; above it the picture is overexposed
    glare_share: float = 0.02
    sharpness: float = LEAST_SHARPNESS
    settle_ms: int = 8_000  # wait for the first picture; a Raspberry Pi needs this long to open and load
    watch_ms: int = 4_000  # longer than automatic camera controls take to settle


USUAL_LIMITS = CameraLimits()


@dataclass(frozen=True, slots=True, eq=False)
class CameraSample:
    """The frames of a source over some seconds: the last ones in `frames`, the number and time span of all of them.

    `locks` is None for a source without controls. `unreadable` are the errors of pictures that could not be decoded.
    """

    name: str
    state: SourceState
    frames: tuple[Frame, ...] = ()
    count: int = 0
    span_ms: int = 0
    locks: tuple[Lock, ...] | None = None
    unreadable: tuple[str, ...] = ()

    @property
    def fps(self) -> float | None:
        return 1000 * (self.count - 1) / self.span_ms if self.span_ms > 0 else None


_MOST_FRAMES = 60  # 2 s, the span of a drift check


def sample_camera(source: FrameSource, clock_ms: Clock, limits: CameraLimits = USUAL_LIMITS) -> CameraSample:
    """Reads a source for `watch_ms`; a recording for the same time span of its frames."""
    frames: list[Frame] = []
    unreadable: list[str] = []
    count = first_ms = 0
    end_ms = clock_ms() + limits.settle_ms
    while clock_ms() < end_ms and not source.state.condition.is_final:
        try:
            frame = source.latest(WAIT_MS)
        except BadPictureError as error:
            unreadable.append(str(error))
            continue
        if frame is None:
            continue
        if not count:
            first_ms, end_ms = frame.taken_ms, clock_ms() + limits.watch_ms
        count += 1
        frames = [*frames[1 - _MOST_FRAMES :], frame]
        if frame.taken_ms - first_ms >= limits.watch_ms:
            break
    span_ms = frames[-1].taken_ms - first_ms if frames else 0
    locks: tuple[Lock, ...] | None = getattr(source, "locks", None)
    return CameraSample(source.describe(), source.state, tuple(frames), count, span_ms, locks, tuple(unreadable))


def camera_findings(sample: CameraSample, limits: CameraLimits = USUAL_LIMITS) -> Iterator[Finding]:
    """Whether pictures come; then their rate, their size, and the locks of the camera controls."""
    for sentence in sample.unreadable:
        yield warning(CHECK, sentence)
    if not sample.frames:
        why = sample.state.sentence or f"{sample.name} sent no picture; check its cable and its power."
        yield fault(CHECK, why)
        return
    yield ok(CHECK, f"{sample.name}: pictures come.")
    if sample.state.condition in (Condition.HANGS, Condition.VANISHED, Condition.FAILED):
        yield fault(CHECK, sample.state.sentence)
    yield _check_rate(sample, limits)
    yield _check_size(sample.frames[-1], limits)
    yield from _check_locks(sample.locks)


def _check_rate(sample: CameraSample, limits: CameraLimits) -> Finding:
    check, fps = "frames", sample.fps
    if sample.locks is None and sample.count > 1:
        return ok(check, f"{sample.count} frames of a recording were read.")
    if fps is None:
        pictures = f"{sample.count} picture{'s' if sample.count > 1 else ''}"
        return inconclusive(check, f"{pictures} came, and no time between them.")
    if fps < limits.slow_fps:
        report = fault if fps < limits.least_fps else warning
        remedy = "add light, so that it can expose for a shorter time, and give the camera a USB port of its own"
        return report(check, f"{fps:.1f} frames a second are too few (at least {limits.slow_fps:g}); {remedy}.")
    return ok(check, f"{fps:.1f} frames a second.")


def _check_size(frame: Frame, limits: CameraLimits) -> Finding:
    check = "picture size"
    height, width = frame.pixels.shape[:2]
    if width < limits.least_width_px:
        return fault(check, f"{width}x{height} px are too few to read dice; use a camera that gives 1280x960.")
    if width < limits.usual_width_px:
        return warning(check, f"{width}x{height} px are few for dice; choose 1280x960 if the camera can.")
    return ok(check, f"{width}x{height} px.")


def _check_locks(locks: tuple[Lock, ...] | None) -> Iterator[Finding]:
    check = "exposure lock"
    if locks is None:
        yield ok(check, "a recording has nothing to lock.")
    elif not locks:
        yield inconclusive(check, "the camera has not settled in this time; light the board evenly and ask again.")
    for lock in locks or ():
        if lock.is_held:
            yield ok(check, f"{lock.control} is held ({lock.detail}).")
        else:
            problem = "so a hand over the board may change the colours"
            remedy = "switch its automatic off in the camera's own settings or light the board evenly"
            yield warning(check, f"{lock.control} is not held ({lock.detail}), {problem}; {remedy}.")


def picture_findings(
    sample: CameraSample, calibration: Calibration | None, limits: CameraLimits = USUAL_LIMITS
) -> Iterator[Finding]:
    """Light, glare and focus of the last picture, within the field where the calibration is known."""
    if not sample.frames:
        yield inconclusive("light", "there is no picture; mend the camera first.")
        return
    pixels = sample.frames[-1].pixels
    outline = None
    if calibration is not None and calibration.image_size_px == (pixels.shape[1], pixels.shape[0]):
        outline = calibration.projection.to_picture(calibration.field.corners_mm)
    quality = measure_quality(pixels, outline)
    yield _check_light(quality, limits)
    yield _check_glare(quality, limits)
    yield _check_focus(quality, limits)


def _check_light(quality: PictureQuality, limits: CameraLimits) -> Finding:
    check, value = "light", f"brightness {quality.middle_level:.0f}, bright parts {quality.bright_level:.0f} of 255"
    if quality.bright_level < limits.dark_level:
        return fault(check, f"it is too dark to see anything ({value}); light the board.")
    if quality.bright_level < limits.dim_level:
        return warning(check, f"it is dim ({value}); add a lamp from the side.")
    if quality.middle_level > limits.bright_level:
        return warning(check, f"it is too bright ({value}); dim the light or let the camera expose for a shorter time.")
    return ok(check, f"{value}.")


def _check_glare(quality: PictureQuality, limits: CameraLimits) -> Finding:
    check, value = "glare", f"{100 * quality.glare_share:.1f} % of the picture"
    if quality.glare_share > limits.glare_share:
        return warning(check, f"glare covers {value}; move the lamp or the camera, or close the curtain.")
    return ok(check, f"{value}.")


def _check_focus(quality: PictureQuality, limits: CameraLimits) -> Finding:
    check, value = "focus", f"sharpness {quality.sharpness:.2f}, at least {limits.sharpness:g}"
    if quality.sharpness < limits.sharpness:
        return warning(check, f"the picture is blurred ({value}); focus on the board and wipe the lens.")
    return ok(check, f"{value}.")


def calibration_findings(
    sample: CameraSample,
    calibration: Calibration | None,
    compare: Callable[[Calibration, Sequence[Frame]], DriftResult] = check_drift,
) -> Iterator[Finding]:
    """Whether camera and board still match the calibration."""
    check = "calibration"
    if calibration is None:
        yield warning(
            check, "there is none yet; make one by zarbiter calibrate SRC -o FILE and name it by --calibration."
        )
        return
    if not sample.frames:
        yield inconclusive(check, "there is no picture to compare it with; mend the camera first.")
        return
    match compare(calibration, sample.frames):
        case Steady():
            yield ok(check, "camera and board stand as they were calibrated.")
        case Shifted() as shifted:
            yield ok(check, f"a shift of {shifted.shift_mm:.1f} mm was found, which is corrected by itself.")
        case Moved() as moved:
            yield fault(check, moved.reason)
        case CannotTell() as unknown:
            yield inconclusive(check, unknown.reason)
