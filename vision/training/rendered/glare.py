"""The shares of the field and of each die that are burnt out in the finished picture."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.training.rendered.layout.board_shape import field_corners
from vision.training.rendered.layout.camera import TracedCamera
from vision.training.rendered.layout.dice_state import upper_quad
from vision.training.rendered.scene import RenderedScene
from vision.training.rendered.tracing.arrays import Bytes, Floats

FIELD_BURNT, DIE_BURNT = 245, 250  # a pixel is burnt when its darkest channel is above this


@dataclass(frozen=True, slots=True)
class Glare:
    """Shares 0..1 of the field and of the upper face of each die."""

    field: float
    dice: tuple[float, ...]


def measure_glare(image: Bytes, scene: RenderedScene, camera: TracedCamera) -> Glare:
    """`image` is (h, w, 3)."""
    size = scene.table.size
    faces = [upper_quad(die, size.die_mm)[0] for die in scene.dice]
    return Glare(
        burnt_share(image, camera.project(field_corners(size)), FIELD_BURNT),
        tuple(burnt_share(image, np.round(camera.project(face)), DIE_BURNT) for face in faces),
    )


def burnt_share(image: Bytes, outline_px: Floats, limit: int) -> float:
    """Share of burnt pixels within a convex outline; 0 when none lies in the picture."""
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, outline_px.astype(np.int32), 1)
    inside = image.min(axis=2)[mask > 0]
    return float((inside > limit).mean()) if inside.size else 0.0
