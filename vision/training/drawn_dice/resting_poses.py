"""Geometry of resting dice: flat, on crumbs, leaning on checkers, bar, rim and each other, on top of these, off the
board.

Board frame: x right, y down, z up, millimetres. A `RestingBody` touches exactly what its `contact` names.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from vision.dice.readings import Contact, DieState
from vision.training.drawn_dice.ground import Ground, Mm
from vision.training.drawn_dice.light import Body
from vision.training.drawn_dice.shape import Shape, distance, reach_mm

COCKED_DEG = 3.0  # a die at rest with a larger tilt is cocked
STEEPEST_DEG = 43.0
OVERLAP_MM = 0.25  # overlap that rounded edges may feign
_CUBE = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
_LATTICE = np.array(
    [p for p in np.ndindex(5, 5, 5) if 0 in p or 4 in p], np.float64
) / 2 - 1  # (98, 3): points on the faces of a cube of half width 1  # fmt: skip


class LieGoal(Enum):
    """How a die shall come to rest."""

    FLAT = "flat"
    BESIDE = "beside"  # flat, touching the side of a checker, the bar, the rim or another die, or nearly so
    CRUMB = "crumb"  # 2 to 8 degrees
    OVER_EDGE = "over_edge"  # the lower face on the upper edge of a checker, the bar or the rim
    AGAINST_WALL = "against_wall"  # the lower edge against the side of one of these, or of another die
    ON_CHECKER = "on_checker"
    ON_BAR = "on_bar"
    ON_RIM = "on_rim"
    OFF_BOARD = "off_board"


@dataclass(frozen=True, slots=True, eq=False)
class RestingBody:
    """A body at rest; `ground_mm` is the height of the surface under it."""

    body: Body
    state: DieState
    contact: Contact
    ground_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class WallEdge:
    """A vertical wall with its upper edge: a point on it, the direction (2,) into it, its height above the floor before
    it.
    """

    place_mm: Mm  # (2,)
    into: Mm  # (2,) unit
    height_mm: float
    contact: Contact
    is_round: bool


def rotation(yaw_rad: float, tilt_rad: float, towards: Mm) -> NDArray[np.float64]:
    """(3, 3) from the die's frame to the board's: a turn about the vertical, then a tilt of its upper face `towards`
    (2,).
    """
    turn = np.array(
        [(np.cos(yaw_rad), -np.sin(yaw_rad), 0), (np.sin(yaw_rad), np.cos(yaw_rad), 0), (0, 0, 1)], np.float64
    )
    x, y = -towards[1], towards[0]  # the tilt's axis: up x towards
    cross = np.array([(0, 0, y), (0, 0, -x), (-y, x, 0)], np.float64)
    tip = np.eye(3) + np.sin(tilt_rad) * cross + (1 - np.cos(tilt_rad)) * cross @ cross
    return np.asarray(tip @ turn, np.float64)


def tilt_deg(body: Body) -> float:
    """Tilt of the face nearest to upward."""
    return float(np.degrees(np.arccos(min(1.0, float(np.abs(body.rotation[2]).max())))))


def rest_on_ground(shape: Shape, turned: NDArray[np.float64], place_mm: Mm, ground_mm: float) -> Body:
    """The body with its middle over the place and its lowest point at that height."""
    height = ground_mm + reach_mm(shape, -turned[2])
    return Body(shape, turned, np.array([place_mm[0], place_mm[1], height]))


def rest_over_edge(
    shape: Shape, edge: WallEdge, *, yaw_rad: float, tilt_rad: float, aside_mm: float, floor_mm: float
) -> Body | None:
    """Lowest point on the floor, lower face on the upper edge of a wall; None when the edge misses the face."""
    turned = rotation(yaw_rad, tilt_rad, -edge.into)
    middle_mm = floor_mm + reach_mm(shape, -turned[2])
    top_mm = floor_mm + edge.height_mm
    # The lower face is the plane `normal . (point - middle) = -half`; the edge meets it this far uphill:
    uphill_mm = (np.cos(tilt_rad) * (top_mm - middle_mm) + shape.half_height_mm) / np.sin(tilt_rad)
    aside = np.array([-edge.into[1], edge.into[0]])
    place = edge.place_mm - uphill_mm * edge.into - aside_mm * aside
    body = Body(shape, turned, np.array([*place, middle_mm]))
    touched = turned.T @ (np.array([*edge.place_mm, top_mm]) - body.middle_mm)
    is_under = bool((np.abs(touched[:2]) <= shape.flat_mm).all())
    return body if is_under and uphill_mm > 0 else None


def least_tilt_rad(shape: Shape, edge: WallEdge, yaw_rad: float) -> float:
    """The tilt at which the far end of the lower face just reaches the edge; above a right angle if it cannot."""
    along = yaw_rad - np.arctan2(edge.into[1], edge.into[0])
    length = 2 * shape.flat_mm * (abs(np.cos(along)) + abs(np.sin(along)))
    return float(np.arcsin(edge.height_mm / length)) if edge.height_mm < length else 2.0


def lean_against_wall(
    shape: Shape, edge: WallEdge, *, yaw_rad: float, tilt_rad: float, aside_mm: float, floor_mm: float
) -> Body | None:
    """Lowest point on the floor, lower edge raised against a wall's side; None when the wall is too low."""
    turned = rotation(yaw_rad, tilt_rad, -edge.into)
    into = np.array([*edge.into, 0.0])
    lower = turned @ _CUBE[_CUBE[:, 2] < 0].T * shape.half_mm
    body = rest_on_ground(shape, turned, np.zeros(2), floor_mm)
    touching = lower[:, int(np.argmax(into @ lower))]
    if float(touching[2] + body.middle_mm[2]) > floor_mm + edge.height_mm:
        return None
    aside = np.array([-edge.into[1], edge.into[0]])
    # A round wall is met at its nearest point: the touching corner goes there.
    shift = float(aside @ touching[:2]) if edge.is_round else aside_mm
    place = edge.place_mm - reach_mm(shape, turned.T @ into) * edge.into - shift * aside
    return Body(shape, turned, np.array([*place, body.middle_mm[2]]))


def rest_beside_wall(
    shape: Shape, turned: NDArray[np.float64], edge: WallEdge, *, gap_mm: float, aside_mm: float, floor_mm: float
) -> Body:
    """Level on the floor, `gap_mm` before the wall."""
    into = np.array([*edge.into, 0.0])
    aside = np.array([-edge.into[1], edge.into[0]])
    away_mm = reach_mm(shape, turned.T @ into) + gap_mm
    return rest_on_ground(shape, turned, edge.place_mm - away_mm * edge.into - aside_mm * aside, floor_mm)


def classify_state(body: Body, ground: Ground, ground_mm: float, *, is_off_board: bool, on_checker: bool) -> DieState:
    """The state by the rules of the labels."""
    if is_off_board:
        return DieState.OFF_BOARD
    if tilt_deg(body) > COCKED_DEG:
        return DieState.COCKED
    x, y, _ = body.middle_mm
    field = ground.field
    if on_checker:
        return DieState.ON_CHECKER
    if not (0 < x < field.width_mm and 0 < y < field.height_mm):
        return DieState.ON_RIM
    is_over_bar = field.bar_left_mm < x < field.bar_right_mm
    return DieState.ON_BAR if is_over_bar and ground_mm >= 0 else DieState.FLAT


def is_free(ground: Ground, body: Body, others: Sequence[Body]) -> bool:
    """Whether the body penetrates no checker, wall or other die, and lies on no unlabelled object."""
    x, y, _ = body.middle_mm
    taken = ground.blocked_mm
    if (np.hypot(taken[:, 0] - x, taken[:, 1] - y) < taken[:, 2] + 0.8 * body.shape.size_mm).any():
        return False
    corners = body.rotation @ (_CUBE * _inset(body.shape)).T + body.middle_mm[:, None]
    return (
        not any(_overlap(body, other) for other in others)
        and not _intersects_walls(ground, corners)
        and not _intersects_checkers(ground, body, corners)
    )


def _inset(shape: Shape) -> float:
    """Half the width of the largest cube inside the rounded body, roughly."""
    rounded = shape.half_mm - 0.42 * shape.edge_mm - 0.05
    return float(min(rounded, shape.ball_mm / np.sqrt(3))) if shape.ball_mm else float(rounded)


def _overlap(one: Body, other: Body) -> bool:
    far = 0.87 * (one.shape.size_mm + other.shape.size_mm)
    if np.linalg.norm(one.middle_mm - other.middle_mm) > far:
        return False
    for a, b in ((one, other), (other, one)):
        lattice = a.rotation @ (_LATTICE * _inset(a.shape)).T + a.middle_mm[:, None]
        if float(distance(b.shape, b.to_own(lattice.astype(np.float32))).min()) < -OVERLAP_MM:
            return True
    return False


def _intersects_walls(ground: Ground, corners: Mm) -> bool:
    x, y, z = corners
    field, heights = ground.field, ground.heights
    beyond = np.maximum(np.maximum(-x, x - field.width_mm), np.maximum(-y, y - field.height_mm))
    in_rim = (beyond > OVERLAP_MM) & (beyond < heights.rim_width_mm - OVERLAP_MM) & (z < heights.rim_mm - OVERLAP_MM)
    in_bar = (x > field.bar_left_mm + OVERLAP_MM) & (x < field.bar_right_mm - OVERLAP_MM) & (beyond < 0)
    return bool((in_rim | (in_bar & (z < heights.bar_mm - OVERLAP_MM))).any())


def _intersects_checkers(ground: Ground, body: Body, corners: Mm) -> bool:
    away = np.hypot(*(ground.centres_mm - body.middle_mm[:2]).T)
    near = np.flatnonzero(away < ground.radii_mm + body.shape.size_mm)
    round_ = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    for index in near:
        centre, radius, top = ground.centres_mm[index], ground.radii_mm[index], ground.tops_mm[index]
        from_axis = np.hypot(corners[0] - centre[0], corners[1] - centre[1])
        if ((from_axis < radius - OVERLAP_MM) & (corners[2] < top - OVERLAP_MM)).any():
            return True
        shares = np.array([1.0, 1.0, 0.5])[:, None]
        heights = np.array([top, 0.6 * top, top])[:, None] + 0 * round_
        x = centre[0] + shares * radius * np.cos(round_)
        y = centre[1] + shares * radius * np.sin(round_)
        ring = np.stack([x.ravel(), y.ravel(), heights.ravel()]).astype(np.float32)
        if float(distance(body.shape, body.to_own(ring)).min()) < -OVERLAP_MM:
            return True
    return False
