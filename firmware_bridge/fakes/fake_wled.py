"""A WLED board in memory, after the source of its serial handler. No real one was tried.

It reproduces what damaged bytes do to WLED: it has no checksum, waits for the rest of a picture for ever, and takes
stray colours for commands.
"""

from collections.abc import Callable
from enum import Enum, auto, unique

from firmware_bridge.boards import wled_bytes
from firmware_bridge.led_frame import LedFrame, Rgb
from firmware_bridge.protocol import wire_constants as wire

EFFECT = Rgb(255, 160, 0)
"""WLED's own light, shown without pictures."""


@unique
class _ParserState(Enum):
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
    """Off until `power_on`. `lit` is what its strip shows."""

    def __init__(self, n_led: int = 30, version: str = "0.14.0", boot_ms: int = 0) -> None:
        self.lit = LedFrame((EFFECT,) * n_led)
        self.baud = wire.BAUD
        self._version = version
        self._boot_ms = boot_ms
        self._buffer = list(self.lit.leds)
        self._parser_state = _ParserState.COMMAND
        self._taken = bytearray()  # bytes of the header, then of the colours
        self._count = 0
        self._awake_ms: int | None = None
        self._picture_ms: int | None = None

    def power_on(self, now_ms: int) -> None:
        self._show_effect()
        self.baud = wire.BAUD
        self._parser_state = _ParserState.COMMAND
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
        if self._parser_state is _ParserState.COLOUR:
            self._take_colour(byte, now_ms)
            return b""
        if self._parser_state is _ParserState.COMMAND:
            return self._handle_command(byte)
        if self._parser_state is _ParserState.TPM2_TYPE and byte == wled_bytes.PING[1]:
            self._parser_state = _ParserState.COMMAND
            return wled_bytes.PONG
        self._parser_state = _STEPS[self._parser_state](self, byte)
        return b""

    def _handle_command(self, byte: int) -> bytes:
        self._parser_state = _STARTS.get(byte, _ParserState.COMMAND)
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

    def _take_count_hi(self, byte: int) -> _ParserState:
        self._taken.append(byte)
        return _ParserState.COUNT_LO

    def _take_count_lo(self, byte: int) -> _ParserState:
        self._taken.append(byte)
        return _ParserState.COUNT_CHECK

    def _take_count_check(self, byte: int) -> _ParserState:
        hi, lo = self._taken
        self._taken.clear()
        self._count = hi * 256 + lo + 1
        return _ParserState.COLOUR if byte == hi ^ lo ^ 0x55 else _ParserState.COMMAND

    def _take_tpm2_hi(self, byte: int) -> _ParserState:
        self._count = byte * 256 // 3
        return _ParserState.TPM2_LO

    def _take_tpm2_lo(self, byte: int) -> _ParserState:
        self._count += byte // 3
        return _ParserState.COLOUR

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
            self._parser_state = _ParserState.COMMAND


# The state after a byte between pictures. Improv and JSON are entered and left at the next byte.
_STARTS = {
    ord("A"): _ParserState.SMALL_D,
    0xC9: _ParserState.TPM2_TYPE,
    ord("I"): _ParserState.IMPROV,
    ord("{"): _ParserState.JSON,
}
_STEPS: dict[_ParserState, Callable[[FakeWled, int], _ParserState]] = {
    _ParserState.SMALL_D: lambda _wled, byte: _ParserState.SMALL_A if byte == ord("d") else _ParserState.COMMAND,
    _ParserState.SMALL_A: lambda _wled, byte: _ParserState.COUNT_HI if byte == ord("a") else _ParserState.COMMAND,
    _ParserState.COUNT_HI: FakeWled._take_count_hi,
    _ParserState.COUNT_LO: FakeWled._take_count_lo,
    _ParserState.COUNT_CHECK: FakeWled._take_count_check,
    _ParserState.TPM2_TYPE: lambda _wled, byte: _ParserState.TPM2_HI if byte == 0xDA else _ParserState.COMMAND,
    _ParserState.TPM2_HI: FakeWled._take_tpm2_hi,
    _ParserState.TPM2_LO: FakeWled._take_tpm2_lo,
    _ParserState.IMPROV: lambda _wled, _byte: _ParserState.COMMAND,
    _ParserState.JSON: lambda _wled, _byte: _ParserState.COMMAND,
}
