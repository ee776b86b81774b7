"""What one rendered picture of a start position teaches, in a calibration that is written and moved with the camera."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.board.read_board import read_board
from vision.checkers import teach_board
from vision.field.auto_calibration import calibrate_from_corners, calibrate_moved_camera
from vision.field.calibration_file import calibration_text, parse_calibration
from vision.field.drift import make_reference
from vision.frame import Frame
from vision.geometry.calibration import Calibration, CalibrationMethod, Refusal
from vision.pixels.picture_file import load_picture
from vision.places import Colour, Place

Stack = tuple[Colour, int]
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


def learned_from(setup: dict[Place, tuple[Colour, int]], *pictures: NDArray[np.uint8]) -> Calibration:
    return teach_board(pictures or (PIXELS,), calibrated(), setup).calibration


def contents(known: Calibration) -> dict[Place, tuple[Colour, int]]:
    guesses = {place: seen.best() for place, seen in read_board(Frame(PIXELS, 0), known).points()}
    return {place: (guess.colour, guess.count) for place, guess in guesses.items() if guess.colour is not Colour.NONE}


def test_the_known_position_is_read_more_surely() -> None:
    plain, learned = calibrated(), learned_from(SETUP)
    before, after = (
        [seen.best().confidence for _, seen in read_board(Frame(PIXELS, 0), known).points()]
        for known in (plain, learned)
    )
    assert contents(learned) == SETUP
    assert min(after) > min(before)


@pytest.mark.parametrize(
    ("place", "told", "shown"),
    [
        (Place.T7, (Colour.LIGHT, 4), (Colour.LIGHT, 5)),
        (Place.B12, (Colour.LIGHT, 3), (Colour.LIGHT, 2)),
        (Place.B5, (Colour.NONE, 0), (Colour.DARK, 3)),
        (Place.T3, (Colour.DARK, 1), (Colour.NONE, 0)),
        (Place.T12, (Colour.LIGHT, 2), (Colour.DARK, 2)),
    ],
)
def test_a_place_that_is_told_wrongly_is_named(place: Place, told: Stack, shown: Stack) -> None:
    """One place, whatever is wrong with it; the others are not accused."""
    assert teach_board([PIXELS], calibrated(), {**SETUP, place: told}).otherwise == {place: shown}
    assert teach_board([PIXELS], calibrated(), SETUP).otherwise == {}


@pytest.mark.parametrize(
    ("told", "is_shown"), [((Colour.LIGHT, 9), True), ((Colour.LIGHT, 6), True), ((Colour.DARK, 9), False)]
)
def test_of_a_heap_only_colour_and_lowest_row_are_known(told: Stack, is_shown: bool) -> None:
    """Five light checkers are seen on T7: others may lie on them, as all fifteen do at the start of long nardy."""
    otherwise = teach_board([PIXELS], calibrated(), {**SETUP, Place.T7: told}).otherwise
    assert otherwise == ({} if is_shown else {Place.T7: (Colour.LIGHT, 5)})


def test_a_row_that_is_too_short_is_no_heap() -> None:
    otherwise = teach_board([PIXELS], calibrated(), {**SETUP, Place.T5: (Colour.LIGHT, 9)}).otherwise
    assert otherwise == {Place.T5: (Colour.LIGHT, 3)}


def test_a_place_with_both_colours_says_nothing() -> None:
    assert teach_board([PIXELS], calibrated(), {**SETUP, Place.B5: (Colour.BOTH, 3)}).otherwise == {}


def test_without_a_picture_nothing_is_learned() -> None:
    with pytest.raises(ValueError, match="without a picture"):
        teach_board([], calibrated(), SETUP)


def test_it_is_small_and_lasts_in_the_file() -> None:
    learned = learned_from(SETUP)
    text = calibration_text(learned).encode()
    assert parse_calibration(text, "board.json") == learned
    assert len(text) < 200_000


def test_a_moved_camera_loses_only_the_geometry() -> None:
    """The corners of another picture with what is known of the board; the field keeps its shape."""
    learned = learned_from(SETUP)
    moved = calibrate_moved_camera(PIXELS[:, 40:].copy(), learned, [(x - 40, y) for x, y in CORNERS_PX], taken_at=TAKEN)
    assert isinstance(moved, Calibration)
    assert (moved.appearance, moved.field, moved.way) == (learned.appearance, learned.field, CalibrationMethod.CORNERS)
    corners = moved.projection.to_picture(moved.field.corners_mm)
    assert corners == pytest.approx(learned.projection.to_picture(learned.field.corners_mm) - (40, 0), abs=3)


def test_corners_that_begin_at_the_opposite_corner_are_refused() -> None:
    """The grain of the empty points tells it, in other light and with noise; else a note says that nothing told it."""
    known = learned_from(SETUP)
    noise = np.random.default_rng(1).normal(0, 3, PIXELS.shape)
    later = np.clip(0.8 * PIXELS + 10 + noise, 0, 255).astype(np.uint8)
    turned = calibrate_moved_camera(later, known, [*CORNERS_PX[2:], *CORNERS_PX[:2]], taken_at=TAKEN)
    assert isinstance(turned, Refusal)
    assert "looks as it did only after half a turn" in turned.reason
    assert moved_notes(later, known) == ()
    assert "does not tell whether the corners begin at" in moved_notes(later, replace(known, reference=None))[0]
    plain = make_reference(np.full_like(PIXELS, 128), known.projection)
    assert "does not tell" in moved_notes(later, replace(known, reference=plain))[0]


def moved_notes(pixels: NDArray[np.uint8], known: Calibration) -> tuple[str, ...]:
    moved = calibrate_moved_camera(pixels, known, CORNERS_PX, taken_at=TAKEN)
    assert isinstance(moved, Calibration)
    return moved.notes


def test_wrong_corners_are_refused_for_a_moved_camera() -> None:
    refused = calibrate_moved_camera(PIXELS, calibrated(), CORNERS_PX[::-1], taken_at=TAKEN)
    assert isinstance(refused, Refusal)
    assert "clockwise" in refused.reason
