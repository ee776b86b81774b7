"""The inputs of the loop: frames, commands, ticks, and the camera being lost or back.

There is no thread: all waiting happens in the source's `latest`, at most TICK_MS at a time. A recording that stands in
for a camera has its own clock, that of its frames, and gives no ticks. A gap in a recording is reported as a camera that
was lost and came back.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from statistics import median
from typing import TypeVar

from controller.match import Command, Peripheral, PeripheralEvent, Tick
from vision.errors import BadPictureError, WrongPictureSizeError
from vision.frame import Clock, Condition, Frame, FrameSource
from vision.geometry.calibration import Calibration, scale_to_picture

TICK_MS = 40
"""The interval at which the lights may change."""
CAMERA_LOST_AFTER_MS = 1_500
"""Silence after which a camera counts as lost; the page must report it within 2 s."""
FIRST_PICTURE_AFTER_MS = 4_000
"""Silence at the beginning after which people hear of it; a camera may need longer to open."""

JUMP_FACTOR = 3.0
"""An interval of this many medians is a gap in a recording, so that a slow recording does not lose its camera."""
_INTERVALS = 9  # in the median
_JUMP_SENTENCE = "The recording has no picture for {:.1f} s."

GivenInput = TypeVar("GivenInput", bound="LiveInput")
LiveInput = Frame | Command | Tick | PeripheralEvent
Commands = Callable[[], Iterable[Command]]
"""The commands given since the last call; never waits."""


@dataclass(frozen=True, slots=True)
class CameraStatus:
    """The camera's state. `frame_ms` is the arrival of the last frame, None before the first. `begun_ms`: the first request."""

    is_seeing: bool = True
    frame_ms: int | None = None
    begun_ms: int | None = None


def update_camera_status(
    status: CameraStatus, frame: Frame | None, source: FrameSource, now_ms: int
) -> tuple[CameraStatus, tuple[PeripheralEvent, ...]]:
    """The next status, with an event when the camera was just lost or is back."""
    if frame is not None:
        back = () if status.is_seeing else (PeripheralEvent(Peripheral.CAMERA, True, now_ms),)
        return CameraStatus(True, now_ms), back
    begun_ms = now_ms if status.begun_ms is None else status.begun_ms
    status = replace(status, begun_ms=begun_ms)
    state = source.state
    is_broken = state.condition in (Condition.HANGS, Condition.VANISHED, Condition.FAILED)
    is_late = status.frame_ms is not None and now_ms - status.frame_ms >= CAMERA_LOST_AFTER_MS
    is_silent = status.frame_ms is None and now_ms - begun_ms >= FIRST_PICTURE_AFTER_MS
    if not status.is_seeing or not (is_broken or is_late or is_silent):
        return status, ()
    problem = "has sent no picture yet; wait a moment, or" if is_silent else "sends no pictures;"
    sentence = state.sentence or f"{source.describe()} {problem} {source.silence_remedy}."
    return replace(status, is_seeing=False), (PeripheralEvent(Peripheral.CAMERA, False, now_ms, sentence),)


def live_inputs(source: FrameSource, commands: Commands, clock: Clock) -> Iterator[LiveInput]:
    """The inputs of a camera or stream, until the source fails for good."""
    status = CameraStatus()
    while True:
        frame = source.latest(TICK_MS)
        now_ms = clock()
        status, changes = update_camera_status(status, frame, source, now_ms)
        yield from changes
        yield frame or Tick(now_ms)
        yield from commands()
        if frame is None and source.state.condition.is_final:
            return


@dataclass(frozen=True, slots=True)
class RecordedInputs:
    """The frames of a recording, once. `report` receives a sentence for each picture that cannot be used."""

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
    """Passes inputs through and inserts camera-lost and camera-back events where the recording has a gap."""
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
    """The `Commands` of a recording that is refereed without people."""
    return ()
