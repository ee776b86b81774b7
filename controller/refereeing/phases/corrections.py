"""Corrections that people enter: the end of a turn, rolls, plays, boards, the seating, the starter."""

from dataclasses import replace
from functools import partial

from controller.match import (
    AcceptRoll,
    BoardCorrected,
    ChoosePlay,
    Clause,
    Condone,
    CorrectBoard,
    CorrectionWindow,
    CorrectRoll,
    EndedBy,
    EndTurn,
    Evidence,
    PlayTakenBack,
    RollAccepted,
    RollWithdrawn,
    SeatingKnown,
    SetSeating,
    SetStarter,
    StarterKnown,
    TakeBackPlay,
    WithdrawRoll,
    clause_text,
)
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.phases import game_end, opening, restoring, retroactive_turns, set_up
from controller.refereeing.phases.closed_out import can_play_no_roll, emit_forced_pass
from controller.refereeing.phases.judging import (
    accept_entered_illegal_play,
    accept_entered_play,
    can_stand,
    condone_play,
    continue_game,
    end_turn,
    forget_roll,
    may_stand,
    refuse_play,
)
from controller.refereeing.phases.restoring import has_lying_die
from controller.refereeing.phases.two_turns import explain_by_missed_turn
from controller.refereeing.state import Phase
from controller.refereeing.throw import rolling
from controller.refereeing.transition import Transition
from controller.refereeing.verdicts import (
    IllegalVerdict,
    LegalVerdict,
    UnclearVerdict,
    is_possible,
    judge_entered_board,
)
from controller.rules import Opening, Player, Rule, RulesError, Ruleset, ThrowKind, find_match_winner

_INSPECTED_PHASES = (Phase.TURN_END, Phase.UNSURE)
_TURN_PHASES = (Phase.AWAIT_ROLL, Phase.PLAYING, Phase.TURN_END, Phase.ILLEGAL, Phase.UNSURE, Phase.CUBE_OFFERED)


def handle_end_turn(transition: Transition, command: EndTurn, table: MatchConfig) -> Transition:
    """In PLAYING; in AWAIT_ROLL only for a player who can move with no roll."""
    by = EndedBy.CLOCK if command.by_clock else EndedBy.BUTTON
    if command.player not in (None, transition.mover):
        return transition.refuse(command, "It is the other player's turn; he ends it.")
    if not table.profile.is_ended_by(by, has_clock=table.clock is not None):
        return transition.refuse(command, f"{clause_text(table.profile, Clause.TURN_END)}.")
    if transition.state.phase is Phase.PLAYING:
        return end_turn(transition.with_dice(transition.seen.dice.identify(())), by)
    if not can_play_no_roll(transition.state, table):
        return transition.refuse(command, "The player on turn has to throw first.")
    return continue_game(emit_forced_pass(transition), table)


def note_next_turn_ended(transition: Transition, command: EndTurn, table: MatchConfig) -> Transition:
    """Notes that in a game without dice the next player acted while the turn before is still judged."""
    is_next = (
        table.is_grasshopper
        and transition.state.phase in _INSPECTED_PHASES
        and command.player is transition.mover.opponent
    )
    return transition.with_timing(transition.seen.timing.end_next_turn()) if is_next else transition


def handle_correct_roll(transition: Transition, command: CorrectRoll, table: MatchConfig) -> Transition:
    """Enters a roll: of the opening (White's number first), of an unread throw, or of the player on turn."""
    if not all(1 <= value <= 6 for value in command.values) or table.is_grasshopper:
        return transition.refuse(command, "A roll has two numbers from 1 to 6, in a game with dice.")
    state = transition.state
    if state.phase is Phase.OPENING:
        return opening.emit_opening_throw(transition, *command.values, table, evidence=Evidence.ENTERED)
    asked_about = retroactive_turns.find_unread_throw(transition)
    if asked_about is not None:
        return retroactive_turns.accept_entered_roll(transition, asked_about, command.values, table)
    if state.due is not None and state.due.kind is ThrowKind.TRANSFER:
        return transition.refuse(command, "Numbers that were handed over come first; end that part of the turn.")
    if state.phase is Phase.RESTORE and state.real_phase is not Phase.AWAIT_ROLL:
        return transition.refuse(command, "The board has to be restored first.")
    if state.phase is Phase.RESTORE:  # the differences of the board were not played with this roll
        transition = transition.with_waiting_throw(None).mark_blind()
    was_unread = state.phase is Phase.UNSURE and state.due is None
    if state.due is None:
        transition = transition.with_dice(transition.seen.dice.identify(retroactive_turns.find_unread_dice(transition)))
    transition = rolling.emit_roll(transition, command.values, table, evidence=Evidence.ENTERED)
    is_hidden = state.seen.throws.was_hidden and was_unread
    transition = transition.with_throws(transition.seen.throws.hide(is_hidden=is_hidden))
    return transition.with_timing(transition.seen.timing.forget_end())


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
        return restoring.record_overruled_difference(begun, table)
    transition = transition.emit(BoardCorrected(transition.now_ms, command.position)).with_pending(None)
    return game_end.finish_game_if_over(restoring.record_overruled_difference(transition, table), table)


def _restart_from(transition: Transition, command: CorrectBoard, player: Player, table: MatchConfig) -> Transition:
    """The players agree on the board and on who throws next; everything open before ends."""
    problem = _find_problem(command.position, transition, table, may_be_over=False)
    if problem is not None:
        return transition.refuse(command, problem)
    throw = transition.waiting_throw
    if throw is not None and not (
        player is rolling.next_thrower(transition, table) and has_lying_die(throw, transition.seen.view.dice)
    ):
        throw = None
    transition = transition.emit(BoardCorrected(transition.now_ms, command.position, player)).with_pending(None)
    transition = restoring.record_overruled_difference(forget_roll(transition), table)
    return continue_game(transition.with_waiting_throw(throw), table)


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


def handle_take_back_play(transition: Transition, command: TakeBackPlay, table: MatchConfig) -> Transition:
    """Until the next throw; a condoned play longer, where the profile says so."""
    state = transition.state
    before = state.before_play
    if before is None or before.on_turn is None:
        return transition.refuse(command, "There is no play to take back.")
    if state.match_winner is not None and find_match_winner(state.match, table.match) is None:
        return transition.refuse(command, "The match was lost on time; no play brings it back.")
    if transition.is_playing_roll:
        window = table.profile.correction_window
        if state.questions.condoned is None or window is not CorrectionWindow.OPPONENT_PLAY_DONE:
            return transition.refuse(command, "The next roll was made already; withdraw that first.")
        transition = transition.emit(
            RollWithdrawn(transition.now_ms, transition.mover, _order_pair(state.due.numbers if state.due else ()))
        )
    transition = transition.emit(PlayTakenBack(transition.now_ms, before.on_turn, before.position))
    transition = transition.with_dice(transition.seen.dice.forget_roll()).with_waiting_throw(None)
    return transition.with_outages(transition.seen.outages.restore_trust()).with_pending(None)


def handle_condone(transition: Transition, command: Condone, table: MatchConfig) -> Transition:
    """The opponent condones the play, in ILLEGAL."""
    if not table.profile.opponent_may_condone:
        return transition.refuse(command, f"{clause_text(table.profile, Clause.ILLEGAL_PLAY)}.")
    if not can_stand(transition, table):
        return transition.refuse(command, "Play cannot go on from this board; put it right first.")
    return condone_play(transition, table, clause_text(table.profile, Clause.ILLEGAL_PLAY))


def handle_withdraw_roll(transition: Transition, command: WithdrawRoll, table: MatchConfig) -> Transition:
    """Withdraws a roll, in PLAYING; of two rolls the early one goes first."""
    state = transition.state
    early = state.turn.early
    if early is not None:
        return transition.emit(RollWithdrawn(transition.now_ms, transition.mover.opponent, _order_pair(early.numbers)))
    if state.due is None or state.due.kind is not ThrowKind.ROLL:
        return transition.refuse(command, "There is no roll to withdraw.")
    transition = transition.emit(RollWithdrawn(transition.now_ms, transition.mover, _order_pair(state.due.numbers)))
    return transition.with_dice(transition.seen.dice.forget_lifted())


def handle_accept_roll(transition: Transition, command: AcceptRoll, table: MatchConfig) -> Transition:
    """The opponent accepts an early roll, in PLAYING."""
    state = transition.state
    if state.turn.early is not None and state.turn.early.opponent_may_refuse:
        return transition.emit(RollAccepted(transition.now_ms, transition.mover.opponent))
    if state.due is not None and state.due.opponent_may_refuse:
        return transition.emit(RollAccepted(transition.now_ms, transition.mover))
    return transition.refuse(command, "There is no early roll to accept.")


def handle_set_seating(transition: Transition, command: SetSeating, table: MatchConfig) -> Transition:
    """Sets the seating; White's head is taken from the game."""
    seating = command.seating
    if isinstance(table.rules, Ruleset):
        seating = replace(seating, white_head=table.rules.white_head)
    transition = transition.emit(SeatingKnown(transition.now_ms, seating, Evidence.ENTERED)).with_pending(None)
    return transition.with_findings(transition.seen.findings.inspect(0))


def handle_set_starter(transition: Transition, command: SetStarter, table: MatchConfig) -> Transition:
    """In OPENING. In games with opening dice the starter plays the dice that lie there, if both were read."""
    unclear = transition.state.questions.throw_unclear
    transition = transition.emit(StarterKnown(transition.now_ms, command.player))
    if unclear is None or table.is_grasshopper or table.dice_rules.opening is not Opening.OPENING_DICE:
        return transition
    values = tuple(value for value in unclear.values if value is not None)
    if len(values) != 2 or len(set(values)) != 2:
        return transition
    return rolling.emit_roll(transition, _order_pair(values), table, evidence=Evidence.ENTERED)


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
            return accept_entered_play(transition, verdict, table)
        case IllegalVerdict() if transition.state.phase is Phase.RESTORE:
            return _handle_board_after_turn(transition, command, verdict, table)
        case IllegalVerdict():
            judge = partial(judge_entered_board, after=after, table=table)
            given = explain_by_missed_turn(transition, judge, table, evidence=Evidence.ENTERED)
            if given is not None:
                return accept_entered_play(*given, table)
            return refuse_play(transition, verdict, table)
        case UnclearVerdict():  # pragma: no branch - mypy sees that no other case is left
            return _accept_on_trust(transition, command, after, verdict, table)


def _handle_board_after_turn(
    transition: Transition, command: ChoosePlay | CorrectBoard, verdict: IllegalVerdict, table: MatchConfig
) -> Transition:
    """In RESTORE after an illegal play that cannot stand, when the correction window is closed."""
    if verdict.after == transition.state.position:
        return restoring.undo_refused_play(transition)
    if not may_stand(verdict, table):
        return transition.refuse(command, f"No legal play leads to this board. {verdict.sentences[0]}")
    if Rule.OPPONENT_MOVED in verdict.rules:
        return transition.refuse(command, "Both players have played since then; say who throws next as well.")
    return accept_entered_illegal_play(transition, verdict, table)


def _accept_on_trust(
    transition: Transition, command: ChoosePlay | CorrectBoard, after: str, verdict: UnclearVerdict, table: MatchConfig
) -> Transition:
    """A board with too many possible plays to judge: in UNSURE, the other player goes on from it."""
    if transition.state.phase is not Phase.UNSURE or not is_possible(after, table):
        return transition.refuse(command, verdict.sentence)
    transition = transition.emit(BoardCorrected(transition.now_ms, after, transition.mover.opponent))
    return continue_game(game_end.finish_game_if_over(forget_roll(transition), table), table)


def _order_pair(numbers: tuple[int, ...]) -> tuple[int, int]:
    first, second = numbers
    return max(first, second), min(first, second)
