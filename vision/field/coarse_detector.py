"""The coarse stage of field detection: finds the corners of the board to a few percent of its width.

A network reads the reduced picture and marks corners of two kinds. With the bar upright, the upper left and lower right
corner look alike, and so do the other two. The kinds therefore give the orientation up to half a turn, which nothing in
the picture decides.
"""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from vision.field.network_inputs import (
    BAR,
    CELL_PX,
    CORNERS_A,
    CORNERS_B,
    FIELD,
    SMALL_HEIGHT_PX,
    SMALL_WIDTH_PX,
    letterbox_picture,
)
from vision.geometry.projection import Points
from vision.pixels.inference import run_network, sigmoid

MIN_PEAK = 0.12  # least probability of a corner; more misses more boards
MIN_SCORE = 0.15  # least score of a quadrangle: mean probability of its corners times its overlap with field and bar


def detect_coarse_corners(pixels: NDArray[np.uint8]) -> Points | None:
    """(4, 2) px, clockwise from the upper left with the bar upright; None without a board.

    A corner outside the picture completes a parallelogram.
    """
    small, fitting = letterbox_picture(pixels)
    chances = sigmoid(run_network("small", small, ("maps",))[0])
    best, corners = 0.0, None
    for quadrangle, score in _propose_quadrangles(_find_peaks(chances[CORNERS_A]), _find_peaks(chances[CORNERS_B])):
        worth = score * _score_overlap(quadrangle, chances[FIELD], chances[BAR])
        if worth > best:
            best, corners = worth, quadrangle
    if corners is None or best < MIN_SCORE:
        return None
    return fitting.to_picture((corners + 0.5) * CELL_PX - 0.5)


def _find_peaks(chances: NDArray[np.float32]) -> list[tuple[float, float, float]]:
    """x and y in cells, and the probability, of the four best local maxima."""
    padded = np.pad(chances, 1)
    around = np.max([padded[y : y + chances.shape[0], x : x + chances.shape[1]] for y in range(3) for x in range(3)], 0)
    rows, columns = np.nonzero((chances == around) & (chances > MIN_PEAK))
    order = np.argsort(-chances[rows, columns])[:4]
    peaks = []
    for row, column in zip(rows[order], columns[order], strict=True):
        near = padded[row : row + 3, column : column + 3]
        whole = float(near.sum())
        x, y = (float(near.sum(axis=axis) @ (-1, 0, 1)) / whole for axis in (0, 1))
        peaks.append((float(column + x), float(row + y), float(chances[row, column])))
    return peaks


def _propose_quadrangles(
    a: list[tuple[float, float, float]], b: list[tuple[float, float, float]]
) -> Iterator[tuple[Points, float]]:
    """Quadrangles (4, 2) in cells, clockwise from the upper left, with the mean probability of their corners."""
    for first, second, others in ((a, b, combinations(a, 2)), (b, a, combinations(b, 2))):
        pairs = list(others)
        for p, r in pairs:
            for q, s in combinations(second, 2):
                if first is a:  # the second pass would repeat quadrangles with two corners of each kind
                    yield from _order_clockwise([p, q, r, s], a_first=True, score=(p[2] * q[2] * r[2] * s[2]) ** 0.25)
            for q in second:
                x, y = p[0] + r[0] - q[0], p[1] + r[1] - q[1]
                inside = -0.5 <= x <= SMALL_WIDTH_PX / CELL_PX and -0.5 <= y <= SMALL_HEIGHT_PX / CELL_PX
                score = 0.8 * (p[2] * q[2] * r[2]) ** (1 / 3) * (0.6 if inside else 1.0)
                yield from _order_clockwise([p, q, r, (x, y, 0.0)], a_first=first is a, score=score)


def _order_clockwise(
    corners: list[tuple[float, float, float]], *, a_first: bool, score: float
) -> Iterator[tuple[Points, float]]:
    """Orders corners of alternating kinds clockwise from the upper left one; yields nothing unless they are convex."""
    points = np.array([corner[:2] for corner in corners])
    turns = [_cross_product(points[i], points[(i + 1) % 4], points[(i + 2) % 4]) for i in range(4)]
    if min(turns) * max(turns) <= 0:
        return
    if turns[0] < 0:  # anticlockwise in a frame whose y goes down
        points = points[[0, 3, 2, 1]]
    if not a_first:
        points = np.roll(points, 1, axis=0)
    if points[1, 0] < points[0, 0]:  # two corners may be the upper left one; this is the one in the picture
        points = np.roll(points, 2, axis=0)
    yield points, score


def _cross_product(a: Points, b: Points, c: Points) -> float:
    return float((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]))


def _score_overlap(quadrangle: Points, field: NDArray[np.float32], bar: NDArray[np.float32]) -> float:
    """The agreement (0 to 1) of the field map with the quadrangle and of the bar map with its centre line."""
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
