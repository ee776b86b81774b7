"""Plain Adalight: a header with a checksum of its own length only, then colours. Nobody answers, so nothing is verified.

Chosen by hand only: a port is never taken for Adalight because it is silent. Such a program limits no current, so the
pictures are within the cap before they are sent.
"""

import struct
from dataclasses import dataclass

from firmware_bridge.boards.light_board import Health, Identity, ShowReport, Verification
from firmware_bridge.errors import BoardLostError, PortGoneError, WrongLedCountError
from firmware_bridge.led_frame import BLACK, LedFrame
from firmware_bridge.port import Clock, Plug, Port, Replug
from firmware_bridge.power import LimitedFrame, estimate_ma, limit_current
from firmware_bridge.protocol import wire_constants as wire

# Most of these programs go dark or back to an effect some seconds after the last picture; WLED after 2.5 s.
RESEND_EVERY_MS = 1_000
_HEADER_CHECK = 0x55


def adalight_bytes(frame: LedFrame) -> bytes:
    """`Ada`, the number of LEDs less one, its checksum, the colours. A frame has at least one LED."""
    hi, lo = divmod(len(frame.leds) - 1, 256)
    return b"Ada" + struct.pack("BBB", hi, lo, hi ^ lo ^ _HEADER_CHECK) + frame.to_bytes()


def pad_frame(frame: LedFrame, n_led: int) -> LedFrame:
    """Black behind the picture. WrongLedCountError when the picture is longer."""
    missing = n_led - len(frame.leds)
    if missing < 0:
        raise WrongLedCountError(len(frame.leds), n_led)
    return LedFrame(frame.leds + (BLACK,) * missing)


def limit_frame(frame: LedFrame, n_led: int, cap_ma: int | None) -> LimitedFrame:
    """The whole strip within the cap; None: somebody else limits it. WrongLedCountError."""
    whole = pad_frame(frame, n_led)
    return LimitedFrame(whole, is_limited=False) if cap_ma is None else limit_current(whole, cap_ma)


@dataclass(frozen=True, slots=True)
class _SentPicture:
    """The picture to be kept alive, and when it was sent."""

    frame: LedFrame
    sent_ms: int


class AdalightBoard:
    """A strip of `n_led`, which somebody has said, for the strip does not."""

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
        """Answering means here that there is a port."""
        if self._port is None or self._clock() - self._last.sent_ms >= RESEND_EVERY_MS:
            self._last = _SentPicture(self._last.frame, self._clock())
            return Health(self._send())
        return Health(is_answering=True)

    def close(self) -> None:
        if self._port is not None:
            self._port.close()
            self._port = None

    def _send(self) -> bool:
        """Whether the bytes have left."""
        self._port = port = self._port or self._replug.open(self._baud)
        if port is None:
            return False
        try:
            port.read(0)  # some of them chatter, and what nobody reads fills up
            port.write(adalight_bytes(self._last.frame))
        except PortGoneError:
            self.close()
            return False
        return True
