"""What every light board can do, whoever wrote its firmware. The drivers are `bglp.py`, `wled.py`, `adalight.py` and
`null.py`; which of them a port needs is found by `recognise.py`.
"""

from dataclasses import dataclass
from enum import Enum, unique
from typing import Protocol

from firmware_bridge.led_frame import LedFrame


@unique
class Verification(Enum):
    """How we know what is lit."""

    DIGEST = "digest"  # the board tells the checksum of what it has clocked out
    READBACK = "readback"  # the board tells the picture it holds
    NONE = "none"  # nobody tells


@dataclass(frozen=True, slots=True)
class Identity:
    """What the board says of itself; None where it says nothing."""

    name: str
    port: str
    verified: Verification
    n_led: int | None = None
    answering_leds: int | None = None  # counted over the return wire
    cap_ma: int | None = None  # the firmware dims what would draw more
    is_simulated: bool = False


@dataclass(frozen=True, slots=True)
class ShowReport:
    """How a picture was shown. None where the board says nothing."""

    digest: int | None = None  # CRC of the bytes as they are lit
    limited: bool = False  # dimmed to stay below the cap
    current_ma: int | None = None  # estimated


@dataclass(frozen=True, slots=True)
class Health:
    """How the board is. `warnings` are sentences for people, each with its remedy."""

    is_answering: bool
    warnings: tuple[str, ...] = ()
    rail_mv: int | None = None
    current_ma: int | None = None
    uptime_ms: int | None = None


class LightBoard(Protocol):
    """Not for several threads at once."""

    @property
    def verified(self) -> Verification:
        """What `show` rests on."""
        ...

    def open(self) -> Identity:
        """Greets the board, for up to HELLO_FOR_MS. PortError, NotALightBoardError."""
        ...

    def show(self, frame: LedFrame) -> ShowReport:
        """Returns when the picture is lit, as far as `verified` reaches; LEDs beyond the picture are black.

        WrongLedCountError, CommandRefusedError. BoardLostError when the board does not answer: the picture is kept, and
        `health` goes on trying and shows the newest one as soon as the board is back.
        """
        ...

    def health(self) -> Health:
        """To be called at least every PING_EVERY_MS while nothing is shown: it is the heartbeat, without which the board
        declares us dead after HOST_SILENCE_MS. After BoardLostError it is also what finds the board again.

        It never raises for a board that is away. It does not wait for our own firmware; a WLED is shown its picture
        again every second, which takes as long as `show`, and up to a second on a bad line.
        """
        ...

    def close(self) -> None:
        """Our own firmware is told that we leave, for up to half a second, and is dark then; an older one without that
        marks us as lost. WLED and Adalight go back to their own light some seconds later. To be dark at once, show that
        first.
        """
        ...
