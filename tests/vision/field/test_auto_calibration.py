from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import vision.field.auto_calibration
from tests.vision.drawn_boards import FIELD, calibration_for
from vision.field.auto_calibration import (
    calibrate_automatically,
    calibrate_from_corners,
    combine_calibrations,
    corner_distance_share,
    find_agreeing,
    rotate_half_turn,
    rows_differ,
)
from vision.field.detector import FieldFit, FieldNotFound
from vision.field.drift import make_reference
from vision.geometry.calibration import Calibration, CalibrationMethod, Refusal
from vision.geometry.projection import FieldShape, Lens, Projection
from vision.geometry.top_view import FIELD_ROWS_PX, HALF_PX, MARGIN_PX, PITCH_PX, VIEW_HEIGHT_PX, VIEW_WIDTH_PX

KNOWN = calibration_for()
PICTURE = np.zeros((480, 640, 3), np.uint8)
TAKEN = "2026-01-01T12:00:00+00:00"
CORNERS_PX = [(80.0, 60.0), (560.0, 60.0), (560.0, 420.0), (80.0, 420.0)]
GOOD = FieldFit(KNOWN.projection, FIELD, 0.6, 0.95, 0.97)
CLOCKWISE, IN_PIXELS = "clockwise from the one that becomes the upper left", "in pixels of this picture"


def finds(monkeypatch: pytest.MonkeyPatch, answer: FieldFit | FieldNotFound) -> None:
    monkeypatch.setattr(vision.field.auto_calibration, "find_field", lambda _pixels, **_: answer)
    monkeypatch.setattr(vision.field.auto_calibration, "refine_field", lambda *_, **__: answer)


def refusal_of(answer: Calibration | Refusal, words: str) -> str:
    """The reason of a refusal, which contains these words."""
    assert isinstance(answer, Refusal)
    assert words in answer.reason
    return answer.reason


def shifted(right_px: float, *, error_mm: float = 0.5) -> Calibration:
    corners = [(x + right_px, y) for x, y in CORNERS_PX]
    return replace(calibration_for(corners_px=corners), error_mm=error_mm)


class TestAutomatically:
    @pytest.mark.parametrize("field_mm", [None, (440.0, 400.0)])
    def test_a_clear_field_is_accepted(
        self, monkeypatch: pytest.MonkeyPatch, field_mm: tuple[float, float] | None
    ) -> None:
        """With its residual as the error; without a given size the scale is assumed."""
        finds(monkeypatch, GOOD)
        reference = make_reference(PICTURE, KNOWN.projection)
        assert calibrate_automatically(PICTURE, field_mm=field_mm, taken_at=TAKEN) == Calibration(
            *((640, 480), KNOWN.projection, FIELD, field_mm is None, CalibrationMethod.ITSELF, 0.6, TAKEN),
            reference=reference,
        )

    def test_an_unreliable_field_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """With the detector's reason, or with a confidence that is too low."""
        finds(monkeypatch, FieldNotFound("No board is seen; show it whole."))
        assert calibrate_automatically(PICTURE, taken_at=TAKEN) == Refusal("No board is seen; show it whole.")
        finds(monkeypatch, replace(GOOD, confidence=0.4))
        assert "(40%)" in refusal_of(calibrate_automatically(PICTURE, taken_at=TAKEN), "--corners")

    def test_a_field_cut_short_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Its upper points end sooner than its lower ones, so the detected upper edge is wrong."""
        finds(monkeypatch, GOOD)
        cut = np.full_like(PICTURE, 60)
        for column in range(1, 13):
            for begin_mm, end_mm in ((0.0, 110.0), (FIELD.height_mm - 160.0, FIELD.height_mm)):
                x_mm = FIELD.point_middle_mm(column)
                (left, top), (right, bottom) = KNOWN.projection.to_picture([(x_mm - 8, begin_mm), (x_mm + 8, end_mm)])
                cut[round(top) : round(bottom), round(left) : round(right)] = 200
        refusal_of(calibrate_automatically(cut, taken_at=TAKEN), "shorter than those of the other")

    @pytest.mark.parametrize(
        ("right_px", "is_accepted"), [(560, True), (624, True), (632, False), (650, False), (700, True)]
    )
    def test_a_field_that_ends_with_the_picture_is_refused(
        self, monkeypatch: pytest.MonkeyPatch, right_px: int, is_accepted: bool
    ) -> None:
        """The cut through a board resembles a rim; a side far outside follows from the others."""
        cut = calibration_for(corners_px=((80, 60), (right_px, 60), (right_px, 420), (80, 420)))
        finds(monkeypatch, replace(GOOD, projection=cut.projection))
        answer = calibrate_automatically(PICTURE, taken_at=TAKEN)
        if is_accepted:
            assert isinstance(answer, Calibration)
        else:
            refusal_of(answer, "until its rim is in view")


class TestGivenCorners:
    def test_they_move_onto_clear_edges_nearby(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """From 5 px away, a percent of the width."""
        finds(monkeypatch, GOOD)
        answer = calibrate_from_corners(PICTURE, np.array(CORNERS_PX) + 5, field_mm=(440, 400), taken_at=TAKEN)
        assert isinstance(answer, Calibration)
        assert answer.projection.to_picture(FIELD.corners_mm) == pytest.approx(np.array(CORNERS_PX))
        assert (answer.way, answer.notes) == (CalibrationMethod.CORNERS, ())

    def test_they_stay_without_edges_nearby(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """20 px off, four percent: the calibration holds a note."""
        finds(monkeypatch, GOOD)
        given = np.array(CORNERS_PX) + np.array((20, 0))
        answer = calibrate_from_corners(PICTURE, given, taken_at=TAKEN)
        assert isinstance(answer, Calibration)
        assert answer.projection.to_picture(answer.field.corners_mm) == pytest.approx(given)
        assert answer.notes == (
            "The corners were taken as given; the nearest clear edges lie 4.2% of the width away from them.",
        )

    def test_they_stay_without_clear_edges(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The height of the field is then the usual one."""
        finds(monkeypatch, FieldNotFound("Too dark."))
        answer = calibrate_from_corners(PICTURE, CORNERS_PX, taken_at=TAKEN)
        assert isinstance(answer, Calibration)
        assert answer.notes == ("The corners were taken as given, for no clear edges were seen near them.",)
        assert (answer.field.width_mm, answer.scale_is_assumed) == (440, True)
        assert (answer.error_mm, answer.error_share) == (None, None)
        assert answer.reference is not None

    @pytest.mark.parametrize(
        ("corners", "reason", "remedy"),
        [
            (CORNERS_PX[:3], "Four corners of two numbers", CLOCKWISE),
            ([*CORNERS_PX[:3], (float("nan"), 0.0)], "Four corners of two numbers", CLOCKWISE),
            (CORNERS_PX[::-1], "do not go clockwise", CLOCKWISE),
            ([CORNERS_PX[0], CORNERS_PX[2], CORNERS_PX[1], CORNERS_PX[3]], "do not go clockwise", CLOCKWISE),
            ([(80, 60), (81, 60), (82, 60), (83, 60)], "do not go clockwise", CLOCKWISE),
            ([(80, 60), (5600, 60), (560, 420), (80, 420)], "far outside the picture of 640x480 px", IN_PIXELS),
            ([(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)], "too close together for a board", IN_PIXELS),  # shares
        ],
    )
    def test_impossible_corners_are_refused(self, corners: list[tuple[float, float]], reason: str, remedy: str) -> None:
        """With the remedy for the order or for the unit, not both."""
        answer = refusal_of(calibrate_from_corners(PICTURE, corners, taken_at=TAKEN), reason)
        assert [words in answer for words in (CLOCKWISE, IN_PIXELS)] == [remedy == CLOCKWISE, remedy == IN_PIXELS]


class TestSeveralPictures:
    def test_the_result_is_the_median_of_the_agreeing_ones(self) -> None:
        """One picture with an arm in it is 30 px off and left out."""
        answer = combine_calibrations(
            [shifted(0), shifted(30), shifted(1), shifted(2, error_mm=0.4), Refusal("An arm.")]
        )
        assert isinstance(answer, Calibration)
        assert answer.projection.to_picture(FIELD.corners_mm)[0] == pytest.approx((81, 60))
        assert answer.error_mm == 0.5

    def test_either_order_of_the_corners_is_the_same_board(self) -> None:
        projection, field = rotate_half_turn(KNOWN.projection, FIELD)
        answer = combine_calibrations([KNOWN, replace(KNOWN, projection=projection, field=field)])
        assert isinstance(answer, Calibration)
        assert corner_distance_share(answer.projection, answer.field, KNOWN.projection, FIELD) < 1e-9
        assert answer.field.bar_left_mm == pytest.approx(FIELD.bar_left_mm)

    def test_pictures_that_differ_are_refused(self) -> None:
        """Each shows the board elsewhere: the camera was hand-held."""
        answer = combine_calibrations([shifted(0), shifted(30), shifted(60), shifted(-40)])
        assert answer == Refusal("The pictures show the board at different places; give pictures of one still camera.")

    def test_a_picture_of_another_camera_does_not_agree(self) -> None:
        """The two of one size are taken, although the other one comes first; alone, one of each size tells nothing."""
        other = replace(shifted(30), image_size_px=(1920, 909))
        assert find_agreeing([other, shifted(0), shifted(1)]) == {1: shifted(0), 2: shifted(1)}
        answer = find_agreeing([other, shifted(0)])
        assert answer == Refusal("The pictures show the board at different places; give pictures of one still camera.")

    def test_refusals_count_only_when_all_refuse(self) -> None:
        """The first reason is the result then."""
        assert combine_calibrations([Refusal("An arm."), KNOWN]) == KNOWN
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


GROUND, LIGHT, DARK = (60, 110, 90), (190, 210, 220), (40, 40, 120)


def view(upper_px: int, lower_px: int, *, covered: int = 0) -> np.ndarray:
    """A field with points of these lengths; an object covers the tips of the first `covered` upper ones."""
    drawn = np.full((VIEW_HEIGHT_PX, VIEW_WIDTH_PX, 3), GROUND, np.uint8)
    for left in (MARGIN_PX, VIEW_WIDTH_PX - MARGIN_PX - HALF_PX):
        for point in range(6):
            columns = slice(left + point * PITCH_PX + 10, left + (point + 1) * PITCH_PX - 10)
            shades = (LIGHT, DARK) if point % 2 else (DARK, LIGHT)
            length_px = upper_px - 40 if point < covered else upper_px
            drawn[MARGIN_PX : MARGIN_PX + length_px, columns] = shades[0]
            drawn[MARGIN_PX + FIELD_ROWS_PX - lower_px : MARGIN_PX + FIELD_ROWS_PX, columns] = shades[1]
    return drawn


@settings(max_examples=25, deadline=None)
@given(length_px=st.integers(110, 160), differ_px=st.integers(-6, 6))
def test_nearly_equal_rows_do_not_differ(length_px: int, differ_px: int) -> None:
    """A corner that is off by one percent changes the lengths by a few percent."""
    assert not rows_differ(view(length_px, length_px + differ_px))


@settings(max_examples=25, deadline=None)
@given(length_px=st.integers(120, 165), missing_px=st.integers(28, 45))
def test_a_row_cut_short_differs(length_px: int, missing_px: int) -> None:
    """On either side, where the detected edge hides a tenth of the field."""
    assert rows_differ(view(length_px, length_px - missing_px))
    assert rows_differ(view(length_px - missing_px, length_px))


def test_covered_and_missing_points_do_not_differ() -> None:
    """Two points of each half end at a stack of checkers; a plain view has no points."""
    assert not rows_differ(view(150, 150, covered=2))
    assert not rows_differ(np.full((VIEW_HEIGHT_PX, VIEW_WIDTH_PX, 3), 90, np.uint8))
