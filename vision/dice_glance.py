"""A glance at a spot: whether a close look at it may be worth its time, and where exactly to look.

The search points at a dozen places, of which two are dice on most pictures; a close look costs ten times as much.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice_answers import told_size
from vision.die_windows import DieSpot, place_window, refined
from vision.pixels.inference import answers, log_softmax
from vision.pixels.resize import resized

GLANCE_PX = 36
GLANCE_EDGES = 3.0  # edges of a die along a window
KIND, TOP, SIZE = slice(0, 3), slice(3, 5), 5  # as in dice_answers; places and size in edges, from the middle
GLANCE_ANSWERS = 6
FAR, OTHER_SIZE = 0.3, 1.25  # edges from a spot, and times as large: beyond, a second glance is worth its time
# Edges from a spot to where else what leans is looked for, and how many times as large a glance then takes it for.
ASIDE, SMALLER = 0.5, 0.8
HARDLY_ANYTHING = 0.03  # likely at a glance; so little of a die is seen from nowhere around
SIDES = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))
# Edges from the middle of a die to that of one which touches it, and the ways there: however it is turned, one leads near.
TOUCHING = 1.05
ALL_AROUND = tuple((float(np.cos(turn)), float(np.sin(turn))) for turn in np.arange(8) * np.pi / 4)


@dataclass(frozen=True, slots=True)
class Glance:
    """What may be there, and where it would be; of most there is nothing, and nobody asks where."""

    kinds: NDArray[np.float64]  # (3,) log
    asked: DieSpot
    top: NDArray[np.float64] = field(default_factory=lambda: np.zeros(2))  # (2,) edges of a die from there
    size: float = 1.0  # of such an edge

    @property
    def spot(self) -> DieSpot:
        """As the glance has it."""
        return refined(self.asked, place_window(self.asked, None), self.top, self.size)


def something(kinds: NDArray[np.float64]) -> float:
    """How likely a die or the cube is there, 0..1, of (3,) log-probabilities of the kinds."""
    return float(np.exp(kinds[1:]).sum())


def glance_at(pixels: NDArray[np.uint8], spot: DieSpot) -> Glance:
    """Of a picture (h, w, 3) BGR."""
    said = np.asarray(answers("dice_glance", glance_window(pixels, spot), ("answers",))[0], np.float64).ravel()
    return Glance(log_softmax(said[KIND]), spot, said[TOP], told_size(said[SIZE]))


def settled_glance(pixels: NDArray[np.uint8], spot: DieSpot, worth_more: float) -> Glance:
    """A glance, and where something is seen far from the spot or of quite another size, one more from there.

    The search points between two dice that touch, or at a die's shadow; the window then shows all of it but poorly.
    """
    glance = glance_at(pixels, spot)
    if something(glance.kinds) < worth_more or _is_settled(glance):
        return glance
    return glance_at(pixels, glance.spot)


def glance_around(pixels: NDArray[np.uint8], spot: DieSpot) -> Glance:
    """The surest of several glances at a spot and from its four sides; where the first sees hardly anything, that alone.

    The search points beside a die that leans steeply, whose body shows further out than its upper face does, and takes it for
    larger than it is.
    """
    here = glance_at(pixels, spot)
    if something(here.kinds) < HARDLY_ANYTHING:
        return here
    sides = (replace(side, size_px=SMALLER * spot.size_px) for side in _aside(pixels, spot, SIDES, ASIDE))
    return max((glance_at(pixels, side) for side in sides), key=lambda glance: something(glance.kinds))


def glances_beside(pixels: NDArray[np.uint8], spot: DieSpot) -> list[Glance]:
    """All around a die, where another one shows that touches it."""
    return [glance_at(pixels, beside) for beside in _aside(pixels, spot, ALL_AROUND, TOUCHING)]


def spots_aside(pixels: NDArray[np.uint8], spot: DieSpot) -> list[DieSpot]:
    """On all four sides of it, where a die that leans steeply may show its upper face."""
    return _aside(pixels, spot, SIDES[1:], ASIDE)


def _aside(
    pixels: NDArray[np.uint8], spot: DieSpot, ways: Sequence[tuple[float, float]], edges: float
) -> list[DieSpot]:
    """So many edges from a spot each way, and no further than the picture goes."""
    off_px, most_px = np.multiply(ways, edges * spot.size_px), np.subtract(pixels.shape[1::-1], 1)
    return [
        replace(spot, centre_px=(x_px, y_px)) for x_px, y_px in np.clip(spot.centre_px + off_px, 0, most_px).tolist()
    ]


def _is_settled(glance: Glance) -> bool:
    is_as_large = 1 / OTHER_SIZE < glance.size < OTHER_SIZE
    return is_as_large and float(np.hypot(*glance.top)) < FAR * max(glance.size, 1.0)


def glance_window(pixels: NDArray[np.uint8], spot: DieSpot) -> NDArray[np.uint8]:
    """(GLANCE_PX, GLANCE_PX, 3): the square around the spot; what lies outside the picture repeats its edge."""
    height, width = pixels.shape[:2]
    side = max(round(spot.size_px * GLANCE_EDGES), 2)
    left, top = (
        round(min(max(at, 0.0), length - 1.0) + (1 - side) / 2)
        for at, length in zip(spot.centre_px, (width, height), strict=True)
    )
    beyond = (max(-top, 0), max(top + side - height, 0), max(-left, 0), max(left + side - width, 0))
    piece = pixels[max(top, 0) : top + side, max(left, 0) : left + side]
    if any(beyond):
        piece = cv2.copyMakeBorder(piece, *beyond, cv2.BORDER_REPLICATE).astype(np.uint8, copy=False)
    return resized(piece, (GLANCE_PX, GLANCE_PX))
