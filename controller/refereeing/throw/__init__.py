"""Throws: which dice make one, whether it counts, and dice that were pushed or thrown anew.

Other rooms import from this face, the modules of this room from each other.
"""

from controller.refereeing.perception import PendingThrow
from controller.refereeing.throw.dice_displacement import (
    are_all_far,
    detect_rethrow,
    detect_throw_while_lifting,
    emit_turned_dice,
    find_displaced_dice,
    is_rethrown,
    is_view_settled,
)
from controller.refereeing.throw.lying_dice import (
    dice_are_back,
    has_lying_die,
    identify_own_dice,
    restore_trust_in_dice,
)
from controller.refereeing.throw.rolling import (
    announce_forced_pass,
    convert_throw,
    die_numbers,
    emit_handed_over_numbers,
    emit_roll,
    emit_uncounted_throw,
    ends_a_turn,
    handle_throw,
    judge_throw,
    next_thrower,
    select_certain_dice,
    to_earlier_dice,
    valid_values,
)
from controller.refereeing.throw.throw_assembly import assemble_throw

__all__ = [
    "PendingThrow", "announce_forced_pass", "are_all_far", "assemble_throw", "convert_throw",
    "detect_rethrow", "detect_throw_while_lifting", "dice_are_back", "die_numbers", "emit_handed_over_numbers",
    "emit_roll", "emit_turned_dice", "emit_uncounted_throw", "ends_a_turn", "find_displaced_dice", "handle_throw",
    "has_lying_die", "identify_own_dice", "is_rethrown", "is_view_settled", "judge_throw", "next_thrower",
    "restore_trust_in_dice", "select_certain_dice", "to_earlier_dice", "valid_values",
]  # fmt: skip
