"""Fevga: the runner, the start quarter, and the block before the whole army."""

import pytest

from controller.rules import Player, legal_plays, make_stage, start_position
from tests.controller.rules.boards import against, board, game, plays

FEVGA = game("fevga")
BLOCK = "11:1 10:1 9:1 8:1 7:1 6:1 3:1"  # directly before the army on its 24, own 12


def test_one_runner_first() -> None:
    """First roll 6-6: 24/18, then the runner is stopped by 12 and three sixes are lost."""
    (play,) = legal_plays(start_position(FEVGA), Player.WHITE, make_stage((6,) * 4, first_roll=True), FEVGA)
    assert (len(play.steps), play.unused) == (1, (6, 6, 6))


@pytest.mark.parametrize(
    ("white", "black", "numbers", "expected"),
    [
        ("24:15", "24:15", (5, 4), {"24/15"}),
        ("24:14 13:1", "24:15", (2, 1), {"24/23 13/11", "13/10"}),  # 13/11 passes his start, then the 1 is free
        ("24:14 11:1", "24:15", (2, 1), {"24/22 11/10", "11/8", "24/21", "24/23 24/22", "24/23 11/9"}),
        (BLOCK, "24:15", (1,), {"11/10", "10/9", "9/8", "8/7", "7/6", "6/5"}),  # the block must be opened
        (BLOCK, "24:14 4:1", (1,), {"11/10", "10/9", "9/8", "8/7", "7/6", "6/5", "3/2"}),  # not his whole army
        # where no legal play opens the block, anything may be played
        ("11:2 10:2 9:2 8:2 7:2 6:2 3:1", "24:15", (1,), {"11/10", "10/9", "9/8", "8/7", "7/6", "6/5", "3/2"}),
    ],
)
def test_the_plays(white: str, black: str, numbers: tuple[int, ...], expected: set[str]) -> None:
    assert plays(FEVGA, white, black, *numbers) == expected


@pytest.mark.parametrize(
    ("before", "after", "numbers", "expected"),
    [
        ("24:15", "24:13 20:1 19:1", (5, 4), ["first_checker"]),
        ("24:9 23:1 22:1 21:1 20:2 11:1", "24:9 23:1 22:1 21:1 20:1 19:1 11:1", (1,), ["start_quarter"]),
        (BLOCK, "11:1 10:1 9:1 8:1 7:1 6:1 2:1", (1,), ["unblock"]),
    ],
)
def test_the_breaches(before: str, after: str, numbers: tuple[int, ...], expected: list[str]) -> None:
    boards = board(FEVGA, before, "24:15"), board(FEVGA, after, "24:15")
    assert against(FEVGA, *boards, make_stage(numbers)) == expected
