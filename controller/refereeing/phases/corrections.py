"""Plays and boards that people enter or condone; `entered_turns` has what they enter about the course of a turn."""

from controller.match import (
    AnswerTakenBack,
    BoardCorrected,
    ChoosePlay,
    Clause,
    Condone,
    CorrectBoard,
    StarterKnown,
    TakeBackAnswer,
    clause_text,
)
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.phases import game_end, judging, restoring, set_up
from controller.refereeing.phases.explained_turns import accept_entered_board
from controller.refereeing.state import Phase
from controller.refereeing.throw import has_lying_die, next_thrower
from controller.refereeing.transition import Transition
from controller.refereeing.verdicts import (
    IllegalVerdict,
    LegalVerdict,
    UnclearVerdict,
    is_possible,
    judge_entered_board,
)
from controller.rules import Player, Rule, RulesError

_BOTH_PLAYED = "Both players have played since then; say who throws next as well."
_TURN_PHASES = (Phase.AWAIT_ROLL, Phase.PLAYING, Phase.TURN_END, Phase.ILLEGAL, Phase.UNSURE, Phase.CUBE_OFFERED)


def handle_choose_play(transition: Transition, command: ChoosePlay, table: MatchConfig) -> Transition:
    """Judges the chosen play, in UNSURE."""
    if transition.state.due is None and not table.is_grasshopper:
        return transition.refuse(command, "It is not known what was thrown; say that first.")
    return _judge_entered_board(transition, command, command.after, table)


def handle_correct_board(transition: Transition, command: CorrectBoard, table: MatchConfig) -> Transition:
    """Takes the board as the result of the turn that is judged; elsewhere the log takes it over."""
    phase = transition.state.phase
    if command.on_turn is not None and transition.state.real_phase in _TURN_PHASES and not table.is_grasshopper:
        return _restart_from(transition, command, command.on_turn, table)
    has_turn = transition.state.due is not None or table.is_grasshopper
    is_refused = phase is Phase.RESTORE and Phase.ILLEGAL in transition.state.underneath
    if is_refused or (phase in (Phase.TURN_END, Phase.ILLEGAL, Phase.UNSURE) and has_turn):
        return _judge_entered_board(transition, command, command.position, table)
    problem = _find_problem(
        command.position, transition, table, may_be_over=transition.state.real_phase is Phase.AWAIT_ROLL
    )
    if problem is not None:
        return transition.refuse(command, problem)
    if phase is Phase.SET_UP:
        if transition.state.seating is None and table.seating is None:
            return transition.refuse(command, "Say first who sits where and plays which checkers.")
        begun = set_up.start_game(set_up.with_agreed_seating(transition, table), command.position, table)
        if command.on_turn is not None and begun.state.phase is Phase.OPENING:
            begun = begun.emit(StarterKnown(begun.now_ms, command.on_turn))
        return restoring.record_overruled_difference(begun, table)
    transition = transition.emit(BoardCorrected(transition.now_ms, command.position)).with_pending(None)
    return game_end.finish_game_if_over(restoring.record_overruled_difference(transition, table), table)


def handle_take_back_answer(transition: Transition, command: TakeBackAnswer, table: MatchConfig) -> Transition:
    """Until the next turn ends, the last answer may be taken back; its question is open again."""
    before = transition.state.questions.answered
    if before is None:
        return transition.refuse(command, "There is no answer to take back.")
    if transition.state.is_result_final:
        return transition.refuse(command, "Both players have confirmed the score; call a dispute first.")
    player, seen = before.on_turn, transition.seen.take_answer_back()
    is_judged = before.phase in (Phase.TURN_END, Phase.ILLEGAL, Phase.UNSURE)
    player = player.opponent if player is not None and is_judged else player
    return transition.emit(AnswerTakenBack(transition.now_ms, player)).with_seen(seen)


def _restart_from(transition: Transition, command: CorrectBoard, player: Player, table: MatchConfig) -> Transition:
    """The players agree on the board and on who throws next; everything open before ends."""
    problem = _find_problem(command.position, transition, table, may_be_over=False)
    if problem is not None:
        return transition.refuse(command, problem)
    throw = transition.waiting_throw
    if throw is not None and not (
        player is next_thrower(transition, table) and has_lying_die(throw, transition.seen.view.dice)
    ):
        throw = None
    transition = transition.emit(BoardCorrected(transition.now_ms, command.position, player)).with_pending(None)
    transition = restoring.record_overruled_difference(judging.forget_roll(transition), table)
    return judging.continue_game(transition.with_waiting_throw(throw), table)


def _find_problem(position: str, transition: Transition, table: MatchConfig, *, may_be_over: bool) -> str | None:
    """Why play cannot go on from this position; None if it can."""
    try:
        possible = is_possible(position, table)
    except RulesError as error:
        return f"{error}."
    if not possible:
        return "This board is not possible in this game; count the checkers again."
    if not may_be_over and game_end.is_over_on(position, transition, table):
        return "On this board the game would be over; tell the one before it."
    return None


def handle_condone(transition: Transition, command: Condone, table: MatchConfig) -> Transition:
    """The opponent condones the play, in ILLEGAL."""
    if not table.profile.opponent_may_condone:
        return transition.refuse(command, f"{clause_text(table.profile, Clause.ILLEGAL_PLAY)}.")
    if not judging.can_stand(transition, table):
        return transition.refuse(command, "Play cannot go on from this board; put it right first.")
    return judging.condone_play(transition, table, clause_text(table.profile, Clause.ILLEGAL_PLAY))


def _judge_entered_board(
    transition: Transition, command: ChoosePlay | CorrectBoard, after: str, table: MatchConfig
) -> Transition:
    """An entered board is judged like a seen one."""
    try:
        verdict = judge_entered_board(transition.state, after, table)
    except RulesError as error:
        return transition.refuse(command, f"{error}.")
    match verdict:
        case LegalVerdict():
            return judging.accept_entered_play(transition, verdict, table)
        case IllegalVerdict() if transition.state.phase is Phase.RESTORE:
            return _handle_board_after_turn(transition, command, verdict, table)
        case IllegalVerdict():
            explained = accept_entered_board(transition, verdict.after, table)
            if explained is not None:
                return judging.continue_game(judging.forget_roll(explained), table)
            if transition.seen.outages.perhaps_missed_turn:
                return transition.refuse(command, _BOTH_PLAYED)
            return judging.refuse_play(transition, verdict, table)
        case UnclearVerdict():  # pragma: no branch - mypy sees that no other case is left
            return _accept_on_trust(transition, command, after, verdict, table)


def _handle_board_after_turn(
    transition: Transition, command: ChoosePlay | CorrectBoard, verdict: IllegalVerdict, table: MatchConfig
) -> Transition:
    """In RESTORE after an illegal play that cannot stand, when the correction window is closed."""
    if verdict.after == transition.state.position:
        return restoring.undo_refused_play(transition)
    if not judging.may_stand(verdict, table):
        return transition.refuse(command, f"No legal play leads to this board. {verdict.sentences[0]}")
    if Rule.OPPONENT_MOVED in verdict.rules:
        return transition.refuse(command, _BOTH_PLAYED)
    return judging.accept_entered_illegal_play(transition, verdict, table)


def _accept_on_trust(
    transition: Transition, command: ChoosePlay | CorrectBoard, after: str, verdict: UnclearVerdict, table: MatchConfig
) -> Transition:
    """A board with too many possible plays to judge: in UNSURE, the other player goes on from it."""
    if transition.state.phase is not Phase.UNSURE or not is_possible(after, table):
        return transition.refuse(command, verdict.sentence)
    return judging.continue_from_board(transition, after, table)
