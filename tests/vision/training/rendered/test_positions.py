from functools import cache

import numpy as np
import pytest

from vision.simulated.scene import PLACES, CheckerSide
from vision.training.rendered.layout.positions import (
    CHECKERS_EACH,
    SIDES,
    CheckerPosition,
    GameKind,
    draw_position,
    place_name,
    with_long_row,
)


def one(seed: int, *, has_bar: bool) -> CheckerPosition:
    return draw_position(np.random.default_rng(seed), has_bar=has_bar)


@cache
def _drawn(seed: int, *, has_bar: bool) -> CheckerPosition:
    return one(seed, has_bar=has_bar)


def drawn(count: int, *, has_bar: bool) -> list[CheckerPosition]:
    """The positions of the first numbers, each drawn once for all tests."""
    return [_drawn(seed, has_bar=has_bar) for seed in range(count)]


@pytest.mark.parametrize("has_bar", [True, False])
def test_each_side_has_its_fifteen_checkers(has_bar: bool) -> None:
    for position in drawn(120, has_bar=has_bar):
        for side, bar, off in zip(SIDES, position.bar, position.off, strict=True):
            assert _by_side(position)[side] + bar + off == CHECKERS_EACH


def test_a_point_has_one_owner_and_a_name() -> None:
    for position in drawn(60, has_bar=True):
        assert set(position.points) <= set(PLACES)
        assert all(count >= 1 for _, count in position.points.values())


def test_without_a_bar_nothing_is_on_it() -> None:
    assert all(position.bar == (0, 0) for position in drawn(120, has_bar=False))


def test_bars_and_tall_stacks_are_common() -> None:
    positions = drawn(200, has_bar=True)
    assert sum(any(position.bar) for position in positions) > 200 / 7
    assert sum(any(count >= 6 for _, count in position.points.values()) for position in positions) > 200 / 4


def test_a_number_gives_one_position() -> None:
    assert all(one(seed, has_bar=True) == one(seed, has_bar=True) for seed in range(5))


def test_the_way_runs_back_along_the_other_row() -> None:
    assert [place_name(way, is_mirrored=False) for way in (0, 11, 12, 23)] == ["T12", "T1", "B1", "B12"]
    assert [place_name(way, is_mirrored=True) for way in (0, 11, 12, 23)] == ["T1", "T12", "B12", "B1"]


@pytest.mark.parametrize("count", [7, 9])
def test_a_long_row_is_filled_from_its_sides_other_points(count: int) -> None:
    for seed, position in enumerate(drawn(60, has_bar=True)):
        longer = with_long_row(np.random.default_rng(seed), position, count)
        assert _by_side(longer) == _by_side(position)
        assert all(row >= 1 for _, row in longer.points.values())
        changed = {owner for place, (owner, row) in longer.points.items() if position.points[place] != (owner, row)}
        assert len(changed) <= 1
        assert all(_longest(longer, side) >= min(count, _by_side(position)[side]) for side in changed)


def test_a_row_is_no_longer_than_its_side_has_checkers() -> None:
    few = CheckerPosition(
        GameKind.NARDY, "bearoff", {"T1": (CheckerSide.LIGHT, 3), "B4": (CheckerSide.LIGHT, 2)}, (0, 0), (10, 15)
    )
    longer = [with_long_row(np.random.default_rng(seed), few, 8).points for seed in range(12)]
    assert {"T1": (CheckerSide.LIGHT, 5)} in longer
    assert dict(few.points) in longer


def _by_side(position: CheckerPosition) -> dict[CheckerSide, int]:
    return {side: sum(row for owner, row in position.points.values() if owner is side) for side in SIDES}


def _longest(position: CheckerPosition, side: CheckerSide) -> int:
    return max((row for owner, row in position.points.values() if owner is side), default=0)
