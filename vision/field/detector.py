"""Finds the playing field in a picture without tags: corners, bar and the lens's bend.

A first network says roughly where the board is (rough_corners.py). A second sees the field straightened from that guess
and marks, along a hundred columns and rows, where the field's lines cross them. All these places together give the
projection, which straightens the field better, and the second network looks again. Trays and broad rims look much like
a part of the field; so the guess is also tried without them, and that field is taken whose lines are straightest and
whose checkers lie in the middle of points.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.checkers.network import read_view
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
    make_grid_map,
    view_map,
)
from vision.pixels.inference import run_network

USUAL_BAR_SHARE = 0.085  # of the width: where the bar is looked for first
REFINEMENT_ROUNDS = 3
MIN_STATION_MASS = 0.35  # a station counts when this much of the likelihood lies within two cells of its middle
WINDOW_CELLS = 2
SMALLEST_PX = 64
# What a fit must show to be believed.
LEAST_EDGE_SHARE = 0.45
LARGEST_RESIDUAL = 0.012  # rms, of the width
LEAST_HEIGHT, MOST_HEIGHT = 1 / 3, 3  # of the width; beyond, it is no board, or one seen in a part of a picture
# What may have been taken for part of the field at the left and at the right, in shares of the width.
INSETS = ((0.06, 0.06), (0.11, 0.11), (0.07, 0.0), (0.0, 0.07))
# Misfits are told in units of what good fits have: residuals of 0.12 % of the width, faces 7 % of a point beside its
# middle, halves that are even up to 1.5 %. Up to GOOD no other guess is tried; at DOUBTFUL half of the fits are wrong (drawn and rendered boards).
USUAL_RESIDUAL, USUAL_OFFSET, USUAL_UNEVEN = 0.0012, 0.07, 0.015
GOOD_MISFIT, DOUBTFUL_MISFIT, MISFIT_RANGE = 2.2, 8.0, 1.0
LEAST_POINTS = 5  # with checkers on them, to tell anything
NORMAL_SPREAD = 1.48  # from a median deviation to a standard one
_NOT_FLAT = "What looks like a board does not lie flat as one; show one board whole, or give its corners."


@dataclass(frozen=True, slots=True)
class FieldFit:
    """The field as found in one picture."""

    projection: Projection
    field: FieldShape  # in mm when the size was given, else scaled to ASSUMED_WIDTH_MM
    residual_mm: float  # rms distance of the used stations from the fitted lines
    edge_share: float  # share of the stations along the outline where a line was seen clearly
    confidence: float  # 0 to 1: that all corners are within 3 % of the width
    misfit: float = 0.0  # of the lines and of the checkers on the points; 2 is usual, beyond 8 something is wrong


@dataclass(frozen=True, slots=True)
class FieldNotFound:
    """No field, or none to be sure of; `reason` is one sentence with the remedy."""

    reason: str


def find_field(pixels: NDArray[np.uint8], *, field_mm: tuple[float, float] | None = None) -> FieldFit | FieldNotFound:
    """The field of the one board in a picture (h, w, 3), bar upright, as it lies in the picture rather than half turned."""
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
    pixels: NDArray[np.uint8],
    corners_px: Points,
    inset: tuple[float, float],
    field_mm: tuple[float, float] | None,
) -> FieldFit | FieldNotFound:
    """The field from a guess that is narrower than the corners by these shares of the width, left and right."""
    height, width = pixels.shape[:2]
    lens = Lens.usual(width, height)
    unit = FieldShape(1.0, 1.0, 0.5, 0.5)
    left, right = inset
    inner = np.array([(left, 0.0), (1 - right, 0.0), (1 - right, 1.0), (left, 1.0)])
    guess_px = Projection.of_corners(corners_px, unit, lens).to_picture(inner)
    width_mm, height_mm = field_mm or (ASSUMED_WIDTH_MM, ASSUMED_WIDTH_MM * height_to_width(guess_px, lens))
    middle, half_bar = width_mm / 2, width_mm * USUAL_BAR_SHARE / 2
    field = FieldShape(width_mm, height_mm, middle - half_bar, middle + half_bar)
    return refine_field(pixels, Projection.of_corners(guess_px, field, lens), field, keep_size=field_mm is not None)


def refine_field(
    pixels: NDArray[np.uint8],
    projection: Projection,
    field: FieldShape,
    *,
    rounds: int = REFINEMENT_ROUNDS,
    keep_size: bool = True,
) -> FieldFit | FieldNotFound:
    """From a guess that is off by a few percent of the width to the field's edges.

    `keep_size` False: the height follows from the picture, as a share of the width.
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
    misfit += (_measure_checker_offset(pixels, projection, field) / USUAL_OFFSET) ** 2
    right_mm = field.width_mm - field.bar_right_mm
    misfit += ((field.bar_left_mm - right_mm) / (field.bar_left_mm + right_mm) / USUAL_UNEVEN) ** 2
    sure = 1 / (1 + np.exp(np.clip((misfit - DOUBTFUL_MISFIT) / MISFIT_RANGE, -30, 30)))
    confidence = float(np.clip((share - LEAST_EDGE_SHARE) / 0.3, 0, 1) * sure)
    return FieldFit(projection, field, residual_mm, share, confidence, float(misfit))


def _measure_checker_offset(pixels: NDArray[np.uint8], projection: Projection, field: FieldShape) -> float:
    """How far the checkers lie beside the middle of their points, in points; USUAL_ASIDE where few points hold any.

    The median over points: a heap leans out far, and says so for its own point only.
    """
    beside: dict[tuple[int, bool], list[float]] = {}
    for top in read_view(view_map(projection, field).warp(pixels)).tops:
        on_right = top.x_px > VIEW_WIDTH_PX / 2
        along = (top.x_px - (VIEW_WIDTH_PX - MARGIN_PX - HALF_PX if on_right else MARGIN_PX)) / PITCH_PX
        if 0 <= along < POINTS_A_HALF:
            point = int(along) + (POINTS_A_HALF if on_right else 0)
            beside.setdefault((point, top.y_px > VIEW_HEIGHT_PX / 2), []).append(along % 1 - 0.5)
    if len(beside) < LEAST_POINTS:
        return USUAL_OFFSET
    return NORMAL_SPREAD * float(np.median([abs(np.median(offs)) for offs in beside.values()]))


def _update_height(field: FieldShape, projection: Projection) -> tuple[FieldShape, Projection]:
    corners_px = projection.to_picture(field.corners_mm)
    height_mm = field.width_mm * height_to_width(corners_px, projection.lens)
    field = FieldShape(field.width_mm, height_mm, field.bar_left_mm, field.bar_right_mm)
    return field, Projection.of_corners(corners_px, field, projection.lens)


def _has_board_shape(field: FieldShape) -> bool:
    return LEAST_HEIGHT < field.height_mm / field.width_mm < MOST_HEIGHT


def _is_possible(projection: Projection, field: FieldShape) -> bool:
    """The bar near the middle and narrower than two points; the camera above the board."""
    if not _has_board_shape(field):
        return False
    middle = (field.bar_left_mm + field.bar_right_mm) / 2 / field.width_mm
    bar = (field.bar_right_mm - field.bar_left_mm) / field.width_mm
    return abs(middle - 0.5) < 0.05 and -0.02 < bar < 0.2 and projection.camera_mm[2] > 0.3 * field.width_mm


def _detect_stations(pixels: NDArray[np.uint8], projection: Projection, field: FieldShape) -> tuple[Stations, float]:
    """Where the lines cross columns and rows of the straightened view, and the share of the outline that is clear."""
    view = make_grid_map(projection, edge_columns_mm(field), edge_rows_mm(field)).warp(pixels)
    maps = run_network("edges", view, ("maps",))[0]
    cells, lines, weights = [], [], []
    for line, logits in enumerate(maps):
        across = logits.T if line < LEFT else logits  # (stations, cells along which the line is looked for)
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
    """For each row (stations, cells): the middle of the likelihood around its highest cell, and how much lies there."""
    chance = np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True))
    chance /= chance.sum(axis=1, keepdims=True)
    best = chance.argmax(axis=1)
    cells = np.arange(logits.shape[1])
    near = np.where(np.abs(cells - best[:, None]) <= WINDOW_CELLS, chance, 0)
    mass = near.sum(axis=1)
    middles: NDArray[np.float64] = near @ cells / mass
    return middles, mass
