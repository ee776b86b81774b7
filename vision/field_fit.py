"""From places seen along the field's lines to the projection: four corners, the lens's k1 and the bar, all at once."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.geometry import FieldShape, Lens, Points, Projection, homography_of, transform

# Lenses of Pi and web cameras: barrel more often than pincushion. Used as a prior, for two straight lines near the
# middle of the picture say little.
USUAL_K1, K1_SPREAD = -0.02, 0.05
OUTLIER_SHARE = 0.004  # of the width: a station this far off the fitted line starts to count less
ROUNDS = 8
STEP = 1e-4


@dataclass(frozen=True, slots=True, eq=False)
class Stations:
    """Places in the picture where a line of the field was seen."""

    px: Points  # (n, 2)
    line: NDArray[np.int64]  # (n,): TOP to BAR_RIGHT of field_views
    weight: NDArray[np.float64]  # (n,): 0 to 1, how clearly


def fit_lines(
    stations: Stations, guess: Projection, field: FieldShape
) -> tuple[Projection, FieldShape, NDArray[np.float64]]:
    """The projection and bar that lay the lines through the stations, and how far each is off, in mm.

    Gauss-Newton with Huber's weights (Hartley & Zisserman 2004, A6.8). numpy.linalg.LinAlgError when the stations do not
    hold all four corners.
    """
    lens = guess.lens
    corners = lens.straighten(guess.to_picture(field.corners_mm))
    size_px = float(np.linalg.norm(corners[2] - corners[0]))
    start = np.concatenate([np.zeros(8), [lens.k1, field.bar_left_mm, field.bar_right_mm]])

    def placed(values: NDArray[np.float64]) -> tuple[Projection, FieldShape]:
        bent = Lens(lens.focal_px, lens.centre_px, float(np.clip(values[8], -0.35, 0.2)))
        matrix = homography_of(field.corners_mm, corners + values[:8].reshape(4, 2) * size_px)
        shape = FieldShape(field.width_mm, field.height_mm, float(values[9]), float(values[10]))
        return Projection.of(matrix, bent), shape

    def misses(values: NDArray[np.float64]) -> NDArray[np.float64]:
        projection, shape = placed(values)
        return off_line_mm(stations, projection, shape)

    values = start
    for _ in range(ROUNDS):
        values = values + _step(values, misses, stations, field)
    projection, shape = placed(values)
    return projection, shape, misses(values)


def _step(
    values: NDArray[np.float64],
    misses: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    stations: Stations,
    field: FieldShape,
) -> NDArray[np.float64]:
    off = misses(values)
    scales = np.concatenate([np.full(9, STEP), np.full(2, STEP * field.width_mm)])
    slopes = np.stack([(misses(values + np.eye(11)[i] * scales[i]) - off) / scales[i] for i in range(11)], axis=1)
    outlier_mm = OUTLIER_SHARE * field.width_mm
    weights = stations.weight * np.minimum(1, outlier_mm / np.maximum(np.abs(off), 1e-9))
    # The prior on k1 weighs as much as one station that is off by as much as an outlier for each spread.
    k1_row = np.zeros((1, 11))
    k1_row[0, 8] = outlier_mm / K1_SPREAD
    k1_off = np.array([(values[8] - USUAL_K1) * k1_row[0, 8]])
    table = np.vstack([slopes * np.sqrt(weights)[:, None], k1_row])
    right = np.concatenate([off * np.sqrt(weights), k1_off])
    damping = np.diag(1e-6 * (table**2).sum(axis=0) + 1e-12)
    step: NDArray[np.float64] = -np.linalg.solve(table.T @ table + damping, table.T @ right)
    return step


def off_line_mm(stations: Stations, projection: Projection, field: FieldShape) -> NDArray[np.float64]:
    """(n,): how far to the right of, or below, its line each station lies on the board."""
    board = transform(np.linalg.inv(projection.matrix), projection.lens.straighten(stations.px))
    level = np.array([0, field.height_mm, 0, field.width_mm, field.bar_left_mm, field.bar_right_mm])
    along = np.where(stations.line < 2, board[:, 1], board[:, 0])
    off: NDArray[np.float64] = along - level[stations.line]
    return off


def height_to_width(corners_px: Points, lens: Lens) -> float:
    """The field's height as a share of its width: the lengths of the two axes of the board behind its picture."""
    unit = homography_of([(0, 0), (1, 0), (1, 1), (0, 1)], lens.straighten(corners_px))
    rays = lens.to_ray @ unit
    return float(np.linalg.norm(rays[:, 1]) / np.linalg.norm(rays[:, 0]))
