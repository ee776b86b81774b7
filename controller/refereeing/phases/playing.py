"""PLAYING: nothing is judged. The handlers find the end of the turn, and dice that are thrown early or anew."""

from dataclasses import replace

from controller.match import DiceRolled, EndedBy, RollWithdrawn
from controller.observing import DICE_OF_A_THROW, Observation
from controller.refereeing.debounce import is_inspection_due
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.phases import restoring, turn_end, turn_without_dice
from controller.refereeing.phases.judging import end_turn
from controller.refereeing.throw import (
    PendingThrow,
    are_all_far,
    assemble_throw,
    detect_rethrow,
    detect_throw_while_lifting,
    die_numbers,
    emit_turned_dice,
    emit_uncounted_throw,
    ends_a_turn,
    find_displaced_dice,
    handle_throw,
    identify_own_dice,
    is_rethrown,
    judge_throw,
    next_thrower,
    restore_trust_in_dice,
    valid_values,
)
from controller.refereeing.transition import Transition
from controller.refereeing.verdicts import LegalVerdict, compare_with_log, judge_board, shows_position
from controller.rules import EarlyThrow, FollowKind, ThrowKind


def handle_frame(transition: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """One frame of a turn."""
    if transition.state.due is None:
        return turn_without_dice.handle_frame(transition, seen, table)
    if transition.state.due.kind is ThrowKind.TRANSFER:
        return _handle_handed_over_numbers(transition, seen, table)
    return _handle_own_roll(transition, seen, table)


def _handle_handed_over_numbers(transition: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """Handed-over numbers have no dice to lift; the player's own throw ends this part of the turn."""
    transition, throw = assemble_throw(transition, seen, table)
    if throw is None:
        return transition
    ruling = judge_throw(throw, transition.mover, transition, table)
    if not ruling.valid:
        return emit_uncounted_throw(transition, transition.mover, throw, ruling)
    transition = end_turn(transition.with_waiting_throw(throw), EndedBy.NEXT_THROW)
    return turn_end.handle_frame(transition, without_dice_events(seen), table)


def _handle_own_roll(transition: Transition, seen: Observation, table: MatchConfig) -> Transition:
    transition = restore_trust_in_dice(identify_own_dice(transition, seen), seen)
    transition = _find_missed_turn(transition, seen, table)
    own = transition.seen.dice.own
    rethrow = _detect_rethrow(transition, seen, table)
    if rethrow is not None:
        return _handle_next_throw(transition, seen, table, rethrow)
    mixed = detect_throw_while_lifting(transition, seen)
    if mixed is not None:
        left = tuple(number for number in own if number not in die_numbers(mixed))
        return _handle_early_throw(transition.with_dice(transition.seen.dice.identify(left)), mixed, table)
    transition = _report_turned_dice(transition, seen, table)
    transition, throw = assemble_throw(transition, seen, table)
    lie = [die.number for die in seen.dice if die.number in own]
    if throw is not None and not set(own) & {die.number for die in throw.dice}:
        return (
            _handle_throw_beside_own(transition, throw, seen, table)
            if lie
            else _handle_next_throw(transition, seen, table, throw)
        )
    if own and not lie and _ends(table, EndedBy.DICE_LIFTED) and not _is_unplayed(transition, seen, table):
        transition = end_turn(transition, EndedBy.DICE_LIFTED)
        return turn_end.handle_frame(transition, without_dice_events(seen), table)
    return _detect_unseen_end(transition, seen, table)


def _find_missed_turn(transition: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """No turn is missing before the roll if its dice lie beside the position of the log, from which it is played."""
    if not transition.seen.outages.perhaps_missed_turn or seen.board is None:
        return transition
    if not any(die.number in transition.seen.dice.own for die in seen.dice):
        return transition
    difference = compare_with_log(transition.state, seen.board, table)
    is_missed = not shows_position(transition.state, difference, seen.board)
    return transition.with_outages(transition.seen.outages.miss_turn(is_missed=is_missed))


def _handle_throw_beside_own(
    transition: Transition, throw: PendingThrow, seen: Observation, table: MatchConfig
) -> Transition:
    """A throw while dice of the roll lie there is early, unless those were laid beside the board.

    Dice laid beside the board after a finished play were lifted. If the play is not finished as far as the board shows, they
    may only have been put out of the way, and nobody knows whether the throw came too early.
    """
    own, beside = transition.seen.dice.own, transition.seen.dice.beside
    is_put_away = all(die.number in beside for die in seen.dice if die.number in own)
    if not is_put_away or not _ends(table, EndedBy.DICE_LIFTED):
        return _handle_early_throw(transition, throw, table)
    if _may_be_over(transition, seen, table):
        return _handle_next_throw(transition, seen, table, throw)
    is_void = table.profile.early_throw is EarlyThrow.VOID
    return _handle_early_throw(transition, throw, table, opponent_lifted=None if is_void else False)


def _detect_unseen_end(transition: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """Ends a turn whose dice were lifted unseen: by a play that ends the game, after which nobody throws.

    A roll whose dice were taken up while it waited for a verdict ends with the first legal play that shows.
    """
    dice = transition.seen.dice
    may_be_over = (
        transition.seen.outages.was_blind and not dice.own and not seen.dice and _ends(table, EndedBy.DICE_LIFTED)
    )
    if not may_be_over or seen.board is None or not is_inspection_due(transition, seen, table):
        return transition
    transition, verdict = transition.mark_inspected(), judge_board(transition.state, seen.board, table)
    if not isinstance(verdict, LegalVerdict):
        return transition
    is_made = bool(dice.lifted) and verdict.after != transition.state.position
    if not is_made and verdict.follow != FollowKind.GAME_OVER.value:
        return transition
    return turn_end.handle_frame(end_turn(transition, EndedBy.DICE_LIFTED), without_dice_events(seen), table)


def without_dice_events(seen: Observation) -> Observation:
    """The frame for a second handler, its dice events having been handled."""
    return replace(seen, dice_events=())


def _ends(table: MatchConfig, by: EndedBy) -> bool:
    return table.profile.is_ended_by(by, table.clock)


def _handle_next_throw(
    transition: Transition, seen: Observation, table: MatchConfig, throw: PendingThrow
) -> Transition:
    """A throw while the mover's dice are gone: it ends the turn if it counts; otherwise their lifting does."""
    thrower = next_thrower(transition, table)
    ruling = judge_throw(throw, thrower, transition, table)
    was_lifted = bool(transition.seen.dice.own) and _ends(table, EndedBy.DICE_LIFTED)
    if _is_unplayed(transition, seen, table):
        return handle_throw(_withdraw_roll(transition), throw, table)
    if not ends_a_turn(ruling, table):
        transition = end_turn(transition, EndedBy.DICE_LIFTED) if was_lifted else transition
        return emit_uncounted_throw(transition, thrower, throw, ruling)
    transition = end_turn(transition.with_waiting_throw(throw), EndedBy.NEXT_THROW)
    return turn_end.handle_frame(transition, without_dice_events(seen), table)


def _withdraw_roll(transition: Transition) -> Transition:
    high, low = transition.state.due.numbers if transition.state.due else (0, 0)
    return transition.emit(RollWithdrawn(transition.now_ms, transition.mover, (high, low)))


def _is_unplayed(transition: Transition, seen: Observation, table: MatchConfig) -> bool:
    """Whether, at a table that is not watched, nothing was played yet: missing dice were hidden, or are thrown again."""
    if table.is_watched or seen.board is None or transition.state.turn.is_pass_forced:
        return False
    return restoring.agrees(transition, seen.board, table)


def _handle_early_throw(
    transition: Transition, throw: PendingThrow, table: MatchConfig, *, opponent_lifted: bool | None = False
) -> Transition:
    """Judges a throw of the other player while this turn lasts; a single die is no throw.

    `opponent_lifted` None: nobody knows whether the turn is over. A second early throw does not replace the first.
    """
    if len(throw.dice) < DICE_OF_A_THROW or transition.state.turn.early is not None:
        return transition
    other = transition.mover.opponent
    ruling = judge_throw(throw, other, transition, table, opponent_lifted=opponent_lifted)
    if not ruling.valid:
        return emit_uncounted_throw(transition, other, throw, ruling)
    values = valid_values(ruling)
    transition = transition.with_dice(transition.seen.dice.throw_early(die_numbers(throw)))
    return transition.emit(DiceRolled(transition.now_ms, other, values, opponent_may_refuse=ruling.opponent_may_refuse))


def _detect_rethrow(transition: Transition, seen: Observation, table: MatchConfig) -> PendingThrow | None:
    """A next throw with dice whose lifting was not seen. Dice are also pushed and tipped, so the play must be finished."""
    throw = detect_rethrow(find_displaced_dice(transition, seen), seen)
    return throw if throw is not None and _is_played(transition, seen, table) else None


def _is_played(transition: Transition, seen: Observation, table: MatchConfig) -> bool:
    """Whether the board shows a legal play."""
    if seen.board is None:
        return False
    verdict = judge_board(transition.state, seen.board, table)
    return isinstance(verdict, LegalVerdict) and verdict.after != transition.state.position


def _may_be_over(transition: Transition, seen: Observation, table: MatchConfig) -> bool:
    """Whether the turn may be finished: a legal play stands on the board, or a pass is forced and the board is unchanged."""
    is_pass = (
        transition.state.turn.is_pass_forced
        and seen.board is not None
        and restoring.agrees(transition, seen.board, table)
    )
    return is_pass or _is_played(transition, seen, table)


def _report_turned_dice(transition: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """Reports turned dice of the roll, which stays. If they may have been thrown anew, the turn counts as unwatched."""
    own = transition.seen.dice.own
    transition = emit_turned_dice(transition, seen)
    ways = find_displaced_dice(transition, seen)
    is_thrown_anew = bool(ways) and all(map(is_rethrown, ways))
    may_be_thrown_anew = (ways or are_all_far(own, seen)) and _may_be_over(transition, seen, table)
    return transition.mark_blind() if is_thrown_anew or may_be_thrown_anew else transition
