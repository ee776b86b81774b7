"""The input pictures of the two networks for the field: the reduced picture, and the approximately straightened field.

Both networks answer in cells of CELL_PX pixels.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.projection import FieldShape, Points

CELL_PX = 4

# Input size of the coarse network, which gets the whole picture as a letterbox.
SMALL_WIDTH_PX, SMALL_HEIGHT_PX = 256, 192
# Output maps of the coarse network: upper left and lower right corners, upper right and lower left corners, the field,
# the bar (or the line between the halves).
CORNERS_A, CORNERS_B, FIELD, BAR = range(4)

# Input size of the edge network, which gets the estimated field with a margin of 14 %.
EDGE_WIDTH_PX, EDGE_HEIGHT_PX = 384, 320
EDGE_FIELD_WIDTH_PX, EDGE_FIELD_HEIGHT_PX = 300, 250
# Output maps of the edge network: the crossing of each line with the columns (first two) or rows of cells (the others).
TOP, BOTTOM, LEFT, RIGHT, BAR_LEFT, BAR_RIGHT = range(6)


@dataclass(frozen=True, slots=True)
class Letterbox:
    """The scaling and then shift from pixels of a picture to pixels of the small one."""

    scale: float
    right_px: float
    down_px: float

    def to_small(self, points_px: Points) -> Points:
        return (points_px + 0.5) * self.scale + (self.right_px, self.down_px) - 0.5

    def to_picture(self, points_px: Points) -> Points:
        return (points_px + 0.5 - (self.right_px, self.down_px)) / self.scale - 0.5


def letterbox_picture(pixels: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], Letterbox]:
    """(SMALL_HEIGHT_PX, SMALL_WIDTH_PX, 3) with bars in the mean colour of the picture."""
    height, width = pixels.shape[:2]
    scale = min(SMALL_WIDTH_PX / width, SMALL_HEIGHT_PX / height)
    new_width, new_height = max(1, round(width * scale)), max(1, round(height * scale))
    fitted = cv2.resize(pixels, (new_width, new_height), interpolation=cv2.INTER_AREA)
    left, top = (SMALL_WIDTH_PX - new_width) // 2, (SMALL_HEIGHT_PX - new_height) // 2
    small = np.empty((SMALL_HEIGHT_PX, SMALL_WIDTH_PX, 3), np.uint8)
    small[:] = fitted.reshape(-1, 3).mean(axis=0)
    small[top : top + new_height, left : left + new_width] = fitted
    return small, Letterbox(scale, left, top)


def edge_columns_mm(field: FieldShape) -> NDArray[np.float64]:
    """(EDGE_WIDTH_PX,): x in board mm of each column of the edge network's input."""
    left_px = (EDGE_WIDTH_PX - EDGE_FIELD_WIDTH_PX) / 2
    return (np.arange(EDGE_WIDTH_PX) + 0.5 - left_px) / EDGE_FIELD_WIDTH_PX * field.width_mm


def edge_rows_mm(field: FieldShape) -> NDArray[np.float64]:
    """(EDGE_HEIGHT_PX,): y in board mm of each row of the edge network's input."""
    top_px = (EDGE_HEIGHT_PX - EDGE_FIELD_HEIGHT_PX) / 2
    return (np.arange(EDGE_HEIGHT_PX) + 0.5 - top_px) / EDGE_FIELD_HEIGHT_PX * field.height_mm


def mm_to_cells(points_mm: Points, field: FieldShape) -> Points:
    """(n, 2) board mm -> (n, 2) cells of the edge network's output; the centre of the first cell is (0, 0)."""
    view = points_mm / (field.width_mm, field.height_mm) * (EDGE_FIELD_WIDTH_PX, EDGE_FIELD_HEIGHT_PX)
    margin = ((EDGE_WIDTH_PX - EDGE_FIELD_WIDTH_PX) / 2, (EDGE_HEIGHT_PX - EDGE_FIELD_HEIGHT_PX) / 2)
    return (view + margin) / CELL_PX - 0.5


def cells_to_mm(cells: Points, field: FieldShape) -> Points:
    """The inverse of `mm_to_cells`."""
    margin = ((EDGE_WIDTH_PX - EDGE_FIELD_WIDTH_PX) / 2, (EDGE_HEIGHT_PX - EDGE_FIELD_HEIGHT_PX) / 2)
    view = (cells + 0.5) * CELL_PX - np.array(margin)
    return np.asarray(view / (EDGE_FIELD_WIDTH_PX, EDGE_FIELD_HEIGHT_PX) * (field.width_mm, field.height_mm))
