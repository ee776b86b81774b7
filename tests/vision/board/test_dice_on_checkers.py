"""A die near a detected checker face may have been read as that checker."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.dice.hand_made_dice import STRAIGHT_DOWN, die
from vision.board import dice_on_checkers
from vision.checkers.colour_classes import BAR
from vision.checkers.network import COUNTS, PLACES, CheckerTop, ViewReading
from vision.dice.readings import CubePlace, CubeReading, DieReading
from vision.geometry.top_view import to_view

FIELD = STRAIGHT_DOWN.field
ON_T2_MM = (FIELD.point_middle_mm(2), 20.0)
ON_BAR_MM = ((FIELD.bar_left_mm + FIELD.bar_right_mm) / 2, 200.0)
T2, LIGHT, DARK = 1, 0, COUNTS - 1


def lying(at_mm: tuple[float, float]) -> DieReading:
    """Seen from straight above, with its upper face over its base."""
    x_px, y_px = STRAIGHT_DOWN.projection.to_picture([at_mm])[0]
    return replace(die(at_px=(float(x_px), float(y_px))), base_mm=at_mm, size_px=14.0)


def seen_with(
    counts: dict[int, float], at_mm: tuple[float, float], *, on_bar: dict[int, float] | None = None
) -> ViewReading:
    """T2 with these chances by class, the bar with these chances of light counts, and one face at a place."""
    points = np.full((PLACES, 31), -20.0, np.float32)
    points[:, 0] = 0.0
    points[T2] = -20.0
    for number, chance in counts.items():
        points[T2, number] = np.log(chance)
    bar = np.full(COUNTS, -20.0, np.float32)
    light = bar.copy()
    for number, chance in (on_bar or {0: 1.0}).items():
        light[number] = np.log(chance)
    bar[0] = 0.0
    ((x_px, y_px),) = to_view([at_mm], FIELD)
    top = CheckerTop(float(x_px), float(y_px), 0.9)
    return ViewReading(points, light, bar, np.ones(PLACES + 1, np.float32), (top,))


def doubted_by(seen: ViewReading, dice: list[DieReading]) -> ViewReading:
    return dice_on_checkers.allow_fewer_checkers(seen, dice_on_checkers.find_places_of_dice(seen, dice, STRAIGHT_DOWN))


@pytest.mark.parametrize(
    ("counted", "without"), [(LIGHT + 1, 0), (DARK + 1, 0), (LIGHT + 4, LIGHT + 3), (DARK + 7, DARK + 6)]
)
def test_one_checker_less_is_as_likely(counted: int, without: int) -> None:
    """It has the same colour; no checker has no colour. Unlikely classes stay unlikely, and all together are certain."""
    (doubted,) = doubted_by(seen_with({counted: 1.0}, ON_T2_MM), [lying(ON_T2_MM)]).points[[T2]]
    assert doubted[counted] == doubted[without] == pytest.approx(np.log(0.5), abs=1e-4)
    assert np.delete(doubted, [counted, without]).max() < -10
    assert np.logaddexp.reduce(doubted) == pytest.approx(0, abs=1e-5)


def test_on_the_bar() -> None:
    """The count of either colour may be one less, since the bar does not show whose the face is."""
    seen = seen_with({0: 1.0}, ON_BAR_MM, on_bar={2: 1.0})
    doubted = doubted_by(seen, [lying(ON_BAR_MM)])
    assert np.exp(doubted.bar_light[[1, 2]]) == pytest.approx([0.5, 0.5], abs=1e-3)
    assert np.exp(doubted.bar_dark[0]) == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("away_mm", [(14.0, 0.0), (0.0, 14.0)])
def test_a_face_beside_the_die_is_a_checker(away_mm: tuple[float, float]) -> None:
    """The reading is the same object, as it is without a die or for a die without a base."""
    seen = seen_with({1: 1.0}, ON_T2_MM)
    beside = (ON_T2_MM[0] + away_mm[0], ON_T2_MM[1] + away_mm[1])
    for dice in ([lying(beside)], [], [replace(lying(ON_T2_MM), base_mm=None)]):
        assert doubted_by(seen, dice) is seen


def test_an_upper_face_that_leans_over_counts() -> None:
    """Seen aslant the upper face is beside the base; a checker's face at either is the die."""
    aslant = replace(lying(ON_T2_MM), base_mm=(ON_T2_MM[0], ON_T2_MM[1] + 12.0))
    assert doubted_by(seen_with({1: 1.0}, ON_T2_MM), [aslant]).points[T2, 0] > np.log(0.4)


LIES = (0.5, 0.0, 0.5, 0.0, 0.0, 0.0)  # flat, cocked, on a checker, …


def hidden_below(seen: ViewReading, dice: list[DieReading]) -> ViewReading:
    return dice_on_checkers.allow_hidden_checkers(seen, dice_on_checkers.compute_lean_chances(dice, STRAIGHT_DOWN))


@pytest.mark.parametrize(
    ("read", "more"),
    [
        (0, {LIGHT + 1: dice_on_checkers.MISSED_BELOW_P, DARK + 1: dice_on_checkers.MISSED_BELOW_P}),
        (LIGHT + 1, {LIGHT + 2: dice_on_checkers.MISSED_BELOW_P, DARK + 1: dice_on_checkers.OTHER_COLOUR_BELOW_P}),
        (DARK + 1, {DARK + 2: dice_on_checkers.MISSED_BELOW_P, LIGHT + 1: dice_on_checkers.OTHER_COLOUR_BELOW_P}),
        (LIGHT + 4, {LIGHT + 5: dice_on_checkers.MISSED_BELOW_P}),
        (DARK + 15, {}),
    ],
)
def test_a_checker_below_a_die_may_be_overlooked(read: int, more: dict[int, float]) -> None:
    """It may also have the other colour, as far as the die may lie on it; the class that was read stays the most likely."""
    seen = seen_with({read: 1.0}, ON_T2_MM)
    (row,) = hidden_below(seen, [replace(lying(ON_T2_MM), lie_chances=LIES)]).points[[T2]]
    assert {number: float(np.exp(row[number])) for number in more} == pytest.approx(
        {number: share / 2 for number, share in more.items()}, rel=1e-4
    )
    assert row[read] == pytest.approx(0, abs=1e-4)
    assert np.delete(row, [read, *more]).max() < -10


def test_below_a_die_that_lies_flat_is_no_checker() -> None:
    """The reading is the same object, as it is for a die without known lies, on the bar, or beside the board."""
    seen = seen_with({0: 1.0}, ON_T2_MM)
    flat, leaning = (1.0, *LIES[1:2], 0.0, *LIES[3:]), LIES
    for at_mm, chances in ((ON_T2_MM, flat), (ON_T2_MM, ()), (ON_BAR_MM, leaning), ((-60.0, 20.0), leaning)):
        assert hidden_below(seen, [replace(lying(at_mm), lie_chances=chances)]) is seen


@pytest.mark.parametrize(
    ("at_mm", "near"),
    [
        (ON_T2_MM, {0, 1, 2}),
        ((FIELD.point_middle_mm(2), FIELD.height_mm / 2 - 5), {0, 1, 2, 12, 13, 14}),
        ((FIELD.point_middle_mm(2) + FIELD.pitch_mm / 2, FIELD.height_mm - 20.0), {13, 14}),
        ((FIELD.bar_left_mm - 2, 20.0), {5, 24}),
        (ON_BAR_MM, {24}),
        ((-60.0, 20.0), set()),
    ],
)
def test_places_whose_picture_holds_a_die(at_mm: tuple[float, float], near: set[int]) -> None:
    """Its shadow may reach to the next point; beside the board no place is near."""
    assert dice_on_checkers.find_disturbed_places([lying(at_mm)], None, STRAIGHT_DOWN) == near


def test_a_die_stands_and_is_seen_on_different_points() -> None:
    """Its upper face leans over; without a known base only the upper face counts."""
    small = replace(lying((FIELD.point_middle_mm(3), 20.0)), size_px=8.0)
    assert dice_on_checkers.find_disturbed_places([replace(small, base_mm=ON_T2_MM)], None, STRAIGHT_DOWN) == {1, 2}
    assert dice_on_checkers.find_disturbed_places([replace(small, base_mm=None)], None, STRAIGHT_DOWN) == {2}
    assert dice_on_checkers.find_disturbed_places([small, lying(ON_BAR_MM)], None, STRAIGHT_DOWN) == {2, 24}


def test_the_cube_and_a_narrow_bar_disturb_too() -> None:
    """Around the cube, and on a bar beside which the neighbours show."""
    x_px, y_px = STRAIGHT_DOWN.projection.to_picture([ON_BAR_MM])[0]
    cube = CubeReading(2, CubePlace.BAR, (float(x_px), float(y_px)), 0.99)
    assert BAR in dice_on_checkers.find_disturbed_places([], cube, STRAIGHT_DOWN)
    assert not dice_on_checkers.find_disturbed_places([], None, STRAIGHT_DOWN)
    narrow = replace(FIELD, bar_left_mm=210.0, bar_right_mm=230.0)
    assert dice_on_checkers.find_disturbed_places([], None, replace(STRAIGHT_DOWN, field=narrow)) == {BAR}
