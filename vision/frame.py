"""A picture with its time (`Frame`), and the interface of every source of pictures (`FrameSource`).

One thread polls a source, and no call blocks longer than its timeout. The reason for a missing frame is a value
(`SourceState`), not an exception: the referee reports an unplugged camera and waits for it.
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
    """The clock of `taken_ms`, common to all processes of one machine."""
    return time.monotonic_ns() // 1_000_000


def is_colour_picture(pixels: object) -> TypeGuard[Pixels]:
    """Whether `pixels` is a (height, width, 3) array of uint8 with at least one pixel."""
    return (
        isinstance(pixels, np.ndarray)
        and pixels.dtype == np.uint8
        and pixels.ndim == 3
        and pixels.shape[2] == 3
        and pixels.size > 0
    )


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A camera picture. The array is not copied, so the caller must not write to it afterwards.

    Raises FrameError unless `pixels` is a (height_px, width_px, 3) array of uint8.
    """

    pixels: Pixels  # (height_px, width_px, 3), BGR, read-only, contiguous
    taken_ms: int  # monotonic clock; in a recording, milliseconds since its first frame or its timestamps

    def __post_init__(self) -> None:
        if not is_colour_picture(self.pixels):
            raise FrameError(np.shape(self.pixels), str(np.asarray(self.pixels).dtype))
        view = np.ascontiguousarray(self.pixels).view()
        view.flags.writeable = False
        object.__setattr__(self, "pixels", view)


class Condition(Enum):
    """The condition of a source. HANGS and VANISHED are temporary; the last three are final."""

    OPENING = "opening"
    LIVE = "live"
    HANGS = "hangs"  # connected, but without a frame for too long; the source restarts
    VANISHED = "vanished"  # unplugged, unreachable or stopped; the source tries again
    FAILED = "failed"  # cannot work on this machine as it is
    ENDED = "ended"  # end of a recording
    CLOSED = "closed"

    @property
    def is_final(self) -> bool:
        return self in (Condition.FAILED, Condition.ENDED, Condition.CLOSED)


@dataclass(frozen=True, slots=True)
class SourceState:
    """The condition of a source at the last request for a frame."""

    condition: Condition
    since_ms: int  # monotonic clock; in a recording, the time of its last frame
    sentence: str = ""  # problem and remedy; empty without a problem


class FrameSource(Protocol):
    """A source of frames, and a context manager that closes it.

    `latest` returns the newest frame of a camera or stream, and each frame in order of a recording. None means that no
    new frame came within the timeout; `state` holds the reason. In a final state None comes at once. A recording does
    not wait; an unreadable picture raises BadPictureError, and the next call returns the picture after it. A live
    source does all its work, restarts included, inside these calls, so the caller must keep polling.
    """

    @property
    def state(self) -> SourceState: ...

    def latest(self, timeout_ms: int) -> Frame | None: ...

    def describe(self) -> str:
        """A name for people, without passwords."""
        ...

    @property
    def silence_remedy(self) -> str:
        """What people try when it sends nothing, in words that end a sentence."""
        return "check its cable"

    def close(self) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
