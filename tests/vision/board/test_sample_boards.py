"""Three rendered boards, half their size: a start position, tags on the rim, lit LEDs. The networks must read them."""

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from tests.benchmarks.board_labels import BoardLabel, real_labels
from tests.benchmarks.board_scores import corner_score, picture_score
from vision.board.read_board import read_board
from vision.field.auto_calibration import calibrate_automatically, calibrate_from_corners
from vision.frame import Frame
from vision.geometry.calibration import Calibration
from vision.pixels.picture_file import load_picture

LABELS = {label.image.stem: label for label in real_labels(Path(__file__).parents[1] / "pictures")}
NOW = "2026-01-01T00:00:00+00:00"

pytestmark = [
    pytest.mark.broad,
    pytest.mark.skipif(
        not all(
            files("vision.models").joinpath(f"{name}.onnx").is_file() for name in ("checkers", "dice", "dice_finder")
        ),
        reason="the networks are not part of this clone",
    ),
]


@pytest.fixture(params=list(LABELS.values()), ids=list(LABELS))
def label(request: pytest.FixtureRequest) -> BoardLabel:
    chosen: BoardLabel = request.param
    return chosen


def test_all_is_read_at_given_corners(label: BoardLabel) -> None:
    """24 points and the bar."""
    pixels = load_picture(label.image)
    known = calibrate_from_corners(pixels, label.corners_px, taken_at=NOW)
    assert isinstance(known, Calibration)
    score = picture_score(label, read_board(Frame(pixels, 0), known))
    assert score.wrong == []


def test_the_field_is_found(label: BoardLabel) -> None:
    """By itself, each corner within two hundredths of the width, and everything is read."""
    pixels = load_picture(label.image)
    known = calibrate_automatically(pixels, taken_at=NOW)
    assert isinstance(known, Calibration)
    corners = corner_score(label, known.projection.to_picture(known.field.corners_mm), "itself")
    assert corners.worst_share is not None
    assert corners.worst_share < 0.02
    score = picture_score(label, read_board(Frame(pixels, 0), known), half_turned=corners.half_turned)
    assert score.wrong == []


def test_an_empty_picture_has_no_board() -> None:
    """Grey from edge to edge is refused."""
    assert not isinstance(calibrate_automatically(np.full((480, 640, 3), 127, np.uint8), taken_at=NOW), Calibration)
