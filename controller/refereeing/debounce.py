"""Conditions that must last before they are reported: one pending condition at a time, compared by value.

`report_difference` applies this to a board that is not as it should be, before a game or within one.
"""

from controller.adjudication import BoardDifference
from controller.match import BoardDiffers
from controller.observing import Observation
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.perception import PendingCondition
from controller.refereeing.state import Phase
from controller.refereeing.transition import Transition
from controller.refereeing.verdicts import find_set_up_fault, place_names


def debounce(transition: Transition, what: object, patience_ms: int) -> tuple[Transition, bool]:
    """Whether the condition `what` has lasted `patience_ms`; the time of a new condition begins now."""
    known = transition.seen.pending
    if known is None or known.what != what:
        known = PendingCondition(what, transition.now_ms)
        transition = transition.with_pending(known)
    return transition, transition.now_ms - known.since_ms >= patience_ms


def pending_since_ms(transition: Transition, what: object) -> int | None:
    """Since when in ms `what` has been the pending condition; None if it is not."""
    known = transition.seen.pending
    return known.since_ms if known is not None and known.what == what else None


def mark_hand_present(transition: Transition) -> Transition:
    """Notes that a hand came while the condition was pending: another player may have acted since."""
    known = transition.seen.pending
    return transition if known is None else transition.with_pending(known.mark_hand())


def debounce_by_frames(transition: Transition, what: frozenset[object]) -> tuple[Transition, bool]:
    """Whether the previous picture showed the condition, a subset or a superset of it; for pictures seconds apart."""
    known = transition.seen.pending
    before = None if known is None else known.what
    is_shown = isinstance(before, frozenset) and (before <= what or what <= before)
    return debounce(transition, what, 0)[0], is_shown


def clear_pending(transition: Transition) -> Transition:
    return transition.with_pending(None)


def is_inspection_due(transition: Transition, seen: Observation, table: MatchConfig) -> bool:
    """Whether a settled board should be judged again even though nothing is pending."""
    if seen.board is None or seen.hand_in_view:
        return False
    return transition.now_ms - transition.seen.findings.inspected_ms >= table.patience.inspection_interval_ms


def report_difference(transition: Transition, difference: BoardDifference, table: MatchConfig) -> Transition:
    """Reports where the board differs, once that has changed and lasted; before a game also what it shows instead."""
    extra, missing = place_names(difference.extra), place_names(difference.missing)
    transition, is_ripe = debounce(transition, (extra, missing), table.patience.differs_ms)
    known = transition.state.questions.differs
    if not is_ripe or (known is not None and (known.extra, known.missing) == (extra, missing)):
        return transition
    board = transition.board if transition.state.phase is Phase.SET_UP else None
    fault, games = (None, ()) if board is None else find_set_up_fault(board, table)
    return transition.emit(BoardDiffers(transition.now_ms, extra, missing, fault, games))
