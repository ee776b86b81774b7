"""Pixels as the networks get them: no matter how bright or how warm the light, the same numbers."""

import cv2
import numpy as np
from numpy.typing import NDArray

SOME = 7  # every so manyth pixel tells mean and spread
LEAST_SPREAD = 4.0


def normalised(picture: NDArray[np.uint8] | NDArray[np.float32]) -> NDArray[np.float32]:
    """(h, w, 3) -> float32 of mean 0 in each channel and one common spread of 1: hues keep their distances."""
    mean, spread = mean_and_spread(picture)
    scaled = picture.astype(np.float32)
    scaled -= np.array(mean, np.float32)
    scaled *= np.float32(1 / spread)
    return scaled


def normalised_planes(picture: NDArray[np.uint8] | NDArray[np.float32]) -> NDArray[np.float32]:
    """The same as (3, h, w), as a network takes it."""
    return np.ascontiguousarray(normalised(picture).transpose(2, 0, 1))


def mean_and_spread(picture: NDArray[np.uint8] | NDArray[np.float32]) -> tuple[tuple[float, float, float], float]:
    """Of (h, w, 3): what is taken from each channel, and what all are divided by."""
    some: NDArray[np.uint8 | np.float32] = np.ascontiguousarray(picture.reshape(1, -1, 3)[:, ::SOME])
    means, deviations = (found.ravel() for found in cv2.meanStdDev(some))
    blue, green, red = (float(mean) for mean in means)
    # All values together spread by what each channel does and by what the channels lie apart.
    spread = float(np.sqrt(np.mean(deviations**2) + np.var(means)))
    return (blue, green, red), max(spread, LEAST_SPREAD)
