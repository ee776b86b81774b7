"""The straight-down view of the board, at a fixed number of pixels per point for every board and camera.

Each point is PITCH_PX wide, the bar BAR_PX wide and the field FIELD_ROWS_PX high. A bar that is narrower than a point
shows the width of a point, so that a strip of its neighbours appears twice. The view has a margin because the upper
faces of checkers lie nearer to the camera and appear further out. All sizes are multiples of 16, the stride of the
network that reads the view.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.geometry.projection import POINTS_A_HALF, FieldShape, Points, Projection

PITCH_PX = 32
BAR_PX = 48
FIELD_ROWS_PX = 352
MARGIN_PX = 32
HALF_PX = POINTS_A_HALF * PITCH_PX
VIEW_WIDTH_PX = 2 * MARGIN_PX + 2 * HALF_PX + BAR_PX
VIEW_HEIGHT_PX = 2 * MARGIN_PX + FIELD_ROWS_PX


def columns_mm(field: FieldShape) -> NDArray[np.float64]:
    """(VIEW_WIDTH_PX,): x in board mm of the centre of each column of the view."""
    column = np.arange(VIEW_WIDTH_PX) + 0.5
    left = (column - MARGIN_PX) / HALF_PX * field.bar_left_mm
    right_mm = field.width_mm - field.bar_right_mm
    right = field.bar_right_mm + (column - MARGIN_PX - HALF_PX - BAR_PX) / HALF_PX * right_mm
    bar_mm = max(field.bar_right_mm - field.bar_left_mm, field.pitch_mm)
    middle_mm = (field.bar_left_mm + field.bar_right_mm) / 2
    bar = middle_mm + (column - VIEW_WIDTH_PX / 2) / BAR_PX * bar_mm
    return np.where(column < MARGIN_PX + HALF_PX, left, np.where(column > MARGIN_PX + HALF_PX + BAR_PX, right, bar))


def rows_mm(field: FieldShape) -> NDArray[np.float64]:
    """(VIEW_HEIGHT_PX,): y in board mm of the centre of each row of the view."""
    return (np.arange(VIEW_HEIGHT_PX) + 0.5 - MARGIN_PX) / FIELD_ROWS_PX * field.height_mm


def to_view(points_mm: ArrayLike, field: FieldShape) -> Points:
    """(n, 2) board mm -> (n, 2) pixels of the straight-down view."""
    x_mm, y_mm = np.asarray(points_mm, np.float64).T
    left_px = MARGIN_PX + x_mm / field.bar_left_mm * HALF_PX
    right_px = VIEW_WIDTH_PX - MARGIN_PX - (field.width_mm - x_mm) / (field.width_mm - field.bar_right_mm) * HALF_PX
    bar_mm = max(field.bar_right_mm - field.bar_left_mm, field.pitch_mm)
    bar_px = VIEW_WIDTH_PX / 2 + (x_mm - (field.bar_left_mm + field.bar_right_mm) / 2) / bar_mm * BAR_PX
    x_px = np.where(x_mm < field.bar_left_mm, left_px, np.where(x_mm > field.bar_right_mm, right_px, bar_px))
    return np.column_stack([x_px, MARGIN_PX + y_mm / field.height_mm * FIELD_ROWS_PX]) - 0.5


@dataclass(frozen=True, slots=True, eq=False)
class ViewMap:
    """For each pixel of a view, its source in the picture after a reduction by `shrink`."""

    x_px: NDArray[np.float32]
    y_px: NDArray[np.float32]
    shrink: int

    def warp(self, pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """(VIEW_HEIGHT_PX, VIEW_WIDTH_PX, 3) from a picture (h, w, 3). Areas outside repeat the edge of the picture."""
        if self.shrink > 1:
            height, width = pixels.shape[0] // self.shrink, pixels.shape[1] // self.shrink
            whole = pixels[: height * self.shrink, : width * self.shrink]
            pixels = cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
        view = cv2.remap(pixels, self.x_px, self.y_px, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return view.astype(np.uint8, copy=False)


def make_grid_map(projection: Projection, x_mm: NDArray[np.float64], y_mm: NDArray[np.float64]) -> ViewMap:
    """The map of a view with columns at `x_mm` and rows at `y_mm`, with the reduction that avoids aliasing."""
    x_px, y_px = projection.grid_to_picture(x_mm, y_mm)
    across_px = np.hypot(x_px[-1, -1] - x_px[0, 0], y_px[-1, -1] - y_px[0, 0])
    shrink = max(1, int(across_px / np.hypot(len(x_mm), len(y_mm))))
    if shrink > 1:
        x_px, y_px = ((along + np.float32(0.5)) / np.float32(shrink) - np.float32(0.5) for along in (x_px, y_px))
    return ViewMap(x_px, y_px, shrink)


@lru_cache(maxsize=4)
def view_map(projection: Projection, field: FieldShape) -> ViewMap:
    """The map of the straight-down view, cached because a camera rarely moves."""
    return make_grid_map(projection, columns_mm(field), rows_mm(field))
