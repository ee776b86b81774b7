"""Six points in a row (rules.md 4.7).

A six-block is named by its lowest point in *row coordinates*: the mover's own path where the armies run against each
other, the opponent's path where they run half a board apart, because points are consecutive on the opponent's path
only. Both are masks of bits 1..24, and a set of blocks is a mask of their lowest points, bits 1..19.
"""

from controller.rules.player import OFF, Direction

_LOWER_HALF = (1 << 13) - 2
_UPPER_HALF = _LOWER_HALF << 12
_LOWEST_POINTS = (1 << 20) - 2


def six_blocks(occ: int, direction: Direction) -> int:
    """The blocks that the mover's occupied own coordinates (bits) show."""
    row = occ & (_LOWER_HALF | _UPPER_HALF)
    if direction is Direction.PARALLEL:
        row = (row & _LOWER_HALF) << 12 | (row & _UPPER_HALF) >> 12
    twos = row & row >> 1
    return twos & twos >> 2 & twos >> 4 & _LOWEST_POINTS


def blocks_with_nobody_ahead(opposing: tuple[int, ...], direction: Direction) -> int:
    """The blocks that no opposing checker is ahead of; `opposing` are counts along the opponent's path, 0 = borne off.

    A borne-off checker is ahead of every block, one on the bar or in the reserve of none.
    """
    foremost = next((coordinate for coordinate, count in enumerate(opposing) if count), OFF)
    highest = min(foremost, 19)  # the block from q stands when nobody is on a coordinate below q
    if direction is Direction.PARALLEL:
        return ((1 << highest + 1) - 1) & _LOWEST_POINTS
    return sum(1 << 20 - lowest for lowest in range(1, highest + 1))
