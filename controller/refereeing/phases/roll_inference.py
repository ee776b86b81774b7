"""Inference of an unread roll from the play that was made with it, at tables that are not watched.

Such a table is known from pictures seconds apart. Dice, a throw or a pass may have been missed, and nobody can be asked.
If exactly one roll is possible by the dice as far as they were seen and leads to the board at the end of the turn, that
roll is accepted and logged as inferred. Clear readings are never overruled. If no roll or several explain the board, the
turn stays unclear, and play goes on from the board as it is seen.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from controller.adjudication import BoardDifference, infer_position, infer_throws
from controller.match import BoardCorrected, DiceRolled, EndedBy, Evidence, PlayUnclear
from controller.observing import BoardEvidence, Observation, list_possible_faces, without_faces_of_hidden_dice
from controller.refereeing.debounce import debounce_by_frames
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.perception import PendingThrow
from controller.refereeing.phases import game_end
from controller.refereeing.phases.closed_out import emit_forced_pass, is_forced_pass_with, may_have_passed
from controller.refereeing.phases.judging import accept_play, continue_game, end_turn, forget_roll
from controller.refereeing.state import Due, Phase, RefereeState, counters_before
from controller.refereeing.throw import rolling
from controller.refereeing.transition import Transition
from controller.refereeing.verdicts import LegalVerdict, judge_board, make_throw, position_of, require_seating
from controller.rules import ThrowContext, ThrowKind, position_text
from vision.dice_tracking.events import SettledDie

NOT_READ = "A play was made with a throw that could not be read; say what was thrown."
_OVERTAKEN = "The next throw was made, but not what was thrown before it; say what that was."


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
        is_other_die = (
            len(others) + len(now) == len(throw.lay_before) and len(now) + len(throw.dice) <= rolling.DICE_OF_A_THROW
        )
        return transition, PendingThrow((*now, *throw.dice), others) if is_other_die else throw
    if throw is not None or now == asked.dice:
        return transition, throw
    known = PendingThrow(now, may_have_lain=asked.may_have_lain)
    is_known = rolling.judge_throw(known, transition.mover, transition, table).valid is not None
    return transition.with_throws(transition.seen.throws.leave_unread(known)), known if is_known else None


def _choose_later_reading(asked: SettledDie, lying: SettledDie) -> SettledDie:
    """The later reading; at equal times a face that was masked stays masked."""
    if asked.settled_ms == lying.settled_ms:
        return asked if asked.reading.has_no_face else lying
    return max(asked, lying, key=lambda die: die.settled_ms)


def is_unread(transition: Transition, throw: PendingThrow) -> bool:
    """Whether the throw has a die of the unread throw."""
    numbers = {die.number for die in throw.dice}
    return any(die.number in numbers for die in _find_unread_dice(transition.state))


def note_lifted_dice(transition: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """Notes unread dice that are gone while the board is unchanged: hidden, passed with, or about to be thrown again."""
    lying = {die.number for die in seen.dice}
    unread = _find_unread_dice(transition.state)
    if not unread or any(die.number in lying for die in unread):
        return transition
    rolls = [] if table.is_watched else _enumerate_rolls(unread)
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
    unread = _find_unread_dice(transition.state)
    own = {*transition.seen.dice.own, *(die.number for die in unread)}
    if seen.board is None or any(die.number in own for die in seen.dice):
        return transition
    if not (is_the_same or (unread and not _was_lifted(transition.state))):
        return transition
    explained = explain_turn(transition, seen.board, table, EndedBy.DICE_LIFTED)
    if explained is not None:
        return explained
    return give_up_turn(transition, seen.board, table, NOT_READ) if is_the_same else transition


def handle_overtaken_throw(
    transition: Transition, board: BoardEvidence, throw: PendingThrow, table: MatchConfig
) -> Transition:
    """A throw lies on a board that has changed, and the throw that led to it is not known."""
    is_own = bool(_find_unread_dice(transition.state)) and not _was_lifted(transition.state)
    was_changed = transition.seen.pending is not None or is_own
    if not table.is_watched and not was_changed and _infer_rolls(transition.state, throw.dice, board, table):
        return rolling.handle_throw(transition, throw, table)  # seen for the first time with the board that they led to
    transition = transition.with_waiting_throw(throw)
    explained = explain_turn(transition, board, table, EndedBy.NEXT_THROW)
    return give_up_turn(transition, board, table, _OVERTAKEN) if explained is None else explained


def explain_turn(transition: Transition, board: BoardEvidence, table: MatchConfig, by: EndedBy) -> Transition | None:
    """Ends the turn with the only roll that explains the board; None if there is none, or if people watch and can be asked."""
    if table.is_watched:
        return None
    found = _infer_from_last_dice(transition.state, board, table)
    if not found and may_have_passed(transition.state, table):
        dice = () if _was_lifted(transition.state) else _find_unread_dice(transition.state)
        transition = emit_forced_pass(transition)
        found = _infer_rolls(transition.state, dice, board, table)
    if len(found) != 1:
        return None
    ((values, play),) = found.items()
    return _accept_inferred_roll(transition, values, play, table, by)


def explain_turn_later(transition: Transition, board: BoardEvidence, table: MatchConfig) -> Transition:
    """In UNSURE: once the unread dice are lifted, or others thrown, the turn is over and may show its roll."""
    lying = {die.number for die in transition.seen.view.dice}
    has_thrown = transition.waiting_throw is not None
    if not has_thrown and any(die.number in lying for die in _find_unread_dice(transition.state)):
        return transition
    explained = explain_turn(transition, board, table, EndedBy.NEXT_THROW if has_thrown else EndedBy.DICE_LIFTED)
    return give_up_turn(transition, board, table) if explained is None else explained


def give_up_turn(transition: Transition, board: BoardEvidence, table: MatchConfig, sentence: str = "") -> Transition:
    """The play stays unclear. At a table that is not watched, the game goes on from the board as it is seen."""
    mover = transition.mover
    plays: tuple[LegalVerdict, ...] = ()
    if not table.is_watched and not table.is_grasshopper:
        plays = tuple(_infer_from_last_dice(transition.state, board, table).values())
    if transition.state.phase is not Phase.UNSURE:
        options = dict.fromkeys(play.play for play in plays)
        transition = transition.emit(PlayUnclear(transition.now_ms, mover, tuple(options), (), sentence))
    position = (
        None
        if table.is_watched or table.is_grasshopper
        else _find_standing_position(transition.state, plays, board, table)
    )
    if position is None:
        return transition
    transition = transition.emit(BoardCorrected(transition.now_ms, position, mover.opponent))
    return continue_game(game_end.finish_game_if_over(forget_roll(transition), table), table)


def _find_standing_position(
    state: RefereeState, plays: Sequence[LegalVerdict], board: BoardEvidence, table: MatchConfig
) -> str | None:
    """The board to which all plays lead, or the one that is seen without doubt; None otherwise."""
    afters = {play.after for play in plays}
    if len(afters) == 1:
        return afters.pop()
    position = infer_position(board, require_seating(state), table.dice_rules)
    return None if position is None else position_text(position)


def _accept_inferred_roll(
    transition: Transition, values: tuple[int, int], play: LegalVerdict, table: MatchConfig, by: EndedBy
) -> Transition:
    transition = transition.emit(DiceRolled(transition.now_ms, transition.mover, values, Evidence.INFERRED))
    transition = forget_roll(transition)
    if transition.state.phase is not Phase.TURN_END:
        transition = end_turn(transition, by)
    return accept_play(transition, play, table, evidence=Evidence.INFERRED)


def _infer_from_last_dice(
    state: RefereeState, board: BoardEvidence, table: MatchConfig
) -> dict[tuple[int, int], LegalVerdict]:
    """Rolls of the unread dice that explain the board; if those were lifted and explain nothing, of any dice."""
    found = _infer_rolls(state, _find_unread_dice(state), board, table)
    return found or (_infer_rolls(state, (), board, table) if _was_lifted(state) else {})


def _was_lifted(state: RefereeState) -> bool:
    lifted = state.seen.dice.unread_lifted
    return bool(lifted) and all(die.number in lifted for die in _find_unread_dice(state))


def _infer_rolls(
    state: RefereeState, dice: tuple[SettledDie, ...], board: BoardEvidence, table: MatchConfig
) -> dict[tuple[int, int], LegalVerdict]:
    """Rolls that the dice may show and that explain the board, with their plays.

    Empty if a roll that nearly explains the board does not explain it for certain.
    """
    if state.on_turn is None or state.due is not None or table.is_grasshopper:
        return {}
    rules, player = table.dice_rules, state.on_turn
    counters = counters_before(state, player)
    rolls = [Due(ThrowKind.ROLL, values, counters) for values in _enumerate_rolls(dice)]
    throws = [make_throw(due, rules) for due in rolls]
    before, seating = position_of(state.position, rules), require_seating(state)
    found: dict[tuple[int, int], LegalVerdict] = {}
    for throw in infer_throws(before, player, throws, board, seating, rules, bar_is_used=table.has_bar):
        due = rolls[throws.index(throw)]
        verdict = judge_board(replace(state, turn=replace(state.turn, due=due)), board, table)
        if not isinstance(verdict, LegalVerdict) or verdict.after == state.position:
            return {}
        found[due.numbers[0], due.numbers[1]] = verdict
    return found


def _find_unread_dice(state: RefereeState) -> tuple[SettledDie, ...]:
    """The dice of the unread throw, without doubtful detections."""
    throw = _find_unread_throw(state)
    return () if throw is None else rolling.select_certain_dice(throw.dice)


def _find_unread_throw(state: RefereeState) -> PendingThrow | None:
    """The unread throw, if it is one of the player on turn."""
    throw, question = state.seen.throws.unread, state.questions.throw_unclear
    return None if question is None or question.player not in (None, state.on_turn) else throw


def _enumerate_rolls(dice: tuple[SettledDie, ...]) -> list[tuple[int, int]]:
    """All rolls, the higher number first, that the dice and undetected ones may show."""
    if len(dice) > rolling.DICE_OF_A_THROW:
        return []
    asked = [
        *(
            set(list_possible_faces(die))
            for die in without_faces_of_hidden_dice([die.reading for die in dice], ThrowContext())
        ),
        *([set(range(1, 7))] * (rolling.DICE_OF_A_THROW - len(dice))),
    ]
    return sorted({(max(pair), min(pair)) for pair in product(*asked)})
