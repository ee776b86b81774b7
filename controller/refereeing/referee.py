"""The referee: from a state and an input to the next state and its events. No clock, camera or disk; time is in the inputs.

    state, events = step(state, seen, table)

A match consists of its events. The durable part of the state is a fold over them (`replay_events`), so that only the log
has to survive. `transition_table.py` maps phases and inputs to the handlers in `phases/`.
"""

from dataclasses import replace

from controller.match import ALL_SEATINGS, Command, Peripheral, PeripheralEvent, Tick, events
from controller.match.event_values import BoardUsed
from controller.observing import Observation
from controller.refereeing.apply_events import apply_event, replay_events
from controller.refereeing.match_config import MatchConfig, RefereePatience
from controller.refereeing.perception import Outages, Perception
from controller.refereeing.phases import between_games, hindsight, interruptions
from controller.refereeing.state import Phase, RefereeState, without_perception
from controller.refereeing.transition import Transition, update_perception
from controller.refereeing.transition_table import TRANSITION_TABLE, refuse_command
from controller.refereeing.waiting import report_sight

__all__ = [
    "MatchConfig", "Perception", "Phase", "RefereePatience", "RefereeState", "apply_event", "begin_match",
    "replay_events", "resume_match", "step", "without_perception",
]  # fmt: skip


def begin_match(table: MatchConfig, now_ms: int) -> tuple[RefereeState, tuple[events.RefereeEvent, ...]]:
    """A new match and its first event, which has to be saved like all others."""
    seatings = table.seatings if table.seating is None and table.seatings != ALL_SEATINGS else ()
    started = events.MatchStarted(
        now_ms,
        table.game,
        table.rules_toml,
        table.profile.name,
        table.mode,
        table.players.white,
        table.players.black,
        table.match.target,
        table.players.white_score,
        table.players.black_score,
        None if table.clock is None else table.clock.name,
        crawford=table.match.crawford,
        disputes=table.profile.disputes,
        board=BoardUsed(table.has_bar, table.seating, table.start.position, table.start.on_turn, seatings),
    )
    transition = Transition(RefereeState(seen=Perception(now_ms=now_ms))).emit(started)
    return transition.state, transition.events


def resume_match(state: RefereeState, now_ms: int) -> tuple[RefereeState, tuple[events.RefereeEvent, ...]]:
    """Resumes a match from a replayed state; the board is compared with the log as soon as one is seen."""
    perception = Perception(now_ms=now_ms, outages=Outages(was_blind=True, lay_before_start=True))
    transition = Transition(replace(state, seen=perception))
    transition = transition.emit(events.MatchResumed(now_ms, after_restart=True))
    return transition.state, transition.events


def step(
    state: RefereeState, seen: Observation | Command | Tick | PeripheralEvent, table: MatchConfig
) -> tuple[RefereeState, tuple[events.RefereeEvent, ...]]:
    """The state after one input, and its events. While the storage is down nothing is decided."""
    transition = Transition(state)
    if isinstance(seen, Observation):
        seen = seen.without_dice() if table.is_grasshopper else seen
        transition = update_perception(transition, seen)
    if not state.seen.outages.storage_up and not (
        isinstance(seen, PeripheralEvent) and seen.peripheral is Peripheral.STORAGE
    ):
        return (
            interruptions.remember_missed_event(transition, seen) if isinstance(seen, PeripheralEvent) else transition
        ).state, ()
    if isinstance(seen, Observation):
        transition = _handle_frame(transition, seen, table)
    else:
        answer = TRANSITION_TABLE.get((transition.state.phase, type(seen)))
        transition = (answer.handler if answer else refuse_command)(transition, seen, table)
    return transition.state, transition.events


def _handle_frame(transition: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """In every phase a board that was moved is not judged; what an open turn was may be known before the frame is handled."""
    if seen.board_moved_mm >= table.patience.moved_mm and transition.state.phase is not Phase.BLIND:
        transition = interruptions.handle_board_moved(transition, seen)
    elif not seen.shows_board and transition.state.phase is not Phase.BLIND:
        transition = interruptions.handle_camera_turned_away(transition)
    elif (anew := between_games.begin_anew(transition, seen, table)) is not None:
        transition = report_sight(anew, table)
    else:
        transition = hindsight.catch_up(hindsight.join(transition, table), table)
        transition = TRANSITION_TABLE[transition.state.phase, Observation].handler(transition, seen, table)
        transition = report_sight(transition, table)
    return interruptions.update_clock(transition)
