"""Where a six-block is forbidden: six points in a row with no opposing checker ahead of them.

A six-block is named by its lowest point in *row coordinates*: the mover's own path where the armies run against each
other, the opponent's path where they run half a board apart, because only points that are consecutive on the opponent's
path form a block. A row is a mask of bits 1..24, and a set of blocks is a mask of their lowest points, bits 1..19.

The ban is applied after every step (`without_forbidden_blocks`) or, with `prime_check = final_only`, to the boards in
which a stage may end (`duty.py`, which also has the option `prime = opponent_must_have_move`).
"""

from controller.rules.player import BAR, OFF, POINTS, Direction
from controller.rules.plays.field import Field
from controller.rules.ruleset import Contact
from controller.rules.steps import HIT_MASK, HIT_SHIFT, Successor

_LOWER_HALF = (1 << 13) - 2
_UPPER_HALF = _LOWER_HALF << 12
_LOWEST_POINTS = (1 << 20) - 2


def six_blocks(occupied: int, direction: Direction) -> int:
    """The six-blocks that the mover's occupied own coordinates (bits) form."""
    row = occupied & (_LOWER_HALF | _UPPER_HALF)
    if direction is Direction.PARALLEL:
        row = (row & _LOWER_HALF) << 12 | (row & _UPPER_HALF) >> 12
    twos = row & row >> 1
    return twos & twos >> 2 & twos >> 4 & _LOWEST_POINTS


def blocks_with_nobody_ahead(opposing: tuple[int, ...], direction: Direction) -> int:
    """The blocks with no opposing checker ahead; `opposing` holds counts along the opponent's path, index 0 borne off.

    A borne-off checker is ahead of every block, a checker on the bar or in the reserve of none.
    """
    foremost = next((coordinate for coordinate, count in enumerate(opposing) if count), OFF)
    highest = min(foremost, 19)  # the block from q to q + 5 is forbidden while nobody is on a coordinate below q
    if direction is Direction.PARALLEL:
        return ((1 << highest + 1) - 1) & _LOWEST_POINTS
    # The opponent's q to q + 5 are the mover's 20 - q to 25 - q, so that the block's lowest point is 20 - q.
    return sum(1 << 20 - lowest for lowest in range(1, highest + 1))


def without_forbidden_blocks(field: Field, found: list[Successor]) -> list[Successor]:
    """Removes the steps after which the board shows a forbidden six-block (`prime_check = every_step`)."""
    direction = field.rules.direction
    if field.rules.contact is Contact.BLOCK:
        return [
            (step, state, occupied)
            for step, state, occupied in found
            if not six_blocks(occupied, direction) & field.blocks
        ]
    return [
        (step, state, occupied) for step, state, occupied in found if not shows_forbidden_block(field, state, occupied)
    ]


def shows_forbidden_block(field: Field, state: int, occupied: int) -> bool:
    """Whether the board of `state` shows a six-block with no opposing checker ahead, hits of this stage included."""
    shown = six_blocks(occupied, field.rules.direction)
    if not shown:
        return False
    opposing = list(field.opposing)
    hits = state >> HIT_SHIFT & HIT_MASK
    for point in POINTS:
        if hits >> point & 1:
            opposing[field.limits.across[point]] -= 1
            opposing[BAR] += 1
    return bool(shown & blocks_with_nobody_ahead(tuple(opposing), field.rules.direction))
