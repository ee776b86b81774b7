"""A calibration as the page draws it: corners, points and bar in px, the method, and the error."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import Enum
from itertools import pairwise

import numpy as np

from controller.match_log.event_json import JsonValue
from controller.pictures.calibrate import CalibrationResult
from controller.pictures.reading_report import GOOD_DIE_PX, ReadingReport, grade_die, rotate_report
from controller.web.bodies import Record
from vision.board.overlay import plate_mm
from vision.board.weak_places import BoardAppraisal, WeakPlace
from vision.field.auto_calibration import rotate_calibration
from vision.field.drift import CannotTell, DriftResult, Moved, Shifted, Steady, check_drift
from vision.frame import Frame
from vision.geometry.calibration import Calibration
from vision.geometry.projection import POINTS_A_HALF, FieldShape, Points
from vision.places import MOST_NAMED, POINTS

GOOD_ERROR_SHARE = 0.005
"""A knob, as a share of the field's width: 2 mm on a usual board, half of the drift at which a board counts as moved."""
_POINT_LENGTH = 0.42  # share of the field's height; for drawing only
_STILL_INTERVAL_MS = 150
_STEPS = 4  # segments of a line that lens distortion bends


class CalibrationQuality(Enum):
    """Whether a calibration may be saved as it is, or only after the operator confirms it."""

    GOOD = "good"
    POOR = "poor"
    UNMEASURED = "unmeasured"  # given corners with no clear edges near them


def classify_quality(calibration: Calibration) -> CalibrationQuality:
    if calibration.error_share is None:
        return CalibrationQuality.UNMEASURED
    return CalibrationQuality.GOOD if calibration.error_share <= GOOD_ERROR_SHARE else CalibrationQuality.POOR


def rotate_result(found: CalibrationResult) -> CalibrationResult:
    """The result with the opposite corner as upper left corner."""
    report = None if found.report is None else rotate_report(found.report)
    return replace(found, calibration=rotate_calibration(found.calibration), report=report)


def rotate_to_match(found: CalibrationResult, other: Calibration) -> CalibrationResult:
    """The result with the upper left corner nearer to that of `other`; the agreed seating refers to that corner."""
    rotated = rotate_result(found)
    return min(found, rotated, key=lambda one: _corner_distance_px(one.calibration, other))


def _corner_distance_px(one: Calibration, other: Calibration) -> float:
    corners, others = (known.projection.to_picture(known.field.corners_mm) for known in (one, other))
    return float(np.linalg.norm(corners - others))


def make_result_record(found: CalibrationResult, number: int) -> Record:
    """`number` identifies the result in a later order to save it."""
    known = found.calibration
    width_px, height_px = known.image_size_px
    return {
        "number": number,
        "size_px": [width_px, height_px],
        "corners": _round_points_px(known.projection.to_picture(known.field.corners_mm)),
        "lines": [_round_points_px(known.projection.to_picture(line)) for line in grid_mm(known.field)],
        "way": known.way.value,
        "quality": classify_quality(known).value,
        "error_mm": None if known.error_mm is None else round(known.error_mm, 2),
        "error_percent": None if known.error_share is None else round(100 * known.error_share, 2),
        "field_mm": [round(known.field.width_mm), round(known.field.height_mm)],
        "scale_is_assumed": known.scale_is_assumed,
        "has_bar": known.field.has_bar,
        "notes": list[JsonValue](known.notes),
        "understood": found.n_understood,
        "seen": found.n_pictures,
        "is_well": not found.problem,
        "report": None if found.report is None else make_report_record(found.report, known),
    }


def make_report_record(report: ReadingReport, known: Calibration) -> Record:
    """How the board is read. Each weak place has the middle of its plate in px of the picture, `at_px`."""
    return {
        "die": grade_die(report.die_px).value,
        "die_px": round(report.die_px, 1),
        "good_die_px": round(GOOD_DIE_PX),
        "covered": [place.value for place in report.covered],
        "fault": None if report.fault is None else report.fault.value,
        "learned": None if report.learned is None else _make_learned_record(report.learned, known),
    }


def _make_learned_record(learned: BoardAppraisal, known: Calibration) -> Record:
    return {
        "points": len(POINTS),
        "right": learned.right,
        "before": learned.right_before,
        "weak": [_make_weak_record(one, known) for one in learned.weak],
        "most_named": MOST_NAMED,
        "sure_by_learning": [_make_weak_record(one, known) for one in learned.learned],
    }


def _make_weak_record(weak: WeakPlace, known: Calibration) -> Record:
    ((x_px, y_px),) = known.projection.to_picture([plate_mm(weak.place, known.field)]).tolist()
    return {
        "place": weak.place.value,
        "stands": {"colour": weak.stands[0].value, "count": weak.stands[1]},
        "resembles": {"colour": weak.resembles[0].value, "count": weak.resembles[1]},
        "certainty": round(weak.certainty, 4),
        "chance": round(weak.chance, 4),
        "weakness": weak.weakness.value,
        "amount": None if weak.amount is None else round(weak.amount, 3),
        "at_px": [round(x_px, 1), round(y_px, 1)],
    }


def grid_mm(field: FieldShape) -> Iterator[Points]:
    """Lines in board mm, (n, 2) each: the field's outline, both sides of the bar, and the 24 points as triangles.

    Without a bar, a line in the middle divides the halves.
    """
    yield _interpolate(np.vstack([field.corners_mm, field.corners_mm[:1]]))
    sides = (field.bar_left_mm, field.bar_right_mm)
    for x_mm in sides if field.has_bar else (sum(sides) / 2,):
        yield _interpolate(np.array([(x_mm, 0.0), (x_mm, field.height_mm)]))
    length_mm = _POINT_LENGTH * field.height_mm
    for column in range(1, 2 * POINTS_A_HALF + 1):
        middle_mm = field.point_middle_mm(column)
        side_mm = field.bar_left_mm if column <= POINTS_A_HALF else field.width_mm - field.bar_right_mm
        half_mm = side_mm / (2 * POINTS_A_HALF)
        for rim_mm, tip_mm in ((0.0, length_mm), (field.height_mm, field.height_mm - length_mm)):
            yield _interpolate(
                np.array([(middle_mm - half_mm, rim_mm), (middle_mm, tip_mm), (middle_mm + half_mm, rim_mm)])
            )


def check_record(calibration: Calibration, frames: Sequence[Frame], *, is_recording: bool) -> Record:
    """Whether camera and board stand as they were calibrated. A recording has no newer pictures to compare."""
    compared = _repeat_last_frame(frames) if is_recording else frames
    return make_drift_record(check_drift(calibration, compared), is_recording=is_recording)


def make_drift_record(result: DriftResult, *, is_recording: bool) -> Record:
    match result:
        case Steady():
            return {"verdict": "same" if is_recording else "steady", "sentence": ""}
        case Shifted(_, shift_mm):
            return {"verdict": "shifted", "sentence": "", "shift_mm": round(shift_mm, 1)}
        case Moved(reason=reason):
            return {"verdict": "moved", "sentence": reason}
        case CannotTell(reason):
            return {"verdict": "unknown", "sentence": reason}


def _interpolate(corners_mm: Points) -> Points:
    """A line with points between its corners, because a lens bends lines."""
    shares = np.arange(_STEPS) / _STEPS
    parts = [one + shares[:, None] * (other - one) for one, other in pairwise(corners_mm)]
    return np.vstack([*parts, corners_mm[-1:]])


def _round_points_px(points_px: Points) -> JsonValue:
    return [[round(float(x_px), 1), round(float(y_px), 1)] for x_px, y_px in points_px]


def _repeat_last_frame(frames: Sequence[Frame]) -> tuple[Frame, ...]:
    """The last picture of a recording three times, as a camera that stands still would send it."""
    return tuple(Frame(frames[-1].pixels, number * _STILL_INTERVAL_MS) for number in range(3)) if frames else ()
