"""Several looks at a board at rest, as one.

Looks of a still scene share their light, their shadows and their reader, and err together: a hundred are not a hundred
times as sure as one. So their log-likelihoods are averaged, not added. What one look alone gets wrong (a frame with
noise, a place half covered for a moment) is outvoted; nothing becomes surer than its looks were.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from controller.observing.board_evidence import BoardEvidence
from vision.board.board_reading import (
    FULLY_VISIBLE_FROM,
    NOT_AT_ALL_BELOW,
    VISIBLE_FROM,
    BoardReading,
    PairReading,
    PlaceReading,
)

_BOTH = 3  # the row of a point's table: both colours together, which most looks hold for impossible
_LEAST = -15.0  # against the likeliest: one look alone rules nothing out for good


@dataclass(frozen=True, slots=True, eq=False)
class ReadingTables:
    """One reading, as tables. `places` is what it was made from: a reading handed on has the very same."""

    places: tuple[PlaceReading | PairReading, ...]
    evidence: BoardEvidence


def tabulate_reading(reading: BoardReading, before: ReadingTables | None = None) -> ReadingTables:
    """The look that a reading is; where it is the one before, handed on for an unchanged picture, no new one."""
    places = tuple(reading.places.values())
    if before is not None and len(places) == len(before.places) and all(map(_is_identical, places, before.places)):
        return replace(before, evidence=replace(before.evidence, taken_ms=reading.taken_ms))
    return ReadingTables(places, make_evidence(reading))


def _is_identical(one: object, other: object) -> bool:
    return one is other


def is_repeat(look: ReadingTables, before: ReadingTables) -> bool:
    """Whether `look` is `before` handed on."""
    return look.places is before.places


def make_evidence(reading: BoardReading) -> BoardEvidence:
    """A single look."""
    points = [seen for _, seen in reading.points()]
    tray = reading.tray
    return BoardEvidence(
        points=_normalise_tables(np.stack([seen.log_likelihood for seen in points])),
        bar=_normalise_tables(reading.bar.log_likelihood[None])[0],
        tray=None if tray is None or tray.visible < VISIBLE_FROM else _normalise_tables(tray.log_likelihood[None])[0],
        visible=_freeze_table(np.array([*(seen.visible for seen in points), reading.bar.visible], np.float32)),
        frame_count=1,
        since_ms=reading.taken_ms,
        taken_ms=reading.taken_ms,
        picture=reading.view_thumbnail,
        disturbed=reading.disturbed,
    )


def pool_evidence(looks: Sequence[BoardEvidence]) -> BoardEvidence:
    """Looks at the same scene, the oldest first and one at least, as one: places that one of them hides the others tell."""
    if len(looks) == 1:
        return looks[0]
    visible = np.stack([look.visible for look in looks])
    points = np.stack([look.points for look in looks])
    told = np.isfinite(points[:, :, _BOTH]).any(axis=0)  # in one look at least, and perhaps not in the others
    points[:, :, _BOTH] = np.where(told, np.maximum(points[:, :, _BOTH], _LEAST), points[:, :, _BOTH])
    shares = np.clip((visible - NOT_AT_ALL_BELOW) / (FULLY_VISIBLE_FROM - NOT_AT_ALL_BELOW), 0.01, 1.0)
    shares /= shares.sum(axis=0)
    trays = [look.tray for look in looks if look.tray is not None]
    return BoardEvidence(
        points=_average_tables(points, shares[:, :-1, None, None]),
        bar=_average_tables(np.stack([look.bar for look in looks]), shares[:, -1, None, None]),
        tray=_average_tables(np.stack(trays), np.full((len(trays), 1, 1), 1 / len(trays), np.float32))
        if trays
        else None,
        visible=_freeze_table(visible.max(axis=0)),
        frame_count=len(looks),
        since_ms=looks[0].since_ms,
        taken_ms=looks[-1].taken_ms,
        picture=_select_picture(looks, visible.max(axis=0)),
        disturbed=frozenset().union(*(look.disturbed for look in looks)),
    )


def _select_picture(looks: Sequence[BoardEvidence], visible: NDArray[np.float32]) -> NDArray[np.uint8] | None:
    """The newest picture in which everything is in full view that is so in one of them."""
    hidden = visible < FULLY_VISIBLE_FROM
    whole = (look.picture for look in reversed(looks) if (hidden | (look.visible >= FULLY_VISIBLE_FROM)).all())
    return next(whole, None)


def _average_tables(tables: NDArray[np.float32], shares: NDArray[np.float32]) -> NDArray[np.float32]:
    """Over the first axis; what is impossible in one is so in all, for a table says that of nothing a place may hold."""
    return _freeze_table((tables * shares).sum(axis=0, dtype=np.float32))


def _normalise_tables(tables: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n, rows, columns): each table so that its exponentials sum to 1, with nothing possible below `_LEAST`."""
    best = tables.max(axis=(1, 2), keepdims=True)
    bounded = np.where(np.isfinite(tables), np.maximum(tables - best, np.float32(_LEAST)), tables)
    sums = np.exp(bounded).sum(axis=(1, 2), keepdims=True)
    return _freeze_table(bounded - np.log(sums))


def _freeze_table(table: NDArray[np.float32]) -> NDArray[np.float32]:
    table.flags.writeable = False
    return table
