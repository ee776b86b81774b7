"""Adjudicates settled boards: what was played, whether it is legal, and what differs from an expected board.

Other rooms import from this face, the modules of this room from each other.
"""

from controller.adjudication.adjudicate import adjudicate
from controller.adjudication.belief import LEAD, LEAST_TURNS, Belief, add_logs
from controller.adjudication.board_view import setup_of, start_occupancy, view_of
from controller.adjudication.checker_in_hand import (
    CheckerInHand,
    find_checker_in_hand,
    find_current_stage,
    find_lifted_source,
)
from controller.adjudication.differences import compare_setup, compare_view
from controller.adjudication.grasshopper import adjudicate_grasshopper, view_of_state
from controller.adjudication.hypothesis import UNSEEN, UNSEEN_IN_A_GAP, AnnouncedGame, GameRoot, PlayedTurn, make_root
from controller.adjudication.legal_results import legal_results
from controller.adjudication.outcome import (
    AmbiguousOutcome,
    BoardDifference,
    GrasshopperOutcome,
    IllegalOutcome,
    LegalOutcome,
    Outcome,
    UndecidedOutcome,
)
from controller.adjudication.roll_inference import infer_throws
from controller.adjudication.seating_inference import (
    infer_seatings,
    rank_positions,
    select_plain_seatings,
)
from controller.adjudication.thresholds import DEFAULT_THRESHOLDS
from controller.adjudication.turn_evidence import ThrowInPlay, make_turn_evidence

__all__ = [
    "DEFAULT_THRESHOLDS", "LEAD", "LEAST_TURNS", "UNSEEN", "UNSEEN_IN_A_GAP", "AmbiguousOutcome", "AnnouncedGame", "Belief", "BoardDifference", "CheckerInHand", "GameRoot",
    "GrasshopperOutcome", "IllegalOutcome", "LegalOutcome", "Outcome", "PlayedTurn", "ThrowInPlay", "UndecidedOutcome", "add_logs", "adjudicate",
    "adjudicate_grasshopper", "compare_setup", "compare_view", "find_checker_in_hand", "find_current_stage",
    "find_lifted_source", "infer_seatings", "infer_throws", "legal_results",
    "make_root", "make_turn_evidence", "rank_positions", "select_plain_seatings", "setup_of", "start_occupancy", "view_of", "view_of_state",
]  # fmt: skip
