"""What showed the same when it was known what stood there is no news.

A reader that takes a heap of seven for the five of its lowest row, or a shadow for a second checker, does so again as
long as nothing changes there, in however many pictures. Weighed afresh each time, a few such places together would
speak for a breach, turn after turn. So a board is kept from the moment its position was found out, and where a place
still shows what it showed then, it speaks against what stood there then only as far as it does so more than then.
Where the picture itself is as it was, nothing came and nothing went, whatever is read there now (`picture_changes.py`).
And a heap of which only the lowest row was read shows no more when another checker is laid on it; one of three layers shows
no fewer either when one is taken from it.

It is also a record of how well this board is read: dark checkers on dark points may be misread wherever they go, and
what a reader gets wrong on places that it knows it gets wrong on the next one as well.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from controller.observing.board_evidence import BoardEvidence, BoardView, cell_of
from controller.observing.likelihoods import DEFAULT_TRUST
from controller.observing.picture_changes import compute_change_penalty, find_changed_points
from vision.board.board_reading import FULLY_VISIBLE_FROM
from vision.checkers.colour_classes import BAR


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceBoard:
    """A settled board, and what stood on it."""

    view: BoardView
    board: BoardEvidence


@lru_cache(maxsize=4)
def relative_to_reference(board: BoardEvidence, familiar: ReferenceBoard, before: BoardView) -> BoardEvidence:
    """`board` as far as it says other things about `before` than `familiar` did; the same board where that is all."""
    points, bar = board.points.copy(), board.bar.copy()
    visible = np.minimum(board.visible, familiar.board.visible) >= FULLY_VISIBLE_FROM
    for number, stands in enumerate(before.points):
        cell = cell_of(stands)
        if visible[number] and cell is not None and stands == familiar.view.points[number]:
            _discount_misread_stack(points[number], familiar.board.points[number], cell)
    if visible[BAR] and before.bar == familiar.view.bar:
        _discount_misreading(bar, familiar.board.bar, before.bar)
    shown = compute_change_penalty(board, before, familiar.board, familiar.view)
    changed = find_changed_points(board, before, familiar.board, familiar.view)
    if np.array_equal(points, board.points) and np.array_equal(bar, board.bar) and shown is None:
        return replace(board, changed=changed) if changed else board
    points.flags.writeable = bar.flags.writeable = False
    return replace(board, points=points, bar=bar, change_penalty=shown, changed=changed)


def count_misreadings(familiar: ReferenceBoard) -> int:
    """How many places in full view, of one colour and without a second layer, were read as something else."""
    board = familiar.board
    return sum(
        cell is not None
        and cell[1] < DEFAULT_TRUST.high_from
        and board.visible[number] >= FULLY_VISIBLE_FROM
        and divmod(int(board.points[number].argmax()), board.points.shape[2]) != cell
        for number, cell in enumerate(map(cell_of, familiar.view.points))
    )


def _discount_misread_stack(now: NDArray[np.float32], then: NDArray[np.float32], cell: tuple[int, int]) -> None:
    """Of a heap that was read as less than it is, as its lowest row: more upon it would be read so too.

    With three layers fewer would be too. With two they decide between a checker borne off and one laid down: what is seen
    must speak.
    """
    (colour, stands), (row, read) = cell, divmod(int(now.argmax()), now.shape[1])
    is_heap = stands >= DEFAULT_TRUST.high_from
    if _discount_misreading(now, then, cell) and is_heap and row == colour and read < stands:
        layer = DEFAULT_TRUST.high_from - 1
        may_stand = max(read, layer) if stands > 2 * layer else stands
        now[colour, may_stand:] = np.maximum(now[colour, may_stand:], now[cell])


def _discount_misreading(now: NDArray[np.float32], then: NDArray[np.float32], cell: tuple[int, int]) -> bool:
    """Whether the place shows what it showed then; it speaks against what stands there only as far as it does so more."""
    if now.argmax() != then.argmax():
        return False
    now[cell] = min(now[cell] + then.max() - then[cell], now.max())
    return True
