"""Positions as small whole numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules import RULESETS, Player, Position, pack_counts, start_position
from controller.rules.position import mask_occupied, unpack_counts
from tests.controller.rules.boards import board, game
from tests.controller.rules.strategies import wild_positions

pytestmark = pytest.mark.broad


@given(st.lists(st.integers(0, 15), min_size=27, max_size=27).map(tuple))
def test_packing_loses_nothing(counts: tuple[int, ...]) -> None:
    assert unpack_counts(pack_counts(counts)) == counts


def test_occupied_coordinates_are_bits() -> None:
    """Borne-off checkers stand nowhere; the bar and the reserve do."""
    assert mask_occupied(board(game("backgammon_race"), "3:2 24:1 bar:1 reserve:1", "").white) == sum(
        1 << coordinate for coordinate in (3, 24, 25, 26)
    )


@pytest.mark.parametrize(
    ("name", "pips"),
    [("backgammon", 167), ("nackgammon", 194), ("hypergammon", 69), ("long_nardy", 360), ("backgammon_race", 375)],
)
def test_pips_at_the_start(name: str, pips: int) -> None:
    """167 in backgammon; a checker in the reserve needs 25."""
    position = start_position(game(name))
    assert position.pips(Player.WHITE) == position.pips(Player.BLACK) == pips


def test_a_checker_on_the_bar_needs_25() -> None:
    assert board(game("backgammon"), "bar:1 1:1", "").pips(Player.WHITE) == 26


@given(st.data())
@pytest.mark.parametrize("name", ["backgammon", "plakoto", "long_nardy", "backgammon_race"])
def test_a_position_and_its_setup_are_the_same_checkers(name: str, data: st.DataObject) -> None:
    rules = RULESETS[name]
    position = data.draw(wild_positions(rules))
    assert Position.of(position.setup, rules) == position
