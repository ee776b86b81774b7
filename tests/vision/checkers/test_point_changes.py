"""How many checkers at most came to a point or left it, by two pictures alone."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.shown_boards import FELT, LIGHT, SHOWN_SHAPE, shown_with
from tests.vision.simulated.played_tables import calibration_of
from vision.checkers.point_changes import ANY_NUMBER, CELL_PX, POINTS, VIEW_SHRINK, compare_points, reduce_view
from vision.geometry.top_view import FIELD_ROWS_PX, VIEW_HEIGHT_PX, VIEW_WIDTH_PX, view_map
from vision.simulated.painter import Painter
from vision.simulated.scene import CheckerSide
from vision.simulated.table_styles import table_style
from vision.simulated.tabletop import Arrangement, Bump

T1, B8 = 0, 19
BEFORE = {T1: [0.5, 1.5], B8: [0.5]}  # middles of checkers, in widths of a point from the rim


def noisy(picture: NDArray[np.uint8], seed: int, sigma: float = 0.6) -> NDArray[np.uint8]:
    noise = np.random.default_rng(seed).normal(0, sigma, picture.shape)
    return np.clip(np.round(picture + noise), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("gain", [1.0, 0.9, 1.12])
def test_where_nothing_changed(gain: float) -> None:
    """The light as a whole may be another one."""
    then = noisy(shown_with(BEFORE), 1)
    now = noisy((gain * shown_with(BEFORE)).astype(np.uint8), 2)
    changes = compare_points(then, now)
    assert not changes.most.any()
    assert changes.is_unchanged.all()


@pytest.mark.parametrize(("middles", "most"), [([], 2), ([0.5], 1), ([0.5, 1.5, 2.5], 1), ([0.5, 1.5, 2.5, 3.5], 2)])
def test_as_many_as_came_or_went(middles: list[float], most: int) -> None:
    """On that point, and none on any other."""
    changes = compare_points(noisy(shown_with(BEFORE), 1), noisy(shown_with({**BEFORE, T1: middles}), 2))
    assert changes.most.tolist() == [most] + [0] * (POINTS - 1)
    assert changes.is_unchanged.tolist() == [False] + [True] * (POINTS - 1)


@pytest.mark.parametrize("first", np.arange(0.4, 3.4, 0.1).tolist())
@pytest.mark.parametrize("diameter", [0.76, 0.85, 0.95])
def test_never_fewer_than_came(first: float, diameter: float) -> None:
    """Small checkers, laid anywhere: two take less room than two widths of a point."""
    empty = shown_with({})
    one, two = (shown_with({B8: [first + n * diameter for n in range(count)]}, diameter) for count in (1, 2))
    assert compare_points(empty, one).most[B8] >= 1
    assert compare_points(empty, two).most[B8] >= 2
    assert compare_points(one, two).most[B8] >= 1


@pytest.mark.parametrize("now", [2 * shown_with(BEFORE) // 3, noisy(shown_with(BEFORE), 2, sigma=30.0)])
def test_where_pictures_do_not_tell(now: NDArray[np.uint8]) -> None:
    """Much darker, or hardly anything but noise."""
    changes = compare_points(shown_with(BEFORE), now.astype(np.uint8))
    assert (changes.most == ANY_NUMBER).all()
    assert not changes.is_unchanged.any()
    assert not changes.least.any()


def test_where_more_changed_than_is_ever_played() -> None:
    """Another board, or half of it in the shade: nothing is reported."""
    changes = compare_points(shown_with(BEFORE), shown_with({point: [0.5, 1.5] for point in range(3, 18)}))
    assert (changes.most == ANY_NUMBER).all()
    assert not changes.least.any()


def test_what_is_surely_as_much_as_a_checker() -> None:
    """One that came or went; one that was pushed a little changes crescents, and a die less than a checker's place."""
    came, pushed = shown_with({**BEFORE, T1: [0.5, 1.5, 2.5]}), shown_with({**BEFORE, T1: [0.5, 1.7]})
    die = shown_with(BEFORE).copy()
    die[56:62, 20:26] = LIGHT
    assert [int(compare_points(shown_with(BEFORE), now).least[T1]) for now in (came, pushed, die)] == [1, 0, 0]


def test_a_checker_that_does_not_lie_where_they_use_to() -> None:
    """It may be two as far as the length tells, and is surely one."""
    changes = compare_points(shown_with({}), shown_with({B8: [1.0]}))
    assert (changes.least[B8], changes.most[B8]) == (1, 2)


@pytest.mark.parametrize("factor", [0.94, 0.9])
def test_a_soft_shadow(factor: float) -> None:
    """More differs than is surely a checker's."""
    now = shown_with(BEFORE).astype(np.float32)
    now[:100, 10:40] *= factor
    changes = compare_points(shown_with(BEFORE), now.astype(np.uint8))
    assert not ((changes.least > 0) & (changes.least == changes.most)).any()


@pytest.mark.parametrize("gain", [1.1, 1 / 1.1])
def test_highlights_that_are_cut_off(gain: float) -> None:
    """White checkers of 250 cannot become brighter with the rest."""
    then = shown_with(BEFORE, colour=(250, 250, 250))
    changes = compare_points(then, np.clip(gain * then.astype(np.float32), 0, 255).astype(np.uint8))
    assert not changes.least.any()


def test_a_little_is_no_checker_and_not_nothing() -> None:
    """A checker laid on a heap of its own colour."""
    then = shown_with(BEFORE)
    now = then.copy()
    row, column = np.argwhere((then != FELT).any(axis=2))[0]
    now[row : row + 12, column - 6 : column + 6] += 4
    changes = compare_points(then, now)
    assert changes.most[T1] == 0
    assert not changes.is_unchanged[T1]
    assert changes.is_touched.tolist() == [True] + [False] * (POINTS - 1)


def test_light_at_the_rim_is_no_change_on_a_point() -> None:
    """An LED there shines on the first quarter of a point's width."""
    now = shown_with(BEFORE).copy()
    rim = (now.shape[0] - FIELD_ROWS_PX // VIEW_SHRINK) // 2
    now[: rim + CELL_PX] = np.minimum(now[: rim + CELL_PX].astype(np.int64) + 30, 255)
    changes = compare_points(shown_with(BEFORE), now)
    assert changes.is_unchanged.all()
    assert not changes.is_touched.any()
    assert not changes.most.any()


def test_a_view_made_small() -> None:
    """Half as wide, half as high."""
    view = np.random.default_rng(0).integers(0, 255, (VIEW_HEIGHT_PX, VIEW_WIDTH_PX, 3)).astype(np.uint8)
    reduced = reduce_view(view)
    assert reduced.shape == SHOWN_SHAPE
    assert reduced[3, 5] == pytest.approx(view[6:8, 10:12].mean(axis=(0, 1)), abs=1)
    assert not reduced.flags.writeable


PALE = (81004, "T3")  # a checker on a point of nearly its own colour
SEEDS = [81000, PALE[0], *(pytest.param(seed, marks=pytest.mark.slow) for seed in (81001, 81002, 81003, 81005))]
NUDGES = (Bump(), Bump((1.0, -0.4, 0.0), 0.3), Bump((-3.0, 2.0, 0.0), -0.2))


@pytest.mark.broad
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("nudge", NUDGES)
@pytest.mark.parametrize("size_px", [(640, 480), (1280, 960)])
def test_drawn_tables(seed: int, nudge: Bump, size_px: tuple[int, int]) -> None:
    """A checker more, two more, one fewer: on that point and no other, though camera or board were nudged in between."""
    style = table_style(seed, size_px)
    painter, known = Painter(style, codes_jpeg=True), calibration_of(style)
    straight = view_map(known.projection, known.field)
    stacks = (
        ("T3", CheckerSide.LIGHT, 2),
        ("T4", CheckerSide.DARK, 3),
        ("B3", CheckerSide.DARK, 1),
        ("B9", CheckerSide.LIGHT, 5),
        ("B10", CheckerSide.LIGHT, 4),
    )
    board = Arrangement()
    for place, side, count in stacks:
        board = board.with_stack(place, (side,) * count)

    def seen(arrangement: Arrangement, number: int) -> NDArray[np.uint8]:
        return reduce_view(straight.warp(painter.paint_frame(arrangement, number)))

    then = seen(board, 0)
    for number, (place, side, count, most) in enumerate(
        (
            ("T3", CheckerSide.LIGHT, 3, 1),
            ("T8", CheckerSide.DARK, 2, 2),
            ("B3", CheckerSide.LIGHT, 1, 1),
            ("B9", CheckerSide.LIGHT, 4, 1),
        ),
        1,
    ):
        changes = compare_points(then, seen(replace(board.with_stack(place, (side,) * count), bump=nudge), number))
        changed = (0 if place[0] == "T" else POINTS // 2) + int(place[1:]) - 1
        assert changes.most[changed] >= most
        if nudge == Bump():  # what is laid over another picture is a little blurred
            assert changes.most.tolist() == [most if point == changed else 0 for point in range(POINTS)]
        assert changes.least[changed] == most or ((seed, place) == PALE and not changes.least[changed])
        assert not np.delete(changes.least, changed).any()
    assert compare_points(then, seen(board, 9)).is_unchanged.sum() >= POINTS - 1  # noise may resemble a small change
