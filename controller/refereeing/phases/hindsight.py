"""What was played, told by what came after it: a turn that could not be seen, and the next one that could.

The opponent has thrown and played on a board that nobody saw in between. If only one pair of plays leads to what stands
there now, these were made; if several do, people are asked.

A throw that came before the turn was judged, and could not be read: somebody says what it was.
"""

from dataclasses import replace

from controller.match.events import DiceRolled, EndedBy, Evidence
from controller.observing.board_evidence import BoardSeen
from controller.observing.observation import Observation
from controller.refereeing.phases.judging import accepted, judged, turn_ended
from controller.refereeing.phases.two_turns import both_played
from controller.refereeing.state import NextThrow, Phase
from controller.refereeing.table import Table
from controller.refereeing.throw import rolling
from controller.refereeing.throw.rolling import numbers_of
from controller.refereeing.transition import Course


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


_UNTIL_JUDGED = (Phase.PLAYING, Phase.TURN_END, Phase.ILLEGAL, Phase.UNSURE)


def asked_about(course: Course) -> NextThrow | None:
    """The throw that a person means who says what was thrown: not the one that is played, but a later one."""
    state = course.state
    unread = state.seen.unread_throw
    if unread is None or state.due is None or state.throw_unclear is None or state.phase not in _UNTIL_JUDGED:
        return None
    lying = {die.number for die in state.seen.dice}
    return unread if lying.intersection(numbers_of(unread)) else None


def dice_meant(course: Course) -> tuple[int, ...]:
    """The numbers of the unread dice, as far as they lie there: they are played from now on."""
    unread, lying = course.state.seen.unread_throw, {die.number for die in course.state.seen.dice}
    return () if unread is None else tuple(number for number in numbers_of(unread) if number in lying)


def told(course: Course, unread: NextThrow, values: tuple[int, int], table: Table) -> Course:
    """It waits for the verdict on the turn, as one that was read does; thrown early, it waits for the end of the turn."""
    state, throw = course.state, replace(unread, told=values)
    course = course.aware(unread_throw=None)
    if state.phase is not Phase.PLAYING:
        return course.aware(next_throw=throw)
    if course.plays_a_roll and any(die.number in state.seen.own_dice for die in state.seen.dice):
        roll = max(values), min(values)
        course = course.aware(early_dice=numbers_of(unread))
        return course.told(
            DiceRolled(course.now_ms, course.mover.opponent, roll, Evidence.TOLD, opponent_may_refuse=True)
        )
    return turn_ended(course.aware(next_throw=throw), EndedBy.NEXT_THROW)
