"""Plakoto's mother."""

import pytest

from controller.rules import Player, find_caught_mothers
from tests.controller.rules.boards import board, game

W, B = Player.WHITE, Player.BLACK


@pytest.mark.parametrize(
    ("white", "black", "pins", "caught"),
    [
        ("24:1", "24:1", {}, set()),
        ("24:1 5:1", "1:1 6:1", {W: {24}}, {W}),
        ("24:1 5:1", "1:1 24:1", {W: {24}}, set()),  # Black's own mother can still be caught
        ("24:1 1:1", "24:1 1:1", {W: {24}, B: {24}}, {W, B}),
        ("24:1 7:1", "18:1", {W: {7}}, set()),  # pinned, but not on her start
    ],
)
def test_whose_mother_is_caught(white: str, black: str, pins: dict[Player, set[int]], caught: set[Player]) -> None:
    rules = game("plakoto")
    assert find_caught_mothers(board(rules, white, black, pins=pins), rules) == caught


def test_other_games_have_no_mother() -> None:
    rules = game("plakoto", mother=False)
    assert find_caught_mothers(board(rules, "24:1", "1:1", pins={W: {24}}), rules) == frozenset()
