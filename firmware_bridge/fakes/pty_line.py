"""A device in memory behind a pseudo-terminal of the operating system, for the demo.

The port is opened by its path like any other. A thread moves the bytes, since the port's user blocks on answers.
"""

import os
import select
import tty
from threading import Event, Thread
from typing import Self

from firmware_bridge.fakes.fake_line import Device
from firmware_bridge.port import Clock

_POLL_EVERY_S = 0.01
_READ_BYTES = 4_096


class PtyLine:
    """Powers the device at once. `name` is the path of the port. Raises OSError on a system without pseudo-terminals."""

    def __init__(self, device: Device, clock: Clock) -> None:
        self._device = device
        self._clock = clock
        self._ours, self._theirs = os.openpty()
        tty.setraw(self._theirs)
        self.name = os.ttyname(self._theirs)
        self._is_over = Event()
        device.power_on(clock())
        self._thread = Thread(target=self._carry, name="pty line", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Removes the port."""
        self._is_over.set()
        self._thread.join()
        os.close(self._theirs)
        os.close(self._ours)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _carry(self) -> None:
        while not self._is_over.is_set():
            ready, _, _ = select.select([self._ours], [], [], _POLL_EVERY_S)
            heard = os.read(self._ours, _READ_BYTES) if ready else b""
            said = self._device.receive(heard, self._clock()) if heard else self._device.advance(self._clock())
            while said:
                said = said[os.write(self._ours, said) :]
