"""What two pictures of a board say by themselves: where nothing changed nothing came and nothing went.

A reader may take a blot for two checkers, now and then or every time. The picture of a board whose position was found
out tells more: on a point no more can have come or gone since then than looks otherwise (`vision/checkers/point_changes.py`). Of 171
points of rendered sequences that changed, with dice and hands between the pictures, none shows less.
"""

from functools import lru_cache
from operator import eq

import numpy as np
from numpy.typing import NDArray

from controller.observing.board_evidence import BoardEvidence, BoardView, Pair, cell_of
from controller.observing.likelihoods import DEFAULT_TRUST, MOST, POINTS
from controller.observing.place_evidence import PLACES
from vision.board.board_reading import FULLY_VISIBLE_FROM
from vision.checkers.colour_classes import BAR
from vision.checkers.point_changes import PointChanges, compare_points
from vision.places import Place

# By so many nats a count becomes less likely for which more would have had to change than did. Of 357 rendered checkers
# each changes its picture (`vision/board/cached_reading.py`): at most one in 120 does not, with 95 percent certainty.
UNCHANGED_NATS = 4.8
UNCHANGED_HEAP_NATS = 2.8  # of heaps where nothing at all changed: of 261 drawn changes 8 show nothing,
TALL_HEAP = 10  # all of them heaps of so many and more, which say nothing
# Of a full row or a heap that looks otherwise: nothing tells how many are on it now, and of 173 rendered ones that were not
# played from 47 look so too.
CHANGED_HEAP_NATS = 1.0
OTHER_COLOUR_NATS = 3.0  # nats, 20 to 1, from which a point was surely read in another colour
_LAYER = DEFAULT_TRUST.high_from - 1  # checkers that lie side by side


def compute_change_penalty(
    now: BoardEvidence, before: BoardView, then: BoardEvidence, stood: BoardView
) -> NDArray[np.float32] | None:
    """(24, 16, 16), light x dark, read-only: nats, at most 0, against what does not fit what changed in the pictures.

    `stood` is what stood there `then`, and `before` what stood there before the turn that is judged. None where the
    pictures say nothing.
    """
    changes = _compute_changes(then, now)
    if changes is None:
        return None
    nats = np.zeros((POINTS, MOST + 1, MOST + 1), np.float32)
    for number, (was, last) in enumerate(zip(before.points, stood.points, strict=True)):
        if was == last and _is_comparable(number, last, then, now):
            nats[number][_count_changed_checkers(was) > changes.most[number]] = -UNCHANGED_NATS
            if changes.is_unchanged[number] and max(last) < TALL_HEAP:
                np.minimum(nats[number], -UNCHANGED_HEAP_NATS, out=nats[number])
            is_heap = max(last) >= _LAYER and _is_undisturbed(number, then, now)
            nats[number][was] = -CHANGED_HEAP_NATS if is_heap and changes.is_touched[number] else 0
    if not nats.any():
        return None
    nats.flags.writeable = False
    return nats


def is_supported_by_changes(
    view: BoardView, legal: BoardView | None, now: BoardEvidence, then: BoardEvidence, stood: BoardView
) -> bool:
    """Whether points differ from the legal board, and on each of them as much changed in the pictures as `view` says.

    Where there is no legal board, from `stood`.
    """
    other, changes = legal or stood, _compute_changes(then, now)
    if changes is None or (view.bar, view.off, view.dark_above) != (other.bar, other.off, other.dark_above):
        return False
    differing = [number for number in range(POINTS) if view.points[number] != other.points[number]]
    return bool(differing) and all(
        max(*view.points[number], *stood.points[number]) <= _LAYER
        and _is_undisturbed(number, then, now)
        and _is_comparable(number, stood.points[number], then, now)
        and changes.least[number]
        == changes.most[number]
        == _count_changed_checkers(stood.points[number])[view.points[number]]
        for number in differing
    )


def find_unexplained_places(
    view: BoardView, now: BoardEvidence, then: BoardEvidence, stood: BoardView
) -> frozenset[Place]:
    """Points and bar that `view` has as they `stood`, though a part as long as a checker looks otherwise.

    Without those where more showed than checkers.
    """
    changes = _compute_changes(then, now)
    if changes is None:
        return frozenset()
    as_it_stood = map(eq, (*view.points, view.bar), (*stood.points, stood.bar))
    return frozenset(
        PLACES[number] for number in _select_observable(changes.is_changed & list(as_it_stood), now, then, stood)
    )


def find_changed_points(now: BoardEvidence, before: BoardView, then: BoardEvidence, stood: BoardView) -> frozenset[int]:
    """Points, 0 to 23, that were `before` the turn as they `stood`, and look otherwise now.

    By a part as long as a checker; a full row or a heap by any part.
    """
    changes = _compute_changes(then, now)
    if changes is None:
        return frozenset()
    is_changed = changes.is_changed[:POINTS] | (changes.is_touched & [max(pair) >= _LAYER for pair in stood.points])
    return frozenset(_select_observable(is_changed & list(map(eq, before.points, stood.points)), now, then, stood))


def _select_observable(mask: NDArray[np.bool_], now: BoardEvidence, then: BoardEvidence, stood: BoardView) -> list[int]:
    """Of 24 points, and the bar where it is asked about, those that look `so`, were known then, and show only checkers."""
    return [
        number
        for number in np.flatnonzero(mask).tolist()
        if _is_undisturbed(number, then, now)
        and (_is_in_view(BAR, then, now) if number == BAR else _is_comparable(number, stood.points[number], then, now))
    ]


@lru_cache(maxsize=4)
def _compute_changes(then: BoardEvidence, now: BoardEvidence) -> PointChanges | None:
    return None if then.picture is None or now.picture is None else compare_points(then.picture, now.picture)


def _is_comparable(number: int, stood: Pair, then: BoardEvidence, now: BoardEvidence) -> bool:
    """Whether the point shows in both pictures, and then at least in the colour of what stood there, or nearly so.

    Surely in another colour it was read from another board: whoever says what stood says so after the next hand has moved.
    """
    cell, read = cell_of(stood), then.points[number]
    is_colour = cell is None or float(read[cell[0]].max()) >= float(read.max()) - OTHER_COLOUR_NATS
    return is_colour and _is_in_view(number, then, now)


def _is_in_view(number: int, then: BoardEvidence, now: BoardEvidence) -> bool:
    return float(min(then.visible[number], now.visible[number])) >= FULLY_VISIBLE_FROM


def _is_undisturbed(number: int, then: BoardEvidence, now: BoardEvidence) -> bool:
    """Whether in both pictures nothing but checkers showed there."""
    return number not in then.disturbed and number not in now.disturbed


@lru_cache(maxsize=64)
def _count_changed_checkers(stood: Pair) -> NDArray[np.int64]:
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
