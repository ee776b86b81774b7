"""What a link is made of: its phases, what it is told, and what it remembers."""

from dataclasses import dataclass
from enum import Enum, unique
from typing import TypeAlias

from firmware_bridge.led_frame import LedFrame
from firmware_bridge.protocol import wire_constants as wire
from firmware_bridge.protocol.link_events import PictureShown
from firmware_bridge.protocol.messages import BoardMessage, Bye, Chain, Hello, Ping, Pixels, Runs

# Bytes that mean something to WLED between its frames; B0 to B7 change its baud rate for good. What we say to a device
# that we do not know yet has none of them.
WLED_COMMAND_BYTES = frozenset(b"AILOXlov{\xc9") | frozenset(range(0xB0, 0xB8))


@unique
class LinkPhase(Enum):
    """SHUT: no port, or no session wanted any more. GREETING: HELLO is on its way. IDLE, WAITING: a session. REFUSED: never to be spoken to again."""

    SHUT = "shut"
    GREETING = "greeting"
    IDLE = "idle"
    WAITING = "waiting"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class LinkSettings:
    """What is agreed on when a session begins."""

    baud: int = wire.BAUD
    cap_ma: int = wire.CURRENT_CAP_MAX_MA
    host_ms: int = wire.HOST_SILENCE_MS
    greet_for_ms: int = wire.HELLO_FOR_MS  # a board that has never answered is given up after this


@dataclass(frozen=True, slots=True)
class PortOpened:
    """There is a port, and what is behind it is unknown."""


@dataclass(frozen=True, slots=True)
class PortGone:
    """The port is no more."""


@dataclass(frozen=True, slots=True)
class Show:
    """The picture to be shown from now on."""

    frame: LedFrame


@dataclass(frozen=True, slots=True)
class Ask:
    """How the board is, is to be known now; otherwise it is asked when the line rests."""


@dataclass(frozen=True, slots=True)
class Leave:
    """The session is to end, and the strip to be dark."""


@dataclass(frozen=True, slots=True)
class LinkTick:
    """Time has passed."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is in flight. `expected`: of a picture, the event that its right answer makes."""

    message: Runs | Pixels | Ping | Chain | Bye
    seq: int
    due_ms: int = 0
    tries: int = 0
    expected: PictureShown | None = None


@dataclass(frozen=True, slots=True)
class HelloSchedule:
    """HELLO as it is said again and again, and until when."""

    hello: Hello
    next_ms: int
    until_ms: float  # infinite for a board that has answered since the port was opened


@dataclass(frozen=True, slots=True)
class LinkPicture:
    """The newest picture; `is_owed` while the board has not been asked to show it in this session."""

    frame: LedFrame | None = None
    is_owed: bool = False
    digest: int | None = None  # of what the strip showed when the board last acknowledged in this session


LinkInput: TypeAlias = PortOpened | PortGone | Show | Ask | Leave | LinkTick | BoardMessage
