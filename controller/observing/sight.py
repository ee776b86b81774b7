"""How well the pictures show the board, measured now and then: the faults of light and focus."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame
from vision.geometry.calibration import Calibration
from vision.pixels.picture_quality import PictureFault, find_picture_fault, measure_quality

SIGHT_INTERVAL_MS = 2_000
_SHARE = 0.25  # of width and height cut off on each side: the middle suffices and costs a quarter of the time


@dataclass(frozen=True, slots=True)
class SightWatch:
    """The fault of the picture that was measured last, and when that was; None before the first measurement."""

    fault: PictureFault | None = None
    measured_ms: int | None = None


def update_sight_watch(watch: SightWatch, calibration: Calibration, frame: Frame) -> SightWatch:
    """Measures the frame, unless the last measurement is more recent than SIGHT_INTERVAL_MS."""
    if watch.measured_ms is not None and frame.taken_ms - watch.measured_ms < SIGHT_INTERVAL_MS:
        return watch
    return SightWatch(measure_picture_fault(frame.pixels, calibration), frame.taken_ms)


def measure_picture_fault(pixels: NDArray[np.uint8], calibration: Calibration) -> PictureFault | None:
    """The fault of the picture (height_px, width_px, 3) in the middle of the field; None where that is out of view."""
    corners_px = calibration.projection.to_picture(calibration.field.corners_mm)
    first_px, last_px = corners_px.min(axis=0), corners_px.max(axis=0)
    cut_px = _SHARE * (last_px - first_px)
    (left, top), (right, bottom) = np.rint([first_px + cut_px, last_px - cut_px]).astype(int).clip(min=0).tolist()
    middle = pixels[top:bottom, left:right]
    return find_picture_fault(measure_quality(np.ascontiguousarray(middle))) if middle.size else None
