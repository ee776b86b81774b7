"""The port and the clock that a driver needs, as protocols. The real port is in `serial_port.py`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from firmware_bridge.errors import PortError

REOPEN_EVERY_MS = 50

Clock: TypeAlias = Callable[[], int]
"""Monotonic milliseconds."""


class Port(Protocol):
    """An open port. After unplugging every method but `close` raises PortGoneError."""

    @property
    def name(self) -> str:
        """For people: the path."""
        ...

    def read(self, wait_ms: int) -> bytes:
        """The bytes received, as soon as there are any; empty after `wait_ms` without any. 0 does not wait."""
        ...

    def write(self, data: bytes) -> None: ...

    def set_baud(self, baud: int) -> None:
        """Changes the rate without closing the port, because reopening restarts most boards."""
        ...

    def close(self) -> None: ...


class Plug(Protocol):
    """The place of a port, which may not be plugged in yet."""

    @property
    def name(self) -> str:
        """For people: the path."""
        ...

    def open(self, baud: int) -> Port:
        """Raises PortError when the port is missing or cannot be used."""
        ...


@dataclass(slots=True)
class Replug:
    """Reopens a plug once something is plugged in; tries at most every REOPEN_EVERY_MS."""

    plug: Plug
    clock: Clock
    not_before_ms: int = 0

    def open(self, baud: int) -> Port | None:
        """None while the port cannot be opened."""
        now_ms = self.clock()
        if now_ms < self.not_before_ms:
            return None
        self.not_before_ms = now_ms + REOPEN_EVERY_MS
        try:
            return self.plug.open(baud)
        except PortError:
            return None
