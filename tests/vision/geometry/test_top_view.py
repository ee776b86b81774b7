import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.geometry import top_view
from vision.geometry.projection import FieldShape, Lens, Projection

FIELD = FieldShape(440, 360, 200, 240)
NO_BAR = FieldShape(440, 360, 220, 220)
LENS = Lens(800.0, (319.5, 239.5))
LEVEL = Projection.of_corners([(100, 80), (540, 80), (540, 440), (100, 440)], FIELD, LENS)

fields = st.builds(
    lambda width, share, middle, bar: FieldShape(width, width * share, width * (middle - bar), width * (middle + bar)),
    st.floats(300, 700),
    st.floats(0.6, 1.1),
    st.floats(0.47, 0.53),
    st.floats(0.0, 0.06),
)


def test_the_view_has_its_size_whatever_the_field() -> None:
    """Twelve points of 32 px, a bar of 48 and margins of 32; both sides are multiples of 16."""
    assert (top_view.VIEW_WIDTH_PX, top_view.VIEW_HEIGHT_PX) == (496, 416)
    assert top_view.columns_mm(NO_BAR).shape == (496,)
    assert top_view.rows_mm(NO_BAR).shape == (416,)


def test_points_begin_where_they_should() -> None:
    """The middle of point 1 is seen 16 px inside the margin, that of point 7 right of the bar."""
    places = [(FIELD.point_middle_mm(1), 0.0), (FIELD.point_middle_mm(7), 360.0)]
    assert top_view.to_view(places, FIELD) == pytest.approx(np.array([(47.5, 31.5), (287.5, 383.5)]))


def test_a_missing_bar_is_shown_as_its_neighbours() -> None:
    """Where there is no bar, its strip shows a point's width of board around the line between the halves."""
    bar = top_view.columns_mm(NO_BAR)[
        top_view.MARGIN_PX + 6 * top_view.PITCH_PX : top_view.MARGIN_PX + 6 * top_view.PITCH_PX + 48
    ]
    assert (bar[0], bar[-1]) == (pytest.approx(202.05, abs=0.01), pytest.approx(237.95, abs=0.01))


@given(fields, st.integers(0, top_view.VIEW_WIDTH_PX - 1), st.integers(0, top_view.VIEW_HEIGHT_PX - 1))
def test_the_view_comes_back_from_the_board(field: FieldShape, column: int, row: int) -> None:
    """to_view of the place that a pixel shows is that pixel, outside a bar that is shown wider than it is."""
    x_mm, y_mm = top_view.columns_mm(field)[column], top_view.rows_mm(field)[row]
    on_bar = (
        top_view.MARGIN_PX + 6 * top_view.PITCH_PX
        <= column
        < top_view.VIEW_WIDTH_PX - top_view.MARGIN_PX - 6 * top_view.PITCH_PX
    )
    is_shown_wider = field.bar_right_mm - field.bar_left_mm < field.pitch_mm
    if not (on_bar and is_shown_wider):
        assert top_view.to_view([(x_mm, y_mm)], field) == pytest.approx(np.array([(column, row)]), abs=1e-6)


def test_a_white_point_stays_white() -> None:
    """The rest of the view stays black."""
    picture = np.zeros((480, 640, 3), np.uint8)
    picture[80:260, 100:133] = 255  # the upper half of the first point's strip, 33 mm wide
    view = top_view.view_map(LEVEL, FIELD).warp(picture)
    assert view.shape == (416, 496, 3)
    assert view[top_view.MARGIN_PX + 3 : top_view.MARGIN_PX + top_view.FIELD_ROWS_PX // 2 - 3, 35:61].min() == 255
    assert view[:, 68:].max() == 0


def test_a_large_picture_is_made_smaller_first() -> None:
    """Each pixel of the view is the mean of sixteen: a fine chequer comes out grey."""
    large = Projection.of_corners([(0, 0), (1999, 0), (1999, 1635), (0, 1635)], FIELD, Lens(1500.0, (1000, 818)))
    found = top_view.make_grid_map(large, top_view.columns_mm(FIELD), top_view.rows_mm(FIELD))
    assert found.shrink == 4
    picture = ((np.indices((1636, 2000)).sum(axis=0) % 2) * 255).astype(np.uint8)
    view = found.warp(np.repeat(picture[..., None], 3, axis=2))
    assert np.abs(view[40:-40, 40:-40].astype(int) - 128).max() < 20


def test_beyond_the_picture_its_edge_is_repeated() -> None:
    outside = Projection.of_corners([(-200, 80), (240, 80), (240, 440), (-200, 440)], FIELD, LENS)
    picture = np.full((480, 640, 3), 77, np.uint8)
    assert (top_view.view_map(outside, FIELD).warp(picture) == 77).all()
