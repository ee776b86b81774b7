"""Corrections that people enter: the end of a turn, rolls, plays, boards, the seating, the starter."""

from dataclasses import replace
from functools import partial

from controller.match.commands import (
    AcceptRoll,
    ChoosePlay,
    Condone,
    CorrectBoard,
    CorrectRoll,
    EndTurn,
    SetSeating,
    SetStarter,
    TakeBackPlay,
    WithdrawRoll,
)
from controller.match.events import (
    BoardCorrected,
    EndedBy,
    Evidence,
    PlayTakenBack,
    RollAccepted,
    RollWithdrawn,
    SeatingKnown,
    StarterKnown,
)
from controller.match.profile import Clause, CorrectionWindow, clause_text
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


def handle_end_turn(course: Transition, command: EndTurn, table: MatchConfig) -> Transition:
    """In PLAYING; in AWAIT_ROLL only for a player who can move with no roll."""
    by = EndedBy.CLOCK if command.by_clock else EndedBy.BUTTON
    if command.player not in (None, course.mover):
        return course.refuse(command, "It is the other player's turn; he ends it.")
    if not table.profile.is_ended_by(by, has_clock=table.clock is not None):
        return course.refuse(command, f"{clause_text(table.profile, Clause.TURN_END)}.")
    if course.state.phase is Phase.PLAYING:
        return end_turn(course.with_dice(course.seen.dice.identify(())), by)
    if not can_play_no_roll(course.state, table):
        return course.refuse(command, "The player on turn has to throw first.")
    return continue_game(emit_forced_pass(course), table)


def note_next_turn_ended(course: Transition, command: EndTurn, table: MatchConfig) -> Transition:
    """Notes that in a game without dice the next player acted while the turn before is still judged."""
    is_next = (
        table.is_grasshopper and course.state.phase in _INSPECTED_PHASES and command.player is course.mover.opponent
    )
    return course.with_timing(course.seen.timing.end_next_turn()) if is_next else course


def handle_correct_roll(course: Transition, command: CorrectRoll, table: MatchConfig) -> Transition:
    """Enters a roll: of the opening (White's number first), of an unread throw, or of the player on turn."""
    if not all(1 <= value <= 6 for value in command.values) or table.is_grasshopper:
        return course.refuse(command, "A roll has two numbers from 1 to 6, in a game with dice.")
    state = course.state
    if state.phase is Phase.OPENING:
        return opening.emit_opening_throw(course, *command.values, table, evidence=Evidence.ENTERED)
    asked_about = retroactive_turns.find_unread_throw(course)
    if asked_about is not None:
        return retroactive_turns.accept_entered_roll(course, asked_about, command.values, table)
    if state.due is not None and state.due.kind is ThrowKind.TRANSFER:
        return course.refuse(command, "Numbers that were handed over come first; end that part of the turn.")
    if state.phase is Phase.RESTORE and state.real_phase is not Phase.AWAIT_ROLL:
        return course.refuse(command, "The board has to be restored first.")
    if state.phase is Phase.RESTORE:  # the differences of the board were not played with this roll
        course = course.with_waiting_throw(None).mark_blind()
    was_unread = state.phase is Phase.UNSURE and state.due is None
    if state.due is None:
        course = course.with_dice(course.seen.dice.identify(retroactive_turns.find_unread_dice(course)))
    course = rolling.emit_roll(course, command.values, table, evidence=Evidence.ENTERED)
    is_hidden = state.seen.throws.was_hidden and was_unread
    course = course.with_throws(course.seen.throws.hide(is_hidden=is_hidden))
    return course.with_timing(course.seen.timing.forget_end())


def handle_choose_play(course: Transition, command: ChoosePlay, table: MatchConfig) -> Transition:
    """Judges the chosen play, in UNSURE."""
    if course.state.due is None and not table.is_grasshopper:
        return course.refuse(command, "It is not known what was thrown; say that first.")
    return _judge_entered_board(course, command, command.after, table)


def handle_correct_board(course: Transition, command: CorrectBoard, table: MatchConfig) -> Transition:
    """Takes the board as the result of the turn that is judged; elsewhere the log takes it over."""
    phase = course.state.phase
    if command.on_turn is not None and course.state.real_phase in _TURN_PHASES and not table.is_grasshopper:
        return _restart_from(course, command, command.on_turn, table)
    has_turn = course.state.due is not None or table.is_grasshopper
    is_refused = phase is Phase.RESTORE and Phase.ILLEGAL in course.state.underneath
    if is_refused or (phase in (Phase.TURN_END, Phase.ILLEGAL, Phase.UNSURE) and has_turn):
        return _judge_entered_board(course, command, command.position, table)
    problem = _find_problem(command.position, course, table, may_be_over=course.state.real_phase is Phase.AWAIT_ROLL)
    if problem is not None:
        return course.refuse(command, problem)
    if phase is Phase.SET_UP:
        if course.state.seating is None and table.seating is None:
            return course.refuse(command, "Say first who sits where and plays which checkers.")
        begun = set_up.start_game(set_up.with_agreed_seating(course, table), command.position, table)
        return restoring.record_overruled_difference(begun, table)
    course = course.emit(BoardCorrected(course.now_ms, command.position)).with_pending(None)
    return game_end.finish_game_if_over(restoring.record_overruled_difference(course, table), table)


def _restart_from(course: Transition, command: CorrectBoard, player: Player, table: MatchConfig) -> Transition:
    """The players agree on the board and on who throws next; everything open before ends."""
    problem = _find_problem(command.position, course, table, may_be_over=False)
    if problem is not None:
        return course.refuse(command, problem)
    throw = course.waiting_throw
    if throw is not None and not (
        player is rolling.next_thrower(course, table) and has_lying_die(throw, course.seen.view.dice)
    ):
        throw = None
    course = course.emit(BoardCorrected(course.now_ms, command.position, player)).with_pending(None)
    course = restoring.record_overruled_difference(forget_roll(course), table)
    return continue_game(course.with_waiting_throw(throw), table)


def _find_problem(position: str, course: Transition, table: MatchConfig, *, may_be_over: bool) -> str | None:
    """Why play cannot go on from this position; None if it can."""
    try:
        possible = is_possible(position, table)
    except RulesError as error:
        return f"{error}."
    if not possible:
        return "This board is not possible in this game; count the checkers again."
    if not may_be_over and game_end.is_over_on(position, course, table):
        return "On this board the game would be over; tell the one before it."
    return None


def handle_take_back_play(course: Transition, command: TakeBackPlay, table: MatchConfig) -> Transition:
    """Until the next throw; a condoned play longer, where the profile says so."""
    state = course.state
    before = state.before_play
    if before is None or before.on_turn is None:
        return course.refuse(command, "There is no play to take back.")
    if state.match_winner is not None and find_match_winner(state.match, table.match) is None:
        return course.refuse(command, "The match was lost on time; no play brings it back.")
    if course.is_playing_roll:
        window = table.profile.correction_window
        if state.questions.condoned is None or window is not CorrectionWindow.OPPONENT_PLAY_DONE:
            return course.refuse(command, "The next roll was made already; withdraw that first.")
        course = course.emit(
            RollWithdrawn(course.now_ms, course.mover, _order_pair(state.due.numbers if state.due else ()))
        )
    course = course.emit(PlayTakenBack(course.now_ms, before.on_turn, before.position))
    course = course.with_dice(course.seen.dice.forget_roll()).with_waiting_throw(None)
    return course.with_outages(course.seen.outages.restore_trust()).with_pending(None)


def handle_condone(course: Transition, command: Condone, table: MatchConfig) -> Transition:
    """The opponent condones the play, in ILLEGAL."""
    if not table.profile.opponent_may_condone:
        return course.refuse(command, f"{clause_text(table.profile, Clause.ILLEGAL_PLAY)}.")
    if not can_stand(course, table):
        return course.refuse(command, "Play cannot go on from this board; put it right first.")
    return condone_play(course, table, clause_text(table.profile, Clause.ILLEGAL_PLAY))


def handle_withdraw_roll(course: Transition, command: WithdrawRoll, table: MatchConfig) -> Transition:
    """Withdraws a roll, in PLAYING; of two rolls the early one goes first."""
    state = course.state
    early = state.turn.early
    if early is not None:
        return course.emit(RollWithdrawn(course.now_ms, course.mover.opponent, _order_pair(early.numbers)))
    if state.due is None or state.due.kind is not ThrowKind.ROLL:
        return course.refuse(command, "There is no roll to withdraw.")
    course = course.emit(RollWithdrawn(course.now_ms, course.mover, _order_pair(state.due.numbers)))
    return course.with_dice(course.seen.dice.forget_lifted())


def handle_accept_roll(course: Transition, command: AcceptRoll, table: MatchConfig) -> Transition:
    """The opponent accepts an early roll, in PLAYING."""
    state = course.state
    if state.turn.early is not None and state.turn.early.opponent_may_refuse:
        return course.emit(RollAccepted(course.now_ms, course.mover.opponent))
    if state.due is not None and state.due.opponent_may_refuse:
        return course.emit(RollAccepted(course.now_ms, course.mover))
    return course.refuse(command, "There is no early roll to accept.")


def handle_set_seating(course: Transition, command: SetSeating, table: MatchConfig) -> Transition:
    """Sets the seating; White's head is taken from the game."""
    seating = command.seating
    if isinstance(table.rules, Ruleset):
        seating = replace(seating, white_head=table.rules.white_head)
    course = course.emit(SeatingKnown(course.now_ms, seating, Evidence.ENTERED)).with_pending(None)
    return course.with_findings(course.seen.findings.inspect(0))


def handle_set_starter(course: Transition, command: SetStarter, table: MatchConfig) -> Transition:
    """In OPENING. In games with opening dice the starter plays the dice that lie there, if both were read."""
    unclear = course.state.questions.throw_unclear
    course = course.emit(StarterKnown(course.now_ms, command.player))
    if unclear is None or table.is_grasshopper or table.dice_rules.opening is not Opening.OPENING_DICE:
        return course
    values = tuple(value for value in unclear.values if value is not None)
    if len(values) != 2 or len(set(values)) != 2:
        return course
    return rolling.emit_roll(course, _order_pair(values), table, evidence=Evidence.ENTERED)


def _judge_entered_board(
    course: Transition, command: ChoosePlay | CorrectBoard, after: str, table: MatchConfig
) -> Transition:
    """An entered board is judged like a seen one."""
    try:
        verdict = judge_entered_board(course.state, after, table)
    except RulesError as error:
        return course.refuse(command, f"{error}.")
    match verdict:
        case LegalVerdict():
            return accept_entered_play(course, verdict, table)
        case IllegalVerdict() if course.state.phase is Phase.RESTORE:
            return _handle_board_after_turn(course, command, verdict, table)
        case IllegalVerdict():
            judge = partial(judge_entered_board, after=after, table=table)
            given = explain_by_missed_turn(course, judge, table, evidence=Evidence.ENTERED)
            if given is not None:
                return accept_entered_play(*given, table)
            return refuse_play(course, verdict, table)
        case UnclearVerdict():  # pragma: no branch - mypy sees that no other case is left
            return _accept_on_trust(course, command, after, verdict, table)


def _handle_board_after_turn(
    course: Transition, command: ChoosePlay | CorrectBoard, verdict: IllegalVerdict, table: MatchConfig
) -> Transition:
    """In RESTORE after an illegal play that cannot stand, when the correction window is closed."""
    if verdict.after == course.state.position:
        return restoring.undo_refused_play(course)
    if not may_stand(verdict, table):
        return course.refuse(command, f"No legal play leads to this board. {verdict.sentences[0]}")
    if Rule.OPPONENT_MOVED in verdict.rules:
        return course.refuse(command, "Both players have played since then; say who throws next as well.")
    return accept_entered_illegal_play(course, verdict, table)


def _accept_on_trust(
    course: Transition, command: ChoosePlay | CorrectBoard, after: str, verdict: UnclearVerdict, table: MatchConfig
) -> Transition:
    """A board with too many possible plays to judge: in UNSURE, the other player goes on from it."""
    if course.state.phase is not Phase.UNSURE or not is_possible(after, table):
        return course.refuse(command, verdict.sentence)
    course = course.emit(BoardCorrected(course.now_ms, after, course.mover.opponent))
    return continue_game(game_end.finish_game_if_over(forget_roll(course), table), table)


def _order_pair(numbers: tuple[int, ...]) -> tuple[int, int]:
    first, second = numbers
    return max(first, second), min(first, second)
