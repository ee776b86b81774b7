"""What the referee concludes from a board: verdicts on turns, differences from the log, and the throw that is due."""

from controller.refereeing.verdicts.board_verdicts import judge_board, judge_entered_board
from controller.refereeing.verdicts.comparison import (
    compare_with_log,
    compare_with_position,
    make_reference_board,
    place_names,
    shows_position,
)
from controller.refereeing.verdicts.due_throw import (
    first_plays,
    grasshopper_state,
    is_pass_forced,
    is_possible,
    make_throw,
    may_hand_over,
    position_of,
    require_seating,
    setup_text,
    throw_due,
)
from controller.refereeing.verdicts.grasshopper_verdicts import claimed_board_text
from controller.refereeing.verdicts.misreading_doubts import require_confirmation
from controller.refereeing.verdicts.set_up_faults import find_games_starting, find_set_up_fault, is_start_of_another
from controller.refereeing.verdicts.values import IllegalVerdict, LegalVerdict, PlayVerdict, UnclearVerdict

__all__ = [
    "IllegalVerdict",
    "LegalVerdict",
    "PlayVerdict",
    "UnclearVerdict",
    "claimed_board_text",
    "compare_with_log",
    "compare_with_position",
    "find_games_starting",
    "find_set_up_fault",
    "first_plays",
    "grasshopper_state",
    "is_pass_forced",
    "is_possible",
    "is_start_of_another",
    "judge_board",
    "judge_entered_board",
    "make_reference_board",
    "make_throw",
    "may_hand_over",
    "place_names",
    "position_of",
    "require_confirmation",
    "require_seating",
    "setup_text",
    "shows_position",
    "throw_due",
]  # fmt: skip
