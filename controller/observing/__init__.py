"""Turns readings of pictures into evidence: likelihoods of the board, dice events, and rulings on throws.

Other rooms import from this face, the modules of this room from each other.
"""

from controller.observing.board_evidence import BoardEvidence, BoardView, Pair, cell_of
from controller.observing.drift_watch import LOST_CHECKS, DriftWatch, Occupancy, prove_moved_board, update_drift_watch
from controller.observing.likelihoods import (
    COUNTS,
    DARK_ABOVE,
    DEFAULT_TRUST,
    LIGHT_ABOVE,
    MOST,
    POINTS,
    FloatTable,
    Likelihoods,
    Trust,
    likelihoods_of,
)
from controller.observing.observation import Observation
from controller.observing.observe import DEFAULT_OBSERVE_LIMITS, ObservationWindow, observe
from controller.observing.picture_changes import (
    RENEWED_NATS,
    compute_change_penalty,
    find_changed_points,
    find_renewed_points,
    find_unexplained_places,
    is_supported_by_changes,
)
from controller.observing.place_evidence import (
    HIDDEN,
    PLACES,
    STACK_PRIOR,
    compute_best_by_place,
    find_contradicted_places,
    find_differing_places,
    find_hidden_places,
    find_inferred_places,
    find_places_to_undo,
    make_doubt_sentence,
    sort_places,
)
from controller.observing.stills import StillsWindow, observe_still
from controller.observing.throw_evidence import (
    flag_doubtful_dice,
    judge_detected_throw,
    judge_reading,
    list_possible_faces,
    to_thrown_dice,
    to_thrown_die,
    with_missing_dice,
    without_faces_of_hidden_dice,
)
from controller.observing.turn_watch import DICE_OF_A_THROW, TOGETHER_MS, UNSEEN_THROW, SeenThrow, TurnWatch

__all__ = [
    "COUNTS", "DARK_ABOVE", "DEFAULT_OBSERVE_LIMITS", "DEFAULT_TRUST", "DICE_OF_A_THROW", "HIDDEN", "LIGHT_ABOVE",
    "LOST_CHECKS", "MOST", "PLACES", "POINTS", "RENEWED_NATS", "STACK_PRIOR", "TOGETHER_MS", "UNSEEN_THROW", "BoardEvidence", "BoardView",
    "DriftWatch", "FloatTable", "Likelihoods", "Observation", "ObservationWindow", "Occupancy", "Pair", "SeenThrow", "StillsWindow", "Trust",
    "TurnWatch", "cell_of", "compute_best_by_place", "compute_change_penalty", "find_changed_points",
    "find_contradicted_places", "find_differing_places", "find_hidden_places", "find_inferred_places",
    "find_places_to_undo", "find_renewed_points", "find_unexplained_places", "flag_doubtful_dice",
    "is_supported_by_changes", "judge_detected_throw", "judge_reading", "likelihoods_of", "list_possible_faces",
    "make_doubt_sentence", "observe", "observe_still", "prove_moved_board", "sort_places", "to_thrown_dice",
    "to_thrown_die", "update_drift_watch", "with_missing_dice", "without_faces_of_hidden_dice",
]  # fmt: skip
