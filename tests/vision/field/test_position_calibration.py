from collections.abc import Mapping

import numpy as np
import pytest

import vision.field.auto_calibration
import vision.field.position_calibration
from tests.vision.tagged_boards import CORNERS_PX, FIELD, PROJECTION, SIZE_PX, photograph
from vision.checkers.network import CheckerTop, ViewReading
from vision.field.detector import FieldFit, FieldNotFound
from vision.field.position_calibration import calibrate_from_position, orient_occupancy
from vision.geometry.calibration import Calibration, CalibrationMethod, Placement, Refusal
from vision.geometry.projection import Lens, Projection
from vision.geometry.top_view import to_view
from vision.places import POINTS, Colour, Place

Answers = dict[str, FieldFit | FieldNotFound | ViewReading]
TAKEN = "2026-01-01T12:00:00+00:00"
# On the picture: light ones above, dark ones below.
ON_BOARD = {"T1": 5, "T5": 3, "T8": 5, "T12": 2, "B1": 5, "B5": 3, "B8": 5, "B12": 2}
SETUP = {Place(name): (Colour.LIGHT if name[0] == "T" else Colour.DARK, count) for name, count in ON_BOARD.items()}
FIT = FieldFit(Projection.of_corners(CORNERS_PX, FIELD, Lens.usual(*SIZE_PX)), FIELD, 0.6, 0.95, 0.97)


def said(setup: Mapping[Place, tuple[Colour, int]], *, tops: Mapping[str, int]) -> ViewReading:
    """The network's result for this position: each point sure, each upper face a millimetre off."""
    points = np.full((24, 31), -9.0, np.float32)
    for index, place in enumerate(POINTS):
        colour, count = setup.get(place, (Colour.NONE, 0))
        points[index, count + (15 if colour is Colour.DARK else 0)] = -0.01
    places = [
        (
            FIELD.point_middle_mm(int(name[1:])) + 1,
            31.0 * (depth + 0.5) if name[0] == "T" else 360 - 31.0 * (depth + 0.5),
        )
        for name, count in tops.items()
        for depth in range(count)
    ]
    faces = tuple(CheckerTop(float(x), float(y), 0.9) for x, y in to_view(places, FIELD)) if places else ()
    bar = np.zeros(16, np.float32)
    return ViewReading(points, bar, bar, np.ones(25, np.float32), faces)


@pytest.fixture
def sees(monkeypatch: pytest.MonkeyPatch) -> Answers:
    answers: Answers = {"field": FIT, "view": said(SETUP, tops=ON_BOARD)}
    monkeypatch.setattr(vision.field.auto_calibration, "find_field", lambda _pixels, **_: answers["field"])
    monkeypatch.setattr(vision.field.position_calibration, "read_view", lambda _view: answers["view"])
    return answers


def calibrated(setup: Mapping[Place, tuple[Colour, int]]) -> Calibration | Refusal:
    return calibrate_from_position(photograph(checkers=ON_BOARD), setup, taken_at=TAKEN)


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
    """A lopsided position fits in one way only."""
    lopsided = {Place.T1: (Colour.LIGHT, 5), Place.B8: (Colour.DARK, 3), Place.B2: (Colour.DARK, 1)}
    sees["view"] = said(orient_occupancy(lopsided, placement), tops={})
    answer = calibrated(lopsided)
    assert isinstance(answer, Calibration)
    assert answer.placement is placement


def test_placements() -> None:
    """Turned: T1 is B12. Mirrored: T1 is T12. Both: T1 is B1."""
    one = {Place.T1: (Colour.LIGHT, 5)}
    assert [list(orient_occupancy(one, placement)) for placement in Placement] == [
        [Place.T1],
        [Place.B12],
        [Place.T12],
        [Place.B1],
    ]


def test_without_faces_the_field_alone_counts(sees: Answers) -> None:
    """Size and colours are unknown, and the calibration holds a note."""
    sees["view"] = said(SETUP, tops={})
    answer = calibrated(SETUP)
    assert isinstance(answer, Calibration)
    assert answer.checkers is None
    assert answer.notes == (
        "Too few checkers are seen clearly to tell their size; it is taken from the points' width.",
    )


def test_another_position_is_refused(sees: Answers) -> None:
    """It names points that differ."""
    sees["view"] = said({Place.T3: (Colour.LIGHT, 15), Place.B9: (Colour.DARK, 15)}, tops={})
    answer = calibrated(SETUP)
    assert isinstance(answer, Refusal)
    assert "does not show the position that was promised, T1, T3, T5" in answer.reason


def test_a_position_that_fits_both_ways_is_refused(sees: Answers) -> None:
    """The one point that decides between them is not visible."""
    setup = {Place.T1: (Colour.LIGHT, 5), Place.T12: (Colour.LIGHT, 5), Place.T3: (Colour.LIGHT, 1)}
    seen = said(setup, tops={})
    points = seen.points.copy()
    points[[2, 9]] = np.log(1 / 31)
    sees["view"] = ViewReading(points, seen.bar_light, seen.bar_dark, seen.visible, ())
    answer = calibrated(setup)
    assert isinstance(answer, Refusal)
    assert "orientation of the position is ambiguous" in answer.reason


def test_no_field_is_refused(sees: Answers) -> None:
    """With the detector's reason, or with its low confidence."""
    sees["field"] = FieldNotFound("No board.")
    assert calibrated(SETUP) == Refusal("No board.")
    sees["field"] = FieldFit(FIT.projection, FIT.field, 2.0, 0.5, 0.3)
    doubtful = calibrated(SETUP)
    assert isinstance(doubtful, Refusal)
    assert "(30%)" in doubtful.reason
