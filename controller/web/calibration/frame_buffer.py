"""The last frames of the camera that is being calibrated: put there by whoever has the camera, taken by the server."""

import time
from collections import deque
from dataclasses import dataclass
from threading import Condition

from vision.frame import Frame

INTERVAL_MS = 125
"""Between the frames that are kept; three of them span what a recheck asks for."""
MOST_FRAMES = 8
_KEEP_AFTER_REQUEST_S = 10.0
"""So long after somebody has asked for a frame, frames are still kept; they are large."""


@dataclass(frozen=True, slots=True, eq=False)
class NumberedFrame:
    """The newest frame, and which one it is, from 1."""

    number: int
    frame: Frame


class FrameBuffer:
    """Newest only, and a few before it. One that `is_shared` keeps nothing while nobody looks."""

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
        """The last ones in their order, the newest last."""
        with self._changed:
            return tuple(self._frames)[-most:]

    def put(self, frame: Frame, *, is_still: bool = False) -> None:
        """`is_still`: of a recording, whose pictures are all kept whatever their times are."""
        with self._changed:
            if self._is_shared and time.monotonic() - self._requested_s > _KEEP_AFTER_REQUEST_S:
                self._newest = None
                self._frames.clear()
                return
            self._number += 1
            self._newest = NumberedFrame(self._number, frame)
            if len(self._frames) >= 2 and not is_still:
                is_early = self._frames[-1].taken_ms - self._frames[-2].taken_ms < INTERVAL_MS
                if is_early:
                    self._frames.pop()
            self._frames.append(frame)
            self._changed.notify_all()

    def clear(self) -> None:
        """Another camera: what it shows is numbered on."""
        with self._changed:
            self._newest = None
            self._frames.clear()

    def wait_for_frames(self, count: int, timeout_s: float) -> None:
        """Until so many more have come, or the time is over."""
        with self._changed:
            until = self._number + count
            self._requested_s = time.monotonic()
            self._changed.wait_for(lambda: self._number >= until, timeout_s)
