"""Rendered boards as if they folded at the bar and did not lie level: both halves are tilted about the middle of the bar.

Each half of the picture moves as the surface does. A checker keeps its height along the line of sight, which is exact to
a fifteenth of its thickness at 4 degrees.
"""

from dataclasses import replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.benchmarks.board_labels import BoardLabel, Picture
from vision.geometry.projection import FieldShape, Points, Projection

FOLD_DEG = 4.0  # the most that boards in use show


def fold(picture: Picture, label: BoardLabel, *, raised_deg: float) -> tuple[Picture, BoardLabel]:
    """Raises the outer ends of both halves by an angle, or lowers them; the label loses its projection.

    ValueError for a label without a projection.
    """
    projection, field = label.projection, label.field
    if projection is None or field is None:
        raise ValueError(f"{label.image.name} has no projection")
    slope = float(np.tan(np.radians(raised_deg)))
    height, width = picture.shape[:2]
    x_px, y_px = np.meshgrid(np.arange(width, dtype=np.float64), np.arange(height, dtype=np.float64))
    flat_mm = _unfold_mm(projection, field, np.column_stack([x_px.ravel(), y_px.ravel()]), slope)
    maps = projection.to_picture(flat_mm).astype(np.float32).reshape(height, width, 2)
    moved = cv2.remap(picture, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    corners_px = fold_to_picture(projection, field, field.corners_mm, slope)
    return moved.astype(np.uint8, copy=False), replace(label, corners_px=corners_px, projection=None)


def fold_to_picture(projection: Projection, field: FieldShape, points_mm: Points, slope: float) -> Points:
    """(n, 2) board mm, along the surface -> (n, 2) pixels, where the halves rise outwards by this slope."""
    hinge_mm = _hinge_mm(field)
    away_mm = (points_mm[:, 0] - hinge_mm) / np.hypot(1, slope)
    return projection.to_picture(np.column_stack([hinge_mm + away_mm, points_mm[:, 1]]), slope * np.abs(away_mm))


def _unfold_mm(projection: Projection, field: FieldShape, points_px: Points, slope: float) -> Points:
    """(n, 2) pixels -> (n, 2) board mm along the surface: where the lines of sight meet the tilted halves."""
    hinge_mm, sights_mm = _hinge_mm(field), projection.to_board(points_px)
    x_mm, _, camera_height_mm = projection.camera_mm
    rise: NDArray[np.float64] = np.where(sights_mm[:, 0] < hinge_mm, -slope, slope)  # per mm to the right
    heights_mm = rise * (sights_mm[:, 0] - hinge_mm) / (1 + rise * (sights_mm[:, 0] - x_mm) / camera_height_mm)
    level_mm = projection.shift_to_base_mm(sights_mm, heights_mm)
    return np.column_stack([hinge_mm + (level_mm[:, 0] - hinge_mm) * np.hypot(1, slope), level_mm[:, 1]])


def _hinge_mm(field: FieldShape) -> float:
    return (field.bar_left_mm + field.bar_right_mm) / 2


FOLDS = {
    f"halves raised by {FOLD_DEG:g} degrees": partial(fold, raised_deg=FOLD_DEG),
    f"halves lowered by {FOLD_DEG:g} degrees": partial(fold, raised_deg=-FOLD_DEG),
}
