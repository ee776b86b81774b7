"""Spots that the search puts behind a dozen of others: looked at where a throw is not among those."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.hand_made_dice import STRAIGHT_DOWN
from tests.vision.told_dice import (
    EDGE_PX,
    LEFT_HALF,
    ON_THE_BAR,
    PICTURE,
    RIGHT_HALF,
    SURELY_A_DIE,
    answer,
    tell_finished_looks,
)
from vision import close_look, dice
from vision.dice import read_dice
from vision.dice_answers import FACE, answer_of
from vision.dice_finder import PX_PER_MM, FinderLimits
from vision.die_windows import DieSpot, place_window
from vision.earlier import Earlier


@pytest.fixture
def put(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[tuple[float, float]]]:
    """One more die before those things, or none, and what is said of the one behind; the places that were looked at."""

    def one_behind(before: int, numbers: NDArray[np.float32]) -> list[tuple[float, float]]:
        seen: list[tuple[float, float]] = []
        dice_before = [LEFT_HALF, ON_THE_BAR][:before]
        others = [(120.0 + 30 * number, 60.0) for number in range(FinderLimits().most_spots - before)]
        places = [*dice_before, *others, RIGHT_HALF]

        def search(*_: object, limits: FinderLimits, px_per_mm: float = PX_PER_MM) -> list[DieSpot]:
            found = places if px_per_mm == PX_PER_MM else dice_before
            return [DieSpot(at_px, EDGE_PX, 0.9) for at_px in found][: limits.most_spots]

        def says(_: object, spot: DieSpot, *__: object, **___: object) -> close_look.Look | None:
            seen.append(spot.centre_px)
            if spot.centre_px in others:
                return None
            said = numbers if spot.centre_px == RIGHT_HALF else answer()
            return close_look.Look(place_window(spot, STRAIGHT_DOWN), answer_of(said), spot, SURELY_A_DIE)

        monkeypatch.setattr(dice, "find_dice", search)
        tell_finished_looks(monkeypatch, says)
        return seen

    return one_behind


@pytest.mark.parametrize(("before", "found"), [(0, 1), (1, 2), (2, 2)])
def test_a_die_behind_other_things(put: Callable[..., list[tuple[float, float]]], before: int, found: int) -> None:
    """It is looked for where a throw is not among the first dozen, and nowhere else."""
    seen = put(before, answer())
    assert len(read_dice(PICTURE, STRAIGHT_DOWN).dice) == found
    assert (RIGHT_HALF in seen) is (before < 2)


def test_one_that_shows_no_plain_face(put: Callable[..., list[tuple[float, float]]]) -> None:
    """It is none, but perhaps one."""
    unsure = answer()
    unsure[FACE] = 0
    put(0, unsure)
    found = read_dice(PICTURE, STRAIGHT_DOWN)
    assert (found.dice, found.perhaps_more) == ((), True)


def test_where_time_is_short(put: Callable[..., list[tuple[float, float]]]) -> None:
    seen = put(0, answer())
    assert read_dice(PICTURE, STRAIGHT_DOWN, earlier=Earlier(is_hurried=True)).dice == ()
    assert RIGHT_HALF not in seen
