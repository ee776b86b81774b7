"""Several pictures of a start position, each calibrated by itself: one geometry, and what all of them teach under it."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

import controller.pictures.calibrate
from controller.pictures.calibrate import CalibrationPriors, CalibrationResult, calibrate_pictures
from controller.pictures.find_board import KnownPosition
from tests.vision.checkers.test_learned_picture import PIXELS, SETUP, calibrated, learned_from
from vision.board.read_board import read_board
from vision.field.auto_calibration import rotate_calibration
from vision.field.position_calibration import orient_occupancy
from vision.frame import Frame
from vision.geometry.calibration import Calibration, CalibrationMethod, Placement, Refusal
from vision.geometry.projection import Projection
from vision.places import Colour, Place

Occupancy = Mapping[Place, tuple[Colour, int]]
Picture = NDArray[np.uint8]
BY_ITSELF = replace(calibrated(), way=CalibrationMethod.ITSELF, error_mm=0.1)
KNOWN_ELSEWHERE = Projection.of_corners(
    calibrated().projection.to_picture(calibrated().field.corners_mm) + 40,
    calibrated().field,
    calibrated().projection.lens,
)
PROVED = replace(learned_from(SETUP), way=CalibrationMethod.POSITION, placement=Placement.UPRIGHT, error_mm=0.9)


def calibrate(
    monkeypatch: pytest.MonkeyPatch, answers: list[Calibration | Refusal], told: Occupancy = SETUP
) -> CalibrationResult | Refusal | None:
    """Pictures of which each alone gives one of the answers."""
    left = iter(answers)
    monkeypatch.setattr(controller.pictures.calibrate, "find_board", lambda *_, **__: next(left))
    pictures = [PIXELS.copy() for _ in answers]
    return calibrate_pictures(pictures, CalibrationPriors(start=KnownPosition(told)))


def contents(known: Calibration) -> Occupancy:
    guesses = {place: seen.best() for place, seen in read_board(Frame(PIXELS, 0), known).points()}
    return {place: (guess.colour, guess.count) for place, guess in guesses.items() if guess.colour is not Colour.NONE}


def calibration_of(answer: CalibrationResult | Refusal | None) -> Calibration:
    assert isinstance(answer, CalibrationResult), answer
    return answer.calibration


@pytest.mark.parametrize("first", [BY_ITSELF, rotate_calibration(BY_ITSELF)], ids=("upright", "turned"))
def test_pictures_that_show_the_position_count(monkeypatch: pytest.MonkeyPatch, first: Calibration) -> None:
    """A picture that was calibrated by itself, however well, drops nothing of what the others prove and teach."""
    known = calibration_of(calibrate(monkeypatch, [first, PROVED, PROVED]))
    assert known.way is CalibrationMethod.POSITION
    assert known.placement is not None
    assert known.appearance is not None
    assert known.appearance.pictures == 2
    assert contents(known) == orient_occupancy(SETUP, known.placement)


def test_a_single_proof_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its geometry and what it learned belong together."""
    known = calibration_of(calibrate(monkeypatch, [BY_ITSELF, PROVED, Refusal("An arm.")]))
    assert (known.projection, known.appearance) == (PROVED.projection, PROVED.appearance)


def test_a_picture_is_refused_for_its_own_light(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first reason counts, and a dark picture after it changes nothing."""
    monkeypatch.setattr(controller.pictures.calibrate, "find_board", lambda *_, **__: Refusal("An arm."))
    light, dark = PIXELS, np.zeros_like(PIXELS)
    too_dark = Refusal("It is too dark to find the board; light it.")
    assert calibrate_pictures([light, dark], CalibrationPriors()) == Refusal("An arm.")
    assert calibrate_pictures([dark, light], CalibrationPriors()) == too_dark


def test_only_pictures_that_agree_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of three shows the board somewhere else."""
    elsewhere = replace(PROVED, projection=KNOWN_ELSEWHERE)
    answer = calibrate(monkeypatch, [elsewhere, PROVED, PROVED])
    assert isinstance(answer, CalibrationResult), answer
    assert (answer.n_understood, answer.n_pictures) == (2, 3)


def test_what_is_not_there_is_not_taught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The place is named with what is read there."""
    told = {**SETUP, Place.T7: (Colour.LIGHT, 4)}
    answer = calibrate(monkeypatch, [PROVED, PROVED], told)
    assert isinstance(answer, Refusal)
    assert "T7 reads as 5 light instead of 4 light;" in answer.reason


def test_two_orientations_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = calibrate(monkeypatch, [PROVED, replace(PROVED, placement=Placement.MIRRORED)])
    assert isinstance(answer, Refusal)
    assert "in different orientations" in answer.reason
