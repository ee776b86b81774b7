"""The unread throw of the player on turn: its dice, what they may show, and which rolls explain the board."""

from dataclasses import replace
from itertools import product

from controller.adjudication import ThrowInPlay, infer_throws
from controller.observing import (
    DICE_OF_A_THROW,
    BoardEvidence,
    Observation,
    list_possible_faces,
    without_faces_of_hidden_dice,
)
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import Due, RefereeState, counters_before
from controller.refereeing.throw import PendingThrow, judge_throw, select_certain_dice
from controller.refereeing.transition import Transition
from controller.refereeing.verdicts import LegalVerdict, judge_board, make_throw, position_of, require_seating
from controller.rules import ThrowContext, ThrowKind
from vision.dice_tracking.events import SettledDie


def reread_throw(
    transition: Transition, seen: Observation, throw: PendingThrow | None, table: MatchConfig
) -> tuple[Transition, PendingThrow | None]:
    """Updates the unread throw from a later reading of its dice, or with a die that was not detected before."""
    asked = _find_unread_throw(transition.state)
    lying = {die.number: die for die in seen.dice}
    if asked is None or any(die.number not in lying for die in asked.dice):
        return transition, throw
    now = tuple(_choose_later_reading(die, lying[die.number]) for die in asked.dice)
    if throw is not None and not table.is_watched:
        numbers = {die.number for die in now}
        others = tuple(die for die in throw.lay_before if die.number not in numbers)
        is_other_die = len(others) + len(now) == len(throw.lay_before) and len(now) + len(throw.dice) <= DICE_OF_A_THROW
        return transition, PendingThrow((*now, *throw.dice), others) if is_other_die else throw
    if throw is not None or now == asked.dice:
        return transition, throw
    known = PendingThrow(now, may_have_lain=asked.may_have_lain)
    is_known = judge_throw(known, transition.mover, transition, table).valid is not None
    return transition.with_throws(transition.seen.throws.leave_unread(known)), known if is_known else None


def _choose_later_reading(asked: SettledDie, lying: SettledDie) -> SettledDie:
    """The later reading; at equal times a face that was masked stays masked."""
    if asked.settled_ms == lying.settled_ms:
        return asked if asked.reading.has_no_face else lying
    return max(asked, lying, key=lambda die: die.settled_ms)


def is_unread(transition: Transition, throw: PendingThrow) -> bool:
    """Whether the throw has a die of the unread throw."""
    numbers = {die.number for die in throw.dice}
    return any(die.number in numbers for die in find_unread_dice(transition.state))


def infer_from_last_dice(
    state: RefereeState, board: BoardEvidence, table: MatchConfig
) -> dict[tuple[int, int], LegalVerdict]:
    """Rolls of the unread dice that explain the board; if those were lifted and explain nothing, of any dice."""
    found = infer_rolls(state, find_unread_dice(state), board, table)
    return found or (infer_rolls(state, (), board, table) if was_lifted(state) else {})


def was_lifted(state: RefereeState) -> bool:
    lifted = state.seen.dice.unread_lifted
    return bool(lifted) and all(die.number in lifted for die in find_unread_dice(state))


def infer_rolls(
    state: RefereeState, dice: tuple[SettledDie, ...], board: BoardEvidence, table: MatchConfig
) -> dict[tuple[int, int], LegalVerdict]:
    """Rolls that the dice may show and that explain the board, with their plays.

    Empty if a roll that nearly explains the board does not explain it for certain.
    """
    if state.on_turn is None or state.due is not None or table.is_grasshopper:
        return {}
    rules, player = table.dice_rules, state.on_turn
    counters = counters_before(state, player)
    rolls = [Due(ThrowKind.ROLL, values, counters) for values in enumerate_rolls(dice)]
    throws = [make_throw(due, rules) for due in rolls]
    before, seating = position_of(state.position, rules), require_seating(state)
    found: dict[tuple[int, int], LegalVerdict] = {}
    turns = [ThrowInPlay(before, player, throw, seating, rules, table.has_bar) for throw in throws]
    for throw in infer_throws(turns, board):
        due = rolls[throws.index(throw)]
        verdict = judge_board(replace(state, turn=replace(state.turn, due=due)), board, table)
        if not isinstance(verdict, LegalVerdict) or verdict.after == state.position:
            return {}
        found[due.numbers[0], due.numbers[1]] = verdict
    return found


def find_unread_dice(state: RefereeState) -> tuple[SettledDie, ...]:
    """The dice of the unread throw, without doubtful detections."""
    throw = _find_unread_throw(state)
    return () if throw is None else select_certain_dice(throw.dice)


def _find_unread_throw(state: RefereeState) -> PendingThrow | None:
    """The unread throw, if it is one of the player on turn."""
    throw, question = state.seen.throws.unread, state.questions.throw_unclear
    return None if question is None or question.player not in (None, state.on_turn) else throw


def enumerate_rolls(dice: tuple[SettledDie, ...]) -> list[tuple[int, int]]:
    """All rolls, the higher number first, that the dice and undetected ones may show."""
    if len(dice) > DICE_OF_A_THROW:
        return []
    asked = [
        *(
            set(list_possible_faces(die))
            for die in without_faces_of_hidden_dice([die.reading for die in dice], ThrowContext())
        ),
        *([set(range(1, 7))] * (DICE_OF_A_THROW - len(dice))),
    ]
    return sorted({(max(pair), min(pair)) for pair in product(*asked)})
