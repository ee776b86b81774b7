"""TURN_END, ILLEGAL and UNSURE: the settled board is judged, and again while it was refused or unclear."""

from dataclasses import replace

from controller.match.events import BoardAgrees, TurnGoesOn
from controller.observing.board_evidence import BoardEvidence
from controller.observing.observation import Observation
from controller.refereeing.debounce import is_inspection_due, mark_hand_present, pending_since_ms
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.perception import PendingThrow
from controller.refereeing.phases import restoring, retroactive_turns, roll_inference
from controller.refereeing.phases.judging import OVERTAKEN, judge_turn, mark_overtaken
from controller.refereeing.state import Phase
from controller.refereeing.throw import dice_displacement, rolling, throw_assembly
from controller.refereeing.transition import Transition
from controller.refereeing.verdicts import UnclearVerdict, judge_board, may_hand_over
from vision.dice_tracking.events import DiceFound


def handle_frame(course: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """One frame in TURN_END: the board is judged as soon as it has settled."""
    if dice_are_back(course, seen):
        return course.emit(TurnGoesOn(course.now_ms, course.mover)).with_waiting_throw(None)
    course = _collect_throw(course, seen, table)
    if seen.hand_in_view or course.seen.throws.was_hidden:
        return _handle_hand_after_throw(course, table)
    course = _note_possible_play(course, seen)
    board, ended_ms = seen.board, course.seen.timing.ended_ms
    if board is None or (ended_ms is not None and board.taken_ms < ended_ms):
        return course
    return judge_turn(course, board, table)


def handle_frame_after_verdict(course: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """One frame in ILLEGAL or UNSURE."""
    if dice_are_back(course, seen):
        return course.emit(TurnGoesOn(course.now_ms, course.mover)).with_waiting_throw(None)
    if course.seen.throws.was_hidden:
        return retroactive_turns.handle_frame(course, seen, table)
    course = _collect_throw(course, seen, table)
    if seen.hand_in_view:
        return _handle_hand_after_throw(course, table).with_pending(None)
    course = _note_possible_play(course, seen)
    is_urgent = course.waiting_throw is not None and seen.board is not None
    if seen.board is None or not (is_urgent or is_inspection_due(course, seen, table)):
        return course
    if course.state.due is None and not table.is_grasshopper:
        return _handle_unread_roll(course, seen.board, table)
    course = judge_turn(course, seen.board, table)
    is_overtaken = course.state.phase is Phase.UNSURE and course.waiting_throw is not None
    return roll_inference.give_up_turn(course, seen.board, table) if is_overtaken and not table.is_watched else course


def _note_possible_play(course: Transition, seen: Observation) -> Transition:
    """Motion after a throw may be an undetected hand that plays it: the turn counts as unwatched from then on.

    A question then refers to the board as it was seen before the motion.
    """
    if course.seen.outages.was_blind or not seen.is_moving or course.waiting_throw is None:
        return course
    board = course.board
    is_of_turn = board is not None and board.taken_ms >= (course.seen.timing.ended_ms or 0)
    return course.mark_blind().with_findings(course.seen.findings.ask_about(board if is_of_turn else None))


def _handle_unread_roll(course: Transition, board: BoardEvidence, table: MatchConfig) -> Transition:
    """A play with an unread throw: it ends when a person enters the roll, when it is undone, or when a roll explains it."""
    course = course.mark_inspected()
    if course.waiting_throw is None and restoring.agrees(course, board, table):
        return course.emit(BoardAgrees(course.now_ms))
    return roll_inference.explain_turn_later(course, board, table)


def dice_are_back(course: Transition, seen: Observation) -> bool:
    """Whether dice whose lifting ended the turn lie there again: they were only hidden."""
    ended = course.seen.dice.ended
    found = [die.number for event in seen.dice_events if isinstance(event, DiceFound) for die in event.dice]
    return any(number in ended for number in found)


def _collect_throw(course: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """A throw that settles while a verdict is due waits for it; a throw that does not count is reported at once.

    If the dice of a waiting throw were taken up and others thrown, a person has to say which throw counts.
    """
    course = _recover_throw_before_blind(course, seen)
    course, throw = throw_assembly.assemble_throw(course, seen, table)
    waiting = course.waiting_throw
    if throw is None or (
        waiting is not None and (waiting.entered_values is not None or _still_lies(waiting, throw, seen))
    ):
        return course
    if waiting is not None:
        return course.with_waiting_throw(replace(throw, may_have_lain=True))
    thrower = rolling.next_thrower(course, table)
    ruling = rolling.judge_throw(throw, thrower, course, table)
    if rolling.ends_a_turn(ruling, table):
        return course.with_waiting_throw(throw)
    return rolling.emit_uncounted_throw(course, thrower, throw, ruling)


def _still_lies(waiting: PendingThrow, throw: PendingThrow, seen: Observation) -> bool:
    """Whether the waiting throw still lies there beside the new one, which uses none of its dice."""
    return restoring.has_lying_die(waiting, seen.dice) and not restoring.has_lying_die(waiting, throw.dice)


def _recover_throw_before_blind(course: Transition, seen: Observation) -> Transition:
    """Dice that lie unchanged since before the camera was lost are the throw that waited then."""
    throws = course.seen.throws
    before = throws.before_blind
    if before is None:
        return course
    if throws.waiting is not None or not seen.has_unchanged_dice({die.number for die in before.dice}):
        return course.with_throws(throws.keep_before_blind(None))
    if not dice_displacement.is_view_settled(course, seen):
        return course
    return course.with_throws(throws.find_again())


def _handle_hand_after_throw(course: Transition, table: MatchConfig) -> Transition:
    """A hand while a throw waits: the next player may begin to play, so an open verdict becomes a question now."""
    if course.waiting_throw is None:
        return _handle_hand_without_throw(course, table)
    board, ended_ms = course.board, course.seen.timing.ended_ms
    was_seen = board is not None and ended_ms is not None and board.taken_ms >= ended_ms
    verdict = judge_board(course.state, board, table) if board is not None and was_seen else None
    return mark_overtaken(
        course, verdict if isinstance(verdict, UnclearVerdict) else UnclearVerdict((), (), (), OVERTAKEN)
    )


def _handle_hand_without_throw(course: Transition, table: MatchConfig) -> Transition:
    """A hand without a waiting throw may be the next player's where he acts without dice, or with handed-over numbers."""
    if course.seen.outages.was_blind:
        return course
    in_doubt = course.state.phase is Phase.UNSURE or pending_since_ms(course, UnclearVerdict) is not None
    may_act = table.is_grasshopper or may_hand_over(course.state, table)
    if in_doubt and may_act:
        return course.mark_blind()
    return mark_hand_present(course) if table.is_grasshopper else course
