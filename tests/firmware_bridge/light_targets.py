"""One board, three ways: in memory (FakeBoard), the real firmware in virtual time, the real firmware behind a pty.

A target is a Plug with its clock, and hands by which a test breaks the board. What it shows is read from the LEDs: of
the real firmware from the decoded waveform of its data pin.
"""

import os
import select
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from firmware_bridge.fakes.fake_board import FakeBoard, FakeBoardSpec
from firmware_bridge.fakes.fake_line import FakeClock, FakePlug
from firmware_bridge.led_frame import LedFrame
from firmware_bridge.port import Plug, Port
from firmware_bridge.protocol.wire_constants import BAUD, MAX_LEDS, ResetCause
from firmware_bridge.serial_port import SerialPlug, monotonic_ms
from tests.firmware_bridge.simulated_chip import FirmwareMake, SimulatedChip, firmware, simulator


class Target(Plug, Protocol):
    """A board of MAX_LEDS LEDs, switched on. Opening its port does not restart it."""

    patience: int  # how many times as long as promised it may take: 1 in virtual time, more on a busy machine

    def clock(self) -> int:
        """Milliseconds; reading from the port is what lets them pass."""
        ...

    def lit(self) -> LedFrame:
        """What the strip shows now."""
        ...

    def hang(self) -> None: ...

    def restart(self, cause: ResetCause) -> None: ...

    def strip(self, answering_leds: int | None) -> None:
        """So many LEDs are in the strip; None: nothing comes back."""
        ...

    def rail(self, rail_mv: int) -> None: ...


class InMemory:
    """The pure Python board."""

    name = "in memory"
    patience = 1

    def __init__(self) -> None:
        self._time = FakeClock()
        self._board = FakeBoard(FakeBoardSpec(n_led=MAX_LEDS))
        self._plug = FakePlug(self._board, self._time, restarts_on_opening=False)
        self._board.power_on(0)

    def clock(self) -> int:
        return self._time()

    def open(self, baud: int) -> Port:
        return self._plug.open(baud)

    def lit(self) -> LedFrame:
        return self._board.lit

    def hang(self) -> None:
        self._board.hang(self.clock())

    def restart(self, cause: ResetCause) -> None:
        self._board.power_on(self.clock(), cause)

    def strip(self, answering_leds: int | None) -> None:
        self._board.spec = replace(self._board.spec, answering_leds=answering_leds or 0)

    def rail(self, rail_mv: int) -> None:
        self._board.spec = replace(self._board.spec, rail_mv=rail_mv)


class ChipPort:
    """The wire to a simulated chip. Waiting runs the chip."""

    name = "simulated chip"

    def __init__(self, chip: SimulatedChip) -> None:
        self._chip = chip

    def read(self, wait_ms: int) -> bytes:
        until_ms = self._chip.now_ms + wait_ms
        heard = self._chip.received()
        while not heard and self._chip.now_ms < until_ms:
            self._chip.run(until_ms - self._chip.now_ms, until_output=True)
            heard = self._chip.received()
        return heard

    def write(self, data: bytes) -> None:
        self._chip.send(data)

    def set_baud(self, baud: int) -> None:
        self._chip.host_baud(baud)

    def close(self) -> None:
        pass


class Lockstep:
    """The real firmware; time passes only while somebody reads from the port."""

    name = "simulated chip"
    patience = 1

    def __init__(self, chip: SimulatedChip) -> None:
        self.chip = chip

    def clock(self) -> int:
        return int(self.chip.now_ms)

    def open(self, baud: int) -> Port:
        self.chip.host_baud(baud)
        return ChipPort(self.chip)

    def lit(self) -> LedFrame:
        self.chip.run(0.4)  # for what was clocked out last to latch
        return self.chip.lit

    def hang(self) -> None:
        self.chip.hang()

    def restart(self, cause: ResetCause) -> None:
        self.chip.reset(cause)

    def strip(self, answering_leds: int | None) -> None:
        self.chip.strip(MAX_LEDS if answering_leds is None else answering_leds, has_return=answering_leds is not None)

    def rail(self, rail_mv: int) -> None:
        self.chip.rail(rail_mv)


class BehindPty:
    """The program `pty_board`, in real time. `link` stands for the path in /dev/serial/by-id."""

    patience = 10

    def __init__(self, link: Path, *, bootloader_ms: int = 0) -> None:
        self.name = str(link)
        self._lit = LedFrame.dark(MAX_LEDS)
        self._unread = b""
        options = ("--link", str(link), "--bootloader-ms", str(bootloader_ms))
        command = (str(simulator() / "pty_board"), str(firmware(FirmwareMake())), *options)
        self._program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.wait_for("port")

    def close(self) -> None:
        self.obey("quit")
        assert self._program.wait(10) == 0
        for pipe in (self._program.stdin, self._program.stdout):
            if pipe is not None:
                pipe.close()

    def obey(self, command: str) -> None:
        assert self._program.stdin is not None
        self._program.stdin.write(f"{command}\n".encode())

    def _words(self, wait_s: float) -> Iterator[str]:
        """The first word of each line that the program says; ends when it says nothing for so long."""
        assert self._program.stdout is not None
        while True:
            while b"\n" in self._unread:
                line, self._unread = self._unread.split(b"\n", 1)
                word, *rest = line.decode().split()
                if word == "lit":
                    self._lit = LedFrame.from_bytes(bytes.fromhex(rest[1]))
                yield word
            if not select.select([self._program.stdout], [], [], wait_s)[0]:
                return
            said = os.read(self._program.stdout.fileno(), 65536)
            assert said, "pty_board has ended"
            self._unread += said

    def wait_for(self, word: str, within_s: float = 10) -> None:
        """Waits until the program says this."""
        assert word in self._words(within_s), f"pty_board does not say {word}"

    def clock(self) -> int:
        return monotonic_ms()

    def open(self, baud: int) -> Port:
        return SerialPlug(self.name).open(baud)

    def lit(self, wait_s: float = 0.1) -> LedFrame:
        for _ in self._words(wait_s):
            pass
        return self._lit

    def hang(self) -> None:
        self.obey("hang")

    def restart(self, cause: ResetCause) -> None:
        self.obey(f"reset {cause.value}")

    def strip(self, answering_leds: int | None) -> None:
        self.obey("return off" if answering_leds is None else f"strip {answering_leds}")

    def rail(self, rail_mv: int) -> None:
        self.obey(f"rail {rail_mv}")


@contextmanager
def lockstep() -> Iterator[Lockstep]:
    """The real firmware with its strip."""
    with SimulatedChip(FirmwareMake(MAX_LEDS, BAUD)) as chip:
        yield Lockstep(chip)


@contextmanager
def behind_pty(folder: Path, *, bootloader_ms: int = 0) -> Iterator[BehindPty]:
    """The program, ended at the end."""
    board = BehindPty(folder / "light-board", bootloader_ms=bootloader_ms)
    try:
        yield board
    finally:
        board.close()
