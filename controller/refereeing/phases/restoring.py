"""The board and the log side by side: while nobody plays they agree, or people are shown where they do not."""

from collections.abc import Iterable
from dataclasses import replace

from controller.adjudication.outcome import BoardDifference
from controller.match.events import BoardAgrees, BoardDiffers, EndedBy, PlayTakenBack, PlayUnclear, TurnGoesOn
from controller.observing.board_evidence import BoardSeen
from controller.observing.observation import Observation
from controller.observing.place_evidence import PLACES
from controller.refereeing.applied import applied
from controller.refereeing.debounce import calmed, differing_told, is_time_to_look, suspected
from controller.refereeing.phases import roll_inference
from controller.refereeing.phases.closed_out import has_perhaps_passed
from controller.refereeing.phases.judging import accepted, turn_ended
from controller.refereeing.state import NextThrow, Phase, RefereeState
from controller.refereeing.table import Table
from controller.refereeing.throw import rolling, throw_assembly
from controller.refereeing.transition import Course
from controller.refereeing.verdicts import Played, difference_now, names, verdict_on
from vision.dice_tracking.events import SettledDie

_NOT_READ = "A play was made with a throw that could not be read; say what was thrown."


def compared(course: Course, seen: Observation, table: Table) -> Course:
    """Between two turns: a board that stays other than the log has it is told."""
    lacks_a_die = bool(course.state.seen.loose_dice)
    if (seen.hand_in_view or lacks_a_die) and table.is_watched:
        course = calmed(course)
    if seen.board is None or not is_time_to_look(course, seen, table):
        return course
    course = course.aware(looked_ms=course.now_ms)
    difference = _difference(course, seen.board, table)
    if lacks_a_die:
        # nothing is told before the throw is, but what is played from now on was not played before it
        return course.aware(agreed_ms=course.now_ms) if _is_right(course, difference) else course
    if not (difference.extra or difference.missing):
        course = course.aware(agreed_ms=course.now_ms)
        return roll_inference.lifted_unplayed(calmed(_trusted(course, seen, difference, table)), seen, table)
    if _is_right(course, difference):
        return calmed(course)
    if not table.is_watched and course.state.phase is Phase.AWAIT_ROLL:
        return roll_inference.seen_played(course, seen, difference, table)
    course, is_ripe = suspected(course, (difference.extra, difference.missing), table.patience.differs_ms)
    return _differs(course, seen.board, difference, table) if is_ripe else course


def agrees(course: Course, board: BoardSeen, table: Table) -> bool:
    """Whether nothing is seen to be otherwise than the log has it."""
    return _is_right(course, _difference(course, board, table))


def agrees_beside_dice(course: Course, board: BoardSeen, table: Table) -> bool:
    """The same without the places at which dice lie: what is there is misread, and hardly a play changes no other ones."""
    found = _difference(course, board, table)
    others = frozenset(PLACES) - {PLACES[number] for number in board.disturbed}
    extra, missing = (tuple(place for place in places if place in others) for places in (found.extra, found.missing))
    return _is_right(course, replace(found, extra=extra, missing=missing))


def observed(course: Course, seen: Observation, table: Table) -> Course:
    """One frame in RESTORE: over when the board is right, or when a refused play was made good.

    A throw that is made meanwhile is kept: it counts once the board is right, and where the board was only seen wrongly,
    the play that is made with it tells so.
    """
    course = _with_throw(course, seen, table)
    if seen.hand_in_view:
        return calmed(course)
    if seen.board is None or not is_time_to_look(course, seen, table):
        return course
    course = course.aware(looked_ms=course.now_ms)
    if Phase.ILLEGAL in course.state.underneath:
        return _with_refused_play(_without_lifted(course, seen), seen.board, table)
    difference = _difference(course, seen.board, table)
    if _is_right(course, difference):
        return _goes_on(calmed(course).told(BoardAgrees(course.now_ms)), seen, table)
    played = _played_all_the_same(course, seen, table)
    return differing_told(course, difference, table) if played is None else played


def overruled(course: Course, table: Table) -> Course:
    """People have said what stands on the board: what is seen otherwise now is no news until it changes."""
    state = course.state
    if state.seen.board is None or state.seating is None:
        return course.aware(overruled=None)
    told = _names(_difference(course, state.seen.board, table))
    return course.aware(overruled=told if any(told) else None, next_throw=None)


def _with_throw(course: Course, seen: Observation, table: Table) -> Course:
    """Only the player on turn throws between two turns; of two throws the later one was meant."""
    if course.state.underneath[:1] != (Phase.AWAIT_ROLL,) or not table.is_watched:
        return course
    course, throw = throw_assembly.gathered(course, seen, table)
    return course if throw is None else course.aware(next_throw=throw)


def _goes_on(course: Course, seen: Observation, table: Table) -> Course:
    """The dice that were thrown meanwhile lie there: that is the throw which is waited for."""
    throw = course.state.seen.next_throw
    if throw is None or course.state.phase is not Phase.AWAIT_ROLL:
        return course
    if not lies(throw, seen.dice):
        return course.aware(next_throw=None)
    return rolling.taken(course, throw, table)


def _played_all_the_same(course: Course, seen: Observation, table: Table) -> Course | None:
    """The dice of a throw that counts are lifted, and the board is what a legal play of it leaves: so it was right before."""
    throw = course.state.seen.next_throw
    if throw is None or seen.board is None or course.state.underneath != (Phase.AWAIT_ROLL,) or lies(throw, seen.dice):
        return None
    course = rolling.taken(calmed(course).told(BoardAgrees(course.now_ms)), throw, table)
    if course.state.phase is not Phase.PLAYING:
        return None
    verdict = verdict_on(course.state, seen.board, table)
    if not isinstance(verdict, Played):
        return None
    return accepted(turn_ended(course, EndedBy.DICE_LIFTED), verdict, table)


def _without_lifted(course: Course, seen: Observation) -> Course:
    """Once its dice are gone a throw is over, whatever is said of the board."""
    throw = course.state.seen.next_throw
    return course if throw is None or lies(throw, seen.dice) else course.aware(next_throw=None)


def lies(throw: NextThrow, dice: Iterable[SettledDie]) -> bool:
    """Whether a die of the throw is among these, which lie there now."""
    numbers = {die.number for die in throw.dice}
    return any(die.number in numbers for die in dice)


def _trusted(course: Course, seen: Observation, difference: BoardDifference, table: Table) -> Course:
    """With no die on it the board is as the log has it: whatever was not seen, no turn was played, unless as a pass."""
    course = course.aware(overruled=None)
    state = course.state
    if not state.seen.was_blind or difference.unsure or seen.dice or not table.is_watched:
        return course
    return course if has_perhaps_passed(state, table) else course.aware(was_blind=False)


def _differs(course: Course, board: BoardSeen, difference: BoardDifference, table: Table) -> Course:
    state = course.state
    if state.phase is Phase.AWAIT_ROLL and state.throw_unclear is not None:
        return course.told(PlayUnclear(course.now_ms, course.mover, (), names(difference.unsure), _NOT_READ))
    changed = _changed_play(course, board, table)
    if changed is not None:
        return changed
    return calmed(course).told(BoardDiffers(course.now_ms, names(difference.extra), names(difference.missing)))


def _changed_play(course: Course, board: BoardSeen, table: Table) -> Course | None:
    """The last player made another legal play of the same roll, or the first look at it was wrong."""
    state = course.state
    if state.phase is not Phase.AWAIT_ROLL or state.before_play is None or is_play_settled(state):
        return None
    before = state.before_play
    taken_back = PlayTakenBack(course.now_ms, before.on_turn or course.mover, before.position)
    verdict = verdict_on(applied(state, taken_back), board, table)
    if not isinstance(verdict, Played) or verdict.after == state.position:
        return None
    return accepted(course.told(taken_back), verdict, table)


def is_play_settled(state: RefereeState) -> bool:
    """Whether the last play is no longer changed by what the board shows: it was condoned, or answered with a double."""
    before = state.before_play
    return state.condoned is not None or (before is not None and before.cube.value != state.cube.value)


def _with_refused_play(course: Course, board: BoardSeen, table: Table) -> Course:
    """An impossible play has to be undone: by a legal one, or to the board before it, and it is played anew.

    What the other one threw upon it does not count then.
    """
    verdict = verdict_on(course.state, board, table)
    if isinstance(verdict, Played):
        course, is_ripe = suspected(course, verdict.after, table.patience.illegal_ms)
        return accepted(course.aware(next_throw=None), verdict, table) if is_ripe else course
    difference = _difference(course, board, table)
    if difference.extra or difference.missing:
        return differing_told(course, difference, table)
    return undone(course)


def undone(course: Course) -> Course:
    """The board is as it was before the refused play, which is played anew; what was thrown upon it does not count."""
    course = calmed(course).told(BoardAgrees(course.now_ms)).aware(next_throw=None)
    return course.told(TurnGoesOn(course.now_ms, course.mover)).aware(own_dice=())


def _is_right(course: Course, difference: BoardDifference) -> bool:
    """Nothing is seen to be otherwise than the log has it, but for what people have overruled."""
    return not (difference.extra or difference.missing) or _names(difference) == course.state.seen.overruled


def _names(difference: BoardDifference) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return names(difference.extra), names(difference.missing)


def _difference(course: Course, board: BoardSeen, table: Table) -> BoardDifference:
    return difference_now(course.state, board, table)
