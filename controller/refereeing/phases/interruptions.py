"""Camera, lights and disk, lost and back; the board that was bumped; pauses and disputes; the mode; the time."""

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
from controller.refereeing.state import Phase
from controller.refereeing.transition import Transition

_JUDGED_PHASES = frozenset({Phase.TURN_END, Phase.ILLEGAL, Phase.UNSURE})  # a turn; a throw that is made then waits


def handle_peripheral_event(course: Transition, event: PeripheralEvent, table: MatchConfig) -> Transition:
    """A link was lost or came back, whatever the phase."""
    course = course.with_perception(now_ms=max(course.now_ms, event.now_ms))
    match event.peripheral:
        case Peripheral.CAMERA:
            return _handle_camera(course, event)
        case Peripheral.LIGHTS:
            return _handle_lights(course, event)
        case Peripheral.STORAGE:  # pragma: no branch - mypy sees that no other case is left
            return _handle_storage(course, event)


def remember_missed_event(course: Transition, event: PeripheralEvent) -> Transition:
    """While nothing can be saved: the last word about each link is told afterwards."""
    others = tuple(
        known for known in course.state.seen.missed_peripheral_events if known.peripheral is not event.peripheral
    )
    return course.with_perception(missed_peripheral_events=(*others, event))


def handle_tick(course: Transition, tick: Tick, table: MatchConfig) -> Transition:
    """Time passed: only the clock cares."""
    return update_clock(course.with_perception(now_ms=max(course.now_ms, tick.now_ms)))


def update_clock(course: Transition) -> Transition:
    """The log knows the reserves to within a second; who has none left has lost the match."""
    clock, told = course.state.clock, course.state.seen.logged_reserves
    if clock is None or course.state.match_winner is not None:
        return course
    loser = find_flagged_player(clock, course.now_ms)
    if loser is not None and clock.is_running:
        course = course.emit(TimeRanOut(course.now_ms, loser))
        return course.emit(MatchWon(course.now_ms, loser.opponent))
    if told is not None and is_reserve_current(told, clock, course.now_ms):
        return course
    now: Reserves = compute_banked(clock, course.now_ms)
    course = course.with_perception(logged_reserves=now)
    return course if told is None else course.emit(ClockReserve(course.now_ms, now.white_ms, now.black_ms))


def handle_frame_while_blind(course: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """A frame in BLIND: the camera is back, or the board lies where it was calibrated again."""
    if seen.board_moved_mm >= table.patience.moved_mm:
        return course
    return _restore_camera(course)


def handle_board_moved(course: Transition, seen: Observation) -> Transition:
    return _reset_perception(course.emit(BoardMoved(course.now_ms, round(seen.board_moved_mm, 1))))


def ignore_frame(course: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """A frame while nothing is refereed."""
    return course


def handle_change_mode(course: Transition, command: ChangeMode, table: MatchConfig) -> Transition:
    """In every phase; nothing in the game changes with it."""
    now = with_current_mode(table, course.state)
    is_appointed = now.monitor_appointed if command.monitor_appointed is None else command.monitor_appointed
    if (command.mode, is_appointed) == (now.mode, now.monitor_appointed):
        return course.refuse(command, f"The mode is {now.mode.value} already.")
    return course.emit(ModeChanged(course.now_ms, command.mode, is_appointed))


def handle_pause(course: Transition, command: Pause, table: MatchConfig) -> Transition:
    return _reset_perception(course.emit(MatchPaused(course.now_ms)))


def handle_resume(course: Transition, command: Resume, table: MatchConfig) -> Transition:
    return _reset_perception(course.emit(MatchResumed(course.now_ms)))


def handle_call_dispute(course: Transition, command: CallDispute, table: MatchConfig) -> Transition:
    return _reset_perception(course.emit(DisputeOpened(course.now_ms)))


def handle_settle_dispute(course: Transition, command: SettleDispute, table: MatchConfig) -> Transition:
    return _reset_perception(course.emit(DisputeSettled(course.now_ms)))


def _handle_camera(course: Transition, event: PeripheralEvent) -> Transition:
    course = course.with_perception(camera_up=event.is_up)
    if not event.is_up and course.state.phase is not Phase.BLIND:
        known, is_judged = course.state.seen, course.state.phase in _JUDGED_PHASES and course.state.due is not None
        course = _reset_perception(course.emit(CameraLost(course.now_ms, event.sentence)))
        throw = known.next_throw if is_judged else None
        return course.with_perception(throw_before_blind=throw)
    if event.is_up and course.state.phase is Phase.BLIND:
        return _restore_camera(course)
    return course


def _restore_camera(course: Transition) -> Transition:
    throw = course.state.seen.throw_before_blind
    return _reset_perception(course.emit(CameraBack(course.now_ms))).with_perception(throw_before_blind=throw)


def _handle_lights(course: Transition, event: PeripheralEvent) -> Transition:
    if event.is_up == course.state.lights_up:
        return course
    return course.emit(LightsBack(course.now_ms) if event.is_up else LightsLost(course.now_ms, event.sentence))


def _handle_storage(course: Transition, event: PeripheralEvent) -> Transition:
    """While nothing can be saved, nothing is told."""
    if event.is_up == course.state.seen.storage_up:
        return course
    course = course.with_perception(storage_up=event.is_up)
    if not event.is_up:
        return _reset_perception(course)
    course, missed = course.with_perception(missed_peripheral_events=()), course.state.seen.missed_peripheral_events
    course = _reset_perception(course.emit(StorageBack(course.now_ms)))
    for link in missed:
        course = _handle_camera(course, link) if link.peripheral is Peripheral.CAMERA else _handle_lights(course, link)
    return course


def _reset_perception(course: Transition) -> Transition:
    """Nobody looked for a while: dice that lie there may be the same, and what was to be said is looked at again."""
    known = course.state.seen
    return course.with_perception(
        own_dice=(),
        lifted_dice=(),
        early_dice=(),
        ended_dice=(),
        dice_before_blind=known.own_dice or known.dice_before_blind,
        throw_before_blind=None,
        seen_again_ms=course.now_ms,
        loose_dice=(),
        next_throw=None,
        pending_condition=None,
        throw_was_hidden=False,
        was_blind=True,
        inspected_ms=0,
    )
