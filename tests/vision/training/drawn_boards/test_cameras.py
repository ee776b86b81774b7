"""Random cameras keep the board in front of the lens."""

import numpy as np
import pytest

from vision.simulated.drawing.optics import pinhole_view
from vision.training.drawn_boards.cameras import random_camera

pytestmark = pytest.mark.broad

SMALL_BOARD_MM = (-50.0, -20.0, 330.0, 260.0)
NEAREST_SEEDS = (898, 4922, 12580, 21133)  # here the search for a distance once ended behind the lens
CLOSEST_FOCUS_MM = 95.0


def test_no_corner_is_nearer_than_a_telephone_focuses() -> None:
    """From low and near as well: a corner behind the lens has no place in the picture."""
    left, top, right, bottom = SMALL_BOARD_MM
    corners = np.array([(x, y, 20.0) for x in (left, right) for y in (top, bottom)])
    for seed in (*range(100), *NEAREST_SEEDS):
        camera = random_camera(np.random.default_rng(seed), (800, 600), SMALL_BOARD_MM, 20.0, is_low=True)
        depth_mm = corners @ np.array(camera.rotation)[2] + camera.translation_mm[2]
        assert depth_mm.min() > CLOSEST_FOCUS_MM, seed
        assert np.isfinite(pinhole_view(camera).project(corners)).all()
