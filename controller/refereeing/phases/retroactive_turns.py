"""Turns inferred afterwards, and unread throws that a person enters.

The opponent has thrown and played before the board of the turn before was seen. If exactly one pair of plays leads to the
present board, both were made; if several do, people are asked.
"""

from dataclasses import replace

from controller.match import DiceRolled, EndedBy, Evidence
from controller.observing import BoardEvidence, Observation
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.phases.judging import accept_play, apply_verdict, end_turn
from controller.refereeing.phases.two_turns import find_play_pairs
from controller.refereeing.state import Phase
from controller.refereeing.throw import PendingThrow, die_numbers, judge_throw, valid_values
from controller.refereeing.transition import Transition


def handle_frame(transition: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """One frame while an unseen turn waits for the end of the next turn, whose dice lie on the board."""
    throw = transition.waiting_throw
    if throw is None or seen.board is None or seen.hand_in_view:
        return transition
    numbers = {die.number for die in throw.dice}
    if any(die.number in numbers for die in seen.dice):
        return transition
    transition = transition.with_throws(transition.seen.throws.wait(None).hide(is_hidden=False))
    return _explain_both_turns(transition, throw, seen.board, table)


def _explain_both_turns(
    transition: Transition, throw: PendingThrow, board: BoardEvidence, table: MatchConfig
) -> Transition:
    """The next turn is over: both plays are accepted, or neither."""
    other = transition.mover.opponent
    ruling = judge_throw(throw, other, transition, table)
    if not ruling.valid:
        return transition
    values = valid_values(ruling)
    found = find_play_pairs(transition.state, values, board, table)
    if len(found) != 1:
        return transition
    ((first, second),) = found
    transition = accept_play(transition, first, table, evidence=Evidence.INFERRED)
    transition = transition.emit(DiceRolled(transition.now_ms, other, values))
    transition = transition.with_dice(transition.seen.dice.identify(die_numbers(throw)))
    return apply_verdict(end_turn(transition, EndedBy.DICE_LIFTED), second, table)


_UNJUDGED_PHASES = (Phase.PLAYING, Phase.TURN_END, Phase.ILLEGAL, Phase.UNSURE)


def find_unread_throw(transition: Transition) -> PendingThrow | None:
    """The unread throw that an entered roll refers to: a later throw than the roll that is played; None: that roll."""
    state = transition.state
    unread = state.seen.throws.unread
    if (
        unread is None
        or state.due is None
        or state.questions.throw_unclear is None
        or state.phase not in _UNJUDGED_PHASES
    ):
        return None
    lying = {die.number for die in state.seen.view.dice}
    return unread if lying.intersection(die_numbers(unread)) else None


def find_unread_dice(transition: Transition) -> tuple[int, ...]:
    """Numbers of the unread dice that lie there; they show the entered roll."""
    unread, lying = transition.seen.throws.unread, {die.number for die in transition.seen.view.dice}
    return () if unread is None else tuple(number for number in die_numbers(unread) if number in lying)


def accept_entered_roll(
    transition: Transition, unread: PendingThrow, values: tuple[int, int], table: MatchConfig
) -> Transition:
    """Makes an unread throw count with entered values: it waits for the verdict, is an early roll, or ends the turn."""
    state, throw = transition.state, replace(unread, entered_values=values)
    transition = transition.with_throws(transition.seen.throws.forget_unread())
    if state.phase is not Phase.PLAYING:
        return transition.with_waiting_throw(throw)
    if transition.is_playing_roll and any(die.number in state.seen.dice.own for die in state.seen.view.dice):
        roll = max(values), min(values)
        transition = transition.with_dice(transition.seen.dice.throw_early(die_numbers(unread)))
        return transition.emit(
            DiceRolled(transition.now_ms, transition.mover.opponent, roll, Evidence.ENTERED, opponent_may_refuse=True)
        )
    return end_turn(transition.with_waiting_throw(throw), EndedBy.NEXT_THROW)
