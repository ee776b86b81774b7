"""The last frames of the camera that is being calibrated; written by the owner of the camera, read by the server."""

import time
from collections import deque
from dataclasses import dataclass
from threading import Condition

from vision.frame import Frame

INTERVAL_MS = 125
"""The least time between kept frames. Three frames then span the time that a drift check needs."""
MOST_FRAMES = 8
_KEEP_AFTER_REQUEST_S = 10.0
"""A knob: how long a shared buffer keeps frames after the last request for one. Frames are large."""


@dataclass(frozen=True, slots=True, eq=False)
class NumberedFrame:
    """The newest frame and its number, counted from 1."""

    number: int
    frame: Frame


class FrameBuffer:
    """The newest frame and a few before it. A shared buffer keeps nothing while nobody requests a frame."""

    def __init__(self, *, is_shared: bool = False) -> None:
        self._is_shared = is_shared
        self._changed = Condition()
        self._newest: NumberedFrame | None = None
        self._number = 0
        self._frames: deque[Frame] = deque(maxlen=MOST_FRAMES)
        self._requested_s = float("-inf")

    @property
    def newest(self) -> NumberedFrame | None:
        with self._changed:
            self._requested_s = time.monotonic()
            return self._newest

    def recent(self, most: int = MOST_FRAMES) -> tuple[Frame, ...]:
        """The last frames in their order, the newest last."""
        with self._changed:
            return tuple(self._frames)[-most:]

    def put(self, frame: Frame, *, is_still: bool = False) -> None:
        """Adds a frame. `is_still`: a picture of a recording, which is kept whatever its time is."""
        with self._changed:
            if self._is_shared and time.monotonic() - self._requested_s > _KEEP_AFTER_REQUEST_S:
                self._newest = None
                self._frames.clear()
                return
            self._number += 1
            self._newest = NumberedFrame(self._number, frame)
            last = tuple(self._frames)[-2:]
            if len(last) == 2 and not is_still and last[1].taken_ms - last[0].taken_ms < INTERVAL_MS:
                self._frames.pop()
            self._frames.append(frame)
            self._changed.notify_all()

    def clear(self) -> None:
        """Forgets the frames of a camera; numbers continue with those of the next one."""
        with self._changed:
            self._newest = None
            self._frames.clear()

    def wait_for_frames(self, count: int, timeout_s: float) -> None:
        """Returns when `count` more frames have come, or after `timeout_s`."""
        with self._changed:
            until = self._number + count
            self._requested_s = time.monotonic()
            self._changed.wait_for(lambda: self._number >= until, timeout_s)
