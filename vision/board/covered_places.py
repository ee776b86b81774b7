"""Empty points that something covers: a hand, a sleeve, a cup or a card.

The empty points of one class, every second one counted from the rim inwards, look alike on a board. What differs from them
by more than they differ among each other, is thicker than a line or a shadow's edge, reaches in from the rim, and did not
lie there at the calibration, is neither the board nor a checker. Stains and carvings may do all that too, so it is evidence
against the network's opinion that the place is in view, and no proof.
"""

from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.checkers import VIEW_SHRINK, ViewReading, reduce_view
from vision.field.drift import decode_reference
from vision.geometry.calibration import Reference
from vision.geometry.projection import FieldShape
from vision.geometry.top_view import FIELD_ROWS_PX, HALF_PX, MARGIN_PX, PITCH_PX, view_map
from vision.places import POINTS

SHRINK = 2 * VIEW_SHRINK  # a point is 8 px wide: a finger is three of them thick
ROWS, PITCH, COLUMNS = FIELD_ROWS_PX // SHRINK // 2, PITCH_PX // SHRINK, len(POINTS) // 4

# Knobs, chosen on 729 empty points of 40 photographs and 142 drawn points that are covered by 0.4 and more.
LEAST_APART = 12.0  # in CIELAB from the usual empty point of the class
OVER_SPREAD = 2.5  # the same distance over that of the class's usual members; the larger one applies
LEAST_ALIKE = 3  # empty points of a class, below which none is usual
LEAST_AREA_PX = PITCH * PITCH // 2  # half a point squared: the tip of a finger
LEAST_HIDDEN_PX = PITCH * PITCH // 4  # of a place, where checkers stand: about a third of a checker
RIM_ROWS = 2  # a quarter of a point from the rim: what reaches so far came over it

# Statistical: nats, the log of 77 % of these covered points over 1.6 % of 570 empty ones on photographs, in which such an area
# is found (none of 452 on drawn boards).
COVERED_NATS = 3.9

Cells = NDArray[np.float32]  # (24, ROWS, PITCH, 3), each point from the rim inwards
_OPENING = np.ones((3, 3), np.uint8)
_INDICES = np.arange(len(POINTS))
_CLASSES = [_INDICES[each == (_INDICES % (2 * COLUMNS) + _INDICES // (2 * COLUMNS)) % 2] for each in (0, 1)]


def doubt_covered_places(
    seen: ViewReading, reduced: NDArray[np.uint8], reference: Reference | None, field: FieldShape
) -> ViewReading:
    """The reading with less visibility of points that are read as empty and have something foreign on them.

    `reduced`: the view (h, w, 3) BGR of `reduce_view` in which they were read. `reference`: the picture of the calibration.
    """
    is_empty = seen.points[:, 0] > np.log(0.5)
    visible = np.clip(seen.visible[: len(POINTS)], 1e-6, 1 - 1e-6).astype(np.float64)
    odds = visible / (1 - visible)
    is_doubtful = is_empty & (odds < np.exp(COVERED_NATS))  # others stay in view whatever lies there
    if not is_doubtful.any():
        return seen
    cells = _cut_cells(reduced)
    is_unlike = _mark_unlike(cells, is_empty) & is_empty[:, None, None]  # checkers are no bridge to the rim
    if reference is not None and is_unlike.any():
        is_unlike &= ~_mark_unchanged(cells, _cut_reference(reference, field))
    is_covered = _find_covered(is_unlike) & is_doubtful
    if not is_covered.any():
        return seen
    odds *= np.exp(-COVERED_NATS * is_covered)
    return replace(seen, visible=np.append(odds / (1 + odds), seen.visible[len(POINTS) :]).astype(np.float32))


def _cut_cells(reduced: NDArray[np.uint8]) -> Cells:
    size = reduced.shape[1] * VIEW_SHRINK // SHRINK, reduced.shape[0] * VIEW_SHRINK // SHRINK
    lab = cv2.cvtColor(cv2.resize(reduced, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2LAB).astype(np.float32)
    lab[..., 0] *= 100 / 255
    top, left, half = MARGIN_PX // SHRINK, MARGIN_PX // SHRINK, HALF_PX // SHRINK
    right = lab.shape[1] - left - half
    rows = [lab[top : top + ROWS], lab[top + ROWS : top + 2 * ROWS][::-1]]
    parts = [row[:, begin : begin + half].reshape(ROWS, COLUMNS, PITCH, 3) for row in rows for begin in (left, right)]
    return np.concatenate([part.transpose(1, 0, 2, 3) for part in parts])


def _mark_unlike(cells: Cells, is_empty: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(24, ROWS, PITCH): the pixels that look like no empty point of their class."""
    unlike = np.zeros(cells.shape[:3], np.bool_)
    for members in _CLASSES:
        empty = is_empty[members]
        if empty.sum() < LEAST_ALIKE:
            continue
        away = cells[members] - _find_middle(cells[members[empty]])
        apart = np.sqrt(np.square(away).sum(axis=3))
        spread = np.asarray(cv2.blur(_find_middle(apart[empty]), (3, 3)), np.float32)
        unlike[members] = apart > np.maximum(LEAST_APART, OVER_SPREAD * spread)
    return unlike


def _find_middle(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """The (lower) median along the first axis."""
    middle = (len(values) - 1) // 2
    return np.asarray(np.partition(values, middle, axis=0)[middle])


@lru_cache(maxsize=2)
def _cut_reference(reference: Reference, field: FieldShape) -> Cells:
    grey = cv2.cvtColor(decode_reference(reference), cv2.COLOR_GRAY2BGR).astype(np.uint8, copy=False)
    return _cut_cells(reduce_view(view_map(reference.projection.scale(1 / reference.shrink), field).warp(grey)))


def _mark_unchanged(now: Cells, then: Cells) -> NDArray[np.bool_]:
    """The pixels as light as at the calibration, apart from a common change of the light."""
    light, before = now[..., 0], np.maximum(then[..., 0], 1)
    return np.asarray(np.abs(light - np.median(light / before) * before) < LEAST_APART)


def _find_covered(is_unlike: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(24,): the points that an area which reaches in from the rim hides where checkers stand."""
    hidden = np.zeros(len(POINTS), np.int64)
    for half in (0, 1):
        upper, lower = (
            np.concatenate(list(is_unlike[first : first + COLUMNS]), axis=1)
            for first in (half * COLUMNS, (half + 2) * COLUMNS)
        )
        opened = cv2.morphologyEx(np.vstack([upper, lower[::-1]]).astype(np.uint8), cv2.MORPH_OPEN, _OPENING)
        _, areas, sizes, _ = cv2.connectedComponentsWithStats(opened, connectivity=4)
        entering = np.unique(np.concatenate([areas[:RIM_ROWS], areas[-RIM_ROWS:]]))
        large = [area for area in entering.tolist() if area and sizes[area, cv2.CC_STAT_AREA] >= LEAST_AREA_PX]
        covering = np.isin(areas, large)
        for row, part in enumerate((covering[: ROWS // 2], covering[-(ROWS // 2) :])):
            first = (half + 2 * row) * COLUMNS
            hidden[first : first + COLUMNS] = part.reshape(-1, COLUMNS, PITCH).sum(axis=(0, 2))
    return np.asarray(hidden >= LEAST_HIDDEN_PX)
