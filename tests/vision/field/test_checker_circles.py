import numpy as np
import pytest

from tests.vision.tagged_boards import FIELD, PROJECTION, photograph
from vision.field.checker_circles import find_faces, make_circles, measure_colour
from vision.places import Colour, Place

SIGHTS_MM = np.array([(FIELD.point_middle_mm(2) + 1.0, 31.0 * (depth + 0.5) + 1) for depth in range(3)])
EXPECTED = {Place.T2: (Colour.LIGHT, 3), Place.B2: (Colour.DARK, 1)}


def test_faces_are_measured() -> None:
    """Three of three, 15 mm in radius; the drawing is flat, so the assumed height costs a percent."""
    faces = find_faces(photograph(checkers={"T2": 3}), PROJECTION, SIGHTS_MM, EXPECTED, FIELD)
    assert [face.colour for face in faces] == [Colour.LIGHT] * 3
    middles = PROJECTION.to_board(np.array([face.middle_px for face in faces]))
    expected = [(FIELD.point_middle_mm(2), 15.5), (FIELD.point_middle_mm(2), 46.5), (FIELD.point_middle_mm(2), 77.5)]
    assert middles == pytest.approx(np.array(expected), abs=1.5)
    px_per_mm = np.linalg.norm(np.diff(PROJECTION.to_picture([(100, 46), (101, 46)]), axis=0))
    assert faces[1].radius_px == pytest.approx(15 * px_per_mm, rel=0.07)  # a pixel more or less
    assert make_circles(faces).points_px.shape == (3, 48, 2)


def test_faces_over_empty_points_are_left_out() -> None:
    """A die or a cup that resembles a checker does not count."""
    elsewhere = np.array([(FIELD.point_middle_mm(9), 20.0), (220.0, 100.0)])
    assert find_faces(photograph(), PROJECTION, elsewhere, EXPECTED, FIELD) == ()
    assert find_faces(photograph(), PROJECTION, np.empty((0, 2)), EXPECTED, FIELD) == ()


def test_the_colour_of_each_side() -> None:
    """The light one is the drawn one, (205, 225, 235) in BGR; without a dark face the dark colour is None."""
    picture = photograph(checkers={"T2": 3})
    faces = find_faces(picture, PROJECTION, SIGHTS_MM, EXPECTED, FIELD)
    light = measure_colour(picture, faces, Colour.LIGHT)
    assert measure_colour(picture, faces, Colour.DARK) is None
    assert light is not None
    assert light.lab_mean == pytest.approx((90.2, 0.9, 9.6), abs=2.5)
