"""PLAYING in games without dice: a turn ends by a button, the clock, or a changed board that stays as it is.

A changed board that cannot be read is asked about when it stays. If a hand comes first, it may be the next player's, and
nobody is accused of the board that follows.
"""

from controller.match.events import EndedBy, Evidence
from controller.observing.board_evidence import BoardEvidence
from controller.observing.observation import Observation
from controller.refereeing.debounce import clear_pending, debounce, is_inspection_due, pending_since_ms
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.phases.judging import (
    accept_play,
    end_turn,
    refuse_play,
    report_unclear_play,
    report_unwatched_play,
)
from controller.refereeing.state import with_position
from controller.refereeing.transition import Transition
from controller.refereeing.verdicts import (
    IllegalVerdict,
    LegalVerdict,
    UnclearVerdict,
    compare_with_log,
    judge_board,
    judge_entered_board,
)
from controller.rules import FollowKind


def handle_frame(course: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """One frame of a turn without dice."""
    if seen.hand_in_view:
        is_in_doubt = pending_since_ms(course, UnclearVerdict) is not None
        return clear_pending(course.mark_blind() if is_in_doubt else course)
    if seen.board is None or not is_inspection_due(course, seen, table):
        return course
    course = course.mark_inspected()
    verdict = judge_board(course.state, seen.board, table)
    match verdict:
        case LegalVerdict():
            course = course.with_findings(course.seen.findings.act(verdict.after))
            course, is_ripe = debounce(course, verdict.after, table.patience.still_ms)
            return accept_play(end_turn(course, EndedBy.STILL), verdict, table) if is_ripe else course
        case IllegalVerdict() if not verdict.is_unchanged:
            first = _detect_both_acted(course, seen.board, table)
            if first is not None:
                return accept_play(end_turn(course, EndedBy.STILL), first, table, evidence=Evidence.INFERRED)
            patience_ms = table.patience.still_ms + table.patience.illegal_ms
            course, is_ripe = debounce(course, verdict, patience_ms)
            if not is_ripe:
                return course
            was_blind, course = course.seen.outages.was_blind, end_turn(course, EndedBy.STILL)
            return report_unwatched_play(course, verdict) if was_blind else refuse_play(course, verdict, table)
        case UnclearVerdict() if table.is_watched and _is_changed(course, seen.board, table):
            course, is_ripe = debounce(course, UnclearVerdict, table.patience.unclear_ms)
            return report_unclear_play(end_turn(course, EndedBy.STILL), verdict) if is_ripe else course
        case _:
            return clear_pending(course.with_findings(course.seen.findings.act("")))


def _detect_both_acted(course: Transition, board: BoardEvidence, table: MatchConfig) -> LegalVerdict | None:
    """The legal action that was seen before, if the other player's action leads from it to the present board.

    The other player acted before the first action had lasted long enough to be accepted.
    """
    acted = course.seen.findings.action_position
    first = judge_entered_board(course.state, acted, table) if acted else None
    if not isinstance(first, LegalVerdict) or first.follow == FollowKind.GAME_OVER.value:
        return None
    then = judge_board(with_position(course.state, first.after), board, table)
    return first if isinstance(then, LegalVerdict) else None


def _is_changed(course: Transition, board: BoardEvidence, table: MatchConfig) -> bool:
    """Whether the board surely differs from the log."""
    found = compare_with_log(course.state, board, table)
    return bool(found.extra or found.missing)
