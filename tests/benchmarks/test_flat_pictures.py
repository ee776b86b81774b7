"""The flat pictures beside simulated readings."""

from dataclasses import replace

import numpy as np
import pytest

from controller.match.seating import Checkers
from controller.rules import Lie, Player
from controller.simulation.filmed.snapshots import TableSnapshot
from controller.simulation.staging.beats import STEADY, DieAtRest
from controller.simulation.staging.board_plan import BoardPlan
from controller.simulation.staging.stacks import Stacks
from tests.benchmarks.flat_pictures import reading_with_picture
from vision.checkers.colour_classes import BAR
from vision.checkers.point_changes import PointChanges, compare_points
from vision.places import POINTS

PLAN = BoardPlan()
L, D = Checkers.LIGHT, Checkers.DARK
BEFORE = Stacks(tuple((L, L) if number == 3 else (D,) * 5 if number == 20 else () for number in range(len(POINTS))))


def with_points(**points: tuple[Checkers, ...]) -> Stacks:
    """The start with other stacks on some points, as p3=(…)."""
    numbers = {int(name[1:]): stack for name, stack in points.items()}
    return replace(BEFORE, points=tuple(numbers.get(at, stack) for at, stack in enumerate(BEFORE.points)))


def moment(stacks: Stacks, *dice: DieAtRest) -> TableSnapshot:
    return TableSnapshot(0, stacks, dice, (), 0, None, STEADY)


def die_at(at_mm: tuple[float, float]) -> DieAtRest:
    return DieAtRest(1, Player.WHITE, 4, Lie.FLAT, at_mm)


def changes_to(after: Stacks) -> PointChanges:
    first, second = (reading_with_picture(moment(stacks), PLAN, 1).view_thumbnail for stacks in (BEFORE, after))
    assert first is not None
    assert second is not None
    return compare_points(first, second)


@pytest.mark.parametrize(
    ("after", "changed"),
    [
        (with_points(p3=(L,), p5=(L,)), {3: 1, 5: 1}),
        (with_points(p3=(), p14=(L, L)), {3: 2, 14: 2}),
        (with_points(p20=(D, D, D, D), p8=(D,)), {20: 1, 8: 1}),
    ],
)
def test_a_checker_changes_the_picture_where_it_lay_and_where_it_lies(after: Stacks, changed: dict[int, int]) -> None:
    changes = changes_to(after)
    assert {number: int(changes.least[number]) for number in np.flatnonzero(changes.least)} == changed
    assert {number: int(changes.most[number]) for number in np.flatnonzero(changes.most)} == changed


def test_one_on_top_of_a_row_shows() -> None:
    assert changes_to(with_points(p20=(D,) * 6)).is_touched[20]


@pytest.mark.parametrize(("point", "places"), [(3, {2, 3, 4}), (20, {19, 20, 21})])
def test_a_die_disturbs_the_points_beside_it(point: int, places: set[int]) -> None:
    die = die_at(PLAN.spot_mm(POINTS[point], 1))
    assert reading_with_picture(moment(BEFORE, die), PLAN, 1).disturbed == places


def test_a_die_on_the_bar_disturbs_that() -> None:
    die = die_at((sum(PLAN.bar_mm) / 2, PLAN.height_mm / 3))
    assert BAR in reading_with_picture(moment(BEFORE, die), PLAN, 1).disturbed
