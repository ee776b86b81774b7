"""Evidence from the difference of two pictures: where nothing changed, no checker came or went.

A reader may read a blot as two checkers, sometimes or always. The picture of a board whose position is known gives further
evidence: on a point, at most as many checkers have come or gone since then as parts of its picture changed
(`vision/checkers/point_changes.py`).
"""

from functools import lru_cache
from operator import eq

import numpy as np
from numpy.typing import NDArray

from controller.observing.board_evidence import BoardEvidence, BoardView, Pair, cell_of
from controller.observing.likelihoods import DEFAULT_TRUST, MOST, POINTS
from controller.observing.place_evidence import PLACES
from vision.board.board_reading import FULLY_VISIBLE_FROM
from vision.checkers import BAR, PointChanges, compare_points
from vision.places import Place

# Statistical: the penalty of a count that requires more change than the picture shows (a checker comes or goes without a
# visible change in at most one of 120 cases).
UNCHANGED_NATS = 4.8
# Statistical: the same for a heap whose picture did not change at all. From TALL_HEAP checkers on, a change of the heap may
# be invisible, and there is no penalty.
UNCHANGED_HEAP_NATS = 2.8
TALL_HEAP = 10
# Statistical: the penalty of an unchanged count for a full row or a heap whose picture changed; more than a quarter of the
# heaps that nobody touched change as well.
CHANGED_HEAP_NATS = 1.0
# Knobs, chosen on photographs of one printed board under one camera, the only ones of the development set that show a board
# before and after a play. There a point that nobody touched both changes in the picture by a checker and loses this many nats
# of its reading in none of 586 cases; with a checker more or fewer it always does. More names fewer plays.
RENEWED_READING_NATS = 4.0
# By the rule of three, 586 cases without an error support a penalty of ln(586 / 3) = 5.3 nats at most. More names more plays.
RENEWED_NATS = 5.0
OTHER_COLOUR_NATS = 3.0  # knob: nats (20 to 1) from which a point counts as read in another colour
_LAYER = DEFAULT_TRUST.high_from - 1  # physical: the number of checkers that lie side by side


def compute_change_penalty(
    now: BoardEvidence, before: BoardView, then: BoardEvidence, stood: BoardView
) -> NDArray[np.float32] | None:
    """(24, 16, 16), light x dark, read-only: nats, at most 0, against pairs that do not fit the changes of the pictures.

    `stood` is the known board at the time of `then`, `before` the board before the turn that is judged. None if the
    pictures give no evidence.
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
    """Whether `view` differs from the legal board (from `stood` without one) only as much as the pictures changed.

    On each differing point, the picture must show exactly the change from `stood` to `view`.
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
    """Points and bar that `view` has unchanged since `stood` although a part as long as a checker changed in the picture.

    Places where a picture shows more than checkers are left out.
    """
    changes = _compute_changes(then, now)
    if changes is None:
        return frozenset()
    as_it_stood = map(eq, (*view.points, view.bar), (*stood.points, stood.bar))
    return frozenset(
        PLACES[number] for number in _select_observable(changes.is_changed & list(as_it_stood), now, then, stood)
    )


def find_changed_points(now: BoardEvidence, before: BoardView, then: BoardEvidence, stood: BoardView) -> frozenset[int]:
    """Points (0..23) that were unchanged `before` the turn since `stood` and whose picture has changed now.

    A change is a part as long as a checker, or any part of a full row or a heap.
    """
    changes = _compute_changes(then, now)
    if changes is None:
        return frozenset()
    is_changed = changes.is_changed[:POINTS] | (changes.is_touched & [max(pair) >= _LAYER for pair in stood.points])
    return frozenset(_select_observable(is_changed & list(map(eq, before.points, stood.points)), now, then, stood))


def find_renewed_points(now: BoardEvidence, before: BoardView, then: BoardEvidence, stood: BoardView) -> frozenset[int]:
    """Points (0..23) that were unchanged `before` the turn since `stood`, and where a checker surely came or went since.

    A part of the picture as large as a checker changed, and the reader is less sure of the former contents than it was,
    however badly it reads what is there now. Systematic misreadings do not count, because they were there `then` too.
    """
    changes = _compute_changes(then, now)
    if changes is None:
        return frozenset()
    is_renewed = [
        was == last and max(last) < _LAYER and _loses_reading(then.points[number], now.points[number], last)
        for number, (was, last) in enumerate(zip(before.points, stood.points, strict=True))
    ]
    return frozenset(_select_observable((changes.least > 0) & is_renewed, now, then, stood))


def _loses_reading(then: NDArray[np.float32], now: NDArray[np.float32], stood: Pair) -> bool:
    cell = cell_of(stood)
    return cell is not None and _measure_lead(then, cell) - _measure_lead(now, cell) >= RENEWED_READING_NATS


def _measure_lead(read: NDArray[np.float32], cell: tuple[int, int]) -> float:
    """The nats by which the log-posteriors (4, 16) prefer these contents to all others."""
    others = read.copy()
    others[cell] = -np.inf
    return float(read[cell] - others.max())


def _select_observable(mask: NDArray[np.bool_], now: BoardEvidence, then: BoardEvidence, stood: BoardView) -> list[int]:
    """The numbers in `mask` (24 points, optionally the bar) that both pictures show, with nothing but checkers."""
    return [
        number
        for number in np.flatnonzero(mask).tolist()
        if _is_undisturbed(number, then, now)
        and (_is_in_view(BAR, then, now) if number == BAR else _is_comparable(number, stood.points[number], then, now))
    ]


@lru_cache(maxsize=4)
def _compute_changes(then: BoardEvidence, now: BoardEvidence) -> PointChanges | None:
    if then.picture is None or now.picture is None:
        return None
    return compare_points(then.picture, now.picture, then.disturbed | now.disturbed)


def _is_comparable(number: int, stood: Pair, then: BoardEvidence, now: BoardEvidence) -> bool:
    """Whether the point is visible in both pictures, and was read `then` at least nearly in the colour that `stood` there.

    A point that was surely read in another colour shows another board: the position may be entered only after the next
    move has begun.
    """
    cell, read = cell_of(stood), then.points[number]
    is_colour = cell is None or float(read[cell[0]].max()) >= float(read.max()) - OTHER_COLOUR_NATS
    return is_colour and _is_in_view(number, then, now)


def _is_in_view(number: int, then: BoardEvidence, now: BoardEvidence) -> bool:
    return float(min(then.visible[number], now.visible[number])) >= FULLY_VISIBLE_FROM


def _is_undisturbed(number: int, then: BoardEvidence, now: BoardEvidence) -> bool:
    """Whether both pictures show nothing but checkers on the place."""
    return number not in then.disturbed and number not in now.disturbed


@lru_cache(maxsize=64)
def _count_changed_checkers(stood: Pair) -> NDArray[np.int64]:
    """(16, 16): for each pair, light x dark, the least number of checkers of the lowest layer that have changed.

    The upper layers are unknown: with both colours on the point, one pair differs from another by at least one checker.
    """
    beside = np.minimum(np.arange(MOST + 1), _LAYER)
    light, dark = (min(count, _LAYER) for count in stood)
    moved = np.ones((MOST + 1, MOST + 1), np.int64)
    if not (light and dark):
        moved[:, 0] = np.maximum(beside, dark) if dark else np.abs(beside - light)
        moved[0, 1:] = np.maximum(beside[1:], light) if light else np.abs(beside[1:] - dark)
    return moved
