"""Pixels as the networks get them: no matter how bright or how warm the light, the same numbers."""

from math import sqrt

import cv2
import numpy as np
from numpy.typing import NDArray

SOME = 7  # every so manyth pixel tells mean and spread
LEAST_SPREAD = 4.0


def normalised_planes(picture: NDArray[np.uint8] | NDArray[np.float32]) -> NDArray[np.float32]:
    """(h, w, 3) -> (3, h, w) of mean 0 in each channel and one common spread of 1: hues keep their distances."""
    mean, spread = mean_and_spread(picture)
    return np.asarray(cv2.dnn.blobFromImage(picture, 1 / spread, mean=mean)[0], np.float32)


def mean_and_spread(picture: NDArray[np.uint8] | NDArray[np.float32]) -> tuple[tuple[float, float, float], float]:
    """Of (h, w, 3): what is taken from each channel, and what all are divided by."""
    some: NDArray[np.uint8 | np.float32] = np.ascontiguousarray(picture.reshape(1, -1, 3)[:, ::SOME])
    means, deviations = (found.ravel() for found in cv2.meanStdDev(some))
    blue, green, red = means.tolist()
    # All values together spread by what each channel does and by what the channels lie apart.
    middle = (blue + green + red) / 3
    squares = [(mean - middle) ** 2 + own**2 for mean, own in zip((blue, green, red), deviations.tolist(), strict=True)]
    return (blue, green, red), max(sqrt(sum(squares) / 3), LEAST_SPREAD)
