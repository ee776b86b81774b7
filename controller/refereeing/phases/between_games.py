"""GAME_OVER, and resignation: between two games, and how a game ends early."""

from controller.adjudication import infer_seatings
from controller.match import (
    AnswerResignation,
    ConfirmResult,
    NextGame,
    Resign,
    ResignationAnswered,
    ResignationOffered,
    ResultConfirmed,
    SetUpBegun,
)
from controller.observing import Observation
from controller.refereeing.debounce import clear_pending, debounce, is_inspection_due
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.phases import game_end, set_up
from controller.refereeing.state import Phase
from controller.refereeing.transition import Transition
from controller.refereeing.verdicts import compare_with_position
from controller.rules import ResultKind, Ruleset, get_scheme

_MID_GAME = (Phase.AWAIT_ROLL, Phase.PLAYING, Phase.TURN_END, Phase.ILLEGAL, Phase.UNSURE, Phase.RESTORE)


def handle_frame(transition: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """One frame in GAME_OVER: the start position begins the next game.

    If the start position of another seating is set up, players have changed seats or colours. Which of the two is not
    visible, so the set-up asks for the seating.
    """
    seating = transition.state.seating
    if transition.state.match_winner is not None or seating is None or not is_inspection_due(transition, seen, table):
        return transition
    transition = transition.mark_inspected()
    if seen.board is None:
        return clear_pending(transition)
    is_start = compare_with_position(table.start_text, seen.board, seating, table).is_none
    if not is_start and not (isinstance(table.rules, Ruleset) and infer_seatings(seen.board, table.rules)):
        return clear_pending(transition)
    transition, is_ripe = debounce(transition, (SetUpBegun, is_start), table.patience.differs_ms)
    if not is_ripe:
        return transition
    begun = transition.emit(SetUpBegun(transition.now_ms))
    return set_up.start_game(begun, table.start_text, table) if is_start else clear_pending(begun)


def begin_anew(transition: Transition, seen: Observation, table: MatchConfig) -> Transition | None:
    """In a recording, the start position on the board in mid-game begins the next game; None if it is not there.

    Checkers only move forward, so play does not lead back to it: the players ended the game in a way that is not visible, by
    word or with the cube, and its result stays open.
    """
    state = transition.state
    if table.players.can_be_asked or state.phase not in _MID_GAME or seen.board is None or seen.hand_in_view:
        return None
    if state.seating is None or not isinstance(table.rules, Ruleset) or state.position == table.start_text:
        return None
    if not compare_with_position(table.start_text, seen.board, state.seating, table).is_none:
        return None
    transition, is_ripe = debounce(transition, (SetUpBegun, True), table.patience.differs_ms)
    if not is_ripe:
        return transition
    return set_up.start_game(transition.emit(SetUpBegun(transition.now_ms)), table.start_text, table)


def handle_next_game(transition: Transition, command: NextGame, table: MatchConfig) -> Transition:
    """Begins the set-up of the next game, in GAME_OVER."""
    if transition.state.match_winner is not None:
        return transition.refuse(command, "The match is over; begin a new one.")
    return clear_pending(transition.emit(SetUpBegun(transition.now_ms)))


def handle_confirm_result(transition: Transition, command: ConfirmResult, table: MatchConfig) -> Transition:
    """A player confirms the score, in GAME_OVER."""
    score, who = transition.state.match, command.player
    if who in transition.state.game.confirmed_by:
        return transition.refuse(command, "This player has confirmed the score already.")
    return transition.emit(ResultConfirmed(transition.now_ms, who, score.white, score.black))


def handle_resign(transition: Transition, command: Resign, table: MatchConfig) -> Transition:
    """Offers a win to the opponent; the game must know this kind of win."""
    if command.kind in (ResultKind.MOTHER, ResultKind.DRAW) or not _is_known(command.kind, table):
        return transition.refuse(command, f"This game has no {command.kind.value} to resign.")
    return transition.emit(ResignationOffered(transition.now_ms, command.player, command.kind))


def handle_answer_resignation(transition: Transition, command: AnswerResignation, table: MatchConfig) -> Transition:
    offered = transition.state.game.resignation
    if offered is None:
        return transition.refuse(command, "Nobody has resigned.")
    if command.player is offered.player:
        return transition.refuse(command, "The other player answers a resignation.")
    transition = transition.emit(ResignationAnswered(transition.now_ms, command.player, command.accept))
    return game_end.win_game(transition, command.player, offered.kind, table) if command.accept else transition


def _is_known(kind: ResultKind, table: MatchConfig) -> bool:
    if not isinstance(table.rules, Ruleset):
        return kind is ResultKind.SINGLE
    return get_scheme(table.rules.scoring).multiplier(kind) is not None
