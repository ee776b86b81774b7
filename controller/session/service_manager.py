"""Tells systemd that the program is ready and alive, so that a program that hangs is started again.

The messages are datagrams to the socket that systemd names in the environment (sd_notify(3)); without it nothing is sent.
Between matches a thread answers for the program; in a match it answers only while the loop takes inputs.
"""

import logging
import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread
from time import monotonic

from controller.match import Peripheral, RefereeEvent
from controller.refereeing.state import RefereeState

_LOG = logging.getLogger("zarbiter.service")
_STUCK_S = 20.0
"""A loop that took no input for so long hangs: a camera gives pictures or an error within 10 s, ticks come every second."""


@dataclass(slots=True)
class ServiceManager:
    """A sink of the match loop. `address` None: nobody listens. `every_s` None: no watchdog was asked for."""

    address: str | None
    every_s: float | None
    link: Peripheral | None = None
    _last_input_s: float | None = None
    _stop: Event = field(default_factory=Event)
    _answering: Thread | None = None
    _is_ready: bool = False

    @classmethod
    def of_environment(cls, environment: Mapping[str, str] = os.environ) -> "ServiceManager":
        address = environment.get("NOTIFY_SOCKET") or None
        is_for_us = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        try:
            watchdog_s = int(environment.get("WATCHDOG_USEC", "0")) / 1e6 if is_for_us else 0.0
        except ValueError:
            watchdog_s = 0.0
        return cls(address, watchdog_s / 3 if watchdog_s > 0 else None)

    def begin(self) -> None:
        """The program is ready, which is said once, however many matches follow."""
        if self._is_ready:
            return
        self._is_ready = True
        self.tell("READY=1")
        if self.address is not None and self.every_s is not None:
            self._answering = Thread(target=self._answer, name="service watchdog", daemon=True)
            self._answering.start()

    @contextmanager
    def running(self) -> Iterator["ServiceManager"]:
        """The whole program: systemd kills a service some time after it said that it stops, so only the end says so."""
        try:
            yield self
        finally:
            self._stop.set()
            if self._answering is not None:
                self._answering.join()
            if self._is_ready:
                self.tell("STOPPING=1")

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        self._last_input_s = monotonic()

    def close(self) -> None:
        """The match is over; nothing is expected of its loop."""
        self._last_input_s = None

    def tell(self, message: str) -> None:
        """Sends one message. A manager that does not listen is no reason to stop a match."""
        if self.address is None:
            return
        name = f"\0{self.address[1:]}" if self.address.startswith("@") else self.address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sending:
                sending.sendto(message.encode(), name)
        except OSError as error:
            _LOG.warning("the service manager cannot be reached (%s)", error.strerror or error)
            self.address = None

    def _answer(self) -> None:
        while not self._stop.wait(self.every_s):
            last_s = self._last_input_s
            if last_s is None or monotonic() - last_s < _STUCK_S:
                self.tell("WATCHDOG=1")
