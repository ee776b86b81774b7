"""Detects the playing field in a picture without tags: corners, bar and lens distortion.

A coarse network locates the board (`coarse_detector`). An edge network gets the field straightened by that estimate and
marks where the lines of the field cross a hundred columns and rows. All crossings together give a projection, which
straightens the field better for the next round. Trays and broad rims resemble the field, so the search also starts from
estimates without them. The detector accepts the field with the straightest lines, with checkers in the middle of their
points and with bare points symmetric about their middle.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.checkers import read_view
from vision.field.coarse_detector import detect_coarse_corners
from vision.field.line_fit import Stations, fit_lines, height_to_width
from vision.field.network_inputs import BAR_LEFT, LEFT, cells_to_mm, edge_columns_mm, edge_rows_mm
from vision.geometry.calibration import ASSUMED_WIDTH_MM
from vision.geometry.projection import POINTS_A_HALF, FieldShape, Lens, Points, Projection
from vision.geometry.top_view import (
    HALF_PX,
    MARGIN_PX,
    PITCH_PX,
    VIEW_HEIGHT_PX,
    VIEW_WIDTH_PX,
    columns_mm,
    make_grid_map,
    view_map,
)
from vision.pixels.inference import run_network

USUAL_BAR_SHARE = 0.085  # initial width of the bar as a share of the field's width
REFINEMENT_ROUNDS = 3
MIN_STATION_MASS = 0.35  # least probability within WINDOW_CELLS of the peak for a station to count
WINDOW_CELLS = 2
SMALLEST_PX = 64
# Conditions for an accepted fit.
LEAST_EDGE_SHARE = 0.45  # of the stations along the outline
LARGEST_RESIDUAL = 0.012  # rms, as a share of the width
LEAST_HEIGHT, MOST_HEIGHT = 1 / 3, 3  # as shares of the width; outside these limits the shape is no board
# Possible widths of trays and rims at the left and right of the coarse estimate, as shares of its width.
INSETS = ((0.06, 0.06), (0.11, 0.11), (0.07, 0.0), (0.0, 0.07))
# The misfit is a sum of squares in units of these standard deviations (statistical): residual as a share of the width,
# offset of checkers and axes from the middle of their point in points, difference of the halves as a share of the width.
USUAL_RESIDUAL, USUAL_OFFSET, USUAL_UNEVEN = 0.0012, 0.07, 0.015
# Below GOOD no other estimate is tried; more tries more. At DOUBTFUL half of the fits are wrong (statistical).
GOOD_MISFIT, DOUBTFUL_MISFIT, MISFIT_RANGE = 2.2, 8.0, 1.0
LEAST_POINTS = 4  # points of a half that are necessary for a measurement of the offset
MOST_THICKNESS, THICKNESSES = 0.45, 10  # of a checker, in points (physical); how many are tried
# The search for the axes of points: depths from the row's own side in pixels of the view, the range of the search, and
# the largest difference from the mirror image as a share of the mean over the range (knob, development set).
AXIS_ROWS, MOST_SHIFT_PX, MOST_DIFFERENT = slice(8, 120, 2), 13, 0.7
AXIS_SMOOTHING_PX = 1.2
RIGHT_HALF_PX = VIEW_WIDTH_PX - MARGIN_PX - HALF_PX
NORMAL_SPREAD = 1.48  # standard deviation per median absolute deviation of a normal distribution

Point = tuple[bool, bool, int]  # in the right half, in the lower row, number from the left of the half
_NOT_FLAT = "What looks like a board does not lie flat as one; show one board whole, or give its corners."


@dataclass(frozen=True, slots=True)
class FieldFit:
    """The detected field of one picture."""

    projection: Projection
    field: FieldShape  # in mm when the size was given, else scaled to ASSUMED_WIDTH_MM
    residual_mm: float  # rms distance of the used stations from the fitted lines
    edge_share: float  # share of the stations along the outline with a clear line
    confidence: float  # 0 to 1: probability that all corners are within 3 % of the width
    misfit: float = 0.0  # of lines and points; about 1 for a correct field, above 8 for a wrong one


@dataclass(frozen=True, slots=True)
class FieldNotFound:
    """No reliable field; `reason` is one sentence with the remedy."""

    reason: str


def find_field(pixels: NDArray[np.uint8], *, field_mm: tuple[float, float] | None = None) -> FieldFit | FieldNotFound:
    """Detects the field of the only board in a picture (h, w, 3).

    The bar is upright, and the upper left corner is the one that is so in the picture.
    """
    if min(pixels.shape[:2]) < SMALLEST_PX:
        return FieldNotFound(
            f"The picture is only {pixels.shape[1]} x {pixels.shape[0]} pixels; use at least 640 x 480."
        )
    corners_px = detect_coarse_corners(pixels)
    if corners_px is None:
        return FieldNotFound(
            "No backgammon board was found; show the whole board, all four corners of its field in view."
        )
    best: FieldFit | FieldNotFound = _fit_inset(pixels, corners_px, (0.0, 0.0), field_mm)
    for too_much in INSETS:
        if isinstance(best, FieldFit) and best.misfit < GOOD_MISFIT:
            break
        fit = _fit_inset(pixels, corners_px, too_much, field_mm)
        if isinstance(best, FieldNotFound) or (isinstance(fit, FieldFit) and fit.misfit < best.misfit):
            best = fit
    return best


def _fit_inset(
    pixels: NDArray[np.uint8], corners_px: Points, inset: tuple[float, float], field_mm: tuple[float, float] | None
) -> FieldFit | FieldNotFound:
    """Refines an estimate that is narrower than the corners by these shares of the width at the left and right."""
    projection, field = make_inset_field(pixels, corners_px, inset, field_mm)
    return refine_field(pixels, projection, field, keep_size=field_mm is not None)


def make_inset_field(
    pixels: NDArray[np.uint8],
    corners_px: Points,
    inset: tuple[float, float],
    field_mm: tuple[float, float] | None,
) -> tuple[Projection, FieldShape]:
    """A field narrower than the corners by these shares of the width at the left and right, with a usual bar."""
    height, width = pixels.shape[:2]
    lens = Lens.usual(width, height)
    unit = FieldShape(1.0, 1.0, 0.5, 0.5)
    left, right = inset
    inner = np.array([(left, 0.0), (1 - right, 0.0), (1 - right, 1.0), (left, 1.0)])
    guess_px = Projection.of_corners(corners_px, unit, lens).to_picture(inner)
    width_mm, height_mm = field_mm or (ASSUMED_WIDTH_MM, ASSUMED_WIDTH_MM * height_to_width(guess_px, lens))
    middle, half_bar = width_mm / 2, width_mm * USUAL_BAR_SHARE / 2
    field = FieldShape(width_mm, height_mm, middle - half_bar, middle + half_bar)
    return Projection.of_corners(guess_px, field, lens), field


def refine_field(
    pixels: NDArray[np.uint8],
    projection: Projection,
    field: FieldShape,
    *,
    rounds: int = REFINEMENT_ROUNDS,
    keep_size: bool = True,
) -> FieldFit | FieldNotFound:
    """Refines an estimate that is off by a few percent of the width.

    With `keep_size` False the height of the field is fitted too.
    """
    share, off = 0.0, np.zeros(0)
    for _ in range(rounds):
        if not _has_board_shape(field):
            return FieldNotFound(_NOT_FLAT)
        stations, share = _detect_stations(pixels, projection, field)
        try:
            projection, field, off = fit_lines(stations, projection, field)
            if not keep_size:
                field, projection = _update_height(field, projection)
        except np.linalg.LinAlgError:
            share = 0.0
        if share < LEAST_EDGE_SHARE:
            return FieldNotFound(
                "The edges of the playing field are not clear enough; give more even light, or its corners."
            )
    residual_mm = float(np.sqrt(np.average(np.minimum(off**2, (0.03 * field.width_mm) ** 2), weights=stations.weight)))
    if residual_mm > LARGEST_RESIDUAL * field.width_mm or not _is_possible(projection, field):
        return FieldNotFound(_NOT_FLAT)
    misfit = (residual_mm / field.width_mm / USUAL_RESIDUAL) ** 2
    misfit += (_measure_offset(pixels, projection, field) / USUAL_OFFSET) ** 2
    right_mm = field.width_mm - field.bar_right_mm
    misfit += ((field.bar_left_mm - right_mm) / (field.bar_left_mm + right_mm) / USUAL_UNEVEN) ** 2
    sure = 1 / (1 + np.exp(np.clip((misfit - DOUBTFUL_MISFIT) / MISFIT_RANGE, -30, 30)))
    confidence = float(np.clip((share - LEAST_EDGE_SHARE) / 0.3, 0, 1) * sure)
    return FieldFit(projection, field, residual_mm, share, confidence, float(misfit))


def _measure_offset(pixels: NDArray[np.uint8], projection: Projection, field: FieldShape) -> float:
    """The offset of checkers, and of bare points' axes, from the centre lines of the points, in points.

    That of the half where it is larger, because a wrong side may leave the other half right; USUAL_OFFSET where too few
    points tell it. The picture shows the upper faces of thick checkers further from the camera than their feet: of all
    thicknesses, the one that brings them nearest to the centre lines counts.
    """
    view = view_map(projection, field).warp(pixels)
    tops = np.array([(top.x_px, top.y_px) for top in read_view(view).tops]).reshape(-1, 2)
    axes = _find_axes(view, tops)
    right = tops[:, 0] > VIEW_WIDTH_PX / 2
    along = (tops[:, 0] + 0.5 - np.where(right, RIGHT_HALF_PX, MARGIN_PX)) / PITCH_PX
    on_half = (along >= 0) & (along < POINTS_A_HALF)
    right, lower, along = right[on_half], tops[on_half, 1] > VIEW_HEIGHT_PX / 2, along[on_half]
    x_mm = np.interp(tops[on_half, 0], np.arange(VIEW_WIDTH_PX), columns_mm(field))
    outward = (x_mm - projection.camera_mm[0]) / projection.camera_mm[2]
    found = [
        _average_offsets(axes, right, lower, along - thickness * outward)
        for thickness in np.linspace(0, MOST_THICKNESS, THICKNESSES)
    ]
    return min((offset for offset in found if offset is not None), default=USUAL_OFFSET)


def _average_offsets(
    axes: dict[Point, float], right: NDArray[np.bool_], lower: NDArray[np.bool_], along: NDArray[np.float64]
) -> float | None:
    """A median limits the effect of single checkers beside their points; None when no half has enough points."""
    checkers: dict[Point, list[float]] = {}
    for on_right, in_lower, place in zip(right.tolist(), lower.tolist(), along.tolist(), strict=True):
        checkers.setdefault((on_right, in_lower, int(np.floor(place))), []).append(place % 1 - 0.5)
    offsets = axes | {point: float(np.median(own)) for point, own in checkers.items()}
    halves = [[abs(offset) for point, offset in offsets.items() if point[0] is side] for side in (False, True)]
    misfits = [float(np.median(half)) for half in halves if len(half) >= LEAST_POINTS]
    return NORMAL_SPREAD * max(misfits) if misfits else None


def _find_axes(view: NDArray[np.uint8], tops_px: NDArray[np.float64]) -> dict[Point, float]:
    """For each point without checkers: the offset of its axis of symmetry from its centre line, where it has a clear one.

    The picture of a point differs least from its mirror image about its axis.
    """
    smooth = cv2.GaussianBlur(view, (0, 0), AXIS_SMOOTHING_PX).astype(np.float32)
    shifts, reach = np.arange(-MOST_SHIFT_PX, MOST_SHIFT_PX + 1), np.arange(MOST_SHIFT_PX)
    found = {}
    for lower in (False, True):
        rows = (smooth[::-1] if lower else smooth)[MARGIN_PX:][AXIS_ROWS]
        depth_px = VIEW_HEIGHT_PX - 1 - tops_px[:, 1] if lower else tops_px[:, 1]
        taken_px = tops_px[depth_px < MARGIN_PX + AXIS_ROWS.stop + PITCH_PX // 3, 0]
        for column in range(2 * POINTS_A_HALF):
            right, place = divmod(column, POINTS_A_HALF)
            middle = (RIGHT_HALF_PX if right else MARGIN_PX) + place * PITCH_PX + PITCH_PX // 2
            if (np.abs(taken_px - middle) < 0.9 * PITCH_PX).any():
                continue
            ahead = middle + shifts[:, None] + reach
            behind = middle + shifts[:, None] - 1 - reach
            differs = np.abs(rows[:, ahead] - rows[:, behind]).mean(axis=(0, 2, 3))
            best = int(differs.argmin())
            if abs(shifts[best]) < MOST_SHIFT_PX - 1 and differs[best] < MOST_DIFFERENT * differs.mean():
                found[bool(right), lower, place] = float(shifts[best]) / PITCH_PX
    return found


def _update_height(field: FieldShape, projection: Projection) -> tuple[FieldShape, Projection]:
    corners_px = projection.to_picture(field.corners_mm)
    height_mm = field.width_mm * height_to_width(corners_px, projection.lens)
    field = FieldShape(field.width_mm, height_mm, field.bar_left_mm, field.bar_right_mm)
    return field, Projection.of_corners(corners_px, field, projection.lens)


def _has_board_shape(field: FieldShape) -> bool:
    return LEAST_HEIGHT < field.height_mm / field.width_mm < MOST_HEIGHT


def _is_possible(projection: Projection, field: FieldShape) -> bool:
    """Whether the bar is near the middle and narrower than two points, and the camera is above the board."""
    if not _has_board_shape(field):
        return False
    middle = (field.bar_left_mm + field.bar_right_mm) / 2 / field.width_mm
    bar = (field.bar_right_mm - field.bar_left_mm) / field.width_mm
    return abs(middle - 0.5) < 0.05 and -0.02 < bar < 0.2 and projection.camera_mm[2] > 0.3 * field.width_mm


def _detect_stations(pixels: NDArray[np.uint8], projection: Projection, field: FieldShape) -> tuple[Stations, float]:
    """The crossings of the lines with columns and rows of the straightened view, and the clear share of the outline."""
    view = make_grid_map(projection, edge_columns_mm(field), edge_rows_mm(field)).warp(pixels)
    maps = run_network("edges", view, ("maps",))[0]
    cells, lines, weights = [], [], []
    for line, logits in enumerate(maps):
        across = logits.T if line < LEFT else logits  # (stations, cells across the line)
        at, clear = _locate_peaks(across)
        along = np.arange(len(at), dtype=np.float64)
        cells.append(np.column_stack([along, at] if line < LEFT else [at, along]))
        lines.append(np.full(len(at), line))
        weights.append(clear)
    board = cells_to_mm(np.concatenate(cells), field)
    line_of, weight = np.concatenate(lines), np.concatenate(weights)
    px = projection.to_picture(board)
    height, width = pixels.shape[:2]
    in_picture = ((px > 0) & (px < (width - 1, height - 1))).all(axis=1)
    reach = np.where(line_of < LEFT, board[:, 0] / field.width_mm, board[:, 1] / field.height_mm)
    asked = (reach > 0.02) & (reach < 0.98)
    used = in_picture & asked & (weight > MIN_STATION_MASS)
    share = float((used & (line_of < BAR_LEFT)).sum() / max(1, int((asked & (line_of < BAR_LEFT)).sum())))
    return Stations(px[used], line_of[used], weight[used] ** 2), share


def _locate_peaks(logits: NDArray[np.float32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each row (stations, cells): the centroid of the probability around its peak, and the mass there."""
    chance = np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True))
    chance /= chance.sum(axis=1, keepdims=True)
    best = chance.argmax(axis=1)
    cells = np.arange(logits.shape[1])
    near = np.where(np.abs(cells - best[:, None]) <= WINDOW_CELLS, chance, 0)
    mass = near.sum(axis=1)
    middles: NDArray[np.float64] = near @ cells / mass
    return middles, mass
