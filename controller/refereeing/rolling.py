"""Throws: which dice make one, whether it counts, and what a roll that counts leads to."""

from collections.abc import Sequence
from dataclasses import replace

from controller.events import (
    DiceRolled,
    EndedBy,
    Evidence,
    NumbersHandedOver,
    PassForced,
    PlayMade,
    ThrowRefused,
    ThrowUnclear,
)
from controller.observation import Observation
from controller.observe import EVERYDAY_LIMITS
from controller.referee_state import Moment, NextThrow, Phase, RefereeState
from controller.refereeing.course import Course
from controller.refereeing.verdicts import is_pass_forced, known_seating
from controller.rules.player import Player
from controller.rules.stages import FollowKind, ThrowKind
from controller.rules.throws import ThrowContext, ThrownDie, ThrowRuling, Unclear
from controller.table import Table
from controller.throw_seen import judge_seen, may_be_none, thrown_dice, thrown_die, with_overlooked
from vision.dice_events import DiceSettled, DieMoved, DieTurned, ExtraDice, SettledDie
from vision.die_looks import sizes_apart
from vision.die_reading import DieState

# Dice that leave the hand together come to rest within this time of each other.
_TOGETHER_MS = 1500
# A board that was seen as the log has it within this time: nobody has played with dice that were not seen.
_AGREES_MS = 1000
# Edges of the die. One that is tipped rolls over one or two of them, and a throw that lands closer is asked about.
_FAR = 3.0


def gathered(course: Course, seen: Observation, table: Table) -> tuple[Course, NextThrow | None]:
    """The throw that is complete with this frame; a single die waits for a second one.

    A die that fell off the board is part of a throw, but alone it is none: players may keep their own pair there.
    """
    lying = {die.number for die in seen.dice}
    state = course.state.seen
    loose = tuple(die for die in state.loose_dice if die.number in lying)
    before: tuple[SettledDie, ...] = ()
    since_ms = state.loose_since_ms if loose else course.now_ms
    for event in seen.dice_events:
        if isinstance(event, DiceSettled | ExtraDice):
            before = event.lay_before if isinstance(event, ExtraDice) else ()
            before = tuple(die for die in before if die not in loose)
            loose += event.dice
    if not _is_own_turn(course):
        anew = thrown_anew(course, seen)
        if anew is not None:
            return course.aware(loose_dice=()), anew
        course = _tipped_told(course, seen, table)
    waited = course.now_ms - since_ms >= table.patience.second_die_ms
    is_on_board = any(die.reading.lies is not DieState.OFF_BOARD for die in loose)
    is_throw = is_on_board and (len(loose) > 1 or (waited and course.state.phase is not Phase.OPENING))
    sees_more = seen.perhaps_more_dice and not seen.hand_in_view
    perhaps_more = sees_more or (state.loose_perhaps_more and bool(state.loose_dice))
    if is_throw or (waited and not is_on_board):
        is_unplayed = seen.board is not None and course.now_ms - state.agreed_ms <= _AGREES_MS
        is_alone = lying <= {die.number for die in loose}
        is_all = table.is_watched and is_unplayed and is_alone and not perhaps_more
        is_new = is_throw and not _lay_before_start(course, loose)
        may_have_lain = _is_like_lifted_dice(course, loose)
        throw = NextThrow(loose, before, is_all=is_all, may_have_lain=may_have_lain) if is_new else None
        return course.aware(loose_dice=(), lay_before_start=state.lay_before_start and not is_throw), throw
    return course.aware(loose_dice=loose, loose_since_ms=since_ms, loose_perhaps_more=perhaps_more), None


def _lay_before_start(course: Course, dice: tuple[SettledDie, ...]) -> bool:
    """Whether these were seen before the program was started anew: left lying by a clock's turn, or not counted then.

    A program that has just begun sees every die for the first time. A throw that was made meanwhile and shows the same
    again is thrown once more.
    """
    if not course.state.seen.lay_before_start:
        return False
    values = sorted(die.value for die in surely_dice(dice))
    return any(values == sorted(known) for known in _dice_known(course.state))


def _is_like_lifted_dice(course: Course, dice: tuple[SettledDie, ...]) -> bool:
    """Whether they show the same as those by whose lifting the last turn ended before the program was started anew.

    They may only have been hidden then, or it is a new throw; somebody has to say.
    """
    lifted = _lifted_roll(course.state) if course.state.seen.lay_before_start else None
    return lifted is not None and sorted(die.value for die in surely_dice(dice)) == sorted(lifted)


def _lifted_roll(state: RefereeState) -> tuple[int, ...] | None:
    """The roll of the turn that was judged last, or is, if it ended by lifting the dice and nobody plays on with them."""
    turn = state.before_play if state.phase is Phase.AWAIT_ROLL else state if state.phase is Phase.TURN_END else None
    if turn is None or turn.due is None or turn.due.kind is not ThrowKind.ROLL:
        return None
    return turn.due.numbers if turn.ended_by is EndedBy.DICE_LIFTED else None


def _dice_known(state: RefereeState) -> list[tuple[int, ...]]:
    """What dice show that the log knows of and that may lie there still, alone or two rolls side by side."""
    owners = [owner for owner in (state, state.before_play) if owner is not None]
    rolls = [one.due.numbers for one in owners if one.due is not None and one.due.kind is ThrowKind.ROLL]
    rolls = [roll for roll in rolls if roll != _lifted_roll(state)]
    refused = () if state.throw_refused is None else state.throw_refused.values
    others = [
        () if state.early is None else state.early.numbers,
        tuple(value for value in refused if value is not None),
        state.opening or (),
    ]
    return [*rolls, *others, *((*roll, *other) for roll in rolls for other in others)]


def thrown_anew(course: Course, seen: Observation) -> NextThrow | None:
    """A throw whose dice were never told as lifted: all were out of view for a moment, lie far away, and one shows
    another face. Anything less may be dice that a hand or a checker pushed aside.
    """
    ways = tipped(course, seen)
    if not ways or not all(way.was_gone and sizes_apart(way.now, way.from_px) >= _FAR for way in ways):
        return None
    return _throw_of(ways)


def are_looked_at_again(course: Course, seen: Observation) -> bool:
    """Whether the table has rested before the camera for so long again that dice that were taken away would be told."""
    if seen.board is None or seen.hand_in_view:
        return False
    since_ms = max(course.state.seen.seen_again_ms, seen.board.since_ms)
    return course.now_ms - since_ms > EVERYDAY_LIMITS.dice.one_lifted_ms + EVERYDAY_LIMITS.rest_ms


def tipped(course: Course, seen: Observation) -> tuple[DieMoved, ...]:
    """The ways of the dice of the last throw, if all of them lie elsewhere, one at least with another face; else none.

    They were pushed and tipped, or thrown anew: only how far they went can tell.
    """
    own = course.state.seen.own_dice
    if not own and not _is_own_turn(course):
        own = tuple(die.number for die in seen.dice)  # of a turn that a button ended
    moved = {event.die.number: event for event in seen.dice_events if isinstance(event, DieMoved)}
    has_turned = any(isinstance(event, DieTurned) and event.die.number in own for event in seen.dice_events)
    if len(own) < 2 or not has_turned or not set(own) <= set(moved):
        return ()
    return tuple(moved[number] for number in own)


def _throw_of(ways: tuple[DieMoved, ...]) -> NextThrow:
    """The dice as they lie now."""
    return NextThrow(tuple(SettledDie(way.die.number, way.die.throw, way.now, way.taken_ms) for way in ways))


def _tipped_told(course: Course, seen: Observation, table: Table) -> Course:
    """Before a throw: who tipped a die says so, who threw says what."""
    ways = tipped(course, seen)
    if not ways:
        return course
    player = None if course.state.on_turn is None else thrower_after(course, table)
    return course.told(ThrowUnclear(course.now_ms, player, (Unclear.LIFTED,), values_of(_throw_of(ways))))


def _is_own_turn(course: Course) -> bool:
    """While a roll is played its dice are pushed about."""
    due = course.state.due
    return course.state.phase is Phase.PLAYING and due is not None and due.kind is ThrowKind.ROLL


def thrower_after(course: Course, table: Table) -> Player:
    """Who throws next when the turn, or the part of it, that is played now is over."""
    due = course.state.due
    if due is None:
        return course.mover
    is_bonus = table.dice_rules.bonus_roll and len(set(due.numbers)) == 1
    return course.mover if is_bonus or due.kind is ThrowKind.TRANSFER else course.mover.opponent


def ruling_on(
    throw: NextThrow, player: Player, course: Course, table: Table, *, opponent_lifted: bool = True
) -> ThrowRuling:
    """Whether a throw of the player counts under the profile; a person's word is not doubted."""
    if throw.told is not None:
        return ThrowRuling(True, (max(throw.told), min(throw.told)))
    if throw.may_have_lain:
        return ThrowRuling(None, unclear=(Unclear.LIFTED,))
    settled_ms = [die.settled_ms for die in throw.dice]
    context = ThrowContext(
        right_half=known_seating(course.state).right_half(player),
        thrown_together=max(settled_ms) - min(settled_ms) <= _TOGETHER_MS or not table.is_watched,
        opponent_lifted=opponent_lifted,
    )
    dice = dice_thrown(throw, context)
    if not throw.is_all or any(die.value is None for die in dice):
        dice = with_overlooked(dice, context)  # a question: of some hundred dice one is not found
    return judge_seen(dice + dice_before(throw), context, table.profile.throw_rules(table.dice_rules))


def ends_a_turn(ruling: ThrowRuling, table: Table) -> bool:
    """Whether the turn before is over with this throw; one that could not be read is all that pictures may show of it."""
    return bool(ruling.valid) or (ruling.valid is None and not table.is_watched)


def values_of(throw: NextThrow) -> tuple[int | None, ...]:
    """As seen; None where a die could not be read for certain."""
    return tuple(die.value for die in dice_thrown(throw, ThrowContext()))


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
    course = course.aware(next_throw=None, ended_dice=(), own_dice=numbers_of(throw))
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
    values = values_of(throw)
    if ruling.valid is False:
        return course.told(ThrowRefused(course.now_ms, player, ruling.reasons, values))
    return course.told(ThrowUnclear(course.now_ms, player, ruling.unclear, values)).aware(unread_throw=throw)


def rolled(course: Course, values: tuple[int, int], table: Table, *, evidence: Evidence = Evidence.SEEN) -> Course:
    """The roll of the player on turn counts."""
    high, low = max(values), min(values)
    course = course.told(DiceRolled(course.now_ms, course.mover, (high, low), evidence))
    return announced(course.aware(suspicion=None, throw_was_hidden=False, loose_dice=()), table)


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
