"""What a driver needs of a port, whatever is behind it, and of the clock. The real one is in `serial_port.py`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from firmware_bridge.errors import PortError

REOPEN_EVERY_MS = 50

Clock: TypeAlias = Callable[[], int]
"""Monotonic milliseconds."""


class Port(Protocol):
    """An open port. PortGoneError from every method but `close` when it was unplugged."""

    @property
    def name(self) -> str:
        """For people: the path."""
        ...

    def read(self, wait_ms: int) -> bytes:
        """What has come, as soon as something has; empty when nothing came in that time. Waiting 0 ms asks only."""
        ...

    def write(self, data: bytes) -> None: ...

    def set_baud(self, baud: int) -> None:
        """Without closing the port, for that would restart most boards."""
        ...

    def close(self) -> None: ...


class Plug(Protocol):
    """Where a port is, or will be when something is plugged in."""

    @property
    def name(self) -> str:
        """For people: the path."""
        ...

    def open(self, baud: int) -> Port:
        """PortError when there is none, or it is not for us."""
        ...


@dataclass(slots=True)
class Replug:
    """Opens a plug again once something is plugged in, and asks for it no oftener than every REOPEN_EVERY_MS."""

    plug: Plug
    clock: Clock
    not_before_ms: int = 0

    def open(self, baud: int) -> Port | None:
        """None while nothing is there that may be opened."""
        now_ms = self.clock()
        if now_ms < self.not_before_ms:
            return None
        self.not_before_ms = now_ms + REOPEN_EVERY_MS
        try:
            return self.plug.open(baud)
        except PortError:
            return None
