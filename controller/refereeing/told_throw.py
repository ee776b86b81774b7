"""A throw that came before the turn was judged, and could not be read: somebody says what it was."""

from dataclasses import replace

from controller.match.events import DiceRolled, EndedBy, Evidence
from controller.referee_state import NextThrow, Phase
from controller.refereeing.course import Course
from controller.refereeing.judging import turn_ended
from controller.refereeing.rolling import numbers_of
from controller.table import Table

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
