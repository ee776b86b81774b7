"""One picture with its time, and what every source of pictures can do.

A source is asked by one thread and never keeps it longer than the given time. Why there is no frame is a value,
`SourceState`: a camera that was unplugged is nothing to fall over, the referee says so and waits.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from types import TracebackType
from typing import Protocol, Self, TypeGuard

import numpy as np
from numpy.typing import NDArray

from vision.errors import FrameError

Pixels = NDArray[np.uint8]
Clock = Callable[[], int]  # monotonic milliseconds


def monotonic_ms() -> int:
    """The clock of `taken_ms`; the same in all processes of one machine."""
    return time.monotonic_ns() // 1_000_000


def is_colour_picture(pixels: object) -> TypeGuard[Pixels]:
    """Whether this is a (height, width, 3) array of uint8 with at least one pixel."""
    return (
        isinstance(pixels, np.ndarray)
        and pixels.dtype == np.uint8
        and pixels.ndim == 3
        and pixels.shape[2] == 3
        and pixels.size > 0
    )


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A camera picture. It is not copied: who makes a frame gives the array away and writes to it no more."""

    pixels: Pixels  # (height_px, width_px, 3), BGR, read-only, contiguous
    taken_ms: int  # monotonic clock; of a recording, milliseconds since its first frame or as its timestamps say

    def __post_init__(self) -> None:
        if not is_colour_picture(self.pixels):
            raise FrameError(np.shape(self.pixels), str(np.asarray(self.pixels).dtype))
        view = np.ascontiguousarray(self.pixels).view()
        view.flags.writeable = False
        object.__setattr__(self, "pixels", view)


class Condition(Enum):
    """How a source is. HANGS and VANISHED heal by themselves, the last three stay."""

    OPENING = "opening"
    LIVE = "live"  # a frame comes, or only the next one has not come yet
    HANGS = "hangs"  # still there, but no frame for too long; it is being started anew
    VANISHED = "vanished"  # unplugged, unreachable or stopped; it is tried again
    FAILED = "failed"  # it never works on this machine as it is
    ENDED = "ended"  # a recording is over
    CLOSED = "closed"

    @property
    def is_final(self) -> bool:
        return self in (Condition.FAILED, Condition.ENDED, Condition.CLOSED)


@dataclass(frozen=True, slots=True)
class SourceState:
    """How a source was when it was last asked for a frame."""

    condition: Condition
    since_ms: int  # monotonic clock; of a recording, the time of its last frame
    sentence: str = ""  # what is wrong and what to do; empty when nothing is


class FrameSource(Protocol):
    """Where frames come from. Of a camera or stream `latest` gives the newest only, of a recording each one in order.

    None means that no new frame came within the time; `state` tells why. Once the state is final, None comes at once.
    A recording does not wait. A picture of it that cannot be read raises BadPictureError, and the next call goes on
    with the picture after it. A live source does its work (restarts too) in these calls, so keep asking.
    """

    @property
    def state(self) -> SourceState: ...

    def latest(self, timeout_ms: int) -> Frame | None: ...

    def describe(self) -> str:
        """What it is, in words for people; without passwords."""
        ...

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
