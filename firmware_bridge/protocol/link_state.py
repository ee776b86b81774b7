"""The phases, inputs and state of a link."""

from dataclasses import dataclass
from enum import Enum, unique
from typing import TypeAlias

from firmware_bridge.led_frame import LedFrame
from firmware_bridge.protocol import wire_constants as wire
from firmware_bridge.protocol.link_events import PictureShown
from firmware_bridge.protocol.messages import BoardMessage, Bye, Chain, Hello, Ping, Pixels, Runs

# Bytes that are commands to WLED; B0 to B7 change its baud rate. Nothing sent to an unknown device contains them.
WLED_COMMAND_BYTES = frozenset(b"AILOXlov{\xc9") | frozenset(range(0xB0, 0xB8))


@unique
class LinkPhase(Enum):
    """SHUT: no port, or the session was ended. GREETING: HELLO is sent. IDLE, WAITING: in a session. REFUSED: foreign device."""

    SHUT = "shut"
    GREETING = "greeting"
    IDLE = "idle"
    WAITING = "waiting"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class LinkSettings:
    """The parameters of a session."""

    baud: int = wire.BAUD
    cap_ma: int = wire.CURRENT_CAP_MAX_MA
    host_ms: int = wire.HOST_SILENCE_MS
    greet_for_ms: int = wire.HELLO_FOR_MS  # time limit for a board that has never answered


@dataclass(frozen=True, slots=True)
class PortOpened:
    """A port was opened; the device is unknown."""


@dataclass(frozen=True, slots=True)
class PortGone:
    """The port was unplugged."""


@dataclass(frozen=True, slots=True)
class Show:
    """The picture to be shown from now on."""

    frame: LedFrame


@dataclass(frozen=True, slots=True)
class Ask:
    """Send PING now instead of when the line is idle."""


@dataclass(frozen=True, slots=True)
class Leave:
    """End the session with a dark strip."""


@dataclass(frozen=True, slots=True)
class LinkTick:
    """Time has passed."""


@dataclass(frozen=True, slots=True)
class Request:
    """The request in flight. `expected`, for a picture, is the event of its correct answer."""

    message: Runs | Pixels | Ping | Chain | Bye
    seq: int
    due_ms: int = 0
    tries: int = 0
    expected: PictureShown | None = None


@dataclass(frozen=True, slots=True)
class HelloSchedule:
    """The HELLO that is repeated, and until when."""

    hello: Hello
    next_ms: int
    until_ms: float  # infinite for a board that answered before


@dataclass(frozen=True, slots=True)
class LinkPicture:
    """The newest picture; `is_owed` until it was sent in this session."""

    frame: LedFrame | None = None
    is_owed: bool = False
    digest: int | None = None  # of the last ACK in this session


LinkInput: TypeAlias = PortOpened | PortGone | Show | Ask | Leave | LinkTick | BoardMessage
