"""Points of both rows are equally long, or something lies over the field."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.field.auto_calibration import TipSearch, measure_tip_depths_px, rows_differ
from vision.geometry.top_view import FIELD_ROWS_PX, HALF_PX, MARGIN_PX, PITCH_PX, VIEW_HEIGHT_PX, VIEW_WIDTH_PX

GROUND, LIGHT, DARK = (60, 110, 90), (190, 210, 220), (40, 40, 120)


def view(upper_px: int, lower_px: int, *, covered: int = 0) -> np.ndarray:
    """A field whose points are so long; the first `covered` upper ones end where something lies on them."""
    drawn = np.full((VIEW_HEIGHT_PX, VIEW_WIDTH_PX, 3), GROUND, np.uint8)
    for left in (MARGIN_PX, VIEW_WIDTH_PX - MARGIN_PX - HALF_PX):
        for point in range(6):
            columns = slice(left + point * PITCH_PX + 10, left + (point + 1) * PITCH_PX - 10)
            shades = (LIGHT, DARK) if point % 2 else (DARK, LIGHT)
            length_px = upper_px - 40 if point < covered else upper_px
            drawn[MARGIN_PX : MARGIN_PX + length_px, columns] = shades[0]
            drawn[MARGIN_PX + FIELD_ROWS_PX - lower_px : MARGIN_PX + FIELD_ROWS_PX, columns] = shades[1]
    return drawn


def test_tips_are_found() -> None:
    """140 px below the upper side, all twelve."""
    depths = measure_tip_depths_px(view(140, 140).astype(np.float64), TipSearch())
    assert depths == pytest.approx(np.full(12, 140.0), abs=1.0)


@settings(max_examples=25, deadline=None)
@given(length_px=st.integers(110, 160), differ_px=st.integers(-6, 6))
def test_equal_rows_are_no_reason_to_doubt(length_px: int, differ_px: int) -> None:
    """Nor are rows that differ by a few percent, as a corner that is off by one makes them."""
    assert not rows_differ(view(length_px, length_px + differ_px))


@settings(max_examples=25, deadline=None)
@given(length_px=st.integers(120, 165), missing_px=st.integers(28, 45))
def test_a_row_cut_short_shows(length_px: int, missing_px: int) -> None:
    """On either side, where a tenth of the field is hidden under what was taken for its edge."""
    assert rows_differ(view(length_px, length_px - missing_px))
    assert rows_differ(view(length_px - missing_px, length_px))


def test_a_few_covered_points_do_not() -> None:
    """Two points of each half end at a stack of checkers; the others say how long they are."""
    assert not rows_differ(view(150, 150, covered=2))


def test_a_plain_view_tells_nothing() -> None:
    """No points, no difference."""
    assert not rows_differ(np.full((VIEW_HEIGHT_PX, VIEW_WIDTH_PX, 3), 90, np.uint8))
