"""The three restrictions of fevga: the runner, the start quarter, and the block before the opponent's whole army."""

from controller.rules.player import POINTS, Direction
from controller.rules.plays.field import Field
from controller.rules.plays.head import HEAD, head_count
from controller.rules.plays.six_block import six_blocks
from controller.rules.rulings import Rule
from controller.rules.steps import BIT, PAST_OPPOSING_START, START_QUARTER, Successor


def keep_runner_only(state: int, occ: int, checkers: int, found: list[Successor]) -> list[Successor]:
    """Forbids a second checker to leave the head until one checker has passed the opponent's start."""
    if occ & PAST_OPPOSING_START or state & 15 or head_count(state) == checkers:
        return found
    return [one for one in found if one[0].source != HEAD]


def limit_start_quarter(most: int, found: list[Successor]) -> list[Successor]:
    """Keeps the steps after which at most `most` of the points 19..24 are held."""
    return [one for one in found if (one[2] & START_QUARTER).bit_count() <= most]


def find_block_to_open(field: Field) -> int:
    """The six-block of the mover directly in front of the one point that holds the opponent's whole army; 0 for none."""
    rules, opposing = field.rules, field.opposing
    if not rules.unblock_last_stack or Rule.UNBLOCK in field.limits.waived:
        return 0
    point = next((point for point in POINTS if opposing[point] == rules.checkers), 0)
    if point <= 6:
        return 0
    lowest = point - 6
    before_army = BIT[lowest if rules.direction is Direction.PARALLEL else 20 - lowest]
    return before_army & six_blocks(field.start_occ, rules.direction)
