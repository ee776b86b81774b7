"""From places seen along the field's lines to the projection: four corners, the lens's k1 and the bar, all at once."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.geometry.projection import FieldShape, Lens, Points, Projection, compute_homography, transform

Vector = NDArray[np.float64]

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


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """What the unknowns are measured from: four corners' moves, as shares of the diagonal; k1; both sides of the bar."""

    stations: Stations
    lens: Lens
    field: FieldShape
    corners_px: Points  # (4, 2), as a lens without distortion had given them

    def initial_values(self) -> Vector:
        return np.concatenate([np.zeros(8), [self.lens.k1, self.field.bar_left_mm, self.field.bar_right_mm]])

    def to_projection(self, values: Vector) -> tuple[Projection, FieldShape]:
        """The view and the field that these unknowns stand for."""
        bent = Lens(self.lens.focal_px, self.lens.centre_px, float(np.clip(values[8], -0.35, 0.2)))
        diagonal_px = float(np.linalg.norm(self.corners_px[2] - self.corners_px[0]))
        moved = self.corners_px + values[:8].reshape(4, 2) * diagonal_px
        field = FieldShape(self.field.width_mm, self.field.height_mm, float(values[9]), float(values[10]))
        return Projection.of(compute_homography(field.corners_mm, moved), bent), field

    def residuals_mm(self, values: Vector) -> Vector:
        """(n,): how far each station is off its line, in mm."""
        return measure_residuals_mm(self.stations, *self.to_projection(values))


def fit_lines(stations: Stations, guess: Projection, field: FieldShape) -> tuple[Projection, FieldShape, Vector]:
    """The projection and bar that lay the lines through the stations, and how far each is off, in mm.

    Gauss-Newton with Huber's weights (Hartley & Zisserman 2004, A6.8). numpy.linalg.LinAlgError when the stations do not
    hold all four corners.
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
    # The prior on k1 weighs as much as one station that is off by as much as an outlier for each spread.
    k1_row = np.zeros((1, 11))
    k1_row[0, 8] = outlier_mm / K1_SPREAD
    k1_off = np.array([(values[8] - USUAL_K1) * k1_row[0, 8]])
    table = np.vstack([slopes * np.sqrt(weights)[:, None], k1_row])
    right = np.concatenate([off * np.sqrt(weights), k1_off])
    damping = np.diag(1e-6 * (table**2).sum(axis=0) + 1e-12)
    step: Vector = -np.linalg.solve(table.T @ table + damping, table.T @ right)
    return step


def measure_residuals_mm(stations: Stations, projection: Projection, field: FieldShape) -> Vector:
    """(n,): how far to the right of, or below, its line each station lies on the board."""
    board = transform(np.linalg.inv(projection.matrix), projection.lens.straighten(stations.px))
    level = np.array([0, field.height_mm, 0, field.width_mm, field.bar_left_mm, field.bar_right_mm])
    along = np.where(stations.line < 2, board[:, 1], board[:, 0])
    off: Vector = along - level[stations.line]
    return off


def height_to_width(corners_px: Points, lens: Lens) -> float:
    """The field's height as a share of its width: the lengths of the two axes of the board behind its picture."""
    unit = compute_homography([(0, 0), (1, 0), (1, 1), (0, 1)], lens.straighten(corners_px))
    rays = lens.to_ray @ unit
    return float(np.linalg.norm(rays[:, 1]) / np.linalg.norm(rays[:, 0]))
