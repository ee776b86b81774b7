"""Whether anything moves on the field, and for how long nothing has: told from small pictures, time as data.

A frame is compared with the frame from which the scene has looked as it looks now. As long as the two show the same
the scene is still; the first frame that differs takes its place and the time begins anew. So what moves too slowly to
be seen from one frame to the next adds up until it is seen. After `renew_ms` of stillness the picture compared with is
replaced, and what comes in over minutes, such as daylight, never adds up: that is the one difference in purpose from
`unchanged.py`, which must notice slow change where this must not.

Light is no motion. A lamp, a cloud or an LED multiplies what the camera sees by something that is smooth across the
field; a thing that moves has edges. So pictures are compared as ratios (differences of logarithms), what is smooth
over the width of a point is taken out, and the rest is brought back to levels of the pixels, where the noise of the
camera is about the same in light and shade. Only right beside an LED its light is not smooth: a strip of `strip_mm`
along the upper and the lower rim, where the LEDs are, is left out. What lies in there entirely is told by the places
of the dice alone (`dice_rest.py`).

Measured on drawn boards at 640x480 with noise of 3 levels a pixel and JPEG 85: noise, all LEDs of a rim lit at once and
an exposure 6 % longer stay below 30 squared levels in the loudest window, a die pushed by 1 mm begins at 180, one
turned on the spot by 10 degrees at 120, a checker taken away at 2,000.

When in doubt the scene moves: that costs time and nothing else.
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
from vision.pixels.resize import compute_shrink, reduce_frame

DARKEST = 16.0  # levels added before logarithms: below this a ratio is mostly noise
_LOGARITHMS = np.log(np.arange(256, dtype=np.float32) + np.float32(DARKEST))


@dataclass(frozen=True, slots=True)
class MotionLimits:
    """When two reduced pictures show the same. Levels are those of the pixels, 0..255."""

    px_a_point: int = 8  # the reduced picture; a die is about a third of it wide
    least_squared: float = 30.0  # squared levels in a window of half a point below which nothing has moved
    over_noise: float = 10.0  # and this many times the typical window
    noise_most_squared: float = 12.0  # with more noise than this in a typical window nobody can tell: it moves
    strip_mm: float = 20.0  # along the upper and lower rim, where the light of the LEDs has edges
    renew_ms: int = 1000  # a picture older than this is no longer compared with


@dataclass(frozen=True, slots=True, eq=False)
class FieldArea:
    """Which part of a reduced picture is the field."""

    shrink: int
    inside: NDArray[np.float32]  # (rows, columns), read-only: 1 on the field without its strip, else 0


@dataclass(frozen=True, slots=True, eq=False)
class Stillness:
    """Since when the field has looked as it looks in the newest frame."""

    since_ms: int
    taken_ms: int  # of the newest frame
    reference_picture: NDArray[
        np.uint8
    ]  # (rows, columns, 3), BGR: the reduced picture that the next one is compared with
    reference_ms: int
    area: FieldArea

    @property
    def still_ms(self) -> int:
        return self.taken_ms - self.since_ms

    @property
    def is_moving(self) -> bool:
        """Whether this frame shows something else than the one before it. True of the first, which nothing vouches for."""
        return self.since_ms == self.taken_ms


def measure_stillness(
    frame: Frame, calibration: Calibration, before: Stillness | None = None, *, limits: MotionLimits | None = None
) -> Stillness:
    """The stillness as of this frame. WrongPictureSizeError as for a reading; frames come in the order of time."""
    limits = limits or MotionLimits()
    height_px, width_px = frame.pixels.shape[:2]
    known = scale_to_picture(calibration, width_px, height_px)
    area = field_area(known.projection, known.field, (width_px, height_px), limits)
    return update_stillness(before, reduce_frame(frame, area.shrink), frame.taken_ms, area=area, limits=limits)


def update_stillness(
    before: Stillness | None, seen: NDArray[np.uint8], taken_ms: int, *, area: FieldArea, limits: MotionLimits
) -> Stillness:
    """The stillness as of a reduced picture. ImpossibleReadingError unless it was taken after the one before."""
    if before is not None and taken_ms <= before.taken_ms:
        raise ImpossibleReadingError(
            f"A frame of {taken_ms} ms cannot follow one of {before.taken_ms} ms; give frames in the order of time."
        )
    begun = Stillness(taken_ms, taken_ms, seen, taken_ms, area)
    if before is None or not np.array_equal(before.area.inside, area.inside):
        return begun
    if not is_motionless(before.reference_picture, seen, area=area, limits=limits):
        return begun
    if taken_ms - before.reference_ms >= limits.renew_ms:
        return replace(begun, since_ms=before.since_ms)
    return replace(before, taken_ms=taken_ms)


def is_motionless(before: NDArray[np.uint8], now: NDArray[np.uint8], *, area: FieldArea, limits: MotionLimits) -> bool:
    """Whether nothing on the field differs between two reduced pictures but noise and light."""
    if before.shape != now.shape or before.shape[:2] != area.inside.shape:
        return False
    windows = compute_window_changes(before, now, area=area, px_a_point=limits.px_a_point)
    if windows.size == 0:
        return False
    noise = float(np.median(windows))
    if noise > limits.noise_most_squared:
        return False
    return float(windows.max()) <= max(limits.least_squared, limits.over_noise * noise)


def compute_window_changes(
    before: NDArray[np.uint8], now: NDArray[np.uint8], *, area: FieldArea, px_a_point: int
) -> NDArray[np.float32]:
    """(n,): for the window around each pixel of the field the mean squared change, in levels, that no light explains."""
    rows, columns = _bounds(area.inside)
    inside = area.inside[rows, columns]
    old, new = before[rows, columns], now[rows, columns]
    ratio = _LOGARITHMS[new] - _LOGARITHMS[old]
    ratio -= _mean_around(ratio, inside, px_a_point + 1)
    ratio *= old + np.float32(DARKEST)
    windows = _mean_around(np.asarray(np.square(ratio).mean(axis=2), np.float32), inside, max(1, px_a_point // 2))
    found: NDArray[np.float32] = windows[inside > 0]
    return found


@lru_cache(maxsize=4)
def field_area(projection: Projection, field: FieldShape, size_px: tuple[int, int], limits: MotionLimits) -> FieldArea:
    """Where the field without its strip lies in a picture of this width and height once that is reduced."""
    shrink = compute_shrink(projection, field, limits.px_a_point)
    right, top, bottom = field.width_mm, limits.strip_mm, field.height_mm - limits.strip_mm
    corners_px = projection.to_picture([(0.0, top), (right, top), (right, bottom), (0.0, bottom)])
    small_px = np.rint((corners_px + 0.5) / shrink - 0.5).astype(np.int32)
    width_px, height_px = (max(1, length // shrink) for length in size_px)
    inside = np.zeros((height_px, width_px), np.uint8)
    cv2.fillPoly(inside, [small_px], 1)
    mask = inside.astype(np.float32)
    mask.flags.writeable = False
    return FieldArea(shrink, mask)


def _bounds(inside: NDArray[np.float32]) -> tuple[slice, slice]:
    """The rows and columns that hold the field."""
    rows, columns = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
    if len(rows) == 0:
        return slice(0), slice(0)
    return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)


def _mean_around(values: NDArray[np.float32], inside: NDArray[np.float32], width_px: int) -> NDArray[np.float32]:
    """The mean of the values in a square around each pixel, of those on the field only."""
    if values.size == 0:
        return values
    weights = np.maximum(
        cv2.boxFilter(inside, -1, (width_px, width_px)).astype(np.float32, copy=False), np.float32(1e-6)
    )
    if values.ndim == 3:
        inside, weights = inside[..., None], weights[..., None]
    sums = cv2.boxFilter(values * inside, -1, (width_px, width_px)).astype(np.float32, copy=False)
    return np.divide(sums, weights, dtype=np.float32)
