"""Counting faces: a second opinion on how many checkers lie on a place.

The network judges a place as a whole, and so by the length of a row too, which misleads where checkers are smaller or
flatter against the board than those it learned from. It also marks the middle of each upper face, one by one and
whatever their size. Both opinions are weighed: the likelihood of a count is multiplied by that of seeing so many faces
when so many checkers lie there. Where a hand covers the place, faces say little: their word counts as far as the place can be seen.
"""

from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.checkers import COUNTS, PLACES, ViewReading
from vision.sides import BAR, place_at

# How often as many faces are found as there are checkers side by side, one more or less, and anything else; measured
# on drawn pictures, and made a little more doubtful than measured, for the two opinions share their first layers.
FOUND_ALL, FOUND_ONE_OFF, FOUND_OTHER = 0.92, 0.03, 0.002
# So many faces are never found on a sleeve; a heap looks like one at times.
IN_VIEW_FROM, IN_VIEW = 4, 0.7
SIDE_BY_SIDE = 5  # from here on checkers lie on each other, and faces are covered
# What is read as a full row of five, however surely, is at times a heap whose upper checkers hide the gaps: of 254 points
# rendered in the styles held apart that were read so with 0.99 and more, 17 were. Each more is half as likely.
HEAP_AS_ROW = 0.05
LEAST_LOG = -60.0  # of a probability; less is nothing


def with_faces(reading: ViewReading) -> ViewReading:
    """The reading with the counts of points and bar weighed by the faces that were found there.

    And what shows many faces is in view, whatever else was thought of it.
    """
    faces = np.zeros(PLACES + 1, np.int64)
    for top in reading.tops:
        place = place_at(top.x_px, top.y_px)
        if place is not None:
            faces[place] += 1
    likelihood = _likelihood()
    points = np.empty_like(reading.points)
    for place in range(PLACES):
        seen = likelihood[:, min(int(faces[place]), COUNTS - 1)]
        weighed = reading.points[place] + reading.visible[place] * np.concatenate([seen, seen[1:]])
        points[place] = _row_or_heap(weighed - np.logaddexp.reduce(weighed))
    in_view = np.where(faces >= IN_VIEW_FROM, np.maximum(reading.visible, IN_VIEW), reading.visible)
    reading = replace(reading, visible=np.asarray(in_view, np.float32))
    light, dark = _bar(reading, likelihood[:, min(int(faces[BAR]), COUNTS - 1)])
    return replace(reading, points=points, bar_light=light, bar_dark=dark)


def _row_or_heap(row: NDArray[np.float32]) -> NDArray[np.float32]:
    """(31,) log-probabilities, with some of what a row of five has given to what lies higher."""
    chances = np.exp(row.astype(np.float64))
    for five, highest in ((SIDE_BY_SIDE, COUNTS - 1), (COUNTS - 1 + SIDE_BY_SIDE, 2 * COUNTS - 2)):
        halves = 0.5 ** np.arange(highest - five)
        moved = HEAP_AS_ROW * chances[five]
        chances[five] -= moved
        chances[five + 1 : highest + 1] += moved * halves / halves.sum()
    return np.asarray(np.log(np.maximum(chances, np.exp(LEAST_LOG))), np.float32)


@lru_cache(maxsize=1)
def _likelihood() -> NDArray[np.float32]:
    """(16, 16) log-likelihood of so many faces (columns) when so many checkers lie there (rows)."""
    checkers, faces = np.arange(COUNTS)[:, None], np.arange(COUNTS)[None]
    off = np.abs(checkers - faces)
    table = np.where(off == 0, FOUND_ALL, np.where(off == 1, FOUND_ONE_OFF, FOUND_OTHER))
    # Of a heap any number of faces between a row and all of it may show.
    heap = (checkers > SIDE_BY_SIDE) & (faces >= SIDE_BY_SIDE - 1)
    table = np.where(heap, 0.12, table)
    return np.asarray(np.log(table / table.sum(axis=1, keepdims=True)), np.float32)


def _bar(reading: ViewReading, seen: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Both colours' counts, weighed by the faces there are of both together."""
    together = reading.bar_light[:, None] + reading.bar_dark[None]
    total = np.minimum(np.add.outer(np.arange(COUNTS), np.arange(COUNTS)), COUNTS - 1)
    together = together + reading.visible[BAR] * seen[total]
    together -= np.logaddexp.reduce(together, axis=None)
    return np.logaddexp.reduce(together, axis=1), np.logaddexp.reduce(together, axis=0)
