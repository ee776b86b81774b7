"""Serial ports of the operating system: the only module that imports pyserial.

A path below /dev/serial/by-id names the same board after every re-plug; /dev/ttyUSB0 is whichever board came first. An
open port is exclusive. Opening it restarts most boards, since it raises DTR, and no setting prevents that everywhere.
"""

import errno
import grp
import os
import select
import stat
import termios
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic_ns, sleep

import serial

from firmware_bridge.errors import PortBusyError, PortError, PortForbiddenError, PortGoneError, PortMissingError

BY_ID = Path("/dev/serial/by-id")
BY_PATH = Path("/dev/serial/by-path")
# Two boards with a CH340, which has no serial number, share one name below by-id; by-path distinguishes their sockets.
LASTING_NAMES = (BY_ID, BY_PATH)
DEVICES = Path("/dev")
MAC_NAMES = "cu.usb*"

WRITE_TIMEOUT_S = 1.0
RESET_PULSE_S = 0.05  # the reset capacitor needs 1 ms, some bridges 20 ms
_BROKEN = (OSError, termios.error)  # pyserial's exceptions are OSErrors, but termios.error passes through it
_MISSING = (errno.ENOENT, errno.ENXIO, errno.ENODEV, errno.EIO)
_BUSY = (errno.EAGAIN, errno.EBUSY)
_NO_PORT = (errno.ENOTTY, errno.EISDIR)
_GROUP_USES = stat.S_IRGRP | stat.S_IWGRP


def monotonic_ms() -> int:
    """The Clock of real ports."""
    return monotonic_ns() // 1_000_000


def serial_paths(by_id: Path = BY_ID, devices: Path = DEVICES) -> tuple[str, ...]:
    """The ports that are plugged in, by lasting names where the system has them."""
    lasting = _entries(by_id)
    return tuple(map(str, lasting or sorted(devices.glob(MAC_NAMES))))


def lasting_path(path: str, names: tuple[Path, ...] = LASTING_NAMES) -> str:
    """The port's name that survives a re-plug; `path` itself if there is none."""
    device = Path(path).resolve()
    for folder in names:
        for link in _entries(folder):
            if link.resolve() == device:
                return str(link)
    return path


def find_port_group(path: str | Path) -> str | None:
    """The group whose members may read and write this port; None if membership does not help or the port is gone."""
    try:
        there = Path(path).stat()
        name = grp.getgrgid(there.st_gid).gr_name
    except (OSError, KeyError):
        return None
    return name if there.st_mode & _GROUP_USES == _GROUP_USES and there.st_gid != 0 else None


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []  # nothing is plugged in, or this is no Linux


@dataclass(frozen=True, slots=True)
class SerialPlug:
    """A Plug: the port at this path, resolved at each opening, since a link may change."""

    name: str
    resets_board: bool = False  # pulses DTR, for a board whose DTR is up already

    def open(self, baud: int) -> "SerialPort":
        """Raises PortMissingError, PortBusyError, PortForbiddenError, or PortError for what is no serial port."""
        try:
            opened = serial.Serial(self.name, baud, timeout=0, write_timeout=WRITE_TIMEOUT_S, exclusive=True)
        except _BROKEN as problem:
            raise _make_opening_error(self.name, problem) from problem
        with suppress(ValueError, NotImplementedError, *_BROKEN):  # FTDI only; a pty answers ENOTTY
            opened.set_low_latency_mode(True)
        port = SerialPort(self.name, opened)
        if self.resets_board:
            port.reset_board()
        return port


class SerialPort:
    """A Port on pyserial."""

    def __init__(self, name: str, opened: serial.Serial) -> None:
        self.name = name
        self._serial = opened

    def read(self, wait_ms: int) -> bytes:
        try:
            ready, _, _ = select.select([self._serial.fileno()], [], [], max(0, wait_ms) / 1000)
            # At least one byte is requested: a port that is ready without bytes is gone, and reading raises then.
            return self._serial.read(max(1, self._serial.in_waiting)) if ready else b""
        except _BROKEN as problem:
            raise self._make_gone_error(problem) from problem

    def write(self, data: bytes) -> None:
        try:
            self._serial.write(data)
        except _BROKEN as problem:
            raise self._make_gone_error(problem) from problem

    def set_baud(self, baud: int) -> None:
        try:
            self._serial.flush()  # pending bytes leave at the old rate
            self._serial.baudrate = baud
        except _BROKEN as problem:
            raise self._make_gone_error(problem) from problem

    def reset_board(self) -> None:
        """Pulses DTR; does nothing on a port without that line."""
        try:
            self._serial.dtr = False
            sleep(RESET_PULSE_S)
            self._serial.dtr = True
        except _BROKEN as problem:
            if _error_number(problem) not in (errno.ENOTTY, errno.EINVAL):
                raise self._make_gone_error(problem) from problem

    def close(self) -> None:
        with suppress(*_BROKEN):
            self._serial.close()

    def _make_gone_error(self, problem: Exception) -> PortGoneError:
        return PortGoneError(self.name, f"is gone ({_reason(problem)})", "plug it in again")


def _error_number(problem: BaseException | None) -> int | None:
    """The errno; pyserial sometimes sets it only on the exception in `__context__`. None if there is none."""
    while problem is not None:
        if problem.args and isinstance(problem.args[0], int):
            return problem.args[0]
        problem = problem.__context__
    return None


def _reason(problem: Exception) -> str:
    """The system's text for the error, if it has a number."""
    number = _error_number(problem)
    return str(problem) if number is None else os.strerror(number)


def _make_opening_error(path: str, problem: Exception) -> PortError:
    number = _error_number(problem)
    if number in _MISSING:
        others = [other for other in serial_paths() if other != path]
        return PortMissingError(
            path, "is not there", f"plug it in, or take {' or '.join(others)}" if others else "plug it in"
        )
    if number in _BUSY:
        return PortBusyError(
            path, "is in use by another program", "close that program; brltty and ModemManager do this too"
        )
    if number in (errno.EACCES, errno.EPERM):
        group = find_port_group(path)
        remedy = (
            "open it to all until it is unplugged with sudo chmod a+rw on it, or give it a group by a udev rule"
            if group is None
            else f"join its group with sudo usermod -aG {group} $USER and log in again"
        )
        return PortForbiddenError(path, "may not be opened by you", remedy)
    if number in _NO_PORT:
        return PortError(path, "is no serial port", "choose another")
    return PortError(path, f"cannot be opened as a serial port ({_reason(problem)})", "choose another")
