"""Keys of a terminal one by one: while a question is open, a digit answers it without the Enter key."""

import os
import sys

if sys.platform != "win32":
    import termios

ERASE = (b"\x7f", b"\b")


class SingleKeys:
    """A descriptor that may be a terminal. Everything else, and a terminal of which others are in front, stays as it is."""

    def __init__(self, descriptor: int | None) -> None:
        self._descriptor = descriptor
        self._usual: list[object] | None = None  # the attributes that come back; None: they are in force

    @property
    def is_on(self) -> bool:
        return self._usual is not None

    def turn(self, *, is_on: bool) -> None:
        """Switches between keys and lines; what was typed stays."""
        if sys.platform == "win32" or is_on == self.is_on or not self._is_ours():
            return
        try:
            usual = termios.tcgetattr(self._descriptor or 0)
            if self._usual is None:
                self._usual = [*usual]
                usual[3] &= ~(termios.ICANON | termios.ECHOCTL)
            else:
                usual, self._usual = self._usual, None
            termios.tcsetattr(self._descriptor or 0, termios.TCSADRAIN, usual)
        except (termios.error, OSError):
            self._usual = None

    def _is_ours(self) -> bool:
        """Whether it is a terminal with this program in front: another one would be stopped for changing it."""
        try:
            return self._descriptor is not None and os.tcgetpgrp(self._descriptor) == os.getpgrp()
        except OSError:
            return False


def split_keys(typed: bytes, incomplete: bytes) -> tuple[list[bytes], bytes]:
    """Complete lines, and the rest. A digit at the beginning of a line is a line; the erase key takes a key back."""
    lines = list[bytes]()
    for number in typed:
        key = bytes((number,))
        if key == b"\n":
            lines.append(incomplete)
            incomplete = b""
        elif key in ERASE:
            incomplete = incomplete[:-1]
        elif key.isdigit() and not incomplete:
            lines.append(key)
        else:
            incomplete += key
    return lines, incomplete
