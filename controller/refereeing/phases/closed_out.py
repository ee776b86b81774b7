"""Forced passes without a throw: a player who can move with no roll need not throw."""

from collections.abc import Iterator, Sequence

from controller.match import DiceRolled, Evidence, PassForced, PlayMade
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import RefereeState, counters_before
from controller.refereeing.transition import Transition
from controller.refereeing.verdicts import position_of
from controller.rules import ALL_ROLLS, FollowKind, Roll, Stage, Transfer, legal_plays, make_own_throw


def can_play_no_roll(state: RefereeState, table: MatchConfig) -> bool:
    """Whether each of the 21 rolls would be a forced pass."""
    return not table.is_grasshopper and state.on_turn is not None and all(_iter_forced_passes(state, table))


def may_have_passed(state: RefereeState, table: MatchConfig) -> bool:
    """Whether one of the 21 rolls would be a forced pass that ends the turn, with nothing handed over."""
    if table.is_grasshopper or state.on_turn is None:
        return False
    rules = table.dice_rules
    return rules.transfer is Transfer.NONE and not rules.bonus_roll and any(_iter_forced_passes(state, table))


def has_perhaps_passed(state: RefereeState, table: MatchConfig) -> bool:
    """Whether the player on turn may have thrown and passed with the board unchanged."""
    if table.is_grasshopper or state.on_turn is None:
        return table.is_grasshopper
    return any(_iter_forced_passes(state, table))


def is_forced_pass_with(state: RefereeState, values: tuple[int, int], table: MatchConfig) -> bool:
    """Whether this roll would be a forced pass that ends the turn."""
    return may_have_passed(state, table) and any(_iter_forced_passes(state, table, (Roll.of(*values),)))


def _iter_forced_passes(state: RefereeState, table: MatchConfig, rolls: Sequence[Roll] = ALL_ROLLS) -> Iterator[bool]:
    """For each roll, whether the player on turn can play none of it."""
    if state.on_turn is None:
        return
    rules, mover = table.dice_rules, state.on_turn
    before = position_of(state.position, rules)
    counters = counters_before(state, mover)
    for roll in rolls:
        throw = make_own_throw(roll, rules, counters)
        plays = legal_plays(before, mover, Stage(throw.stages[0], throw.is_first_roll), rules)
        yield not any(play.steps for play in plays)


def emit_forced_pass(transition: Transition, table: MatchConfig) -> Transition:
    """Emits a pass without a throw, or with the unread throw that allows no move.

    Where some roll could have been played, the pass is inferred from what the other player did next.
    """
    values = transition.seen.throws.pass_roll
    is_certain = can_play_no_roll(transition.state, table)
    if values is not None:
        transition = transition.emit(DiceRolled(transition.now_ms, transition.mover, values, Evidence.INFERRED))
        transition = transition.with_throws(transition.seen.throws.lift_pass(None))
    transition = transition.emit(PassForced(transition.now_ms, transition.mover))
    position = transition.state.position
    return transition.emit(
        PlayMade(
            transition.now_ms,
            transition.mover,
            numbers=values or (),
            play="pass",
            before=position,
            after=position,
            follow=FollowKind.END_TURN.value,
            evidence=Evidence.FORCED if is_certain else Evidence.INFERRED,
        )
    )
