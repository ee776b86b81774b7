"""Transcribes a recording into a match log: infers the table, and resumes an interrupted run."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain

from controller.match import PeripheralEvent, RefereeEvent
from controller.observing import Observation
from controller.refereeing.joining import complete_table, make_belief
from controller.refereeing.match_config import MatchConfig, RefereePatience
from controller.refereeing.referee import replay_events, step, without_perception
from controller.refereeing.state import RefereeState
from controller.refereeing.verdicts import find_games_starting, is_start_of_another
from controller.session.board_lessons import restore_appearance
from controller.session.camera_watch import StillsProcessor, VideoProcessor
from controller.session.loop import AroundProcessor
from vision.frame import Frame

WARM_UP_MS = 10_000
"""A resumed run reprocesses this much before its last event, to rebuild what the log does not hold."""
WARM_UP_INPUTS = 8
"""It reprocesses at least this many pictures, since settled scenes may be minutes apart."""

Recorded = Frame | PeripheralEvent
"""An input of a recording: a picture, or one end of a gap."""

MAX_CACHED_OBSERVATIONS = 6_000
"""Observations kept from the first pass for the second one (some kilobytes each); later frames are processed again."""

NO_PATIENCE = RefereePatience(
    illegal_ms=0,
    unclear_ms=0,
    differs_ms=0,
    second_die_ms=0,
    cube_ms=0,
    still_ms=0,
    sight_ms=0,
    rest_ms=0,
    unseen_ms=0,
    inspection_interval_ms=0,
)
"""For settled scenes: the referee waits for nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class CachedProcessor(AroundProcessor[VideoProcessor | StillsProcessor]):
    """A processor that takes the observations of the first frames from `known_observations`, keyed by `taken_ms`."""

    known_observations: Mapping[int, Observation]

    def process(self, frame: Frame) -> tuple["CachedProcessor", Observation]:
        known = self.known_observations.get(frame.taken_ms)
        if known is not None:
            return self, known
        processor, seen = self.processor.process(frame)
        return replace(self, processor=processor), seen


def with_no_patience(table: MatchConfig) -> MatchConfig:
    """The configuration for pictures of settled scenes."""
    return replace(with_nobody_to_ask(table), patience=NO_PATIENCE, is_watched=False)


def with_nobody_to_ask(table: MatchConfig) -> MatchConfig:
    """The configuration for a recording."""
    return replace(table, players=replace(table.players, can_be_asked=False))


def find_other_games(
    frames: Iterable[Frame], processor: VideoProcessor | StillsProcessor, table: MatchConfig
) -> tuple[str, ...]:
    """The games that begin with the first board at rest, if that surely is no part of the game of `table`; else none."""
    for frame in frames:
        processor, seen = processor.process(frame)
        if seen.board is not None:
            return find_games_starting(seen.board) if is_start_of_another(seen.board, table) else ()
    return ()


def infer_table(
    frames: Iterable[Frame], processor: VideoProcessor | StillsProcessor, table: MatchConfig
) -> tuple[MatchConfig, CachedProcessor]:
    """The configuration that the first frames show, and a processor that holds their observations.

    Where the first board at rest is the start of another game, or empty, `table` itself: the referee then waits and says so.
    """
    belief = make_belief(table)
    known: dict[int, Observation] = {}
    last_cached = processor  # after the last frame whose observation is kept
    for frame in frames:
        if belief is None or belief.settled is not None:
            break
        processor, seen = processor.process(frame)
        if len(known) < MAX_CACHED_OBSERVATIONS:
            known[frame.taken_ms], last_cached = seen, processor
        if seen.board is not None and not belief.now and is_start_of_another(seen.board, table):
            return table, CachedProcessor(last_cached, known)
        belief = belief.with_observation(seen)
    return complete_table(table, belief), CachedProcessor(last_cached, known)


def restore_progress(
    processor: VideoProcessor | StillsProcessor,
    inputs: Iterator[Recorded],
    events: Sequence[RefereeEvent],
    table: MatchConfig,
) -> tuple[VideoProcessor | StillsProcessor, Iterator[Recorded], RefereeState]:
    """The processor and state of an interrupted run after its last saved event, and the inputs it has not processed.

    The referee steps through the warm-up again to recover what no log holds: an unread throw, dice that were played
    already. If that leads to another state than the log's, because the warm-up is too short, the log alone counts.
    """
    until_ms = max(event.at_ms for event in events)
    learned = restore_appearance(processor.calibration.appearance, events)
    processor = processor if learned is None else processor.with_appearance(learned)
    warm = _WarmUp(processor, None, events, table)
    before: deque[Recorded] = deque(maxlen=WARM_UP_INPUTS)
    for given in inputs:
        at_ms = _time_of(given)
        if at_ms > until_ms:
            inputs = chain((given,), inputs)
            break
        before.append(given)
        if at_ms > until_ms - WARM_UP_MS:
            warm = reduce(_WarmUp.with_input, before, warm)
            before.clear()
    warm = reduce(_WarmUp.with_input, before, warm)
    known = replay_events(events)
    if warm.state is None or without_perception(warm.state) != without_perception(known):
        return warm.processor, inputs, known
    return warm.processor, inputs, replace(known, seen=warm.state.seen)


@dataclass(frozen=True, slots=True, eq=False)
class _WarmUp:
    """What is rebuilt so far; `state` is None before the first game."""

    processor: VideoProcessor | StillsProcessor
    state: RefereeState | None
    events: Sequence[RefereeEvent]
    table: MatchConfig

    def with_input(self, given: Recorded) -> "_WarmUp":
        watch, state = self.processor, self.state
        if state is None:
            then = replay_events(event for event in self.events if event.at_ms < _time_of(given))
            state = then if then.game.number > 0 else None
        seen: Observation | PeripheralEvent
        if isinstance(given, Frame):
            watch, seen = watch.process(given)
        else:
            seen = given
        return replace(self, processor=watch, state=None if state is None else step(state, seen, self.table)[0])


def _time_of(given: Recorded) -> int:
    return given.taken_ms if isinstance(given, Frame) else given.now_ms
