from dataclasses import replace

import pytest

from tests.vision.drawn_boards import calibration_for
from vision.errors import VisionError, WrongPictureSizeError
from vision.geometry.calibration import scale_to_picture


def test_the_error_is_also_a_share_of_the_width() -> None:
    """1.1 mm on 440 mm are a quarter of a percent."""
    assert replace(calibration_for(), error_mm=None).error_share is None
    assert replace(calibration_for(), error_mm=1.1).error_share == pytest.approx(0.0025)


def test_the_same_size_returns_the_calibration_itself() -> None:
    """Cached results remain valid."""
    known = calibration_for(1280, 960)
    assert scale_to_picture(known, 1280, 960) is known


@pytest.mark.parametrize(("width_px", "height_px"), [(640, 480), (2560, 1920), (1296, 972), (426, 320)])
def test_a_scaled_picture_is_accepted(width_px: int, height_px: int) -> None:
    """Corners lie at the same share of the picture; a camera may round 1280/3 px to 426."""
    known = calibration_for(1280, 960)
    scaled = scale_to_picture(known, width_px, height_px)
    corners = scaled.projection.to_picture(known.field.corners_mm)
    expected = (known.projection.to_picture(known.field.corners_mm) + 0.5) * width_px / 1280 - 0.5
    assert corners == pytest.approx(expected)
    assert scaled.image_size_px == (width_px, height_px)
    assert scaled.projection.camera_mm == known.projection.camera_mm


@pytest.mark.parametrize("size", [(1280, 720), (960, 1280), (100, 75), (20480, 15360)])
def test_another_cut_out_is_refused(size: tuple[int, int]) -> None:
    """Other proportions, a picture on its side, or a scale beyond reason: one sentence with both sizes."""
    with pytest.raises(WrongPictureSizeError, match=f"{size[0]}x{size[1]} px .* 1280x960 px") as caught:
        scale_to_picture(calibration_for(1280, 960), *size)
    assert isinstance(caught.value, VisionError)
    assert caught.value.size_px == size
