"""RESTORE, and the comparison of board and log between turns: where they differ, people are shown where."""

from dataclasses import replace

from controller.adjudication import BoardDifference
from controller.match import BoardAgrees, BoardDiffers, EndedBy, PlayTakenBack, PlayUnclear, TurnGoesOn
from controller.observing import PLACES, BoardEvidence, Observation
from controller.refereeing.debounce import clear_pending, debounce, is_inspection_due, report_difference
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.phases import roll_inference
from controller.refereeing.phases.closed_out import has_perhaps_passed
from controller.refereeing.phases.judging import accept_play, end_turn
from controller.refereeing.state import Phase, RefereeState
from controller.refereeing.throw import assemble_throw, handle_throw, has_lying_die
from controller.refereeing.transition import Transition
from controller.refereeing.verdicts import LegalVerdict, compare_with_log, judge_board, place_names, shows_position


def compare_board(transition: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """Between two turns: reports a board that differs from the log and stays so."""
    lacks_a_die = bool(transition.seen.throws.loose.dice)
    if (seen.hand_in_view or lacks_a_die) and table.is_watched:
        transition = clear_pending(transition)
    if seen.board is None or not is_inspection_due(transition, seen, table):
        return transition
    transition = transition.mark_inspected()
    difference = compare_with_log(transition.state, seen.board, table)
    transition = _note_position(transition, difference, seen.board)
    if lacks_a_die:
        # nothing is reported before the throw is complete; the agreement proves that nothing was played before it
        return _note_agreement(transition) if _is_right(transition, difference) else transition
    if not (difference.extra or difference.missing):
        transition = clear_pending(_restore_trust(_note_agreement(transition), seen, difference, table))
        return roll_inference.note_lifted_dice(transition, seen, table)
    if _is_right(transition, difference):
        return clear_pending(transition)
    if not table.is_watched and transition.state.phase is Phase.AWAIT_ROLL:
        return roll_inference.handle_changed_board(transition, seen, difference, table)
    transition, is_ripe = debounce(transition, (difference.extra, difference.missing), table.patience.differs_ms)
    return _handle_difference(transition, seen.board, difference, table) if is_ripe else transition


def _note_agreement(transition: Transition) -> Transition:
    return transition.with_findings(transition.seen.findings.agree(transition.now_ms))


def _note_position(transition: Transition, difference: BoardDifference, board: BoardEvidence) -> Transition:
    is_known = shows_position(transition.state, difference, board)
    return transition.with_findings(transition.seen.findings.know(transition.now_ms)) if is_known else transition


def agrees(transition: Transition, board: BoardEvidence, table: MatchConfig) -> bool:
    """Whether the board does not visibly differ from the log."""
    return _is_right(transition, compare_with_log(transition.state, board, table))


def agrees_beside_dice(transition: Transition, board: BoardEvidence, table: MatchConfig) -> bool:
    """Whether the board agrees with the log at all places without dice. Dice disturb the reading of their place; nearly every
    play changes other places as well.
    """
    found = compare_with_log(transition.state, board, table)
    others = frozenset(PLACES) - {PLACES[number] for number in board.disturbed}
    extra, missing = (tuple(place for place in places if place in others) for places in (found.extra, found.missing))
    return _is_right(transition, replace(found, extra=extra, missing=missing))


def handle_frame(transition: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """One frame in RESTORE, which ends when the board is right or a refused play was corrected.

    A throw that is made meanwhile is kept and counts once the board is right. If the board was only misread, a legal play of
    that throw shows it.
    """
    transition = _collect_throw(transition, seen, table)
    if seen.hand_in_view:
        return clear_pending(transition)
    if seen.board is None or not is_inspection_due(transition, seen, table):
        return transition
    transition = transition.mark_inspected()
    if Phase.ILLEGAL in transition.state.underneath:
        return _handle_refused_play(_drop_lifted_throw(transition, seen), seen.board, table)
    difference = compare_with_log(transition.state, seen.board, table)
    if _is_right(transition, difference):
        transition = _note_position(transition, difference, seen.board)
        return _continue_game(clear_pending(transition).emit(BoardAgrees(transition.now_ms)), seen, table)
    played = _accept_play_despite_difference(transition, seen, table)
    return report_difference(transition, difference, table) if played is None else played


def record_overruled_difference(transition: Transition, table: MatchConfig) -> Transition:
    """A person has entered the board: differences that are seen now are ignored until they change."""
    findings = transition.seen.findings
    if transition.board is None or transition.state.seating is None:
        return transition.with_findings(findings.overrule(None))
    places = _difference_names(compare_with_log(transition.state, transition.board, table))
    return transition.with_findings(findings.overrule(places if any(places) else None)).with_waiting_throw(None)


def _collect_throw(transition: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """Keeps the last throw of the player on turn."""
    if transition.state.underneath[:1] != (Phase.AWAIT_ROLL,) or not table.is_watched:
        return transition
    transition, throw = assemble_throw(transition, seen, table)
    return transition if throw is None else transition.with_waiting_throw(throw)


def _continue_game(transition: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """Handles the throw that was made meanwhile, if its dice still lie there."""
    throw = transition.waiting_throw
    if throw is None or transition.state.phase is not Phase.AWAIT_ROLL:
        return transition
    if not has_lying_die(throw, seen.dice):
        return transition.with_waiting_throw(None)
    return handle_throw(transition, throw, table)


def _accept_play_despite_difference(transition: Transition, seen: Observation, table: MatchConfig) -> Transition | None:
    """Accepts a legal play of a throw made meanwhile, once its dice are lifted: the board was right before, and misread."""
    throw = transition.waiting_throw
    if (
        throw is None
        or seen.board is None
        or transition.state.underneath != (Phase.AWAIT_ROLL,)
        or has_lying_die(throw, seen.dice)
    ):
        return None
    transition = handle_throw(clear_pending(transition).emit(BoardAgrees(transition.now_ms)), throw, table)
    if transition.state.phase is not Phase.PLAYING:
        return None
    verdict = judge_board(transition.state, seen.board, table)
    if not isinstance(verdict, LegalVerdict):
        return None
    return accept_play(end_turn(transition, EndedBy.DICE_LIFTED), verdict, table)


def _drop_lifted_throw(transition: Transition, seen: Observation) -> Transition:
    """Forgets the throw that waits once its dice are gone."""
    throw = transition.waiting_throw
    return transition if throw is None or has_lying_die(throw, seen.dice) else transition.with_waiting_throw(None)


def _restore_trust(
    transition: Transition, seen: Observation, difference: BoardDifference, table: MatchConfig
) -> Transition:
    """A board without dice that agrees with the log proves that no turn was played unseen, unless as a pass."""
    transition = transition.with_findings(transition.seen.findings.overrule(None))
    outages = transition.seen.outages
    if not outages.was_blind or difference.unsure or seen.dice or not table.is_watched:
        return transition
    return (
        transition if has_perhaps_passed(transition.state, table) else transition.with_outages(outages.restore_trust())
    )


def _handle_difference(
    transition: Transition, board: BoardEvidence, difference: BoardDifference, table: MatchConfig
) -> Transition:
    state = transition.state
    if state.phase is Phase.AWAIT_ROLL and state.questions.throw_unclear is not None:
        return transition.emit(
            PlayUnclear(
                transition.now_ms, transition.mover, (), place_names(difference.unsure), roll_inference.NOT_READ
            )
        )
    changed = _detect_changed_play(transition, board, table)
    if changed is not None:
        return changed
    return clear_pending(transition).emit(
        BoardDiffers(transition.now_ms, place_names(difference.extra), place_names(difference.missing))
    )


def _detect_changed_play(transition: Transition, board: BoardEvidence, table: MatchConfig) -> Transition | None:
    """The last player changed to another legal play of the same roll, or the accepted play was misread; else None."""
    state = transition.state
    if state.phase is not Phase.AWAIT_ROLL or state.before_play is None or is_play_settled(state):
        return None
    before = state.before_play
    undone = transition.emit(PlayTakenBack(transition.now_ms, before.on_turn or transition.mover, before.position))
    verdict = judge_board(undone.state, board, table)
    if not isinstance(verdict, LegalVerdict) or verdict.after == state.position:
        return None
    return accept_play(undone, verdict, table)


def is_play_settled(state: RefereeState) -> bool:
    """Whether the last play is final: it was condoned, or answered with a double."""
    before = state.before_play
    return state.questions.condoned is not None or (before is not None and before.cube.value != state.cube.value)


def _handle_refused_play(transition: Transition, board: BoardEvidence, table: MatchConfig) -> Transition:
    """A play that cannot stand has to be undone: by a legal play, or by the board before it, from which it is played anew.

    A throw that the other player made meanwhile does not count.
    """
    verdict = judge_board(transition.state, board, table)
    if isinstance(verdict, LegalVerdict):
        transition, is_ripe = debounce(transition, verdict.after, table.patience.illegal_ms)
        return accept_play(transition.with_waiting_throw(None), verdict, table) if is_ripe else transition
    difference = compare_with_log(transition.state, board, table)
    if difference.extra or difference.missing:
        return report_difference(transition, difference, table)
    return undo_refused_play(transition)


def undo_refused_play(transition: Transition) -> Transition:
    """The board is as before the refused play, which is played anew; a throw made meanwhile does not count."""
    transition = clear_pending(transition).emit(BoardAgrees(transition.now_ms)).with_waiting_throw(None)
    transition = transition.emit(TurnGoesOn(transition.now_ms, transition.mover))
    return transition.with_dice(transition.seen.dice.identify(()))


def _is_right(transition: Transition, difference: BoardDifference) -> bool:
    """Whether the board agrees with the log, apart from differences that people have overruled."""
    return (
        not (difference.extra or difference.missing)
        or _difference_names(difference) == transition.seen.findings.overruled
    )


def _difference_names(difference: BoardDifference) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return place_names(difference.extra), place_names(difference.missing)
