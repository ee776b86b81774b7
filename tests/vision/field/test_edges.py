import cv2
import numpy as np
import pytest

from tests.vision.tagged_boards import FIELD, PROJECTION, photograph
from vision.field.edges import find_sides
from vision.geometry.projection import Lens, Projection

LEVEL = Projection.of_corners([(100, 80), (540, 80), (540, 440), (100, 440)], FIELD, Lens(800.0, (319.5, 239.5)))


def test_sides_are_found_where_they_were_drawn() -> None:
    """From an estimate that is 2 mm off, each of the four to a third of a millimetre."""
    smooth = cv2.GaussianBlur(photograph(checkers={"T2": 3}), (0, 0), 0.8).astype(np.float32)
    off = Projection.of_corners(PROJECTION.to_picture(FIELD.corners_mm + 2.0), FIELD, PROJECTION.lens)
    edges = find_sides(smooth, off, FIELD, range(4))
    places = [float(np.median(PROJECTION.to_board(edge.points_px)[:, 1 - edge.side % 2])) for edge in edges]
    assert places == pytest.approx([0, 440, 360, 0], abs=0.35)
    assert min(edge.share for edge in edges) > 0.85


def test_the_edge_is_the_foot_of_a_wall() -> None:
    """From above the middle, a wall of 16 mm shows its upper edge 4 mm outside its foot, nearer to the estimate."""
    picture = np.full((480, 640, 3), 60, np.uint8)
    x_out, y_out = 0.02 * 219.5, 0.02 * 159.5  # 16 mm of 800
    picture[round(80 - y_out) : round(440 + y_out), round(100 - x_out) : round(540 + x_out)] = 100
    picture[80:441, 100:541] = 170
    guess = Projection.of_corners(LEVEL.to_picture(FIELD.corners_mm + np.array((-2.0, 0.0))), FIELD, LEVEL.lens)
    (edge,) = find_sides(picture.astype(np.float32), guess, FIELD, [3])
    assert np.median(edge.points_px[:, 0]) == pytest.approx(99.5, abs=0.5)


def test_a_side_without_an_edge_has_no_points() -> None:
    """A plain surface, and a side outside a noisy picture."""
    outside = Projection.of_corners([(-50, 80), (390, 80), (390, 440), (-50, 440)], FIELD, LEVEL.lens)
    noise = np.random.default_rng(1).uniform(0, 255, (480, 640, 3)).astype(np.float32)
    plain = np.full((480, 640, 3), 90, np.float32)
    for picture, projection, side in ((plain, LEVEL, 0), (noise, outside, 3)):
        (edge,) = find_sides(picture, projection, FIELD, [side])
        assert (edge.share, len(edge.points_px)) == (0.0, 0)


def test_a_wall_seen_from_outside_is_found_by_its_upper_edge() -> None:
    """From 80 mm before the lower side its foot is hidden, and the upper edge of a 16 mm wall is visible."""
    before = Projection(LEVEL.lens, LEVEL.homography, (220.0, 440.0, 800.0))
    edge_y_mm = 360 - 16 / 800 * 80
    picture = np.full((480, 640, 3), 60, np.uint8)
    left, top, right, bottom = _wall_px(before, rim_mm=16.0)
    picture[top:bottom, left:right] = 100
    picture[80 : round(float(before.to_picture([(220, edge_y_mm)])[0, 1])) + 1, 100:541] = 170
    edges = {edge.side: edge for edge in find_sides(picture.astype(np.float32), before, FIELD, range(4))}
    assert np.median(before.to_board(edges[2].points_px)[:, 1]) == pytest.approx(360, abs=1.0)


def _wall_px(projection: Projection, *, rim_mm: float) -> tuple[int, int, int, int]:
    """Left, top, right and bottom pixel of the upper edges of the walls around the field."""
    (left, top), _, (right, bottom), _ = np.rint(projection.to_picture(FIELD.corners_mm, rim_mm)).astype(int).tolist()
    return left, top, right, bottom


def test_the_expected_side_decides_between_two_lines() -> None:
    """The result is the nearer one of two edges 4 mm apart."""
    picture = np.full((480, 640, 3), 60, np.uint8)
    picture[80:441, 96:541] = 110
    picture[80:441, 100:541] = 170
    for expected_x, seen_x in ((96.0, 95.5), (100.0, 99.5)):
        expected_px = {3: np.array([(expected_x, 100.0), (expected_x, 260), (expected_x, 420)])}
        (edge,) = find_sides(picture.astype(np.float32), LEVEL, FIELD, [3], expected_px=expected_px)
        assert np.median(edge.points_px[:, 0]) == pytest.approx(seen_x, abs=0.6)
