"""Detection of motion on the field, from reduced pictures with time as data.

Each frame is compared with a reference frame. The scene is still while both show the same; the first frame that differs
becomes the new reference, and the time of stillness starts again. A motion that is too slow to appear from one frame to
the next therefore accumulates until it is detected. After RENEW_MS of stillness the reference is renewed, so that a
change over minutes, such as daylight, never accumulates. This is the difference from `cached_reading`, which must
detect slow changes.

Light is not motion. A lamp, a cloud or an LED multiplies the picture by a factor that is smooth across the field,
whereas a moving object has edges. The comparison therefore uses ratios (differences of logarithms), removes the part
that is smooth over the width of a point, and scales the rest back to grey levels, where camera noise is about equal in
light and shade. Light is not smooth next to an LED, so a strip of STRIP_MM along the upper and lower rim is excluded.
Motion inside that strip shows only in the positions of the dice (`vision.dice_tracking.tracker`).

With noise of 3 levels per pixel, noise, LEDs and a 6 % change of exposure reach 30 squared levels in the loudest
window; a die pushed by 1 mm causes 180, a die turned by 10 degrees 120, and a removed checker 2,000. In doubt the scene
moves, which costs only time.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import ImpossibleReadingError
from vision.frame import Frame
from vision.geometry.calibration import Calibration, scale_to_picture
from vision.geometry.projection import FieldShape, Projection
from vision.pixels.averages import average_channels, compute_median
from vision.pixels.resize import compute_shrink, reduce_frame

DARKEST = 16.0  # grey levels, added before the logarithm; ratios of darker pixels are mostly noise
_LOGARITHMS = np.log(np.arange(256, dtype=np.float32) + np.float32(DARKEST))


# Thresholds for motion between two reduced pictures, in grey levels 0..255. Larger thresholds detect less motion.
PX_A_POINT = 8  # resolution of the reduced picture; a die is about a third of a point wide
LEAST_SQUARED = 30.0  # mean squared change of a window of half a point that counts as motion
OVER_NOISE = 10.0  # the same threshold as a multiple of the median window; the larger one applies
NOISE_MOST_SQUARED = 12.0  # median window above which no decision is possible and the scene moves
STRIP_MM = 20.0  # excluded along the upper and lower rim, where LED light has edges
RENEW_MS = 1000  # age at which the reference picture is replaced


@dataclass(frozen=True, slots=True, eq=False)
class FieldArea:
    """The part of a reduced picture that shows the field."""

    shrink: int
    inside: NDArray[np.float32]  # (rows, columns), read-only: 1 on the field without its strips, else 0


@dataclass(frozen=True, slots=True, eq=False)
class Stillness:
    """The period during which the field has not changed up to the newest frame."""

    since_ms: int
    taken_ms: int  # of the newest frame
    reference_picture: NDArray[np.uint8]  # (rows, columns, 3), BGR, reduced
    reference_ms: int
    area: FieldArea

    @property
    def still_ms(self) -> int:
        return self.taken_ms - self.since_ms

    @property
    def is_moving(self) -> bool:
        """Whether the newest frame differs from the reference. True for the first frame, which has no reference."""
        return self.since_ms == self.taken_ms


def measure_stillness(frame: Frame, calibration: Calibration, before: Stillness | None = None) -> Stillness:
    """The stillness as of this frame.

    Raises WrongPictureSizeError, and ImpossibleReadingError unless times increase strictly.
    """
    height_px, width_px = frame.pixels.shape[:2]
    known = scale_to_picture(calibration, width_px, height_px)
    area = field_area(known.projection, known.field, (width_px, height_px))
    seen, taken_ms = reduce_frame(frame, area.shrink), frame.taken_ms
    if before is not None and taken_ms <= before.taken_ms:
        raise ImpossibleReadingError(
            f"A frame of {taken_ms} ms cannot follow one of {before.taken_ms} ms; give frames in the order of time."
        )
    begun = Stillness(taken_ms, taken_ms, seen, taken_ms, area)
    if before is None or not np.array_equal(before.area.inside, area.inside):
        return begun
    if not is_motionless(before.reference_picture, seen, area):
        return begun
    if taken_ms - before.reference_ms >= RENEW_MS:
        return replace(begun, since_ms=before.since_ms)
    return replace(before, taken_ms=taken_ms)


def is_motionless(before: NDArray[np.uint8], now: NDArray[np.uint8], area: FieldArea) -> bool:
    """Whether two reduced pictures of the field differ only in noise and light."""
    if before.shape != now.shape or before.shape[:2] != area.inside.shape:
        return False
    windows = _compute_window_changes(before, now, area)
    if windows.size == 0:
        return False
    noise = float(compute_median(windows))
    if noise > NOISE_MOST_SQUARED:
        return False
    return float(windows.max()) <= max(LEAST_SQUARED, OVER_NOISE * noise)


def _compute_window_changes(before: NDArray[np.uint8], now: NDArray[np.uint8], area: FieldArea) -> NDArray[np.float32]:
    """(n,): the mean squared change without smooth light, in squared levels, of the window around each field pixel."""
    windows_of = _find_windows(area)
    if windows_of is None:
        return np.empty(0, np.float32)
    old, new = before[windows_of.bounds], now[windows_of.bounds]
    ratio = np.subtract(cv2.LUT(new, _LOGARITHMS), cv2.LUT(old, _LOGARITHMS), dtype=np.float32)
    ratio -= windows_of.around_point.average(ratio)
    ratio *= old + np.float32(DARKEST)
    changes = windows_of.half_a_point.average(average_channels(np.square(ratio)))
    return changes[windows_of.is_inside]


@lru_cache(maxsize=4)
def field_area(projection: Projection, field: FieldShape, size_px: tuple[int, int]) -> FieldArea:
    """The area of the field without its strips in a reduced picture; `size_px` is (width, height) before reduction."""
    shrink = compute_shrink(projection, field, PX_A_POINT)
    right, top, bottom = field.width_mm, STRIP_MM, field.height_mm - STRIP_MM
    corners_px = projection.to_picture([(0.0, top), (right, top), (right, bottom), (0.0, bottom)])
    small_px = np.rint((corners_px + 0.5) / shrink - 0.5).astype(np.int32)
    width_px, height_px = (max(1, length // shrink) for length in size_px)
    inside = np.zeros((height_px, width_px), np.uint8)
    cv2.fillPoly(inside, [small_px], 1)
    mask = inside.astype(np.float32)
    mask.flags.writeable = False
    return FieldArea(shrink, mask)


@dataclass(frozen=True, slots=True, eq=False)
class _Window:
    """A square around each pixel of the field, in which the mean is that over the field pixels."""

    width_px: int
    inside: NDArray[np.float32]  # (rows, columns, 3): 1 on the field, else 0
    weights: NDArray[np.float32]  # (rows, columns, 3): the share of the square that is field

    @classmethod
    def of_width(cls, inside: NDArray[np.float32], width_px: int) -> "_Window":
        """By `inside` (rows, columns)."""
        shares = cv2.boxFilter(inside, -1, (width_px, width_px)).astype(np.float32, copy=False)
        weights = np.maximum(shares, np.float32(1e-6))
        return cls(width_px, *(np.repeat(each[..., None], 3, axis=2) for each in (inside, weights)))

    def average(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """The mean of (rows, columns) or (rows, columns, 3) values around each pixel."""
        which = ... if values.ndim == 3 else (..., 0)
        sums = cv2.boxFilter(values * self.inside[which], -1, (self.width_px, self.width_px))
        return np.divide(sums, self.weights[which], dtype=np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _FieldWindows:
    """What the comparison needs of an area, once for all frames; all of it within the bounds of the field."""

    bounds: tuple[slice, slice]  # rows and columns
    is_inside: NDArray[np.bool_]  # (rows, columns)
    around_point: _Window
    half_a_point: _Window


@lru_cache(maxsize=4)
def _find_windows(area: FieldArea) -> _FieldWindows | None:
    """None without a field pixel. Cached by the identity of the area."""
    rows, columns = (np.flatnonzero(area.inside.any(axis=axis)) for axis in (1, 0))
    if len(rows) == 0:
        return None
    bounds = slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)
    inside = area.inside[bounds]
    return _FieldWindows(
        bounds, inside > 0, _Window.of_width(inside, PX_A_POINT + 1), _Window.of_width(inside, max(1, PX_A_POINT // 2))
    )
