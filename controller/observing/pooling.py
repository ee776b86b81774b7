"""Pools several readings of a board at rest.

Readings of a still scene share light, shadows and reader, so their errors are correlated: a hundred readings are not a
hundred times as certain as one. Therefore log-likelihoods are averaged, not added. An error of a single reading (noise, a
place half covered for a moment) is outvoted, and nothing becomes more certain than its readings.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import is_

import numpy as np
from numpy.typing import NDArray

from controller.observing.board_evidence import BoardEvidence
from controller.observing.likelihoods import COUNTS
from vision.board.board_reading import (
    FULLY_VISIBLE_FROM,
    NOT_AT_ALL_BELOW,
    VISIBLE_FROM,
    BoardReading,
    PairReading,
    PlaceReading,
)

_BOTH = 3  # the row of a point's table for both colours together, which most readings hold for impossible
_LEAST = -15.0  # knob: nats below the best; no single reading excludes a content for good


@dataclass(frozen=True, slots=True, eq=False)
class ReadingTables:
    """One reading as evidence. `places` holds the readings it was made from; a cached reading has identical ones."""

    places: tuple[PlaceReading | PairReading, ...]
    evidence: BoardEvidence


def tabulate_reading(reading: BoardReading, before: ReadingTables | None = None) -> ReadingTables:
    """Converts a reading; a cached reading of an unchanged picture reuses the tables of `before`."""
    places = tuple(reading.places.values())
    if before is not None and len(places) == len(before.places) and all(map(is_, places, before.places)):
        return replace(before, evidence=replace(before.evidence, taken_ms=reading.taken_ms))
    return ReadingTables(places, make_evidence(reading))


def is_repeat(tables: ReadingTables, before: ReadingTables) -> bool:
    """Whether `tables` come from the same reading as `before`."""
    return tables.places is before.places


def make_evidence(reading: BoardReading) -> BoardEvidence:
    """The evidence of a single reading."""
    points = [seen for _, seen in reading.points()]
    bar, tray = reading.bar, reading.tray
    return BoardEvidence(
        points=_normalise_tables(np.stack([seen.log_likelihood for seen in points])),
        bar=_NO_BAR if bar is None else _normalise_tables(bar.log_likelihood[None])[0],
        tray=None if tray is None or tray.visible < VISIBLE_FROM else _normalise_tables(tray.log_likelihood[None])[0],
        visible=_freeze_table(
            np.array([*(seen.visible for seen in points), 0.0 if bar is None else bar.visible], np.float32)
        ),
        frame_count=1,
        since_ms=reading.taken_ms,
        taken_ms=reading.taken_ms,
        picture=reading.view_thumbnail,
        disturbed=reading.disturbed,
        has_bar=bar is not None,
    )


def pool_evidence(readings: Sequence[BoardEvidence]) -> BoardEvidence:
    """Pools at least one piece of evidence of the same scene, the oldest first; visible places complete hidden ones."""
    if len(readings) == 1:
        return readings[0]
    visible = np.stack([one.visible for one in readings])
    points = np.stack([one.points for one in readings])
    is_possible = np.isfinite(points[:, :, _BOTH]).any(axis=0)  # in at least one reading
    points[:, :, _BOTH] = np.where(is_possible, np.maximum(points[:, :, _BOTH], _LEAST), points[:, :, _BOTH])
    shares = np.clip((visible - NOT_AT_ALL_BELOW) / (FULLY_VISIBLE_FROM - NOT_AT_ALL_BELOW), 0.01, 1.0)
    shares /= shares.sum(axis=0)
    trays = [one.tray for one in readings if one.tray is not None]
    return BoardEvidence(
        points=_average_tables(points, shares[:, :-1, None, None]),
        bar=_average_tables(np.stack([one.bar for one in readings]), shares[:, -1, None, None]),
        tray=_average_tables(np.stack(trays), np.full((len(trays), 1, 1), 1 / len(trays), np.float32))
        if trays
        else None,
        visible=_freeze_table(visible.max(axis=0)),
        frame_count=len(readings),
        since_ms=readings[0].since_ms,
        taken_ms=readings[-1].taken_ms,
        picture=_select_picture(readings, visible.max(axis=0)),
        disturbed=frozenset().union(*(one.disturbed for one in readings)),
        has_bar=readings[-1].has_bar,
    )


def _select_picture(readings: Sequence[BoardEvidence], visible: NDArray[np.float32]) -> NDArray[np.uint8] | None:
    """The newest picture that fully shows every place that some picture fully shows."""
    hidden = visible < FULLY_VISIBLE_FROM
    whole = (one.picture for one in reversed(readings) if (hidden | (one.visible >= FULLY_VISIBLE_FROM)).all())
    return next(whole, None)


def _average_tables(tables: NDArray[np.float32], shares: NDArray[np.float32]) -> NDArray[np.float32]:
    """The weighted mean over the first axis; a content that is impossible in one table is impossible in the mean."""
    return _freeze_table((tables * shares).sum(axis=0, dtype=np.float32))


def _normalise_tables(tables: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n, rows, columns): normalises each table to a log-posterior with no possible entry below `_LEAST`."""
    best = tables.max(axis=(1, 2), keepdims=True)
    bounded = np.where(np.isfinite(tables), np.maximum(tables - best, np.float32(_LEAST)), tables)
    sums = np.exp(bounded).sum(axis=(1, 2), keepdims=True)
    return _freeze_table(bounded - np.log(sums))


def _freeze_table(table: NDArray[np.float32]) -> NDArray[np.float32]:
    table.flags.writeable = False
    return table


_NO_BAR = _normalise_tables(np.zeros((1, COUNTS, COUNTS), np.float32))[0]  # a bar that the board does not have
