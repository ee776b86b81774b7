"""Random resting places for dice, on the whole board or within reach of a place."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.dice.readings import Contact
from vision.training.drawn_dice.ground import Ground, Mm
from vision.training.drawn_dice.light import Body
from vision.training.drawn_dice.resting_poses import (
    STEEPEST_DEG,
    LieGoal,
    RestingBody,
    WallEdge,
    classify_state,
    is_free,
    lean_against_wall,
    least_tilt_rad,
    rest_beside_wall,
    rest_on_ground,
    rest_over_edge,
    rotation,
)
from vision.training.drawn_dice.shape import Form, Shape

TRIES = 14
AT_WALL_TRIES = 45  # many tries, because most sides of a checker have a neighbour


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """A circle on the board; an infinite `radius_mm` means everywhere."""

    centre_mm: Mm
    radius_mm: float

    def holds(self, place_mm: Mm) -> bool:
        return bool(np.hypot(*(place_mm[:2] - self.centre_mm)) < self.radius_mm)


AT_WALLS = (LieGoal.BESIDE, LieGoal.OVER_EDGE, LieGoal.AGAINST_WALL)
CONTACT_GAP_MM = 0.3  # a smaller gap to a checker counts as contact
MOST_GAP_MM = 5.0
EVERYWHERE = Reach(np.zeros(2), np.inf)


def random_rest(
    rng: np.random.Generator, shape: Shape, lying: LieGoal, *, ground: Ground, others: Sequence[Body], reach: Reach
) -> RestingBody | None:
    """None when no place is found in a few tries, as on the bar of a board without one."""
    is_at_wall = lying in AT_WALLS
    for _ in range(AT_WALL_TRIES if is_at_wall else TRIES):
        if is_at_wall:
            # A die over the edge of another die tips over.
            walls = () if lying is LieGoal.OVER_EDGE else others
            found = _draw_edge(rng, ground, walls, reach)
            at_wall = _draw_rest_beside if lying is LieGoal.BESIDE else _draw_leaning_rest
            rest = None if found is None else at_wall(rng, shape, lying, ground, found)
        else:
            rest = _draw_level_rest(rng, shape, lying, ground, reach)
        if rest is not None and reach.holds(rest.body.middle_mm) and is_free(ground, rest.body, others):
            return rest
    return None


def _draw_level_rest(
    rng: np.random.Generator, shape: Shape, lying: LieGoal, ground: Ground, reach: Reach
) -> RestingBody | None:
    place, on_checker = _draw_place(rng, shape, lying, ground, reach)
    if place is None:
        return None
    height = on_checker if on_checker is not None else ground.height_at(place)
    turned = rotation(rng.uniform(0, 2 * np.pi), _small_tilt_rad(rng, shape, lying), _draw_direction(rng))
    body = rest_on_ground(shape, turned, place, height)
    contact = Contact.CHECKER if on_checker is not None else _contact_below(ground, place, lying)
    is_off = lying is LieGoal.OFF_BOARD
    state = classify_state(body, ground, height, is_off_board=is_off, on_checker=on_checker is not None)
    return RestingBody(body, state, contact, height)


def _small_tilt_rad(rng: np.random.Generator, shape: Shape, lying: LieGoal) -> float:
    """The tilt of a flat die: boards have cloth, grain and hinges. On checkers and rims the tilt is larger."""
    if lying is LieGoal.CRUMB:
        return float(np.radians(rng.uniform(2, 8)))
    if shape.form is not Form.BOX or rng.random() > 0.3:
        return 0.0
    if lying in (LieGoal.ON_CHECKER, LieGoal.ON_RIM) and rng.random() < 0.4:
        return float(np.radians(rng.uniform(3.5, 25)))
    return float(np.radians(min(abs(rng.normal(0, 0.8)), 2.9)))


def _contact_below(ground: Ground, place: Mm, lying: LieGoal) -> Contact:
    field = ground.field
    if lying is LieGoal.ON_RIM:
        return Contact.RIM
    is_over_bar = field.bar_left_mm < place[0] < field.bar_right_mm and 0 < place[1] < field.height_mm
    return Contact.BAR if is_over_bar else Contact.NOTHING


def _draw_direction(rng: np.random.Generator) -> Mm:
    angle = rng.uniform(0, 2 * np.pi)
    return np.array([np.cos(angle), np.sin(angle)])


def _draw_place_within(rng: np.random.Generator, low: Mm, high: Mm, reach: Reach) -> Mm | None:
    """A place in a rectangle and in reach."""
    if np.isfinite(reach.radius_mm):
        low = np.maximum(low, reach.centre_mm - reach.radius_mm)
        high = np.minimum(high, reach.centre_mm + reach.radius_mm)
    return rng.uniform(low, high) if (low < high).all() else None


def _draw_place(
    rng: np.random.Generator, shape: Shape, lying: LieGoal, ground: Ground, reach: Reach
) -> tuple[Mm | None, float | None]:
    """A place and, on a checker, the height of its top."""
    field, half = ground.field, shape.half_mm
    whole = np.array([field.width_mm, field.height_mm])
    if lying is LieGoal.ON_CHECKER:
        standing = [i for i in np.flatnonzero(ground.is_visible) if reach.holds(ground.centres_mm[i])]
        if not standing:
            return None, None
        index = int(rng.choice(standing))
        away = (ground.radii_mm[index] - 1.0) * np.sqrt(rng.random())
        return ground.centres_mm[index] + away * _draw_direction(rng), float(ground.tops_mm[index])
    if lying is LieGoal.ON_BAR:
        low, high = field.bar_left_mm + 1, field.bar_right_mm - 1
        if high - low < 4:
            return None, None
        return _draw_place_within(rng, np.array([low, half]), np.array([high, whole[1] - half]), reach), None
    if lying in (LieGoal.ON_RIM, LieGoal.OFF_BOARD):
        return _draw_place_outside(rng, ground, lying, reach), None
    return _draw_place_within(rng, np.array([half, half]), whole - half, reach), None


def _draw_place_outside(rng: np.random.Generator, ground: Ground, lying: LieGoal, reach: Reach) -> Mm | None:
    """Outside the field: on the rim, or farther."""
    heights, whole = ground.heights, np.array([ground.field.width_mm, ground.field.height_mm])
    near, far = 1.0, min(20.0, heights.rim_width_mm - 1.0)
    if lying is LieGoal.OFF_BOARD:
        near, far = max(25.0, heights.rim_width_mm + 9.0), heights.rim_width_mm + 120.0
    elif heights.rim_mm < 1 or far <= near:
        return None
    for _ in range(6):
        place = _draw_place_within(rng, np.array([-far, -far]), whole + far, reach)
        if place is None:
            return None
        beyond = float(np.maximum(-place, place - whole).max())
        if near <= beyond <= far:
            return place
        if not np.isfinite(reach.radius_mm):
            return _push_out(rng, place, whole, (near, far))
    return None


def _push_out(rng: np.random.Generator, place: Mm, whole: Mm, span: tuple[float, float]) -> Mm:
    axis, away = int(rng.integers(2)), rng.uniform(*span)
    moved = place.copy()
    moved[axis] = -away if rng.random() < 0.5 else whole[axis] + away
    return moved


def _draw_edge(
    rng: np.random.Generator, ground: Ground, others: Sequence[Body], reach: Reach
) -> tuple[WallEdge, float] | None:
    """A support to lean on, with the height of its foot."""
    kind = rng.random()
    if others and kind < 0.35:
        return _draw_side_of_die(rng, others[int(rng.integers(len(others)))])
    standing = [i for i in range(len(ground.radii_mm)) if reach.holds(ground.centres_mm[i])]
    if standing and kind < 0.8:
        index, into = int(rng.choice(standing)), _draw_direction(rng)
        centre, radius = ground.centres_mm[index], float(ground.radii_mm[index])
        return WallEdge(centre - radius * into, into, float(ground.tops_mm[index]), Contact.CHECKER, True), 0.0
    place = _draw_place_within(rng, np.zeros(2), np.array([ground.field.width_mm, ground.field.height_mm]), reach)
    return None if place is None else (_draw_wall(rng, ground, place), 0.0)


def _draw_side_of_die(rng: np.random.Generator, other: Body) -> tuple[WallEdge, float] | None:
    if other.rotation[2, 2] < 0.999 or other.shape.form is not Form.BOX:
        return None
    axis, sign = int(rng.integers(2)), float(rng.choice([-1, 1]))
    out = sign * other.rotation[:2, axis]
    floor = float(other.middle_mm[2]) - other.shape.half_mm
    place = other.middle_mm[:2] + out * other.shape.half_mm
    height = other.shape.size_mm - other.shape.edge_mm
    return WallEdge(place, -out / np.linalg.norm(out), height, Contact.NOTHING, False), floor


def _draw_wall(rng: np.random.Generator, ground: Ground, place: Mm) -> WallEdge:
    """A wall of rim or bar, beside a place in the field."""
    field, heights = ground.field, ground.heights
    walls = [((0.0, place[1]), (-1, 0)), ((field.width_mm, place[1]), (1, 0))]
    walls += [((place[0], 0.0), (0, -1)), ((place[0], field.height_mm), (0, 1))]
    bars = [((field.bar_left_mm, place[1]), (1, 0)), ((field.bar_right_mm, place[1]), (-1, 0))]
    has_bar = heights.bar_mm > 1 and field.bar_right_mm - field.bar_left_mm > 4
    is_bar = has_bar and rng.random() < 0.5
    at, into = (bars if is_bar else walls)[int(rng.integers(2 if is_bar else 4))]
    height, contact = (heights.bar_mm, Contact.BAR) if is_bar else (heights.rim_mm, Contact.RIM)
    return WallEdge(np.array(at), np.array(into, np.float64), height, contact, False)


def _draw_rest_beside(
    rng: np.random.Generator, shape: Shape, lying: LieGoal, ground: Ground, found: tuple[WallEdge, float]
) -> RestingBody | None:
    """A flat die that touches something: the network must not take a neighbour alone for a sign of leaning."""
    edge, floor = found
    gap_mm = min(float(rng.exponential(1.0)), MOST_GAP_MM) if rng.random() < 0.7 else 0.0
    turned = rotation(rng.uniform(0, 2 * np.pi), _small_tilt_rad(rng, shape, lying), _draw_direction(rng))
    if rng.random() < 0.4:  # one side flush with the wall
        flush_rad = float(np.arctan2(edge.into[1], edge.into[0]) + rng.normal(0, 0.04))
        turned = rotation(flush_rad, 0.0, _draw_direction(rng))
    aside = float(rng.normal(0, 0.25) * shape.size_mm)
    body = rest_beside_wall(shape, turned, edge, gap_mm=gap_mm, aside_mm=aside, floor_mm=floor)
    x, y, _ = body.middle_mm
    is_in_field = 0 < x < ground.field.width_mm and 0 < y < ground.field.height_mm
    if floor or not is_in_field or ground.height_at(body.middle_mm):  # another die may lie on something
        return None
    state = classify_state(body, ground, floor, is_off_board=False, on_checker=False)
    return RestingBody(body, state, edge.contact if gap_mm < CONTACT_GAP_MM else Contact.NOTHING, floor)


def _draw_leaning_rest(
    rng: np.random.Generator, shape: Shape, lying: LieGoal, ground: Ground, found: tuple[WallEdge, float]
) -> RestingBody | None:
    edge, floor = found
    if edge.height_mm < 1 or shape.form is not Form.BOX:
        return None
    along = np.arctan2(edge.into[1], edge.into[0])
    # With an edge or a corner ahead, or at any yaw.
    yaw = along + rng.choice([0, np.pi / 4, rng.uniform(0, np.pi)], p=[0.5, 0.15, 0.35]) + rng.normal(0, 0.04)
    aside = float(rng.normal(0, 0.25) * shape.size_mm)
    steepest = np.radians(STEEPEST_DEG)
    if lying is LieGoal.OVER_EDGE:
        least = least_tilt_rad(shape, edge, float(yaw))
        if least >= steepest:
            return None
        tilt = least + (steepest - least) * rng.random() ** 1.6 + 1e-3
        body = rest_over_edge(shape, edge, yaw_rad=float(yaw), tilt_rad=float(tilt), aside_mm=aside, floor_mm=floor)
    else:
        tilt = np.radians(rng.uniform(4, 42))
        body = lean_against_wall(shape, edge, yaw_rad=float(yaw), tilt_rad=float(tilt), aside_mm=aside, floor_mm=floor)
    if body is None:
        return None
    x, y, _ = body.middle_mm
    # A die whose middle is over the rim is outside the field; the rules of the labels name no state for it.
    if not (0 < x < ground.field.width_mm and 0 < y < ground.field.height_mm) and floor == 0:
        return None
    state = classify_state(body, ground, floor, is_off_board=ground.height_at(body.middle_mm) < 0, on_checker=False)
    return RestingBody(body, state, edge.contact, floor)
