"""Throws: whether one counts, and what a roll that counts leads to."""

from collections.abc import Sequence
from dataclasses import replace

from controller.match.events import (
    DiceRolled,
    Evidence,
    NumbersHandedOver,
    PassForced,
    PlayMade,
    ThrowRefused,
    ThrowUnclear,
)
from controller.observing.throw_evidence import judge_seen, may_be_none, thrown_dice, thrown_die, with_overlooked
from controller.refereeing.state import Moment, NextThrow, Phase
from controller.refereeing.table import Table
from controller.refereeing.transition import Course
from controller.refereeing.verdicts import is_pass_forced, known_seating
from controller.rules.player import Player
from controller.rules.stages import FollowKind, ThrowKind
from controller.rules.throws import ThrowContext, ThrownDie, ThrowRuling, Unclear
from vision.dice_tracking.events import SettledDie

# Dice that leave the hand together come to rest within this time of each other.
_TOGETHER_MS = 1500
DICE_OF_A_THROW = 2


def thrower_after(course: Course, table: Table) -> Player:
    """Who throws next when the turn, or the part of it, that is played now is over."""
    due = course.state.due
    if due is None:
        return course.mover
    is_bonus = table.dice_rules.bonus_roll and len(set(due.numbers)) == 1
    return course.mover if is_bonus or due.kind is ThrowKind.TRANSFER else course.mover.opponent


def ruling_on(
    throw: NextThrow, player: Player, course: Course, table: Table, *, opponent_lifted: bool | None = True
) -> ThrowRuling:
    """Whether a throw of the player counts under the profile; a person's word is not doubted."""
    if throw.told is not None:
        return ThrowRuling(True, (max(throw.told), min(throw.told)))
    if throw.may_have_lain:
        return ThrowRuling(None, unclear=(Unclear.LIFTED,))
    context = ThrowContext(
        right_half=known_seating(course.state).right_half(player),
        thrown_together=_thrown_together(throw) if table.is_watched else True,
        opponent_lifted=opponent_lifted,
    )
    dice = dice_thrown(throw, context)
    if not throw.is_all or any(die.value is None for die in dice):
        dice = with_overlooked(dice, context)  # a question: of some hundred dice one is not found
    return judge_seen(dice + dice_before(throw), context, table.profile.throw_rules(table.dice_rules))


def _thrown_together(throw: NextThrow) -> bool | None:
    """None where one that is told late may have been overlooked: no die comes without a motion."""
    settled_ms = [die.settled_ms for die in throw.dice]
    if max(settled_ms) - min(settled_ms) <= _TOGETHER_MS:
        return True
    return None if throw.perhaps_overlooked else False


def ends_a_turn(ruling: ThrowRuling, table: Table) -> bool:
    """Whether the turn before is over with this throw; one that could not be read is all that pictures may show of it."""
    return bool(ruling.valid) or (ruling.valid is None and not table.is_watched)


def values_of(throw: NextThrow, course: Course) -> tuple[int | None, ...]:
    """As seen; None where a die could not be read for certain."""
    context = ThrowContext(is_opening=course.state.phase is Phase.OPENING)
    return tuple(die.value for die in dice_thrown(throw, context))


def dice_thrown(throw: NextThrow, context: ThrowContext) -> tuple[ThrownDie, ...]:
    """As the rules want them, without those that lay there before."""
    return thrown_dice([die.reading for die in throw.dice], context)


def dice_before(throw: NextThrow) -> tuple[ThrownDie, ...]:
    """Those, likewise."""
    return tuple(replace(thrown_die(die.reading), lay_before=True) for die in throw.lay_before)


def surely_dice(dice: Sequence[SettledDie]) -> tuple[SettledDie, ...]:
    """Of one throw, without what may be none: that is neither lifted nor played with."""
    doubts = may_be_none([die.reading for die in dice], ThrowContext())
    return tuple(die for die, is_doubted in zip(dice, doubts, strict=True) if not is_doubted)


def numbers_of(throw: NextThrow) -> tuple[int, ...]:
    """Of its dice, without what may be none."""
    return tuple(die.number for die in surely_dice(throw.dice))


def taken(course: Course, throw: NextThrow, table: Table) -> Course:
    """A throw of the player on turn, who has to throw."""
    player = course.mover
    ruling = ruling_on(throw, player, course, table)
    course = course.aware(next_throw=None, ended_dice=(), lifted_dice=(), own_dice=numbers_of(throw))
    if ruling.valid:
        evidence = Evidence.SEEN if throw.told is None else Evidence.TOLD
        return rolled(course, ruled_values(ruling), table, evidence=evidence)
    return not_counted(course, player, throw, ruling)


def ruled_values(ruling: ThrowRuling) -> tuple[int, int]:
    """Of a valid throw."""
    first, second = ruling.values or (0, 0)
    return first, second


def not_counted(course: Course, player: Player | None, throw: NextThrow, ruling: ThrowRuling) -> Course:
    """A throw that does not count, or of which nobody can tell."""
    values = values_of(throw, course)
    if ruling.valid is False:
        return course.told(ThrowRefused(course.now_ms, player, ruling.reasons, values))
    return course.told(ThrowUnclear(course.now_ms, player, ruling.unclear, values)).aware(unread_throw=throw)


def rolled(course: Course, values: tuple[int, int], table: Table, *, evidence: Evidence = Evidence.SEEN) -> Course:
    """The roll of the player on turn counts."""
    high, low = max(values), min(values)
    course = course.told(DiceRolled(course.now_ms, course.mover, (high, low), evidence))
    return announced(course.aware(suspicion=None, throw_was_hidden=False, loose_dice=(), dice_before_blind=()), table)


def handed_over(course: Course, table: Table) -> Course:
    """Numbers that came from the other player are told; what cannot be played of them is over at once."""
    state = course.state
    if state.phase is Phase.PLAYING and state.due is not None and state.due.kind is ThrowKind.TRANSFER:
        course = course.told(NumbersHandedOver(course.now_ms, course.mover, state.due.numbers)).aware(
            own_dice=(), ended_dice=()
        )
    return announced(course, table)


def announced(course: Course, table: Table) -> Course:
    """Somebody who cannot play is told so. Without dice on the board, his pass is over at once."""
    state = course.state
    if state.phase is not Phase.PLAYING or not is_pass_forced(state, table):
        return course
    course = course.told(PassForced(course.now_ms, course.mover))
    if state.due is not None and state.due.kind is ThrowKind.ROLL:
        return course
    return course.aware(passed=Moment(course.mover, course.now_ms)).told(_pass(course, table))


def _pass(course: Course, table: Table) -> PlayMade:
    state = course.state
    numbers = state.due.numbers if state.due else ()
    after = passed_text(state.position) if table.is_grasshopper else state.position
    follow = FollowKind.END_TURN.value
    return PlayMade(course.now_ms, course.mover, numbers, "pass", state.position, after, follow, Evidence.INFERRED)


def passed_text(position: str) -> str:
    """A Grasshopper board after a compulsory pass: the other one acts."""
    board, white, black, side, last = position.split(" ")
    return " ".join((board, white, black, "B" if side == "W" else "W", last))
