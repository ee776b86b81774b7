"""Cameras without a camera: recipes that the real process opens, with the failures of real drivers."""

import ctypes
import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vision.camera.capture import Lock
from vision.errors import CaptureError, CaptureLibraryError
from vision.frame import Frame, FrameSource, Pixels

SHAPE = (48, 64, 3)
# A frame each, so that a camera that never stops leaves the processor to others.
FRAME_S = 0.002


class FakeCapture:
    """Every pixel of picture n has the value n. The recipe adds the failure."""

    def __init__(self, recipe: "FakeCamera") -> None:
        self._recipe = recipe
        self._number = 0

    def grab(self) -> None:
        threading.Event().wait(FRAME_S)
        self._number += 1
        if self._number > self._recipe.after:
            self._recipe.go_wrong()

    def retrieve(self, into: Pixels | None) -> object:
        return self._recipe.picture(self._number, into)

    def locks(self) -> tuple[Lock, ...]:
        return self._recipe.locked if self._number >= 3 else ()

    def release(self) -> None:
        if self._recipe.released_file:
            Path(self._recipe.released_file).touch()


@dataclass(frozen=True)
class FakeCamera:
    """Never goes wrong."""

    after: int = 10**9  # pictures before it goes wrong
    locked: tuple[Lock, ...] = ()
    released_file: str = ""  # is made when the camera is given back

    @property
    def name(self) -> str:
        return "The fake camera"

    def open(self) -> FakeCapture:
        return FakeCapture(self)

    def go_wrong(self) -> None: ...

    def picture(self, number: int, into: Pixels | None) -> object:
        if into is None:
            return np.full(SHAPE, number % 256, np.uint8)
        into[:] = number % 256
        return into


class Hanging(FakeCamera):
    """Waits for ever and lets other threads run."""

    def go_wrong(self) -> None:
        threading.Event().wait()


class HangingHard(FakeCamera):
    """Waits for ever inside C and holds the interpreter's lock: not even its own threads run."""

    def go_wrong(self) -> None:
        ctypes.PyDLL(None).pause()


class Crashing(FakeCamera):
    """Its driver ends the process."""

    def go_wrong(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class Unplugged(FakeCamera):
    """Says that it is gone."""

    def go_wrong(self) -> None:
        raise CaptureError(self.name, "is unplugged", "plug it in")


class Raising(FakeCamera):
    """Its library raises something of its own."""

    def go_wrong(self) -> None:
        raise RuntimeError("ISP timeout")


class WithoutLibrary(FakeCamera):
    """Cannot be opened on this machine at all."""

    def open(self) -> FakeCapture:
        raise CaptureLibraryError("libfake", self.name, "install libfake")


class Garbled(FakeCamera):
    """Gives other things than pictures; every fourth is a picture, up to `after`."""

    def picture(self, number: int, into: Pixels | None) -> object:
        if number % 4 == 0 and number <= self.after:
            return super().picture(number, into)
        wrong = (None, np.zeros(SHAPE[:2], np.uint8), np.zeros(SHAPE, np.float32), "text")
        return wrong[number % len(wrong)]


class Resizing(FakeCamera):
    """Changes its size with every picture and ignores the slot."""

    def picture(self, number: int, into: Pixels | None) -> object:
        return np.full((32 + number % 8, 40, 3), number % 256, np.uint8)


@dataclass(frozen=True)
class HangingOnce(FakeCamera):
    """Hangs in its first process and works in the next."""

    first_file: str = ""

    def go_wrong(self) -> None:
        first = Path(self.first_file)
        if not first.exists():
            first.touch()
            threading.Event().wait()


def frames_of(source: FrameSource, limit_s: float = 20.0) -> Iterator[Frame]:
    """Its frames as they come; ends with the source, and fails when none comes for so long."""
    until = time.monotonic() + limit_s
    while time.monotonic() < until and not source.state.condition.is_final:
        frame = source.latest(50)
        if frame is not None:
            until = time.monotonic() + limit_s
            yield frame
    assert source.state.condition.is_final, f"no frame for {limit_s} s: {source.state}"
