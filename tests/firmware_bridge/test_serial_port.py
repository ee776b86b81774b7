"""Real file descriptors: a pseudo-terminal stands for the board's side. Waiting is done by select, never by sleeping."""

import grp
import os
import pty
import select
import tty
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from firmware_bridge import errors
from firmware_bridge.boards.bglp import BglpBoard
from firmware_bridge.fakes.fake_board import FakeBoard, FakeBoardSpec
from firmware_bridge.led_frame import BLACK, LedFrame
from firmware_bridge.port import Plug, Port
from firmware_bridge.serial_port import SerialPlug, SerialPort, lasting_path, monotonic_ms, serial_paths
from tests.firmware_bridge.boards_on_lines import GREEN, sessions

NOBODY = 65_534
SOON_MS = 2_000  # as long as anything may take on a busy machine


@dataclass(slots=True)
class Cable:
    """A pseudo-terminal behind a path that stays the same, as below /dev/serial/by-id."""

    path: Path
    ours: int = -1  # the board's side
    theirs: int = -1  # kept open, as a device node is there without being opened

    def plug_in(self) -> None:
        self.ours, self.theirs = pty.openpty()
        tty.setraw(self.theirs)
        self.path.symlink_to(os.ttyname(self.theirs))

    def pull(self) -> None:
        for end in (self.ours, self.theirs):
            if end >= 0:
                os.close(end)
        self.ours = self.theirs = -1
        self.path.unlink(missing_ok=True)

    def heard(self, count: int) -> bytes:
        """So many bytes at the board's side."""
        content = b""
        while len(content) < count and select.select([self.ours], [], [], SOON_MS / 1000)[0]:
            content += os.read(self.ours, 4_096)
        return content


@pytest.fixture
def cable(tmp_path: Path) -> Iterator[Cable]:
    made = Cable(tmp_path / "usb-board")
    made.plug_in()
    yield made
    made.pull()


@pytest.fixture
def port(cable: Cable) -> Iterator[SerialPort]:
    opened = SerialPlug(str(cable.path)).open(115_200)
    yield opened
    opened.close()


def test_it_is_what_the_drivers_ask_for(cable: Cable) -> None:
    plug: Plug = SerialPlug(str(cable.path))
    port: Port = plug.open(115_200)
    assert plug.name == port.name == str(cable.path)
    port.close()
    port.close()


def test_bytes_go_both_ways_unchanged(cable: Cable, port: SerialPort) -> None:
    """All 256 of them, the ones with a meaning for terminals too."""
    every = bytes(range(256))
    port.write(every)
    assert cable.heard(256) == every
    os.write(cable.ours, every)
    assert port.read(SOON_MS) == every


def test_reading_waits_no_longer_than_it_is_reported(port: SerialPort) -> None:
    assert port.read(0) == b""
    began_ms = monotonic_ms()
    assert port.read(30) == b""
    assert 25 <= monotonic_ms() - began_ms < SOON_MS


def test_the_rate_changes_on_the_open_port(cable: Cable, port: SerialPort) -> None:
    port.write(b"before")
    assert cable.heard(6) == b"before"
    port.set_baud(500_000)
    port.write(b"after")
    assert cable.heard(5) == b"after"


def test_a_port_in_use_is_refused(cable: Cable, port: SerialPort) -> None:
    """A second program would mix its bytes with ours; when the first has closed, it may."""
    with pytest.raises(errors.PortBusyError, match="in use by another program; close that program") as refused:
        SerialPlug(str(cable.path)).open(115_200)
    assert refused.value.port == str(cable.path)
    port.close()
    SerialPlug(str(cable.path)).open(115_200).close()


def test_a_pulled_port_is_gone_for_reading_writing_and_all_else(cable: Cable, port: SerialPort) -> None:
    cable.pull()
    for attempt in (lambda: port.read(SOON_MS), lambda: port.write(b"x"), lambda: port.set_baud(500_000)):
        with pytest.raises(errors.PortGoneError, match=r"is gone .*; plug it in again"):
            attempt()
    port.close()


def test_our_errors_are_also_the_nearest_builtins(cable: Cable, port: SerialPort) -> None:
    cable.pull()
    with pytest.raises(ConnectionError):
        port.read(SOON_MS)
    with pytest.raises(FileNotFoundError) as missing:
        SerialPlug(str(cable.path)).open(115_200)
    assert isinstance(missing.value, errors.BridgeError)


def test_resetting_a_port_without_such_a_line_does_nothing(cable: Cable) -> None:
    port = SerialPlug(str(cable.path), resets_board=True).open(115_200)
    port.write(b"still here")
    assert cable.heard(10) == b"still here"
    port.close()


def test_what_is_not_there_is_missing(tmp_path: Path) -> None:
    with pytest.raises(errors.PortMissingError, match="is not there; plug it in"):
        SerialPlug(str(tmp_path / "nothing")).open(115_200)


def test_what_is_no_port_is_reported(tmp_path: Path) -> None:
    """A file cannot be set to a baud rate, and a folder cannot be opened."""
    file = tmp_path / "file"
    file.touch()
    for path in (file, tmp_path):
        with pytest.raises(errors.PortError, match=f"^{path} is no serial port; choose another.$"):
            SerialPlug(str(path)).open(115_200)


@pytest.fixture
def forbidden() -> Iterator[Path]:
    """A file that we may not open; root, who may open everything, is somebody else meanwhile."""
    folder = TemporaryDirectory()  # everybody may enter it, as /dev
    Path(folder.name).chmod(0o755)
    file = Path(folder.name) / "file"
    file.touch(mode=0)
    before = os.geteuid()
    if before == 0:
        os.seteuid(NOBODY)
    yield file
    os.seteuid(before)
    folder.cleanup()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file to another group")
def test_a_forbidden_port_names_its_own_group(forbidden: Path) -> None:
    """The group differs between systems, so the port tells it; a group without rights, or root's, does not help."""
    foreign = next(group for group in grp.getgrall() if group.gr_gid > 0)
    os.seteuid(0)
    os.chown(forbidden, 0, foreign.gr_gid)
    forbidden.chmod(0o060)
    os.seteuid(NOBODY)
    join = f"may not be opened by you; join its group with .*usermod -aG {foreign.gr_name} "
    with pytest.raises(errors.PortForbiddenError, match=join):
        SerialPlug(str(forbidden)).open(115_200)
    os.seteuid(0)
    forbidden.chmod(0o040)
    os.seteuid(NOBODY)
    with pytest.raises(errors.PortForbiddenError, match=r"may not be opened by you; open it to all .* udev rule"):
        SerialPlug(str(forbidden)).open(115_200)


def test_a_port_has_a_name_that_outlives_the_re_plug(tmp_path: Path) -> None:
    """The link below by-id that leads to it, otherwise the one below by-path; without either its own."""
    by_id, by_path = tmp_path / "by-id", tmp_path / "by-path"
    devices = [tmp_path / f"ttyUSB{number}" for number in range(3)]
    for folder in (by_id, by_path):
        folder.mkdir()
    for device in devices:
        device.touch()
    (by_id / "usb-1a86_USB_Serial-if00-port0").symlink_to(devices[0])
    (by_path / "pci-0:1").symlink_to(devices[0])
    (by_path / "pci-0:2").symlink_to(devices[1])
    names = (by_id, by_path)
    assert lasting_path(str(devices[0]), names) == str(by_id / "usb-1a86_USB_Serial-if00-port0")
    assert lasting_path(str(devices[1]), names) == str(by_path / "pci-0:2")
    assert lasting_path(str(devices[2]), names) == str(devices[2])
    assert serial_paths(by_id) == (str(by_id / "usb-1a86_USB_Serial-if00-port0"),)


def test_without_such_names_the_ports_of_a_mac_are_listed(tmp_path: Path) -> None:
    (tmp_path / "cu.usbserial-110").touch()
    (tmp_path / "tty.usbserial-110").touch()
    assert serial_paths(tmp_path / "by-id", tmp_path) == (str(tmp_path / "cu.usbserial-110"),)
    assert serial_paths(tmp_path / "by-id", tmp_path / "empty") == ()


class ServedPort:
    """A real port whose other side is served by the fake board before each reading, all in one thread."""

    def __init__(self, inner: SerialPort, cable: Cable, board: FakeBoard) -> None:
        self._inner, self._cable, self._board = inner, cable, board
        self.name = inner.name

    def read(self, wait_ms: int) -> bytes:
        if self._cable.ours >= 0:
            waiting = select.select([self._cable.ours], [], [], 0)[0]
            heard = os.read(self._cable.ours, 4_096) if waiting else b""
            os.write(self._cable.ours, self._board.receive(heard, monotonic_ms()))
        return self._inner.read(min(wait_ms, 20))

    def write(self, data: bytes) -> None:
        self._inner.write(data)

    def set_baud(self, baud: int) -> None:
        self._inner.set_baud(baud)

    def close(self) -> None:
        self._inner.close()


@dataclass(frozen=True, slots=True)
class ServedPlug:
    """A Plug whose board restarts when it is opened."""

    inner: SerialPlug
    cable: Cable
    board: FakeBoard

    @property
    def name(self) -> str:
        return self.inner.name

    def open(self, baud: int) -> ServedPort:
        opened = self.inner.open(baud)
        self.board.power_on(monotonic_ms())
        return ServedPort(opened, self.cable, self.board)


def test_a_re_plugged_board_shows_the_picture_again_over_a_real_port(cable: Cable) -> None:
    """Open, show, pull, plug in under the same path: the driver finds the board and lights it unasked."""
    fake, frame = FakeBoard(FakeBoardSpec(n_led=10)), LedFrame((GREEN,) * 4 + (BLACK,) * 6)
    board = BglpBoard(ServedPlug(SerialPlug(str(cable.path)), cable, fake), monotonic_ms, draw_session=sessions())
    board.open()
    board.show(frame)
    assert fake.lit == frame
    cable.pull()
    assert not board.health().is_answering
    fake.lit = LedFrame.dark(10)
    cable.plug_in()
    until_ms = monotonic_ms() + SOON_MS
    while fake.lit != frame and monotonic_ms() < until_ms:
        board.health()
    assert fake.lit == frame
    board.close()
