"""The number on the upper face of the doubling cube, by a network of its own.

The window is close and, on a known board, seen straight from above; the cube may have any orientation. The network
runs at most once for each detected cube.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.dice.windows import DieSpot, place_window
from vision.geometry.projection import KnownBoard
from vision.pixels.inference import log_softmax, run_network

CUBE_VALUES = (2, 4, 8, 16, 32, 64)
# Edge of the window's die against the measured one, so that all of a cube's upper face is in view. Statistical: the
# dice network measures a cube as 0.57 to 1.15 of its edge.
WINDOW_SCALE = 0.85
ACCEPT_NUMBER_P = 0.9  # knob: probability from which a number is accepted


def classify_cube_number(pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None) -> NDArray[np.float64]:
    """(6,) log-probabilities of CUBE_VALUES for the cube at this spot of a picture (h, w, 3) BGR."""
    output = run_network("cube_number", make_number_window(pixels, spot, board), ("answers",))[0]
    return log_softmax(np.asarray(output, np.float64).ravel())


def accept_number(log_p: NDArray[np.float64]) -> int | None:
    """The number by (6,) log-probabilities of CUBE_VALUES, or None below the threshold."""
    best = int(log_p.argmax())
    return CUBE_VALUES[best] if float(np.exp(log_p[best])) >= ACCEPT_NUMBER_P else None


def shows_a_number(pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None) -> bool:
    return accept_number(classify_cube_number(pixels, spot, board)) is not None


def make_number_window(pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None) -> NDArray[np.uint8]:
    """(WINDOW_PX, WINDOW_PX, 3) BGR; beyond the picture its edge is repeated."""
    return place_window(replace(spot, size_px=WINDOW_SCALE * spot.size_px), board).sample_view(pixels)
