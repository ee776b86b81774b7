"""One array shape for lists of detections, whatever the version of OpenCV.

OpenCV 4 returns a column of n cells, (n, 1, k), where OpenCV 5 returns (n, k), and both return None instead of an empty
array: markers from ArucoDetector have the shape (n, 1) or (n,). Other lists keep their own shape in both versions:
contours and goodFeaturesToTrack (n, 1, 2), HoughCircles (1, n, 3). `vision` passes all such results through this
module, and no other code of `vision` depends on the version of OpenCV.
"""

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.errors import OpenCvShapeError

Scalar = TypeVar("Scalar", bound=np.generic)

# The annotations of cv2 promise less than the functions return: an array of any shape.
Found = NDArray[Any] | None


def rows(found: Found, width: int, dtype: type[Scalar]) -> NDArray[Scalar]:
    """(n, width), a view where no conversion is necessary.

    Raises OpenCvShapeError unless the last axis has `width` entries and at most one other axis is longer than one.
    """
    if found is None or found.size == 0:
        return np.empty((0, width), dtype)
    if found.shape[-1:] != (width,) or sum(length > 1 for length in found.shape[:-1]) > 1:
        raise OpenCvShapeError(found.shape, width)
    return found.reshape(-1, width).astype(dtype, copy=False)


def numbers(found: Found, dtype: type[Scalar]) -> NDArray[Scalar]:
    """(n,) from (n,), (n, 1) or (1, n). Raises OpenCvShapeError for a table."""
    if found is None or found.size == 0:
        return np.empty(0, dtype)
    if sum(length > 1 for length in found.shape) > 1:
        raise OpenCvShapeError(found.shape, 1)
    return found.reshape(-1).astype(dtype, copy=False)
