"""The loop and nothing else: it moves values between the arrows of design.md 3 and decides nothing.

    input ─▶ watch ─▶ step ─▶ log ─▶ lights, page, announcer, buzzer

Two rules hold everything together. A state is taken over only when the events that led to it are saved; so no light
ever shows what a pulled plug could undo. And nothing that fails ends a match: a log that cannot save and a sink that
cannot show become link events, which the referee answers like everything else, and both are tried again.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from controller.match.commands import Command
from controller.match.events import RefereeEvent
from controller.match.inputs import Peripheral, PeripheralEvent, Tick
from controller.match_log import EvidencePicture
from controller.observing.observation import Observation
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.referee import step
from controller.refereeing.state import RefereeState
from controller.session.evidence import EvidenceFrames, update_evidence
from vision.errors import VisionError
from vision.frame import Frame
from vision.geometry.calibration import Calibration

Input = Frame | Observation | Command | Tick | PeripheralEvent

SAVE_RETRY_MS = 1_000
"""A disk that was full is asked so often whether it has room again."""
OUT_OF_ORDER_MS = 1_500
"""A frame that comes by so much too late is passed over; a clock that went back further is a camera that sees nothing."""


class FrameProcessor(Protocol):
    """What is remembered of the frames so far; a value, never changed."""

    @property
    def calibration(self) -> Calibration: ...

    def process(self, frame: Frame) -> tuple["FrameProcessor", Observation]:
        """One frame further."""
        ...


class Log(Protocol):
    """Where events become durable."""

    def append(self, events: tuple[RefereeEvent, ...], pictures: tuple[EvidencePicture, ...]) -> object:
        """On disk when it returns, all of them. OSError when that cannot be; it is asked the same again later."""
        ...


class Sink(Protocol):
    """Anything that shows the match: lights, page, announcer."""

    @property
    def link(self) -> Peripheral | None:
        """What the referee is told to be lost when this fails; None: nothing that matters to him."""
        ...

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        """After every input, with events or without. OSError when it cannot; it is asked again with the next."""
        ...


@runtime_checkable
class Closable(Protocol):
    """A sink that has something to end, such as light."""

    def close(self) -> None: ...


@dataclass(slots=True)
class _MonitoredSink:
    """A sink, and since when it fails."""

    sink: Sink
    is_well: bool = True

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> PeripheralEvent | None:
        """What the referee should know of it."""
        was_well, sentence = self.is_well, ""
        try:
            self.sink.publish(state, events, now_ms)
            self.is_well = True
        except OSError as error:
            self.is_well, sentence = False, str(error)
        if self.sink.link is None or self.is_well == was_well:
            return None
        return PeripheralEvent(self.sink.link, self.is_well, now_ms, sentence)


@dataclass(frozen=True, slots=True, eq=False)
class _UnsavedBatch:
    """Events that the disk did not take, and the state that they lead to."""

    events: tuple[RefereeEvent, ...]
    pictures: tuple[EvidencePicture, ...]
    after: RefereeState


@dataclass(slots=True)
class _Match:
    """The values that the loop carries from one input to the next."""

    state: RefereeState
    table: MatchConfig
    processor: FrameProcessor
    log: Log
    evidence: EvidenceFrames = field(default_factory=EvidenceFrames)
    now_ms: int = 0
    unsaved: _UnsavedBatch | None = None
    next_save_ms: int = 0  # not before this
    is_seeing: bool = True
    frame_ms: int | None = None  # of the newest frame

    def handle_input(self, given: Input) -> tuple[RefereeEvent, ...]:
        """One input through the arrows; the events that are on disk."""
        self.now_ms = max(self.now_ms, _time_of(given))
        events = self._retry_save()
        for seen in self._process_frame(given) if isinstance(given, Frame) else (given,):
            events += self._step(seen)
        return events

    def _process_frame(self, frame: Frame) -> Iterator[Observation | PeripheralEvent]:
        """What the frame shows. A camera that suddenly sends other pictures than it was calibrated for sees nothing."""
        if self.frame_ms is not None and 0 <= self.frame_ms - frame.taken_ms < OUT_OF_ORDER_MS:
            return
        self.frame_ms = frame.taken_ms
        try:
            self.processor, seen = self.processor.process(frame)
        except VisionError as error:
            if self.is_seeing:
                yield PeripheralEvent(Peripheral.CAMERA, False, frame.taken_ms, str(error))
            self.is_seeing = False
            return
        if not self.is_seeing:
            yield PeripheralEvent(Peripheral.CAMERA, True, frame.taken_ms)
        self.is_seeing = True
        self.evidence = update_evidence(self.evidence, frame, seen)
        yield seen

    def _step(self, seen: Observation | Command | Tick | PeripheralEvent) -> tuple[RefereeEvent, ...]:
        after, events = step(self.state, seen, self.table)
        if events and self.unsaved is not None:
            return ()  # nothing happens while nothing can be saved
        if events:
            batch = _UnsavedBatch(events, self.evidence.pictures(events, self.processor.calibration), after)
            try:
                self.log.append(batch.events, batch.pictures)
            except OSError as error:
                return self._handle_save_failure(batch, str(error))
        self.state = after
        return events

    def _handle_save_failure(self, batch: _UnsavedBatch, why: str) -> tuple[RefereeEvent, ...]:
        """What could not be saved has not happened yet."""
        self.unsaved = batch
        self.next_save_ms = self.now_ms + SAVE_RETRY_MS
        self.state = step(self.state, PeripheralEvent(Peripheral.STORAGE, False, self.now_ms, why), self.table)[0]
        return ()

    def _retry_save(self) -> tuple[RefereeEvent, ...]:
        """The same batch is asked for until it is taken: a disk may have written what it did not confirm."""
        batch = self.unsaved
        if batch is None or self.now_ms < self.next_save_ms:
            return ()
        try:
            self.log.append(batch.events, batch.pictures)
        except OSError:
            self.next_save_ms = self.now_ms + SAVE_RETRY_MS
            return ()
        self.unsaved, missed = None, self.state.seen.missed_peripheral_events
        self.state = step(batch.after, PeripheralEvent(Peripheral.STORAGE, False, self.now_ms), self.table)[0]
        for link in missed:
            self.state = step(self.state, link, self.table)[0]
        return (*batch.events, *self._step(PeripheralEvent(Peripheral.STORAGE, True, self.now_ms)))


def referee_match(
    inputs: Iterable[Input],
    table: MatchConfig,
    log: Log,
    sinks: Sequence[Sink],
    *,
    processor: FrameProcessor,
    state: RefereeState,
) -> RefereeState:
    """Until the inputs end; the state then. The log before all sinks, and these are closed at the end, however it comes."""
    match = _Match(state, table, processor, log)
    shown = [_MonitoredSink(sink) for sink in sinks]
    owed: list[PeripheralEvent] = []
    try:
        for given in inputs:
            due, owed = (*owed, given), []
            for one in due:
                events = match.handle_input(one)
                troubles = (sink.publish(match.state, events, match.now_ms) for sink in shown)
                owed += [trouble for trouble in troubles if trouble is not None]
    finally:
        for sink in sinks:
            if isinstance(sink, Closable):
                sink.close()
    return match.state


def _time_of(given: Input) -> int:
    """0 for a command, which comes at whatever time it is."""
    match given:
        case Frame() | Observation():
            return given.taken_ms
        case Tick() | PeripheralEvent():
            return given.now_ms
        case _:
            return 0
