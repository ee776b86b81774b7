"""What a camera or stream must be able to do to be watched: the part that runs in a process of its own.

Everything here may block for ever or crash: nobody but the watchdog waits for it.
"""

from dataclasses import dataclass
from typing import Protocol

from vision.frame import Pixels


@dataclass(frozen=True, slots=True)
class Lock:
    """One automatic control of the camera, and whether it was switched off: the same light must look the same."""

    control: str  # exposure, gain, white balance, focus
    is_held: bool
    detail: str  # the value held, or why it is not held


class Capture(Protocol):
    """An open camera."""

    def grab(self) -> None:
        """Waits for the next picture. CaptureError when none will come any more."""
        ...

    def retrieve(self, into: Pixels | None) -> object:
        """The picture just grabbed: (height, width, 3) BGR, anything else counts as garbled.

        `into`, writable and of the last picture's shape, saves a copy when it is filled and returned.
        """
        ...

    def locks(self) -> tuple[Lock, ...]:
        """Empty until the camera has settled."""
        ...

    def release(self) -> None: ...


class CaptureRecipe(Protocol):
    """How to open a camera; a value that can be pickled, since the opening happens in the other process."""

    @property
    def name(self) -> str:
        """The camera in words that begin a sentence; without passwords."""
        ...

    def open(self) -> Capture:
        """CaptureError when it may work later, CaptureLibraryError when it cannot."""
        ...
