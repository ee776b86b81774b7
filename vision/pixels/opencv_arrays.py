"""OpenCV's lists of things found, in one shape whatever its version.

OpenCV 4 hands out a column of n cells, (n, 1, k), where OpenCV 5 hands out (n, k); and both give None instead of an
empty array when nothing is found. Measured with 4.14 and 5.0:

| call                                    | 4.x                | 5.x             |
|-----------------------------------------|--------------------|-----------------|
| HoughLinesP                             | (n, 1, 4)          | (n, 4)          |
| findNonZero                             | (n, 1, 2)          | (n, 2)          |
| LineSegmentDetector.detect              | (n, 1, 4), (n, 1)  | (n, 4), (n,)    |
| minEnclosingTriangle                    | (3, 1, 2)          | (3, 2)          |
| ArucoDetector.detectMarkers, the ids    | (n, 1)             | (n,)            |
| calcHist of one channel                 | (n, 1)             | (n,)            |

Unchanged, but handled here too: HoughLines (n, 1, 2), HoughCircles (1, n, 3), goodFeaturesToTrack and contours
(n, 1, 2). Every such call in `vision` goes through this file; nothing else here asks for OpenCV's version.
"""

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.errors import OpenCvShapeError

Scalar = TypeVar("Scalar", bound=np.generic)

# What cv2's own annotations promise, which is less than what it gives: any array, of any shape.
Found = NDArray[Any] | None


def rows(found: Found, width: int, dtype: type[Scalar]) -> NDArray[Scalar]:
    """(n, width) of `dtype`, a view where no conversion is needed; (0, width) when nothing was found.

    Raises OpenCvShapeError when `found` is not one list of rows of that width: the last axis must be `width` and at
    most one axis before it longer than one.
    """
    if found is None or found.size == 0:
        return np.empty((0, width), dtype)
    if found.shape[-1:] != (width,) or sum(length > 1 for length in found.shape[:-1]) > 1:
        raise OpenCvShapeError(found.shape, width)
    return found.reshape(-1, width).astype(dtype, copy=False)


def numbers(found: Found, dtype: type[Scalar]) -> NDArray[Scalar]:
    """(n,) of `dtype` from (n,), (n, 1) or (1, n); (0,) when nothing was found. OpenCvShapeError for a real table."""
    if found is None or found.size == 0:
        return np.empty(0, dtype)
    if sum(length > 1 for length in found.shape) > 1:
        raise OpenCvShapeError(found.shape, 1)
    return found.reshape(-1).astype(dtype, copy=False)


def segments_px(found: Found) -> NDArray[np.int32]:
    """(n, 4) of x1, y1, x2, y2 from HoughLinesP."""
    return rows(found, 4, np.int32)


def pixels_px(found: Found) -> NDArray[np.int32]:
    """(n, 2) of x, y from findNonZero, or of a contour."""
    return rows(found, 2, np.int32)


def marker_ids(found: Found) -> NDArray[np.int32]:
    """(n,) from the second value of ArucoDetector.detectMarkers."""
    return numbers(found, np.int32)


def histogram_counts(found: Found) -> NDArray[np.float32]:
    """(bins,) from calcHist of one channel."""
    return numbers(found, np.float32)
