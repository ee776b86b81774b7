"""Fits the projection to stations along the lines of the field: four corners, k1 of the lens, and the bar, at once."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.field.network_inputs import BAR_LEFT, BAR_RIGHT, LEFT
from vision.geometry.projection import FieldShape, Lens, Points, Projection, compute_homography

Vector = NDArray[np.float64]

# Prior of k1: lenses of Pi and web cameras show barrel distortion more often than pincushion. Straight lines near the
# middle of the picture constrain k1 only weakly.
USUAL_K1, K1_SPREAD = -0.02, 0.05
OUTLIER_SHARE = 0.004  # of the width; a station with a larger residual loses weight
K1_RANGE = (-0.35, 0.2)
ROUNDS = 8
K1 = 8  # index of the unknown; before it the eight of the homography, behind it the two of the bar


@dataclass(frozen=True, slots=True, eq=False)
class Stations:
    """Points in the picture on lines of the field."""

    px: Points  # (n, 2)
    line: NDArray[np.int64]  # (n,): TOP to BAR_RIGHT of `network_inputs`
    weight: NDArray[np.float64]  # (n,): 0 to 1


@dataclass(frozen=True, slots=True, eq=False)
class _Unknowns:
    """The eleven unknowns. Board lengths are in widths of the field, from its middle."""

    onto: NDArray[np.float64]  # (3, 3): ray slopes -> board; eight unknowns
    k1: float
    bar: Vector  # (2,): x of both sides of the bar


def fit_lines(stations: Stations, guess: Projection, field: FieldShape) -> tuple[Projection, FieldShape, Vector]:
    """The best projection and field for the stations, and the residuals (n,) in mm.

    Gauss-Newton with Huber weights (Hartley and Zisserman, "Multiple View Geometry in Computer Vision", 2004, A6.8).
    Raises numpy.linalg.LinAlgError when the stations do not determine all four corners.
    """
    width = field.width_mm
    into_mm = np.array([(width, 0, width / 2), (0, width, field.height_mm / 2), (0, 0, 1)])
    into_rays = guess.lens.to_ray @ guess.matrix @ into_mm
    bar = np.array((field.bar_left_mm, field.bar_right_mm)) / width - 0.5
    now = _Unknowns(np.linalg.inv(into_rays), guess.lens.k1, bar)
    height = field.height_mm / width
    for _ in range(ROUNDS):
        now = _step(now, stations, guess.lens, height)
    left_mm, right_mm = ((now.bar + 0.5) * width).tolist()
    lens = replace(guess.lens, k1=now.k1)
    matrix = np.linalg.inv(lens.to_ray) @ np.linalg.inv(into_mm @ now.onto)
    off, _ = _measure(now, stations, lens, height)
    return Projection.of(matrix, lens), FieldShape.of_measured(width, field.height_mm, left_mm, right_mm), off * width


def _step(now: _Unknowns, stations: Stations, lens: Lens, height: float) -> _Unknowns:
    off, slopes = _measure(now, stations, replace(lens, k1=now.k1), height)
    weights = stations.weight * np.minimum(1, OUTLIER_SHARE / np.maximum(np.abs(off), 1e-9))
    # One standard deviation of the prior on k1 weighs as much as one station with the residual of an outlier.
    k1_row = np.zeros((1, 11))
    k1_row[0, K1] = OUTLIER_SHARE / K1_SPREAD
    k1_off = np.array([(now.k1 - USUAL_K1) * k1_row[0, K1]])
    table = np.vstack([slopes * np.sqrt(weights)[:, None], k1_row])
    right = np.concatenate([off * np.sqrt(weights), k1_off])
    damping = np.diag(1e-6 * (table**2).sum(axis=0) + 1e-12)
    step = -np.linalg.solve(table.T @ table + damping, table.T @ right)
    moved = np.eye(3) + np.append(step[:K1], 0.0).reshape(3, 3)
    return _Unknowns(moved @ now.onto, float(np.clip(now.k1 + step[K1], *K1_RANGE)), now.bar + step[K1 + 1 :])


def _measure(now: _Unknowns, stations: Stations, lens: Lens, height: float) -> tuple[Vector, NDArray[np.float64]]:
    """(n,): the distance of each station from its line, positive to the right and downwards; (n, 11) its derivatives.

    The board moves by a homography next to the identity, whose last number stays 1, and by the lens.
    """
    straight = (lens.straighten(stations.px) - lens.centre_px) / lens.focal_px
    onto = straight @ now.onto[:, :2].T + now.onto[:, 2]
    x, y = (onto[:, :2] / onto[:, 2:]).T
    is_row = stations.line < LEFT
    across = np.where(is_row, y, x)
    level = np.array([-height / 2, height / 2, -0.5, 0.5, *now.bar])
    ones, zeros = np.ones_like(x), np.zeros_like(x)
    upright, level_lines = ([x, y, ones, zeros, zeros, zeros], [zeros, zeros, zeros, x, y, ones])
    linear = np.where(is_row, np.array(level_lines), np.array(upright))
    squared = (straight**2).sum(axis=1)
    by_k1 = (-straight * (squared / (1 + 3 * now.k1 * squared))[:, None]) @ now.onto[:, :2].T
    along_k1 = (np.where(is_row, by_k1[:, 1], by_k1[:, 0]) - across * by_k1[:, 2]) / onto[:, 2]
    bars = [-(stations.line == line).astype(np.float64) for line in (BAR_LEFT, BAR_RIGHT)]
    slopes = np.column_stack([*linear, -across * x, -across * y, along_k1, *bars])
    return across - level[stations.line], slopes


def height_to_width(corners_px: Points, lens: Lens) -> float:
    """The height of the field as a share of its width, from the lengths of the board's axes in the homography."""
    unit = compute_homography([(0, 0), (1, 0), (1, 1), (0, 1)], lens.straighten(corners_px))
    rays = lens.to_ray @ unit
    return float(np.linalg.norm(rays[:, 1]) / np.linalg.norm(rays[:, 0]))
