"""A calibration as the page draws it: corners, points and bar in pixels, how it was found and how well."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from enum import Enum
from itertools import pairwise

import numpy as np

from controller.match_log.event_json import JsonValue
from controller.pictures.calibrate import CalibrationResult
from vision.field.auto_calibration import rotate_half_turn
from vision.field.drift import CannotTell, DriftResult, Moved, Shifted, Steady
from vision.geometry.calibration import Calibration, Placement
from vision.geometry.projection import POINTS_A_HALF, FieldShape, Points

Record = dict[str, JsonValue]

GOOD_ERROR_SHARE = 0.005
"""Of the field's width: 2 mm of a usual board, half of what the referee takes for a board that was moved."""
_POINT_LENGTH = 0.42  # of the field's height
_STEPS = 4  # of a line that the lens bends
_OPPOSITE_PLACEMENT = {
    Placement.UPRIGHT: Placement.TURNED,
    Placement.TURNED: Placement.UPRIGHT,
    Placement.MIRRORED: Placement.TURNED_AND_MIRRORED,
    Placement.TURNED_AND_MIRRORED: Placement.MIRRORED,
}


class CalibrationQuality(Enum):
    """Whether it may be kept as it is, or only by somebody who has looked and says so."""

    GOOD = "good"
    POOR = "poor"
    UNMEASURED = "unmeasured"  # corners as they were given, with no clear edges near them


def classify_quality(calibration: Calibration) -> CalibrationQuality:
    if calibration.error_share is None:
        return CalibrationQuality.UNMEASURED
    return CalibrationQuality.GOOD if calibration.error_share <= GOOD_ERROR_SHARE else CalibrationQuality.POOR


def rotate_calibration(calibration: Calibration) -> Calibration:
    """The same board begun at the opposite corner; what was measured stays."""
    projection, field = rotate_half_turn(calibration.projection, calibration.field)
    reference = calibration.reference
    if reference is not None:
        reference = replace(reference, projection=rotate_half_turn(reference.projection, calibration.field)[0])
    placement = None if calibration.placement is None else _OPPOSITE_PLACEMENT[calibration.placement]
    return replace(calibration, projection=projection, field=field, reference=reference, placement=placement)


def rotate_to_match(calibration: Calibration, other: Calibration) -> Calibration:
    """Begun at the corner where the other one begins: who sits where was told with that."""
    turned = rotate_calibration(calibration)
    return min(calibration, turned, key=lambda one: _corners_apart_px(one, other))


def _corners_apart_px(one: Calibration, other: Calibration) -> float:
    corners, others = (known.projection.to_picture(known.field.corners_mm) for known in (one, other))
    return float(np.linalg.norm(corners - others))


def make_result_record(found: CalibrationResult, number: int) -> Record:
    """`number` is what it is kept by."""
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
        "notes": list[JsonValue](known.notes),
        "understood": found.n_understood,
        "seen": found.n_pictures,
    }


def grid_mm(field: FieldShape) -> Iterator[Points]:
    """Lines, (n, 2) each: the field's outline, both sides of the bar, and the 24 points as triangles."""
    yield _interpolate(np.vstack([field.corners_mm, field.corners_mm[:1]]))
    for x_mm in (field.bar_left_mm, field.bar_right_mm):
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


def make_check_record(answer: DriftResult, *, is_recording: bool) -> Record:
    """Whether camera and board stand as they were calibrated; of a recording nothing newer can be asked."""
    match answer:
        case Steady():
            return {"verdict": "same" if is_recording else "steady", "sentence": ""}
        case Shifted(_, shift_mm):
            return {"verdict": "shifted", "sentence": "", "shift_mm": round(shift_mm, 1)}
        case Moved(_, reason):
            return {"verdict": "moved", "sentence": reason}
        case CannotTell(reason):
            return {"verdict": "unknown", "sentence": reason}


def make_game_records(titles: Mapping[str, str]) -> list[JsonValue]:
    return [{"name": name, "title": title} for name, title in titles.items()]


def _interpolate(corners_mm: Points) -> Points:
    """With points between the corners, for a lens bends lines."""
    shares = np.arange(_STEPS) / _STEPS
    parts = [one + shares[:, None] * (other - one) for one, other in pairwise(corners_mm)]
    return np.vstack([*parts, corners_mm[-1:]])


def _round_points_px(points_px: Points) -> JsonValue:
    return [[round(float(x_px), 1), round(float(y_px), 1)] for x_px, y_px in points_px]
