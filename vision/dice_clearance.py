"""What a die might lean on: where checkers stand, and how far a die lies from all of it.

A die leans on something or lies flat: only crumbs and hinges tilt one that touches nothing, and by a few degrees
(vision.md). So the further everything is from a die, the more that alone speaks for "flat", up to where nothing is in
its reach. What stands there is judged from both opinions on checkers, the faces seen one by one and the counts of the
points, and generously: a checker that stands there with a small chance does so. One with hardly any counts for little,
for a die on a point is itself taken for a checker now and then.
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
# From the middle of a die's base, in edges: up to the first it may well lean on that, from the second on it cannot, and
# between them "flat" becomes likelier by degrees. Measured as the networks measure, in windows rendered for training: of
# 243 dice that leaned on a checker 12 stood 0.6 to 0.8 edges from its rim and none further off, of 698 flat ones beside
# checkers 110 and 551; of 39 that leaned on a wall one stood 0.8 to 0.9 off. By geometry a die may lean on a wall at 63
# degrees with its middle 1.12 off, and on another die half an edge more.
FROM_CHECKER_EDGES = (0.6, 1.0)
FROM_WALL_EDGES = (0.9, 1.3)
FROM_DIE_EDGES = (1.2, 1.7)
# Where a checker stands no die lies flat on the field: with its middle so many edges within the rim, flat is so many times
# likelier. Not less, for the checker may be the die itself, misread: on drawn tables four of five "checkers" below a die were.
IN_CHECKER, DEEP_EDGES = 0.3, 0.3
# Probability from which a checker is reckoned with, and from which on it counts in full. Of 101 dice in rendered pictures
# for training that lay or leaned on a checker, 100 had one in reach that was told with 0.5 and more.
MAY_STAND, STANDS = 0.02, 0.2
IN_A_ROW = 6  # more lie on each other


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """Middles of all checkers that may stand there, (n, 2) in board mm, with their probabilities, and the field around."""

    middles_mm: NDArray[np.float64]
    chances: NDArray[np.float64]  # (n,)
    radius_mm: float
    field: FieldShape


def standing_of(seen: ViewReading, field: FieldShape) -> Standing:
    """From the reading of the straight-down view."""
    across_mm, down_mm = columns_mm(field), rows_mm(field)
    radius_mm = RADIUS_OF_PITCH * field.pitch_mm
    found = [
        (float(across_mm[_within(top.x_px, across_mm)]), float(down_mm[_within(top.y_px, down_mm)]), top.score)
        for top in seen.tops
    ]
    for place in range(PLACES):
        x_mm = field.point_middle_mm(place % 12 + 1)
        for number, chance in enumerate(_chances_of_more(seen.points[place])[:IN_A_ROW]):
            along_mm = radius_mm * (2 * number + 1)
            found.append((x_mm, along_mm if place < PLACES // 2 else field.height_mm - along_mm, float(chance)))
    standing = np.array([one for one in found if one[2] >= MAY_STAND], np.float64).reshape(-1, 3)
    return Standing(standing[:, :2], standing[:, 2], radius_mm, field)


def _chances_of_more(log_probabilities: NDArray[np.float32]) -> NDArray[np.float64]:
    """(15,): that there are more than 0, 1, 2, … checkers on a point, of (31,): none, light x 1..15, dark x 1..15."""
    chances = np.exp(log_probabilities.astype(np.float64))
    by_count = chances[1:COUNTS] + chances[COUNTS:]
    return np.asarray(np.cumsum(by_count[::-1])[::-1])


def _within(at_px: float, axis_mm: NDArray[np.float64]) -> int:
    return int(np.clip(round(at_px), 0, len(axis_mm) - 1))


def likelier_flat(
    base_mm: tuple[float, float], edge_mm: float, standing: Standing, others_mm: Sequence[tuple[float, float]]
) -> float:
    """How many times likelier it is that a die of this edge whose base lies there lies flat: IN_CHECKER to FLAT_WHERE_CLEAR.

    `others_mm` are the bases of the other dice. What is nearest to leaning decides, and whether it lies on a checker.
    """
    field, (x_mm, y_mm) = standing.field, base_mm
    beside_bar_mm = max(field.bar_left_mm - x_mm, x_mm - field.bar_right_mm)
    wall_mm = min(x_mm, field.width_mm - x_mm, y_mm, field.height_mm - y_mm, beside_bar_mm)
    checkers_edges = (_away(base_mm, standing.middles_mm) - standing.radius_mm) / edge_mm
    dice_mm = _away(base_mm, np.reshape(others_mm, (-1, 2)))
    with_checkers = _likelier(checkers_edges, *FROM_CHECKER_EDGES)
    counts = np.minimum(standing.chances / STANDS, 1)
    below = standing.chances * (1 - IN_CHECKER ** np.clip(-checkers_edges / DEEP_EDGES, 0, 1))
    return float(1 - below.max(initial=0)) * min(
        float((counts * with_checkers + (1 - counts) * FLAT_WHERE_CLEAR).min(initial=FLAT_WHERE_CLEAR)),
        float(_likelier(np.array([wall_mm]) / edge_mm, *FROM_WALL_EDGES)[0]),
        float(_likelier(dice_mm / edge_mm, *FROM_DIE_EDGES).min(initial=FLAT_WHERE_CLEAR)),
    )


def _away(at_mm: tuple[float, float], middles_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.hypot(*(middles_mm - at_mm).T))


def _likelier(away_edges: NDArray[np.float64], may_lean: float, cannot: float) -> NDArray[np.float64]:
    """How many times, by the distance from what it may lean on."""
    return np.asarray(FLAT_WHERE_CLEAR ** np.clip((away_edges - may_lean) / (cannot - may_lean), 0, 1))
