"""Interruptions of a match: failing camera, lights and storage, a moved board, pauses and disputes; the mode; the clock."""

from dataclasses import replace

from controller.match.clocks import Reserves, compute_banked, find_flagged_player, is_reserve_current
from controller.match.commands import CallDispute, ChangeMode, Pause, Resume, SettleDispute
from controller.match.events import (
    BoardMoved,
    CameraBack,
    CameraLost,
    ClockReserve,
    DisputeOpened,
    DisputeSettled,
    LightsBack,
    LightsLost,
    MatchPaused,
    MatchResumed,
    MatchWon,
    ModeChanged,
    StorageBack,
    TimeRanOut,
)
from controller.match.inputs import Peripheral, PeripheralEvent, Tick
from controller.observing.observation import Observation
from controller.refereeing.match_config import MatchConfig, with_current_mode
from controller.refereeing.perception import PendingThrow
from controller.refereeing.state import Phase
from controller.refereeing.transition import Transition

_JUDGED_PHASES = frozenset({Phase.TURN_END, Phase.ILLEGAL, Phase.UNSURE})  # a throw made in these phases waits


def handle_peripheral_event(course: Transition, event: PeripheralEvent, table: MatchConfig) -> Transition:
    """A peripheral failed or recovered, in any phase."""
    course = course.with_seen(course.seen.advance(event.now_ms))
    match event.peripheral:
        case Peripheral.CAMERA:
            return _handle_camera(course, event)
        case Peripheral.LIGHTS:
            return _handle_lights(course, event)
        case Peripheral.STORAGE:  # pragma: no branch - mypy sees that no other case is left
            return _handle_storage(course, event)


def remember_missed_event(course: Transition, event: PeripheralEvent) -> Transition:
    """Keeps the event while nothing can be saved; it is handled once the storage is back."""
    return course.with_outages(course.seen.outages.miss(event))


def handle_tick(course: Transition, tick: Tick, table: MatchConfig) -> Transition:
    """Time passed; only the clock depends on it."""
    return update_clock(course.with_seen(course.seen.advance(tick.now_ms)))


def update_clock(course: Transition) -> Transition:
    """Logs the reserves to within a second; a player without reserve loses the match."""
    clock, logged = course.state.clock, course.seen.logged_reserves
    if clock is None or course.state.match_winner is not None:
        return course
    loser = find_flagged_player(clock, course.now_ms)
    if loser is not None and clock.is_running:
        course = course.emit(TimeRanOut(course.now_ms, loser))
        return course.emit(MatchWon(course.now_ms, loser.opponent))
    if logged is not None and is_reserve_current(logged, clock, course.now_ms):
        return course
    now: Reserves = compute_banked(clock, course.now_ms)
    course = course.with_seen(replace(course.seen, logged_reserves=now))
    return course if logged is None else course.emit(ClockReserve(course.now_ms, now.white_ms, now.black_ms))


def handle_frame_while_blind(course: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """One frame in BLIND: the camera is back, or the board lies at its calibrated place again."""
    if seen.board_moved_mm >= table.patience.moved_mm:
        return course
    return _restore_camera(course)


def handle_board_moved(course: Transition, seen: Observation) -> Transition:
    return _lose_sight(course.emit(BoardMoved(course.now_ms, round(seen.board_moved_mm, 1))))


def ignore_frame(course: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """A frame in PAUSED or DISPUTE."""
    return course


def handle_change_mode(course: Transition, command: ChangeMode, table: MatchConfig) -> Transition:
    """Changes the mode, in every phase; the game is not affected."""
    now = with_current_mode(table, course.state)
    is_appointed = now.monitor_appointed if command.monitor_appointed is None else command.monitor_appointed
    if (command.mode, is_appointed) == (now.mode, now.monitor_appointed):
        return course.refuse(command, f"The mode is {now.mode.value} already.")
    return course.emit(ModeChanged(course.now_ms, command.mode, is_appointed))


def handle_pause(course: Transition, command: Pause, table: MatchConfig) -> Transition:
    return _lose_sight(course.emit(MatchPaused(course.now_ms)))


def handle_resume(course: Transition, command: Resume, table: MatchConfig) -> Transition:
    return _lose_sight(course.emit(MatchResumed(course.now_ms)))


def handle_call_dispute(course: Transition, command: CallDispute, table: MatchConfig) -> Transition:
    return _lose_sight(course.emit(DisputeOpened(course.now_ms)))


def handle_settle_dispute(course: Transition, command: SettleDispute, table: MatchConfig) -> Transition:
    return _lose_sight(course.emit(DisputeSettled(course.now_ms)))


def _handle_camera(course: Transition, event: PeripheralEvent) -> Transition:
    course = course.with_outages(course.seen.outages.with_camera(is_up=event.is_up))
    if not event.is_up and course.state.phase is not Phase.BLIND:
        is_judged = course.state.phase in _JUDGED_PHASES and course.state.due is not None
        throw = course.waiting_throw if is_judged else None
        return _keep_throw(_lose_sight(course.emit(CameraLost(course.now_ms, event.sentence))), throw)
    if event.is_up and course.state.phase is Phase.BLIND:
        return _restore_camera(course)
    return course


def _restore_camera(course: Transition) -> Transition:
    throw = course.seen.throws.before_blind
    return _keep_throw(_lose_sight(course.emit(CameraBack(course.now_ms))), throw)


def _keep_throw(course: Transition, throw: PendingThrow | None) -> Transition:
    return course.with_throws(course.seen.throws.keep_before_blind(throw))


def _handle_lights(course: Transition, event: PeripheralEvent) -> Transition:
    if event.is_up == course.state.lights_up:
        return course
    return course.emit(LightsBack(course.now_ms) if event.is_up else LightsLost(course.now_ms, event.sentence))


def _handle_storage(course: Transition, event: PeripheralEvent) -> Transition:
    """While the storage is down nothing is emitted; what was missed is handled when it is back."""
    if event.is_up == course.seen.outages.storage_up:
        return course
    course = course.with_outages(course.seen.outages.with_storage(is_up=event.is_up))
    if not event.is_up:
        return _lose_sight(course)
    missed = course.seen.outages.missed
    course = course.with_outages(course.seen.outages.report_missed())
    course = _lose_sight(course.emit(StorageBack(course.now_ms)))
    for link in missed:
        course = _handle_camera(course, link) if link.peripheral is Peripheral.CAMERA else _handle_lights(course, link)
    return course


def _lose_sight(course: Transition) -> Transition:
    return course.with_seen(course.seen.lose_sight())
