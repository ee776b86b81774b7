"""What the two processes of a live source tell each other over their socket, besides the pictures.

To the child: first the recipe, then tokens of slots it may fill again. To the parent: the messages below. Both ends run
the same code of the same user, so values go as pickles; each has its length before it, since a killed process may
leave half of one behind.
"""

import pickle
import struct
from dataclasses import dataclass

from vision.camera.capture import Lock
from vision.camera.shared_frames import SlotMemory

_LENGTH = struct.Struct("=I")


@dataclass(frozen=True, slots=True)
class MemoryMade:
    """Its file descriptor travels with the same bytes."""

    memory: SlotMemory


@dataclass(frozen=True, slots=True)
class LocksTried:
    """The camera has settled; this is what was locked and what was not."""

    locks: tuple[Lock, ...]


@dataclass(frozen=True, slots=True)
class CaptureEnded:
    """There will be no more pictures from this process."""

    sentence: str
    is_curable: bool


Message = MemoryMade | LocksTried | CaptureEnded


def encode(value: object) -> bytes:
    data = pickle.dumps(value)
    return _LENGTH.pack(len(data)) + data


class MessageDecoder:
    """Bytes in any portions -> the values that are complete."""

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
