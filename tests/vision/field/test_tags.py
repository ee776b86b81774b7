import cv2
import numpy as np
import pytest

from tests.vision.tagged_boards import PROJECTION, TAG_MM, photograph
from vision.field.tags import find_tags, refine_corners


def blurred_square(blur_px: float, *, white: int = 250, black: int = 12) -> np.ndarray:
    """(120, 120) grey: a black square from (40, 40) to (80, 80), blurred in light, then stored with its gamma."""
    fine = np.full((960, 960), (white / 255) ** 2.2)
    fine[320:640, 320:640] = (black / 255) ** 2.2
    light = cv2.resize(cv2.GaussianBlur(fine, (0, 0), 8 * blur_px), (120, 120), interpolation=cv2.INTER_AREA)
    return np.asarray(255 * light ** (1 / 2.2), np.uint8)


def linear(grey: np.ndarray) -> np.ndarray:
    return np.asarray((grey / 255) ** 2.2, np.float32)


@pytest.mark.parametrize("blur_px", [0.6, 1.2])
def test_corners_lie_where_the_edges_meet(blur_px: float) -> None:
    """From a pixel inside, where a blurred corner appears, to a fifth of a pixel."""
    begun = np.array([(40.5, 40.5), (78.5, 40.5), (78.5, 78.5), (40.5, 78.5)])
    corners = refine_corners(linear(blurred_square(blur_px)), begun)
    assert corners == pytest.approx(np.array([(39.5, 39.5), (79.5, 39.5), (79.5, 79.5), (39.5, 79.5)]), abs=0.2)


def test_without_edges_the_corners_stay() -> None:
    begun = np.array([(40.0, 40), (80, 40), (80, 80), (40, 80)])
    assert refine_corners(np.full((120, 120), 0.4, np.float32), begun) == pytest.approx(begun, abs=0.05)


def test_the_tags_of_a_picture() -> None:
    """Every corner where it was drawn, to half a pixel, in a blurred and noisy picture."""
    tags = find_tags(photograph())
    off = TAG_MM / 2
    drawn_mm = np.array(
        [(-15 - off, -15 - off), (-15 + off, -15 - off), (-15 + off, -15 + off), (-15 - off, -15 + off)]
    )
    assert np.abs(tags.corners_px[0] - PROJECTION.to_picture(drawn_mm)).max() < 0.5
