"""How a die is turned, by the outline of its upper face, and so what it would stand on if it lay flat.

Seen straight from above, in the plane of its upper face, that is a square of known size and middle. Laid over the picture in all
turns, its four sides meet the steps of colour best where it is turned so.
"""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.windows import DIE_PX, WINDOW_PX, DieSpot, place_window
from vision.geometry.projection import KnownBoard, Points

ROTATIONS = np.radians(np.arange(0.0, 90.0, 3.0))
# In edges: how far from the middle a side may show, and the part of it that is compared, without the rounded corners.
SIDES = np.array((0.42, 0.46, 0.5, 0.54))
ALONG = np.linspace(-0.38, 0.38, 9)
AROUND_PX = 14  # of a window, further from the middle than any side
SMOOTH_PX = 0.7
# How much better than in the mean of all turns it fits best, as a share. Of 361 flat dice on rendered boards that show more than this
# 359 are turned so within ten degrees, of 12 others ten; of 280 in windows 277, of 35 others 21.
MIN_FIT_EXCESS = 0.1
QUARTERS = np.arange(4) * (np.pi / 2)


def compute_footprint_mm(
    pixels: NDArray[np.uint8], spot: DieSpot, edge_mm: float, board: KnownBoard | None
) -> Points | None:
    """(4, 2) corners, in board mm, of the square that a die lying flat would stand on, of a picture (h, w, 3) BGR.

    None where no board is known, or the outline of its upper face does not show how it is turned.
    """
    turn = None if board is None else estimate_rotation(place_window(spot, board).sample_view(pixels))
    if board is None or turn is None:
        return None
    middle_mm = board.projection.to_board([spot.centre_px], edge_mm)
    corners = edge_mm * np.sqrt(0.5) * np.exp(1j * (turn + np.pi / 4 + QUARTERS))
    return np.asarray(middle_mm + np.stack([corners.real, corners.imag], axis=1), np.float64)


def estimate_rotation(face: NDArray[np.uint8]) -> float | None:
    """In radians, 0 to a quarter of a turn; None where no turn fits much better than others.

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
    # Sums: the mean of so many, over axes that are not the last, takes twice as long.
    across = np.abs(np.einsum("tqsac->tqsc", steps[0] + steps[1])).sum(axis=-1)
    fits = np.sqrt(across.max(axis=2)).sum(axis=1)
    best = int(fits.argmax())
    return float(ROTATIONS[best]) if fits[best] > (1 + MIN_FIT_EXCESS) * fits.mean() else None


@lru_cache(maxsize=1)
def _make_outlines() -> tuple[NDArray[np.float32], NDArray[np.float32], tuple[NDArray[np.float32], ...]]:
    """x and y in pixels, (turns and sides, places and samples), and the sides' normals, (turns, sides, 1, 1, 1) each."""
    outward = np.exp(1j * (ROTATIONS[:, None] + QUARTERS))[..., None, None]
    at = outward * (SIDES[:, None] + 1j * ALONG) * DIE_PX + (1 + 1j) * ((WINDOW_PX - 1) / 2 - AROUND_PX)
    rows = at.reshape(len(ROTATIONS) * len(QUARTERS), -1)
    normals = (outward[..., None].real.astype(np.float32), outward[..., None].imag.astype(np.float32))
    return rows.real.astype(np.float32), rows.imag.astype(np.float32), normals
