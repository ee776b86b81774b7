"""How far the pips of a labelled die stand out in its picture: under a glare no reader can see them."""

from math import sqrt

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.dice.pip_template import COLUMN_OFFSET, PATTERNS

SAMPLES = 48  # along the upper face
# Shares of an edge. A pip's radius is 0.08 to 0.12; what lies further out than the last shows the edges' rounding.
WITHIN_PIP, BEYOND_PIP, OF_FACE = 0.075, 0.15, 0.4
LEAST_SPREAD = 1.0  # of lightness, 0..100; the noise of the best pictures


def pip_contrast(pixels: NDArray[np.uint8], quad_px: ArrayLike, face: int) -> float:
    """Distance between the colours of pips and of the face between them, in standard deviations, in a picture (h, w, 3) BGR.

    `quad_px` (4, 2) are the corners of the upper face in order. The pattern of a two, three or six may lie either way: the
    larger distance counts.
    """
    colours = _face(pixels, quad_px)
    return max(
        _apart(colours, np.array(PATTERNS[face - 1]) @ turn) for turn in (np.eye(2), np.array([(0, 1), (-1, 0)]))
    )


def _apart(colours: NDArray[np.float32], pips: NDArray[np.float64]) -> float:
    """The distance between both means over the spread along the line between them."""
    across, down = np.meshgrid(_places(), _places())
    away = np.min([np.hypot(across - COLUMN_OFFSET * x, down - COLUMN_OFFSET * y) for x, y in pips], axis=0)
    is_face = (away > BEYOND_PIP) & (np.maximum(np.abs(across), np.abs(down)) < OF_FACE)
    pip, face = colours[away < WITHIN_PIP], colours[is_face]
    between = pip.mean(axis=0) - face.mean(axis=0)
    distance = float(np.linalg.norm(between))
    variances = [float(np.var(those @ (between / max(distance, 1e-6)))) for those in (pip, face)]
    return distance / max(sqrt(sum(variances) / 2), LEAST_SPREAD)


def _face(pixels: NDArray[np.uint8], quad_px: ArrayLike) -> NDArray[np.float32]:
    """(SAMPLES, SAMPLES, 3) Lab."""
    corners = SAMPLES * np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32) - 0.5
    straight = cv2.getPerspectiveTransform(np.asarray(quad_px, np.float32), np.asarray(corners, np.float32))
    face = cv2.warpPerspective(pixels, straight, (SAMPLES, SAMPLES), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.cvtColor(face.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), np.float32)


def _places() -> NDArray[np.float64]:
    """(SAMPLES,) in edges from the middle."""
    return np.asarray((np.arange(SAMPLES) + 0.5) / SAMPLES - 0.5, np.float64)
