"""Fits the projection to stations along the lines of the field: four corners, k1 of the lens, and the bar, at once."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.geometry.projection import FieldShape, Lens, Points, Projection, compute_homography, transform

Vector = NDArray[np.float64]

# Prior of k1: lenses of Pi and web cameras show barrel distortion more often than pincushion. Straight lines near the
# middle of the picture constrain k1 only weakly.
USUAL_K1, K1_SPREAD = -0.02, 0.05
OUTLIER_SHARE = 0.004  # of the width; a station with a larger residual loses weight
ROUNDS = 8
STEP = 1e-4


@dataclass(frozen=True, slots=True, eq=False)
class Stations:
    """Points in the picture on lines of the field."""

    px: Points  # (n, 2)
    line: NDArray[np.int64]  # (n,): TOP to BAR_RIGHT of `network_inputs`
    weight: NDArray[np.float64]  # (n,): 0 to 1


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """The origin of the eleven unknowns: shifts of four corners as shares of the diagonal, k1, both sides of the bar."""

    stations: Stations
    lens: Lens
    field: FieldShape
    corners_px: Points  # (4, 2), undistorted

    def initial_values(self) -> Vector:
        return np.concatenate([np.zeros(8), [self.lens.k1, self.field.bar_left_mm, self.field.bar_right_mm]])

    def to_projection(self, values: Vector) -> tuple[Projection, FieldShape]:
        bent = Lens(self.lens.focal_px, self.lens.centre_px, float(np.clip(values[8], -0.35, 0.2)))
        diagonal_px = float(np.linalg.norm(self.corners_px[2] - self.corners_px[0]))
        moved = self.corners_px + values[:8].reshape(4, 2) * diagonal_px
        field = FieldShape(self.field.width_mm, self.field.height_mm, float(values[9]), float(values[10]))
        return Projection.of(compute_homography(field.corners_mm, moved), bent), field

    def residuals_mm(self, values: Vector) -> Vector:
        return _measure_residuals_mm(self.stations, *self.to_projection(values))


def fit_lines(stations: Stations, guess: Projection, field: FieldShape) -> tuple[Projection, FieldShape, Vector]:
    """The best projection and field for the stations, and the residuals (n,) in mm.

    Gauss-Newton with Huber weights (Hartley and Zisserman, "Multiple View Geometry in Computer Vision", 2004, A6.8).
    Raises numpy.linalg.LinAlgError when the stations do not determine all four corners.
    """
    fit = _Fit(stations, guess.lens, field, guess.lens.straighten(guess.to_picture(field.corners_mm)))
    values = fit.initial_values()
    for _ in range(ROUNDS):
        values = values + _solve_step(values, fit)
    projection, shape = fit.to_projection(values)
    return projection, shape, fit.residuals_mm(values)


def _solve_step(values: Vector, fit: _Fit) -> Vector:
    off, width_mm = fit.residuals_mm(values), fit.field.width_mm
    scales = np.concatenate([np.full(9, STEP), np.full(2, STEP * width_mm)])
    slopes = np.stack(
        [(fit.residuals_mm(values + np.eye(11)[i] * scales[i]) - off) / scales[i] for i in range(11)], axis=1
    )
    outlier_mm = OUTLIER_SHARE * width_mm
    weights = fit.stations.weight * np.minimum(1, outlier_mm / np.maximum(np.abs(off), 1e-9))
    # One standard deviation of the prior on k1 weighs as much as one station with the residual of an outlier.
    k1_row = np.zeros((1, 11))
    k1_row[0, 8] = outlier_mm / K1_SPREAD
    k1_off = np.array([(values[8] - USUAL_K1) * k1_row[0, 8]])
    table = np.vstack([slopes * np.sqrt(weights)[:, None], k1_row])
    right = np.concatenate([off * np.sqrt(weights), k1_off])
    damping = np.diag(1e-6 * (table**2).sum(axis=0) + 1e-12)
    return -np.linalg.solve(table.T @ table + damping, table.T @ right)


def _measure_residuals_mm(stations: Stations, projection: Projection, field: FieldShape) -> Vector:
    """(n,): the distance of each station from its line on the board, positive to the right and downwards."""
    board = transform(np.linalg.inv(projection.matrix), projection.lens.straighten(stations.px))
    level = np.array([0, field.height_mm, 0, field.width_mm, field.bar_left_mm, field.bar_right_mm])
    along = np.where(stations.line < 2, board[:, 1], board[:, 0])
    return np.asarray(along - level[stations.line])


def height_to_width(corners_px: Points, lens: Lens) -> float:
    """The height of the field as a share of its width, from the lengths of the board's axes in the homography."""
    unit = compute_homography([(0, 0), (1, 0), (1, 1), (0, 1)], lens.straighten(corners_px))
    rays = lens.to_ray @ unit
    return float(np.linalg.norm(rays[:, 1]) / np.linalg.norm(rays[:, 0]))
