"""What a die might lean or lie on, and how likely it lies how by how far it lies from all of it.

A die leans on something or lies flat: only crumbs and hinges tilt one that touches nothing, and by a few degrees
(vision.md). So the further everything is from a die, the less likely it leans, and on a checker, the bar or the rim none
lies that is far from these; between two things a die leans where it has no room to lie flat (`between_things.py`). Checkers count
generously: one that stands there with a small chance does so (`standing.py`). One with hardly any counts for little, for a die on a
point is itself taken for a checker now and then. What stood there before the dice came no die was taken for: where it stands still,
hardly any lies flat on the field. That nothing stood there then says little of itself, for play may have gone on since; but if no
dice lay there since, what seems to stand there now is rather the die.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.checkers.occupancy import CheckerPositions, PositionsWithoutDice, estimate_radius_mm
from vision.dice.readings import FLAT_LIE, STILL_LIES, DieState
from vision.dice.wedge_prior import (
    WEDGED_LEAN_FACTOR,
    compute_lean_factor,
    measure_room_edges,
    score_proximity,
    score_wedge,
)
from vision.geometry.projection import FieldShape, Points, distances

# How much less likely another lie becomes where a die lies clear. Measured on rendered pictures for training: of 153 dice that
# did not lie flat none was clear (so at most 2 %, with 95 % certainty), of 693 flat ones 83 % were.
CLEAR_FLAT_FACTOR = 40.0
# How many times likelier flat is, against all else, than in the pieces that the networks learned from: there fewer than half of all
# dice lie flat, in play nine in ten. Far from all of that, for to accept what leans is the worse mistake: so many that of 879 dice
# in rendered windows that do not lie flat six are surely flat, which is no more than with networks that had seen fewer that lean; of
# 572 flat ones 93.5 %.
PRIOR_SHIFT_FLAT = 1.7
# From the middle of a die's base, in edges: up to the first it may well lean on that, from the second on it cannot, and
# between them "flat" becomes likelier by degrees. Measured as the networks measure, in windows rendered for training: of
# 243 dice that leaned on a checker 12 stood 0.6 to 0.8 edges from its rim and none further off, of 698 flat ones beside
# checkers 110 and 551; of 39 that leaned on a wall one stood 0.8 to 0.9 off. By geometry a die may lean on a wall at 63
# degrees with its middle 1.12 off, and on another die half an edge more.
CHECKER_LEAN_EDGES = (0.6, 1.0)
# Of 108 dice that lay on a checker in windows rendered for training 106 had the middle of their base, where it shows, no
# further than 0.01 edges outside its rim, one 0.25 and one 0.7.
ON_CHECKER_EDGES = (0.1, 0.5)
WALL_LEAN_EDGES = (0.9, 1.3)
DIE_LEAN_EDGES = (1.2, 1.7)
# Beside a die of its own height hardly any leans on it: of 62 that were let go against another and touched nothing else, 53 lay
# flat, where the networks learned from one in four that leans. Nearer than the first of these it lies on it.
BESIDE_DIE_FLAT_FACTOR, BESIDE_DIE_EDGES = 4.0, (0.6, 0.8)
HALF_A_DIE = 0.5  # edges from its middle to a side
# Where a checker stands no die lies flat on the field: with its middle so many edges within the rim, flat is so many times
# likelier. Not less, for the checker may be the die itself, misread: on drawn tables four of five "checkers" below a die were.
# One that stood there before any die did is none of the dice: what is left of "flat" is for a reader that errs twice alike.
CHECKER_FLAT_FACTOR, OLD_CHECKER_FLAT_FACTOR, DEEP_EDGES = 0.3, 0.03, 0.3
# Who lifts his dice has played, so between his last look at the board without dice and the next throw hardly a checker is
# laid down: an estimate, and a careful one. One that a die pushed stood no further off than so many radii, and is gone there.
# Of 520 drawn throws with a die on a checker or leaning on one 4 were accepted without knowing what stood, 2 with it, and 35
# where just that checker was kept from being known: so many of the one in a hundred that lie at one laid down since.
NEW_CHECKER_P, PUSHED_RADII = 0.1, 3.0
CHECKER_MATCH_RADII = 0.4  # of its radius; a checker that is told so near to where one was told before is that one
# Probability from which on a checker counts in full. Of 101 dice in rendered pictures for training that lay or leaned on a checker,
# 100 had one in reach that was told with 0.5 and more.
FULL_WEIGHT_P = 0.2


def compute_lie_prior(
    base_mm: tuple[float, float],
    edge_mm: float,
    positions: CheckerPositions,
    others_mm: Sequence[tuple[float, float]],
    *,
    before: PositionsWithoutDice | None = None,
    footprint: Callable[[], Points | None] | None = None,
) -> NDArray[np.float64]:
    """(6,) of STILL_LIES: how many times likelier each is for a die of this edge whose base lies there; 0..1 but for cocked.

    `others_mm` are the bases of the other dice; `stood` tells what stood there before the dice came. What is nearest to
    leaning decides, and whether a second thing is as near; of "flat" what may stand below the die takes its share. `footprint` is
    asked then for the four corners that the die would stand on if it lay flat.
    """
    now = positions if before is None or before.has_moved_since else _discount_new_checkers(positions, before.positions)
    walls_edges = _measure_wall_distances_mm(base_mm, positions.field) / edge_mm
    checkers_edges = (_measure_distances(base_mm, positions.middles_mm) - positions.radius_mm) / edge_mm
    counts = np.minimum(now.chances / FULL_WEIGHT_P, 1)
    leaning, lying = (
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
    anything = min(leaning, wall, float(dice.min(initial=CLEAR_FLAT_FACTOR)))
    near_checkers = score_proximity(checkers_edges) * counts * now.is_seen
    near_dice = score_proximity(dice_edges - HALF_A_DIE)
    between = _compute_wedge_factor(now, near_checkers, score_proximity(walls_edges), near_dice, footprint)
    clear = {DieState.COCKED: anything / between, DieState.ON_CHECKER: lying}
    likelier = np.array([1 / clear.get(lie, wall) for lie in STILL_LIES]) / PRIOR_SHIFT_FLAT
    likelier[FLAT_LIE] = 1 - _compute_blocked_share(checkers_edges, now, before)
    return likelier


def _measure_wall_distances_mm(at_mm: Sequence[float] | NDArray[np.float64], field: FieldShape) -> NDArray[np.float64]:
    """From the four rims, and from the bar where there is one."""
    x_mm, y_mm = at_mm
    away_mm = [x_mm, field.width_mm - x_mm, y_mm, field.height_mm - y_mm]
    if field.bar_right_mm > field.bar_left_mm:
        away_mm.append(max(field.bar_left_mm - x_mm, x_mm - field.bar_right_mm))
    return np.array(away_mm, np.float64)


def _compute_wedge_factor(
    standing: CheckerPositions,
    checkers: NDArray[np.float64],
    walls: NDArray[np.float64],
    dice: NDArray[np.float64],
    footprint: Callable[[], Points | None] | None,
) -> float:
    """How many times likelier a die leans than beside one thing, where a second one is as near, of things that count so much each.

    Beside another die it leans only where it has no room.
    """
    middles_mm, near_checkers = standing.middles_mm[checkers > 0], checkers[checkers > 0]
    with_dice = score_wedge(middles_mm, near_checkers, np.append(walls, dice), standing.radius_mm)
    if not with_dice:
        return 1.0
    corners_mm = None if footprint is None else footprint()
    if corners_mm is None:
        return float(WEDGED_LEAN_FACTOR ** score_wedge(middles_mm, near_checkers, walls, standing.radius_mm))
    stands = standing.is_seen & (standing.chances >= FULL_WEIGHT_P)
    from_walls_mm = np.array(
        [_measure_wall_distances_mm(corner_mm, standing.field) for corner_mm in corners_mm], np.float64
    )
    walls_mm = from_walls_mm.min(axis=0)[walls > 0]
    radius_mm = estimate_radius_mm(standing.middles_mm[stands], standing.radius_mm)
    room = measure_room_edges(corners_mm, standing.middles_mm[stands & (checkers > 0)], radius_mm, walls_mm)
    return float(compute_lean_factor(room) ** with_dice)


def _discount_new_checkers(standing: CheckerPositions, stood: CheckerPositions) -> CheckerPositions:
    """With little chance for a checker where none stood, and from where none is gone that a die may have pushed there."""
    away_mm = distances(standing.middles_mm, stood.middles_mm)
    is_same = away_mm < CHECKER_MATCH_RADII * standing.radius_mm
    is_near = away_mm <= PUSHED_RADII * standing.radius_mm
    gone = stood.chances * (1 - np.where(is_same, standing.chances[:, None], 0.0).max(axis=0, initial=0.0))
    pushed_here = np.where(is_near, gone[None], 0.0).max(axis=1, initial=0.0)
    may_be = np.maximum(_match_chances_before(standing, stood), pushed_here).clip(min=NEW_CHECKER_P)
    return replace(standing, chances=may_be * standing.chances)


def _compute_blocked_share(
    checkers_edges: NDArray[np.float64], standing: CheckerPositions, stood: PositionsWithoutDice | None
) -> float:
    """Which share of "flat" the checkers take whose rims are so far from the die's middle, negative where it is within."""
    deep = np.clip(-checkers_edges / DEEP_EDGES, 0, 1)
    taken = standing.chances * (1 - CHECKER_FLAT_FACTOR**deep)
    if stood is not None:
        still_there = np.minimum(standing.chances, _match_chances_before(standing, stood.positions))
        taken = np.maximum(taken, still_there * (1 - OLD_CHECKER_FLAT_FACTOR**deep))
    return float(taken.max(initial=0))


def _match_chances_before(standing: CheckerPositions, stood: CheckerPositions) -> NDArray[np.float64]:
    """(n,): that a checker stood then where each stands now."""
    is_same = distances(standing.middles_mm, stood.middles_mm) < CHECKER_MATCH_RADII * standing.radius_mm
    return np.asarray(np.where(is_same, stood.chances[None], 0.0).max(axis=1, initial=0.0))


def _measure_distances(at_mm: tuple[float, float], middles_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.hypot(*(middles_mm - at_mm).T))


def _compute_flat_factor(
    away_edges: NDArray[np.float64], may_lean: float, cannot: float, most: float = CLEAR_FLAT_FACTOR
) -> NDArray[np.float64]:
    """How many times likelier flat is, by the distance from what a die may lean on."""
    return np.asarray(most ** np.clip((away_edges - may_lean) / (cannot - may_lean), 0, 1))
