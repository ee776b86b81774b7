"""Pixels as the networks get them: no matter how bright or how warm the light, the same numbers."""

from math import sqrt

import cv2
import numpy as np
from numpy.typing import NDArray

SAMPLE_STEP = 7  # every so manyth pixel tells mean and spread
LEAST_SPREAD = 4.0
TABLE_MIN_SIZE = (
    60_000  # numbers; of more than these a table is quicker, two to three times of a million, and of fewer slower
)


def normalise_planes(picture: NDArray[np.uint8] | NDArray[np.float32]) -> NDArray[np.float32]:
    """(h, w, 3) -> (3, h, w) of mean 0 in each channel and one common spread of 1: hues keep their distances."""
    mean, spread = mean_and_spread(picture)
    if picture.dtype == np.uint8 and picture.size >= TABLE_MIN_SIZE:
        return _apply_tables(picture, np.asarray((np.arange(256)[:, None] - mean) / spread, np.float32))
    return np.asarray(cv2.dnn.blobFromImage(picture, 1 / spread, mean=mean)[0], np.float32)


def _apply_tables(picture: NDArray[np.uint8 | np.float32], tables: NDArray[np.float32]) -> NDArray[np.float32]:
    """(3, h, w) of bytes (h, w, 3): what stands for each in its channel's column of the tables (256, 3)."""
    planes = np.empty((3, *picture.shape[:2]), np.float32)
    for plane, channel, table in zip(planes, cv2.split(picture), tables.T.copy(), strict=True):
        cv2.LUT(channel, table, dst=plane)
    return planes


def mean_and_spread(picture: NDArray[np.uint8] | NDArray[np.float32]) -> tuple[tuple[float, float, float], float]:
    """Of (h, w, 3): what is taken from each channel, and what all are divided by."""
    pixel = np.dtype((np.void, 3 * picture.itemsize))  # copied as one thing: half the time of three numbers
    some = np.ascontiguousarray(picture).view(pixel).ravel()[::SAMPLE_STEP].copy().view(picture.dtype).reshape(1, -1, 3)
    means, deviations = (found.ravel() for found in cv2.meanStdDev(some))
    blue, green, red = means.tolist()
    # All values together spread by what each channel does and by what the channels lie apart.
    middle = (blue + green + red) / 3
    squares = [(mean - middle) ** 2 + own**2 for mean, own in zip((blue, green, red), deviations.tolist(), strict=True)]
    return (blue, green, red), max(sqrt(sum(squares) / 3), LEAST_SPREAD)
