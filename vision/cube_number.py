"""The number on the upper face of the doubling cube, from a window around it from nearby, straight from above where the board
is known.

A network of its own, for the cube may lie any way round: the networks that read dice told 8 and 32, at times 4, and could not
tell 2, 16 and 64 apart. It is asked of what is surely the cube, once in a picture.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.die_windows import WINDOW_PX, DieSpot, KnownBoard, place_window
from vision.networks import answers_to, log_softmax
from vision.view_pixels import normalised

CUBE_VALUES = (2, 4, 8, 16, 32, 64)
# How large the cube is the looks take for that of a die: of 97 they measured 0.57 to 1.15 of its edge. With a window that is so
# much smaller than theirs all of its upper face is in view.
NEARER = 0.85


def cube_numbers(pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None) -> NDArray[np.float64]:
    """(6,) log-probabilities in the order of CUBE_VALUES, of the cube at this spot of a picture (h, w, 3) BGR."""
    return log_softmax(
        np.asarray(answers_to("cube_number", number_planes(pixels, spot, board), ("answers",))[0], np.float64).ravel()
    )


def number_planes(pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None) -> NDArray[np.float32]:
    """(3, WINDOW_PX, WINDOW_PX): what the network gets."""
    return planes_of(number_window(pixels, spot, board))


def number_window(pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None) -> NDArray[np.uint8]:
    """(WINDOW_PX, WINDOW_PX, 3) BGR; what lies outside the picture repeats its edge."""
    nearer = replace(spot, size_px=NEARER * spot.size_px)
    return place_window(nearer, board).colours(pixels)[:, :WINDOW_PX]


def planes_of(window: NDArray[np.uint8] | NDArray[np.float32]) -> NDArray[np.float32]:
    """From colours 0 to 255, as `number_window` has them."""
    return np.ascontiguousarray(normalised(window).transpose(2, 0, 1))
