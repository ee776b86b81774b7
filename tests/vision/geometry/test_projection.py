from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.tagged_boards import seen_from
from vision.geometry.projection import FieldShape, Lens, Projection, compute_homography, estimate_camera_pose, transform

FIELD = FieldShape(440, 360, 200, 240)
LEVEL_PX = [(100.0, 80.0), (540.0, 80.0), (540.0, 440.0), (100.0, 440.0)]
LEVEL = Projection.of_corners(LEVEL_PX, FIELD, Lens(800.0, (319.5, 239.5)))

lenses = st.builds(
    Lens, st.floats(400, 3000), st.tuples(st.floats(580, 700), st.floats(420, 540)), st.floats(-0.15, 0.08)
)
tilts = st.tuples(st.floats(-0.6, 0.6), st.floats(-0.6, 0.6), st.floats(-3.1, 3.1))


def test_the_field_of_a_level_camera() -> None:
    """One pixel is one millimetre."""
    assert LEVEL.to_picture([(0, 0), (440, 360), (200, 0)]) == pytest.approx(
        np.array([(100, 80), (540, 440), (300, 80)])
    )
    assert LEVEL.to_board([(320, 260)]) == pytest.approx(np.array([(220, 180)]))


@pytest.mark.parametrize(("bar_mm", "has_bar"), [(0.0, False), (4.4, False), (8.0, False), (12.0, True), (40.0, True)])
def test_a_bar_holds_checkers_or_is_none(bar_mm: float, has_bar: bool) -> None:
    """1 % of the width of a field is the error of its corners; the hinges of a folding board count as its bar."""
    assert FieldShape(440, 360, 220 - bar_mm / 2, 220 + bar_mm / 2).has_bar is has_bar


def test_the_camera_stands_where_its_focal_length_puts_it() -> None:
    """A field of 440 mm that is 440 px wide is seen by 800 px of focal length from 800 mm."""
    assert LEVEL.camera_mm == pytest.approx((219.5, 159.5, 800.0), abs=1e-6)


def test_what_stands_high_is_seen_further_out() -> None:
    """From 800 mm above its foot, a face 8 mm high and 198 mm away appears 2 mm further out (198 / 792 x 8)."""
    high = LEVEL.to_picture([(219.5 + 198, 159.5)], 8.0)
    assert LEVEL.to_board(high) == pytest.approx(np.array([(219.5 + 200, 159.5)]), abs=1e-6)


def test_points_lie_evenly_in_their_halves() -> None:
    """Halves of 200 mm have points of a sixth of that, and the bar of 40 mm lies between 6 and 7."""
    assert FIELD.pitch_mm == pytest.approx(33.333, abs=1e-3)
    assert [FIELD.point_middle_mm(column) for column in (1, 6, 7, 12)] == pytest.approx(
        [16.667, 183.333, 256.667, 423.333], abs=1e-3
    )


@given(lenses, st.floats(-0.4, 0.4), st.floats(-0.4, 0.4))
def test_bending_undoes_straightening(lens: Lens, right: float, down: float) -> None:
    """For every lens and every pixel of its picture."""
    px = np.array([lens.centre_px]) + lens.focal_px * np.array([(right, down)])
    assert lens.bend(lens.straighten(px)) == pytest.approx(px, abs=1e-6)


@pytest.mark.parametrize("k1", [-0.3, -1e-9, 0.0, 1e-9, 0.3])
def test_straightening_is_monotonic_everywhere(k1: float) -> None:
    """Proportional beyond the furthest point that a lens can show, and exact in its centre."""
    lens = Lens(1000.0, (640.0, 480.0), k1)
    along = [0.0, 100.0, 500.0, 900.0, 2000.0, 6000.0, 8000.0]
    straight = lens.straighten([(640.0 + right, 480.0) for right in along])[:, 0] - 640.0
    assert np.all(np.diff(straight) > 0)
    assert straight[0] == 0
    assert straight[-1] / straight[-2] == pytest.approx(8000 / 6000)
    assert straight[:3] == pytest.approx([r * (1 - k1 * (r / 1000) ** 2) for r in along[:3]], rel=0.03)


@given(lenses, tilts, st.floats(-30, 470), st.floats(-30, 390), st.floats(0, 40))
def test_the_board_comes_back_from_the_picture(
    lens: Lens, turn: tuple[float, float, float], x_mm: float, y_mm: float, height_mm: float
) -> None:
    """to_board(to_picture(p)) is p at every height, from every camera, through every lens of moderate view."""
    projection = seen_from(lens, turn)
    straight = replace(projection, lens=replace(lens, k1=0.0)).to_picture([(x_mm, y_mm)], height_mm)
    # Further out a barrel lens shows two places in one.
    if np.linalg.norm(straight - lens.centre_px) < 0.9 * lens.focal_px:
        px = projection.to_picture([(x_mm, y_mm)], height_mm)
        assert projection.to_board(px, height_mm) == pytest.approx(np.array([(x_mm, y_mm)]), abs=1e-3)


@given(lenses, tilts)
def test_the_pose_comes_back_from_the_homography(lens: Lens, turn: tuple[float, float, float]) -> None:
    """The rotation is one, and the camera's height and place are those it was given."""
    projection = seen_from(lens, turn)
    rotation, place = estimate_camera_pose(projection.matrix, lens)
    assert rotation @ rotation.T == pytest.approx(np.eye(3), abs=1e-9)
    assert np.linalg.norm(place - (220, 180, 0)) == pytest.approx(800, rel=1e-6)
    assert place[2] > 0


@given(lenses, tilts, st.sampled_from([0.5, 2.0, 1.25]))
def test_a_scaled_view_shows_the_same_places(lens: Lens, turn: tuple[float, float, float], factor: float) -> None:
    """Pixel middles keep their places: (x + 1/2) grows by the factor."""
    projection = seen_from(lens, turn)
    places = [(0, 0), (440, 0), (440, 360), (13, 200)]
    expected = (projection.to_picture(places, 9.0) + 0.5) * factor - 0.5
    assert projection.scale(factor).to_picture(places, 9.0) == pytest.approx(expected, abs=1e-6)


def test_four_points_determine_a_homography() -> None:
    """It maps each to its partner; points in a line raise numpy's error."""
    there = [(10, 12), (210, 30), (190, 180), (0, 150)]
    matrix = compute_homography(FIELD.corners_mm, there)
    assert transform(matrix, FIELD.corners_mm) == pytest.approx(np.array(there, float))
    with pytest.raises(np.linalg.LinAlgError):
        compute_homography(FIELD.corners_mm, [(0, 0), (0, 0), (0, 0), (0, 0)])


def test_a_usual_lens_sees_62_degrees() -> None:
    """1280 px wide: 1062 px of focal length, centre in the middle of the picture."""
    lens = Lens.usual(1280, 960)
    assert lens.focal_px == pytest.approx(1062.4)
    assert (lens.centre_px, lens.k1) == ((639.5, 479.5), 0.0)
