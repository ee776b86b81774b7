"""Subpixel measurement of the round upper faces of checkers.

On the near side of a checker the camera sees its wall below its face in the same colour. There the edge of the face is
hard to see, and the foot of the wall is easily mistaken for it. Only the far half of each circle is therefore measured,
unless the camera looks straight down on the checker.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.checkers import THICKNESS_OF_PITCH
from vision.field.bundle_adjustment import Circles, fit_circle_middles
from vision.geometry.calibration import CheckerColour
from vision.geometry.projection import FieldShape, Points, Projection
from vision.places import Colour, Place

# Parameters of the measurement. Radii are shares of the points' width.
RAYS = 48
STEPS = 60  # samples along a ray
LEAST_RADIUS = 0.30
MOST_RADIUS = 0.56
NEAR_RADIUS = 0.12  # reach of the second search around the common radius, as a share of that radius
OUTERMOST_SHARE = 0.9  # of the best support; the outermost circle with this support is the rim
FAR_HALF_DEG = 100.0  # rays to either side of the direction away from the camera
OVERHEAD_SHARE = 0.15  # of the camera's height; all rays count at a smaller distance from its foot
LEAST_RAYS = 0.4  # share of the rays with an edge for a face to be accepted
CLEAR_EDGE = 4.0  # grey levels


@dataclass(frozen=True, slots=True, eq=False)
class CheckerFace:
    """One upper face, with the points on its rim."""

    colour: Colour
    middle_px: Points  # (2,)
    radius_px: float
    rim_px: Points  # (m, 2)
    weights: NDArray[np.float64]  # (m,)


def find_faces(
    pixels: NDArray[np.uint8],
    projection: Projection,
    sights_mm: Points,
    expected: Mapping[Place, tuple[Colour, int]],
    field: FieldShape,
) -> tuple[CheckerFace, ...]:
    """The measured faces of checkers on occupied points.

    `sights_mm` (n, 2): approximate intersections of the lines of sight through the faces with the surface.
    """
    over = [(sight, _colour_at(sight, expected, field)) for sight in sights_mm]
    chosen = [(sight, colour) for sight, colour in over if colour is not None]
    if not chosen:
        return ()
    height_mm = THICKNESS_OF_PITCH * field.pitch_mm
    middles = projection.shift_to_base_mm(np.array([sight for sight, _ in chosen]), height_mm)
    smooth = cv2.GaussianBlur(pixels, (0, 0), 0.8).astype(np.float32)
    fits = [
        _fit_circles(smooth, projection, middles, radius, height_mm)
        for radius in _find_likely_radii(smooth, projection, middles, field, height_mm)
    ]
    best = max(fit.support for fit in fits)
    fit = next(fit for fit in fits if fit.support >= OUTERMOST_SHARE * best)
    rims, weights, middles, radius_mm = fit.rims_mm, fit.weights, fit.middles_mm, fit.radius_mm
    good = weights.mean(axis=1) >= LEAST_RAYS
    rims_px = projection.to_picture(rims.reshape(-1, 2), height_mm).reshape(rims.shape)
    middles_px = projection.to_picture(middles, height_mm)
    edges_px = projection.to_picture(middles + np.array((radius_mm, 0.0)), height_mm)
    radii_px = np.linalg.norm(edges_px - middles_px, axis=1)
    return tuple(
        CheckerFace(chosen[index][1], middles_px[index], float(radii_px[index]), rims_px[index], weights[index])
        for index in np.flatnonzero(good)
    )


def _colour_at(sight_mm: Points, expected: Mapping[Place, tuple[Colour, int]], field: FieldShape) -> Colour | None:
    """The colour of the checkers on the point under a face; None unless the point is occupied."""
    middles = [field.point_middle_mm(column) for column in range(1, 13)]
    column = int(np.abs(np.array(middles) - sight_mm[0]).argmin()) + 1
    if abs(middles[column - 1] - sight_mm[0]) > 0.6 * field.pitch_mm:
        return None
    place = Place(f"{'T' if sight_mm[1] < field.height_mm / 2 else 'B'}{column}")
    colour, count = expected.get(place, (Colour.NONE, 0))
    return colour if count > 0 else None


def _sample_rays(
    smooth: NDArray[np.float32],
    projection: Projection,
    middles: Points,
    radius_and_reach_mm: tuple[float, float],
    height_mm: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Samples along rays across the expected rim: (n, rays, steps, 2) mm, and (n, rays, steps) edge strength."""
    radius_mm, reach_mm = radius_and_reach_mm
    away = middles - np.array(projection.camera_mm[:2])
    is_overhead = np.linalg.norm(away, axis=1) < OVERHEAD_SHARE * projection.camera_mm[2]
    half = np.where(is_overhead, np.pi * (1 - 1 / RAYS), np.radians(FAR_HALF_DEG))
    angles = np.arctan2(away[:, 1], away[:, 0])[:, None] + half[:, None] * np.linspace(-1, 1, RAYS)
    radii = np.linspace(radius_mm - reach_mm, radius_mm + reach_mm, STEPS)
    rays = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    points = middles[:, None, None] + rays[:, :, None] * radii[:, None]
    px = projection.to_picture(points.reshape(-1, 2), height_mm).astype(np.float32)
    maps = px.reshape(-1, STEPS, 2)
    colours = cv2.remap(smooth, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    strengths = np.zeros(points.shape[:3])
    # A distance in mm, so that a fine search and a coarse one see the same edge.
    lag = max(1, round(0.03 * radius_mm / (radii[1] - radii[0])))
    steps = np.sqrt(((colours[:, 2 * lag :] - colours[:, : -2 * lag]) ** 2).mean(axis=2))
    strengths[:, :, lag:-lag] = steps.reshape(len(middles), RAYS, -1)
    return points, strengths


def _find_likely_radii(
    smooth: NDArray[np.float32], projection: Projection, middles: Points, field: FieldShape, height_mm: float
) -> list[float]:
    """Radii with edges on many rays of many checkers, the largest first, because grooves lie inside the rim."""
    least, most = LEAST_RADIUS * field.pitch_mm, MOST_RADIUS * field.pitch_mm
    ring = ((least + most) / 2, (most - least) / 2)
    _, strengths = _sample_rays(smooth, projection, middles, ring, height_mm)
    seen = (strengths / (strengths + 12)).mean(axis=(0, 1))
    is_peak = (seen[1:-1] >= seen[:-2]) & (seen[1:-1] > seen[2:])
    peaks = 1 + np.flatnonzero(is_peak)
    peaks = np.append(peaks[np.argsort(-seen[peaks])][:3], int(seen.argmax()))
    radii = np.linspace(least, most, STEPS)
    return sorted({float(radii[peak]) for peak in peaks}, reverse=True)


@dataclass(frozen=True, slots=True, eq=False)
class _Rims:
    """Circles of one radius fitted to all checkers; `support` (0 to 1) is the mean clarity of their rims."""

    rims_mm: NDArray[np.float64]
    weights: NDArray[np.float64]
    middles_mm: Points
    radius_mm: float
    support: float


def _fit_circles(
    smooth: NDArray[np.float32], projection: Projection, middles: Points, radius_mm: float, height_mm: float
) -> _Rims:
    """Refines the centres and the common radius alternately."""
    start = middles
    for _ in range(2):
        ring = (radius_mm, NEAR_RADIUS * radius_mm)
        points, strengths = _sample_rays(smooth, projection, middles, ring, height_mm)
        rims, weights = _find_rim_points(points, strengths)
        found = fit_circle_middles(rims, weights, radius_mm)
        good = (weights.mean(axis=1) >= LEAST_RAYS) & (np.linalg.norm(found - start, axis=1) < 0.3 * radius_mm)
        weights = weights * good[:, None]
        middles = np.where(good[:, None], found, middles)
        away = np.linalg.norm(rims - middles[:, None], axis=2)[weights > 0]
        radius_mm = float(np.median(away)) if len(away) else radius_mm
    peak = strengths.max(axis=2)
    return _Rims(rims, weights, middles, radius_mm, float((weights * peak / (peak + 12)).mean()))


def _find_rim_points(
    points: NDArray[np.float64], strengths: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The point of each ray with the strongest edge (n, rays, 2), and its weight (n, rays): 1 for a clear edge."""
    best = strengths.argmax(axis=2)
    rims = np.take_along_axis(points, best[..., None, None], axis=2)[:, :, 0]
    peak = np.take_along_axis(strengths, best[..., None], axis=2)[..., 0]
    is_inner = (best > 0) & (best < strengths.shape[2] - 1)
    return rims, ((peak >= CLEAR_EDGE) & is_inner).astype(np.float64)


def make_circles(faces: Sequence[CheckerFace]) -> Circles:
    """The rim points of all faces as one measurement for `fit_jointly`."""
    return Circles(np.array([face.rim_px for face in faces]), np.array([face.weights for face in faces]))


def measure_colour(pixels: NDArray[np.uint8], faces: Sequence[CheckerFace], colour: Colour) -> CheckerColour | None:
    """The colour of one side, from the median of each face; None without a measured face of that side."""
    medians, spreads = [], []
    for face in faces:
        if face.colour is colour:
            lab = _sample_lab(pixels, face)
            if len(lab):
                medians.append(np.median(lab, axis=0))
                spreads.append(lab.var(axis=0))
    if not medians:
        return None
    mean = np.median(medians, axis=0)
    spread = np.sqrt(np.median(spreads, axis=0) + np.var(medians, axis=0))
    return CheckerColour(_to_triple(mean), _to_triple(spread))


def _sample_lab(pixels: NDArray[np.uint8], face: CheckerFace) -> NDArray[np.float64]:
    """(n, 3) CIELAB of the inner part of a face."""
    x, y = np.rint(face.middle_px).astype(int)
    reach = max(1, int(0.5 * face.radius_px))
    patch = pixels[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]
    if patch.size == 0:
        return np.empty((0, 3))
    lab = cv2.cvtColor(patch.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    return lab.reshape(-1, 3).astype(np.float64)


def _to_triple(values: NDArray[np.float64]) -> tuple[float, float, float]:
    return float(values[0]), float(values[1]), float(values[2])
