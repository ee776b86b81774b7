"""The match loop: it moves values from one stage to the next and makes no ruling of its own.

    input ─▶ process frame ─▶ step ─▶ log ─▶ lights, page, announcer, buzzer

Two rules hold it together. First, write-ahead: a state becomes current only after the events that led to it are saved,
so no light ever shows what a power cut could undo. Second, no failure ends a match: a log that cannot save and a sink
that cannot show become peripheral events, which the referee handles like any input, and the loop retries both.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, Protocol, Self, TypeVar, runtime_checkable

from controller.match import BoardMoved, Command, Peripheral, PeripheralEvent, RefereeEvent, Tick
from controller.match_log import EvidencePicture
from controller.observing import Observation, Occupancy
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.referee import step
from controller.refereeing.state import RefereeState
from controller.session.board_lessons import BoardLessons, learn_from_step, list_occupancy
from controller.session.evidence import EvidenceFrames, update_evidence
from vision.board.board_reading import BoardReading
from vision.errors import VisionError
from vision.frame import Frame
from vision.geometry.calibration import Appearance, Calibration

Input = Frame | Observation | Command | Tick | PeripheralEvent

SAVE_RETRY_MS = 1_000
"""The interval at which a failed save is retried."""
OUT_OF_ORDER_MS = 1_500
"""A frame older than the newest by less than this is dropped; a larger step back is a fault of the camera's clock."""


class FrameProcessor(Protocol):
    """What is remembered of earlier frames, as an immutable value."""

    @property
    def calibration(self) -> Calibration: ...

    @property
    def newest_reading(self) -> BoardReading | None: ...

    def with_appearance(self, appearance: Appearance) -> Self:
        """The processor that reads later frames with what was learned of the board."""
        ...

    def find_moved_board(self, occupancy: Occupancy) -> Self:
        """The processor that reads a board that moved far where it lies now, if this position proves where that is."""
        ...

    def process(self, frame: Frame) -> tuple["FrameProcessor", Observation]:
        """The next processor, and what the frame shows. Raises VisionError."""
        ...


Processor = TypeVar("Processor", bound=FrameProcessor)


@dataclass(frozen=True, slots=True, eq=False)
class AroundProcessor(Generic[Processor]):
    """What every processor around another one shares; a subclass says what happens with a frame besides."""

    processor: Processor

    @property
    def calibration(self) -> Calibration:
        return self.processor.calibration

    @property
    def newest_reading(self) -> BoardReading | None:
        return self.processor.newest_reading

    def with_appearance(self, appearance: Appearance) -> Self:
        return replace(self, processor=self.processor.with_appearance(appearance))

    def find_moved_board(self, occupancy: Occupancy) -> Self:
        return replace(self, processor=self.processor.find_moved_board(occupancy))


class Log(Protocol):
    """Durable storage of events."""

    def append(self, events: tuple[RefereeEvent, ...], pictures: tuple[EvidencePicture, ...]) -> object:
        """Saves all events before it returns, or raises OSError; the same batch may be passed again later."""
        ...


class Sink(Protocol):
    """An output of the match: lights, page, announcer, buzzer."""

    @property
    def link(self) -> Peripheral | None:
        """The peripheral that is lost when this sink fails; None if the referee need not know."""
        ...

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        """Called after every input, with or without events. May raise OSError; the next input calls it again."""
        ...


@runtime_checkable
class Closable(Protocol):
    """A sink with something to switch off at the end, such as light."""

    def close(self) -> None: ...


@dataclass(slots=True)
class _MonitoredSink:
    """A sink and whether its last call succeeded."""

    sink: Sink
    is_well: bool = True

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> PeripheralEvent | None:
        """Publishes; returns an event when the sink has just failed or recovered."""
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
    """Events that could not be saved, and the state that they lead to."""

    events: tuple[RefereeEvent, ...]
    pictures: tuple[EvidencePicture, ...]
    after: RefereeState


@dataclass(slots=True)
class _Match:
    """The state that the loop carries from one input to the next."""

    state: RefereeState
    table: MatchConfig
    processor: FrameProcessor
    log: Log
    lessons: BoardLessons
    evidence: EvidenceFrames = field(default_factory=EvidenceFrames)
    now_ms: int = 0
    unsaved: _UnsavedBatch | None = None
    next_save_ms: int = 0
    is_seeing: bool = True
    frame_ms: int | None = None  # of the newest frame

    def handle_input(self, given: Input) -> tuple[RefereeEvent, ...]:
        """Passes one input through all stages; returns the events that are now on disk."""
        self.now_ms = max(self.now_ms, _time_of(given))
        events = self._retry_save()
        for seen in self._process_frame(given) if isinstance(given, Frame) else (given,):
            events += self._step(seen)
        return events

    def _process_frame(self, frame: Frame) -> Iterator[Observation | PeripheralEvent]:
        """The observation of a frame. A frame that does not fit the calibration counts as a lost camera."""
        if self.frame_ms is not None and 0 <= self.frame_ms - frame.taken_ms < OUT_OF_ORDER_MS:
            return
        self.frame_ms = frame.taken_ms
        try:
            has_moved = isinstance(self.state.questions.blind, BoardMoved)
            occupancy = list_occupancy(self.state, self.table) if has_moved else {}
            processor = self.processor.find_moved_board(occupancy) if occupancy else self.processor
            self.processor, seen = processor.process(frame)
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
            return ()  # no event happens while none can be saved
        self.lessons, self.processor, learned = learn_from_step(self.lessons, self.processor, after, events, seen)
        events += learned
        if events:
            batch = _UnsavedBatch(events, self.evidence.pictures(events, self.processor.calibration), after)
            try:
                self.log.append(batch.events, batch.pictures)
            except OSError as error:
                return self._handle_save_failure(batch, str(error))
        self.state = after
        return events

    def _handle_save_failure(self, batch: _UnsavedBatch, why: str) -> tuple[RefereeEvent, ...]:
        """Keeps the old state and the batch: events that are not saved have not happened yet."""
        self.unsaved = batch
        self.next_save_ms = self.now_ms + SAVE_RETRY_MS
        self.state = step(self.state, PeripheralEvent(Peripheral.STORAGE, False, self.now_ms, why), self.table)[0]
        return ()

    def _retry_save(self) -> tuple[RefereeEvent, ...]:
        """Retries exactly the same batch, because the disk may have written what it did not confirm."""
        batch = self.unsaved
        if batch is None or self.now_ms < self.next_save_ms:
            return ()
        try:
            self.log.append(batch.events, batch.pictures)
        except OSError:
            self.next_save_ms = self.now_ms + SAVE_RETRY_MS
            return ()
        self.unsaved, missed = None, self.state.seen.outages.missed
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
    """Referees until the inputs end and returns the last state. Sinks are closed on every way out."""
    match = _Match(state, table, processor, log, BoardLessons(table))
    shown = [_MonitoredSink(sink) for sink in sinks]
    pending: list[PeripheralEvent] = []  # of the sinks; the referee handles these before the next input
    try:
        for given in inputs:
            due, pending = (*pending, given), []
            for one in due:
                events = match.handle_input(one)
                changes = (sink.publish(match.state, events, match.now_ms) for sink in shown)
                pending += [change for change in changes if change is not None]
    finally:
        for sink in sinks:
            if isinstance(sink, Closable):
                sink.close()
    return match.state


def _time_of(given: Input) -> int:
    """A command has no time of its own: 0."""
    match given:
        case Frame() | Observation():
            return given.taken_ms
        case Tick() | PeripheralEvent():
            return given.now_ms
        case _:
            return 0
