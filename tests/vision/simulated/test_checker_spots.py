"""Checkers stand in rows and layers, each at its own spot."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.simulated.played_tables import DARK, LIGHT, start, style
from vision.simulated.checker_spots import locate_checker, place_checkers, require_board
from vision.simulated.scene import PLACES
from vision.simulated.tabletop import Arrangement


@given(st.integers(0, 11), st.sampled_from(PLACES), st.integers(1, 15))
def test_checkers_of_a_stack_do_not_overlap_and_stay_on_their_point(seed: int, place: str, count: int) -> None:
    table = style(seed)
    board = require_board(table)
    checkers = place_checkers(table, Arrangement().with_stack(place, (LIGHT,) * count))
    assert len(checkers) == count
    radius, thick = table.scene.checker_diameter_mm / 2, table.scene.checker_thickness_mm
    for one, other in combinations(checkers, 2):
        apart = np.hypot(one.centre_mm[0] - other.centre_mm[0], one.centre_mm[1] - other.centre_mm[1])
        assert apart >= 2 * radius - 1e-6 or abs(one.height_mm - other.height_mm) >= thick - 1e-6
    for checker in checkers:
        x, y = checker.centre_mm
        middle = board.point_x_mm(PLACES.index(place) % 12)
        assert abs(x - middle) + radius <= board.pitch_mm / 2 + 1.3
        inward = y if place.startswith("T") else board.field_mm[1] - y
        assert radius <= inward <= board.field_mm[1] / 2 - radius


def test_the_sixth_checker_lies_on_the_first() -> None:
    table = style(2)
    first, sixth = locate_checker(table, "B3", 0, DARK), locate_checker(table, "B3", 5, DARK)
    assert (first.layer, sixth.layer) == (0, 1)
    assert sixth.height_mm == table.scene.checker_thickness_mm
    assert np.hypot(first.centre_mm[0] - sixth.centre_mm[0], first.centre_mm[1] - sixth.centre_mm[1]) < 3


def test_untouched_checkers_do_not_move() -> None:
    """Moving one checker leaves the other 29 where they are."""
    table, before = style(5), start()
    after = before.with_stack("T7", (DARK,) * 4).with_stack("T5", (DARK,) * 4)
    assert len(set(place_checkers(table, before)) & set(place_checkers(table, after))) == 29


@pytest.mark.parametrize("place", ["bar", "off"])
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.broad) for seed in (1, 2, 3))])
def test_sides_wait_apart(seed: int, place: str) -> None:
    """On the bar and off the board each side has its own half, with room for fifteen."""
    table = style(seed)
    checkers = place_checkers(table, Arrangement().with_stack(place, (LIGHT, DARK) * 15))
    middle = require_board(table).field_mm[1] / 2
    lower = LIGHT if table.light_at_bottom else DARK
    assert all((checker.centre_mm[1] > middle) == (checker.side is lower) for checker in checkers)
    assert len({(c.centre_mm, c.height_mm) for c in checkers}) == 30


def test_an_unknown_place_is_refused() -> None:
    with pytest.raises(KeyError):
        start().stack("T13")
