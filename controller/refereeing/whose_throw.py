"""A roll that may have been the other player's: what stands there is a legal play of his, with this very roll.

Either a turn before was missed (a throw that was overlooked, a gap in the pictures), and the referee is a turn behind,
or somebody played out of turn. Taken for the mover's play it breaks a rule, and so would every later one. Nobody plays
a whole roll with the other side's checkers by mistake, so it is asked whose throw it was; once the next throw is made
the play stands either way.
"""

from collections.abc import Callable

from controller.events import BoardCorrected, DiceRolled, Evidence, RollWithdrawn
from controller.referee_state import Phase, RefereeState
from controller.refereeing.course import Course
from controller.refereeing.verdicts import Broken, Doubtful, Played, Verdict
from controller.rules.stages import ThrowKind
from controller.table import Table

WHOSE = "The other player's checkers were played with this throw; say whether it was his, or put them back."


Judge = Callable[[RefereeState], Verdict]


def thrown_by_the_opponent(
    course: Course, judge: Judge, table: Table, *, evidence: Evidence
) -> tuple[Course, Played] | None:
    """The roll and the play given to the opponent of the mover; None where `judge` finds no legal play of his.

    A play that was refused already is the mover's.
    """
    state, due = course.state, course.state.due
    if table.is_grasshopper or state.phase is Phase.ILLEGAL or due is None or due.kind is not ThrowKind.ROLL:
        return None
    mover, position, (high, low) = course.mover, state.position, due.numbers
    course = course.told(
        RollWithdrawn(course.now_ms, mover, (high, low)),
        BoardCorrected(course.now_ms, position, mover.opponent),
        DiceRolled(course.now_ms, mover.opponent, (high, low), evidence),
    )
    verdict = judge(course.state)
    return (course, verdict) if isinstance(verdict, Played) and verdict.after != position else None


def asked_whose(course: Course, verdict: Verdict, judge: Judge, table: Table) -> Verdict:
    """The verdict, or a question where it would blame the mover for what may be the opponent's play."""
    if not isinstance(verdict, Broken):
        return verdict
    by_the_opponent = thrown_by_the_opponent(course, judge, table, evidence=Evidence.INFERRED)
    if by_the_opponent is None:
        return verdict
    played = by_the_opponent[1]
    return Doubtful((played.play,), (played.after,), (), WHOSE)
