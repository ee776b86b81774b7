"""TURN_END, ILLEGAL and UNSURE: the settled board is judged, and again while it was refused or unclear."""

from dataclasses import replace

from controller.match import BoardAgrees, TurnGoesOn
from controller.observing import BoardEvidence, Observation
from controller.refereeing.debounce import is_inspection_due, mark_hand_present, pending_since_ms
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.phases import hindsight, restoring, roll_inference
from controller.refereeing.phases.judging import judge_turn, mark_overtaken
from controller.refereeing.state import Phase
from controller.refereeing.throw import (
    PendingThrow,
    assemble_throw,
    dice_are_back,
    emit_uncounted_throw,
    ends_a_turn,
    has_lying_die,
    is_view_settled,
    judge_throw,
    next_thrower,
)
from controller.refereeing.transition import Transition
from controller.refereeing.verdicts import UnclearVerdict, judge_board, may_hand_over


def handle_frame(transition: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """One frame in TURN_END: the board is judged as soon as it has settled."""
    if dice_are_back(transition, seen):
        return transition.emit(TurnGoesOn(transition.now_ms, transition.mover)).with_waiting_throw(None)
    transition = _collect_throw(transition, seen, table)
    if seen.hand_in_view or transition.seen.throws.was_hidden:
        return _handle_hand_after_throw(transition, table)
    transition = _note_possible_play(transition, seen)
    board, ended_ms = seen.board, transition.seen.timing.ended_ms
    if board is None or (ended_ms is not None and board.taken_ms < ended_ms):
        return transition
    return judge_turn(transition, board, table)


def handle_frame_after_verdict(transition: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """One frame in ILLEGAL or UNSURE."""
    if dice_are_back(transition, seen):
        return transition.emit(TurnGoesOn(transition.now_ms, transition.mover)).with_waiting_throw(None)
    if transition.seen.throws.was_hidden:
        return hindsight.handle_frame(transition, seen, table)
    transition = _collect_throw(transition, seen, table)
    if seen.hand_in_view:
        return _handle_hand_after_throw(transition, table).with_pending(None)
    transition = _note_possible_play(transition, seen)
    is_urgent = transition.waiting_throw is not None and seen.board is not None
    if seen.board is None or not (is_urgent or is_inspection_due(transition, seen, table)):
        return transition
    if transition.state.due is None and not table.is_grasshopper:
        return _handle_unread_roll(transition, seen.board, table)
    transition = judge_turn(transition, seen.board, table)
    is_overtaken = transition.state.phase is Phase.UNSURE and transition.waiting_throw is not None
    return (
        roll_inference.give_up_turn(transition, seen.board, table)
        if is_overtaken and not table.is_watched
        else transition
    )


def _note_possible_play(transition: Transition, seen: Observation) -> Transition:
    """Motion after a throw may be an undetected hand that plays it: the turn counts as unwatched from then on.

    A question then refers to the board as it was seen before the motion.
    """
    if transition.seen.outages.was_blind or not seen.is_moving or transition.waiting_throw is None:
        return transition
    board = transition.board
    is_of_turn = board is not None and board.taken_ms >= (transition.seen.timing.ended_ms or 0)
    return transition.mark_blind().with_findings(transition.seen.findings.ask_about(board if is_of_turn else None))


def _handle_unread_roll(transition: Transition, board: BoardEvidence, table: MatchConfig) -> Transition:
    """A play with an unread throw: it ends when a person enters the roll, when it is undone, or when a roll explains it."""
    transition = transition.mark_inspected()
    if transition.waiting_throw is None and restoring.agrees(transition, board, table):
        return transition.emit(BoardAgrees(transition.now_ms))
    return roll_inference.explain_turn_later(transition, board, table)


def _collect_throw(transition: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """A throw that settles while a verdict is due waits for it; a throw that does not count is reported at once.

    If the dice of a waiting throw were taken up and others thrown, a person has to say which throw counts.
    """
    transition = _recover_throw_before_blind(transition, seen)
    transition, throw = assemble_throw(transition, seen, table)
    waiting = transition.waiting_throw
    if throw is None or (
        waiting is not None and (waiting.entered_values is not None or _still_lies(waiting, throw, seen))
    ):
        return transition
    if waiting is not None:
        return transition.with_waiting_throw(replace(throw, may_have_lain=True))
    thrower = next_thrower(transition, table)
    ruling = judge_throw(throw, thrower, transition, table)
    if ends_a_turn(ruling, table):
        return transition.with_waiting_throw(throw)
    return emit_uncounted_throw(transition, thrower, throw, ruling)


def _still_lies(waiting: PendingThrow, throw: PendingThrow, seen: Observation) -> bool:
    """Whether the waiting throw still lies there beside the new one, which uses none of its dice."""
    return has_lying_die(waiting, seen.dice) and not has_lying_die(waiting, throw.dice)


def _recover_throw_before_blind(transition: Transition, seen: Observation) -> Transition:
    """Dice that lie unchanged since before the camera was lost are the throw that waited then."""
    throws = transition.seen.throws
    before = throws.before_blind
    if before is None:
        return transition
    if throws.waiting is not None or not seen.has_unchanged_dice({die.number for die in before.dice}):
        return transition.with_throws(throws.keep_before_blind(None))
    if not is_view_settled(transition, seen):
        return transition
    return transition.with_throws(throws.find_again())


def _handle_hand_after_throw(transition: Transition, table: MatchConfig) -> Transition:
    """A hand while a throw waits: the next player may begin to play, so an open verdict becomes a question now."""
    if transition.waiting_throw is None:
        return _handle_hand_without_throw(transition, table)
    board, ended_ms = transition.board, transition.seen.timing.ended_ms
    was_seen = board is not None and ended_ms is not None and board.taken_ms >= ended_ms
    verdict = judge_board(transition.state, board, table) if board is not None and was_seen else None
    return mark_overtaken(transition, verdict if isinstance(verdict, UnclearVerdict) else None)


def _handle_hand_without_throw(transition: Transition, table: MatchConfig) -> Transition:
    """A hand without a waiting throw may be the next player's where he acts without dice, or with handed-over numbers."""
    if transition.seen.outages.was_blind:
        return transition
    in_doubt = transition.state.phase is Phase.UNSURE or pending_since_ms(transition, UnclearVerdict) is not None
    may_act = table.is_grasshopper or may_hand_over(transition.state, table)
    if in_doubt and may_act:
        return transition.mark_blind()
    return mark_hand_present(transition) if table.is_grasshopper else transition
