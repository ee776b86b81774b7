"""The checker network: likelihoods of what stands on each place, from the straight-down view.

A small convolutional network sees the whole view at once, since which side is the light one shows only in comparison.
It knows no rules and no totals, and may well report sixteen checkers.
"""

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.geometry.top_view import MARGIN_PX, VIEW_HEIGHT_PX, VIEW_WIDTH_PX
from vision.pixels.inference import log_softmax, run_network, sigmoid

PLACES = 24
CLASSES = 31  # none, light 1 to 15, dark 1 to 15
COUNTS = 16
FEATURES = 96  # inputs of the last layer, for each point
CELL_PX = 8
THICKNESS_OF_PITCH = 0.24  # physical: a checker is about 0.9 points wide and 0.27 of that thick
TOP_SCORE = 0.4  # knob: score from which a cell shows an upper face
# A face whose middle lies further beyond the upper or lower edge of the field is no checker but an LED on the rim: a checker at
# the rim has its middle a radius inside, and leans out by less than its height. Measured on 335 pictures: faces of checkers
# up to 2.4 px outside, lit LEDs from 9 px on.
LEAN_OUT_PX = 6.0
NMS_CELLS = 1.6  # two upper faces lie at least a quarter of a checker apart, and one excites neighbouring cells


@dataclass(frozen=True, slots=True)
class CheckerTop:
    """The upper face of a checker: its middle in the view and a score, 0 to 1."""

    x_px: float
    y_px: float
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class ViewReading:
    """The decoded output for one view. Places are T1 to T12, then B1 to B12."""

    points: NDArray[np.float32]  # (24, 31) log-probabilities: none, light 1 to 15, dark 1 to 15
    bar_light: NDArray[np.float32]  # (16,) log-probabilities of 0 to 15
    bar_dark: NDArray[np.float32]  # (16,)
    visible: NDArray[np.float32]  # (25,), points and bar: 0 covered, 1 in full view
    tops: tuple[CheckerTop, ...]
    features: NDArray[np.float32] | None = None  # (24, FEATURES), what the last layer reads for each point


def read_view(view: NDArray[np.uint8]) -> ViewReading:
    """Reads a view (VIEW_HEIGHT_PX, VIEW_WIDTH_PX, 3) BGR of `vision.geometry.top_view`.

    ValueError for another shape.
    """
    if view.shape != (VIEW_HEIGHT_PX, VIEW_WIDTH_PX, 3):
        raise ValueError(f"the view has shape {view.shape}, not {(VIEW_HEIGHT_PX, VIEW_WIDTH_PX, 3)}")
    points, bar, tops, features = run_network("checkers", view, ("points", "bar", "tops", "features"))
    flat = points.reshape(CLASSES + 1, PLACES)
    bar = bar.reshape(-1)
    return ViewReading(
        points=log_softmax(flat[:CLASSES].T),
        bar_light=log_softmax(bar[:COUNTS]),
        bar_dark=log_softmax(bar[COUNTS : 2 * COUNTS]),
        visible=sigmoid(np.append(flat[CLASSES], bar[-1]).astype(np.float32)),
        tops=_decode_tops(sigmoid(tops)),
        features=np.ascontiguousarray(features.reshape(FEATURES, PLACES).T),
    )


def _decode_tops(maps: NDArray[np.float32]) -> tuple[CheckerTop, ...]:
    """Non-maximum suppression: the best cells first; a cell near a better one shows the same face."""
    y_px = (np.arange(maps.shape[1])[:, None] + maps[2]) * CELL_PX - 0.5
    is_beside = (y_px < MARGIN_PX - LEAN_OUT_PX) | (y_px > VIEW_HEIGHT_PX - MARGIN_PX + LEAN_OUT_PX)
    rows, columns = np.nonzero((maps[0] > TOP_SCORE) & ~is_beside)
    order = np.argsort(-maps[0, rows, columns])
    rows, columns = rows[order], columns[order]
    scores, across, down = maps[:3, rows, columns].astype(np.float64)
    xs, ys = columns + across, rows + down
    is_near = np.square(xs[:, None] - xs) + np.square(ys[:, None] - ys) <= NMS_CELLS**2
    is_left = np.ones(len(xs), np.bool_)
    for number, near in enumerate(is_near):
        if is_left[number]:
            is_left[number + 1 :] &= ~near[number + 1 :]
    found = (each[is_left].tolist() for each in (xs * CELL_PX - 0.5, ys * CELL_PX - 0.5, scores))
    return tuple(itertools.starmap(CheckerTop, zip(*found, strict=True)))
