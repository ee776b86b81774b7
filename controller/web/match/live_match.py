"""The two ways between the loop and the server's thread: the live match outwards, the queue of orders back.

Only references to frozen values cross between the threads, so a lock is held very shortly. Events have the numbers of the
log, from 1. The last events are kept in memory; older ones are read from the log file.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import TypeVar

from controller.match import Command, Peripheral, RefereeEvent
from controller.match_log import read_match, revise
from controller.questions.find_question import AskedOnce
from controller.questions.question import Question
from controller.refereeing.match_config import MatchConfig, with_current_mode
from controller.refereeing.state import RefereeState

MOST_IN_MEMORY = 2_000
"""A knob: about twenty games of backgammon. An event takes about 300 bytes."""
MOST_WAITING = 16
"""A knob: the loop takes all orders with every frame, so more than a few waiting orders mean that it is blocked."""

Given = TypeVar("Given")
QuestionFinder = Callable[[RefereeState, MatchConfig], Question | None]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A state, the time at which it was published, and the number of the last event that led to it."""

    state: RefereeState
    now_ms: int
    n_events: int


@dataclass(frozen=True, slots=True)
class NumberedEvent:
    """An event and its number in the log."""

    number: int
    event: RefereeEvent


class LiveMatch:
    """One match, its events as revised. `history` are those that its log holds already; `path` is None for a match without a
    log file. `questions` is shared with the other outputs of the match.
    """

    def __init__(
        self,
        name: str,
        table: MatchConfig,
        state: RefereeState,
        history: Sequence[RefereeEvent],
        *,
        path: Path | None = None,
        now_ms: int = 0,
        most_in_memory: int | None = None,
        questions: QuestionFinder | None = None,
    ) -> None:
        self.name = name
        self.table = with_current_mode(table, state)
        self.path = path
        self.questions: QuestionFinder = AskedOnce() if questions is None else questions
        self._lock = Lock()
        self._events: deque[RefereeEvent] = deque(revise(history), maxlen=most_in_memory or MOST_IN_MEMORY)
        self._newest = Snapshot(state, now_ms, len(history))

    @property
    def newest(self) -> Snapshot:
        with self._lock:
            return self._newest

    def update(self, state: RefereeState, events: Sequence[RefereeEvent], now_ms: int) -> None:
        """Called by the loop with the new state and the events that led to it."""
        with self._lock:
            self.table = with_current_mode(self.table, state)
            self._events.extend(events)
            self._newest = Snapshot(state, now_ms, self._newest.n_events + len(events))

    def get_events_between(self, number: int, last: int) -> tuple[NumberedEvent, ...] | None:
        """The events after that number up to number `last`; None when some of them are only in the log file."""
        with self._lock:
            first = self._newest.n_events - len(self._events) + 1
            if number + 1 < first:
                return None
            end = min(last + 1 - first, len(self._events))
            chosen = [self._events[at] for at in range(number + 1 - first, end)]
        return _number_events(chosen, number + 1)

    def read_events_from_log(self, number: int, most: int, last: int) -> tuple[NumberedEvent, ...]:
        """Up to `most` events after that number, as revised by event `last`, from the log file. Slow. Raises MatchLogError."""
        if self.path is None:
            return ()
        return _number_events(revise(read_match(self.path).events[:last])[number : number + most], number + 1)

    def get_events_in_memory(self) -> tuple[NumberedEvent, ...]:
        """The events in memory. A match without a log file has no others."""
        with self._lock:
            return _number_events(tuple(self._events), self._newest.n_events - len(self._events) + 1)


def _number_events(events: Sequence[RefereeEvent], first: int) -> tuple[NumberedEvent, ...]:
    return tuple(NumberedEvent(number, event) for number, event in enumerate(events, first))


class PageSink:
    """The page as a sink of the loop; it never waits and never fails. `wake` tells the server that there is news."""

    link: Peripheral | None = None

    def __init__(self, match: LiveMatch, wake: Callable[[], None]) -> None:
        self._match = match
        self._wake = wake

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        self._match.update(state, events, now_ms)
        self._wake()


class OrderQueue:
    """Bounded; filled by the server's thread, emptied by the loop."""

    def __init__(self) -> None:
        self._waiting: deque[Command] = deque()

    def put(self, command: Command) -> bool:
        """Appends an order; whether there was room."""
        if len(self._waiting) >= MOST_WAITING:
            return False
        self._waiting.append(command)
        return True

    def __call__(self) -> Iterator[Command]:
        """Takes the orders that wait."""
        while self._waiting:
            yield self._waiting.popleft()

    def merge_with(self, inputs: Iterable[Given]) -> Iterator[Given | Command]:
        """The inputs, each after the orders that came before it."""
        for given in inputs:
            yield from chain(self(), (given,))
