"""Whether a throw counts, and what follows from a roll that counts."""

from collections.abc import Sequence
from dataclasses import replace

from controller.match import (
    DiceRolled,
    Evidence,
    NumbersHandedOver,
    PassForced,
    PlayMade,
    ThrowRefused,
    ThrowUnclear,
)
from controller.observing import (
    TOGETHER_MS,
    flag_doubtful_dice,
    judge_detected_throw,
    to_thrown_dice,
    to_thrown_die,
    with_missing_dice,
)
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.perception import LEAST_TURN_MS, PendingThrow
from controller.refereeing.state import Phase
from controller.refereeing.transition import Transition
from controller.refereeing.verdicts import compare_with_log, is_pass_forced, require_seating, shows_position
from controller.rules import FollowKind, Player, ThrowContext, ThrowKind, ThrownDie, ThrowRuling, Unclear
from vision.dice_tracking.events import SettledDie


def next_thrower(transition: Transition, table: MatchConfig) -> Player:
    """The player who throws next after the present turn, or part of a turn."""
    due = transition.state.due
    if due is None:
        return transition.mover
    is_bonus = table.dice_rules.bonus_roll and len(set(due.numbers)) == 1
    return transition.mover if is_bonus or due.kind is ThrowKind.TRANSFER else transition.mover.opponent


def judge_throw(
    throw: PendingThrow,
    player: Player,
    transition: Transition,
    table: MatchConfig,
    *,
    opponent_lifted: bool | None = True,
) -> ThrowRuling:
    """Whether a throw of the player counts under the profile; values that a person entered always do."""
    if throw.entered_values is not None:
        return ThrowRuling(True, (max(throw.entered_values), min(throw.entered_values)))
    if throw.may_have_lain:
        return ThrowRuling(None, unclear=(Unclear.LIFTED,))
    context = ThrowContext(
        right_half=require_seating(transition.state).right_half(player),
        thrown_together=_is_single_throw(throw) if table.is_watched else True,
        opponent_lifted=opponent_lifted,
    )
    dice = convert_throw(throw, context)
    if not throw.is_all or any(die.value is None for die in dice):
        dice = with_missing_dice(dice, context)  # an undetected die makes the throw a question
    return judge_detected_throw(dice + to_earlier_dice(throw), context, table.profile.throw_rules(table.dice_rules))


def _is_single_throw(throw: PendingThrow) -> bool | None:
    """Whether the dice were thrown together; None where the later one may have lain there before, overlooked."""
    settled_ms = [die.settled_ms for die in throw.dice]
    if max(settled_ms) - min(settled_ms) <= TOGETHER_MS:
        return True
    return None if throw.perhaps_overlooked else False


def ends_a_turn(ruling: ThrowRuling, table: MatchConfig) -> bool:
    """Whether this throw ends the turn before it; at a table that is not watched an unread throw does, too."""
    return bool(ruling.valid) or (ruling.valid is None and not table.is_watched)


def read_values(throw: PendingThrow, transition: Transition) -> tuple[int | None, ...]:
    """The values of the throw as seen; None where a die could not be read for certain."""
    context = ThrowContext(is_opening=transition.state.phase is Phase.OPENING)
    return tuple(die.value for die in convert_throw(throw, context))


def convert_throw(throw: PendingThrow, context: ThrowContext) -> tuple[ThrownDie, ...]:
    """The dice of the throw as `ThrownDie`, without dice that lay there before."""
    return to_thrown_dice([die.reading for die in throw.dice], context)


def to_earlier_dice(throw: PendingThrow) -> tuple[ThrownDie, ...]:
    """Dice that lay on the board before this throw, as `ThrownDie` with `lay_before` set."""
    return tuple(replace(to_thrown_die(die.reading), lay_before=True) for die in throw.lay_before)


def select_certain_dice(dice: Sequence[SettledDie]) -> tuple[SettledDie, ...]:
    """The dice of one throw without doubtful detections, which are neither lifted nor played with."""
    doubts = flag_doubtful_dice([die.reading for die in dice], ThrowContext())
    return tuple(die for die, is_doubted in zip(dice, doubts, strict=True) if not is_doubted)


def die_numbers(throw: PendingThrow) -> tuple[int, ...]:
    """Tracker numbers of the throw's dice, without doubtful detections."""
    return tuple(die.number for die in select_certain_dice(throw.dice))


def handle_throw(transition: Transition, throw: PendingThrow, table: MatchConfig) -> Transition:
    """Judges a throw of the player on turn, who has to throw."""
    player = transition.mover
    ruling = judge_throw(throw, player, transition, table)
    transition = transition.with_waiting_throw(None).with_dice(transition.seen.dice.take_roll(die_numbers(throw)))
    if ruling.valid:
        evidence = Evidence.SEEN if throw.entered_values is None else Evidence.ENTERED
        thrown_ms = min((die.settled_ms for die in throw.dice), default=transition.now_ms)
        return emit_roll(transition, valid_values(ruling), table, evidence=evidence, thrown_ms=thrown_ms)
    return emit_uncounted_throw(transition, player, throw, ruling)


def valid_values(ruling: ThrowRuling) -> tuple[int, int]:
    """The values of a valid throw."""
    first, second = ruling.values or (0, 0)
    return first, second


def emit_uncounted_throw(
    transition: Transition, player: Player | None, throw: PendingThrow, ruling: ThrowRuling
) -> Transition:
    """Emits a throw that does not count, or that could not be judged."""
    values = read_values(throw, transition)
    if ruling.valid is False:
        return transition.emit(ThrowRefused(transition.now_ms, player, ruling.reasons, values))
    transition = transition.emit(ThrowUnclear(transition.now_ms, player, ruling.unclear, values))
    return transition.with_throws(transition.seen.throws.leave_unread(throw))


def emit_roll(
    transition: Transition,
    values: tuple[int, int],
    table: MatchConfig,
    *,
    evidence: Evidence = Evidence.SEEN,
    thrown_ms: int | None = None,
) -> Transition:
    """The roll of the player on turn counts; a forced pass is announced at once. `thrown_ms`: when its dice came to rest."""
    high, low = max(values), min(values)
    if transition.state.due is None:
        is_missed = _may_lack_turn(transition, thrown_ms, table)
        transition = transition.with_outages(transition.seen.outages.miss_turn(is_missed=is_missed))
    transition = transition.emit(DiceRolled(transition.now_ms, transition.mover, (high, low), evidence))
    transition = transition.with_throws(transition.seen.throws.accept_roll()).with_dice(
        transition.seen.dice.settle_blindness()
    )
    return announce_forced_pass(transition.with_pending(None), table)


def emit_handed_over_numbers(transition: Transition, table: MatchConfig) -> Transition:
    """Announces numbers handed over by the other player; a forced pass of them ends at once."""
    state = transition.state
    if state.phase is Phase.PLAYING and state.due is not None and state.due.kind is ThrowKind.TRANSFER:
        transition = transition.emit(NumbersHandedOver(transition.now_ms, transition.mover, state.due.numbers))
        transition = transition.with_dice(transition.seen.dice.hand_over())
    return announce_forced_pass(transition, table)


def _may_lack_turn(transition: Transition, thrown_ms: int | None, table: MatchConfig) -> bool:
    """Whether the log may lack a turn that was played before the dice of this roll came to rest: for as long as a turn lasts,
    nobody saw the board as the log has it.
    """
    unread = transition.seen.throws.unread
    if thrown_ms is None and unread is not None and transition.state.questions.throw_unclear is not None:
        thrown_ms = min((die.settled_ms for die in unread.dice), default=transition.now_ms)
    known_ms, board = transition.seen.findings.known_ms, transition.board
    if board is not None and shows_position(transition.state, compare_with_log(transition.state, board, table), board):
        known_ms = max(known_ms, board.taken_ms)
    rolled_ms = transition.now_ms if thrown_ms is None else thrown_ms
    return known_ms < 0 or rolled_ms - known_ms >= LEAST_TURN_MS


def announce_forced_pass(transition: Transition, table: MatchConfig) -> Transition:
    """Announces that the player on turn cannot play. Without dice on the board his pass is made at once."""
    state = transition.state
    if state.phase is not Phase.PLAYING or not is_pass_forced(state, table):
        return transition
    transition = transition.emit(PassForced(transition.now_ms, transition.mover))
    if state.due is not None and state.due.kind is ThrowKind.ROLL:
        return transition
    transition = transition.with_timing(transition.seen.timing.pass_turn(transition.mover, transition.now_ms))
    return transition.emit(_make_pass(transition, table))


def _make_pass(transition: Transition, table: MatchConfig) -> PlayMade:
    state = transition.state
    numbers = state.due.numbers if state.due else ()
    after = text_after_pass(state.position) if table.is_grasshopper else state.position
    follow = FollowKind.END_TURN.value
    return PlayMade(
        transition.now_ms, transition.mover, numbers, "pass", state.position, after, follow, Evidence.FORCED
    )


def text_after_pass(position: str) -> str:
    """The text of a Grasshopper board after a forced pass: the other side acts."""
    board, white, black, side, last = position.split(" ")
    return " ".join((board, white, black, "B" if side == "W" else "W", last))
