"""The interface of every light board. The drivers are `bglp.py`, `wled.py`, `adalight.py` and `null.py`;
`device_detection.py` chooses the one for a port.
"""

from dataclasses import dataclass
from enum import Enum, unique
from typing import Protocol

from firmware_bridge.led_frame import LedFrame


@unique
class Verification(Enum):
    """How a driver verifies what is lit."""

    DIGEST = "digest"  # the board returns the checksum of what it has clocked out
    READBACK = "readback"  # the board returns the picture that it holds
    NONE = "none"  # not at all


@dataclass(frozen=True, slots=True)
class Identity:
    """The board's description of itself; None for what it does not report."""

    name: str
    port: str
    verified: Verification
    n_led: int | None = None
    answering_leds: int | None = None  # counted over the return wire
    cap_ma: int | None = None  # brighter pictures are dimmed
    is_simulated: bool = False


@dataclass(frozen=True, slots=True)
class ShowReport:
    """How a picture was shown; None for what the board does not report."""

    digest: int | None = None  # CRC of the bytes as they are lit
    limited: bool = False  # dimmed to stay below the cap
    current_ma: int | None = None  # estimated


@dataclass(frozen=True, slots=True)
class Health:
    """The board's condition. `warnings` are sentences for people, each with its remedy."""

    is_answering: bool
    warnings: tuple[str, ...] = ()
    rail_mv: int | None = None
    current_ma: int | None = None
    uptime_ms: int | None = None
    is_computer_busy: bool = False  # this program does not get the processor in time, which may be why nobody answers


class LightBoard(Protocol):
    """A board driver. It must be used from one thread at a time."""

    @property
    def verified(self) -> Verification:
        """How `show` verifies a picture."""
        ...

    def open(self) -> Identity:
        """Greets the board, for up to HELLO_FOR_MS. Raises PortError, NotALightBoardError."""
        ...

    def show(self, frame: LedFrame) -> ShowReport:
        """Returns when the picture is lit and verified; LEDs beyond the picture are black.

        Raises WrongLedCountError and CommandRefusedError, and BoardLostError when the board does not answer: `health`
        then keeps trying and shows the newest picture as soon as the board is back.
        """
        ...

    def health(self) -> Health:
        """The heartbeat: call it at least every PING_EVERY_MS while nothing is shown, or the board goes dark after
        HOST_SILENCE_MS. After BoardLostError it reconnects.

        It never raises for a lost board. It does not wait for our own firmware. It resends the picture to a WLED board
        every second, which takes as long as `show`, up to a second on a bad line.
        """
        ...

    def close(self) -> None:
        """Says goodbye to our own firmware, which makes the strip dark (up to half a second); firmware without GOODBYE
        shows the host as lost. WLED and Adalight return to their own light after some seconds. To have those dark at
        once, show a dark picture first.
        """
        ...
