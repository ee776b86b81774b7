"""A WLED in memory, after its documented serial behaviour: for tests, since nobody here has tried a real one.

What it does with damaged bytes is the point of it: it has no checksum, waits for the rest of a picture for ever, and
takes stray colours for commands.
"""

from collections.abc import Callable
from enum import Enum, auto, unique

from firmware_bridge.boards import wled_bytes
from firmware_bridge.led_frame import LedFrame, Rgb
from firmware_bridge.protocol import wire_constants as wire

EFFECT = Rgb(255, 160, 0)
"""Its own light, when nobody tells it what to show."""


@unique
class _Awaits(Enum):
    COMMAND = auto()
    SMALL_D = auto()
    SMALL_A = auto()
    COUNT_HI = auto()
    COUNT_LO = auto()
    COUNT_CHECK = auto()
    TPM2_TYPE = auto()
    TPM2_HI = auto()
    TPM2_LO = auto()
    COLOUR = auto()
    IMPROV = auto()
    JSON = auto()


class FakeWled:
    """`lit` is what its strip shows. Off until `power_on`."""

    def __init__(self, n_led: int = 30, version: str = "0.14.0", boot_ms: int = 0) -> None:
        self.lit = LedFrame((EFFECT,) * n_led)
        self.baud = wire.BAUD
        self._version = version
        self._boot_ms = boot_ms
        self._buffer = list(self.lit.leds)
        self._awaits = _Awaits.COMMAND
        self._taken = bytearray()  # of the header, then of the colours
        self._count = 0
        self._awake_ms: int | None = None
        self._picture_ms: int | None = None

    def power_on(self, now_ms: int) -> None:
        self._show_effect()
        self.baud = wire.BAUD
        self._awaits = _Awaits.COMMAND
        self._awake_ms = now_ms + self._boot_ms

    def advance(self, now_ms: int) -> bytes:
        if self._picture_ms is not None and now_ms - self._picture_ms >= wled_bytes.REALTIME_MS:
            self._show_effect()
        return b""

    def receive(self, data: bytes, now_ms: int) -> bytes:
        self.advance(now_ms)
        if self._awake_ms is None or now_ms < self._awake_ms:
            return b""
        return b"".join(self._take(byte, now_ms) for byte in data)

    def _show_effect(self) -> None:
        self._buffer = [EFFECT] * len(self._buffer)
        self.lit = LedFrame(tuple(self._buffer))
        self._picture_ms = None

    def _take(self, byte: int, now_ms: int) -> bytes:
        if self._awaits is _Awaits.COLOUR:
            self._take_colour(byte, now_ms)
            return b""
        if self._awaits is _Awaits.COMMAND:
            return self._command(byte)
        if self._awaits is _Awaits.TPM2_TYPE and byte == wled_bytes.PING[1]:
            self._awaits = _Awaits.COMMAND
            return wled_bytes.PONG
        self._awaits = _STEPS[self._awaits](self, byte)
        return b""

    def _command(self, byte: int) -> bytes:
        self._awaits = _STARTS.get(byte, _Awaits.COMMAND)
        self._taken.clear()
        if byte == ord("v"):
            return f"WLED {self._version}\r\n".encode()
        if byte == ord("L"):
            return self._leds_as_tpm2()
        if byte == ord("l"):
            numbers = (led.r << 16 | led.g << 8 | led.b for led in self._buffer)
            return f"[{','.join(map(str, numbers))}]\r\n".encode()
        if 0xB0 <= byte <= 0xB7 and wled_bytes.BAUDS[byte - 0xB0] != self.baud:
            self.baud = wled_bytes.BAUDS[byte - 0xB0]
            return f"Baud is now {self.baud}\r\n".encode()
        return b""

    def _leds_as_tpm2(self) -> bytes:
        colours = LedFrame(tuple(self._buffer)).to_bytes()
        return wled_bytes.TPM2_DATA + bytes((0, len(colours) & 0xFF)) + colours + wled_bytes.READ_BACK_END

    def _hi(self, byte: int) -> _Awaits:
        self._taken.append(byte)
        return _Awaits.COUNT_LO

    def _lo(self, byte: int) -> _Awaits:
        self._taken.append(byte)
        return _Awaits.COUNT_CHECK

    def _check(self, byte: int) -> _Awaits:
        hi, lo = self._taken
        self._taken.clear()
        self._count = hi * 256 + lo + 1
        return _Awaits.COLOUR if byte == hi ^ lo ^ 0x55 else _Awaits.COMMAND

    def _tpm2_hi(self, byte: int) -> _Awaits:
        self._count = byte * 256 // 3
        return _Awaits.TPM2_LO

    def _tpm2_lo(self, byte: int) -> _Awaits:
        self._count += byte // 3
        return _Awaits.COLOUR

    def _take_colour(self, byte: int, now_ms: int) -> None:
        self._taken.append(byte)
        if len(self._taken) % 3:
            return
        pixel = len(self._taken) // 3 - 1
        if pixel < len(self._buffer):
            self._buffer[pixel] = Rgb(*self._taken[-3:])
        if pixel + 1 == (self._count or 65_536):
            self.lit = LedFrame(tuple(self._buffer))
            self._picture_ms = now_ms
            self._awaits = _Awaits.COMMAND


# What follows a byte between pictures. Of Improv and JSON it reads on, and returns at the first byte that is neither.
_STARTS = {ord("A"): _Awaits.SMALL_D, 0xC9: _Awaits.TPM2_TYPE, ord("I"): _Awaits.IMPROV, ord("{"): _Awaits.JSON}
_STEPS: dict[_Awaits, Callable[[FakeWled, int], _Awaits]] = {
    _Awaits.SMALL_D: lambda _wled, byte: _Awaits.SMALL_A if byte == ord("d") else _Awaits.COMMAND,
    _Awaits.SMALL_A: lambda _wled, byte: _Awaits.COUNT_HI if byte == ord("a") else _Awaits.COMMAND,
    _Awaits.COUNT_HI: FakeWled._hi,
    _Awaits.COUNT_LO: FakeWled._lo,
    _Awaits.COUNT_CHECK: FakeWled._check,
    _Awaits.TPM2_TYPE: lambda _wled, byte: _Awaits.TPM2_HI if byte == 0xDA else _Awaits.COMMAND,
    _Awaits.TPM2_HI: FakeWled._tpm2_hi,
    _Awaits.TPM2_LO: FakeWled._tpm2_lo,
    _Awaits.IMPROV: lambda _wled, _byte: _Awaits.COMMAND,
    _Awaits.JSON: lambda _wled, _byte: _Awaits.COMMAND,
}
