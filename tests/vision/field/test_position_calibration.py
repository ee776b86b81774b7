"""Calibration from a known position on drawn boards, whose faces the tests say instead of the network."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import vision.checkers.board_lesson
import vision.field.position_calibration
import vision.field.position_fit
from tests.vision.checkers.test_appearance import features
from tests.vision.tagged_boards import CORNERS_PX, FIELD, PROJECTION, SIZE_PX, photograph
from vision.checkers.network import CheckerTop, ViewReading
from vision.field.detector import FieldFit, FieldNotFound
from vision.field.position_calibration import calibrate_from_position, orient_occupancy
from vision.field.position_fit import SeenFaces
from vision.geometry.calibration import Calibration, CalibrationMethod, Placement, Refusal
from vision.geometry.projection import FieldShape, Lens, Projection
from vision.geometry.top_view import columns_mm, rows_mm
from vision.places import POINTS, Colour, Place

Setup = Mapping[Place, tuple[Colour, int]]
Answers = dict[str, Any]
TAKEN = "2026-01-01T12:00:00+00:00"
THICK_MM = 8.0
# On the picture: light ones above, dark ones below.
ON_BOARD = {"T1": 5, "T5": 3, "T8": 5, "T12": 2, "B1": 5, "B5": 3, "B8": 5, "B12": 2}
SETUP: Setup = {
    Place(name): (Colour.LIGHT if name[0] == "T" else Colour.DARK, count) for name, count in ON_BOARD.items()
}
# A start position: each army on both rows.
LOPSIDED: Setup = {
    Place.T1: (Colour.LIGHT, 5),
    Place.B1: (Colour.DARK, 5),
    Place.T5: (Colour.DARK, 3),
    Place.B5: (Colour.LIGHT, 3),
    Place.T7: (Colour.DARK, 5),
    Place.B7: (Colour.LIGHT, 5),
    Place.T12: (Colour.LIGHT, 2),
    Place.B12: (Colour.DARK, 2),
}
LENS = Lens.usual(*SIZE_PX)
FIT = FieldFit(Projection.of_corners(CORNERS_PX, FIELD, LENS), FIELD, 0.6, 0.95, 0.97)
LAB = {Colour.LIGHT: (90.0, 1.0, 8.0), Colour.DARK: (20.0, 9.0, 0.0)}


def seen(setup: Setup, *, faces: Setup | None = None, board: FieldShape = FIELD) -> SeenFaces:
    """The network reads `setup`, and sees the faces of `faces`, a millimetre off, on this board."""
    points = np.full((24, 31), -9.0, np.float32)
    for index, place in enumerate(POINTS):
        colour, count = setup.get(place, (Colour.NONE, 0))
        points[index, count + (15 if colour is Colour.DARK else 0)] = -0.01
    spots, lab = [], []
    for spot, (colour, count) in (setup if faces is None else faces).items():
        x_mm = board.point_middle_mm(int(spot.value[1:])) + 1
        for depth in range(count):
            y_mm = 31.0 * (depth + 0.5)
            spots.append((x_mm, y_mm if spot.value[0] == "T" else board.height_mm - y_mm))
            lab.append(LAB[colour])
    middles_px = PROJECTION.to_picture(np.array(spots).reshape(-1, 2), THICK_MM)
    sights_mm = PROJECTION.to_board(middles_px)
    x_px, y_px = (
        np.interp(sights_mm[:, axis], lines_mm, np.arange(len(lines_mm)))
        for axis, lines_mm in enumerate((columns_mm(board), rows_mm(board)))
    )
    tops = tuple(CheckerTop(float(x), float(y), 0.9) for x, y in zip(x_px, y_px, strict=True))
    bar = np.zeros(16, np.float32)
    shown = dict(enumerate(points.argmax(axis=1).tolist()))
    reading = ViewReading(points, bar, bar, np.ones(25, np.float32), tops, features(1, shown))
    return SeenFaces(middles_px, np.array(lab).reshape(-1, 3), reading)


@pytest.fixture
def sees(monkeypatch: pytest.MonkeyPatch) -> Answers:
    answers: Answers = {"field": FIT, "edges": FieldNotFound("No edges."), "faces": seen(SETUP)}
    monkeypatch.setattr(vision.field.position_calibration, "find_field", lambda _pixels, **_: answers["field"])
    monkeypatch.setattr(vision.field.position_calibration, "detect_coarse_corners", lambda _pixels: CORNERS_PX + 12)
    monkeypatch.setattr(vision.field.position_calibration, "refine_field", lambda *_, **__: answers["edges"])
    monkeypatch.setattr(vision.field.position_fit, "see_faces", lambda *_: answers["faces"])

    monkeypatch.setattr(vision.checkers.board_lesson, "read_view", lambda _view: answers["faces"].reading)
    return answers


def calibrated(setup: Setup, corners_px: NDArray[np.float64] | None = None) -> Calibration | Refusal:
    picture = photograph(checkers=ON_BOARD)
    return calibrate_from_position(picture, setup, corners_px=corners_px, taken_at=TAKEN)


def accepted(answer: Calibration | Refusal) -> Calibration:
    assert isinstance(answer, Calibration), answer
    return answer


def reason_of(answer: Calibration | Refusal) -> str:
    assert isinstance(answer, Refusal)
    return answer.reason


def test_size_and_colours_come_from_the_checkers(sees: Answers) -> None:
    """Drawn 30 mm wide, cream and nearly black; the field stays where its edges are."""
    assert sees
    answer = calibrated(SETUP)
    assert isinstance(answer, Calibration)
    assert (answer.way, answer.placement) == (CalibrationMethod.POSITION, Placement.UPRIGHT)
    checkers = answer.checkers
    assert checkers is not None
    assert checkers.diameter_mm == pytest.approx(30, abs=1.0)
    assert checkers.thickness_mm == pytest.approx(8, abs=2.5)
    assert checkers.light is not None
    assert checkers.light.lab_mean == pytest.approx((90.8, 0.9, 8.0), abs=4)
    assert checkers.dark is not None
    assert checkers.dark.lab_mean == pytest.approx((19.5, 9.0, 0.0), abs=4)
    corners_px = answer.projection.to_picture(answer.field.corners_mm)
    assert corners_px == pytest.approx(PROJECTION.to_picture(FIELD.corners_mm), abs=1.5)


@pytest.mark.parametrize("placement", list(Placement))
def test_the_placement_is_determined(sees: Answers, placement: Placement) -> None:
    """A start position fits in one way only, though two placements differ by colours alone."""
    sees["faces"] = seen(orient_occupancy(LOPSIDED, placement))
    assert accepted(calibrated(LOPSIDED)).placement is placement


def test_placements() -> None:
    """Turned: T1 is B12. Mirrored: T1 is T12. Both: T1 is B1."""
    one = {Place.T1: (Colour.LIGHT, 5)}
    assert [list(orient_occupancy(one, placement)) for placement in Placement] == [
        [Place.T1],
        [Place.B12],
        [Place.T12],
        [Place.B1],
    ]


@pytest.mark.parametrize(("left_mm", "right_mm"), [(186, 242), (205, 239), (220, 220)])
def test_the_bar_comes_from_the_checkers(sees: Answers, left_mm: float, right_mm: float) -> None:
    """Wide, off the middle, and none, at given corners without clear edges."""
    board = FieldShape(440, 360, left_mm, right_mm)
    sees["faces"] = seen(LOPSIDED, board=board)
    field = accepted(calibrated(LOPSIDED, CORNERS_PX)).field
    width_mm = field.width_mm / 440
    assert (field.bar_left_mm / width_mm, field.bar_right_mm / width_mm) == pytest.approx((left_mm, right_mm), abs=4.4)


def test_a_detection_that_is_off_is_corrected(sees: Answers) -> None:
    """A field that is detected 3 % of the width to the right and down gives way to the edges near the checkers."""
    aside = CORNERS_PX + 0.03 * np.linalg.norm(CORNERS_PX[1] - CORNERS_PX[0])
    sees["field"] = replace(FIT, projection=Projection.of_corners(aside, FIELD, LENS))
    sees["edges"], sees["faces"] = FIT, seen(LOPSIDED)
    answer = accepted(calibrated(LOPSIDED))
    corners_px = answer.projection.to_picture(answer.field.corners_mm)
    assert np.linalg.norm(corners_px - CORNERS_PX, axis=1).max() < 0.015 * np.linalg.norm(CORNERS_PX[1] - CORNERS_PX[0])


def test_without_faces_nothing_is_proved(sees: Answers, monkeypatch: pytest.MonkeyPatch) -> None:
    """A board without checkers is another reason than no board."""
    sees["faces"] = seen(LOPSIDED, faces={})
    assert reason_of(calibrated(LOPSIDED)).startswith("Too few checkers are seen where the known position has them;")
    sees["field"] = FieldNotFound("No edges.")
    monkeypatch.setattr(vision.field.position_calibration, "detect_coarse_corners", lambda _pixels: None)
    assert reason_of(calibrated(LOPSIDED)).startswith("No backgammon board was found;")


def test_an_unsure_field_is_refused(sees: Answers) -> None:
    """A few checkers on one column prove the position, but not the corners of a roughly seen board."""
    few: Setup = {Place.T2: (Colour.LIGHT, 4), Place.T3: (Colour.DARK, 3)}
    sees["field"], sees["faces"] = FieldNotFound("No edges."), seen(few)
    assert "tell the corners surely" in reason_of(calibrated(few))


def test_another_position_is_refused(sees: Answers) -> None:
    """It names points that differ."""
    sees["faces"] = seen({Place.T3: (Colour.LIGHT, 5), Place.B9: (Colour.DARK, 5), Place.T5: (Colour.LIGHT, 3)})
    assert "does not show the position that was promised: " in reason_of(calibrated(SETUP))


def test_a_play_too_many_is_refused(sees: Answers) -> None:
    """One checker stands elsewhere than told, and both points are named."""
    moved = {**LOPSIDED, Place.T7: (Colour.DARK, 4), Place.T8: (Colour.DARK, 1)}
    sees["faces"] = seen(moved)
    named = "T7 reads as 4 dark instead of 5 dark, T8 reads as 1 dark instead of empty; "
    assert named in reason_of(calibrated(LOPSIDED))


def test_ornaments_are_no_checkers(sees: Answers) -> None:
    """Faces of another colour on empty points, which the network reads as checkers, prove nothing."""
    ornaments = {Place.T3: (Colour.LIGHT, 1), Place.B3: (Colour.LIGHT, 1), Place.B10: (Colour.LIGHT, 1)}
    answer = seen({**LOPSIDED, **ornaments})
    lab = answer.lab.copy()
    lab[-3:] = (60, 25, 40)
    sees["faces"] = replace(answer, lab=lab)
    accepted(calibrated(LOPSIDED))


def test_places_under_a_hand_say_nothing(sees: Answers) -> None:
    """A stack that a hand covers is neither right nor wrong."""
    answer = seen(LOPSIDED, faces={place: stack for place, stack in LOPSIDED.items() if place is not Place.B5})
    points, visible = answer.reading.points.copy(), answer.reading.visible.copy()
    points[POINTS.index(Place.B5)] = np.log(1 / 31)
    visible[POINTS.index(Place.B5)] = 0.1
    sees["faces"] = replace(answer, reading=replace(answer.reading, points=points, visible=visible))
    accepted(calibrated(LOPSIDED))


def test_a_position_that_fits_both_ways_is_refused(sees: Answers) -> None:
    """Both sides look alike, and a start position and its mirror differ by colours only."""
    answer = seen(LOPSIDED)
    sees["faces"] = replace(
        answer,
        lab=np.full_like(answer.lab, 50),
        reading=replace(answer.reading, points=np.full((24, 31), np.log(1 / 31), np.float32)),
    )
    assert isinstance(calibrated(LOPSIDED), Refusal)


def test_a_single_place_that_differs_is_refused(sees: Answers) -> None:
    """A checker too few, though all other places are as told; the sentence says what is read there."""
    sees["faces"] = seen({**LOPSIDED, Place.T7: (Colour.DARK, 4)})
    assert "promised: T7 reads as 4 dark instead of 5 dark; " in reason_of(calibrated(LOPSIDED))


@pytest.mark.parametrize("placement", list(Placement))
def test_the_outline_keeps_its_corner(sees: Answers, placement: Placement) -> None:
    """Tags found the field; the position teaches as it lies under them, whichever way."""
    tagged = replace(accepted(calibrated(SETUP)), way=CalibrationMethod.TAGS, placement=None, error_mm=0.5)
    sees["field"] = FieldNotFound("No edges.")
    sees["faces"] = seen(orient_occupancy(LOPSIDED, placement))
    answer = accepted(calibrate_from_position(photograph(checkers=ON_BOARD), LOPSIDED, outline=tagged, taken_at=TAKEN))
    assert (answer.way, answer.placement) == (CalibrationMethod.TAGS, placement)
    assert answer.appearance is not None
    corners_px = answer.projection.to_picture(answer.field.corners_mm)
    assert corners_px == pytest.approx(tagged.projection.to_picture(tagged.field.corners_mm), abs=3)


def test_corners_must_go_around_a_board(sees: Answers) -> None:
    assert sees
    assert "clockwise" in reason_of(calibrated(LOPSIDED, CORNERS_PX[::-1]))


def test_too_few_checkers_are_refused(sees: Answers) -> None:
    """With and without corners, before anything is searched for."""
    assert sees
    few: Setup = {Place.T1: (Colour.DARK, 3)}
    for corners_px in (None, CORNERS_PX):
        assert "fewer than 6 checkers" in reason_of(calibrated(few, corners_px))
