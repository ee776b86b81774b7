"""Change detection by point between two settled boards: what looks unchanged is unchanged.

A network may take one checker for two, turn after turn or only once. But a checker that comes or goes changes the
picture where it lies, whatever it is taken for: on a point, no more can have come or gone than the changed part has
room for. The converse is weak evidence, since a change may be a nudge, a die, a shadow or a lit LED.

The pictures are reduced straight-down views. A common factor of brightness is removed; a change must exceed the noise
of the two pictures. A board nudged by a millimetre differs nearly everywhere. Then one picture is registered to the
other first; if that fails, nothing is reported.
"""

from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.top_view import BAR_PX, FIELD_ROWS_PX, HALF_PX, MARGIN_PX, PITCH_PX

VIEW_SHRINK = 2  # factor of reduction: registration is still exact to a tenth of a millimetre
CELL_PX = 8 // VIEW_SHRINK  # a quarter of a point
POINTS, ROWS = 24, FIELD_ROWS_PX // VIEW_SHRINK // 2 // CELL_PX
CELLS_A_POINT = PITCH_PX // VIEW_SHRINK // CELL_PX
SLOTS = 5  # checkers side by side on a point
# A changed row, in squared grey levels and against the noise. Statistical: rows without a change stay below 3.
LEAST_SQUARED, OVER_NOISE = 25.0, 4.0
CHECKER_SQUARED = 255.0  # squared levels by which the least visible checker changes half a point; statistical
UNCHANGED_SQUARED, UNCHANGED_OVER_NOISE = 4.0, 3.0  # an unchanged row; statistical
# A touched row, and the number of them that a checker laid on a heap of its own colour touches. Statistical.
TOUCHED_SQUARED, TOUCHED_OVER_NOISE, TOUCHED_ROWS = 4.0, 8.0, 2
NEAR_LEDS = 1  # rows at the rim, which LEDs light
NOISE_MOST_SQUARED = 20.0  # with more noise nothing is reported
GAIN_MOST = 1.12  # nor with a larger change of brightness
LEAST_DIAMETER = 0.7  # of a checker, in widths of a point
MIN_UNCHANGED = 12  # with fewer unchanged points the pictures are registered first
MOST_POINTS = 9  # a play of four checkers that all hit changes nine points; beyond that nothing is reported
ANY_NUMBER = 15
WHITE = 255.0


@dataclass(frozen=True, slots=True, eq=False)
class PointChanges:
    """Changes by point, T1..T12, B1..B12: (24,) each, `is_changed` (25,) with the bar.

    `most`: largest number of checkers that came to the lowest layer or left it; ANY_NUMBER if unknown. `least`:
    number of checkers for which the change is large and long enough, if checkers changed. `is_unchanged`: the whole
    point looks the same. `is_touched`: a part of it surely differs by more than noise. `is_changed`: a part as long
    as a checker differs, whatever it is.
    """

    most: NDArray[np.int64]
    least: NDArray[np.int64]
    is_unchanged: NDArray[np.bool_]
    is_touched: NDArray[np.bool_]
    is_changed: NDArray[np.bool_]


def reduce_view(view: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(rows, columns, 3), read-only: the straight-down view (h, w, 3) BGR, VIEW_SHRINK times smaller."""
    height_px, width_px = view.shape[:2]
    size_px = width_px // VIEW_SHRINK, height_px // VIEW_SHRINK
    reduced = cv2.resize(view, size_px, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    reduced.flags.writeable = False
    return reduced


def compare_points(
    then: NDArray[np.uint8], now: NDArray[np.uint8], disturbed: frozenset[int] = frozenset()
) -> PointChanges:
    """Changes between two reduced views of the same board before the same camera.

    `disturbed`: points where a picture shows more than checkers, as dice; they do not count as points that a play changes.
    """
    changes = _compare_views(then, now)
    if changes.is_unchanged.sum() < MIN_UNCHANGED:
        aligned = _align_view(then, now)
        # Registration blurs, which may look like a touch.
        changes = _UNKNOWN if aligned is None else replace(_compare_views(then, aligned), is_touched=_NOWHERE)
    by_play = np.delete(changes.most, [number for number in disturbed if number < POINTS])
    return _UNKNOWN if (by_play > 0).sum() > MOST_POINTS else changes


def _align_view(then: NDArray[np.uint8], now: NDArray[np.uint8]) -> NDArray[np.uint8] | None:
    """`now` registered to `then` by enhanced correlation (Evangelidis and Psarakis 2008); None if that fails."""
    grey = [cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) for picture in (then, now)]
    start, until = np.eye(2, 3, dtype=np.float32), (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 30, 1e-4)
    try:
        _, warp = cv2.findTransformECC(*grey, start, cv2.MOTION_AFFINE, until, None, 3)  # type: ignore[call-overload]
    except cv2.error:  # no convergence
        return None
    aligned = cv2.warpAffine(
        now, warp, now.shape[1::-1], flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
    )
    return aligned.astype(np.uint8, copy=False)


def _compare_views(then: NDArray[np.uint8], now: NDArray[np.uint8]) -> PointChanges:
    before, after = _average_cells(then), _average_cells(now)
    gain = np.median(((after + 1) / (before + 1)).reshape(-1, 3), axis=0)
    squared = np.square(after - np.minimum(before * gain, WHITE)).mean(axis=2)
    noise = float(np.median(squared))
    if max(gain.max(), 1 / gain.min()) > GAIN_MOST or noise > NOISE_MOST_SQUARED:
        return _UNKNOWN
    rows = np.stack([_sample_point_middle(squared, number) for number in range(POINTS)])
    changed = _mark_changed(rows, noise)
    unlit = rows[:, NEAR_LEDS:]
    is_unchanged = np.asarray((unlit < max(UNCHANGED_SQUARED, UNCHANGED_OVER_NOISE * noise)).all(axis=1), np.bool_)
    touched = (unlit >= max(TOUCHED_SQUARED, TOUCHED_OVER_NOISE * noise)).sum(axis=1)
    by_length = np.floor(changed.sum(axis=1) / CELLS_A_POINT / LEAST_DIAMETER).astype(np.int64)
    least = np.array([_count_whole_checkers(row, noise) for row in rows], np.int64)
    is_changed = np.array(
        [_has_checker_length(one) for one in (*changed, _mark_changed(_sample_bar_middle(squared), noise))]
    )
    most = np.maximum(by_length, _count_changed_slots(changed))
    return PointChanges(most, least, is_unchanged, np.asarray(touched >= TOUCHED_ROWS, np.bool_), is_changed)


def _mark_changed(rows: NDArray[np.float32], noise: float) -> NDArray[np.bool_]:
    return np.asarray(rows >= max(LEAST_SQUARED, OVER_NOISE * noise), np.bool_)


def _has_checker_length(changed: NDArray[np.bool_]) -> bool:
    return bool(np.lib.stride_tricks.sliding_window_view(changed, CELLS_A_POINT).all(axis=1).any())


def _count_whole_checkers(along: NDArray[np.float32], noise: float) -> int:
    """Number of checkers for which the changed parts of a point are long enough, and changed enough inside."""
    rows = zip(_mark_changed(along, noise).tolist(), (along >= CHECKER_SQUARED).tolist(), strict=True)
    places = 0
    for is_changed, part in groupby(rows, key=itemgetter(0)):
        clear = [is_clear for _, is_clear in part]
        places += min(len(clear) // CELLS_A_POINT, sum(clear) // (CELLS_A_POINT - 1)) if is_changed else 0
    return places


def _average_cells(view: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(rows, columns, 3): the mean of CELL_PX x CELL_PX pixels each."""
    size = view.shape[1] // CELL_PX, view.shape[0] // CELL_PX
    return cv2.resize(view.astype(np.float32), size, interpolation=cv2.INTER_AREA).astype(np.float32, copy=False)


def _sample_point_middle(cells: NDArray[np.float32], number: int) -> NDArray[np.float32]:
    """(ROWS,) along the middle of the point, from the rim on."""
    cell_px = VIEW_SHRINK * CELL_PX
    margin, column = MARGIN_PX // cell_px, number % (POINTS // 2)
    left = margin + column * CELLS_A_POINT + (BAR_PX // cell_px if column >= POINTS // 4 else 0)
    across = cells[:, left + 1 : left + CELLS_A_POINT - 1].mean(axis=1)
    top = margin if number < POINTS // 2 else margin + ROWS
    rows = np.asarray(across[top : top + ROWS], np.float32)
    return rows if number < POINTS // 2 else rows[::-1]


def _sample_bar_middle(cells: NDArray[np.float32]) -> NDArray[np.float32]:
    """(2 * ROWS,) along the middle of the bar, from the upper rim to the lower one."""
    cell_px = VIEW_SHRINK * CELL_PX
    top, left, width = MARGIN_PX // cell_px, (MARGIN_PX + HALF_PX) // cell_px, BAR_PX // cell_px
    return np.asarray(cells[top : top + 2 * ROWS, left + 1 : left + width - 1].mean(axis=1), np.float32)


def _count_changed_slots(changed: NDArray[np.bool_]) -> NDArray[np.int64]:
    """(24,) numbers of checker slots whose middle changed."""
    by_slot = changed[:, : SLOTS * CELLS_A_POINT].reshape(POINTS, SLOTS, CELLS_A_POINT)
    return np.asarray(by_slot[:, :, 1:-1].any(axis=2).sum(axis=1), np.int64)


_NOWHERE = np.zeros(POINTS, np.bool_)
_UNKNOWN = PointChanges(
    np.full(POINTS, ANY_NUMBER), np.zeros(POINTS, np.int64), _NOWHERE, _NOWHERE, np.append(_NOWHERE, [False])
)
