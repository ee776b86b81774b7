"""Six points in a row."""

import pytest

from controller.rules import Direction, make_stage
from controller.rules.plays.six_block import blocks_with_nobody_ahead, six_blocks
from tests.controller.rules.boards import against, board, game, plays

PARALLEL, CONTRARY = Direction.PARALLEL, Direction.CONTRARY


def bits(*points: int) -> int:
    return sum(1 << point for point in points)


@pytest.mark.parametrize(
    ("points", "lowest"),
    [
        ((14, 15, 16, 17, 18, 19), [2]),  # his 2 to 7
        ((13, 14, 15, 16, 17, 18), [1]),  # his home
        ((9, 10, 11, 12, 13, 14), []),  # across his start and end
        ((3, 2, 1, 24, 23, 22), [10]),  # across the mover's end and start: his 15 to 10
        ((1, 2, 3, 4, 5, 6), [13]),
        ((7, 8, 9, 10, 11, 12), [19]),
        ((18, 19, 20, 21, 22, 23, 24), [6, 7]),  # seven in a row hold two
        ((18, 19, 20, 22, 23, 24), []),
        ((), []),
    ],
)
def test_consecutive_means_on_the_opponents_path(points: tuple[int, ...], lowest: list[int]) -> None:
    assert six_blocks(bits(*points), PARALLEL) == bits(*lowest)


def test_where_the_armies_meet_the_own_path_serves() -> None:
    assert six_blocks(bits(4, 5, 6, 7, 8, 9), CONTRARY) == bits(4)


@pytest.mark.parametrize(
    ("coordinate", "direction", "expected"),
    [
        (24, PARALLEL, range(1, 20)),  # all behind every block
        (12, PARALLEL, range(1, 13)),  # ahead of the blocks from his 13 up
        (1, PARALLEL, [1]),
        (0, PARALLEL, []),  # borne off is ahead of all
        (25, CONTRARY, range(1, 20)),
        (6, CONTRARY, range(14, 20)),  # his 1 to 6 are the mover's 19 to 14
    ],
)
def test_blocks_that_nobody_is_ahead_of(coordinate: int, direction: Direction, expected: list[int]) -> None:
    opposing = [0] * 27
    opposing[coordinate] = 1
    assert blocks_with_nobody_ahead(tuple(opposing), direction) == bits(*expected)


FIVE, SIX = "14:1 15:1 16:1 17:1 18:1 20:1", "14:1 15:1 16:1 17:1 18:1 19:1"
APART, CLOSED = "14:1 15:1 16:1 17:1 18:1 21:1", "14:1 15:1 16:1 17:1 18:2"


@pytest.mark.parametrize(
    ("options", "black", "before", "after", "numbers", "expected"),
    [
        ({}, "24:15", APART, CLOSED, (2, 1), []),  # 21/19/18 passes through 14 to 19, 21/20/18 does not
        ({}, "24:15", FIVE, CLOSED, (1, 1), ["prime", "prime_in_passing"]),  # no other order than through 14 to 19
        ({}, "24:15", FIVE, SIX, (1,), ["prime"]),
        ({}, "24:14 1:1", FIVE, SIX, (1,), []),  # a checker on his 1, own 13, is ahead
        ({}, "24:14", FIVE, SIX, (1,), []),  # so is a borne-off checker
        ({}, "24:14 9:1", FIVE, SIX, (1,), ["prime"]),
        ({"prime_check": "final_only"}, "24:15", APART, SIX, (2,), ["prime"]),
        ({"prime": "none"}, "24:15", FIVE, SIX, (1,), []),
        # the opponent must have a move: six points right before his whole army are refused, with a gap they are not
        ({"prime": "opponent_must_have_move"}, "24:15", "13:1 6:1 7:1 8:1 9:1 10:1", "11:1 6:1 7:1 8:1 9:1 10:1", (2,), ["prime"]),
        ({"prime": "opponent_must_have_move"}, "24:15", "13:1 6:1 7:1 8:1 9:1 10:1", "13:1 6:1 7:1 8:2 9:1", (2,), []),
    ],
)  # fmt: skip
def test_the_breaches(  # noqa: PLR0917 - a row of the table
    options: dict[str, object], black: str, before: str, after: str, numbers: tuple[int, ...], expected: list[str]
) -> None:
    rules = game("long_nardy", **options)
    assert against(rules, board(rules, before, black), board(rules, after, black), make_stage(numbers)) == expected


def test_only_the_final_position_by_option() -> None:
    """A sequence through a block is legal; with every final board refused, the stage is a pass."""
    final = game("long_nardy", prime_check="final_only")
    assert "21/18" in plays(final, APART, "24:15", 2, 1)
    assert plays(final, "11:1 5:1 4:1 3:1 2:1 1:1", "24:15", 5) == {"pass"}


def test_the_last_checker_may_always_be_borne_off() -> None:
    """With an empty board the opponent needs no move."""
    assert plays(game("long_nardy", prime="opponent_must_have_move"), "1:1", "24:15", 6, 5) == {"1/off"}


@pytest.mark.parametrize(
    ("white", "black", "number", "expected"),
    [
        # Black's 24 is White's 1, behind both 13 to 8 and 12 to 7
        ("12:2 11:2 10:2 9:2 8:2 14:1", "24:15", 1, {"12/11", "11/10", "10/9", "9/8"}),
        # Black's 5 is White's 20, ahead of the block
        ("12:2 11:2 10:2 9:2 8:2 14:1", "24:14 5:1", 1, {"12/11", "11/10", "10/9", "9/8", "8/7", "14/13"}),
        ("20:1 13:2 12:2 11:2 10:2 9:2", "24:14 8:1", 6, {"20/14", "13/7", "12/6", "11/5", "10/4", "9/3"}),
        # 20/14* sends the only checker ahead to the bar, so the block 14 to 9 is forbidden
        ("20:1 13:2 12:2 11:2 10:2 9:2", "24:14 11:1", 6, {"13/7", "12/6", "11/5", "10/4", "9/3"}),
    ],
)
def test_a_block_rule_in_a_game_with_hits(white: str, black: str, number: int, expected: set[str]) -> None:
    assert plays(game("backgammon", prime="need_checker_ahead"), white, black, number) == expected
