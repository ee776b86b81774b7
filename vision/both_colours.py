"""Points on which checkers of both colours show: a hit checker not yet taken off, one put on a closed point.

The network knows one colour a point. But where the colours of all upper faces fall into two clear groups, each face tells
by itself to which of them it belongs, and a point whose faces belong to both is told so. That is rare, and dark faces in
glare look like light ones, so each face of such a point has to look as its group does: glare leaves others in between.
"""

import numpy as np
from numpy.typing import NDArray

from vision.checkers import COUNTS, PLACES, ViewReading
from vision.face_counts import SIDE_BY_SIDE
from vision.sides import FaceColours, colour_groups, odds_by_distance

RARE = -4.6  # log-odds of a point with both colours before its faces are looked at, 1 to 100
FACE_SAYS = 10.0  # the most that one face says, in nats
SPREADS_APART = 6.0  # standard deviations of a face's colour between the middles of the groups, at most
FULLY_VISIBLE = 0.8  # below it a hand may be what shows another colour
# A face belongs to a group for sure within so many times the median distance from its middle, which is never taken for less
# than LEAST_USUAL (weighted CIELAB). Of 6,840 rendered points of one colour 12 had faces of both; none had only such faces.
WITHIN, LEAST_USUAL = 2.0, 3.0
# Log-likelihood of a count, by how many more checkers lie there than faces show: on a full row others are covered.
MISSED, COVERED = -3.5, -0.7


def both_colours(faces: FaceColours, reading: ViewReading, doubted: frozenset[int]) -> NDArray[np.float32]:
    """(24, 16): log-likelihoods of so many checkers of both colours together, as `reading.points` has those of one.

    -inf where nothing speaks for it. On places that are `doubted` a face may be something else.
    """
    table = np.full((PLACES, COUNTS), -np.inf, np.float32)
    groups = colour_groups(faces)
    if groups is None:
        return table
    odds, is_clean = _odds(faces, groups)
    for place in range(PLACES):
        on_it = faces.place == place
        here = odds[on_it]
        for_both = min(float(here[here > 0].sum()), float(-here[here < 0].sum())) + RARE
        is_sure = place not in doubted and reading.visible[place] >= FULLY_VISIBLE and bool(is_clean[on_it].all())
        if for_both > 0 and is_sure:
            table[place] = float(reading.points[place].max()) + for_both + _counts(len(here))
    return table


def _odds(
    faces: FaceColours, groups: tuple[NDArray[np.float64], NDArray[np.float64]]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """(n,): of each face, the log-odds of the first group against the second, and whether it looks as its group does."""
    off = np.stack([np.linalg.norm(faces.lab - middle, axis=1) for middle in groups])
    spread = float(np.linalg.norm(groups[0] - groups[1])) / SPREADS_APART
    odds = odds_by_distance(off[0], off[1], spread, FACE_SAYS)
    is_first = odds > 0
    usual = [max(LEAST_USUAL, float(np.median(off[group][own]))) for group, own in enumerate((is_first, ~is_first))]
    return odds, np.where(is_first, off[0] <= WITHIN * usual[0], off[1] <= WITHIN * usual[1])


def _counts(faces: int) -> NDArray[np.float64]:
    """(16,): of so many checkers when so many faces show."""
    more = np.arange(COUNTS) - faces
    covered = np.where(more >= 0, COVERED * more, -np.inf)
    missed = np.where(np.abs(more) <= 1, MISSED * np.abs(more), -np.inf)
    told = np.where(np.arange(COUNTS) > SIDE_BY_SIDE, np.maximum(covered, missed), missed)
    told[:2] = -np.inf  # of both colours there are two at least
    return np.asarray(told - np.logaddexp.reduce(told))
