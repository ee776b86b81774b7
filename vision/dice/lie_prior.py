"""The lie prior: factors on the probabilities of each lie, from the distances of a die to everything it could lean
on.

A die leans on something or lies flat: only crumbs and hinges tilt a die that touches nothing, and by a few degrees.
The farther everything is from a die, the less likely it leans; on a checker, the bar or the rim it lies only close to
these.

Between two things (checkers apart from each other, walls, dice) far more dice lean than beside one, and from above a
wedged die hardly shows it. But what holds it stands below it: the square that it would stand on if it lay flat
reaches into a checker or a wall.

Checkers count by their probability, since a die on a point may itself be detected as a checker. A checker that stood
there before the dice came was no die: where it still stands, hardly any die lies flat. A checker that is new since
the last scene without dice is rather the die itself, unless play went on in between.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.checkers import CheckerPositions, PositionsWithoutDice, estimate_radius_mm
from vision.dice.readings import FLAT_LIE, STILL_LIES, DieState
from vision.geometry.projection import FieldShape, Points, distances

# Largest factor of "flat" against other lies, for a die clear of everything. Statistical: no leaning die in the
# training renderings was clear, most flat ones were.
CLEAR_FLAT_FACTOR = 40.0
# Prior shift of "flat": nine in ten dice in play lie flat, under half in training. Capped far below that ratio,
# because to accept a leaning die is the worse error.
PRIOR_SHIFT_FLAT = 1.7
# Ramps, in die edges from the middle of the base: up to the first value a die may lean on the object, from the second
# on it cannot. Statistical for checkers and walls (measured on renderings), physical for dice: a die leans on a wall
# at 63 degrees with its middle 1.12 off, and half an edge more on another die.
CHECKER_LEAN_EDGES, WALL_LEAN_EDGES, DIE_LEAN_EDGES = (0.6, 1.0), (0.9, 1.3), (1.2, 1.7)
ON_CHECKER_EDGES = (0.1, 0.5)  # the ramp for lying on a checker, from its rim
# Beside a die of its own height hardly any die leans on it: factor of "flat" there, and the ramp below which one die
# lies on the other. Statistical.
BESIDE_DIE_FLAT_FACTOR, BESIDE_DIE_EDGES = 4.0, (0.6, 0.8)
HALF_A_DIE = 0.5  # die edges from its middle to a side
# Factor of "flat" on a checker, on one that stood there before the throw, and die edges inside its rim at which they
# hold in full. The first is not smaller, because the checker may be the die, misread. Statistical.
CHECKER_FLAT_FACTOR, OLD_CHECKER_FLAT_FACTOR, DEEP_EDGES = 0.3, 0.03, 0.3
# Probability that a checker was laid down between the last scene without dice and the throw (estimate), and checker
# radii that a die may have pushed a checker.
NEW_CHECKER_P, PUSHED_RADII = 0.1, 3.0
CHECKER_MATCH_RADII = 0.4  # checker radii within which two detections are the same checker; knob
# Probability from which a checker counts in full. Statistical: nearly every checker below a die has more.
FULL_WEIGHT_P = 0.2
# Die edges from its middle. An object counts in full as one of two up to the second value and not beyond the third;
# within the first it is below the die, or the die itself, misread.
LEAST_BETWEEN, BETWEEN_EDGES = 0.1, (0.65, 0.9)
APART_RADII = 1.5  # checker radii between two checkers that are not one checker detected twice
# Factor of "leaning" between two things where the room is unknown. Statistical, from simulated throws.
WEDGED_LEAN_FACTOR = 6.0
# Room in die edges: up to the first value there is none, from the second on enough; the factors of "leaning" then.
# The first factor is below the measured one, because an orientation wrong by five degrees makes 0.04 edges.
NO_ROOM, ENOUGH_ROOM, NO_ROOM_LEAN_FACTOR, ENOUGH_ROOM_LEAN_FACTOR = -0.1, 0.0, 20.0, 1.0


def compute_lie_prior(
    base_mm: tuple[float, float],
    edge_mm: float,
    positions: CheckerPositions,
    others_mm: Sequence[tuple[float, float]],
    *,
    before: PositionsWithoutDice | None = None,
    footprint: Callable[[], Points | None] | None = None,
) -> NDArray[np.float64]:
    """(6,) factors on the probabilities of STILL_LIES for a die of this edge with its base there.

    All are 0..1 except that of "cocked". `others_mm` are the bases of the other dice, `before` the checkers before
    the dice came. The nearest object and a second one as near decide about leaning, and the checkers below take a
    share of "flat". `footprint` gives the four corners of the square that the die would stand on; it is called only
    between two things.
    """
    now = positions if before is None or before.has_moved_since else _discount_new_checkers(positions, before.positions)
    walls_edges = _measure_wall_distances_mm(base_mm, positions.field) / edge_mm
    checkers_edges = (_measure_distances(base_mm, positions.middles_mm) - positions.radius_mm) / edge_mm
    counts = np.minimum(now.chances / FULL_WEIGHT_P, 1)
    leaning, on_checker = (
        float(
            (counts * _compute_flat_factor(checkers_edges, *reach) + (1 - counts) * CLEAR_FLAT_FACTOR).min(
                initial=CLEAR_FLAT_FACTOR
            )
        )
        for reach in (CHECKER_LEAN_EDGES, ON_CHECKER_EDGES)
    )
    wall = float(_compute_flat_factor(walls_edges, *WALL_LEAN_EDGES).min())
    dice_edges = _measure_distances(base_mm, np.reshape(others_mm, (-1, 2))) / edge_mm
    dice = np.maximum(
        _compute_flat_factor(dice_edges, *DIE_LEAN_EDGES),
        _compute_flat_factor(dice_edges, *BESIDE_DIE_EDGES, most=BESIDE_DIE_FLAT_FACTOR),
    )
    any_factor = min(leaning, wall, float(dice.min(initial=CLEAR_FLAT_FACTOR)))
    near_checkers = score_proximity(checkers_edges) * counts * now.is_seen
    near_dice = score_proximity(dice_edges - HALF_A_DIE)
    between = _compute_wedge_factor(now, near_checkers, score_proximity(walls_edges), near_dice, footprint)
    away_factors = {DieState.COCKED: any_factor / between, DieState.ON_CHECKER: on_checker}
    factors = np.array([1 / away_factors.get(lie, wall) for lie in STILL_LIES]) / PRIOR_SHIFT_FLAT
    factors[FLAT_LIE] = 1 - _compute_blocked_share(checkers_edges, now, before)
    return factors


def _measure_wall_distances_mm(at_mm: Sequence[float] | NDArray[np.float64], field: FieldShape) -> NDArray[np.float64]:
    """From the four rims, and from the bar if the board has one."""
    x_mm, y_mm = at_mm
    away_mm = [x_mm, field.width_mm - x_mm, y_mm, field.height_mm - y_mm]
    if field.has_bar:
        away_mm.append(max(field.bar_left_mm - x_mm, x_mm - field.bar_right_mm))
    return np.array(away_mm, np.float64)


def _compute_wedge_factor(
    positions: CheckerPositions,
    checkers: NDArray[np.float64],
    walls: NDArray[np.float64],
    dice: NDArray[np.float64],
    footprint: Callable[[], Points | None] | None,
) -> float:
    """Factor of "leaning" where a second object is as near as the first; 1 for a die with room beside a die."""
    middles_mm, near_checkers = positions.middles_mm[checkers > 0], checkers[checkers > 0]
    with_dice = score_wedge(middles_mm, near_checkers, np.append(walls, dice), positions.radius_mm)
    if not with_dice:
        return 1.0
    corners_mm = None if footprint is None else footprint()
    if corners_mm is None:
        return float(WEDGED_LEAN_FACTOR ** score_wedge(middles_mm, near_checkers, walls, positions.radius_mm))
    is_certain = positions.is_seen & (positions.chances >= FULL_WEIGHT_P)
    from_walls_mm = np.array(
        [_measure_wall_distances_mm(corner_mm, positions.field) for corner_mm in corners_mm], np.float64
    )
    walls_mm = from_walls_mm.min(axis=0)[walls > 0]
    radius_mm = estimate_radius_mm(positions.middles_mm[is_certain], positions.radius_mm)
    room_edges = measure_room_edges(corners_mm, positions.middles_mm[is_certain & (checkers > 0)], radius_mm, walls_mm)
    return float(compute_lean_factor(room_edges) ** with_dice)


def _discount_new_checkers(positions: CheckerPositions, before: CheckerPositions) -> CheckerPositions:
    """Checkers that are new since `before` get little probability, unless a die may have pushed one there."""
    away_mm = distances(positions.middles_mm, before.middles_mm)
    is_same = away_mm < CHECKER_MATCH_RADII * positions.radius_mm
    is_near = away_mm <= PUSHED_RADII * positions.radius_mm
    gone = before.chances * (1 - np.where(is_same, positions.chances[:, None], 0.0).max(axis=0, initial=0.0))
    pushed_here = np.where(is_near, gone[None], 0.0).max(axis=1, initial=0.0)
    may_be = np.maximum(_match_chances_before(positions, before), pushed_here).clip(min=NEW_CHECKER_P)
    return replace(positions, chances=may_be * positions.chances)


def _compute_blocked_share(
    checkers_edges: NDArray[np.float64], positions: CheckerPositions, before: PositionsWithoutDice | None
) -> float:
    """Share of "flat" that checkers take, by the distance of their rims from the die's middle (negative inside)."""
    deep = np.clip(-checkers_edges / DEEP_EDGES, 0, 1)
    taken = positions.chances * (1 - CHECKER_FLAT_FACTOR**deep)
    if before is not None:
        still_there = np.minimum(positions.chances, _match_chances_before(positions, before.positions))
        taken = np.maximum(taken, still_there * (1 - OLD_CHECKER_FLAT_FACTOR**deep))
    return float(taken.max(initial=0))


def _match_chances_before(positions: CheckerPositions, before: CheckerPositions) -> NDArray[np.float64]:
    """(n,): probability that a checker stood before where each stands now."""
    is_same = distances(positions.middles_mm, before.middles_mm) < CHECKER_MATCH_RADII * positions.radius_mm
    return np.asarray(np.where(is_same, before.chances[None], 0.0).max(axis=1, initial=0.0))


def _measure_distances(at_mm: tuple[float, float], middles_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.hypot(*(middles_mm - at_mm).T))


def _compute_flat_factor(
    away_edges: NDArray[np.float64], may_lean: float, cannot: float, most: float = CLEAR_FLAT_FACTOR
) -> NDArray[np.float64]:
    """Factors of "flat" by the distance from objects a die may lean on: a geometric ramp from 1 to `most`."""
    return np.asarray(most ** np.clip((away_edges - may_lean) / (cannot - may_lean), 0, 1))


def score_proximity(away_edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """0..1: how much an object at this distance from a die's middle counts as one of two that it lies between."""
    return np.asarray(np.interp(away_edges, BETWEEN_EDGES, (1, 0)) * (away_edges > LEAST_BETWEEN))


def score_wedge(
    middles_mm: NDArray[np.float64],
    near_checkers: NDArray[np.float64],
    near_others: NDArray[np.float64],
    radius_mm: float,
) -> float:
    """Score 0..1 that a die is wedged: the support of the second-nearest obstacle, over pairs of distinct objects.

    `middles_mm` (n, 2) are checkers with proximity `near_checkers` (n,). `near_others` holds two or more proximities
    of walls and dice, each of which is an object of its own.
    """
    are_two = distances(middles_mm, middles_mm) > APART_RADII * radius_mm
    seconds = np.where(are_two, np.minimum(near_checkers[:, None], near_checkers[None]), 0.0)
    first, second = np.sort(near_others)[:-3:-1]
    beside_other = np.minimum(near_checkers, first)
    return float(max(seconds.max(initial=0.0), beside_other.max(initial=0.0), second))


def measure_room_edges(
    corners_mm: Points, middles_mm: NDArray[np.float64], radius_mm: float, walls_mm: NDArray[np.float64]
) -> float:
    """Room from a square with these corners (4, 2) to the nearest checker (n, 2) or wall, in edges of the square.

    `walls_mm` are the distances of the walls from the square. Negative where it reaches into an object.
    """
    middle_mm = corners_mm.mean(axis=0)
    along_mm, across_mm = corners_mm[1] - corners_mm[0], corners_mm[3] - corners_mm[0]
    edge_mm = float(np.linalg.norm(along_mm))
    beyond = np.abs((middles_mm - middle_mm) @ np.array([along_mm, across_mm]).T) / edge_mm**2 - 0.5
    outside, inside = np.linalg.norm(beyond.clip(min=0), axis=1), beyond.max(axis=1).clip(max=0)
    return float(min(np.min(outside + inside - radius_mm / edge_mm, initial=np.inf), *(walls_mm / edge_mm), np.inf))


def compute_lean_factor(room_edges: float) -> float:
    """Factor of "leaning" between two things with this room, in die edges; log-linear between the two ends."""
    ends = np.log((NO_ROOM_LEAN_FACTOR, ENOUGH_ROOM_LEAN_FACTOR))
    return float(np.exp(np.interp(room_edges, (NO_ROOM, ENOUGH_ROOM), ends)))
