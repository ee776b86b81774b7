"""Interruptions of a match: failing camera, lights and storage, a moved board, pauses and disputes; the mode; the clock."""

from dataclasses import replace

from controller.match import (
    CallDispute,
    ChangeMode,
    Pause,
    Peripheral,
    PeripheralEvent,
    Reserves,
    Resume,
    SettleDispute,
    Tick,
    compute_banked,
    events,
    find_flagged_player,
    is_reserve_current,
)
from controller.observing import Observation
from controller.refereeing.match_config import MatchConfig, with_current_mode
from controller.refereeing.state import Phase
from controller.refereeing.throw import PendingThrow
from controller.refereeing.transition import Transition

_TURNED_AWAY = "It does not show the board; turn it towards the board, take away what covers it, or calibrate again."
_JUDGED_PHASES = frozenset({Phase.TURN_END, Phase.ILLEGAL, Phase.UNSURE})  # a throw made in these phases waits


def handle_peripheral_event(transition: Transition, event: PeripheralEvent, table: MatchConfig) -> Transition:
    """A peripheral failed or recovered, in any phase."""
    transition = transition.with_seen(transition.seen.advance(event.now_ms))
    match event.peripheral:
        case Peripheral.CAMERA:
            return _handle_camera(transition, event)
        case Peripheral.LIGHTS:
            return _handle_lights(transition, event)
        case Peripheral.STORAGE:  # pragma: no branch - mypy sees that no other case is left
            return _handle_storage(transition, event)


def remember_missed_event(transition: Transition, event: PeripheralEvent) -> Transition:
    """Keeps the event while nothing can be saved; it is handled once the storage is back."""
    return transition.with_outages(transition.seen.outages.miss(event))


def handle_tick(transition: Transition, tick: Tick, table: MatchConfig) -> Transition:
    """Time passed; only the clock depends on it."""
    return update_clock(transition.with_seen(transition.seen.advance(tick.now_ms)))


def update_clock(transition: Transition) -> Transition:
    """Logs the reserves to within a second; a player without reserve loses the match."""
    clock, logged = transition.state.clock, transition.seen.logged_reserves
    if clock is None or transition.state.match_winner is not None:
        return transition
    loser = find_flagged_player(clock, transition.now_ms)
    if loser is not None and clock.is_running:
        transition = transition.emit(events.TimeRanOut(transition.now_ms, loser))
        return transition.emit(events.MatchWon(transition.now_ms, loser.opponent))
    if logged is not None and is_reserve_current(logged, clock, transition.now_ms):
        return transition
    now: Reserves = compute_banked(clock, transition.now_ms)
    transition = transition.with_seen(replace(transition.seen, logged_reserves=now))
    return (
        transition
        if logged is None
        else transition.emit(events.ClockReserve(transition.now_ms, now.white_ms, now.black_ms))
    )


def handle_frame_while_blind(transition: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """One frame in BLIND: the camera is back, or the board lies where the calibration has it."""
    if seen.board_moved_mm >= table.patience.moved_mm or not seen.shows_board:
        return transition
    return _restore_camera(transition)


def handle_board_moved(transition: Transition, seen: Observation) -> Transition:
    return _lose_sight(transition.emit(events.BoardMoved(transition.now_ms, round(seen.board_moved_mm, 1))))


def handle_camera_turned_away(transition: Transition) -> Transition:
    return _lose_camera(transition, _TURNED_AWAY)


def ignore_frame(transition: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """A frame in PAUSED or DISPUTE."""
    return transition


def handle_change_mode(transition: Transition, command: ChangeMode, table: MatchConfig) -> Transition:
    """Changes the mode, in every phase; the game is not affected."""
    now = with_current_mode(table, transition.state)
    is_appointed = now.monitor_appointed if command.monitor_appointed is None else command.monitor_appointed
    if (command.mode, is_appointed) == (now.mode, now.monitor_appointed):
        return transition.refuse(command, f"The mode is {now.mode.value} already.")
    return transition.emit(events.ModeChanged(transition.now_ms, command.mode, is_appointed))


_EVENT_OF_COMMAND = {
    Pause: events.MatchPaused,
    Resume: events.MatchResumed,
}


def handle_stop_or_go(transition: Transition, command: Pause | Resume, table: MatchConfig) -> Transition:
    """A pause begins or ends."""
    return _lose_sight(transition.emit(_EVENT_OF_COMMAND[type(command)](transition.now_ms)))


def handle_call_dispute(transition: Transition, command: CallDispute, table: MatchConfig) -> Transition:
    """A dispute begins, or it becomes known who called it. What the director calls is not counted."""
    directing, limit = transition.state.directing, table.profile.disputes
    if transition.state.phase is Phase.DISPUTE and (command.player is None or directing.disputed_by is not None):
        return transition.refuse(command, "There is a dispute already; settle it first.")
    if command.player is not None and limit is not None and directing.lost_disputes.of(command.player) >= limit:
        return transition.refuse(command, "This player has no dispute left; the director can call one.")
    return _lose_sight(transition.emit(events.DisputeOpened(transition.now_ms, command.player)))


def handle_settle_dispute(transition: Transition, command: SettleDispute, table: MatchConfig) -> Transition:
    return _lose_sight(transition.emit(events.DisputeSettled(transition.now_ms, command.is_upheld)))


def _handle_camera(transition: Transition, event: PeripheralEvent) -> Transition:
    transition = transition.with_outages(transition.seen.outages.with_camera(is_up=event.is_up))
    if not event.is_up and transition.state.phase is not Phase.BLIND:
        return _lose_camera(transition, event.sentence)
    if event.is_up and transition.state.phase is Phase.BLIND:
        return _restore_camera(transition)
    return transition


def _lose_camera(transition: Transition, sentence: str) -> Transition:
    is_judged = transition.state.phase in _JUDGED_PHASES and transition.state.due is not None
    throw = transition.waiting_throw if is_judged else None
    return _keep_throw(_lose_sight(transition.emit(events.CameraLost(transition.now_ms, sentence))), throw)


def _restore_camera(transition: Transition) -> Transition:
    throw = transition.seen.throws.before_blind
    return _keep_throw(_lose_sight(transition.emit(events.CameraBack(transition.now_ms))), throw)


def _keep_throw(transition: Transition, throw: PendingThrow | None) -> Transition:
    return transition.with_throws(transition.seen.throws.keep_before_blind(throw))


def _handle_lights(transition: Transition, event: PeripheralEvent) -> Transition:
    if event.is_up == transition.state.lights_up:
        return transition
    return transition.emit(
        events.LightsBack(transition.now_ms) if event.is_up else events.LightsLost(transition.now_ms, event.sentence)
    )


def _handle_storage(transition: Transition, event: PeripheralEvent) -> Transition:
    """While the storage is down nothing is emitted; what was missed is handled when it is back."""
    if event.is_up == transition.seen.outages.storage_up:
        return transition
    transition = transition.with_outages(transition.seen.outages.with_storage(is_up=event.is_up))
    if not event.is_up:
        return _lose_sight(transition)
    missed = transition.seen.outages.missed
    transition = transition.with_outages(transition.seen.outages.report_missed())
    transition = _lose_sight(transition.emit(events.StorageBack(transition.now_ms)))
    for link in missed:
        transition = (
            _handle_camera(transition, link)
            if link.peripheral is Peripheral.CAMERA
            else _handle_lights(transition, link)
        )
    return transition


def _lose_sight(transition: Transition) -> Transition:
    return transition.with_seen(transition.seen.lose_sight())
