"""What the server may know of the match that is played: written by the loop, read by the server's thread.

Nothing is copied but references to frozen values, and the lock is held for that long. Events have the numbers of the
log, from 1. The last of them are kept here; older ones are read from the log file again.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from controller.match.events import RefereeEvent
from controller.match.inputs import Peripheral
from controller.match_log import read_match
from controller.refereeing.match_config import MatchConfig, with_current_mode
from controller.refereeing.state import RefereeState

MOST_IN_MEMORY = 2_000
"""Some twenty games of backgammon; an event takes about 300 bytes."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A state with the time it was shown at, and the number of the last event that led to it."""

    state: RefereeState
    now_ms: int
    n_events: int


@dataclass(frozen=True, slots=True)
class NumberedEvent:
    """An event under its number in the log."""

    number: int
    event: RefereeEvent


class LiveMatch:
    """One match. `history` is what its log holds already; `path` is None for a match that is kept nowhere."""

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
    ) -> None:
        self.name = name
        self.table = with_current_mode(table, state)
        self.path = path
        self._lock = Lock()
        self._events: deque[RefereeEvent] = deque(history, maxlen=most_in_memory or MOST_IN_MEMORY)
        self._newest = Snapshot(state, now_ms, len(history))

    @property
    def newest(self) -> Snapshot:
        with self._lock:
            return self._newest

    def update(self, state: RefereeState, events: Sequence[RefereeEvent], now_ms: int) -> None:
        """Called by the loop."""
        with self._lock:
            self.table = with_current_mode(self.table, state)
            self._events.extend(events)
            self._newest = Snapshot(state, now_ms, self._newest.n_events + len(events))

    def get_events_since(self, number: int, most: int) -> tuple[NumberedEvent, ...] | None:
        """Up to `most` events behind that number; None when some of them are in the log file only."""
        with self._lock:
            first = self._newest.n_events - len(self._events) + 1
            if number + 1 < first:
                return None
            start = number + 1 - first
            chosen = [self._events[at] for at in range(start, min(start + most, len(self._events)))]
        return _number_events(chosen, number + 1)

    def read_events_from_log(self, number: int, most: int) -> tuple[NumberedEvent, ...]:
        """The same from the log file, slowly; what is no longer there is passed over. Raises MatchLogError."""
        if self.path is None:
            return ()
        return _number_events(read_match(self.path).events[number : number + most], number + 1)

    def get_events_in_memory(self) -> tuple[NumberedEvent, ...]:
        """Those in memory; of a match that is kept nowhere there are no others."""
        with self._lock:
            return _number_events(tuple(self._events), self._newest.n_events - len(self._events) + 1)


def _number_events(events: Sequence[RefereeEvent], first: int) -> tuple[NumberedEvent, ...]:
    return tuple(NumberedEvent(number, event) for number, event in enumerate(events, first))


class PageSink:
    """The page as a sink of the loop: never waits, never fails. `wake` tells the server's thread that there is news."""

    link: Peripheral | None = None

    def __init__(self, match: LiveMatch, wake: Callable[[], None]) -> None:
        self._match = match
        self._wake = wake

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        self._match.update(state, events, now_ms)
        self._wake()
