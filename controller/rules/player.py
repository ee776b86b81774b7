"""The two players, and the conversion between their paths.

All of `controller.rules` counts points along a player's **own path**: 24 is its first point, 1 the last one before
bearing off, 0 is borne off, 25 the bar, 26 the reserve. Only this file converts one player's path into the other's, or
into the physical points P1..P24 of the board.
"""

from enum import Enum

OFF = 0
BAR = 25
RESERVE = 26
POINTS = range(1, 25)
HOME = range(1, 7)


class Player(Enum):
    """One of the two players; the value is the letter used in position text."""

    WHITE = "W"
    BLACK = "B"

    @property
    def opponent(self) -> "Player":
        return Player.BLACK if self is Player.WHITE else Player.WHITE


class Direction(Enum):
    """How the two paths lie to each other (README, Coordinates)."""

    CONTRARY = "contrary"
    PARALLEL = "parallel"

    def across(self, point: int) -> int:
        """The opponent's own coordinate of the mover's `point` (1..24); its own inverse."""
        if self is Direction.CONTRARY:
            return 25 - point
        return point + 12 if point <= 12 else point - 12


def physical_point(point: int, player: Player, direction: Direction, *, white_head: int = 12) -> int:
    """The number P1..P24, as White counts the board from his seat, of `player`'s own `point` (1..24).

    `white_head` (12 or 24) is the physical point of White's 24 in parallel games; contrary games do not use it.
    """
    if direction is Direction.CONTRARY:
        return point if player is Player.WHITE else direction.across(point)
    own_start_is_p24 = (white_head == 24) == (player is Player.WHITE)
    return point if own_start_is_p24 else direction.across(point)
