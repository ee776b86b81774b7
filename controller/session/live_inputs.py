"""What reaches the loop while a match is played: frames, commands, the time, and what became of the camera.

No thread: all waiting is done in the source's `latest`, a few hundredths of a second at a time. A recording that is
played as if it were a camera has its own time, that of its frames, and neither ticks nor fails; where it jumps, nobody
looked, as if a camera had been lost and came back.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from statistics import median
from typing import TypeVar

from controller.match.commands import Command
from controller.match.inputs import Peripheral, PeripheralEvent, Tick
from vision.errors import BadPictureError, WrongPictureSizeError
from vision.frame import Clock, Condition, Frame, FrameSource
from vision.geometry.calibration import Calibration, scale_to_picture

TICK_MS = 40
"""As often as lights may change."""
CAMERA_LOST_AFTER_MS = 1_500
"""No frame for so long and the camera counts as lost: it must be told within 2 s, and 15 a second is slow already."""

JUMP_FACTOR = 3.0
"""A recording jumps where an interval is so many times its usual one; a slow one does not lose its camera all the time."""
_INTERVALS = 9  # by which the usual one is known
_JUMP_SENTENCE = "The recording has no picture for {:.1f} s."

GivenInput = TypeVar("GivenInput", bound="LiveInput")
LiveInput = Frame | Command | Tick | PeripheralEvent
Commands = Callable[[], Iterable[Command]]
"""What people have asked for since the last call; never waits."""


@dataclass(frozen=True, slots=True)
class CameraStatus:
    """What is known of the camera. `frame_ms` is when the last frame came, None before the first."""

    is_seeing: bool = True
    frame_ms: int | None = None


def update_camera_status(
    status: CameraStatus, frame: Frame | None, source: FrameSource, now_ms: int
) -> tuple[CameraStatus, tuple[PeripheralEvent, ...]]:
    """One look further; a link event when the camera is lost or back."""
    if frame is not None:
        back = () if status.is_seeing else (PeripheralEvent(Peripheral.CAMERA, True, now_ms),)
        return CameraStatus(True, now_ms), back
    state = source.state
    is_broken = state.condition in (Condition.HANGS, Condition.VANISHED, Condition.FAILED)
    is_late = status.frame_ms is not None and now_ms - status.frame_ms >= CAMERA_LOST_AFTER_MS
    if not status.is_seeing or not (is_broken or is_late):
        return status, ()
    sentence = state.sentence or f"{source.describe()} sends no pictures; check its cable."
    return replace(status, is_seeing=False), (PeripheralEvent(Peripheral.CAMERA, False, now_ms, sentence),)


def live_inputs(source: FrameSource, commands: Commands, clock: Clock) -> Iterator[LiveInput]:
    """Of a camera or stream, until it can never work again; whoever stops asking ends it too."""
    watch = CameraStatus()
    while True:
        frame = source.latest(TICK_MS)
        now_ms = clock()
        watch, told = update_camera_status(watch, frame, source, now_ms)
        yield from told
        yield frame or Tick(now_ms)
        yield from commands()
        if frame is None and source.state.condition.is_final:
            return


@dataclass(frozen=True, slots=True)
class RecordedInputs:
    """The frames of a recording, once. `tell` gets a sentence for each picture that cannot be used."""

    source: FrameSource
    calibration: Calibration
    commands: Commands
    report: Callable[[str], None]

    def __iter__(self) -> Iterator[LiveInput]:
        return report_jumps(self._read_inputs())

    def _read_inputs(self) -> Iterator[Frame | Command]:
        while True:
            yield from self.commands()
            frame = self._next_frame()
            if frame is not None:
                yield frame
            elif self.source.state.condition.is_final:
                return

    def _next_frame(self) -> Frame | None:
        try:
            frame = self.source.latest(TICK_MS)
            if frame is not None:
                height_px, width_px = frame.pixels.shape[:2]
                scale_to_picture(self.calibration, width_px, height_px)
        except (BadPictureError, WrongPictureSizeError) as error:
            self.report(str(error))
            return None
        return frame


def report_jumps(inputs: Iterable[GivenInput]) -> Iterator[GivenInput | PeripheralEvent]:
    """The same, and what a referee has to know of a recording: that nobody looked between two of its frames."""
    intervals_ms = deque[int](maxlen=_INTERVALS)
    last_ms: int | None = None
    for given in inputs:
        if isinstance(given, Frame):
            if last_ms is not None:
                passed_ms = given.taken_ms - last_ms
                if intervals_ms and passed_ms >= max(CAMERA_LOST_AFTER_MS, JUMP_FACTOR * median(intervals_ms)):
                    yield PeripheralEvent(
                        Peripheral.CAMERA,
                        False,
                        last_ms + CAMERA_LOST_AFTER_MS,
                        _JUMP_SENTENCE.format(passed_ms / 1000),
                    )
                    yield PeripheralEvent(Peripheral.CAMERA, True, given.taken_ms)
                intervals_ms.append(passed_ms)
            last_ms = given.taken_ms
        yield given


def no_commands() -> tuple[Command, ...]:
    """Nobody asks for anything."""
    return ()
