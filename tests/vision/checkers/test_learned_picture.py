"""What one rendered picture of a start position teaches, in a calibration that is written and moved with the camera."""

from pathlib import Path

import pytest

from vision.board.read_board import read_board
from vision.checkers import learn_from_position
from vision.field.auto_calibration import calibrate_from_corners, calibrate_moved_camera
from vision.field.calibration_file import calibration_text, parse_calibration
from vision.frame import Frame
from vision.geometry.calibration import Calibration, CalibrationMethod, Refusal
from vision.pixels.picture_file import load_picture
from vision.places import Colour, Place

TAKEN = "2026-01-01T12:00:00+00:00"
PIXELS = load_picture(Path(__file__).parents[1] / "pictures" / "start.jpg")
CORNERS_PX = [(109.11, 86.18), (551.78, 95.84), (547.97, 427.71), (97.98, 416.99)]
SETUP = {
    Place(name): (Colour(colour), count)
    for colour, places in {
        "light": {"T5": 3, "T7": 5, "B1": 5, "B12": 2},
        "dark": {"T1": 5, "T12": 2, "B5": 3, "B7": 5},
    }.items()
    for name, count in places.items()
}


def calibrated() -> Calibration:
    found = calibrate_from_corners(PIXELS, CORNERS_PX, taken_at=TAKEN)
    assert isinstance(found, Calibration)
    return found


def contents(known: Calibration) -> dict[Place, tuple[Colour, int]]:
    guesses = {place: seen.best() for place, seen in read_board(Frame(PIXELS, 0), known).points()}
    return {place: (guess.colour, guess.count) for place, guess in guesses.items() if guess.colour is not Colour.NONE}


def test_the_known_position_is_read_more_surely() -> None:
    plain, learned = calibrated(), learn_from_position(PIXELS, calibrated(), SETUP)
    before, after = (
        [seen.best().confidence for _, seen in read_board(Frame(PIXELS, 0), known).points()]
        for known in (plain, learned)
    )
    assert contents(learned) == SETUP
    assert min(after) > min(before)


def test_it_is_small_and_lasts_in_the_file() -> None:
    learned = learn_from_position(PIXELS, calibrated(), SETUP)
    text = calibration_text(learned).encode()
    assert parse_calibration(text, "board.json") == learned
    assert len(text) < 200_000


def test_a_moved_camera_loses_only_the_geometry() -> None:
    """The corners of another picture with what is known of the board; the field keeps its shape."""
    learned = learn_from_position(PIXELS, calibrated(), SETUP)
    moved = calibrate_moved_camera(PIXELS[:, 40:].copy(), learned, [(x - 40, y) for x, y in CORNERS_PX], taken_at=TAKEN)
    assert isinstance(moved, Calibration)
    assert (moved.appearance, moved.field, moved.way) == (learned.appearance, learned.field, CalibrationMethod.CORNERS)
    corners = moved.projection.to_picture(moved.field.corners_mm)
    assert corners == pytest.approx(learned.projection.to_picture(learned.field.corners_mm) - (40, 0), abs=3)


def test_wrong_corners_are_refused_for_a_moved_camera() -> None:
    refused = calibrate_moved_camera(PIXELS, calibrated(), CORNERS_PX[::-1], taken_at=TAKEN)
    assert isinstance(refused, Refusal)
    assert "clockwise" in refused.reason
