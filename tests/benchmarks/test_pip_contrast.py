"""The contrast of pips on painted faces."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.benchmarks.dice_tables import STANDS_OUT
from tests.benchmarks.pip_contrast import pip_contrast
from vision.dice.pip_template import COLUMN_OFFSET, PATTERNS

EDGE_PX, MIDDLE_PX = 24, 30.0
QUAD_PX = MIDDLE_PX + EDGE_PX / 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])


def painted(face: int, pip: int, *, across: bool = False, noise: float = 3.0) -> NDArray[np.uint8]:
    """A grey die of 24 px on black, with pips of that grey."""
    large = np.zeros((480, 480, 3), np.float32)
    half = 4 * EDGE_PX
    large[240 - half : 240 + half, 240 - half : 240 + half] = 150
    for x, y in PATTERNS[face - 1]:
        at = 240 + 8 * EDGE_PX * COLUMN_OFFSET * np.array((-y, x) if across else (x, y))
        cv2.circle(large, (round(at[0]), round(at[1])), round(0.09 * 8 * EDGE_PX), (pip, pip, pip), -1)
    small = cv2.resize(large, (60, 60), interpolation=cv2.INTER_AREA)
    noisy = small + np.random.default_rng(face).normal(0, noise, small.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("across", [False, True])
@pytest.mark.parametrize("pip", [20, 250])
def test_pips_that_show_stand_out(face: int, across: bool, pip: int) -> None:
    assert pip_contrast(painted(face, pip, across=across), QUAD_PX, face) > 2 * STANDS_OUT


@pytest.mark.parametrize("face", range(1, 7))
def test_pips_of_the_faces_own_colour_do_not(face: int) -> None:
    assert pip_contrast(painted(face, 150), QUAD_PX, face) < STANDS_OUT


def test_a_glare_over_half_of_the_face_is_no_pip() -> None:
    pixels = painted(5, 160)
    pixels[18:42, 18:30] = 255
    assert pip_contrast(pixels, QUAD_PX, 5) < STANDS_OUT
