"""A roll that was, or may have been, the other player's: what stands there is a legal play of his, with this very roll.

Whom no roll lets move need not throw, so the mover may have passed. Else a turn before was missed (a throw that was
overlooked, a gap in the pictures), and the referee is a turn behind, or somebody played out of turn. Taken for the
mover's play it breaks a rule, and so would every later one. Nobody plays a whole roll with the other side's checkers by
mistake, so it is asked whose throw it was; once the next throw is made the play stands either way.
"""

from collections.abc import Callable

from controller.match.events import BoardCorrected, DiceRolled, Evidence, RollWithdrawn
from controller.referee_state import Phase, RefereeState
from controller.refereeing.closed_out import can_play_no_roll, may_have_passed, passed
from controller.refereeing.course import Course
from controller.refereeing.verdicts import Broken, Doubtful, Played, Verdict
from controller.rules.stages import ThrowKind
from controller.table import Table

WHOSE = "The other player's checkers were played with this throw; say whether it was his, or put them back."

Judge = Callable[[RefereeState], Verdict]


def after_a_pass(course: Course, judge: Judge, table: Table) -> tuple[Course, Played] | None:
    """The mover passed, and roll and play were the opponent's; None where `judge` finds no legal play of his."""
    due = course.state.due
    asked = can_play_no_roll if table.is_watched else may_have_passed
    if due is None or len(due.numbers) != 2 or not asked(course.state, table):
        return None
    return _given_to_the_opponent(course, passed, judge, Evidence.SEEN)


def after_a_missed_turn(
    course: Course, judge: Judge, table: Table, *, evidence: Evidence
) -> tuple[Course, Played] | None:
    """The opponent was on turn, and roll and play were his; None where `judge` finds no legal play of his.

    A play that was refused already is the mover's.
    """
    state, due = course.state, course.state.due
    if table.is_grasshopper or state.phase is Phase.ILLEGAL or due is None or due.kind is not ThrowKind.ROLL:
        return None
    given = _given_to_the_opponent(course, _opponent_on_turn, judge, evidence)
    return None if given is None or given[1].after == state.position else given


def asked_whose(course: Course, verdict: Verdict, judge: Judge, table: Table) -> Verdict:
    """The verdict, or a question where it would blame the mover for what may be the opponent's play."""
    if not isinstance(verdict, Broken):
        return verdict
    given = after_a_missed_turn(course, judge, table, evidence=Evidence.INFERRED)
    if given is None:
        return verdict
    played = given[1]
    return Doubtful((played.play,), (played.after,), (), WHOSE)


def _given_to_the_opponent(
    course: Course, between: Callable[[Course], Course], judge: Judge, evidence: Evidence
) -> tuple[Course, Played] | None:
    """The roll that is due taken from the mover, then what lay `between`, then the same roll of the opponent's."""
    due, opponent = course.state.due, course.mover.opponent
    if due is None:
        return None
    high, low = due.numbers
    course = between(course.told(RollWithdrawn(course.now_ms, course.mover, (high, low))))
    course = course.told(DiceRolled(course.now_ms, opponent, (high, low), evidence))
    verdict = judge(course.state)
    return (course, verdict) if isinstance(verdict, Played) else None


def _opponent_on_turn(course: Course) -> Course:
    return course.told(BoardCorrected(course.now_ms, course.state.position, course.mover.opponent))
