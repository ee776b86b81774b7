"""Reduction of camera pictures, for comparison with averaged noise and for network input."""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame
from vision.geometry.projection import FieldShape, Projection


@lru_cache(maxsize=4)
def compute_shrink(projection: Projection, field: FieldShape, px_a_point: int) -> int:
    """The largest reduction, at least 1, that leaves `px_a_point` pixels to a point of the field at its shorter rim."""
    left, right = 0.0, field.width_mm
    rims_px = [
        np.linalg.norm(np.subtract(*projection.to_picture([(left, y_mm), (right, y_mm)])))
        for y_mm in (0.0, field.height_mm)
    ]
    return max(1, int(min(rims_px) * field.pitch_mm / field.width_mm / px_a_point))


@lru_cache(maxsize=2)
def reduce_frame(frame: Frame, shrink: int) -> NDArray[np.uint8]:
    """`reduce_picture` of a frame, read-only and cached because several consumers reduce the same frame."""
    small = reduce_picture(frame.pixels, shrink)
    small.flags.writeable = False
    return small


def reduce_picture(pixels: NDArray[np.uint8], shrink: int) -> NDArray[np.uint8]:
    """A copy that is `shrink` times smaller; a remainder at the right and lower edge is cut off."""
    height_px, width_px = (max(1, length // shrink) for length in pixels.shape[:2])
    whole = pixels[: height_px * shrink, : width_px * shrink]
    return cv2.resize(whole, (width_px, height_px), interpolation=cv2.INTER_AREA).astype(np.uint8, copy=True)


def resize_picture(pixels: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    """Resizes to (width, height) by repeated halving and one linear step.

    An area mean over other factors takes seven times as long.
    """
    while min(have / want for have, want in zip(pixels.shape[1::-1], size, strict=True)) >= 2:
        half = (pixels.shape[1] // 2, pixels.shape[0] // 2)
        pixels = cv2.resize(pixels, half, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    return cv2.resize(pixels, size, interpolation=cv2.INTER_LINEAR).astype(np.uint8, copy=False)
