"""What people enter about the course of a turn: its roll, its end, the starter, and a roll or a play that is taken back."""

from dataclasses import replace

from controller.match import (
    Clause,
    CorrectionWindow,
    DiceRolled,
    EndedBy,
    Evidence,
    PlayTakenBack,
    RollAccepted,
    RollWithdrawn,
    StarterKnown,
    clause_text,
    commands,
)
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.phases import opening
from controller.refereeing.phases.closed_out import can_play_no_roll, emit_forced_pass
from controller.refereeing.phases.judging import continue_game, end_turn
from controller.refereeing.state import Phase
from controller.refereeing.throw import PendingThrow, die_numbers, emit_roll
from controller.refereeing.transition import Transition
from controller.rules import Opening, ThrowKind, find_match_winner

_INSPECTED_PHASES = (Phase.TURN_END, Phase.UNSURE)


def handle_set_starter(transition: Transition, command: commands.SetStarter, table: MatchConfig) -> Transition:
    """In OPENING. In games with opening dice the starter plays the dice that lie there, if both were read."""
    unclear = transition.state.questions.throw_unclear
    transition = transition.emit(StarterKnown(transition.now_ms, command.player))
    if unclear is None or table.is_grasshopper or table.dice_rules.opening is not Opening.OPENING_DICE:
        return transition
    values = tuple(value for value in unclear.values if value is not None)
    if len(values) != 2 or len(set(values)) != 2:
        return transition
    return emit_roll(transition, _order_pair(values), table, evidence=Evidence.ENTERED)


def handle_correct_roll(transition: Transition, command: commands.CorrectRoll, table: MatchConfig) -> Transition:
    """Enters a roll: of the opening (White's number first), of an unread throw, or of the player on turn."""
    if not all(1 <= value <= 6 for value in command.values) or table.is_grasshopper:
        return transition.refuse(command, "A roll has two numbers from 1 to 6, in a game with dice.")
    state = transition.state
    if state.phase is Phase.OPENING:
        return opening.emit_opening_throw(transition, *command.values, table, evidence=Evidence.ENTERED)
    asked_about = _find_unread_throw(transition)
    if asked_about is not None:
        return _accept_entered_roll(transition, asked_about, command.values, table)
    if state.due is not None and state.due.kind is ThrowKind.TRANSFER:
        return transition.refuse(command, "Numbers that were handed over come first; end that part of the turn.")
    if state.phase is Phase.RESTORE and state.real_phase is not Phase.AWAIT_ROLL:
        return transition.refuse(command, "The board has to be restored first.")
    if state.phase is Phase.RESTORE:  # the differences of the board were not played with this roll
        transition = transition.with_waiting_throw(None).mark_blind()
    was_unread = state.phase is Phase.UNSURE and state.due is None
    if state.due is None:
        transition = transition.with_dice(transition.seen.dice.identify(_find_unread_dice(transition)))
    transition = emit_roll(transition, command.values, table, evidence=Evidence.ENTERED)
    is_hidden = state.seen.throws.was_hidden and was_unread
    transition = transition.with_throws(transition.seen.throws.hide(is_hidden=is_hidden))
    return transition.with_timing(transition.seen.timing.forget_end())


def handle_end_turn(transition: Transition, command: commands.EndTurn, table: MatchConfig) -> Transition:
    """In PLAYING; in AWAIT_ROLL only for a player who can move with no roll."""
    by = EndedBy.CLOCK if command.by_clock else EndedBy.BUTTON
    if command.player not in (None, transition.mover):
        return transition.refuse(command, "It is the other player's turn; he ends it.")
    if not table.profile.is_ended_by(by, table.clock):
        return transition.refuse(command, f"{clause_text(table.profile, Clause.TURN_END)}.")
    if transition.state.phase is Phase.PLAYING:
        return end_turn(transition.with_dice(transition.seen.dice.identify(())), by)
    if not can_play_no_roll(transition.state, table):
        return transition.refuse(command, "The player on turn has to throw first.")
    return continue_game(emit_forced_pass(transition, table), table)


def note_next_turn_ended(transition: Transition, command: commands.EndTurn, table: MatchConfig) -> Transition:
    """Notes that in a game without dice the next player acted while the turn before is still judged."""
    is_next = (
        table.is_grasshopper
        and transition.state.phase in _INSPECTED_PHASES
        and command.player is transition.mover.opponent
    )
    return transition.with_timing(transition.seen.timing.end_next_turn()) if is_next else transition


def handle_take_back_play(transition: Transition, command: commands.TakeBackPlay, table: MatchConfig) -> Transition:
    """Until the next throw; a condoned play longer, where the profile says so."""
    state = transition.state
    before = state.before_play
    if before is None or before.on_turn is None:
        return transition.refuse(command, "There is no play to take back.")
    if state.match_winner is not None and find_match_winner(state.match, table.match) is None:
        return transition.refuse(command, "The match was lost on time; no play brings it back.")
    if state.is_result_final:
        return transition.refuse(command, "Both players have confirmed the score; call a dispute first.")
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


def handle_withdraw_roll(transition: Transition, command: commands.WithdrawRoll, table: MatchConfig) -> Transition:
    """Withdraws a roll, in PLAYING; of two rolls the early one goes first."""
    state = transition.state
    early = state.turn.early
    if early is not None:
        return transition.emit(RollWithdrawn(transition.now_ms, transition.mover.opponent, _order_pair(early.numbers)))
    if state.due is None or state.due.kind is not ThrowKind.ROLL:
        return transition.refuse(command, "There is no roll to withdraw.")
    transition = transition.emit(RollWithdrawn(transition.now_ms, transition.mover, _order_pair(state.due.numbers)))
    return transition.with_dice(transition.seen.dice.forget_lifted())


def handle_accept_roll(transition: Transition, command: commands.AcceptRoll, table: MatchConfig) -> Transition:
    """The opponent accepts an early roll, in PLAYING."""
    state = transition.state
    if state.turn.early is not None and state.turn.early.opponent_may_refuse:
        return transition.emit(RollAccepted(transition.now_ms, transition.mover.opponent))
    if state.due is not None and state.due.opponent_may_refuse:
        return transition.emit(RollAccepted(transition.now_ms, transition.mover))
    return transition.refuse(command, "There is no early roll to accept.")


def _order_pair(numbers: tuple[int, ...]) -> tuple[int, int]:
    first, second = numbers
    return max(first, second), min(first, second)


_UNJUDGED_PHASES = (Phase.PLAYING, Phase.TURN_END, Phase.ILLEGAL, Phase.UNSURE)


def _find_unread_throw(transition: Transition) -> PendingThrow | None:
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


def _find_unread_dice(transition: Transition) -> tuple[int, ...]:
    """Numbers of the unread dice that lie there; they show the entered roll."""
    unread, lying = transition.seen.throws.unread, {die.number for die in transition.seen.view.dice}
    return () if unread is None else tuple(number for number in die_numbers(unread) if number in lying)


def _accept_entered_roll(
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
