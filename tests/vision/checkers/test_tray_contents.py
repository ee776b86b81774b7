"""What lies in a tray, from a line along its middle."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.checkers.network import COUNTS
from vision.checkers.tray_contents import (
    MIDDLE_PX,
    CountLikelihoods,
    HeightParallax,
    SideAppearance,
    TrayLine,
    add_counts,
    read_tray_line,
)
from vision.geometry.top_view import MARGIN_PX, VIEW_HEIGHT_PX

FLOOR, WHITE, BLACK = (20.0, 12.0, -18.0), (48.0, 2.0, 6.0), (6.0, 0.0, 0.0)
LOOKS = SideAppearance(np.array(WHITE), np.array(BLACK))
FROM_FAR_ABOVE = HeightParallax(MIDDLE_PX, 1.0)
THICK_PX = 8


def line_with(upper: int = 0, lower: int = 0, *, colours: tuple[tuple[float, ...], ...] = (WHITE, BLACK)) -> TrayLine:
    """A felt floor with checkers on their edges at the ends, grooves between them."""
    rng = np.random.default_rng(1)
    line = np.tile(np.array(FLOOR, np.float32), (VIEW_HEIGHT_PX, 1)) + rng.normal(0, 0.4, (VIEW_HEIGHT_PX, 3)).astype(
        np.float32
    )
    line[:MARGIN_PX] = line[-MARGIN_PX:] = (35, 10, 20)
    for way, count, colour in ((line, upper, colours[0]), (line[::-1], lower, colours[1])):
        row = np.arange(count * THICK_PX)
        way[MARGIN_PX : MARGIN_PX + len(row)] = colour
        way[MARGIN_PX : MARGIN_PX + len(row), 0] -= 5 * np.cos(2 * np.pi * row / THICK_PX)
    return line


def best(table: CountLikelihoods | None) -> tuple[int, int]:
    assert table is not None
    light, dark = np.unravel_index(table.argmax(), table.shape)
    return int(light), int(dark)


def share(table: CountLikelihoods | None, light: int, dark: int) -> float:
    assert table is not None
    return float(table[light, dark] / table.sum())


def test_a_bare_floor_is_empty_for_sure() -> None:
    assert share(read_tray_line(line_with(), LOOKS, FROM_FAR_ABOVE), 0, 0) > 0.9


@pytest.mark.parametrize("count", [5, 9, 14])
def test_a_roll_is_counted_to_one_and_never_for_sure(count: int) -> None:
    """The last checker's inner face makes it longer at times."""
    table = read_tray_line(line_with(count), LOOKS, FROM_FAR_ABOVE)
    light, dark = best(table)
    assert abs(light - count) <= 1
    assert dark == 0
    assert share(table, light, dark) < 0.9


def test_both_ends_are_added() -> None:
    """Light at one end, dark at the other; the same side at both ends is one sum."""
    light, dark = best(read_tray_line(line_with(8, 6), LOOKS, FROM_FAR_ABOVE))
    assert abs(light - 8) <= 1
    assert abs(dark - 6) <= 1
    light, dark = best(read_tray_line(line_with(8, 6, colours=(BLACK, BLACK)), LOOKS, FROM_FAR_ABOVE))
    assert light == 0
    assert abs(dark - 14) <= 2


def test_without_known_colours_either_side_may_lie_there() -> None:
    """Ten light ones are as likely as ten dark ones."""
    table = read_tray_line(line_with(10), SideAppearance(None, None), FROM_FAR_ABOVE)
    assert table is not None
    assert table[1:, 0] == pytest.approx(table[0, 1:])


def test_one_known_colour_tells_its_own() -> None:
    """Another colour is the other side's."""
    assert best(read_tray_line(line_with(10), SideAppearance(None, np.array(BLACK)), FROM_FAR_ABOVE))[1] == 0
    assert best(read_tray_line(line_with(10), SideAppearance(np.array(BLACK), None), FROM_FAR_ABOVE))[0] == 0


def test_a_shadow_is_no_sure_checker() -> None:
    """A darker end without grooves may be empty, and nothing is sure."""
    line = line_with()
    line[MARGIN_PX : MARGIN_PX + 30, 0] -= 10
    table = read_tray_line(line, LOOKS, FROM_FAR_ABOVE)
    assert share(table, 0, 0) > 0.03
    assert table is not None
    assert table.max() / table.sum() < 0.5


def test_a_row_of_flat_ones_may_have_more_on_top() -> None:
    """Three in a row: at least three, and fifteen are possible."""
    line = line_with()
    line[MARGIN_PX : MARGIN_PX + 3 * 29] = WHITE
    table = read_tray_line(line, LOOKS, FROM_FAR_ABOVE)
    assert table is not None
    assert table[3:, 0].sum() > 10 * table[1:2, 0].sum()
    assert table[15, 0] > 0.05 * table.max()


def test_what_covers_the_middle_or_lies_in_it_makes_it_unknown() -> None:
    """A hand over the floor; a checker that lies against no end."""
    covered, astray = line_with(), line_with()
    covered[MIDDLE_PX - 5 : MIDDLE_PX + 60] = (40, 15, 20)
    astray[MARGIN_PX + 60 : MARGIN_PX + 90] = WHITE
    assert read_tray_line(covered, LOOKS, FROM_FAR_ABOVE) is None
    assert read_tray_line(astray, LOOKS, FROM_FAR_ABOVE) is None


def test_what_stands_high_looks_longer() -> None:
    """Below the camera nothing moves, away from it rows move outward."""
    height = HeightParallax(200.0, 0.9)
    assert height.correct_row_px(200.0) == 200.0
    assert height.correct_row_px(100.0) == pytest.approx(110.0)


@given(st.integers(0, 15), st.integers(0, 15), st.integers(0, 15), st.integers(0, 15))
def test_sums(light: int, dark: int, more_light: int, more_dark: int) -> None:
    """Two certain trays are one certain sum, or impossible with more than fifteen of a side."""
    first, second = np.zeros((COUNTS, COUNTS)), np.zeros((COUNTS, COUNTS))
    first[light, dark] = second[more_light, more_dark] = 1
    total = add_counts(first, second)
    if light + more_light < COUNTS and dark + more_dark < COUNTS:
        assert total[light + more_light, dark + more_dark] == total.sum() == 1
    else:
        assert total.sum() == 0
