"""The opening throw: one die each, and who starts with which dice."""

from controller.match.events import CubeAct, CubeTurned, Evidence, OpeningThrown
from controller.observing.observation import Observation
from controller.observing.throw_evidence import judge_seen
from controller.refereeing.phases import restoring
from controller.refereeing.state import NextThrow
from controller.refereeing.table import Table
from controller.refereeing.throw import rolling, throw_assembly
from controller.refereeing.transition import Course
from controller.refereeing.verdicts import known_seating
from controller.rules.player import Player
from controller.rules.ruleset import Opening
from controller.rules.scoring import cube
from controller.rules.scoring.match import cube_rules
from controller.rules.throws import ThrowContext, ThrowRuling


def observed(course: Course, seen: Observation, table: Table) -> Course:
    """One frame of the opening; the two dice may come one after the other."""
    course, throw = throw_assembly.gathered(course, seen, table)
    if throw is None:
        return restoring.compared(course, seen, table)
    ruling = _ruling(course, throw, table)
    course = course.aware(own_dice=rolling.numbers_of(throw))
    if not ruling.valid:
        return rolling.not_counted(course, None, throw, ruling)
    white, black = rolling.ruled_values(ruling)
    return thrown(course, white, black, table)


def thrown(course: Course, white: int, black: int, table: Table, *, evidence: Evidence = Evidence.SEEN) -> Course:
    """Both dice are known, and whose they are."""
    starter = None if white == black else Player.WHITE if white > black else Player.BLACK
    course = course.told(OpeningThrown(course.now_ms, white, black, starter, evidence))
    if starter is None:
        return _doubled_by_equal_dice(course, table)
    if table.dice_rules.opening is Opening.OPENING_DICE:
        return rolling.rolled(course, (white, black), table, evidence=evidence)
    return course


def _ruling(course: Course, throw: NextThrow, table: Table) -> ThrowRuling:
    right = known_seating(course.state).right_half(Player.WHITE)
    context = ThrowContext(is_opening=True, right_half=right)
    dice = rolling.dice_thrown(throw, context) + rolling.dice_before(throw)
    return judge_seen(dice, context, table.profile.throw_rules(table.dice_rules))


def _doubled_by_equal_dice(course: Course, table: Table) -> Course:
    """An automatic double, where it was agreed."""
    before = course.state.cube
    ruled = cube.apply(before, cube.Tie(), cube_rules(table.dice_rules, course.state.match, table.match))
    if ruled.state.automatic_doubles == before.automatic_doubles:
        return course
    return course.told(CubeTurned(course.now_ms, CubeAct.DOUBLED_BY_EQUAL_DICE, None, ruled.state.value))
