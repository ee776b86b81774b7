"""What stands on the board: checkers on the points and on the bar, their colours, and what lies in the trays.

Other rooms import from this face, the modules of this room from each other.
"""

from vision.checkers.appearance import (
    KnownPlaces,
    apply_appearance,
    class_of,
    is_of_this_network,
    is_valid_change,
    learn_appearance,
    list_contents,
    rotate_appearance,
    scale_confidence,
    update_appearance,
)
from vision.checkers.board_lesson import Lesson, teach_board
from vision.checkers.colour_classes import (
    BAR,
    CLEAR_GAP,
    FaceColours,
    SideColours,
    find_place,
    fuse_face_counts,
    measure_face_colours,
    measure_median_colours,
    score_mixed_stacks,
)
from vision.checkers.corrected_reading import CorrectedReading, correct_reading, get_side_colours
from vision.checkers.missing_bar import remove_missing_bar
from vision.checkers.network import CLASSES, COUNTS, THICKNESS_OF_PITCH, ViewReading, read_view
from vision.checkers.occupancy import CheckerPositions, PositionsWithoutDice, estimate_radius_mm, locate_checkers
from vision.checkers.point_changes import VIEW_SHRINK, PointChanges, compare_points, reduce_view
from vision.checkers.trays import TrayReading, read_trays

__all__ = [
    "BAR", "CLASSES", "CLEAR_GAP", "COUNTS", "THICKNESS_OF_PITCH", "VIEW_SHRINK", "CheckerPositions", "CorrectedReading", "FaceColours", "KnownPlaces", "Lesson",
    "PointChanges", "PositionsWithoutDice", "SideColours", "TrayReading", "ViewReading", "apply_appearance",
    "class_of", "compare_points", "correct_reading", "estimate_radius_mm", "find_place", "fuse_face_counts",
    "get_side_colours", "is_of_this_network", "is_valid_change", "learn_appearance", "list_contents",
    "locate_checkers", "measure_face_colours", "measure_median_colours", "read_trays", "read_view", "reduce_view", "remove_missing_bar", "rotate_appearance",
    "scale_confidence", "score_mixed_stacks",
    "teach_board", "update_appearance",
]  # fmt: skip
