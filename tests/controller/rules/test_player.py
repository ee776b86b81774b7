"""The two paths, and the physical points of the board."""

import pytest

from controller.rules import Direction, Player, physical_point

CONTRARY, PARALLEL = Direction.CONTRARY, Direction.PARALLEL


def test_each_is_the_opponent_of_the_other() -> None:
    assert (Player.WHITE.opponent, Player.BLACK.opponent) == (Player.BLACK, Player.WHITE)


@pytest.mark.parametrize(
    ("direction", "own", "theirs"),
    [
        (CONTRARY, 1, 24),
        (CONTRARY, 6, 19),
        (CONTRARY, 13, 12),
        (PARALLEL, 1, 13),
        (PARALLEL, 12, 24),
        (PARALLEL, 24, 12),
    ],
)
def test_one_point_on_both_paths(direction: Direction, own: int, theirs: int) -> None:
    """25 - p where the armies meet, half a board apart where they follow each other; and back again."""
    assert direction.across(own) == theirs
    assert direction.across(theirs) == own


@pytest.mark.parametrize(
    ("player", "direction", "own", "white_head", "physical"),
    [
        (Player.WHITE, CONTRARY, 24, 12, 24),
        (Player.BLACK, CONTRARY, 24, 12, 1),
        (Player.BLACK, CONTRARY, 6, 24, 19),
        # long nardy: White's head is P12 and his home P13 to P18, Black's head is P24 and his home P1 to P6
        (Player.WHITE, PARALLEL, 24, 12, 12),
        (Player.WHITE, PARALLEL, 6, 12, 18),
        (Player.WHITE, PARALLEL, 1, 12, 13),
        (Player.BLACK, PARALLEL, 24, 12, 24),
        (Player.BLACK, PARALLEL, 6, 12, 6),
        # gul bara and fevga: the colours exchanged
        (Player.WHITE, PARALLEL, 24, 24, 24),
        (Player.BLACK, PARALLEL, 24, 24, 12),
    ],
)
def test_the_physical_point(player: Player, direction: Direction, own: int, white_head: int, physical: int) -> None:
    assert physical_point(own, player, direction, white_head=white_head) == physical
