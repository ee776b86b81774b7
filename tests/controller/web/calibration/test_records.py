from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from controller.pictures.calibrate import CalibrationResult
from controller.pictures.reading_report import ReadingReport
from controller.web.calibration.records import (
    GOOD_ERROR_SHARE,
    CalibrationQuality,
    classify_quality,
    grid_mm,
    make_drift_record,
    make_report_record,
    make_result_record,
    rotate_result,
    rotate_to_match,
)
from tests.vision.drawn_boards import calibration_for, drawn_board
from vision.board.weak_places import BoardAppraisal, Weakness, WeakPlace
from vision.field.auto_calibration import rotate_calibration
from vision.field.drift import CannotTell, Moved, Shifted, Steady, check_drift, make_reference
from vision.frame import Frame
from vision.geometry.calibration import Calibration, Placement, Reference
from vision.geometry.projection import FieldShape
from vision.places import Colour, Place

KNOWN = calibration_for()


def test_the_record_of_a_result() -> None:
    """It has the corners in px, the lines with the outline first, and the figures."""
    shown = make_result_record(CalibrationResult(replace(KNOWN, error_mm=0.44), 2, 3), 7)
    assert shown["corners"] == [[80, 60], [560, 60], [560, 420], [80, 420]]
    assert (shown["number"], shown["size_px"], shown["field_mm"]) == (7, [640, 480], [440, 400])
    assert (shown["error_mm"], shown["error_percent"], shown["quality"]) == (0.44, 0.1, "good")
    lines = shown["lines"]
    assert isinstance(lines, list)
    assert len(lines) == 1 + 2 + 24
    assert lines[0][0] == lines[0][-1] == [80, 60]  # type: ignore[index]


def test_the_record_of_what_was_learned() -> None:
    """Each weak place has its plate over its own point; half a turn renames it and leaves the plate there."""
    weak = WeakPlace(Place.T8, (Colour.NONE, 0), 0.4, (Colour.LIGHT, 1), 0.5, Weakness.GLARE, 0.061)
    report = ReadingReport(13.2, (Place.T1,), BoardAppraisal((weak,), (), 23, 20))
    shown = make_report_record(report, KNOWN)
    assert (shown["die"], shown["die_px"], shown["good_die_px"], shown["covered"]) == ("small", 13.2, 18, ["T1"])
    learned: Any = shown["learned"]
    assert (learned["points"], learned["right"], learned["before"]) == (24, 23, 20)
    (mark,) = learned["weak"]
    assert (mark["place"], mark["weakness"], mark["amount"]) == ("T8", "glare", 0.061)
    assert mark["resembles"] == {"colour": "light", "count": 1}
    x_px, y_px = KNOWN.projection.to_picture([(KNOWN.field.point_middle_mm(8), 0.45 * KNOWN.field.height_mm)])[0]
    assert mark["at_px"] == pytest.approx([x_px, y_px], abs=0.1)
    turned = rotate_result(CalibrationResult(KNOWN, 1, 1, report))
    after: Any = make_result_record(turned, 1)["report"]
    assert (after["learned"]["weak"][0]["place"], after["covered"]) == ("B5", ["B12"])
    assert after["learned"]["weak"][0]["at_px"] == mark["at_px"]


def test_what_is_worth_another_try() -> None:
    """A covered point, or a start position that was not used; the wizard then waits for a change."""
    unused = replace(KNOWN, notes=("The start position was not used. It is not there; set it up.",))
    covered = ReadingReport(20.0, (Place.T1,))
    results = [
        CalibrationResult(KNOWN, 1, 1, ReadingReport(20.0)),
        CalibrationResult(KNOWN, 1, 1, covered),
        CalibrationResult(unused, 1, 1, ReadingReport(20.0)),
    ]
    assert [make_result_record(one, 1)["is_well"] for one in results] == [True, False, False]


def test_points_are_drawn_in_their_places() -> None:
    """Each triangle stands on a rim, with its tip above the middle of its point, and none on the bar."""
    field = FieldShape(440, 400, 200, 240)
    _, left, right, *points = grid_mm(field)
    assert (left[0, 0], right[0, 0]) == (200, 240)
    assert len(points) == 24
    tips = [line[len(line) // 2] for line in points]
    assert [float(tip[0]) for tip in tips[::2]] == [field.point_middle_mm(column) for column in range(1, 13)]
    assert all(line[0, 1] == line[-1, 1] == (0 if number % 2 == 0 else 400) for number, line in enumerate(points))
    assert points[12][0, 0] == pytest.approx(240)


def test_a_board_without_a_bar_has_a_line_between_its_halves() -> None:
    field = FieldShape(440, 400, 219.5, 220.5)
    _, middle, *points = grid_mm(field)
    assert (middle[0, 0], len(points)) == (220, 24)
    known = replace(KNOWN, field=field)
    assert make_result_record(CalibrationResult(known, 1, 1), 1)["has_bar"] is False


@pytest.mark.parametrize(
    ("error_mm", "quality"),
    [
        (None, CalibrationQuality.UNMEASURED),
        (0.0, CalibrationQuality.GOOD),
        (2.2, CalibrationQuality.GOOD),
        (2.3, CalibrationQuality.POOR),
    ],
)
def test_the_quality(error_mm: float | None, quality: CalibrationQuality) -> None:
    """It depends on the error as a share of the width."""
    assert pytest.approx(2.2) == GOOD_ERROR_SHARE * KNOWN.field.width_mm
    assert classify_quality(replace(KNOWN, error_mm=error_mm)) is quality


def test_half_a_turn() -> None:
    """The corners begin at the opposite one, and the bar is seen from there; two half turns cancel out."""
    known = calibration_for(corners_px=((80, 60), (560, 50), (570, 420), (80, 430)))
    uneven = replace(
        known, field=FieldShape(440, 400, 190, 230), placement=Placement.MIRRORED, reference=_reference(known)
    )
    turned = rotate_calibration(uneven)
    corners = [one.projection.to_picture(one.field.corners_mm) for one in (uneven, turned)]
    assert np.allclose(np.roll(corners[0], 2, axis=0), corners[1])
    assert (turned.field.bar_left_mm, turned.field.bar_right_mm) == (210, 250)
    assert turned.placement is Placement.TURNED_AND_MIRRORED
    back = rotate_calibration(turned)
    assert (back.field, back.placement) == (uneven.field, uneven.placement)
    assert np.allclose(back.projection.homography, uneven.projection.homography)


def test_a_new_calibration_keeps_the_upper_left_corner_of_the_match() -> None:
    """This holds for both orders of corners, and for a board that was bumped."""
    bumped = calibration_for(corners_px=((95, 50), (575, 60), (565, 425), (85, 410)))
    assert rotate_to_match(CalibrationResult(bumped, 1, 1), KNOWN).calibration == bumped
    found = rotate_to_match(CalibrationResult(rotate_calibration(bumped), 1, 1), KNOWN).calibration
    assert found.projection.to_picture(found.field.corners_mm) == pytest.approx(
        bumped.projection.to_picture(bumped.field.corners_mm)
    )


def test_a_rotated_calibration_shows_no_drift() -> None:
    """The reference picture is rotated as well."""
    pixels = drawn_board(KNOWN, {}, noise=4)
    turned = rotate_calibration(replace(KNOWN, reference=make_reference(pixels, KNOWN.projection)))
    assert isinstance(check_drift(turned, _still(pixels)), Steady)


def test_the_record_of_a_check() -> None:
    """A recording has a verdict of its own, because it has no newer pictures."""
    assert make_drift_record(Steady(), is_recording=False)["verdict"] == "steady"
    assert make_drift_record(Steady(), is_recording=True)["verdict"] == "same"
    shifted = {"verdict": "shifted", "sentence": "", "shift_mm": 3.0}
    assert make_drift_record(Shifted(KNOWN, 3.04), is_recording=False) == shifted
    moved = {"verdict": "moved", "sentence": "Put it back."}
    assert make_drift_record(Moved(30, "Put it back.", KNOWN), is_recording=False) == moved
    assert make_drift_record(CannotTell("Wait."), is_recording=False)["verdict"] == "unknown"


def _reference(known: Calibration) -> Reference:
    return make_reference(drawn_board(known, {}), known.projection)


def _still(pixels: NDArray[np.uint8]) -> list[Frame]:
    return [Frame(pixels, time_ms) for time_ms in (0, 150, 300)]
