"""The real firmware in a simulated ATmega328P, in virtual time: `hardware/sim` by way of ctypes.

Nothing here inspects a clock. Whoever wants the firmware to go on must say until when; idle time costs next to nothing.
"""

import ctypes
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, fields
from fcntl import LOCK_EX, flock
from functools import cache
from pathlib import Path

import pytest

from firmware_bridge.led_frame import LedFrame
from firmware_bridge.protocol.wire_constants import BAUD, CURRENT_CAP_MAX_MA, MAX_LEDS, ResetCause

HARDWARE = Path(__file__).parents[2] / "hardware"
CYCLES_PER_MS = 16_000
NS_PER_CYCLE = 62.5
MOST_LEDS = 160  # STRIP_MOST_LEDS of strip.h
PICTURES_KEPT = 64  # STRIP_PICTURES
BITS_PER_LED = 24

_Bytes = ctypes.POINTER(ctypes.c_uint8)


@dataclass(frozen=True, slots=True)
class FirmwareMake:
    """The options of the firmware's Makefile."""

    n_led: int = MAX_LEDS
    baud: int = BAUD
    max_ma: int = CURRENT_CAP_MAX_MA
    has_extras: bool = True  # divider and return wire

    @property
    def options(self) -> tuple[str, ...]:
        extras = (f"{name}={self.has_extras:d}" for name in ("HAS_RAIL_SENSE", "HAS_CHAIN_RETURN"))
        return f"N_LED={self.n_led}", f"BAUD={self.baud}", f"MAX_MA={self.max_ma}", *extras, f"BUILD={self.folder}"

    @property
    def folder(self) -> str:
        """Inside `hardware/firmware`."""
        bare = "" if self.has_extras else "_bare"
        return f"build/n{self.n_led}_{self.baud}_{self.max_ma}{bare}"


def require_toolchain() -> None:
    """Skips the test without compiler and simulator; with REQUIRE_SIM=1 it fails instead."""
    missing = [tool for tool in ("avr-gcc", "make", "gcc") if shutil.which(tool) is None]
    if not any(Path(folder, "simavr", "sim_avr.h").exists() for folder in ("/usr/include", "/usr/local/include")):
        missing.append("libsimavr-dev")
    if not missing:
        return
    why = f"the simulated chip needs {', '.join(missing)}: apt-get install gcc-avr avr-libc libsimavr-dev libelf-dev gcc make"
    if os.environ.get("REQUIRE_SIM") == "1":
        pytest.fail(why)
    pytest.skip(why)


def made(folder: str, *arguments: str) -> None:
    """`make` there; of several tests at a time one does it, the others wait."""
    (HARDWARE / folder / "build").mkdir(exist_ok=True)
    with (HARDWARE / folder / "build" / ".lock").open("w") as lock:
        flock(lock, LOCK_EX)
        done = subprocess.run(
            ["make", "-C", str(HARDWARE / folder), *arguments], capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, done.stdout + done.stderr


@cache
def firmware(make: FirmwareMake) -> Path:
    """The compiled firmware, made now if its sources have changed."""
    require_toolchain()
    made("firmware", *make.options)
    return HARDWARE / "firmware" / make.folder / "light_board.elf"


@cache
def simulator() -> Path:
    """The folder with the library and the program."""
    require_toolchain()
    made("sim")
    return HARDWARE / "sim" / "build"


class _Timing(ctypes.Structure):
    _fields_ = (
        *((f"{part}_{end}", ctypes.c_uint32) for part in ("t0h", "t1h", "t0l", "t1l", "gap") for end in ("min", "max")),
        ("n_bits", ctypes.c_uint64),
        ("n_faults", ctypes.c_uint64),
    )


@dataclass(frozen=True, slots=True)
class WaveTiming:
    """Shortest and longest of each part of a bit, and of the low between two LEDs, in ns. Faults: no bit, or no latch."""

    t0h: tuple[float, float]
    t1h: tuple[float, float]
    t0l: tuple[float, float]
    t1l: tuple[float, float]
    gap: tuple[float, float]
    n_bits: int
    n_faults: int


@dataclass(frozen=True, slots=True)
class Clocked:
    """What left the data pin between two latches; `lit_ms` is when its last bit had left."""

    rgb: bytes
    n_leds: int
    lit_ms: float


_SIGNATURES: dict[str, tuple[object, tuple[object, ...]]] = {
    "chip_new": (ctypes.c_void_p, (ctypes.c_char_p, ctypes.c_uint32)),
    "chip_free": (None, (ctypes.c_void_p,)),
    "chip_power_on": (None, (ctypes.c_void_p, ctypes.c_uint32)),
    "chip_reset": (None, (ctypes.c_void_p, ctypes.c_uint8, ctypes.c_uint32)),
    "chip_hang": (None, (ctypes.c_void_p,)),
    "chip_cycle": (ctypes.c_uint64, (ctypes.c_void_p,)),
    "chip_run": (ctypes.c_bool, (ctypes.c_void_p, ctypes.c_uint64, ctypes.c_bool)),
    "chip_send": (ctypes.c_size_t, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t)),
    "chip_receive": (ctypes.c_size_t, (ctypes.c_void_p, _Bytes, ctypes.POINTER(ctypes.c_uint64), ctypes.c_size_t)),
    "chip_line_is_idle": (ctypes.c_bool, (ctypes.c_void_p,)),
    "chip_bytes_lost": (ctypes.c_uint64, (ctypes.c_void_p,)),
    "chip_set_host_baud": (None, (ctypes.c_void_p, ctypes.c_uint32)),
    "chip_set_strip": (None, (ctypes.c_void_p, ctypes.c_int32, ctypes.c_bool, ctypes.c_uint32)),
    "chip_set_rail_mv": (None, (ctypes.c_void_p, ctypes.c_uint32)),
    "chip_resets": (ctypes.c_uint32, (ctypes.c_void_p,)),
    "chip_pictures": (ctypes.c_uint64, (ctypes.c_void_p,)),
    "chip_lit_pictures": (ctypes.c_uint64, (ctypes.c_void_p,)),
    "chip_picture": (
        ctypes.c_bool,
        (ctypes.c_void_p, ctypes.c_uint64, _Bytes, ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(ctypes.c_uint64)),
    ),
    "chip_lit": (None, (ctypes.c_void_p, _Bytes)),
    "chip_timing": (None, (ctypes.c_void_p, ctypes.POINTER(_Timing))),
    "chip_forget_timing": (None, (ctypes.c_void_p,)),
}


@cache
def _library() -> ctypes.CDLL:
    library = ctypes.CDLL(str(simulator() / "libchip.so"))
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


class SimulatedChip:
    """A board with a strip, switched on. Use it in a `with`."""

    def __init__(self, make: FirmwareMake | None = None, elf: Path | None = None) -> None:
        self.make = FirmwareMake() if make is None else make
        elf = firmware(self.make) if elf is None else elf
        self._library = _library()
        self._chip = self._library.chip_new(os.fsencode(elf), self.make.baud)
        assert self._chip, f"{elf} cannot be loaded"
        self.strip(self.make.n_led)

    def __enter__(self) -> "SimulatedChip":
        return self

    def __exit__(self, *_: object) -> None:
        self._library.chip_free(self._chip)

    @property
    def now_ms(self) -> float:
        return int(self._library.chip_cycle(self._chip)) / CYCLES_PER_MS

    def run(self, for_ms: float, *, until_output: bool = False) -> None:
        until = self._library.chip_cycle(self._chip) + max(int(for_ms * CYCLES_PER_MS), 1)
        assert self._library.chip_run(self._chip, until, until_output), "the firmware has crashed"

    def send(self, data: bytes) -> None:
        """Onto the wire, behind what is still on it."""
        taken = self._library.chip_send(self._chip, data, len(data))
        assert taken == len(data), "more bytes than the simulated wire holds"

    def received(self) -> bytes:
        """What has come out since the last call."""
        return bytes(byte for byte, _ in self.received_at())

    def received_at(self) -> Iterator[tuple[int, float]]:
        """Each byte with the time at which its last bit was out."""
        most = 4096
        content, cycles = (ctypes.c_uint8 * most)(), (ctypes.c_uint64 * most)()
        count = self._library.chip_receive(self._chip, content, cycles, most)
        return ((content[at], cycles[at] / CYCLES_PER_MS) for at in range(count))

    def run_until_quiet(self) -> None:
        """Runs until all that was sent is on the board."""
        while not self._library.chip_line_is_idle(self._chip):
            self.run(1)

    def power_on(self, seed: int = 1) -> None:
        """Power was off: random memory, dark strip."""
        self._library.chip_power_on(self._chip, seed)

    def reset(self, cause: ResetCause, bootloader_ms: int = 0) -> None:
        self._library.chip_reset(self._chip, cause, bootloader_ms)

    def hang(self) -> None:
        """The firmware goes round in the smallest circle, interrupts still served."""
        self._library.chip_hang(self._chip)

    def strip(self, n_leds: int | None, *, has_return: bool = True, delay_ns: int = 200) -> None:
        """So many LEDs are connected (None: no strip); each hands on what it does not keep so much later."""
        self._library.chip_set_strip(self._chip, -1 if n_leds is None else n_leds, has_return, delay_ns)

    def rail(self, rail_mv: int) -> None:
        self._library.chip_set_rail_mv(self._chip, rail_mv)

    def host_baud(self, baud: int) -> None:
        self._library.chip_set_host_baud(self._chip, baud)

    @property
    def bytes_lost(self) -> int:
        """In the UART, for want of a reader."""
        return int(self._library.chip_bytes_lost(self._chip))

    @property
    def resets(self) -> int:
        return int(self._library.chip_resets(self._chip))

    @property
    def pictures(self) -> int:
        """Clocked out and latched so far."""
        return int(self._library.chip_pictures(self._chip))

    @property
    def lit_pictures(self) -> int:
        """How many pictures had any light."""
        return int(self._library.chip_lit_pictures(self._chip))

    def picture(self, number: int) -> Clocked:
        """One of `pictures`; the last PICTURES_KEPT are kept."""
        rgb, n_bits, cycle = (ctypes.c_uint8 * (3 * MOST_LEDS))(), ctypes.c_uint32(), ctypes.c_uint64()
        known = self._library.chip_picture(self._chip, number, rgb, ctypes.byref(n_bits), ctypes.byref(cycle))
        assert known, f"picture {number} of {self.pictures} is not kept"
        n_leds = n_bits.value // BITS_PER_LED
        return Clocked(bytes(rgb)[: 3 * n_leds], n_leds, cycle.value / CYCLES_PER_MS)

    @property
    def lit(self) -> LedFrame:
        """What the LEDs show, of as many as the firmware was made for."""
        rgb = (ctypes.c_uint8 * (3 * MOST_LEDS))()
        self._library.chip_lit(self._chip, rgb)
        return LedFrame.from_bytes(bytes(rgb)[: 3 * self.make.n_led])

    @property
    def timing(self) -> WaveTiming:
        """The timing of all bits since the start or `forget_timing`."""
        raw = _Timing()
        self._library.chip_timing(self._chip, ctypes.byref(raw))
        parts = {
            part.name: (
                getattr(raw, f"{part.name}_min") * NS_PER_CYCLE,
                getattr(raw, f"{part.name}_max") * NS_PER_CYCLE,
            )
            for part in fields(WaveTiming)
            if part.name.startswith(("t", "gap"))
        }
        return WaveTiming(**parts, n_bits=raw.n_bits, n_faults=raw.n_faults)

    def forget_timing(self) -> None:
        self._library.chip_forget_timing(self._chip)
