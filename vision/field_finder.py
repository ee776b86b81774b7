"""Finds the playing field in a picture without tags: corners, bar and the lens's bend.

Two networks and a fit. The first sees the whole picture made small and marks corners of two kinds: with the bar upright
the upper left and lower right corner look alike, and so do the other two; so it tells how the board lies, up to half a
turn, which nothing in the picture decides. The second sees the field roughly straightened and marks, along a hundred
columns and rows, where the field's lines cross them. All these places together give the projection, which straightens
the field better, and the second network looks again.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from vision.field_fit import Stations, fit_lines, height_to_width
from vision.field_views import (
    BAR,
    BAR_LEFT,
    CELL_PX,
    CORNERS_A,
    CORNERS_B,
    FIELD,
    LEFT,
    SMALL_HEIGHT_PX,
    SMALL_WIDTH_PX,
    edge_columns_mm,
    edge_rows_mm,
    made_small,
    mm_of_cells,
)
from vision.geometry import FieldShape, Lens, Points, Projection
from vision.networks import answers
from vision.rectify import map_of_grid

ASSUMED_WIDTH_MM = 440.0
USUAL_BAR_SHARE = 0.085  # of the width: where the bar is looked for first
PEAK = 0.12  # a corner's least likelihood
LOOKS = 3
CLEAR = 0.35  # a station counts when this much of the likelihood lies within two cells of its middle
WINDOW_CELLS = 2
SMALLEST_PX = 64
# What a fit must show to be believed, see find_field.
LEAST_EDGE_SHARE = 0.45
LARGEST_RESIDUAL = 0.012  # rms, of the width


@dataclass(frozen=True, slots=True)
class FieldFit:
    """The field as found in one picture."""

    projection: Projection
    field: FieldShape  # in mm when the size was given, else scaled to ASSUMED_WIDTH_MM
    residual_mm: float  # rms distance of the used stations from the fitted lines
    edge_share: float  # share of the stations along the outline where a line was seen clearly
    confidence: float  # 0 to 1: that all corners are within 3 % of the width


@dataclass(frozen=True, slots=True)
class NotFound:
    """No field, or none to be sure of; `reason` is one sentence with the remedy."""

    reason: str


def find_field(pixels: NDArray[np.uint8], *, field_mm: tuple[float, float] | None = None) -> FieldFit | NotFound:
    """The field of the one board in a picture (h, w, 3), bar upright, as it lies in the picture rather than half turned."""
    if min(pixels.shape[:2]) < SMALLEST_PX:
        return NotFound(f"The picture is only {pixels.shape[1]} x {pixels.shape[0]} pixels; use at least 640 x 480.")
    corners_px = rough_corners(pixels)
    if corners_px is None:
        return NotFound("No backgammon board was found; show the whole board, all four corners of its field in view.")
    height, width = pixels.shape[:2]
    lens = Lens.usual(width, height)
    width_mm, height_mm = field_mm or (ASSUMED_WIDTH_MM, ASSUMED_WIDTH_MM * height_to_width(corners_px, lens))
    middle, half_bar = width_mm / 2, width_mm * USUAL_BAR_SHARE / 2
    field = FieldShape(width_mm, height_mm, middle - half_bar, middle + half_bar)
    return refine_field(pixels, Projection.of_corners(corners_px, field, lens), field, keep_size=field_mm is not None)


def refine_field(
    pixels: NDArray[np.uint8], projection: Projection, field: FieldShape, *, looks: int = LOOKS, keep_size: bool = True
) -> FieldFit | NotFound:
    """From a guess that is off by a few percent of the width to the field's edges.

    `keep_size` False: the height follows from the picture, as a share of the width.
    """
    share, off = 0.0, np.zeros(0)
    for _ in range(looks):
        stations, share = _stations(pixels, projection, field)
        try:
            projection, field, off = fit_lines(stations, projection, field)
        except np.linalg.LinAlgError:
            share = 0.0
        if share < LEAST_EDGE_SHARE:
            return NotFound(
                "The edges of the playing field are not clear enough; give more even light, or its corners."
            )
        if not keep_size:
            field, projection = _resized(field, projection)
    residual_mm = float(np.sqrt(np.average(np.minimum(off**2, (0.03 * field.width_mm) ** 2), weights=stations.weight)))
    if residual_mm > LARGEST_RESIDUAL * field.width_mm or not _is_possible(projection, field):
        return NotFound("What looks like a board does not lie flat as one; show one board whole, or give its corners.")
    confidence = float(
        np.clip((share - LEAST_EDGE_SHARE) / 0.3, 0, 1) * np.exp(-((residual_mm / field.width_mm / 0.006) ** 2))
    )
    return FieldFit(projection, field, residual_mm, share, confidence)


def _resized(field: FieldShape, projection: Projection) -> tuple[FieldShape, Projection]:
    corners_px = projection.to_picture(field.corners_mm)
    height_mm = field.width_mm * height_to_width(corners_px, projection.lens)
    field = FieldShape(field.width_mm, height_mm, field.bar_left_mm, field.bar_right_mm)
    return field, Projection.of_corners(corners_px, field, projection.lens)


def _is_possible(projection: Projection, field: FieldShape) -> bool:
    """The bar near the middle and narrower than two points; the camera above the board."""
    middle = (field.bar_left_mm + field.bar_right_mm) / 2 / field.width_mm
    bar = (field.bar_right_mm - field.bar_left_mm) / field.width_mm
    return abs(middle - 0.5) < 0.05 and -0.02 < bar < 0.2 and projection.camera_mm[2] > 0.3 * field.width_mm


# --- the whole picture ------------------------------------------------------------------------------------------------


def rough_corners(pixels: NDArray[np.uint8]) -> Points | None:
    """(4, 2) pixels, clockwise from the upper left with the bar upright; None where no board is seen.

    A corner outside the picture is put where a parallelogram has it.
    """
    small, fitting = made_small(pixels)
    maps = answers("small", small, ("maps",))[0]
    chances = 1 / (1 + np.exp(-np.clip(maps, -30, 30)))
    best, corners = 0.0, None
    for quadrangle, score in _quadrangles(_peaks(chances[CORNERS_A]), _peaks(chances[CORNERS_B])):
        worth = score * _overlap(quadrangle, chances[FIELD], chances[BAR])
        if worth > best:
            best, corners = worth, quadrangle
    if corners is None or best < 0.15:
        return None
    return fitting.to_picture((corners + 0.5) * CELL_PX - 0.5)


def _peaks(chances: NDArray[np.float32]) -> list[tuple[float, float, float]]:
    """x, y in cells and the likelihood of the four best local maxima."""
    padded = np.pad(chances, 1)
    around = np.max([padded[y : y + chances.shape[0], x : x + chances.shape[1]] for y in range(3) for x in range(3)], 0)
    rows, columns = np.nonzero((chances == around) & (chances > PEAK))
    order = np.argsort(-chances[rows, columns])[:4]
    peaks = []
    for row, column in zip(rows[order], columns[order], strict=True):
        near = padded[row : row + 3, column : column + 3]
        x, y = (near.sum(axis=0) @ (-1, 0, 1), near.sum(axis=1) @ (-1, 0, 1)) / near.sum()
        peaks.append((float(column + x), float(row + y), float(chances[row, column])))
    return peaks


def _quadrangles(
    a: list[tuple[float, float, float]], b: list[tuple[float, float, float]]
) -> Iterator[tuple[Points, float]]:
    """Corners in cells, clockwise from the upper left, with the mean likelihood of what was seen of them."""
    for first, second, others in ((a, b, combinations(a, 2)), (b, a, combinations(b, 2))):
        pairs = list(others)
        for p, r in pairs:
            for q, s in combinations(second, 2):
                if first is a:  # both of each kind; once is enough
                    yield from _in_order([p, q, r, s], a_first=True, score=(p[2] * q[2] * r[2] * s[2]) ** 0.25)
            for q in second:
                x, y = p[0] + r[0] - q[0], p[1] + r[1] - q[1]
                inside = -0.5 <= x <= SMALL_WIDTH_PX / CELL_PX and -0.5 <= y <= SMALL_HEIGHT_PX / CELL_PX
                score = 0.8 * (p[2] * q[2] * r[2]) ** (1 / 3) * (0.6 if inside else 1.0)
                yield from _in_order([p, q, r, (x, y, 0.0)], a_first=first is a, score=score)


def _in_order(
    corners: list[tuple[float, float, float]], *, a_first: bool, score: float
) -> Iterator[tuple[Points, float]]:
    """`corners` alternate between the kinds; yields them clockwise from an upper left one, if they are convex."""
    points = np.array([corner[:2] for corner in corners])
    turns = [_turn(points[i], points[(i + 1) % 4], points[(i + 2) % 4]) for i in range(4)]
    if min(turns) * max(turns) <= 0:
        return
    if turns[0] < 0:  # anticlockwise in a frame whose y goes down
        points = points[[0, 3, 2, 1]]
    if not a_first:
        points = np.roll(points, 1, axis=0)
    if points[1, 0] < points[0, 0]:  # of the two upper left corners the one that is so in the picture
        points = np.roll(points, 2, axis=0)
    yield points, score


def _turn(a: Points, b: Points, c: Points) -> float:
    return float((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]))


def _overlap(quadrangle: Points, field: NDArray[np.float32], bar: NDArray[np.float32]) -> float:
    """How well the field's map agrees with the quadrangle, and the bar's with its middle line: 0 to 1."""
    y, x = np.mgrid[: field.shape[0], : field.shape[1]]
    inside = np.ones(field.shape, bool)
    for a, b in zip(quadrangle, np.roll(quadrangle, -1, axis=0), strict=True):
        inside &= (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) >= 0
    both = float(np.minimum(inside, field).sum())
    union = float(np.maximum(inside, field).sum())
    top, bottom = (quadrangle[0] + quadrangle[1]) / 2, (quadrangle[2] + quadrangle[3]) / 2
    line = top + (bottom - top) * np.linspace(0.1, 0.9, 17)[:, None]
    cells = np.clip(np.round(line).astype(int), 0, (field.shape[1] - 1, field.shape[0] - 1))
    return both / max(union, 1.0) * (0.5 + 0.5 * float(bar[cells[:, 1], cells[:, 0]].mean()))


# --- the field's lines ------------------------------------------------------------------------------------------------


def _stations(pixels: NDArray[np.uint8], projection: Projection, field: FieldShape) -> tuple[Stations, float]:
    """Where the lines cross columns and rows of the straightened view, and the share of the outline that is clear."""
    view = map_of_grid(projection, edge_columns_mm(field), edge_rows_mm(field)).view_of(pixels)
    maps = answers("edges", view, ("maps",))[0]
    cells, lines, weights = [], [], []
    for line, logits in enumerate(maps):
        across = logits.T if line < LEFT else logits  # (stations, cells along which the line is looked for)
        at, clear = _middles(across)
        along = np.arange(len(at), dtype=np.float64)
        cells.append(np.column_stack([along, at] if line < LEFT else [at, along]))
        lines.append(np.full(len(at), line))
        weights.append(clear)
    board = mm_of_cells(np.concatenate(cells), field)
    line_of, weight = np.concatenate(lines), np.concatenate(weights)
    px = projection.to_picture(board)
    height, width = pixels.shape[:2]
    in_picture = ((px > 0) & (px < (width - 1, height - 1))).all(axis=1)
    reach = np.where(line_of < LEFT, board[:, 0] / field.width_mm, board[:, 1] / field.height_mm)
    asked = (reach > 0.02) & (reach < 0.98)
    used = in_picture & asked & (weight > CLEAR)
    share = float((used & (line_of < BAR_LEFT)).sum() / max(1, (asked & (line_of < BAR_LEFT)).sum()))
    return Stations(px[used], line_of[used], weight[used] ** 2), share


def _middles(logits: NDArray[np.float32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each row (stations, cells): the middle of the likelihood around its highest cell, and how much lies there."""
    chance = np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True))
    chance /= chance.sum(axis=1, keepdims=True)
    best = chance.argmax(axis=1)
    cells = np.arange(logits.shape[1])
    near = np.where(np.abs(cells - best[:, None]) <= WINDOW_CELLS, chance, 0)
    mass = near.sum(axis=1)
    middles: NDArray[np.float64] = near @ cells / mass
    return middles, mass
