"""A calibration as the page draws it: corners, points and bar in px, the method, and the error."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import Enum
from itertools import pairwise

import numpy as np

from controller.match_log.event_json import JsonValue
from controller.pictures.calibrate import CalibrationResult
from controller.web.bodies import Record
from vision.field.auto_calibration import rotate_calibration
from vision.field.drift import CannotTell, DriftResult, Moved, Shifted, Steady, check_drift
from vision.frame import Frame
from vision.geometry.calibration import Calibration
from vision.geometry.projection import POINTS_A_HALF, FieldShape, Points

GOOD_ERROR_SHARE = 0.005
"""A knob, as a share of the field's width: 2 mm on a usual board, half of the drift at which a board counts as moved."""
_POINT_LENGTH = 0.42  # share of the field's height; for drawing only
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
    return replace(found, calibration=rotate_calibration(found.calibration))


def rotate_to_match(calibration: Calibration, other: Calibration) -> Calibration:
    """The calibration with the upper left corner nearer to the other one's; the agreed seating refers to that corner."""
    rotated = rotate_calibration(calibration)
    return min(calibration, rotated, key=lambda one: _corner_distance_px(one, other))


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
    return make_drift_record(check_drift(calibration, frames), is_recording=is_recording)


def make_drift_record(result: DriftResult, *, is_recording: bool) -> Record:
    match result:
        case Steady():
            return {"verdict": "same" if is_recording else "steady", "sentence": ""}
        case Shifted(_, shift_mm):
            return {"verdict": "shifted", "sentence": "", "shift_mm": round(shift_mm, 1)}
        case Moved(_, reason):
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
