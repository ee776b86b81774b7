"""The driver for plain Adalight: a header with a checksum of the LED count only, then colours. Nothing is verified,
because the device never answers.

It is chosen by hand: a silent port is never assumed to be Adalight. The device limits no current, so pictures are
limited to the cap before they are sent.
"""

import struct
from dataclasses import dataclass

from firmware_bridge.boards.light_board import Health, Identity, ShowReport, Verification
from firmware_bridge.errors import BoardLostError, PortGoneError, WrongLedCountError
from firmware_bridge.led_frame import BLACK, LedFrame
from firmware_bridge.port import Clock, Plug, Port, Replug
from firmware_bridge.power import LimitedFrame, estimate_ma, limit_current
from firmware_bridge.protocol import wire_constants as wire

# Most such devices go dark or show an effect some seconds after the last picture; WLED does after 2.5 s.
RESEND_EVERY_MS = 1_000
_HEADER_CHECK = 0x55


def adalight_bytes(frame: LedFrame) -> bytes:
    """`Ada`, LED count minus one (u16, big-endian), its checksum, then r g b per LED. A frame has at least one LED."""
    hi, lo = divmod(len(frame.leds) - 1, 256)
    return b"Ada" + struct.pack("BBB", hi, lo, hi ^ lo ^ _HEADER_CHECK) + frame.to_bytes()


def pad_frame(frame: LedFrame, n_led: int) -> LedFrame:
    """The picture, extended with black LEDs. Raises WrongLedCountError when it is longer than the strip."""
    missing = n_led - len(frame.leds)
    if missing < 0:
        raise WrongLedCountError(len(frame.leds), n_led)
    return LedFrame(frame.leds + (BLACK,) * missing)


def limit_frame(frame: LedFrame, n_led: int, cap_ma: int | None) -> LimitedFrame:
    """The whole strip within the cap in mA; None: another party limits the current. Raises WrongLedCountError."""
    whole = pad_frame(frame, n_led)
    return LimitedFrame(whole, is_limited=False) if cap_ma is None else limit_current(whole, cap_ma)


@dataclass(frozen=True, slots=True)
class _SentPicture:
    """The last picture, which is resent, and when it was sent."""

    frame: LedFrame
    sent_ms: int


class AdalightBoard:
    """A strip of `n_led` LEDs; the caller states the number, because the device cannot."""

    verified = Verification.NONE

    def __init__(
        self, plug: Plug, clock: Clock, n_led: int, *, baud: int = wire.BAUD, cap_ma: int = wire.CURRENT_CAP_MAX_MA
    ) -> None:
        self._plug = plug
        self._clock = clock
        self._n_led = n_led
        self._baud = baud
        self._cap_ma = cap_ma
        self._port: Port | None = None
        self._last = _SentPicture(LedFrame.dark(n_led), 0)
        self._replug = Replug(plug, clock)

    def open(self) -> Identity:
        if self._port is None:
            self._port = self._plug.open(self._baud)
        return Identity("Adalight", self._plug.name, self.verified, self._n_led, cap_ma=self._cap_ma)

    def show(self, frame: LedFrame) -> ShowReport:
        lit = limit_frame(frame, self._n_led, self._cap_ma)
        self._last = _SentPicture(lit.frame, self._clock())
        if not self._send():
            raise BoardLostError(self._plug.name, "was unplugged")
        return ShowReport(limited=lit.is_limited, current_ma=estimate_ma(lit.frame))

    def health(self) -> Health:
        """Here `is_answering` only means that the port is open."""
        if self._port is None or self._clock() - self._last.sent_ms >= RESEND_EVERY_MS:
            self._last = _SentPicture(self._last.frame, self._clock())
            return Health(self._send())
        return Health(is_answering=True)

    def close(self) -> None:
        if self._port is not None:
            self._port.close()
            self._port = None

    def _send(self) -> bool:
        """Whether the bytes were written."""
        self._port = port = self._port or self._replug.open(self._baud)
        if port is None:
            return False
        try:
            port.read(0)  # empties the buffer of a device that chatters
            port.write(adalight_bytes(self._last.frame))
        except PortGoneError:
            self.close()
            return False
        return True
