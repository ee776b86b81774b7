"""PLAYING in games without dice: a turn ends by a button, the clock, or a changed board that stays as it is.

A changed board that cannot be read is asked about when it stays. If a hand comes first, it may be the next player's, and
nobody is accused of the board that follows.
"""

from controller.match import EndedBy, Evidence
from controller.observing import BoardEvidence, Observation
from controller.refereeing.debounce import clear_pending, debounce, is_inspection_due, pending_since_ms
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.phases.explained_turns import NOT_SEEN
from controller.refereeing.phases.judging import (
    accept_play,
    end_turn,
    refuse_play,
    report_unclear_play,
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


def handle_frame(transition: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """One frame of a turn without dice."""
    if seen.hand_in_view:
        is_in_doubt = pending_since_ms(transition, UnclearVerdict) is not None
        return clear_pending(transition.mark_blind() if is_in_doubt else transition)
    if seen.board is None or not is_inspection_due(transition, seen, table):
        return transition
    transition = transition.mark_inspected()
    verdict = judge_board(transition.state, seen.board, table)
    match verdict:
        case LegalVerdict():
            transition = transition.with_findings(transition.seen.findings.act(verdict.after))
            transition, is_ripe = debounce(transition, verdict.after, table.patience.still_ms)
            return accept_play(end_turn(transition, EndedBy.STILL), verdict, table) if is_ripe else transition
        case IllegalVerdict() if not verdict.is_unchanged:
            first = _detect_both_acted(transition, seen.board, table)
            if first is not None:
                return accept_play(end_turn(transition, EndedBy.STILL), first, table, evidence=Evidence.INFERRED)
            patience_ms = table.patience.still_ms + table.patience.illegal_ms
            transition, is_ripe = debounce(transition, verdict, patience_ms)
            if not is_ripe:
                return transition
            was_blind, transition = transition.seen.outages.was_blind, end_turn(transition, EndedBy.STILL)
            return (
                report_unclear_play(transition, UnclearVerdict((), (), verdict.take_back + verdict.belongs, NOT_SEEN))
                if was_blind
                else refuse_play(transition, verdict, table)
            )
        case UnclearVerdict() if table.is_watched and _is_changed(transition, seen.board, table):
            transition, is_ripe = debounce(transition, UnclearVerdict, table.patience.unclear_ms)
            return report_unclear_play(end_turn(transition, EndedBy.STILL), verdict) if is_ripe else transition
        case _:
            return clear_pending(transition.with_findings(transition.seen.findings.act("")))


def _detect_both_acted(transition: Transition, board: BoardEvidence, table: MatchConfig) -> LegalVerdict | None:
    """The legal action that was seen before, if the other player's action leads from it to the present board.

    The other player acted before the first action had lasted long enough to be accepted.
    """
    acted = transition.seen.findings.action_position
    first = judge_entered_board(transition.state, acted, table) if acted else None
    if not isinstance(first, LegalVerdict) or first.follow == FollowKind.GAME_OVER.value:
        return None
    then = judge_board(with_position(transition.state, first.after), board, table)
    return first if isinstance(then, LegalVerdict) else None


def _is_changed(transition: Transition, board: BoardEvidence, table: MatchConfig) -> bool:
    """Whether the board surely differs from the log."""
    found = compare_with_log(transition.state, board, table)
    return bool(found.extra or found.missing)
