"""Compensation of systematic misreadings by a reference board.

A reader that takes a stack of seven for the five of its lowest row, or a shadow for a second checker, repeats the error in
every picture until something changes there. Judged afresh each time, a few such places together would indicate a breach
in turn after turn. Therefore the evidence of a board is kept once its true position is known. Where a place still shows
what it showed then, its evidence against the known contents counts only as far as it exceeds the evidence of then.

Where the picture itself has not changed, no checker came or went, whatever is read there now (`picture_changes.py`). A
stack of which only the lowest row was read does not show another checker laid on it; a stack of three layers does not
show a checker taken from it either.

The reference board also measures how well this board is read: what the reader misreads where the contents are known, it
probably misreads elsewhere as well.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from controller import observing
from vision.board.board_reading import FULLY_VISIBLE_FROM
from vision.checkers import BAR


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceBoard:
    """A settled board whose true contents are known."""

    view: observing.BoardView
    board: observing.BoardEvidence


@lru_cache(maxsize=4)
def relative_to_reference(
    board: observing.BoardEvidence, familiar: ReferenceBoard, before: observing.BoardView
) -> observing.BoardEvidence:
    """`board`, its evidence against `before` reduced by what the reference `familiar` showed; the same object if unchanged."""
    points, bar = board.points.copy(), board.bar.copy()
    visible = np.minimum(board.visible, familiar.board.visible) >= FULLY_VISIBLE_FROM
    for number, stands in enumerate(before.points):
        cell = observing.cell_of(stands)
        if visible[number] and cell is not None and stands == familiar.view.points[number]:
            _discount_misread_stack(points[number], familiar.board.points[number], cell)
    if visible[BAR] and before.bar == familiar.view.bar:
        _discount_misreading(bar, familiar.board.bar, before.bar)
    shown = observing.compute_change_penalty(board, before, familiar.board, familiar.view)
    changed = observing.find_changed_points(board, before, familiar.board, familiar.view)
    renewed = observing.find_renewed_points(board, before, familiar.board, familiar.view)
    if np.array_equal(points, board.points) and np.array_equal(bar, board.bar) and shown is None:
        return replace(board, changed=changed, renewed=renewed) if changed else board
    points.flags.writeable = bar.flags.writeable = False
    return replace(board, points=points, bar=bar, change_penalty=shown, changed=changed, renewed=renewed)


def count_misreadings(familiar: ReferenceBoard) -> int:
    """How many places were misread, among those in full view with one colour and one layer."""
    board = familiar.board
    return sum(
        cell is not None
        and cell[1] < observing.DEFAULT_TRUST.high_from
        and board.visible[number] >= FULLY_VISIBLE_FROM
        and divmod(int(board.points[number].argmax()), board.points.shape[2]) != cell
        for number, cell in enumerate(map(observing.cell_of, familiar.view.points))
    )


def _discount_misread_stack(now: NDArray[np.float32], then: NDArray[np.float32], cell: tuple[int, int]) -> None:
    """Discounts a point; of a stack read as its lowest row only, larger counts become as likely as the true count.

    With three layers, smaller counts do too. With two layers a smaller count stays as read: it tells a checker that was
    borne off from one that was laid down.
    """
    (colour, stands), (row, read) = cell, divmod(int(now.argmax()), now.shape[1])
    is_stack = stands >= observing.DEFAULT_TRUST.high_from
    if _discount_misreading(now, then, cell) and is_stack and row == colour and read < stands:
        layer = observing.DEFAULT_TRUST.high_from - 1
        may_stand = max(read, layer) if stands > 2 * layer else stands
        now[colour, may_stand:] = np.maximum(now[colour, may_stand:], now[cell])


def _discount_misreading(now: NDArray[np.float32], then: NDArray[np.float32], cell: tuple[int, int]) -> bool:
    """Whether the place shows what it showed then; if so, its evidence against its known contents is reduced in place."""
    if now.argmax() != then.argmax():
        return False
    now[cell] = min(now[cell] + then.max() - then[cell], now.max())
    return True
