"""Normalisation of network input, so that brightness and colour temperature of the light have no effect."""

from math import sqrt

import cv2
import numpy as np
from numpy.typing import NDArray

SAMPLE_STEP = 7  # mean and spread come from every seventh pixel
LEAST_SPREAD = 4.0  # grey levels; a lower limit that keeps the noise of a plain picture small
TABLE_MIN_SIZE = 60_000  # values; a table of levels is two to three times faster above this size, and slower below


def normalise_planes(picture: NDArray[np.uint8] | NDArray[np.float32]) -> NDArray[np.float32]:
    """(h, w, 3) -> (3, h, w) with mean 0 per channel and one common standard deviation of 1, which preserves hues."""
    mean, spread = mean_and_spread(picture)
    if picture.dtype == np.uint8 and picture.size >= TABLE_MIN_SIZE:
        return _apply_tables(picture, np.asarray((np.arange(256)[:, None] - mean) / spread, np.float32))
    return np.asarray(cv2.dnn.blobFromImage(picture, 1 / spread, mean=mean)[0], np.float32)


def _apply_tables(picture: NDArray[np.uint8 | np.float32], tables: NDArray[np.float32]) -> NDArray[np.float32]:
    """Maps each byte of (h, w, 3) through its channel's column of the tables (256, 3); returns (3, h, w)."""
    planes = np.empty((3, *picture.shape[:2]), np.float32)
    for plane, channel, table in zip(planes, cv2.split(picture), tables.T.copy(), strict=True):
        cv2.LUT(channel, table, dst=plane)
    return planes


def mean_and_spread(picture: NDArray[np.uint8] | NDArray[np.float32]) -> tuple[tuple[float, float, float], float]:
    """The mean of each channel of (h, w, 3), and the common standard deviation of all channels."""
    pixel = np.dtype((np.void, 3 * picture.itemsize))  # a copy by pixel takes half the time of a copy by value
    some = np.ascontiguousarray(picture).view(pixel).ravel()[::SAMPLE_STEP].copy().view(picture.dtype).reshape(1, -1, 3)
    means, deviations = (found.ravel() for found in cv2.meanStdDev(some))
    blue, green, red = means.tolist()
    # The common variance is the mean variance of the channels plus the variance of their means.
    middle = (blue + green + red) / 3
    squares = [(mean - middle) ** 2 + own**2 for mean, own in zip((blue, green, red), deviations.tolist(), strict=True)]
    return (blue, green, red), max(sqrt(sum(squares) / 3), LEAST_SPREAD)
