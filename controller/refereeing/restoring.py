"""The board and the log side by side: while nobody plays they agree, or people are shown where they do not."""

from controller.board_seen import BoardSeen
from controller.events import BoardAgrees, BoardDiffers, PlayTakenBack, PlayUnclear, TurnGoesOn
from controller.observation import Observation
from controller.outcome import BoardDifference
from controller.referee_state import Phase
from controller.refereeing import inferring
from controller.refereeing.applied import applied
from controller.refereeing.course import Course
from controller.refereeing.differing import differing_told
from controller.refereeing.judging import accepted
from controller.refereeing.suspicion import calmed, is_time_to_look, suspected
from controller.refereeing.verdicts import Played, difference_from, known_seating, names, verdict_on
from controller.table import Table

_NOT_READ = "A play was made with a throw that could not be read; say what was thrown."


def compared(course: Course, seen: Observation, table: Table) -> Course:
    """Between two turns: a board that stays other than the log has it is told."""
    if seen.hand_in_view or course.state.seen.loose_dice:
        return calmed(course) if table.is_watched else course
    if seen.board is None or not is_time_to_look(course, seen, table):
        return course
    course = course.aware(looked_ms=course.now_ms)
    difference = _difference(course, seen.board, table)
    if not (difference.extra or difference.missing):
        return inferring.lifted_unplayed(calmed(course), seen, table)
    if not table.is_watched and course.state.phase is Phase.AWAIT_ROLL:
        return inferring.seen_played(course, seen, difference, table)
    course, is_ripe = suspected(course, (difference.extra, difference.missing), table.patience.differs_ms)
    return _differs(course, seen.board, difference, table) if is_ripe else course


def agrees(course: Course, board: BoardSeen, table: Table) -> bool:
    """Whether nothing is seen to be otherwise than the log has it."""
    difference = _difference(course, board, table)
    return not (difference.extra or difference.missing)


def observed(course: Course, seen: Observation, table: Table) -> Course:
    """One frame in RESTORE: over when the board is right, or when a refused play was made good."""
    if seen.hand_in_view:
        return calmed(course)
    if seen.board is None or not is_time_to_look(course, seen, table):
        return course
    course = course.aware(looked_ms=course.now_ms)
    if Phase.ILLEGAL in course.state.underneath:
        return _with_refused_play(course, seen.board, table)
    difference = _difference(course, seen.board, table)
    if not (difference.extra or difference.missing):
        return calmed(course).told(BoardAgrees(course.now_ms))
    return differing_told(course, difference, table)


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
    if state.phase is not Phase.AWAIT_ROLL or state.before_play is None or state.condoned is not None:
        return None
    before = state.before_play
    taken_back = PlayTakenBack(course.now_ms, before.on_turn or course.mover, before.position)
    verdict = verdict_on(applied(state, taken_back), board, table)
    if not isinstance(verdict, Played) or verdict.after == state.position:
        return None
    return accepted(course.told(taken_back), verdict, table)


def _with_refused_play(course: Course, board: BoardSeen, table: Table) -> Course:
    """An impossible play has to be undone: by a legal one, or to the board before it, and it is played anew."""
    verdict = verdict_on(course.state, board, table)
    if isinstance(verdict, Played):
        course, is_ripe = suspected(course, verdict.after, table.patience.illegal_ms)
        return accepted(course, verdict, table) if is_ripe else course
    difference = _difference(course, board, table)
    if difference.extra or difference.missing:
        return differing_told(course, difference, table)
    course = calmed(course).told(BoardAgrees(course.now_ms))
    return course.told(TurnGoesOn(course.now_ms, course.mover)).aware(own_dice=())


def _difference(course: Course, board: BoardSeen, table: Table) -> BoardDifference:
    return difference_from(course.state.position, board, known_seating(course.state), table)
