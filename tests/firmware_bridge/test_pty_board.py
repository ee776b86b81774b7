"""The real firmware behind a real serial port: the simulator as a program, the product's own port and driver, real time.

What a busy machine can delay has its bar in the slow tests only, and there with room.
"""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic

import pytest

from firmware_bridge.boards.bglp import BglpBoard
from firmware_bridge.errors import BoardLostError, PortBusyError
from firmware_bridge.led_frame import LedFrame, Rgb, Run
from firmware_bridge.protocol.wire_constants import BAUD, MARKER_RGB, MAX_LEDS
from firmware_bridge.serial_port import SerialPlug, monotonic_ms
from tests.firmware_bridge.light_targets import BehindPty, behind_pty

PICTURE = LedFrame.from_runs(MAX_LEDS, [Run(10, 5, Rgb(0, 90, 160))])
BOOTLOADER_MS = 1_200

SHOWS_AND_WAITS = """
import sys
from firmware_bridge.boards.bglp import BglpBoard
from firmware_bridge.led_frame import LedFrame, Rgb, Run
from firmware_bridge.serial_port import SerialPlug, monotonic_ms
board = BglpBoard(SerialPlug(sys.argv[1]), monotonic_ms)
board.open()
board.show(LedFrame.from_runs(120, [Run(10, 5, Rgb(0, 90, 160))]))
print("shown", flush=True)
while True:
    board.health()
"""


@pytest.fixture
def target(tmp_path: Path) -> Iterator[BehindPty]:
    """Opening its port starts it anew, as with a Nano, and for 1.2 s only its bootloader hears."""
    with behind_pty(tmp_path, bootloader_ms=BOOTLOADER_MS) as target:
        yield target


def opened(target: BehindPty) -> BglpBoard:
    board = BglpBoard(SerialPlug(target.name), monotonic_ms)
    assert board.open().n_led == MAX_LEDS
    return board


@pytest.mark.broad
def test_a_picture_goes_all_the_way(tmp_path: Path) -> None:
    """Driver, link, pyserial, pty, firmware, waveform: the LEDs show the picture, and a second program is kept out."""
    with behind_pty(tmp_path) as target:
        board = opened(target)
        with suppress(BoardLostError):  # a busy machine may starve either end; then the driver tries again by itself
            board.show(PICTURE)
        until_lit(target, PICTURE, board, within_s=20)
        with pytest.raises(PortBusyError):
            SerialPlug(target.name).open(BAUD)
        board.close()


def until_lit(target: BehindPty, frame: LedFrame, board: BglpBoard, within_s: float) -> float:
    """How long it takes in s; the driver is looked after meanwhile."""
    began = monotonic()
    while target.lit(wait_s=0.005) != frame:
        board.health()
        assert monotonic() - began < within_s
    return monotonic() - began


@pytest.mark.slow
def test_after_a_re_plug_it_is_lit_again(target: BehindPty) -> None:
    """Unplugged, the port is gone at once; 1.7 s after it is back, 1.2 s of it bootloader, the picture is lit again."""
    board = opened(target)
    board.show(PICTURE)
    target.obey("unplug")
    target.wait_for("gone")
    with pytest.raises(BoardLostError):
        board.show(PICTURE)
    target.obey("plug")
    target.wait_for("port")
    assert target.lit() == LedFrame.dark(MAX_LEDS)
    assert until_lit(target, PICTURE, board, within_s=10) <= 1.7
    board.close()


@pytest.mark.slow
def test_a_restarted_board_is_lit_again(target: BehindPty) -> None:
    board = opened(target)
    board.show(PICTURE)
    target.hang()
    target.wait_for("restarted")
    until_lit(target, LedFrame.dark(MAX_LEDS), board, within_s=10)
    assert until_lit(target, PICTURE, board, within_s=10) < 2
    board.close()


@pytest.mark.slow
def test_a_killed_host_leaves_the_marker(target: BehindPty) -> None:
    """A host that is killed at work: at most 2.1 s later only LED 0 is lit, dim amber."""
    marker = LedFrame.from_runs(MAX_LEDS, [Run(0, 1, Rgb(*MARKER_RGB))])
    host = subprocess.Popen([sys.executable, "-c", SHOWS_AND_WAITS, target.name], stdout=subprocess.PIPE)
    assert host.stdout is not None
    assert host.stdout.readline() == b"shown\n"
    assert target.lit() == PICTURE
    host.send_signal(signal.SIGKILL)
    began = monotonic()
    host.wait()
    host.stdout.close()
    while target.lit(wait_s=0.02) != marker:
        assert monotonic() - began < 10
    assert monotonic() - began <= 2.1
