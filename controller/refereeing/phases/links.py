"""Camera, lights and disk, lost and back; the board that was bumped; pauses and disputes; the mode; the time."""

from controller.match.clocks import Reserves, banked, fallen, is_told
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
from controller.match.inputs import Link, LinkEvent, Tick
from controller.observing.observation import Observation
from controller.refereeing.state import Phase
from controller.refereeing.table import Table, in_force
from controller.refereeing.transition import Course

_JUDGED = frozenset({Phase.TURN_END, Phase.ILLEGAL, Phase.UNSURE})  # a turn; a throw that is made then waits


def changed(course: Course, event: LinkEvent, table: Table) -> Course:
    """A link was lost or came back, whatever the phase."""
    course = course.aware(now_ms=max(course.now_ms, event.now_ms))
    match event.link:
        case Link.CAMERA:
            return _camera(course, event)
        case Link.LIGHTS:
            return _lights(course, event)
        case Link.STORAGE:  # pragma: no branch - mypy sees that no other case is left
            return _storage(course, event)


def missed(course: Course, event: LinkEvent) -> Course:
    """While nothing can be saved: the last word about each link is told afterwards."""
    others = tuple(known for known in course.state.seen.missed_links if known.link is not event.link)
    return course.aware(missed_links=(*others, event))


def ticked(course: Course, tick: Tick, table: Table) -> Course:
    """Time passed: only the clock cares."""
    return with_clock(course.aware(now_ms=max(course.now_ms, tick.now_ms)))


def with_clock(course: Course) -> Course:
    """The log knows the reserves to within a second; who has none left has lost the match."""
    clock, told = course.state.clock, course.state.seen.reserves_told
    if clock is None or course.state.match_winner is not None:
        return course
    loser = fallen(clock, course.now_ms)
    if loser is not None and clock.is_running:
        course = course.told(TimeRanOut(course.now_ms, loser))
        return course.told(MatchWon(course.now_ms, loser.opponent))
    if told is not None and is_told(told, clock, course.now_ms):
        return course
    now: Reserves = banked(clock, course.now_ms)
    course = course.aware(reserves_told=now)
    return course if told is None else course.told(ClockReserve(course.now_ms, now.white_ms, now.black_ms))


def seen_while_blind(course: Course, seen: Observation, table: Table) -> Course:
    """A frame in BLIND: the camera is back, or the board lies where it was calibrated again."""
    if seen.board_moved_mm >= table.patience.moved_mm:
        return course
    return _back(course)


def board_moved(course: Course, seen: Observation) -> Course:
    return _doubting(course.told(BoardMoved(course.now_ms, round(seen.board_moved_mm, 1))))


def ignored(course: Course, seen: Observation, table: Table) -> Course:
    """A frame while nothing is refereed."""
    return course


def change_mode(course: Course, command: ChangeMode, table: Table) -> Course:
    """In every phase; nothing in the game changes with it."""
    now = in_force(table, course.state)
    is_appointed = now.monitor_appointed if command.monitor_appointed is None else command.monitor_appointed
    if (command.mode, is_appointed) == (now.mode, now.monitor_appointed):
        return course.refused(command, f"The mode is {now.mode.value} already.")
    return course.told(ModeChanged(course.now_ms, command.mode, is_appointed))


def pause(course: Course, command: Pause, table: Table) -> Course:
    return _doubting(course.told(MatchPaused(course.now_ms)))


def resume(course: Course, command: Resume, table: Table) -> Course:
    return _doubting(course.told(MatchResumed(course.now_ms)))


def call_dispute(course: Course, command: CallDispute, table: Table) -> Course:
    return _doubting(course.told(DisputeOpened(course.now_ms)))


def settle_dispute(course: Course, command: SettleDispute, table: Table) -> Course:
    return _doubting(course.told(DisputeSettled(course.now_ms)))


def _camera(course: Course, event: LinkEvent) -> Course:
    course = course.aware(camera_up=event.is_up)
    if not event.is_up and course.state.phase is not Phase.BLIND:
        known, is_judged = course.state.seen, course.state.phase in _JUDGED and course.state.due is not None
        course = _doubting(course.told(CameraLost(course.now_ms, event.sentence)))
        throw = known.next_throw if is_judged else None
        return course.aware(throw_before_blind=throw)
    if event.is_up and course.state.phase is Phase.BLIND:
        return _back(course)
    return course


def _back(course: Course) -> Course:
    throw = course.state.seen.throw_before_blind
    return _doubting(course.told(CameraBack(course.now_ms))).aware(throw_before_blind=throw)


def _lights(course: Course, event: LinkEvent) -> Course:
    if event.is_up == course.state.lights_up:
        return course
    return course.told(LightsBack(course.now_ms) if event.is_up else LightsLost(course.now_ms, event.sentence))


def _storage(course: Course, event: LinkEvent) -> Course:
    """While nothing can be saved, nothing is told."""
    if event.is_up == course.state.seen.storage_up:
        return course
    course = course.aware(storage_up=event.is_up)
    if not event.is_up:
        return _doubting(course)
    course, missed = course.aware(missed_links=()), course.state.seen.missed_links
    course = _doubting(course.told(StorageBack(course.now_ms)))
    for link in missed:
        course = _camera(course, link) if link.link is Link.CAMERA else _lights(course, link)
    return course


def _doubting(course: Course) -> Course:
    """Nobody looked for a while: dice that lie there may be the same, and what was to be said is looked at again."""
    known = course.state.seen
    return course.aware(
        own_dice=(),
        lifted_dice=(),
        early_dice=(),
        ended_dice=(),
        dice_before_blind=known.own_dice or known.dice_before_blind,
        throw_before_blind=None,
        seen_again_ms=course.now_ms,
        loose_dice=(),
        next_throw=None,
        suspicion=None,
        throw_was_hidden=False,
        was_blind=True,
        looked_ms=0,
    )
