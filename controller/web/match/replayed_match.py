"""A recorded match, moment by moment. Each state is computed on request by applying the recorded events."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from controller.formats.from_events import build_match
from controller.match import RefereeEvent
from controller.match_log.chain import MatchFacts
from controller.match_log.turns import revise
from controller.refereeing.apply_events import apply_event
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import RefereeState
from controller.web.match.live_match import Snapshot
from controller.web.match.score_record import ClockJson
from controller.web.match.state_record import StateJson, make_state_record
from controller.web.match.visibility import Viewer

_CHECKPOINT_INTERVAL = 64
"""A knob: events between two kept states. Computing a moment from the nearest kept state takes less than 1 ms."""


@dataclass(frozen=True, slots=True)
class TurnMark:
    """A turn, numbered through the match as in `zarbiter log show`, and the number of the event that rules it."""

    turn: int
    game: int
    event: int


class ReplayedMatch:
    """All `events` of one match. `cursor` is the moment at which the operator stands; the overlay shows it."""

    def __init__(self, game: str, events: Sequence[RefereeEvent]) -> None:
        self.events = revise(events)
        self.turns = _make_turn_marks(game, self.events)
        self._checkpoints = tuple(_make_checkpoints(self.events))
        self.cursor = self.snapshot_at(len(self.events))

    @property
    def last(self) -> RefereeState:
        return self.snapshot_at(len(self.events)).state

    def snapshot_at(self, number: int) -> Snapshot:
        """The state after the event of that number, from 1; 0 is the moment before all events."""
        nearest = number // _CHECKPOINT_INTERVAL
        state = self._checkpoints[nearest]
        for event in self.events[nearest * _CHECKPOINT_INTERVAL : number]:
            state = apply_event(state, event)
        return Snapshot(state, self.events[number - 1].at_ms if number else 0, number)


def _make_turn_marks(game: str, events: Iterable[RefereeEvent]) -> tuple[TurnMark, ...]:
    match = build_match(MatchFacts("", game, ""), events)
    return tuple(TurnMark(one.number, game.number, one.event) for game in match.games for one in game.played_turns)


def _make_checkpoints(events: Sequence[RefereeEvent]) -> Iterable[RefereeState]:
    state = RefereeState()
    yield state
    for number, event in enumerate(events, 1):
        state = apply_event(state, event)
        if number % _CHECKPOINT_INTERVAL == 0:
            yield state


def make_moment_record(moment: Snapshot, table: MatchConfig, viewer: Viewer) -> StateJson:
    """A state record without a question and without orders, and with stopped clocks."""
    record = make_state_record(moment, table, viewer)
    return {**record, "clock": _stop_clock(record["clock"], moment.now_ms), "question": None, "orders": []}


def _stop_clock(clock: ClockJson | None, now_ms: int) -> ClockJson | None:
    if clock is None:
        return None
    since_ms, used_ms = clock["since_ms"], clock["used_ms"]
    if since_ms is not None:
        used_ms += max(0, now_ms - since_ms)
    return {**clock, "since_ms": None, "used_ms": used_ms}
