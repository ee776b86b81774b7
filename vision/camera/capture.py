"""The interface of a camera inside its own process, and the messages between that process and its parent.

A `Capture` may block forever or crash: only the watchdog waits for it. Besides the pictures, which travel through
`shared_frames`, the two processes exchange values over a socket. The child receives the recipe first and then tokens of
slots that it may fill again; the parent receives a `Message`. Both ends run the same code for the same user, so values
travel as pickles. A length precedes each pickle, because a killed process may leave half a message behind.
"""

import pickle
import struct
from dataclasses import dataclass
from typing import Protocol

from vision.camera.shared_frames import SlotMemory
from vision.frame import Pixels

_LENGTH = struct.Struct("=I")


@dataclass(frozen=True, slots=True)
class Lock:
    """One automatic control of a camera. It is off during a match, so that equal light gives equal pixels."""

    control: str  # exposure, gain, white balance, focus
    is_held: bool
    detail: str  # the value that is held, or the reason why none is


class Capture(Protocol):
    """An open camera."""

    def grab(self) -> None:
        """Waits for the next picture. Raises CaptureError when no more pictures come."""
        ...

    def retrieve(self, into: Pixels | None) -> object:
        """The picture of the last `grab`: (height, width, 3) BGR; any other value counts as garbled.

        `into` is writable and has the shape of the last picture. A capture that fills and returns it saves a copy.
        """
        ...

    def locks(self) -> tuple[Lock, ...]:
        """Empty until the camera has settled."""
        ...

    def release(self) -> None: ...


class CaptureRecipe(Protocol):
    """The description of a camera. It can be pickled, because the other process opens the camera."""

    @property
    def name(self) -> str:
        """The camera in words that begin a sentence, without passwords."""
        ...

    def open(self) -> Capture:
        """Raises CaptureError when a later attempt may succeed, and CaptureLibraryError when none can."""
        ...


@dataclass(frozen=True, slots=True)
class MemoryMade:
    """New shared memory; its file descriptor travels with the same bytes."""

    memory: SlotMemory


@dataclass(frozen=True, slots=True)
class LocksTried:
    """The camera has settled, and these are its controls."""

    locks: tuple[Lock, ...]


@dataclass(frozen=True, slots=True)
class CaptureEnded:
    """The process gives no more pictures."""

    sentence: str
    is_curable: bool


Message = MemoryMade | LocksTried | CaptureEnded


def encode(value: object) -> bytes:
    data = pickle.dumps(value)
    return _LENGTH.pack(len(data)) + data


class MessageDecoder:
    """Collects bytes in portions of any size and returns the complete values."""

    def __init__(self) -> None:
        self._waiting = bytearray()

    def feed(self, data: bytes) -> list[object]:
        self._waiting += data
        values: list[object] = []
        while len(self._waiting) >= _LENGTH.size:
            end = _LENGTH.size + _LENGTH.unpack_from(self._waiting)[0]
            if len(self._waiting) < end:
                break
            values.append(pickle.loads(self._waiting[_LENGTH.size : end]))  # noqa: S301 - only from our own child
            del self._waiting[:end]
        return values
