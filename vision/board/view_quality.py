"""What of the straight-down view can be read at all: its light, colour and focus, and the places that glare covers.

The checker network answers for every picture, also for one that shows nothing, and then takes checkers for an empty board. So
the reading is unknown where the picture has not the quality for which the network was measured. All measures are taken in the
view, whose pixels per point are the same for every board and camera.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.top_view import BAR_PX, FIELD_ROWS_PX, HALF_PX, MARGIN_PX, PITCH_PX
from vision.pixels.picture_quality import BLUR_PX, DARK_LEVEL, GLARE_LEVEL, STRONGEST_PERCENT, PictureFault
from vision.places import POINTS

# Knobs, chosen on 50 photographs of the development set (spoiled in many ways) between what all of them have and what lets
# the network call checkers "none" with 0.9 and more. In brackets: the worst good photograph.
LEAST_SHARPNESS = 1.2  # of the view (1.99); a blur by an eighth of a point has 1.13
LEAST_EDGE = 4.0  # levels per view px (33); checkers vanish below 3 in camera noise, and a wall has no more
LEAST_COLOUR = 0.35  # second strongest over the strongest channel (0.73); light of one colour has 0.05
LEAST_ROW_LIGHT = (
    0.42  # of a row over its neighbourhood, in its brightest part (0.52); bands of flickering light have 0.2
)
LEAST_LIT = 25.0  # levels of a part that shows bands; noise adds some two levels to a dark row
MOST_GLARE = 0.5  # share of a place (0.21)
MOST_GLARE_PLACES = 0.5  # share of the places; above it the whole picture is too bright
_NEIGHBOUR_ROWS = 61  # about two points
_PARTS_PX = np.cumsum((MARGIN_PX, HALF_PX, BAR_PX, HALF_PX))  # beside the field, its halves, the bar
_STEP = 4  # every fourth row and column suffices for a percentile
_SOBEL_SUM = 8.0


@dataclass(frozen=True, slots=True, eq=False)
class ViewQuality:
    """`readable`: (25,) share of each point and of the bar without glare, 0 for all with a fault of the whole view."""

    readable: NDArray[np.float32]
    fault: PictureFault | None = None


def measure_view_quality(view: NDArray[np.uint8]) -> ViewQuality:
    """Measures a view (VIEW_HEIGHT_PX, VIEW_WIDTH_PX, 3) BGR of `vision.geometry.top_view`."""
    rows = view[MARGIN_PX : MARGIN_PX + FIELD_ROWS_PX]
    field = rows[:, MARGIN_PX : MARGIN_PX + 2 * HALF_PX + BAR_PX]
    glare = _measure_glare(field)
    is_burnt_out = (glare > MOST_GLARE).mean() > MOST_GLARE_PLACES
    fault = PictureFault.TOO_BRIGHT if is_burnt_out else _find_fault(field, rows)
    if fault is not None:
        return ViewQuality(np.zeros(len(POINTS) + 1, np.float32), fault)
    return ViewQuality(np.where(glare > MOST_GLARE, 0.0, 1.0).astype(np.float32))


def _find_fault(field: NDArray[np.uint8], rows: NDArray[np.uint8]) -> PictureFault | None:
    """The gravest fault of (rows, columns, 3); glare is counted by place. `rows` show more of the same rows on both sides."""
    grey = np.asarray(cv2.cvtColor(field, cv2.COLOR_BGR2GRAY), np.uint8)
    few = np.ascontiguousarray(field[::_STEP, ::_STEP].reshape(-1, 3).T)
    rank = round(0.95 * (few.shape[1] - 1))
    bright = np.sort(np.partition(few, rank, axis=1)[:, rank])
    steep = _measure_edges(grey)
    if steep / _SOBEL_SUM < LEAST_EDGE:
        return PictureFault.TOO_DARK if bright[-1] < DARK_LEVEL else PictureFault.NO_BOARD
    if bright[1] < LEAST_COLOUR * bright[2]:
        return PictureFault.ONE_COLOUR
    if _measure_row_light(rows) < LEAST_ROW_LIGHT:
        return PictureFault.BANDED
    blurred = np.asarray(cv2.GaussianBlur(grey, (0, 0), BLUR_PX), np.uint8)
    return PictureFault.BLURRED if steep < LEAST_SHARPNESS * _measure_edges(blurred) else None


def _measure_edges(grey: NDArray[np.uint8]) -> float:
    across = np.asarray(cv2.Sobel(grey, cv2.CV_16S, 1, 0), np.int16)[::_STEP, ::_STEP]
    down = np.asarray(cv2.Sobel(grey, cv2.CV_16S, 0, 1), np.int16)[::_STEP, ::_STEP]
    steep = np.hypot(across.ravel(), down.ravel(), dtype=np.float32)
    rank = round(STRONGEST_PERCENT / 100 * (len(steep) - 1))
    return float(np.partition(steep, rank)[rank])


def _measure_row_light(rows: NDArray[np.uint8]) -> float:
    """The least light of a row over the most in its neighbourhood, 0..1; light that falls off smoothly changes it little.

    A row of dark checkers is dark on one half of the board, or on both, but not on the bar and beside the field as well.
    """
    grey = np.asarray(cv2.cvtColor(rows[::_STEP, ::_STEP], cv2.COLOR_BGR2GRAY), np.uint8)
    parts = np.split(grey, _PARTS_PX // _STEP, axis=1)
    ranks = [round(0.9 * (part.shape[1] - 1)) for part in parts]
    light = np.array([np.partition(part, rank)[:, rank] for part, rank in zip(parts, ranks, strict=True)], np.float32)
    light = np.asarray(cv2.blur(light, (3, 1), borderType=cv2.BORDER_REPLICATE), np.float32)
    window = np.ones((1, 2 * (_NEIGHBOUR_ROWS // (2 * _STEP)) + 1), np.uint8)
    most = np.maximum(cv2.dilate(light, window), 1)
    is_lit = most >= np.minimum(LEAST_LIT, most.max(axis=0))
    return float(np.where(is_lit, light / most, 0).max(axis=0).min())


def _measure_glare(field: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(25,): the share of each place whose pixels are burnt out in all channels."""
    burnt = np.asarray(cv2.inRange(field, (GLARE_LEVEL,) * 3, (255,) * 3), np.uint8) > 0
    halves = burnt[:, :HALF_PX], burnt[:, HALF_PX + BAR_PX :]
    points = [half.reshape(2, FIELD_ROWS_PX // 2, -1, PITCH_PX).mean(axis=(1, 3)) for half in halves]
    bar = burnt[:, HALF_PX : HALF_PX + BAR_PX].mean()
    return np.append(np.concatenate(points, axis=1).ravel(), bar).astype(np.float32)
