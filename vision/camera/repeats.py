"""Detects a camera that sends one picture for ever: the noise of a sensor changes every picture.

Rows at even distances are compared in short segments, so that a clock that a camera draws into a frozen picture does not hide
it. A segment without texture tells nothing, since black and burnt-out areas have no noise.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame, Pixels

FROZEN_AFTER_MS = 1_200  # knob; larger tolerates pauses of a stream longer. People must hear of it within 2 s
LEAST_REPEATS = 3  # a slow camera sends few pictures in this time
_ROW_STEP = 16  # every 16th row: a tenth of a millisecond for 1280x960
_SEGMENT_PX = 16
_TEXTURE = 8  # range of the levels in a segment that has texture; noise of two levels rarely spares all its 48 values
_LEAST_TEXTURED = 0.02  # share of the segments; below it the picture is as good as uniform and tells nothing
_REPEATED_SHARE = 0.98  # of the segments with texture; a drawn clock changes fewer than the rest

_Segments = NDArray[np.uint8]  # (n, 3 * _SEGMENT_PX)


@dataclass(frozen=True, slots=True, eq=False)
class RepeatWatch:
    """The first of the equal pictures so far, since when they come (None: none since the camera was started), and how many.

    `is_frozen`: the camera has sent them for too long. It stays so until another picture comes.
    """

    segments: _Segments | None = None
    since_ms: int | None = None
    repeats: int = 0
    is_frozen: bool = False

    def has_lasted(self, now_ms: int) -> bool:
        """Whether the camera has repeated its picture for too long since it was started."""
        is_long = self.since_ms is not None and now_ms - self.since_ms >= FROZEN_AFTER_MS
        return is_long and self.repeats >= LEAST_REPEATS

    def restart(self) -> "RepeatWatch":
        """The camera is started anew; the picture is remembered."""
        return replace(self, since_ms=None, repeats=0)


def update_repeat_watch(watch: RepeatWatch, frame: Frame) -> RepeatWatch:
    """Advances by one frame."""
    segments = _take_segments(frame.pixels)
    if watch.segments is None or not _is_repeated(watch.segments, segments):
        return RepeatWatch(segments, frame.taken_ms)
    if watch.since_ms is None:
        return replace(watch, since_ms=frame.taken_ms)
    watch = replace(watch, repeats=watch.repeats + 1)
    return replace(watch, is_frozen=watch.is_frozen or watch.has_lasted(frame.taken_ms))


def _take_segments(pixels: Pixels) -> _Segments:
    """A copy: the picture may lie in memory that the next one overwrites."""
    width_px = pixels.shape[1] // _SEGMENT_PX * _SEGMENT_PX
    return pixels[_ROW_STEP // 2 :: _ROW_STEP, :width_px].reshape(-1, 3 * _SEGMENT_PX).copy()


def _is_repeated(before: _Segments, now: _Segments) -> bool:
    if before.shape != now.shape or not len(now):
        return False
    is_equal = (before == now).all(axis=1)
    if is_equal.mean() < _REPEATED_SHARE / 2:
        return False  # a living camera, as nearly always
    is_textured = np.ptp(now, axis=1) >= _TEXTURE
    return bool(is_textured.mean() >= _LEAST_TEXTURED and is_equal[is_textured].mean() >= _REPEATED_SHARE)
