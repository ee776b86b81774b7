"""Light, glare, colour and focus of a picture, measured before anything is read in it.

The measure of focus is the effect of a blur of known width: the strongest edges of a sharp picture lose a third of their
gradient, and those of a blurred picture lose little. This holds for dark and light boards. Everything is measured at the
resolution of the reduced straight-down view (`vision.checkers.reduce_view`), in which a point is 16 px wide: a blur then
counts by what it hides of a checker, whatever the camera.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.geometry.projection import Points
from vision.pixels.resize import reduce_picture

Grey = NDArray[np.uint8]  # (height_px, width_px)

GLARE_LEVEL = 250  # a pixel with all three channels at this level is glare; white checkers stay below it
DARK_LEVEL = 40.0  # of the bright parts, 0..255; a knob: a picture without edges is said to be dark below it

# Knobs, chosen on 40 photographs of the development set and 12 drawn boards, each spoiled in seven ways and four strengths,
# between what all of them have and what makes the network misread places with 0.9 and more. In brackets: the worst good one.
LEAST_EDGE = 4.0  # levels per px (28); checkers vanish below 3 in camera noise, and a wall has no more
LEAST_COLOUR = 0.35  # second strongest over the strongest channel (0.73); light of one colour has 0.05
MOST_GLARE = 0.3  # share of the picture, or of a place in it (0.21)
LEAST_SHARPNESS = 1.25  # (1.43); a blur by 1/16 of a point has 1.2 to 1.5 and is read well, one by 1/8 has 1.1 to 1.3

_BLUR_PX = 1.0
_STRONGEST_PERCENT = 99.5
_SOBEL_SUM = 8.0  # the response of the filter to an edge of one level per px
_FIELD_PX = 216  # width of the field in the reduced view
_USUAL_SHARE = 0.75  # of the picture's width that a board usually fills, where its outline is not known
_STEP = 4  # every fourth row and column suffices for a percentile of levels


class PictureFault(Enum):
    """Why a picture, or a part of it, cannot be read."""

    TOO_DARK = "too_dark"
    TOO_BRIGHT = "too_bright"
    BLURRED = "blurred"
    NO_BOARD = "no_board"
    ONE_COLOUR = "one_colour"
    BANDED = "banded"
    HAZY = "hazy"


@dataclass(frozen=True, slots=True)
class PictureQuality:
    """Levels are grey values 0..255."""

    middle_level: float  # median
    bright_level: float  # 95th percentile
    glare_share: float  # 0..1, of the pixels
    colour_share: float  # 95th percentile of the second strongest channel over that of the strongest
    sharpness: float  # 1 for a fully blurred picture, 1.45 and more for a sharp one
    edge: float  # gradient of the strongest edges in levels per px


def measure_quality(pixels: Pixels, outline_px: Points | None = None) -> PictureQuality:
    """Measures a picture (height, width, 3), BGR, inside a convex outline (n, 2), by default everywhere.

    Raises ValueError when the outline lies outside the picture.
    """
    board_px = _USUAL_SHARE * pixels.shape[1] if outline_px is None else float(np.ptp(outline_px[:, 0]))
    shrink = max(1, round(board_px / _FIELD_PX))
    small = reduce_picture(pixels, shrink)
    counts = np.full(small.shape[:2], outline_px is None, np.uint8)
    if outline_px is not None:
        cv2.fillConvexPoly(counts, np.rint((outline_px + 0.5) / shrink - 0.5).astype(np.int32), 1)
    inside = counts > 0
    if not inside.any():
        raise ValueError("the outline lies outside the picture")
    grey = to_grey(small)
    edge, blurred_edge = (_find_strongest(measure_edges(one)[inside]) for one in (grey, _blur(grey)))
    return _summarise(small[inside], grey[inside], float((mark_glare(small)[inside]).mean()), edge, blurred_edge)


def measure_parts(parts: Sequence[Pixels], greys: Sequence[Grey], glare_share: float) -> PictureQuality:
    """The same for parts of a picture in the resolution of the reduced view, with their grey levels.

    Edges between the parts do not count.
    """
    edge, blurred_edge = (
        _find_strongest(np.concatenate([measure_edges(one).ravel() for one in shown]))
        for shown in (greys, [_blur(grey) for grey in greys])
    )
    few = np.concatenate([part[::_STEP, ::_STEP].reshape(-1, 3) for part in parts])
    levels = np.concatenate([grey[::_STEP, ::_STEP].ravel() for grey in greys])
    return _summarise(few, levels, glare_share, edge, blurred_edge)


def find_picture_fault(quality: PictureQuality) -> PictureFault | None:
    """The gravest fault: glare hides edges, and without light nothing else can be measured."""
    if quality.glare_share > MOST_GLARE:
        return PictureFault.TOO_BRIGHT
    if quality.edge < LEAST_EDGE:
        return PictureFault.TOO_DARK if quality.bright_level < DARK_LEVEL else PictureFault.NO_BOARD
    if quality.colour_share < LEAST_COLOUR:
        return PictureFault.ONE_COLOUR
    return PictureFault.BLURRED if quality.sharpness < LEAST_SHARPNESS else None


def to_grey(picture: Pixels) -> Grey:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def mark_glare(picture: Pixels) -> NDArray[np.bool_]:
    """(height_px, width_px): the pixels that are burnt out in all channels."""
    return np.asarray(cv2.inRange(picture, (GLARE_LEVEL,) * 3, (255,) * 3), np.uint8) > 0


def measure_edges(grey: Grey) -> NDArray[np.float32]:
    """(height_px, width_px): the gradient in levels per px."""
    across, down = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    return np.asarray(cv2.magnitude(across, down), np.float32) / np.float32(_SOBEL_SUM)


def take_percentile(values: NDArray[np.generic], percent: float) -> NDArray[np.generic]:
    """Along the last axis, without interpolation: a tenth of the time of `np.percentile`."""
    rank = round(percent / 100 * (values.shape[-1] - 1))
    return np.asarray(np.partition(values, rank, axis=-1)[..., rank])


def _blur(grey: Grey) -> Grey:
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), _BLUR_PX), np.uint8)


def _find_strongest(edges: NDArray[np.float32]) -> float:
    return float(take_percentile(edges, _STRONGEST_PERCENT))


def _summarise(
    colours: Pixels, levels: NDArray[np.uint8], glare_share: float, edge: float, blurred_edge: float
) -> PictureQuality:
    """From (n, 3) pixels and their (n,) grey levels."""
    _, second, strongest = np.sort(take_percentile(np.ascontiguousarray(colours.T), 95)).tolist()
    return PictureQuality(
        middle_level=float(take_percentile(levels, 50)),
        bright_level=float(take_percentile(levels, 95)),
        glare_share=glare_share,
        colour_share=second / max(strongest, 1),
        sharpness=edge / blurred_edge if blurred_edge > 0 else 1.0,
        edge=edge,
    )
