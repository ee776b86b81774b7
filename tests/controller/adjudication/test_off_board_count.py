"""How many checkers may have been borne off, or have come in, by one throw."""

import pytest

from controller.adjudication.off_board_count import predict_off_board_counts
from controller.rules import Player, Roll, RollCounters, make_own_throw
from tests.controller.rules.boards import board, game

BACKGAMMON = game("backgammon")


@pytest.mark.parametrize(
    ("white", "numbers", "most_more"),
    [
        ("6:5 5:5 4:5", (3, 2), 2),
        ("6:5 5:5 4:4 8:1", (3, 2), 1),  # home with the 2, and one off with the 3
        ("6:5 5:5 4:4 11:1", (3, 2), 0),  # home with both, and nothing is left
        ("6:5 5:5 4:4 23:1", (6, 5), 0),  # one is still away, but too far
        ("6:5 5:5 4:3 8:2", (2, 2), 2),  # two of the four numbers bring them home
        ("6:5 5:5 4:3 7:2", (6, 5), 0),  # both numbers bring one home each
        ("6:5 5:5 4:4 bar:1", (6, 5), 0),
    ],
)
def test_as_many_as_the_numbers_allow_once_all_are_home(white: str, numbers: tuple[int, int], most_more: int) -> None:
    """Where the last ones cannot come home by this throw, what is gone is strange, as with many away."""
    before = board(BACKGAMMON, white, "24:2 13:5")
    throw = make_own_throw(Roll.of(*numbers), BACKGAMMON, RollCounters(8, 4))
    assert predict_off_board_counts(before, Player.WHITE, throw, BACKGAMMON)[Player.WHITE].most_more == most_more


def test_nobody_bears_off_for_his_opponent() -> None:
    before = board(BACKGAMMON, "6:5 5:5 4:5", "6:5 5:5 4:5")
    throw = make_own_throw(Roll.of(3, 2), BACKGAMMON, RollCounters(8, 4))
    assert predict_off_board_counts(before, Player.WHITE, throw, BACKGAMMON)[Player.BLACK].most_more == 0
