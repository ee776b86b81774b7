from typing import Any

import numpy as np
import pytest

from vision.errors import FrameError, VisionError
from vision.frame import Condition, Frame


def test_a_frame_is_read_only_and_not_copied() -> None:
    """The pixels cannot be written through the frame, and share the memory of the array that was given."""
    pixels = np.zeros((4, 6, 3), np.uint8)
    frame = Frame(pixels, 12)
    with pytest.raises(ValueError, match="read-only"):
        frame.pixels[0, 0, 0] = 1
    assert np.shares_memory(frame.pixels, pixels)
    assert pixels.flags.writeable  # what belongs to the caller is left alone


def test_a_cut_out_becomes_contiguous() -> None:
    """OpenCV and the networks get rows without gaps."""
    frame = Frame(np.zeros((8, 8, 3), np.uint8)[:, ::2], 0)
    assert frame.pixels.flags.c_contiguous
    assert frame.pixels.shape == (8, 4, 3)


@pytest.mark.parametrize(
    "pixels",
    [
        np.zeros((4, 6), np.uint8),
        np.zeros((4, 6, 4), np.uint8),
        np.zeros((0, 6, 3), np.uint8),
        np.zeros((4, 6, 3), np.float32),
        np.zeros((2, 4, 6, 3), np.uint8),
        None,
    ],
    ids=lambda pixels: f"{np.shape(pixels)}-{np.asarray(pixels).dtype}",
)
def test_another_array_is_refused(pixels: Any) -> None:
    """Grey, four channels, empty, float, a list of pictures, and None, which OpenCV gives for a defective picture."""
    with pytest.raises(FrameError, match="convert the picture") as caught:
        Frame(pixels, 0)
    assert (caught.value.shape, caught.value.dtype) == (np.shape(pixels), str(np.asarray(pixels).dtype))
    assert isinstance(caught.value, VisionError)
    assert isinstance(caught.value, ValueError)


def test_only_what_cannot_heal_is_final() -> None:
    """A camera that hangs or vanished is waited for; one that failed, ended or was closed is not."""
    assert {condition for condition in Condition if condition.is_final} == {
        Condition.FAILED,
        Condition.ENDED,
        Condition.CLOSED,
    }
