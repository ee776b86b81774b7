"""What a die might lean on: where checkers stand, and whether a die lies clear of all of it.

A die leans on something or lies flat: only crumbs and hinges tilt one that touches nothing, and by a few degrees
(vision.md). So where nothing is in reach of a die, that alone speaks for "flat". What is in reach is judged from both
opinions on checkers, the faces seen one by one and the counts of the points, and generously: a checker that may stand
there stands there.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.checkers import COUNTS, PLACES, ViewReading
from vision.geometry import FieldShape
from vision.rectify import columns_mm, rows_mm

# How much likelier "flat" becomes where a die lies clear. Measured on rendered pictures for training: of 153 dice that
# did not lie flat none was clear (so at most 2 %, with 95 % certainty), of 693 flat ones 83 % were.
FLAT_WHERE_CLEAR = 40.0
RADIUS_OF_PITCH = 0.5  # of a checker; most are a little smaller
IN_REACH_EDGES = 0.71  # from the middle of a die's base to its corner
SLACK_MM = 4.0  # of what was measured
# A die that leans on a wall stands with its foot away from it: the middle of its base is up to 1.12 edges off, at 63
# degrees, and that of a leaning die is not measured well.
WALL_EDGES = 1.3
MAY_STAND = 0.02  # probability from which a checker is reckoned with
IN_A_ROW = 6  # more lie on each other


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """Middles of all checkers that may stand there, (n, 2) in board mm, and the field around them."""

    middles_mm: NDArray[np.float64]
    radius_mm: float
    field: FieldShape


def standing_of(seen: ViewReading, field: FieldShape) -> Standing:
    """From the reading of the straight-down view."""
    across_mm, down_mm = columns_mm(field), rows_mm(field)
    radius_mm = RADIUS_OF_PITCH * field.pitch_mm
    middles = [
        (float(across_mm[_within(top.x_px, across_mm)]), float(down_mm[_within(top.y_px, down_mm)]))
        for top in seen.tops
    ]
    for place in range(PLACES):
        x_mm = field.point_middle_mm(place % 12 + 1)
        for number in range(min(most_checkers(seen.points[place]), IN_A_ROW)):
            along_mm = radius_mm * (2 * number + 1)
            middles.append((x_mm, along_mm if place < PLACES // 2 else field.height_mm - along_mm))
    return Standing(np.array(middles, np.float64).reshape(-1, 2), radius_mm, field)


def most_checkers(log_probabilities: NDArray[np.float32]) -> int:
    """The most that may stand on a point, of (31,): none, light x 1..15, dark x 1..15."""
    chances = np.exp(log_probabilities.astype(np.float64))
    by_count = np.append(chances[0], chances[1:COUNTS] + chances[COUNTS:])
    at_least = np.cumsum(by_count[::-1])[::-1]
    return int(np.flatnonzero(at_least >= MAY_STAND)[-1])


def _within(at_px: float, axis_mm: NDArray[np.float64]) -> int:
    return int(np.clip(round(at_px), 0, len(axis_mm) - 1))


def is_clear(
    base_mm: tuple[float, float], edge_mm: float, standing: Standing, others_mm: Sequence[tuple[float, float]]
) -> bool:
    """Whether a die of this edge whose base lies there can touch no checker, no wall and no other die."""
    field, (x_mm, y_mm) = standing.field, base_mm
    reach_mm, wall_mm = IN_REACH_EDGES * edge_mm + SLACK_MM, WALL_EDGES * edge_mm
    if not (wall_mm < x_mm < field.width_mm - wall_mm and wall_mm < y_mm < field.height_mm - wall_mm):
        return False
    if field.bar_left_mm - wall_mm < x_mm < field.bar_right_mm + wall_mm:
        return False
    if any(np.hypot(x_mm - x, y_mm - y) < 2 * reach_mm for x, y in others_mm):
        return False
    away_mm = np.hypot(*(standing.middles_mm - (x_mm, y_mm)).T)
    return bool((away_mm > standing.radius_mm + reach_mm).all())
