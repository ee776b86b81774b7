"""What was played, told by what came after it: a turn that could not be seen, and the next one that could.

The opponent has thrown and played on a board that nobody saw in between. If only one pair of plays leads to what stands
there now, these were made; if several do, people are asked.
"""

from controller.match.events import DiceRolled, EndedBy, Evidence
from controller.observing.board_evidence import BoardSeen
from controller.observing.observation import Observation
from controller.referee_state import NextThrow
from controller.refereeing import rolling
from controller.refereeing.course import Course
from controller.refereeing.judging import accepted, judged, turn_ended
from controller.refereeing.two_turns import both_played
from controller.table import Table


def observed(course: Course, seen: Observation, table: Table) -> Course:
    """One frame while an unseen turn waits for the end of the next one, which has its dice on the board."""
    throw = course.state.seen.next_throw
    if throw is None or seen.board is None or seen.hand_in_view:
        return course
    numbers = {die.number for die in throw.dice}
    if any(die.number in numbers for die in seen.dice):
        return course
    return _explained(course.aware(next_throw=None, throw_was_hidden=False), throw, seen.board, table)


def _explained(course: Course, throw: NextThrow, board: BoardSeen, table: Table) -> Course:
    """The next turn is over: both plays are told, or neither."""
    other = course.mover.opponent
    ruling = rolling.ruling_on(throw, other, course, table)
    if not ruling.valid:
        return course
    values = rolling.ruled_values(ruling)
    found = both_played(course.state, values, board, table)
    if len(found) != 1:
        return course
    ((first, second),) = found
    course = accepted(course, first, table, evidence=Evidence.INFERRED)
    course = course.told(DiceRolled(course.now_ms, other, values))
    course = course.aware(own_dice=rolling.numbers_of(throw))
    return judged(turn_ended(course, EndedBy.DICE_LIFTED), second, table)
