"""The events that a link gives to its owner."""

from dataclasses import dataclass
from enum import Enum, unique
from typing import TypeAlias

from firmware_bridge.led_frame import LedFrame
from firmware_bridge.protocol.messages import HelloOk, Pong
from firmware_bridge.protocol.wire_constants import NakReason, ResetCause


@unique
class LossReason(Enum):
    """Why the session is over, completing a sentence that begins with "the light board"."""

    UNPLUGGED = "was unplugged"
    SILENT = "does not answer"
    RESTARTED = "has restarted"
    GAVE_UP = "had heard nothing for too long"
    FORGOT = "has forgotten the session"
    WRONG_PICTURE = "shows another picture than it was sent"


@dataclass(frozen=True, slots=True)
class Greeted:
    """A session has begun."""

    identity: HelloOk


@dataclass(frozen=True, slots=True)
class ChainCounted:
    """The number of LEDs that answered over the return wire; CHAIN_NO_RETURN for none."""

    count: int


@dataclass(frozen=True, slots=True)
class PictureShown:
    """The board has clocked this picture out, and its digest is correct."""

    frame: LedFrame
    digest: int
    is_limited: bool
    est_ma: int


@dataclass(frozen=True, slots=True)
class Measured:
    """The board's answer to a heartbeat."""

    pong: Pong


@dataclass(frozen=True, slots=True)
class LinkLost:
    """The session is over, and the strip's picture unknown. The link greets again while it has a port."""

    why: LossReason
    cause: ResetCause = ResetCause.UNKNOWN


@dataclass(frozen=True, slots=True)
class NobodyAnswers:
    """No light board answered the greeting in time. Nothing more is sent."""


@dataclass(frozen=True, slots=True)
class OtherVersion:
    """The board speaks another version of the protocol. Nothing more is sent."""

    board_speaks: int


@dataclass(frozen=True, slots=True)
class RequestRefused:
    """The board refused a command: a fault of this program. The command is not resent."""

    reason: NakReason


@dataclass(frozen=True, slots=True)
class PictureTooLong:
    """The picture has more LEDs than the strip; it was not sent."""

    in_picture: int
    on_strip: int


BoardLinkEvent: TypeAlias = (
    Greeted
    | ChainCounted
    | PictureShown
    | Measured
    | LinkLost
    | NobodyAnswers
    | OtherVersion
    | RequestRefused
    | PictureTooLong
)
