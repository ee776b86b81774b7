"""Inference of an unread roll from the play that was made with it, where nobody can be asked.

Such a table is known from a recording, perhaps from pictures seconds apart. Dice, a throw or a pass may have been missed.
If exactly one roll is possible by the dice as far as they were seen and leads to the board at the end of the turn, that
roll is accepted and logged as inferred. Clear readings are never overruled. If no roll or several explain the board, the
turn stays unclear, and the turns that follow may explain it (`hindsight.py`).
"""

from controller.adjudication import BoardDifference
from controller.match import DiceRolled, EndedBy, Evidence, PlayUnclear
from controller.observing import BoardEvidence, Observation
from controller.refereeing.debounce import debounce_by_frames
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.phases.closed_out import emit_forced_pass, is_forced_pass_with, may_have_passed
from controller.refereeing.phases.judging import accept_play, end_turn, forget_roll
from controller.refereeing.phases.unread_throw import (
    enumerate_rolls,
    find_unread_dice,
    infer_from_last_dice,
    infer_rolls,
    was_lifted,
)
from controller.refereeing.state import Phase
from controller.refereeing.throw import PendingThrow, handle_throw
from controller.refereeing.transition import Transition
from controller.refereeing.verdicts import LegalVerdict

NOT_READ = "A play was made with a throw that could not be read; say what was thrown."
_OVERTAKEN = "The next throw was made, but not what was thrown before it; say what that was."


def note_lifted_dice(transition: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """Notes unread dice that are gone while the board is unchanged: hidden, passed with, or about to be thrown again."""
    lying = {die.number for die in seen.dice}
    unread = find_unread_dice(transition.state)
    if not unread or any(die.number in lying for die in unread):
        return transition
    rolls = [] if table.is_watched else enumerate_rolls(unread)
    is_known = len(rolls) == 1 and is_forced_pass_with(transition.state, rolls[0], table)
    lifted = tuple(die.number for die in unread)
    transition = transition.with_throws(transition.seen.throws.lift_pass(rolls[0] if is_known else None))
    return transition.with_dice(transition.seen.dice.lift_unread(lifted))


def handle_changed_board(
    transition: Transition, seen: Observation, difference: BoardDifference, table: MatchConfig
) -> Transition:
    """The board of a table that is not watched has changed, and no throw is known.

    While dice lie there, the turn goes on. Otherwise two pictures in a row have to agree.
    """
    extra, missing = (
        {(place, side) for place in places} for side, places in enumerate((difference.extra, difference.missing))
    )
    transition, is_the_same = debounce_by_frames(transition, frozenset(extra | missing))
    unread = find_unread_dice(transition.state)
    own = {*transition.seen.dice.own, *(die.number for die in unread)}
    if seen.board is None or any(die.number in own for die in seen.dice):
        return transition
    if not (is_the_same or (unread and not was_lifted(transition.state))):
        return transition
    explained = explain_turn(transition, seen.board, table, EndedBy.DICE_LIFTED)
    if explained is not None:
        return explained
    return give_up_turn(transition, seen.board, table, NOT_READ) if is_the_same else transition


def handle_overtaken_throw(
    transition: Transition, board: BoardEvidence, throw: PendingThrow, table: MatchConfig
) -> Transition:
    """A throw lies on a board that has changed, and the throw that led to it is not known."""
    is_own = bool(find_unread_dice(transition.state)) and not was_lifted(transition.state)
    was_changed = transition.seen.pending is not None or is_own
    if not table.is_watched and not was_changed and infer_rolls(transition.state, throw.dice, board, table):
        return handle_throw(transition, throw, table)  # seen for the first time with the board that they led to
    transition = transition.with_waiting_throw(throw)
    explained = explain_turn(transition, board, table, EndedBy.NEXT_THROW)
    return give_up_turn(transition, board, table, _OVERTAKEN) if explained is None else explained


def explain_turn(transition: Transition, board: BoardEvidence, table: MatchConfig, by: EndedBy) -> Transition | None:
    """Ends the turn with the only roll that explains the board; None if there is none, or if people can be asked."""
    if table.players.can_be_asked:
        return None
    found = infer_from_last_dice(transition.state, board, table)
    if not found and may_have_passed(transition.state, table):
        dice = () if was_lifted(transition.state) else find_unread_dice(transition.state)
        transition = emit_forced_pass(transition, table)
        found = infer_rolls(transition.state, dice, board, table)
    if len(found) != 1:
        return None
    ((values, play),) = found.items()
    return _accept_inferred_roll(transition, values, play, table, by)


def explain_turn_later(transition: Transition, board: BoardEvidence, table: MatchConfig) -> Transition:
    """In UNSURE: once the unread dice are lifted, or others thrown, the turn is over and may show its roll."""
    lying = {die.number for die in transition.seen.view.dice}
    has_thrown = transition.waiting_throw is not None
    if not has_thrown and any(die.number in lying for die in find_unread_dice(transition.state)):
        return transition
    explained = explain_turn(transition, board, table, EndedBy.NEXT_THROW if has_thrown else EndedBy.DICE_LIFTED)
    return give_up_turn(transition, board, table) if explained is None else explained


def give_up_turn(transition: Transition, board: BoardEvidence, table: MatchConfig, sentence: str = "") -> Transition:
    """The play stays unclear until a person, or what follows, explains it."""
    if transition.state.phase is Phase.UNSURE:
        return transition
    plays = {} if table.players.can_be_asked else infer_from_last_dice(transition.state, board, table)
    options = tuple(dict.fromkeys(play.play for play in plays.values()))
    return transition.emit(PlayUnclear(transition.now_ms, transition.mover, options, (), sentence))


def _accept_inferred_roll(
    transition: Transition, values: tuple[int, int], play: LegalVerdict, table: MatchConfig, by: EndedBy
) -> Transition:
    transition = transition.emit(DiceRolled(transition.now_ms, transition.mover, values, Evidence.INFERRED))
    transition = forget_roll(transition)
    if transition.state.phase is not Phase.TURN_END:
        transition = end_turn(transition, by)
    return accept_play(transition, play, table, evidence=Evidence.INFERRED)
