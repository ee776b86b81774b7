"""Weak places and their explanations, in drawn pictures with hand-made readings."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.drawn_boards import FIELD, calibration_for, checker_mm, drawn_board, said
from vision.board.board_reading import BoardReading
from vision.board.read_board import build_board_reading, shares_in_picture
from vision.board.weak_places import BoardAppraisal, Weakness, appraise_board, rotate_appraisal
from vision.checkers.network import COUNTS, CheckerTop
from vision.geometry.calibration import Calibration
from vision.geometry.top_view import to_view
from vision.places import Colour, Place

KNOWN = calibration_for()
WHITE, BLACK = (225, 230, 235), (30, 30, 35)
EMPTY, ONE_LIGHT, ONE_DARK = (Colour.NONE, 0), (Colour.LIGHT, 1), (Colour.DARK, 1)
T8 = 7


def reading_of(
    points: dict[int, tuple[int, float]], *, visible: dict[int, float] | None = None, known: Calibration = KNOWN
) -> BoardReading:
    inside = shares_in_picture(known.projection, known.field, known.image_size_px)
    return build_board_reading(said(points, visible=visible), inside, 0)


def with_faces(reading: BoardReading, *names: str) -> BoardReading:
    """The upper faces of the first checker of these points were found."""
    view = said()
    faces = to_view(np.array([checker_mm(name, 0) for name in names]), FIELD)
    tops = tuple(CheckerTop(float(x_px), float(y_px), 0.9) for x_px, y_px in faces)
    return replace(reading, of_network=replace(view, tops=tops))


def paint(picture: NDArray[np.uint8], name: str, colour: tuple[int, int, int], *, width_mm: float) -> None:
    """A stripe along the checkers of a point."""
    x_mm, _ = checker_mm(name, 0)
    corners = [(x_mm - width_mm / 2, 0.0), (x_mm + width_mm / 2, 200.0)]
    (left, top), (right, bottom) = np.rint(KNOWN.projection.to_picture(corners)).astype(int).tolist()
    cv2.rectangle(picture, (left, top), (right, bottom), colour, cv2.FILLED)


def explain(picture: NDArray[np.uint8], reading: BoardReading) -> Weakness:
    """The explanation of the only weak place."""
    (weak,) = appraise_board(picture, KNOWN, reading).weak
    return weak.weakness


def test_glare_on_an_empty_point() -> None:
    """T8 resembles a light checker by a fifth; a fifth or more of it is clipped."""
    picture = drawn_board(KNOWN, {})
    paint(picture, "T8", (255, 255, 255), width_mm=12)
    found = appraise_board(picture, KNOWN, reading_of({T8: (0, 0.8), 3: (0, 0.97)})).weak
    assert [(one.place, one.stands, one.weakness) for one in found] == [(Place.T8, EMPTY, Weakness.GLARE)]
    assert not found[0].is_misread
    assert 0.1 < (found[0].amount or 0) < 0.5


def test_what_it_resembles() -> None:
    """The likeliest other content, with its share of both."""
    view = said({T8: (0, 0.8)})
    view.points[T8] = np.log(1e-6)
    view.points[T8, [0, 1]] = np.log([0.8, 0.2])
    reading = build_board_reading(view, np.ones(25, np.float32), 0)
    (weak,) = appraise_board(drawn_board(KNOWN, {}), KNOWN, reading).weak
    assert weak.resembles == ONE_LIGHT
    assert weak.certainty == pytest.approx(0.8, abs=0.01)
    assert weak.chance == pytest.approx(0.2, abs=0.01)


def test_a_known_position_shows_what_is_misread() -> None:
    """T8 is empty and is read as a dark checker; all other points are as they stand."""
    reading = reading_of({T8: (COUNTS, 0.9), 0: (1, 0.99)})
    found = appraise_board(drawn_board(KNOWN, {}), KNOWN, reading, {Place.T1: ONE_LIGHT})
    (weak,) = found.weak
    assert (weak.place, weak.stands, weak.resembles, weak.is_misread) == (Place.T8, EMPTY, ONE_DARK, True)
    assert (found.right, found.right_before) == (23, 23)


def test_the_weakest_comes_first() -> None:
    found = appraise_board(drawn_board(KNOWN, {}), KNOWN, reading_of({2: (0, 0.8), 20: (0, 0.3), 9: (0, 0.6)}))
    assert [one.place for one in found.weak] == [Place.B9, Place.T10, Place.T3]


def test_a_point_in_the_dark() -> None:
    picture = drawn_board(KNOWN, {})
    paint(picture, "T8", (8, 8, 8), width_mm=80)
    assert explain(picture, reading_of({T8: (0, 0.3)})) is Weakness.DARK


def test_a_strong_pattern() -> None:
    """Rings of two browns, as of an inlay."""
    picture = drawn_board(KNOWN, {})
    x_px, y_px = np.rint(KNOWN.projection.to_picture([checker_mm("T8", 0)])[0]).astype(int).tolist()
    for radius in range(2, 16, 3):
        for below in (0, 40, 80):
            cv2.circle(picture, (x_px, y_px + below), radius, (20, 40, 70) if radius % 2 else (150, 180, 210), 1)
    assert explain(picture, reading_of({T8: (0, 0.3)})) is Weakness.PATTERN


def test_checkers_in_the_colour_of_the_points() -> None:
    """The dark checkers have the brown of every second point; the light ones stand apart from it."""
    brown = (45, 70, 110)
    checkers = {"T7": [brown], "T3": [brown], "T1": [WHITE]}
    reading = reading_of({6: (COUNTS, 0.3), 2: (COUNTS, 0.999), 0: (1, 0.3)})
    found = appraise_board(drawn_board(KNOWN, checkers), KNOWN, with_faces(reading, "T7", "T3", "T1"))
    reasons = {one.place: one.weakness for one in found.weak}
    assert reasons == {Place.T7: Weakness.COLOUR, Place.T1: Weakness.UNEXPLAINED}


@pytest.mark.parametrize(("faces", "reason"), [((), Weakness.FACES), (("T8",), Weakness.UNEXPLAINED)])
def test_faces_that_do_not_stand_out(faces: tuple[str, ...], reason: Weakness) -> None:
    reading = with_faces(reading_of({T8: (1, 0.6)}), *faces) if faces else with_faces(reading_of({T8: (1, 0.6)}), "B2")
    assert explain(drawn_board(KNOWN, {"T8": [WHITE]}), reading) is reason


def test_a_second_layer() -> None:
    assert explain(drawn_board(KNOWN, {}), reading_of({T8: (7, 0.5)})) in (Weakness.LAYERS, Weakness.FACES)
    rival = said({T8: (7, 0.6)})
    rival.points[T8, 8] = np.log(0.4)
    reading = build_board_reading(rival, np.ones(25, np.float32), 0)
    assert explain(drawn_board(KNOWN, {}), reading) is Weakness.LAYERS


def test_a_hidden_place_and_one_under_dice() -> None:
    reading = replace(reading_of({T8: (0, 0.4)}, visible={2: 0.1}), disturbed=frozenset({T8}))
    found = appraise_board(drawn_board(KNOWN, {}), KNOWN, reading).weak
    assert {one.place: one.weakness for one in found} == {Place.T3: Weakness.HIDDEN, Place.T8: Weakness.DICE}


def test_a_place_that_leaves_the_picture() -> None:
    """The right rim is beyond the edge, so that T12 is cut."""
    known = calibration_for(corners_px=((100, 60), (660, 60), (660, 420), (100, 420)))
    picture = drawn_board(KNOWN, {})
    (weak,) = appraise_board(picture, known, reading_of({11: (0, 0.4)}, known=known)).weak
    assert (weak.place, weak.weakness) == (Place.T12, Weakness.OUTSIDE)
    assert 0.3 < (weak.amount or 0) < 0.6


def test_half_a_turn() -> None:
    """T8 of the picture becomes B5."""
    found = appraise_board(drawn_board(KNOWN, {}), KNOWN, reading_of({T8: (0, 0.4)}))
    turned = rotate_appraisal(found)
    assert [one.place for one in turned.weak] == [Place.B5]
    assert rotate_appraisal(turned) == found


def test_a_board_without_doubt() -> None:
    assert appraise_board(drawn_board(KNOWN, {}), KNOWN, reading_of({})) == BoardAppraisal()
