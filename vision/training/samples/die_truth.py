"""The label of a die in a picture, and crops around dice.

Board frame as in vision.geometry.projection: millimetres on the surface, x right, y down, heights upward.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.dice.readings import DieState
from vision.geometry.projection import KnownBoard

PointPx = tuple[float, float]


@dataclass(frozen=True, slots=True)
class DieTruth:
    """A die, or the doubling cube: then `cube_value` is the number on top and `face` is None.

    The `face` of a cocked die is the one nearest to upward; None where the label lacks it.
    """

    face: int | None
    state: DieState
    tilt_deg: float
    normal: tuple[float, float]  # horizontal part of the upper face's unit normal
    base_mm: tuple[float, float]  # middle of the face opposite to the upper one
    base_height_mm: float
    size_mm: float
    top_px: PointPx  # middle of the upper face
    quad_px: tuple[PointPx, PointPx, PointPx, PointPx]  # its sharp corners
    visible: float  # 0..1
    touches_checker: bool | None = None
    cube_value: int | None = None

    @property
    def size_px(self) -> float:
        """Mean edge of the upper face in the picture."""
        quad = np.array(self.quad_px)
        return float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).mean())


@dataclass(frozen=True, slots=True, eq=False)
class DiceCrop:
    """A part of a picture at full resolution with the labels of all its dice; `board` is in the crop's pixels."""

    pixels: NDArray[np.uint8]  # (h, w, 3) BGR
    board: KnownBoard
    dice: tuple[DieTruth, ...]

    def holds(self, at_px: PointPx) -> bool:
        """Whether the place is in the crop: `dice` may contain dice beyond it."""
        height, width = self.pixels.shape[:2]
        return bool(0 <= at_px[0] < width and 0 <= at_px[1] < height)
