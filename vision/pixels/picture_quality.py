"""Light, glare and focus of a picture, measured before anything is read in it.

The measure of focus is the effect of a blur of known width: the strongest edges of a sharp picture lose half of their
gradient, and those of a blurred picture lose little. This holds for dark and light boards.
"""

from dataclasses import dataclass
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.geometry.projection import Points

Grey = NDArray[np.float32]  # (height_px, width_px), 0..255

GLARE_LEVEL = 250  # a pixel with all three channels at this level is glare; white checkers stay below it
BLUR_PX = 2.0
STRONGEST_PERCENT = 99

# Knobs, set between sharp, well lit boards and boards that are dark, dazzled, or blurred by 3 px. Levels are 0..255.
DARK_LEVEL = 40.0  # of the bright parts; below it nothing can be read
CLIPPED_SHARE = 0.25  # of the pixels with glare, which have lost their colour; white boards in good light stay below it
LEAST_SHARPNESS = 1.28
LEAST_EDGE = 3.0  # levels per px; the noise of a camera at a wall makes about 2, the edges of a blurred board 8
_SOBEL_SUM = 8.0  # the response of the filter to an edge of one level per px


class PictureFault(Enum):
    """Why a picture cannot be read well."""

    TOO_DARK = "too_dark"
    TOO_BRIGHT = "too_bright"
    BLURRED = "blurred"
    NO_BOARD = "no_board"
    ONE_COLOUR = "one_colour"
    BANDED = "banded"


@dataclass(frozen=True, slots=True)
class PictureQuality:
    """Levels are grey values 0..255."""

    middle_level: float  # median
    bright_level: float  # 95th percentile
    glare_share: float  # 0..1, of the pixels
    sharpness: float  # 1 for a fully blurred picture, 1.4 and more for a sharp one
    edge: float  # gradient of the strongest edges in levels per px


def measure_quality(pixels: Pixels, outline_px: Points | None = None) -> PictureQuality:
    """Measures a picture (height, width, 3), BGR, inside a convex outline (n, 2), by default everywhere.

    Raises ValueError when the outline lies outside the picture.
    """
    grey: Grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY).astype(np.float32)
    counts = np.full(grey.shape, outline_px is None, np.uint8)
    if outline_px is not None:
        cv2.fillConvexPoly(counts, np.rint(outline_px).astype(np.int32), 1)
    inside = counts > 0
    if not inside.any():
        raise ValueError("the outline lies outside the picture")
    levels = grey[inside]
    is_glare = pixels[inside].min(axis=1) >= GLARE_LEVEL
    steep = _measure_edge_strength(grey, inside)
    blurred: Grey = cv2.GaussianBlur(grey, (0, 0), BLUR_PX).astype(np.float32, copy=False)
    steep_blurred = _measure_edge_strength(blurred, inside)
    return PictureQuality(
        middle_level=float(np.median(levels)),
        bright_level=float(np.percentile(levels, 95)),
        glare_share=float(is_glare.mean()),
        sharpness=steep / steep_blurred if steep_blurred > 0 else 1.0,
        edge=steep / _SOBEL_SUM,
    )


def find_picture_fault(quality: PictureQuality) -> PictureFault | None:
    """The gravest fault: without light nothing else can be measured, and glare hides edges."""
    if quality.bright_level < DARK_LEVEL:
        return PictureFault.TOO_DARK
    if quality.glare_share > CLIPPED_SHARE:
        return PictureFault.TOO_BRIGHT
    if quality.edge < LEAST_EDGE:
        return PictureFault.NO_BOARD
    return PictureFault.BLURRED if quality.sharpness < LEAST_SHARPNESS else None


def _measure_edge_strength(grey: Grey, inside: NDArray[np.bool_]) -> float:
    across, down = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    return float(np.percentile(np.hypot(across, down)[inside], STRONGEST_PERCENT))
