"""From a detected field to a calibration: from the board alone, from given corners, and from several pictures.

A check of point lengths guards the detection. An arm along a rim, or a tray, may look like a side of the field. The
detected field is then too short, and so are the points of one row in the straight-down view, whereas on a real board
the points of both rows are equally long.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.checkers import rotate_appearance
from vision.field.detector import FieldFit, FieldNotFound, find_field, refine_field
from vision.field.drift import make_reference
from vision.field.half_turn import measure_half_turn
from vision.geometry.calibration import ASSUMED_WIDTH_MM, OPPOSITE_PLACEMENT, Calibration, CalibrationMethod, Refusal
from vision.geometry.projection import POINTS_A_HALF, USUAL_HEIGHT_SHARE, FieldShape, Lens, Points, Projection
from vision.geometry.top_view import FIELD_ROWS_PX, HALF_PX, MARGIN_PX, PITCH_PX, VIEW_WIDTH_PX, view_map

Picture = NDArray[np.uint8]  # (h, w, 3), BGR
_NOT_TOLD = (
    "The picture does not tell whether the corners begin at the upper left corner of the calibration; if they begin at the"
    " opposite one, T1 stands for B12."
)


# Conditions for the acceptance of a detected field. All shares are of the field's width.
LEAST_CONFIDENCE = 0.6  # of the detector; more refuses more often
CORNER_SHARE = 0.03  # largest distance between a given corner and the detected one
AGREE_SHARE = 0.01  # largest distance of a corner from its median over several pictures
# A field closer than this to the edge of the picture counts as cut off. Statistical (288 rendered boards of which the picture
# cuts 2 or 4 % of the width): 15 of them are accepted at 0.02, 20 at 0.01 and 9 at 0.03, where 40 % of whole boards with a rim
# of 3 % are refused.
RIM_SHARE = 0.02
TELLS_CORNER = (CalibrationMethod.TAGS, CalibrationMethod.CORNERS)  # methods that tell the upper left corner


def detect_confident_field(pixels: Picture, *, field_mm: tuple[float, float] | None) -> FieldFit | Refusal:
    """The detected field, or a refusal when the detection is not reliable."""
    fit = find_field(pixels, field_mm=field_mm)
    if isinstance(fit, FieldNotFound):
        return Refusal(fit.reason)
    if fit.confidence < LEAST_CONFIDENCE:
        return Refusal(
            f"A board may be there, but its edges are not clear enough to be sure ({fit.confidence:.0%}); show the whole"
            " board with even light, or give its four corners with --corners."
        )
    if rows_differ(view_map(fit.projection, fit.field).warp(pixels)):
        return Refusal(
            "A board is seen, but the points of one row look shorter than those of the other: take away what lies over an edge"
            " of the field, look from higher above if a rim hides it, or give the four corners with --corners."
        )
    if _is_cut_off(fit, pixels.shape[1], pixels.shape[0]):
        return Refusal(
            "The board seems to end where the picture ends; move the camera until its rim is in view on all sides, or give"
            " the four corners with --corners."
        )
    return fit


def calibrate_automatically(
    pixels: Picture, *, field_mm: tuple[float, float] | None = None, taken_at: str
) -> Calibration | Refusal:
    """Calibrates from the board alone, in any position.

    The result has the bar upright, but its upper left corner may be either of two opposite corners.
    """
    fit = detect_confident_field(pixels, field_mm=field_mm)
    if isinstance(fit, Refusal):
        return fit
    return make_calibration(pixels, fit, field_mm=field_mm, way=CalibrationMethod.ITSELF, taken_at=taken_at)


def _is_cut_off(fit: FieldFit, width_px: int, height_px: int) -> bool:
    """Whether a corner lies at the edge of the picture, where the cut through a board resembles a rim."""
    corners = fit.projection.to_picture(fit.field.corners_mm)
    rim_px = RIM_SHARE * _width_px(corners)
    from_sides = np.hstack([corners, (width_px - 1, height_px - 1) - corners])
    return bool((np.abs(from_sides) < rim_px).any())


def calibrate_from_corners(
    pixels: Picture, corners_px: ArrayLike, *, field_mm: tuple[float, float] | None = None, taken_at: str
) -> Calibration | Refusal:
    """Calibrates from the four corners of the field (4, 2), clockwise from the one that becomes the upper left.

    The corners move onto clear edges nearby. Without such edges the calibration keeps them and holds a note.
    """
    corners = np.asarray(corners_px, np.float64)
    height, width = pixels.shape[:2]
    fault = find_corner_fault(corners, width, height)
    if fault:
        return Refusal(fault)
    field = guess_field(field_mm)
    given = Projection.of_corners(corners, field, Lens.usual(width, height))
    fit = refine_field(pixels, given, field, keep_size=field_mm is not None)
    if isinstance(fit, FieldFit) and fit.confidence >= LEAST_CONFIDENCE:
        moved_share = corner_distance_share(fit.projection, fit.field, given, field)
        if moved_share <= CORNER_SHARE:
            return make_calibration(pixels, fit, field_mm=field_mm, way=CalibrationMethod.CORNERS, taken_at=taken_at)
        note = f"The corners were taken as given; the nearest clear edges lie {moved_share:.1%} of the width away from them."
    else:
        note = "The corners were taken as given, for no clear edges were seen near them."
    as_given = FieldFit(given, field, residual_mm=0.0, edge_share=0.0, confidence=0.0)
    known = make_calibration(pixels, as_given, field_mm=field_mm, way=CalibrationMethod.CORNERS, taken_at=taken_at)
    return replace(known, error_mm=None, notes=(note,))


def calibrate_moved_camera(
    pixels: Picture, known: Calibration, corners_px: ArrayLike, *, taken_at: str
) -> Calibration | Refusal:
    """Calibrates a known board after its camera was moved: the geometry of the corners, all else from `known`.

    Corners that begin at the opposite corner are refused where the surface of the board tells it; where it does not, the
    calibration holds a note.
    """
    size_mm = (known.field.width_mm, known.field.height_mm)
    found = calibrate_from_corners(pixels, corners_px, field_mm=size_mm, taken_at=taken_at)
    if isinstance(found, Refusal):
        return found
    corners = found.projection.to_picture(found.field.corners_mm)
    projection = Projection.of_corners(corners, known.field, found.projection.lens)
    notes = found.notes
    evidence = None if known.reference is None else measure_half_turn(pixels, projection, known.reference, known.field)
    if evidence is not None and evidence.is_turned:
        return Refusal(
            "The corners begin at the corner opposite to that of the calibration: the surface of the board looks as it did"
            " only after half a turn. Give them clockwise from the corner that was the upper left one."
        )
    if evidence is None or not evidence.is_decided:
        notes = (*notes, _NOT_TOLD)
    return replace(
        found,
        notes=notes,
        projection=projection,
        field=known.field,
        scale_is_assumed=known.scale_is_assumed,
        checkers=known.checkers,
        appearance=known.appearance,
        reference=make_reference(pixels, projection),
    )


def find_corner_fault(corners: Points, width_px: int, height_px: int) -> str:
    """The problem of given corners in one sentence; empty for valid corners."""
    order = "give them clockwise from the one that becomes the upper left"
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        return f"Four corners of two numbers each are needed; {order}."
    if (np.abs(corners - (width_px / 2, height_px / 2)) > (width_px, height_px)).any():
        return (
            f"A corner lies far outside the picture of {width_px}x{height_px} px; give them in pixels of this picture."
        )
    sides = np.roll(corners, -1, axis=0) - corners
    onward = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * onward[:, 1] - sides[:, 1] * onward[:, 0]
    if not (turns > 0).all():
        return f"The corners do not go clockwise around a board; {order}."
    if not (turns > 1e-4 * width_px * height_px).all():
        return "The corners lie too close together for a board; give them in pixels of this picture."
    return ""


def guess_field(field_mm: tuple[float, float] | None) -> FieldShape:
    """A field of this size, or of the assumed one, with a bar of usual width."""
    width, height = field_mm or (ASSUMED_WIDTH_MM, USUAL_HEIGHT_SHARE * ASSUMED_WIDTH_MM)
    return FieldShape(width, height, 0.472 * width, 0.528 * width)


def make_calibration(
    pixels: Picture, fit: FieldFit, *, field_mm: tuple[float, float] | None, way: CalibrationMethod, taken_at: str
) -> Calibration:
    return Calibration(
        image_size_px=(pixels.shape[1], pixels.shape[0]),
        projection=fit.projection,
        field=fit.field,
        scale_is_assumed=field_mm is None,
        way=way,
        error_mm=fit.residual_mm,
        taken_at=taken_at,
        reference=make_reference(pixels, fit.projection),
    )


def corner_distance_share(one: Projection, one_field: FieldShape, other: Projection, other_field: FieldShape) -> float:
    """The largest distance between the corners of two fields in the picture, as a share of the field's width."""
    corners, others = one.to_picture(one_field.corners_mm), other.to_picture(other_field.corners_mm)
    return float(np.linalg.norm(corners - others, axis=1).max() / _width_px(others))


def _width_px(corners_px: Points) -> float:
    """The mean length of the upper and lower edge of a field with the corners (4, 2)."""
    return float(np.linalg.norm(corners_px - np.roll(corners_px, -1, axis=0), axis=1)[[0, 2]].mean())


def combine_calibrations(answers: Sequence[Calibration | Refusal]) -> Calibration | Refusal:
    """The median of the calibrations that agree, for several pictures of one still camera.

    Where some of them prove a known position, they alone count. What they learned is left out of a median, because it was
    learned under another geometry. Refuses when no picture gave a calibration, or when most do not agree because the
    camera moved.
    """
    chosen = find_agreeing(answers)
    if isinstance(chosen, Refusal):
        return chosen
    known = [each for each in chosen.values() if each.placement is not None] or list(chosen.values())
    return known[0] if len(known) == 1 else _median_calibration(known)


def find_agreeing(answers: Sequence[Calibration | Refusal]) -> dict[int, Calibration] | Refusal:
    """By index, the calibrations that agree with the median, all with one upper left corner; else the refusal.

    Those of another picture size than most do not agree. The corner is that of the first calibration whose method tells it,
    else of the first one.
    """
    found = {index: answer for index, answer in enumerate(answers) if isinstance(answer, Calibration)}
    if not found:
        refusals = [answer for answer in answers if isinstance(answer, Refusal)]
        return refusals[0] if refusals else Refusal("There is no picture; give one that shows the whole board.")
    n_found = len(found)
    (size_px, _), *_ = Counter(known.image_size_px for known in found.values()).most_common(1)
    found = {index: known for index, known in found.items() if known.image_size_px == size_px}
    like = min(found.values(), key=lambda known: known.way not in TELLS_CORNER)
    found = {index: _align_orientation(known, like) for index, known in found.items()}
    corners = np.array([known.projection.to_picture(known.field.corners_mm) for known in found.values()])
    median = np.median(corners, axis=0)
    near = np.linalg.norm(corners - median, axis=2).max(axis=1) <= AGREE_SHARE * _width_px(median)
    if 2 * near.sum() <= n_found and n_found > 1:
        return Refusal("The pictures show the board at different places; give pictures of one still camera.")
    return {index: known for (index, known), is_near in zip(found.items(), near, strict=True) if is_near}


def _align_orientation(known: Calibration, like: Calibration) -> Calibration:
    """Chooses between the two equivalent orders of the corners the one that is closer to `like`."""
    corners = known.projection.to_picture(known.field.corners_mm)
    others = like.projection.to_picture(like.field.corners_mm)
    turned = np.roll(corners, 2, axis=0)
    if np.linalg.norm(turned - others) >= np.linalg.norm(corners - others):
        return known
    return rotate_calibration(known)


def rotate_calibration(known: Calibration) -> Calibration:
    """The calibration with the opposite corner as upper left corner; the measured error stays."""
    projection, field = rotate_half_turn(known.projection, known.field)
    reference = known.reference
    if reference is not None:
        reference = replace(reference, projection=rotate_half_turn(reference.projection, known.field)[0])
    return replace(
        known,
        projection=projection,
        field=field,
        reference=reference,
        placement=None if known.placement is None else OPPOSITE_PLACEMENT[known.placement],
        appearance=None if known.appearance is None else rotate_appearance(known.appearance),
    )


def rotate_half_turn(projection: Projection, field: FieldShape) -> tuple[Projection, FieldShape]:
    """The same board in the same picture, with the opposite corner as the upper left one."""
    width, height = field.width_mm, field.height_mm
    turned = FieldShape(width, height, width - field.bar_right_mm, width - field.bar_left_mm)
    half_turn = np.array([(-1, 0, width), (0, -1, height), (0, 0, 1)], np.float64)
    return Projection.of(projection.matrix @ half_turn, projection.lens), turned


def _median_calibration(known: Sequence[Calibration]) -> Calibration:
    corners_px = np.median([each.projection.to_picture(each.field.corners_mm) for each in known], axis=0)
    errors_mm = [each.error_mm for each in known if each.error_mm is not None]
    first = min(known, key=lambda each: np.inf if each.error_mm is None else each.error_mm)
    lens = replace(
        first.projection.lens,
        focal_px=float(np.median([each.projection.lens.focal_px for each in known])),
        k1=float(np.median([each.projection.lens.k1 for each in known])),
    )
    shapes = np.array([(f.height_mm, f.bar_left_mm, f.bar_right_mm) for f in (each.field for each in known)])
    height, left, right = np.median(shapes, axis=0).tolist()
    field = FieldShape(first.field.width_mm, height, left, right)
    projection = Projection.of_corners(corners_px, field, lens)
    error_mm = float(np.median(errors_mm)) if errors_mm else None
    reference = None if first.reference is None else replace(first.reference, projection=projection)
    return replace(first, projection=projection, field=field, error_mm=error_mm, reference=reference, appearance=None)


NORMAL_SPREAD = 1.48  # standard deviation per median absolute deviation of a normal distribution


# The search for the tips of points, in pixels of the view. Depths count from the row's own side.
LEAST_DEPTH_PX = 70  # a fifth of the field
MOST_DEPTH_PX = round(0.48 * FIELD_ROWS_PX)  # points are shorter; beyond are those of the other row
WINDOW_PX = 12  # before and behind the tip, for the comparison of colours
STRIP_PX = 3  # to either side of the centre line of a point
SMOOTHING_PX = 1.2
MOST_DIFFERENCE = 0.12  # of the length; a side that is off by 3 % of the width changes the length by 10 %
LEAST_SPREADS = 4.0  # standard deviations between the medians of rows that differ


def rows_differ(view: NDArray[np.uint8]) -> bool:
    """Whether the points of one row are clearly longer than those of the other, in a straight-down view."""
    smooth = cv2.GaussianBlur(view, (0, 0), SMOOTHING_PX).astype(np.float64)
    upper, lower = _measure_tip_depths_px(smooth), _measure_tip_depths_px(smooth[::-1])
    apart = abs(float(np.median(upper) - np.median(lower)))
    length = float(np.median(upper) + np.median(lower)) / 2
    spread = float(np.hypot(_spread_of_median(upper), _spread_of_median(lower)))
    return apart > MOST_DIFFERENCE * length and apart > LEAST_SPREADS * spread


def _measure_tip_depths_px(smooth: NDArray[np.float64]) -> NDArray[np.float64]:
    """(12,): the depth of the tip of each point in the upper row, where the colour changes most."""
    rows = smooth[MARGIN_PX:]
    depths = np.arange(LEAST_DEPTH_PX, MOST_DEPTH_PX)
    tips = []
    for left in (MARGIN_PX, VIEW_WIDTH_PX - MARGIN_PX - HALF_PX):
        for point in range(POINTS_A_HALF):
            middle = left + point * PITCH_PX + PITCH_PX // 2
            strip = np.median(rows[:, middle - STRIP_PX : middle + STRIP_PX], axis=1)
            sums = np.vstack([np.zeros(3), np.cumsum(strip, axis=0)])
            before = sums[depths] - sums[depths - WINDOW_PX]
            behind = sums[depths + WINDOW_PX] - sums[depths]
            tips.append(depths[np.linalg.norm(behind - before, axis=1).argmax()])
    return np.array(tips, np.float64)


def _spread_of_median(values: NDArray[np.float64]) -> float:
    deviation = NORMAL_SPREAD * float(np.median(np.abs(values - np.median(values))))
    return max(deviation, 1.0) / float(np.sqrt(len(values)))
