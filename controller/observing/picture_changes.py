"""What two pictures of a board say by themselves: where nothing changed nothing came and nothing went.

A reader may take a blot for two checkers, now and then or every time. The picture of a board whose position was found
out tells more: on a point no more can have come or gone since then than looks otherwise (`vision/checkers/point_changes.py`). Of 171
points of rendered sequences that changed, with dice and hands between the pictures, none shows less.
"""

from functools import lru_cache
from operator import eq

import numpy as np
from numpy.typing import NDArray

from controller.observing.board_evidence import BoardSeen, BoardView, Pair, cell_of
from controller.observing.likelihoods import EVERYDAY_TRUST, MOST, POINTS
from controller.observing.place_evidence import PLACES
from vision.board.board_reading import FULLY_VISIBLE_FROM
from vision.checkers.colour_classes import BAR
from vision.checkers.point_changes import PointChanges, point_changes
from vision.places import Place

# By so many nats a count becomes less likely for which more would have had to change than did. Of 357 rendered checkers
# each changes its picture (`vision/board/cached_reading.py`): at most one in 120 does not, with 95 percent certainty.
UNMOVED = 4.8
UNMOVED_HEAP = 2.8  # of heaps where nothing at all changed: of 261 drawn changes 8 show nothing,
TALL = 10  # all of them heaps of so many and more, which say nothing
# Of a full row or a heap that looks otherwise: nothing tells how many are on it now, and of 173 rendered ones that were not
# played from 47 look so too.
CHANGED_HEAP = 1.0
OTHER_COLOUR = 3.0  # nats, 20 to 1, from which a point was surely read in another colour
_LAYER = EVERYDAY_TRUST.high_from - 1  # checkers that lie side by side


def by_pictures(now: BoardSeen, before: BoardView, then: BoardSeen, stood: BoardView) -> NDArray[np.float32] | None:
    """(24, 16, 16), light x dark, read-only: nats, at most 0, against what does not fit what changed in the pictures.

    `stood` is what stood there `then`, and `before` what stood there before the turn that is judged. None where the
    pictures say nothing.
    """
    changes = _changes(then, now)
    if changes is None:
        return None
    nats = np.zeros((POINTS, MOST + 1, MOST + 1), np.float32)
    for number, (was, last) in enumerate(zip(before.points, stood.points, strict=True)):
        if was == last and _is_known(number, last, then, now):
            nats[number][_moved(was) > changes.most[number]] = -UNMOVED
            if changes.is_same[number] and max(last) < TALL:
                np.minimum(nats[number], -UNMOVED_HEAP, out=nats[number])
            is_heap = max(last) >= _LAYER and _is_alone(number, then, now)
            nats[number][was] = -CHANGED_HEAP if is_heap and changes.is_touched[number] else 0
    if not nats.any():
        return None
    nats.flags.writeable = False
    return nats


def is_borne_out(view: BoardView, legal: BoardView | None, now: BoardSeen, then: BoardSeen, stood: BoardView) -> bool:
    """Whether points differ from the legal board, and on each of them as much changed in the pictures as `view` says.

    Where there is no legal board, from `stood`.
    """
    other, changes = legal or stood, _changes(then, now)
    if changes is None or (view.bar, view.off, view.dark_above) != (other.bar, other.off, other.dark_above):
        return False
    differing = [number for number in range(POINTS) if view.points[number] != other.points[number]]
    return bool(differing) and all(
        max(*view.points[number], *stood.points[number]) <= _LAYER
        and _is_alone(number, then, now)
        and _is_known(number, stood.points[number], then, now)
        and changes.least[number] == changes.most[number] == _moved(stood.points[number])[view.points[number]]
        for number in differing
    )


def unexplained(view: BoardView, now: BoardSeen, then: BoardSeen, stood: BoardView) -> frozenset[Place]:
    """Points and bar that `view` has as they `stood`, though a part as long as a checker looks otherwise.

    Without those where more showed than checkers.
    """
    changes = _changes(then, now)
    if changes is None:
        return frozenset()
    as_it_stood = map(eq, (*view.points, view.bar), (*stood.points, stood.bar))
    return frozenset(PLACES[number] for number in _looking(changes.is_other & list(as_it_stood), now, then, stood))


def changed_points(now: BoardSeen, before: BoardView, then: BoardSeen, stood: BoardView) -> frozenset[int]:
    """Points, 0 to 23, that were `before` the turn as they `stood`, and look otherwise now.

    By a part as long as a checker; a full row or a heap by any part.
    """
    changes = _changes(then, now)
    if changes is None:
        return frozenset()
    is_changed = changes.is_other[:POINTS] | (changes.is_touched & [max(pair) >= _LAYER for pair in stood.points])
    return frozenset(_looking(is_changed & list(map(eq, before.points, stood.points)), now, then, stood))


def _looking(so: NDArray[np.bool_], now: BoardSeen, then: BoardSeen, stood: BoardView) -> list[int]:
    """Of 24 points, and the bar where it is asked about, those that look `so`, were known then, and show only checkers."""
    return [
        number
        for number in np.flatnonzero(so).tolist()
        if _is_alone(number, then, now)
        and (_is_in_view(BAR, then, now) if number == BAR else _is_known(number, stood.points[number], then, now))
    ]


@lru_cache(maxsize=4)
def _changes(then: BoardSeen, now: BoardSeen) -> PointChanges | None:
    return None if then.shown is None or now.shown is None else point_changes(then.shown, now.shown)


def _is_known(number: int, stood: Pair, then: BoardSeen, now: BoardSeen) -> bool:
    """Whether the point shows in both pictures, and then at least in the colour of what stood there, or nearly so.

    Surely in another colour it was read from another board: whoever says what stood says so after the next hand has moved.
    """
    cell, read = cell_of(stood), then.points[number]
    is_colour = cell is None or float(read[cell[0]].max()) >= float(read.max()) - OTHER_COLOUR
    return is_colour and _is_in_view(number, then, now)


def _is_in_view(number: int, then: BoardSeen, now: BoardSeen) -> bool:
    return float(min(then.visible[number], now.visible[number])) >= FULLY_VISIBLE_FROM


def _is_alone(number: int, then: BoardSeen, now: BoardSeen) -> bool:
    """Whether in both pictures nothing but checkers showed there."""
    return number not in then.disturbed and number not in now.disturbed


@lru_cache(maxsize=64)
def _moved(stood: Pair) -> NDArray[np.int64]:
    """(16, 16): for each pair, light x dark, how many checkers of the lowest layer are others then, at the least.

    Nothing is known of what lies on others: where both colours are, one pair differs from another by one at the least.
    """
    beside = np.minimum(np.arange(MOST + 1), _LAYER)
    light, dark = (min(count, _LAYER) for count in stood)
    moved = np.ones((MOST + 1, MOST + 1), np.int64)
    if not (light and dark):
        moved[:, 0] = np.maximum(beside, dark) if dark else np.abs(beside - light)
        moved[0, 1:] = np.maximum(beside[1:], light) if light else np.abs(beside[1:] - dark)
    return moved
