import cv2
import numpy as np
import pytest

from tests.vision.tagged_boards import photograph
from vision.frame import Pixels
from vision.pixels.picture_quality import PictureFault, find_picture_fault, measure_quality


def plain(level: int) -> Pixels:
    return np.full((60, 80, 3), level, np.uint8)


def test_levels_are_those_of_the_picture() -> None:
    """A tenth of it is bright."""
    pixels = plain(50)
    pixels[:6] = 180
    found = measure_quality(pixels)
    assert (found.middle_level, found.bright_level) == (50, 180)


def test_glare_has_lost_its_colour() -> None:
    """White is glare, yellow as bright is none."""
    pixels = plain(100)
    pixels[:15, :40] = 255
    pixels[30:, :] = (0, 255, 255)
    assert measure_quality(pixels).glare_share == pytest.approx(0.125)


def test_only_what_lies_inside_the_outline_counts() -> None:
    """The window beside the board does not."""
    pixels = plain(90)
    pixels[:, 40:] = 255
    outline_px = np.array([(2.0, 2.0), (30.0, 2.0), (30.0, 50.0), (2.0, 50.0)])
    assert measure_quality(pixels).glare_share == pytest.approx(0.5)
    assert measure_quality(pixels, outline_px).glare_share == 0
    assert measure_quality(pixels, outline_px).bright_level == 90


def test_an_outline_beside_the_picture_is_refused() -> None:
    with pytest.raises(ValueError, match="outside the picture"):
        measure_quality(plain(9), np.array([(200.0, 200.0), (300.0, 200.0), (300.0, 300.0)]))


def test_blur_is_seen_in_any_light() -> None:
    """The same board sharp and blurred, and each of them in a third of the light."""
    sharp = photograph(checkers={"T1": 5, "B5": 3})
    blurred = cv2.GaussianBlur(sharp, (0, 0), 4.0).astype(np.uint8, copy=False)
    for divisor in (1, 3):
        assert measure_quality(sharp // divisor).sharpness > 1.4
        assert measure_quality(blurred // divisor).sharpness < 1.2


def test_an_empty_picture_is_blurred() -> None:
    """A lens cap has no edges, and nothing is divided by zero."""
    assert measure_quality(plain(0)).sharpness == 1


def chequered(dark: int, light: int) -> Pixels:
    """Sharp squares of 10 px."""
    rows, columns = np.indices((60, 80)) // 10
    return np.where(((rows + columns) % 2 == 0)[..., np.newaxis], np.uint8(light), np.uint8(dark)).repeat(3, axis=2)


@pytest.mark.parametrize(
    ("pixels", "fault"),
    [
        (chequered(60, 180), None),
        (chequered(2, 8), PictureFault.TOO_DARK),
        (chequered(210, 255), PictureFault.TOO_BRIGHT),
        (chequered(150, 245), None),
        (cv2.GaussianBlur(chequered(60, 180), (0, 0), 4), PictureFault.BLURRED),
        (plain(90), PictureFault.NO_BOARD),
        (plain(5), PictureFault.TOO_DARK),
    ],
)
def test_the_gravest_fault_of_a_picture(pixels: Pixels, fault: PictureFault | None) -> None:
    """Light comes first, since nothing else can be measured without it; a wall is no blurred board."""
    assert find_picture_fault(measure_quality(pixels)) is fault
