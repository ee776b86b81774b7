from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.errors import OpenCvShapeError, VisionError
from vision.pixels.opencv_arrays import numbers, rows


@pytest.mark.parametrize("shape", [(2, 1, 4), (2, 4), (1, 2, 4)], ids=["OpenCV 4", "OpenCV 5", "HoughCircles"])
def test_rows_have_one_shape_in_all_versions(shape: tuple[int, ...]) -> None:
    """A view, where the type fits."""
    found = np.arange(8, dtype=np.int32).reshape(shape)
    assert rows(found, 4, np.int32).tolist() == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert np.shares_memory(rows(found, 4, np.int32), found)


def test_one_detection_is_still_a_list() -> None:
    """(1, k), not (k,)."""
    assert rows(np.array([[[7, 9]]], np.int32), 2, np.float32).shape == (1, 2)
    assert numbers(np.array([[17]], np.int32), np.int32).shape == (1,)


@pytest.mark.parametrize("nothing", [None, np.empty((0, 1, 2), np.int32)])
def test_no_detection_is_an_empty_list(nothing: NDArray[Any] | None) -> None:
    """With the width and the type that were requested."""
    table, column = rows(nothing, 3, np.float32), numbers(nothing, np.int32)
    assert (table.shape, table.dtype, column.shape, column.dtype) == ((0, 3), np.dtype("f4"), (0,), np.dtype("i4"))


def test_a_wrong_shape_is_refused() -> None:
    """Another width, or two long axes; the error carries the shape."""
    with pytest.raises(OpenCvShapeError, match=r"shape \(2, 1, 2\) for rows of 4") as caught:
        rows(np.zeros((2, 1, 2), np.int32), 4, np.int32)
    assert caught.value.shape == (2, 1, 2)
    assert isinstance(caught.value, VisionError)
    assert isinstance(caught.value, ValueError)
    with pytest.raises(OpenCvShapeError):
        rows(np.zeros((5, 6, 3), np.uint8), 3, np.uint8)
    with pytest.raises(OpenCvShapeError):
        numbers(np.zeros((2, 3), np.int32), np.int32)
