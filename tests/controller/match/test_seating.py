"""Seating: White at the lower edge has P1..P12 = B12..B1 and P13..P24 = T1..T12."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.match.seating import ALL_SEATINGS, Checkers, PictureEdge, Seating, numbers_along
from controller.rules import POINTS, Direction, Half, Player
from vision.places import Colour

CONTRARY, PARALLEL = Direction.CONTRARY, Direction.PARALLEL


@pytest.mark.parametrize(
    ("seating", "one", "twelve", "thirteen", "last"),
    [
        (Seating(), "B12", "B1", "T1", "T12"),
        (Seating(edge=PictureEdge.TOP), "T1", "T12", "B12", "B1"),
        (Seating(mirrored=True), "B1", "B12", "T12", "T1"),
        (Seating(edge=PictureEdge.TOP, mirrored=True), "T12", "T1", "B1", "B12"),
    ],
)
def test_white_counts_from_his_edge(seating: Seating, one: str, twelve: str, thirteen: str, last: str) -> None:
    """There are four ways to sit down."""
    places = [seating.place_of(point, Player.WHITE, CONTRARY).value for point in (1, 12, 13, 24)]
    assert places == [one, twelve, thirteen, last]


def test_black_counts_against_white_or_half_a_board_ahead() -> None:
    """Contrary paths end where the other begins; on parallel ones the heads lie in opposite corners."""
    assert Seating().place_of(1, Player.BLACK, CONTRARY).value == "T12"
    heads = [Seating().place_of(24, player, PARALLEL).value for player in Player]
    assert heads == ["B1", "T12"]
    heads = [Seating(white_head=24).place_of(24, player, PARALLEL).value for player in Player]
    assert heads == ["T12", "B1"]


@given(st.sampled_from(ALL_SEATINGS), st.sampled_from(Player), st.sampled_from(Direction))
def test_each_point_is_one_place(seating: Seating, player: Player, direction: Direction) -> None:
    """The numbers along a path are all 24, and `point_at` leads back."""
    numbers = numbers_along(seating, player, direction)
    assert sorted(numbers) == list(range(24))
    assert all(
        seating.point_at(seating.place_of(point, player, direction), player, direction) == point for point in POINTS
    )


def test_the_right_half_is_that_of_the_one_who_looks() -> None:
    """A player at the upper edge has the picture's left half on his right."""
    assert Seating().right_half(Player.WHITE) is Half.RIGHT
    assert Seating().right_half(Player.BLACK) is Half.LEFT
    assert Seating(edge=PictureEdge.TOP).right_half(Player.WHITE) is Half.LEFT


def test_checkers_have_owners() -> None:
    seating = Seating(Checkers.DARK)
    assert seating.checkers_of(Player.WHITE) is Checkers.DARK
    assert seating.player_of(Checkers.LIGHT) is Player.BLACK
    assert [(one.colour, one.column) for one in Checkers] == [(Colour.LIGHT, 0), (Colour.DARK, 1)]
