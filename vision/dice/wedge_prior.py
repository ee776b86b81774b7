"""A die between two things, checkers that stand apart, walls or other dice: whether there is room for it to lie flat.

Of 134,000 dice that were thrown in simulation onto boards in play and came to lie there 98 of 100 lie flat beside one thing
(0.5 to 0.7 edges off) and 71 of 100 between two, and from above one that leans there hardly shows it. But what holds it stands
below it: the square that it would stand on if it lay flat reaches into a checker or a wall. That needs to be known to a millimetre
or so, and with it how the die is turned and how large the checkers are.
"""

import numpy as np
from numpy.typing import NDArray

from vision.geometry.projection import Points, distances

# In edges from a die's middle: where the further of two things is no further than the second, the die is between them, from the
# third on no more; nearer than the first one of them is below it, or the die itself, misread.
LEAST_BETWEEN, BETWEEN_EDGES = 0.1, (0.65, 0.9)
APART_RADII = 1.5  # so far apart two checkers are not one that is told twice
# How many times likelier a die leans there than beside one thing, where nobody knows how much room there is.
WEDGED_LEAN_FACTOR = 6.0
# The same where it is known, in edges: up to the first there is none, and from the second on there is enough. Of 32 flat dice in
# rendered windows and on boards whose second thing is near 25 have enough and one is 0.1 short of it, of 34 that lean 5 and 20: 19
# times as many and 0.19, beside the other factor. That there is none counts for less than that, as a turn may be told five degrees
# wrong, which makes 0.04 edges.
NO_ROOM, ENOUGH_ROOM = -0.1, 0.0
NO_ROOM_LEAN_FACTOR, ENOUGH_ROOM_LEAN_FACTOR = 20.0, 1.0


def score_proximity(away_edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """0..1: how much a thing so far from a die's middle counts as one of two that it lies between."""
    return np.asarray(np.interp(away_edges, BETWEEN_EDGES, (1, 0)) * (away_edges > LEAST_BETWEEN))


def score_wedge(
    middles_mm: NDArray[np.float64],
    near_checkers: NDArray[np.float64],
    near_others: NDArray[np.float64],
    radius_mm: float,
) -> float:
    """0..1: how much the second of two different things counts, at best, of checkers (n, 2) and others that count so much (n,).

    Of the others two at least, of which each is another thing: the walls, and dice.
    """
    are_two = distances(middles_mm, middles_mm) > APART_RADII * radius_mm
    seconds = np.where(are_two, np.minimum(near_checkers[:, None], near_checkers[None]), 0.0)
    first, second = np.sort(near_others)[:-3:-1]
    beside_other = np.minimum(near_checkers, first)
    return float(max(seconds.max(initial=0.0), beside_other.max(initial=0.0), second))


def measure_room_edges(
    corners_mm: Points, middles_mm: NDArray[np.float64], radius_mm: float, walls_mm: NDArray[np.float64]
) -> float:
    """From the square with these corners (4, 2) to the nearest of checkers (n, 2), or of walls that lie so far from it.

    In edges of the square; less than 0 where it reaches into one.
    """
    middle_mm = corners_mm.mean(axis=0)
    along_mm, across_mm = corners_mm[1] - corners_mm[0], corners_mm[3] - corners_mm[0]
    edge_mm = float(np.linalg.norm(along_mm))
    beyond = np.abs((middles_mm - middle_mm) @ np.array([along_mm, across_mm]).T) / edge_mm**2 - 0.5
    outside, inside = np.linalg.norm(beyond.clip(min=0), axis=1), beyond.max(axis=1).clip(max=0)
    return float(min(np.min(outside + inside - radius_mm / edge_mm, initial=np.inf), *(walls_mm / edge_mm), np.inf))


def compute_lean_factor(room: float) -> float:
    """How many times likelier a die between two things leans that has so much room, in edges."""
    ends = np.log((NO_ROOM_LEAN_FACTOR, ENOUGH_ROOM_LEAN_FACTOR))
    return float(np.exp(np.interp(room, (NO_ROOM, ENOUGH_ROOM), ends)))
