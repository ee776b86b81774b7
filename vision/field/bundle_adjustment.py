"""Bundle adjustment: fits camera, lens and board at once to all measurements in one picture.

The camera is a pinhole with one radial coefficient over the board, and the board is a rectangle of known width. Each
measurement is projected back onto the board, at its own height, and its residual is taken there in millimetres. A tag
therefore needs no position among the unknowns, because its residual is the distance to the best-fitting square, and
neither does a checker (the best-fitting circle). Priors with standard deviations from usual cameras and boards hold the
unknowns that a picture constrains badly, such as the focal length in a level view. The solver is Levenberg-Marquardt.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.field.edges import SideEdge
from vision.geometry.projection import (
    POINTS_A_HALF,
    USUAL_FOCAL_PER_WIDTH,
    FieldShape,
    Lens,
    Points,
    Projection,
    estimate_camera_pose,
)

Vector = NDArray[np.float64]
Vectors = NDArray[np.float64]  # (k, n)

STEP = 1e-6  # for derivatives
# Standard deviations of the priors, from usual cameras and boards.
FOCAL_SPREAD = 0.15  # of the logarithm; fields of view from 54 to 75 degrees are within one
K1_SPREAD = 0.06
CENTRE_SPREAD = 0.012  # of the picture's width, because a lens is not exactly centred over its sensor
HEIGHT_SPREAD = 0.06  # of the initial field height
RIM_SHARE, RIM_SPREAD = 0.028, 0.012  # height of the rim as a share of the field's width: 8 to 22 mm on 560 mm
THICKNESS_SHARE, THICKNESS_SPREAD = 0.27, 0.05  # of a checker's diameter

RADIUS_OF_PITCH, RADIUS_SPREAD = 0.46, 0.1  # of a checker, in points; a stretched picture shows up to 0.63
# Bars of real boards span 2.7 to 13 % of the width, or there is none, with the middle at most 2 % from the board's.
BAR_SHARE, BAR_SPREAD, BAR_MIDDLE_SPREAD = 0.07, 0.04, 0.01
LEAST_BAR_SPREAD = 0.002  # a bar narrower than none is impossible; the slope of that limit

# How checkers of a stack lie, in points: off the middle of their column, and off their distance from the rim, to which
# each checker of the stack adds. On rendered boards, whose players are tidier, 0.04, 0.015 and 0.015.
COLUMN_SPREAD = 0.08
FROM_RIM_SPREAD, PER_CHECKER_SPREAD = 0.15, 0.04
STACK_WORTH = 2.0  # checkers of one stack lean together, so that all of them count as two

# The unknowns: three angles, camera position, focal length (logarithm), k1, lens centre, field height, rim height, side
# of a tag, radius and thickness of a checker, the bar's two edges. Lengths are shares of the field's width.
TURN, PLACE, FOCAL, K1, CENTRE, HEIGHT, RIM, TAG, RADIUS, THICKNESS, BAR = (
    *(slice(0, 3), slice(3, 6), 6, 7, slice(8, 10), 10, 11, 12, 13, 14, slice(15, 17)),
)
UNKNOWNS = 17


@dataclass(frozen=True, slots=True, eq=False)
class Circles:
    """Points on the rims of upper faces, m for each of n checkers."""

    points_px: NDArray[np.float64]  # (n, m, 2)
    weights: NDArray[np.float64]  # (n, m): 0 without an edge, else up to 1


@dataclass(frozen=True, slots=True, eq=False)
class StackFaces:
    """Middles of upper faces whose checkers belong to known stacks on the surface."""

    middles_px: Points  # (n, 2)
    columns: NDArray[np.int64]  # (n,) 1 to 12 from the left
    is_lower: NDArray[np.bool_]  # (n,)
    depths: NDArray[np.int64]  # (n,) index from the rim
    in_heap: NDArray[np.bool_]  # (n,) only the column is known
    diameter_mm: float  # approximate


@dataclass(frozen=True, slots=True, eq=False)
class Measurements:
    """The measurements in one picture, in its pixels, with their standard deviations."""

    edges: tuple[SideEdge, ...] = ()
    tags_px: NDArray[np.float64] | None = None  # (n, 4, 2), clockwise
    circles: Circles | None = None
    stacks: StackFaces | None = None  # with these the bar is fitted too
    outline: Projection | None = None  # an independent detection of the field, whose corners are weak measurements
    tag_spread_px: float = 0.25
    circle_spread_px: float = 1.0
    outline_share: float = 0.005  # of the field's width, for each corner of the outline
    bar_share: float | None = None  # of the field's width, for each edge of a measured bar; None without a measurement


@dataclass(frozen=True, slots=True)
class JointFit:
    """The result of the fit. `rms_mm` covers the inliers among the edge points, and the tags.

    `misfit` is the sum of squares of all residuals in standard deviations, priors included. `corner_spread_share` is the
    standard deviation of the least certain corner, as a share of the field's width in the picture.
    """

    projection: Projection
    field: FieldShape
    rms_mm: float
    rim_height_mm: float
    checker_diameter_mm: float
    checker_thickness_mm: float
    misfit: float = 0.0
    corner_spread_share: float = float("inf")


@dataclass(frozen=True, slots=True, eq=False)
class _Problem:
    measurements: Measurements
    field: FieldShape
    height_is_known: bool
    turn: NDArray[np.float64]  # (3, 3), the initial rotation, which the three angles modify
    size_px: tuple[int, int]
    px_per_width: float
    outline_px: Points | None  # (4, 2), the corners of the outline
    start: Vector


@dataclass(frozen=True, slots=True, eq=False)
class _Cameras:
    """k cameras over the board. Lengths on the board are in widths of the field."""

    lenses: tuple[Lens, ...]
    turns: NDArray[np.float64]  # (k, 3, 3): board x, y and depth -> the camera's right, down and forward
    places: NDArray[np.float64]  # (k, 3): x, y and height

    def to_board(self, points_px: Points, heights: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n, 2) pixels of points at heights (k, n), or (k, 1) -> (k, n, 2) on the board."""
        rays_of = {}
        for lens in set(self.lenses):
            slopes = (lens.straighten(points_px) - lens.centre_px) / lens.focal_px
            rays_of[lens] = np.column_stack([slopes, np.ones(len(slopes))])
        ways = np.stack([rays_of[lens] for lens in self.lenses]) @ self.turns
        far = (self.places[:, 2:] - heights) / ways[..., 2]
        return np.asarray(self.places[:, None, :2] + ways[..., :2] * far[..., None])

    def to_picture(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """(k, n, 2) on the surface -> (k, n, 2) pixels."""
        deep = np.concatenate([points, np.zeros((*points.shape[:2], 1))], axis=2)
        seen = (deep - (self.places * (1, 1, -1))[:, None]) @ self.turns.transpose(0, 2, 1)
        slopes = seen[..., :2] / seen[..., 2:]
        return np.stack(
            [lens.bend(at * lens.focal_px + lens.centre_px) for lens, at in zip(self.lenses, slopes, strict=True)]
        )


def fit_jointly(
    measurements: Measurements,
    projection: Projection,
    field: FieldShape,
    *,
    size_px: tuple[int, int],
    height_is_known: bool = False,
    rounds: int = 12,
) -> JointFit:
    """Refines an approximate projection and field. The width is fixed, and so is a known height."""
    problem = _build_problem(measurements, projection, field, size_px=size_px, height_is_known=height_is_known)
    unknowns = problem.start.copy()
    damping = 1e-3
    for _ in range(rounds):
        residuals, slopes = _linearise(_residuals, unknowns, problem)
        normal = slopes.T @ slopes
        for _ in range(6):
            step = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), -slopes.T @ residuals)
            tried = _residuals((unknowns + step)[None], problem)[0]
            if tried @ tried <= residuals @ residuals:
                break
            damping *= 10
        else:
            break
        gain = residuals @ residuals - tried @ tried
        unknowns, residuals, damping = unknowns + step, tried, damping / 10
        if gain < 1e-4:
            break
    return replace(
        _build_fit(unknowns, problem),
        misfit=float(residuals @ residuals),
        corner_spread_share=_corner_spread_share(unknowns, problem, normal),
    )


def _linearise(
    function: Callable[[Vectors, _Problem], Vectors], unknowns: Vector, problem: _Problem
) -> tuple[Vector, NDArray[np.float64]]:
    """(n,) the values of a function of (k, UNKNOWNS) vectors at the unknowns, and (n, UNKNOWNS) its derivatives."""
    steps = np.vstack([np.zeros(UNKNOWNS), STEP * np.eye(UNKNOWNS)])
    values = function(unknowns + steps, problem)
    return values[0], (values[1:] - values[0]).T / STEP


def _corner_spread_share(unknowns: Vector, problem: _Problem, normal: NDArray[np.float64]) -> float:
    """The standard deviation of the least certain corner from the normal matrix of the fit."""
    _, slopes = _linearise(_corners_px, unknowns, problem)
    variances = np.einsum("nu,uv,nv->n", slopes, np.linalg.pinv(normal, hermitian=True), slopes).reshape(4, 2)
    return float(np.sqrt(variances.sum(axis=1).max()) / problem.px_per_width)


def _corners_px(unknowns: Vectors, problem: _Problem) -> Vectors:
    """(k, 8): the corners of the field in the picture."""
    corners = np.repeat(problem.field.corners_mm[None] / problem.field.width_mm, len(unknowns), axis=0)
    corners[:, 2:, 1] = unknowns[:, HEIGHT, None]
    return _build_cameras(unknowns, problem).to_picture(corners).reshape(len(unknowns), -1)


def _build_problem(
    measurements: Measurements,
    projection: Projection,
    field: FieldShape,
    *,
    size_px: tuple[int, int],
    height_is_known: bool,
) -> _Problem:
    lens = projection.lens
    turn, place = estimate_camera_pose(projection.matrix, lens)
    corners_px = projection.to_picture(field.corners_mm)
    px_per_width = float(np.linalg.norm(corners_px - np.roll(corners_px, -1, axis=0), axis=1)[[0, 2]].mean())
    start = np.zeros(UNKNOWNS)
    start[PLACE] = place / field.width_mm
    start[FOCAL], start[K1] = np.log(lens.focal_px / max(size_px)), lens.k1
    start[CENTRE] = (np.array(lens.centre_px) - (np.array(size_px) - 1) / 2) / max(size_px)
    start[HEIGHT], start[RIM] = field.height_mm / field.width_mm, RIM_SHARE
    stacks = measurements.stacks
    diameter_mm = 0.9 * field.pitch_mm if stacks is None else stacks.diameter_mm
    start[TAG], start[RADIUS] = 0.04, diameter_mm / 2 / field.width_mm
    start[THICKNESS] = THICKNESS_SHARE * 2 * start[RADIUS]
    start[BAR] = np.array((field.bar_left_mm, field.bar_right_mm)) / field.width_mm
    outline = measurements.outline
    outline_px = None if outline is None else outline.to_picture(field.corners_mm)
    return _Problem(measurements, field, height_is_known, turn, size_px, px_per_width, outline_px, start)


def _build_cameras(unknowns: Vectors, problem: _Problem) -> _Cameras:
    longer_px = max(problem.size_px)
    focals_px = np.exp(unknowns[:, FOCAL]) * longer_px
    centres_px = (np.array(problem.size_px) - 1) / 2 + unknowns[:, CENTRE] * longer_px
    lenses = tuple(
        Lens(focal_px, (x_px, y_px), k1)
        for focal_px, (x_px, y_px), k1 in zip(
            focals_px.tolist(), centres_px.tolist(), unknowns[:, K1].tolist(), strict=True
        )
    )
    return _Cameras(lenses, _cayley_rotations(unknowns[:, TURN]) @ problem.turn, unknowns[:, PLACE])


def _build_projection(unknowns: Vector, problem: _Problem) -> Projection:
    cameras = _build_cameras(unknowns[None], problem)
    lens, turn, place = cameras.lenses[0], cameras.turns[0], cameras.places[0] * problem.field.width_mm
    matrix = np.linalg.inv(lens.to_ray) @ np.column_stack([turn[:, 0], turn[:, 1], -turn @ (place * (1, 1, -1))])
    homography = tuple((matrix / matrix[2, 2]).ravel().tolist())
    return Projection(lens, homography, (float(place[0]), float(place[1]), float(place[2])))


def _cayley_rotations(turns: Vectors) -> NDArray[np.float64]:
    """(k, 3, 3): rotations by small angles (k, 3) about the axes, in Cayley's form, which is exactly orthogonal."""
    x, y, z = turns.T / 2
    none = np.zeros_like(x)
    cross = np.array(((none, -z, y), (z, none, -x), (-y, x, none))).transpose(2, 0, 1)
    return np.asarray(np.linalg.solve(np.eye(3) - cross, np.eye(3) + cross), np.float64)


def _residuals(unknowns: Vectors, problem: _Problem) -> Vectors:
    """(k, n): the priors, then all measurements, in standard deviations and with large residuals damped."""
    seen, count = problem.measurements, len(unknowns)
    cameras = _build_cameras(unknowns, problem)
    px_per_width = problem.px_per_width
    parts = [_prior_residuals(unknowns, problem)]
    if seen.edges:
        spreads_px = np.concatenate([np.full(len(edge.points_px), edge.spread_px) for edge in seen.edges])
        parts.append(_damp(_edge_distances(unknowns, cameras, seen.edges) * (px_per_width / spreads_px)))
    if seen.tags_px is not None:
        off = _tag_distances(unknowns, cameras, seen.tags_px)
        parts.append(_damp(off.reshape(count, -1) * (px_per_width / seen.tag_spread_px)))
    if seen.circles is not None:
        off = _circle_distances(unknowns, cameras, seen.circles)
        # Errors of neighbouring points are correlated, so all points of a checker weigh as four.
        few = np.sqrt(4 * seen.circles.weights / np.maximum(seen.circles.weights.sum(axis=1, keepdims=True), 1))
        parts.append((_damp(off * (px_per_width / seen.circle_spread_px)) * few).reshape(count, -1))
    if seen.stacks is not None:
        parts.append(_stack_distances(unknowns, cameras, seen.stacks))
    if problem.outline_px is not None:
        off = _corners_px(unknowns, problem) - problem.outline_px.ravel()
        parts.append(_damp(off / (seen.outline_share * px_per_width)))
    return np.concatenate(parts, axis=1)


def _damp(off: NDArray[np.float64]) -> NDArray[np.float64]:
    """A robust residual: linear near zero and logarithmic for outliers."""
    return np.sign(off) * 2 * np.sqrt(np.log1p((off / 2) ** 2))


def _prior_residuals(unknowns: Vectors, problem: _Problem) -> Vectors:
    height_spread = 1e-6 if problem.height_is_known else HEIGHT_SPREAD * problem.start[HEIGHT]
    each = unknowns.T
    thickness = each[THICKNESS] / (2 * each[RADIUS])
    left, right = each[BAR]
    pitch = (1 - (right - left)) / (2 * POINTS_A_HALF)
    off_bar = each[BAR] - problem.start[BAR, None]
    if problem.measurements.stacks is None:
        bar = off_bar / 1e-6
    elif problem.measurements.bar_share is not None:
        bar = _damp(off_bar / problem.measurements.bar_share)
    else:
        bar = np.array(
            [
                (right - left - BAR_SHARE) / BAR_SPREAD,
                ((left + right) / 2 - 0.5) / BAR_MIDDLE_SPREAD,
                np.minimum(0.0, right - left) / LEAST_BAR_SPREAD,
            ]
        )
    return np.array(
        [
            *(each[TURN] * 1e-3),
            (each[FOCAL] - np.log(USUAL_FOCAL_PER_WIDTH)) / FOCAL_SPREAD,
            each[K1] / K1_SPREAD,
            *(each[CENTRE] / CENTRE_SPREAD),
            (each[HEIGHT] - problem.start[HEIGHT]) / height_spread,
            (each[RIM] - RIM_SHARE) / RIM_SPREAD,
            (each[TAG] - 0.04) * 1e-3,
            (each[RADIUS] / pitch - RADIUS_OF_PITCH) / RADIUS_SPREAD,
            (thickness - THICKNESS_SHARE) / THICKNESS_SPREAD,
            *bar,
        ]
    ).T


def _stack_distances(unknowns: Vectors, cameras: _Cameras, stacks: StackFaces) -> Vectors:
    """(k, 2n) in standard deviations: distances from the middle of the column, then from the depth in the stack."""
    points = cameras.to_board(stacks.middles_px, unknowns[:, THICKNESS, None])
    left, right = unknowns[:, BAR].T[..., None]
    in_left = stacks.columns <= POINTS_A_HALF
    along = (np.where(in_left, stacks.columns, stacks.columns - POINTS_A_HALF) - 0.5) / POINTS_A_HALF
    middles = np.where(in_left, left * along, right + (1 - right) * along)
    from_rim = np.where(stacks.is_lower, unknowns[:, HEIGHT, None] - points[..., 1], points[..., 1])
    pitch = (1 - (right - left)) / (2 * POINTS_A_HALF)
    across = (points[..., 0] - middles) / (COLUMN_SPREAD * pitch)
    inward = from_rim - (2 * stacks.depths + 1) * unknowns[:, RADIUS, None]
    inward = inward / (np.hypot(FROM_RIM_SPREAD, PER_CHECKER_SPREAD * stacks.depths) * pitch)
    places = stacks.columns + 12 * stacks.is_lower
    sizes = np.bincount(places)[places]
    worth = np.sqrt(np.minimum(STACK_WORTH, sizes) / sizes)
    return np.concatenate([_damp(across) * worth, _damp(inward) * worth * ~stacks.in_heap], axis=1)


def _edge_distances(unknowns: Vectors, cameras: _Cameras, edges: tuple[SideEdge, ...]) -> Vectors:
    """(k, n) widths: the distances of all points from their sides, to the right or down."""
    points = cameras.to_board(np.concatenate([edge.points_px for edge in edges]), np.zeros((1, 1)))
    side = np.concatenate([np.full(len(edge.points_px), edge.side) for edge in edges])
    across = np.where(side % 2 == 0, points[..., 1], points[..., 0])
    lines = np.zeros((4, len(unknowns)))
    lines[1], lines[2] = 1.0, unknowns[:, HEIGHT]
    return np.asarray(across - lines[side].T)


def _tag_distances(unknowns: Vectors, cameras: _Cameras, tags_px: NDArray[np.float64]) -> NDArray[np.float64]:
    """(k, n, 4, 2) widths: the distances of the corners of the tags from the best-fitting squares."""
    corners = cameras.to_board(tags_px.reshape(-1, 2), unknowns[:, RIM, None])
    corners = corners.reshape(len(unknowns), *tags_px.shape)
    return np.asarray(corners - _fit_squares(corners, unknowns[:, TAG, None]))


def _fit_squares(corners: NDArray[np.float64], side: NDArray[np.float64]) -> NDArray[np.float64]:
    """(k, n, 4, 2): the best-fitting square with its side (k, 1), for each four corners (k, n, 4, 2)."""
    middle = corners.mean(axis=2, keepdims=True)
    off = (corners - middle)[..., 0] + 1j * (corners - middle)[..., 1]
    model = np.array((-1 - 1j, 1 - 1j, 1 + 1j, -1 + 1j)) * side[..., None] / 2
    turn = (off * model.conj()).sum(axis=2)
    fitted = model * (turn / np.maximum(np.abs(turn), 1e-12))[..., None]
    return np.asarray(middle + np.stack([fitted.real, fitted.imag], axis=-1))


def _circle_distances(unknowns: Vectors, cameras: _Cameras, circles: Circles) -> NDArray[np.float64]:
    """(k, n, m) widths: the distance of each point outside the best-fitting circle with the common radius.

    The vectors lie close together, so that one step leads from the circles of the first to those of the others.
    """
    radii = unknowns[:, RADIUS]
    points = cameras.to_board(circles.points_px.reshape(-1, 2), unknowns[:, THICKNESS, None])
    points = points.reshape(len(unknowns), *circles.points_px.shape)
    middles = fit_circle_middles(points[0], circles.weights, float(radii[0]))
    off = points - _step_to_middles(points, circles.weights, middles, radii[:, None])[:, :, None]
    return np.asarray(np.hypot(off[..., 0], off[..., 1]) - radii[:, None, None])


def fit_circle_middles(points: NDArray[np.float64], weights: NDArray[np.float64], radius: float) -> Points:
    """(n, 2): the centres of circles with a common radius through (n, m, 2) points with weights (n, m).

    Gauss-Newton from the centre of a circle of free radius (Kasa, "A circle fitting procedure and its error analysis",
    1976), because the points may cover only half a circle.
    """
    mean = np.einsum("nm,nmk->nk", weights, points) / np.maximum(weights.sum(axis=1), 1e-9)[:, None]
    off = points - mean[:, None]
    table = np.einsum("nm,nmj,nmk->njk", weights, off, off) + 1e-6 * np.eye(2)
    right = np.einsum("nm,nmk,nm->nk", weights, off, (off**2).sum(axis=2))
    middles: Points = mean + np.linalg.solve(table, right[..., None])[..., 0] / 2
    for _ in range(5):
        middles = _step_to_middles(points, weights, middles, radius)
    return middles


def _step_to_middles(
    points: NDArray[np.float64],
    weights: NDArray[np.float64],
    middles: NDArray[np.float64],
    radius: float | NDArray[np.float64],
) -> NDArray[np.float64]:
    """(…, n, 2): a step of Gauss-Newton towards the centres of circles through (…, n, m, 2) points."""
    x, y = np.moveaxis(points - middles[..., None, :], -1, 0)
    distances = np.maximum(np.hypot(x, y), 1e-9)
    x, y = x / distances, y / distances
    far = weights * (distances - np.asarray(radius)[..., None])
    xx, yy = ((weights * each * each).sum(axis=-1) + 1e-6 for each in (x, y))
    xy = (weights * x * y).sum(axis=-1)
    by_x, by_y = (x * far).sum(axis=-1), (y * far).sum(axis=-1)
    step = np.stack([yy * by_x - xy * by_y, xx * by_y - xy * by_x], axis=-1)
    return np.asarray(middles + step / (xx * yy - xy**2)[..., None])


def _build_fit(unknowns: Vector, problem: _Problem) -> JointFit:
    projection = _build_projection(unknowns, problem)
    width = problem.field.width_mm
    left_mm, right_mm = (unknowns[BAR] * width).tolist()
    field = FieldShape.of_measured(width, float(unknowns[HEIGHT] * width), left_mm, right_mm)
    cameras, seen = _build_cameras(unknowns[None], problem), problem.measurements
    off = [np.zeros(0)]
    if seen.edges:
        distances = _edge_distances(unknowns[None], cameras, seen.edges)[0]
        limits = np.concatenate([np.full(len(edge.points_px), 4 * edge.spread_px) for edge in seen.edges])
        off.append(distances[np.abs(distances) * problem.px_per_width < limits] * width)
    if seen.tags_px is not None:
        far = _tag_distances(unknowns[None], cameras, seen.tags_px)[0]
        off.append(np.linalg.norm(far, axis=2).ravel() * width / np.sqrt(2))
    all_off = np.concatenate(off)
    return JointFit(
        projection=projection,
        field=field,
        rms_mm=float(np.sqrt((all_off**2).mean())) if len(all_off) else 0.0,
        rim_height_mm=float(unknowns[RIM] * width),
        checker_diameter_mm=float(2 * unknowns[RADIUS] * width),
        checker_thickness_mm=float(unknowns[THICKNESS] * width),
    )
