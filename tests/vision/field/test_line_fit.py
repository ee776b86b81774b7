import numpy as np
import pytest

from vision.field.line_fit import Stations, fit_lines, height_to_width
from vision.geometry.projection import FieldShape, Lens, Projection

FIELD = FieldShape(440, 360, 200, 240)
CORNERS_PX = [(130.0, 95.0), (1130.0, 60.0), (1180.0, 900.0), (95.0, 880.0)]
LENS = Lens(1000.0, (639.5, 479.5), -0.08)
EXACT = Projection.of_corners(CORNERS_PX, FIELD, LENS)
ROUGH_MM = [(6.0, -5.0), (-4.0, 7.0), (5.0, 4.0), (-6.0, 3.0)]


def stations_of(projection: Projection, *, every_mm: float = 10.0) -> Stations:
    """The stations of a perfect network on all six lines."""
    lines = [
        *(
            (line, np.column_stack([x, np.full_like(x, y)]))
            for line, y in ((0, 0.0), (1, 360.0))
            for x in [np.arange(5, 440, every_mm)]
        ),
        *(
            (line, np.column_stack([np.full_like(y, x), y]))
            for line, x in ((2, 0.0), (3, 440.0), (4, 200.0), (5, 240.0))
            for y in [np.arange(5, 360, every_mm)]
        ),
    ]
    px = projection.to_picture(np.concatenate([points for _, points in lines]))
    line = np.concatenate([np.full(len(points), number) for number, points in lines])
    return Stations(px, line, np.ones(len(px)))


def rough_guess() -> Projection:
    """What the coarse network gives: corners off by more than a percent, a lens without distortion."""
    return Projection.of_corners(EXACT.to_picture(FIELD.corners_mm + ROUGH_MM), FIELD, Lens(1000.0, (639.5, 479.5)))


def test_perfect_stations_give_the_exact_projection() -> None:
    """Corners, bar and lens distortion."""
    wide_bar = FieldShape(440, 360, 195, 248)
    projection, field, off = fit_lines(stations_of(EXACT), rough_guess(), wide_bar)
    assert np.abs(projection.to_picture(FIELD.corners_mm) - CORNERS_PX).max() < 0.5
    assert (field.bar_left_mm, field.bar_right_mm) == pytest.approx((200, 240), abs=0.3)
    assert projection.lens.k1 == pytest.approx(-0.08, abs=0.01)
    assert np.abs(off).max() < 0.3


def test_a_fifth_of_wild_stations_does_not_move_the_corners() -> None:
    """An arm across the rim, or a shadow beside it, shows false lines."""
    stations = stations_of(EXACT)
    wild = np.random.default_rng(4).random(len(stations.px)) < 0.2
    px = stations.px + np.where(wild[:, None], (25.0, 25.0), (0.0, 0.0))
    projection, _, _ = fit_lines(Stations(px, stations.line, stations.weight), rough_guess(), FIELD)
    assert np.abs(projection.to_picture(FIELD.corners_mm) - CORNERS_PX).max() < 4.0


@pytest.mark.parametrize("height_mm", [300.0, 360.0, 420.0])
def test_the_height_shows_beside_the_width(height_mm: float) -> None:
    """The corners and the focal length determine the aspect ratio of a tilted field."""
    field = FieldShape(440, height_mm, 200, 240)
    angle = np.radians(25)
    turn = np.array([[1, 0, 0], [0, np.cos(angle), np.sin(angle)], [0, -np.sin(angle), np.cos(angle)]])
    inner = np.array([[900.0, 0, 640], [0, 900, 480], [0, 0, 1]])
    matrix = inner @ np.column_stack([turn[:, 0], turn[:, 1], turn @ (-220, -height_mm / 2, 0) + (0, 0, 800)])
    lens = Lens(900.0, (640.0, 480.0))
    corners = Projection.of(matrix, lens).to_picture(field.corners_mm)
    assert height_to_width(corners, lens) == pytest.approx(height_mm / 440, abs=1e-6)


@pytest.mark.parametrize("right_mm", [221.0, 219.5])
def test_a_board_without_a_bar_has_sides_in_order(right_mm: float) -> None:
    """The stations of its two lines may have changed places; the field is still one that a calibration file holds."""
    seen = stations_of(EXACT)
    x_mm, y_mm = EXACT.to_board(seen.px).T
    x_mm = np.where(seen.line == 4, 220.0, np.where(seen.line == 5, right_mm, x_mm))
    px = EXACT.to_picture(np.column_stack([x_mm, y_mm]))
    _, field, _ = fit_lines(Stations(px, seen.line, seen.weight), rough_guess(), FieldShape(440, 360, 216, 224))
    assert 0 <= field.bar_right_mm - field.bar_left_mm == pytest.approx(max(0.0, right_mm - 220), abs=0.05)
    assert not field.has_bar
