"""What of the straight-down view can be read at all: its light, colour and focus, and the places that glare or haze hides.

The checker network answers for every picture, also for one that shows nothing, and then takes checkers for an empty board. So
the reading is unknown where the picture has not the quality for which the network was measured. All measures are taken in the
reduced view, whose pixels per point are the same for every board and camera.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.checkers import VIEW_SHRINK
from vision.geometry.top_view import BAR_PX, FIELD_ROWS_PX, HALF_PX, MARGIN_PX, PITCH_PX
from vision.pixels.picture_quality import (
    MOST_GLARE,
    Grey,
    PictureFault,
    find_picture_fault,
    mark_glare,
    measure_edges,
    measure_parts,
    take_percentile,
    to_grey,
)
from vision.places import POINTS

# Knobs, chosen like those of `picture_quality`. In brackets: the worst good picture or place.
LEAST_ROW_LIGHT = 0.42  # of a row over its neighbours, in its brightest part (0.52); bands of flickering light have 0.2
LEAST_LIT = 25.0  # levels of a part that shows bands; noise adds some two levels to a dark row
LEAST_SHARE = 0.22  # edges of a place over those of the board (0.25); behind haze checkers vanish below 0.2
_PLACE_PERCENT = 97  # of the edges of a place and half of each neighbour, so that a plain point has the edges beside it
_NEIGHBOUR_ROWS = 61 // VIEW_SHRINK  # about two points
_STEP = 2  # every second row and column suffices for a percentile
_ROWS, _HALF, _BAR, _PITCH = (length // VIEW_SHRINK for length in (FIELD_ROWS_PX, HALF_PX, BAR_PX, PITCH_PX))
_MARGIN = MARGIN_PX // VIEW_SHRINK
_PARTS = np.cumsum((_MARGIN, _HALF, _BAR, _HALF))  # beside the field, its halves, the bar


@dataclass(frozen=True, slots=True, eq=False)
class ViewQuality:
    """`readable`: (25,) 1 for each point and the bar that can be read, else 0; `fault`: why some or all cannot."""

    readable: NDArray[np.float32]
    fault: PictureFault | None = None


def measure_view_quality(reduced: NDArray[np.uint8]) -> ViewQuality:
    """Measures a reduced view (h, w, 3) BGR of `vision.checkers.reduce_view`."""
    rows = reduced[_MARGIN : _MARGIN + _ROWS]
    field = rows[:, _MARGIN : _MARGIN + 2 * _HALF + _BAR]
    halves = field[:, :_HALF], field[:, -_HALF:]  # a bar that is narrower than a point is drawn wider, with sharp edges
    greys = [to_grey(half) for half in halves]
    glare = mark_glare(field)
    quality = measure_parts(halves, greys, float(glare.mean()))
    fault = find_picture_fault(quality)
    if fault in (None, PictureFault.BLURRED) and _measure_row_light(rows) < LEAST_ROW_LIGHT:
        fault = PictureFault.BANDED
    if fault is not None:
        return ViewQuality(np.zeros(len(POINTS) + 1, np.float32), fault)
    is_glaring = _average_places(glare) > MOST_GLARE
    is_hazy = _measure_place_edges(greys) < LEAST_SHARE * quality.edge
    if is_glaring.any() or is_hazy.any():
        fault = PictureFault.TOO_BRIGHT if is_glaring.any() else PictureFault.HAZY
    return ViewQuality(np.where(is_glaring | is_hazy, 0.0, 1.0).astype(np.float32), fault)


def _measure_row_light(rows: NDArray[np.uint8]) -> float:
    """The least light of a row over the most in its neighbourhood, 0..1; light that falls off smoothly changes it little.

    A row of dark checkers is dark on one half of the board, or on both, but not on the bar and beside the field as well.
    """
    grey = to_grey(np.ascontiguousarray(rows[::_STEP, ::_STEP]))
    light = np.array([take_percentile(part, 90) for part in np.split(grey, _PARTS // _STEP, axis=1)], np.float32)
    light = np.asarray(cv2.blur(light, (3, 1), borderType=cv2.BORDER_REPLICATE), np.float32)
    window = np.ones((1, 2 * (_NEIGHBOUR_ROWS // (2 * _STEP)) + 1), np.uint8)
    most = np.maximum(cv2.dilate(light, window), 1)
    is_lit = most >= np.minimum(LEAST_LIT, most.max(axis=0))
    return float(np.where(is_lit, light / most, 0).max(axis=0).min())


def _average_places(marks: NDArray[np.bool_]) -> NDArray[np.float32]:
    """(25,): the marked share of each place."""
    shares = marks.astype(np.float32)
    columns, area = len(POINTS) // 4, cv2.INTER_AREA
    halves = [
        cv2.resize(half, (columns, 2), interpolation=area) for half in (shares[:, :_HALF], shares[:, _HALF + _BAR :])
    ]
    return np.append(np.concatenate(halves, axis=1).ravel(), shares[:, _HALF : _HALF + _BAR].mean()).astype(np.float32)


def _measure_place_edges(greys: Sequence[Grey]) -> NDArray[np.float32]:
    """(25,): the strong edges of each place, in levels per px; infinite for the bar, which may be plain."""
    beside = _PITCH // 2
    parts = [np.pad(measure_edges(grey), ((0, 0), (beside, beside)), "edge")[::_STEP, ::_STEP] for grey in greys]
    rows = [part.reshape(2, _ROWS // 2 // _STEP, -1) for part in parts]
    around = [
        half[:, :, left // _STEP : (left + 2 * _PITCH) // _STEP].reshape(2, -1)
        for half in rows
        for left in range(0, _HALF, _PITCH)
    ]
    strong = take_percentile(np.stack(around, axis=1), _PLACE_PERCENT)
    return np.append(strong.ravel(), np.inf).astype(np.float32)
