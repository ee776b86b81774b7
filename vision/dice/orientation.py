"""Orientation of a die from the outline of its upper face, and so the square that it would stand on if it lay flat.

Seen straight from above, in the plane of the upper face, the outline is a square of known size and centre. Rotated
over the picture through all orientations, its four sides meet the steps of colour best at the orientation of the die.
"""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.windows import DIE_PX, WINDOW_PX, DieSpot, place_window
from vision.geometry.projection import KnownBoard, Points

ROTATIONS = np.radians(np.arange(0.0, 90.0, 3.0))
# Die edges from the middle at which a side may show, and the part of a side that is compared, without rounded
# corners.
SIDES = np.array((0.42, 0.46, 0.5, 0.54))
ALONG = np.linspace(-0.38, 0.38, 9)
AROUND_PX = 14  # margin of the window in which no side lies
SMOOTH_PX = 0.7  # standard deviation of the smoothing
# Share by which the best orientation must fit better than the mean of all. Statistical: above it 99 in 100 flat dice
# are within ten degrees; below it one in five is not.
MIN_FIT_EXCESS = 0.1
QUARTERS = np.arange(4) * (np.pi / 2)


def compute_footprint_mm(
    pixels: NDArray[np.uint8], spot: DieSpot, edge_mm: float, board: KnownBoard | None
) -> Points | None:
    """(4, 2) corners in board mm of the square below a flat die, from a picture (h, w, 3) BGR.

    None without a board, and where the outline does not show the orientation.
    """
    turn = None if board is None else estimate_rotation(place_window(spot, board).sample_view(pixels))
    if board is None or turn is None:
        return None
    middle_mm = board.projection.to_board([spot.centre_px], edge_mm)
    corners = edge_mm * np.sqrt(0.5) * np.exp(1j * (turn + np.pi / 4 + QUARTERS))
    return np.asarray(middle_mm + np.stack([corners.real, corners.imag], axis=1), np.float64)


def estimate_rotation(face: NDArray[np.uint8]) -> float | None:
    """Angle in radians, 0 to a quarter turn; None where no orientation fits much better than the others.

    `face` is (WINDOW_PX, WINDOW_PX, 3) BGR with the upper face in its middle, an edge DIE_PX long.
    """
    middle = face[AROUND_PX:-AROUND_PX, AROUND_PX:-AROUND_PX]
    lab = cv2.cvtColor(middle.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    smooth = cv2.GaussianBlur(lab, (0, 0), SMOOTH_PX)
    x_px, y_px, normals = _make_outlines()
    shape = (len(ROTATIONS), len(QUARTERS), len(SIDES), len(ALONG), 3)
    steps = [
        cv2.remap(cv2.Sobel(smooth, cv2.CV_32F, *way), x_px, y_px, cv2.INTER_LINEAR).reshape(shape) * normal
        for way, normal in zip(((1, 0), (0, 1)), normals, strict=True)
    ]
    # A sum over the last axis runs twice as fast as a mean over several axes.
    across = np.abs(np.einsum("tqsac->tqsc", steps[0] + steps[1])).sum(axis=-1)
    fits = np.sqrt(across.max(axis=2)).sum(axis=1)
    best = int(fits.argmax())
    return float(ROTATIONS[best]) if fits[best] > (1 + MIN_FIT_EXCESS) * fits.mean() else None


@lru_cache(maxsize=1)
def _make_outlines() -> tuple[NDArray[np.float32], NDArray[np.float32], tuple[NDArray[np.float32], ...]]:
    """Sample x and y in pixels (turns and sides, places and samples), and side normals (turns, sides, 1, 1, 1)."""
    outward = np.exp(1j * (ROTATIONS[:, None] + QUARTERS))[..., None, None]
    at = outward * (SIDES[:, None] + 1j * ALONG) * DIE_PX + (1 + 1j) * ((WINDOW_PX - 1) / 2 - AROUND_PX)
    rows = at.reshape(len(ROTATIONS) * len(QUARTERS), -1)
    normals = (outward[..., None].real.astype(np.float32), outward[..., None].imag.astype(np.float32))
    return rows.real.astype(np.float32), rows.imag.astype(np.float32), normals
