"""The number on the upper face of the doubling cube, from a window around it from nearby, straight from above where the board
is known.

A network of its own, for the cube may lie any way round: the networks that read dice told 8 and 32, at times 4, and could not
tell 2, 16 and 64 apart. It is asked of what is surely the cube, once in a picture.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.dice.windows import DieSpot, place_window
from vision.geometry.projection import KnownBoard
from vision.pixels.inference import log_softmax, run_network

CUBE_VALUES = (2, 4, 8, 16, 32, 64)
# How large the cube is the looks take for that of a die: of 97 they measured 0.57 to 1.15 of its edge. With a window that is so
# much smaller than theirs all of its upper face is in view.
WINDOW_SCALE = 0.85
ACCEPT_NUMBER_P = 0.9  # probability from which a number is told


def classify_cube_number(pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None) -> NDArray[np.float64]:
    """(6,) log-probabilities in the order of CUBE_VALUES, of the cube at this spot of a picture (h, w, 3) BGR."""
    said = run_network("cube_number", make_number_window(pixels, spot, board), ("answers",))[0]
    return log_softmax(np.asarray(said, np.float64).ravel())


def accept_number(numbers: NDArray[np.float64]) -> int | None:
    """Of CUBE_VALUES, by (6,) log-probabilities of them; None where none is plain."""
    best = int(numbers.argmax())
    return CUBE_VALUES[best] if float(np.exp(numbers[best])) >= ACCEPT_NUMBER_P else None


def shows_a_number(pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None) -> bool:
    """Whether one of CUBE_VALUES is plain there."""
    return accept_number(classify_cube_number(pixels, spot, board)) is not None


def make_number_window(pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None) -> NDArray[np.uint8]:
    """(WINDOW_PX, WINDOW_PX, 3) BGR; what lies outside the picture repeats its edge."""
    return place_window(replace(spot, size_px=WINDOW_SCALE * spot.size_px), board).sample_view(pixels)
