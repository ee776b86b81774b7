from dataclasses import replace

import numpy as np
import pytest

import vision.field.auto_calibration
from tests.vision.drawn_boards import FIELD, calibration_for
from vision.field.auto_calibration import (
    calibrate_automatically,
    calibrate_from_corners,
    combine_calibrations,
    corner_distance_share,
    rotate_half_turn,
)
from vision.field.detector import FieldFit, FieldNotFound
from vision.field.drift import make_reference
from vision.geometry.calibration import Calibration, CalibrationMethod, Refusal
from vision.geometry.projection import FieldShape, Lens, Projection

KNOWN = calibration_for()
PICTURE = np.zeros((480, 640, 3), np.uint8)
TAKEN = "2026-01-01T12:00:00+00:00"
CORNERS_PX = [(80.0, 60.0), (560.0, 60.0), (560.0, 420.0), (80.0, 420.0)]
GOOD = FieldFit(KNOWN.projection, FIELD, 0.6, 0.95, 0.97)


def finds(monkeypatch: pytest.MonkeyPatch, answer: FieldFit | FieldNotFound) -> None:
    monkeypatch.setattr(vision.field.auto_calibration, "find_field", lambda _pixels, **_: answer)
    monkeypatch.setattr(vision.field.auto_calibration, "refine_field", lambda *_, **__: answer)


def shifted(right_px: float, *, error_mm: float = 0.5) -> Calibration:
    corners = [(x + right_px, y) for x, y in CORNERS_PX]
    return replace(calibration_for(corners_px=corners), error_mm=error_mm)


class TestByItself:
    def test_a_clear_field_is_taken(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """With its residual as the error, and the scale marked as assumed."""
        finds(monkeypatch, GOOD)
        answer = calibrate_automatically(PICTURE, taken_at=TAKEN)
        reference = make_reference(PICTURE, KNOWN.projection)
        expected = Calibration(
            (640, 480), KNOWN.projection, FIELD, True, CalibrationMethod.ITSELF, 0.6, TAKEN, reference=reference
        )
        assert answer == expected

    def test_a_given_size_is_no_assumption(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """--field-mm gives the scale."""
        finds(monkeypatch, GOOD)
        answer = calibrate_automatically(PICTURE, field_mm=(440, 400), taken_at=TAKEN)
        assert isinstance(answer, Calibration)
        assert not answer.scale_is_assumed

    def test_no_board_is_refused_with_the_finders_reason(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """It knows best why."""
        finds(monkeypatch, FieldNotFound("No board is seen; show it whole."))
        assert calibrate_automatically(PICTURE, taken_at=TAKEN) == Refusal("No board is seen; show it whole.")

    def test_a_doubtful_field_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Better to ask for the corners than to be wrong."""
        finds(monkeypatch, replace(GOOD, confidence=0.4))
        answer = calibrate_automatically(PICTURE, taken_at=TAKEN)
        assert isinstance(answer, Refusal)
        assert "(40%)" in answer.reason
        assert "--corners" in answer.reason

    def test_a_field_cut_short_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Its upper points end sooner than its lower ones: what was taken for the upper edge is none."""
        finds(monkeypatch, GOOD)
        cut = np.full_like(PICTURE, 60)
        for column in range(1, 13):
            for begin_mm, end_mm in ((0.0, 110.0), (FIELD.height_mm - 160.0, FIELD.height_mm)):
                x_mm = FIELD.point_middle_mm(column)
                (left, top), (right, bottom) = KNOWN.projection.to_picture([(x_mm - 8, begin_mm), (x_mm + 8, end_mm)])
                cut[round(top) : round(bottom), round(left) : round(right)] = 200
        answer = calibrate_automatically(cut, taken_at=TAKEN)
        assert isinstance(answer, Refusal)
        assert "shorter than those of the other" in answer.reason

    @pytest.mark.parametrize(
        ("right_px", "is_taken"), [(560, True), (620, True), (632, False), (650, False), (700, True)]
    )
    def test_a_field_that_ends_with_the_picture_is_refused(
        self, monkeypatch: pytest.MonkeyPatch, right_px: int, is_taken: bool
    ) -> None:
        """Where the picture is cut a side may be seen that is none; one far outside was found by all the others."""
        cut = calibration_for(corners_px=((80, 60), (right_px, 60), (right_px, 420), (80, 420)))
        finds(monkeypatch, replace(GOOD, projection=cut.projection))
        answer = calibrate_automatically(PICTURE, taken_at=TAKEN)
        assert isinstance(answer, Calibration) is is_taken
        assert is_taken or (isinstance(answer, Refusal) and "until its rim is in view" in answer.reason)


class TestGivenCorners:
    def test_clear_edges_near_them_are_taken(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Corners that are 5 px off, a percent of the width, move onto the edges."""
        finds(monkeypatch, GOOD)
        answer = calibrate_from_corners(PICTURE, np.array(CORNERS_PX) + 5, field_mm=(440, 400), taken_at=TAKEN)
        assert isinstance(answer, Calibration)
        assert answer.projection.to_picture(FIELD.corners_mm) == pytest.approx(np.array(CORNERS_PX))
        assert (answer.way, answer.notes) == (CalibrationMethod.CORNERS, ())

    def test_edges_far_away_are_not(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """20 px off, four percent: the corners stay as given, and a note says so."""
        finds(monkeypatch, GOOD)
        given = np.array(CORNERS_PX) + np.array((20, 0))
        answer = calibrate_from_corners(PICTURE, given, taken_at=TAKEN)
        assert isinstance(answer, Calibration)
        assert answer.projection.to_picture(answer.field.corners_mm) == pytest.approx(given)
        assert answer.notes == (
            "The corners were taken as given; the nearest clear edges lie 4.2% of the width away from them.",
        )

    def test_without_clear_edges_they_are_taken_as_given(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The height of the field then comes from what boards usually have."""
        finds(monkeypatch, FieldNotFound("Too dark."))
        answer = calibrate_from_corners(PICTURE, CORNERS_PX, taken_at=TAKEN)
        assert isinstance(answer, Calibration)
        assert answer.notes == ("The corners were taken as given, for no clear edges were seen near them.",)
        assert (answer.field.width_mm, answer.scale_is_assumed) == (440, True)
        assert (answer.error_mm, answer.error_share) == (None, None)
        assert answer.reference is not None

    @pytest.mark.parametrize(
        ("corners", "reason"),
        [
            (CORNERS_PX[:3], "Four corners of two numbers"),
            ([*CORNERS_PX[:3], (float("nan"), 0.0)], "Four corners of two numbers"),
            (CORNERS_PX[::-1], "do not go clockwise"),
            ([CORNERS_PX[0], CORNERS_PX[2], CORNERS_PX[1], CORNERS_PX[3]], "do not go clockwise"),
            ([(80, 60), (81, 60), (82, 60), (83, 60)], "do not go clockwise"),
        ],
    )
    def test_impossible_corners_are_refused(self, corners: list[tuple[float, float]], reason: str) -> None:
        """With how to give them."""
        answer = calibrate_from_corners(PICTURE, corners, taken_at=TAKEN)
        assert isinstance(answer, Refusal)
        assert reason in answer.reason
        assert "clockwise from the one that becomes the upper left" in answer.reason

    @pytest.mark.parametrize(
        ("corners", "reason"),
        [
            ([(80, 60), (5600, 60), (560, 420), (80, 420)], "far outside the picture of 640x480 px"),
            ([(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)], "too close together for a board"),  # shares, not pixels
        ],
    )
    def test_corners_in_other_units_are_refused(self, corners: list[tuple[float, float]], reason: str) -> None:
        """With what they have to be given in, and nothing about their order, which is right."""
        answer = calibrate_from_corners(PICTURE, corners, taken_at=TAKEN)
        assert isinstance(answer, Refusal)
        assert reason in answer.reason
        assert "in pixels of this picture" in answer.reason
        assert "clockwise" not in answer.reason


class TestSeveralPictures:
    def test_the_median_of_those_that_agree_counts(self) -> None:
        """One picture with an arm in it is 30 px off and left out; the others give their middle."""
        answer = combine_calibrations(
            [shifted(0), shifted(30), shifted(1), shifted(2, error_mm=0.4), Refusal("An arm.")]
        )
        assert isinstance(answer, Calibration)
        assert answer.projection.to_picture(FIELD.corners_mm)[0] == pytest.approx((81, 60))
        assert answer.error_mm == 0.5

    def test_either_order_of_the_corners_is_the_same_board(self) -> None:
        """A picture in which the finder began at the other end joins the rest."""
        projection, field = rotate_half_turn(KNOWN.projection, FIELD)
        answer = combine_calibrations([KNOWN, replace(KNOWN, projection=projection, field=field)])
        assert isinstance(answer, Calibration)
        assert corner_distance_share(answer.projection, answer.field, KNOWN.projection, FIELD) < 1e-9
        assert answer.field.bar_left_mm == pytest.approx(FIELD.bar_left_mm)

    def test_pictures_that_differ_are_refused(self) -> None:
        """Each shows the board elsewhere: the camera was in somebody's hand."""
        answer = combine_calibrations([shifted(0), shifted(30), shifted(60), shifted(-40)])
        assert answer == Refusal("The pictures show the board at different places; give pictures of one still camera.")

    def test_one_picture_is_enough(self) -> None:
        """Refusals of the others do not count against it."""
        assert combine_calibrations([Refusal("An arm."), KNOWN]) == KNOWN

    def test_without_any_board_the_first_reason_stands(self) -> None:
        """And without any picture, that one is needed."""
        assert combine_calibrations([Refusal("Too dark."), Refusal("No board.")]) == Refusal("Too dark.")
        assert combine_calibrations([]) == Refusal("There is no picture; give one that shows the whole board.")


def test_half_a_turn_exchanges_the_ends() -> None:
    """The lower right corner becomes the upper left one, and a bar off the middle lies on the other side."""
    field = FieldShape(440, 360, 190, 230)
    projection = Projection.of_corners(CORNERS_PX, field, Lens.usual(640, 480))
    turned, its_field = rotate_half_turn(projection, field)
    assert turned.to_picture([(0, 0)])[0] == pytest.approx((560, 420))
    assert (its_field.bar_left_mm, its_field.bar_right_mm) == (210, 250)
    assert turned.camera_mm[2] == pytest.approx(projection.camera_mm[2])
