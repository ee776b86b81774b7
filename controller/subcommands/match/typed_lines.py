"""Lines from standard input without waiting for them, on a terminal, a pipe or a file."""

import os
import select
import sys
from collections.abc import Callable, Iterator

from controller.match.commands import Command
from controller.wording.command_text import CommandTextError, list_commands, parse_command

_READ_BYTES = 4_096


class TypedCommands:
    """`tell` gets what is said to somebody who typed what is no order."""

    def __init__(self, tell: Callable[[str], None], descriptor: int | None = None) -> None:
        self._tell = tell
        self._descriptor = _standard_input() if descriptor is None else descriptor
        self._begun = b""

    def __call__(self) -> Iterator[Command]:
        """The orders that were typed since the last call."""
        for line in self._read_lines():
            if line.strip().lower() in ("help", "?"):
                for order in list_commands():
                    self._tell(order)
                continue
            try:
                command = parse_command(line)
            except CommandTextError as error:
                self._tell(str(error))
            else:
                if command is not None:
                    yield command

    def _read_lines(self) -> Iterator[str]:
        while self._descriptor is not None and select.select([self._descriptor], [], [], 0)[0]:
            try:
                content = os.read(self._descriptor, _READ_BYTES)
            except OSError:
                content = b""  # the terminal has gone
            if not content:
                self._descriptor = None
            *lines, self._begun = (self._begun + content).split(b"\n")
            for line in lines:
                yield line.decode("utf-8", "replace")


def _standard_input() -> int | None:
    """None where there is none to read from, as in a service."""
    try:
        return sys.stdin.fileno()
    except (AttributeError, OSError, ValueError):
        return None
