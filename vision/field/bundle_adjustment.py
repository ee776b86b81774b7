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
    start: Vector


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
    residuals = _residuals(unknowns, problem)
    damping = 1e-3
    for _ in range(rounds):
        slopes = _slopes(_residuals, unknowns, residuals, problem)
        normal = slopes.T @ slopes
        for _ in range(6):
            step = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), -slopes.T @ residuals)
            tried = _residuals(unknowns + step, problem)
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


def _slopes(
    function: Callable[[Vector, _Problem], Vector], unknowns: Vector, values: Vector, problem: _Problem
) -> NDArray[np.float64]:
    """(n, UNKNOWNS): the derivatives of a function, which has these values at the unknowns."""
    slopes = np.empty((len(values), UNKNOWNS))
    for index in range(UNKNOWNS):
        moved = unknowns.copy()
        moved[index] += 1e-6
        slopes[:, index] = (function(moved, problem) - values) / 1e-6
    return slopes


def _corner_spread_share(unknowns: Vector, problem: _Problem, normal: NDArray[np.float64]) -> float:
    """The standard deviation of the least certain corner from the normal matrix of the fit."""
    slopes = _slopes(_corners_px, unknowns, _corners_px(unknowns, problem), problem)
    variances = np.einsum("nu,uv,nv->n", slopes, np.linalg.pinv(normal, hermitian=True), slopes).reshape(4, 2)
    return float(np.sqrt(variances.sum(axis=1).max()) / problem.px_per_width)


def _corners_px(unknowns: Vector, problem: _Problem) -> Vector:
    """(8,): the corners of the field in the picture."""
    corners_mm = problem.field.corners_mm * (1, unknowns[HEIGHT] * problem.field.width_mm / problem.field.height_mm)
    return _build_projection(unknowns, problem).to_picture(corners_mm).ravel()


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
    return _Problem(measurements, field, height_is_known, turn, size_px, px_per_width, start)


def _build_projection(unknowns: Vector, problem: _Problem) -> Projection:
    centre = (np.array(problem.size_px) - 1) / 2 + unknowns[CENTRE] * max(problem.size_px)
    focal_px = float(np.exp(unknowns[FOCAL])) * max(problem.size_px)
    lens = Lens(focal_px, (float(centre[0]), float(centre[1])), float(unknowns[K1]))
    turn = _cayley_rotation(unknowns[TURN]) @ problem.turn
    place = unknowns[PLACE] * problem.field.width_mm
    behind = np.array((place[0], place[1], -place[2]))
    camera = np.array(((focal_px, 0, centre[0]), (0, focal_px, centre[1]), (0, 0, 1)))
    matrix = camera @ np.column_stack([turn[:, 0], turn[:, 1], -turn @ behind])
    homography = tuple((matrix / matrix[2, 2]).ravel().tolist())
    return Projection(lens, homography, (float(place[0]), float(place[1]), float(place[2])))


def _cayley_rotation(turn: Vector) -> NDArray[np.float64]:
    """The rotation by small angles about the three axes, in Cayley's form, which is exactly orthogonal."""
    x, y, z = turn / 2
    cross = np.array(((0, -z, y), (z, 0, -x), (-y, x, 0)))
    return np.linalg.solve(np.eye(3) - cross, np.eye(3) + cross)


def _residuals(unknowns: Vector, problem: _Problem) -> Vector:
    """(n,): the priors, then all measurements, in standard deviations and with large residuals damped."""
    seen, width = problem.measurements, problem.field.width_mm
    projection = _build_projection(unknowns, problem)
    mm_per_px = width / problem.px_per_width
    parts = [_prior_residuals(unknowns, problem)]
    if seen.edges:
        spreads_px = np.concatenate([np.full(len(edge.points_px), edge.spread_px) for edge in seen.edges])
        parts.append(_damp(_edge_distances(unknowns, projection, problem) / (spreads_px * mm_per_px)))
    if seen.tags_px is not None:
        corners = projection.to_board(seen.tags_px.reshape(-1, 2), unknowns[RIM] * width).reshape(-1, 4, 2)
        off = corners - _fit_squares(corners, unknowns[TAG] * width)
        parts.append(_damp(off.ravel() / (seen.tag_spread_px * mm_per_px)))
    if seen.circles is not None:
        off = _circle_distances(seen.circles, projection, unknowns[RADIUS] * width, unknowns[THICKNESS] * width)
        # Errors of neighbouring points are correlated, so all points of a checker weigh as four.
        few = np.sqrt(4 * seen.circles.weights / np.maximum(seen.circles.weights.sum(axis=1, keepdims=True), 1))
        parts.append((_damp(off / (seen.circle_spread_px * mm_per_px)) * few).ravel())
    if seen.stacks is not None:
        parts.append(_stack_distances(seen.stacks, unknowns, projection, width))
    if seen.outline is not None:
        corners_mm = problem.field.corners_mm * (1, unknowns[HEIGHT] * width / problem.field.height_mm)
        there_px = seen.outline.to_picture(problem.field.corners_mm)
        off = projection.to_picture(corners_mm) - there_px
        parts.append(_damp(off.ravel() / (seen.outline_share * problem.px_per_width)))
    return np.concatenate(parts)


def _damp(off: Vector) -> Vector:
    """A robust residual: linear near zero and logarithmic for outliers."""
    return np.sign(off) * 2 * np.sqrt(np.log1p((off / 2) ** 2))


def _prior_residuals(unknowns: Vector, problem: _Problem) -> Vector:
    height_spread = 1e-6 if problem.height_is_known else HEIGHT_SPREAD * problem.start[HEIGHT]
    thickness = unknowns[THICKNESS] / (2 * unknowns[RADIUS])
    left, right = unknowns[BAR]
    pitch = (1 - (right - left)) / (2 * POINTS_A_HALF)
    if problem.measurements.stacks is None:
        bar = (unknowns[BAR] - problem.start[BAR]) / 1e-6
    elif problem.measurements.bar_share is not None:
        bar = _damp((unknowns[BAR] - problem.start[BAR]) / problem.measurements.bar_share)
    else:
        bar = np.array(
            [
                (right - left - BAR_SHARE) / BAR_SPREAD,
                ((left + right) / 2 - 0.5) / BAR_MIDDLE_SPREAD,
                min(0.0, right - left) / LEAST_BAR_SPREAD,
            ]
        )
    return np.array(
        [
            *(unknowns[TURN] * 1e-3),
            (unknowns[FOCAL] - np.log(USUAL_FOCAL_PER_WIDTH)) / FOCAL_SPREAD,
            unknowns[K1] / K1_SPREAD,
            *(unknowns[CENTRE] / CENTRE_SPREAD),
            (unknowns[HEIGHT] - problem.start[HEIGHT]) / height_spread,
            (unknowns[RIM] - RIM_SHARE) / RIM_SPREAD,
            (unknowns[TAG] - 0.04) * 1e-3,
            (unknowns[RADIUS] / pitch - RADIUS_OF_PITCH) / RADIUS_SPREAD,
            (thickness - THICKNESS_SHARE) / THICKNESS_SPREAD,
            *bar,
        ]
    )


def _stack_distances(stacks: StackFaces, unknowns: Vector, projection: Projection, width_mm: float) -> Vector:
    """(2n,) in standard deviations: distances from the middle of the column, then from the depth in the stack."""
    points = projection.to_board(stacks.middles_px, unknowns[THICKNESS] * width_mm) / width_mm
    left, right = unknowns[BAR]
    in_left = stacks.columns <= POINTS_A_HALF
    along = (np.where(in_left, stacks.columns, stacks.columns - POINTS_A_HALF) - 0.5) / POINTS_A_HALF
    middles = np.where(in_left, left * along, right + (1 - right) * along)
    from_rim = np.where(stacks.is_lower, unknowns[HEIGHT] - points[:, 1], points[:, 1])
    pitch = (1 - (right - left)) / (2 * POINTS_A_HALF)
    across = (points[:, 0] - middles) / (COLUMN_SPREAD * pitch)
    inward = from_rim - (2 * stacks.depths + 1) * unknowns[RADIUS]
    inward = inward / (np.hypot(FROM_RIM_SPREAD, PER_CHECKER_SPREAD * stacks.depths) * pitch)
    places = stacks.columns + 12 * stacks.is_lower
    sizes = np.bincount(places)[places]
    worth = np.sqrt(np.minimum(STACK_WORTH, sizes) / sizes)
    return np.concatenate([_damp(across) * worth, _damp(inward) * worth * ~stacks.in_heap])


def _edge_distances(unknowns: Vector, projection: Projection, problem: _Problem) -> Vector:
    width = problem.field.width_mm
    distances = []
    for edge in problem.measurements.edges:
        points_mm = projection.to_board(edge.points_px)
        line_mm = (0.0, width, unknowns[HEIGHT] * width, 0.0)[edge.side]
        distances.append(points_mm[:, 1 - edge.side % 2] - line_mm)
    return np.concatenate(distances)


def _fit_squares(corners: NDArray[np.float64], side: float) -> NDArray[np.float64]:
    """(n, 4, 2): the best-fitting square with this side, for each four corners (n, 4, 2)."""
    middle = corners.mean(axis=1, keepdims=True)
    off = (corners - middle)[..., 0] + 1j * (corners - middle)[..., 1]
    model = np.array((-1 - 1j, 1 - 1j, 1 + 1j, -1 + 1j)) * side / 2
    turn = (off * model.conj()).sum(axis=1)
    fitted = model * (turn / np.maximum(np.abs(turn), 1e-12))[:, None]
    return np.asarray(middle + np.stack([fitted.real, fitted.imag], axis=-1))


def _circle_distances(
    circles: Circles, projection: Projection, radius_mm: float, height_mm: float
) -> NDArray[np.float64]:
    """(n, m) mm: the distance of each point outside the best-fitting circle with this radius at this height."""
    flat = projection.to_board(circles.points_px.reshape(-1, 2), height_mm)
    points, weights = flat.reshape(circles.points_px.shape), circles.weights
    away = np.linalg.norm(points - fit_circle_middles(points, weights, radius_mm)[:, None], axis=2)
    return np.asarray(away - radius_mm)


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
        off = points - middles[:, None]
        distances = np.maximum(np.linalg.norm(off, axis=2), 1e-9)
        slopes = -off / distances[..., None]
        table = np.einsum("nm,nmj,nmk->njk", weights, slopes, slopes) + 1e-6 * np.eye(2)
        right = np.einsum("nm,nmk,nm->nk", weights, slopes, distances - radius)
        middles = middles - np.linalg.solve(table, right[..., None])[..., 0]
    return middles


def _build_fit(unknowns: Vector, problem: _Problem) -> JointFit:
    projection = _build_projection(unknowns, problem)
    width = problem.field.width_mm
    left_mm, right_mm = (unknowns[BAR] * width).tolist()
    if right_mm < left_mm:  # no bar
        left_mm = right_mm = (left_mm + right_mm) / 2
    field = FieldShape(width, float(unknowns[HEIGHT] * width), left_mm, right_mm)
    off = [np.zeros(0)]
    if problem.measurements.edges:
        distances = _edge_distances(unknowns, projection, problem)
        limits = [np.full(len(edge.points_px), 4 * edge.spread_px) for edge in problem.measurements.edges]
        off.append(distances[np.abs(distances) < np.concatenate(limits) * width / problem.px_per_width])
    if problem.measurements.tags_px is not None:
        corners = projection.to_board(problem.measurements.tags_px.reshape(-1, 2), unknowns[RIM] * width).reshape(
            -1, 4, 2
        )
        squares = _fit_squares(corners, unknowns[TAG] * width)
        off.append(np.linalg.norm(corners - squares, axis=2).ravel() / np.sqrt(2))
    all_off = np.concatenate(off)
    return JointFit(
        projection=projection,
        field=field,
        rms_mm=float(np.sqrt((all_off**2).mean())) if len(all_off) else 0.0,
        rim_height_mm=float(unknowns[RIM] * width),
        checker_diameter_mm=float(2 * unknowns[RADIUS] * width),
        checker_thickness_mm=float(unknowns[THICKNESS] * width),
    )
