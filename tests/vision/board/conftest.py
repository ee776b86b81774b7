"""The photographed start position, and what its calibration knows of it."""

from pathlib import Path

import pytest

from vision.field.auto_calibration import calibrate_automatically
from vision.frame import Pixels
from vision.geometry.calibration import Calibration
from vision.pixels.picture_file import load_picture

PICTURE = Path(__file__).parents[1] / "pictures" / "start.jpg"


@pytest.fixture(scope="module")
def pixels() -> Pixels:
    return load_picture(PICTURE)


@pytest.fixture(scope="module")
def known(pixels: Pixels) -> Calibration:
    found = calibrate_automatically(pixels, taken_at="2026-01-01T12:00:00+00:00")
    assert isinstance(found, Calibration)
    return found
