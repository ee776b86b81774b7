"""Pictures of a drawn board with lights on them: LEDs, their reflections, hands, noise."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tests.vision.drawn_boards import FIELD, Picture, calibration_for, drawn_board
from vision.geometry.calibration import Calibration

KNOWN = calibration_for(320, 240)
RIM_HEIGHT_MM = 15.0


@dataclass(frozen=True, slots=True)
class Light:
    """A round glow at board mm; `strength` is what it adds at its middle, in grey levels (more than 255 saturates)."""

    at_mm: tuple[float, float]
    strength: float = 400.0
    radius_mm: float = 3.0
    height_mm: float = RIM_HEIGHT_MM


@dataclass(frozen=True, slots=True)
class Patch:
    """A hand from a distance: a box of one grey, in board mm."""

    left_mm: float
    top_mm: float
    right_mm: float
    bottom_mm: float
    grey: int = 200


def on_rim(column: int, *, upper: bool = True, share: float = 0.5) -> tuple[float, float]:
    """Board mm over the middle of the rim at a point; `share` 0..1 is where within the point's width."""
    x_mm = FIELD.point_middle_mm(column) + (share - 0.5) * FIELD.pitch_mm
    return x_mm, -10.0 if upper else FIELD.height_mm + 10.0


def picture(
    lights: Sequence[Light] = (),
    patches: Sequence[Patch] = (),
    *,
    brighter: float = 0.0,
    noise: float = 1.5,
    seed: int = 1,
    known: Calibration = KNOWN,
) -> Picture:
    """The board with two checkers and these lights; another seed is other noise."""
    pixels = drawn_board(known, {"T1": [(40, 40, 45)], "B8": [(220, 225, 230)]}).astype(np.float32) + brighter
    rows, columns = np.indices(pixels.shape[:2], np.float32)
    for light in lights:
        (x_px, y_px), (beside_px, _) = known.projection.to_picture(
            [light.at_mm, (light.at_mm[0] + light.radius_mm, light.at_mm[1])], light.height_mm
        )
        squared = ((columns - x_px) ** 2 + (rows - y_px) ** 2) / (beside_px - x_px) ** 2
        pixels += (light.strength * (np.exp(-squared / 2) + 0.05 / (1 + squared / 9)))[..., None]
    for patch in patches:
        left, top = known.projection.to_picture([(patch.left_mm, patch.top_mm)], 30.0)[0]
        right, bottom = known.projection.to_picture([(patch.right_mm, patch.bottom_mm)], 30.0)[0]
        inside = (columns >= left) & (columns <= right) & (rows >= top) & (rows <= bottom)
        pixels[inside] = patch.grey
    pixels += noise * np.random.default_rng(seed).standard_normal(pixels.shape, np.float32)
    seen: Picture = np.clip(np.rint(pixels), 0, 255).astype(np.uint8)
    return seen
