"""A frozen value for each message of BGLP v1, with its payload as bytes. `wire_constants.py` has the layouts.

`from_payload` gets a payload with a correct checksum, and raises MalformedPayloadError for one that no sender of this
version produces.
"""

import struct
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self, TypeAlias

from firmware_bridge.errors import ImpossibleMessageError, MalformedPayloadError
from firmware_bridge.led_frame import BLACK, LedFrame, Rgb, Run
from firmware_bridge.protocol import wire_constants as wire
from firmware_bridge.protocol.wire_constants import AckFlag, Capability, MessageType, NakReason, ResetCause

# Type, seq and checksum around a payload.
BODY_OVERHEAD_BYTES = 4


def _pack(layout: str, *values: int | bytes) -> bytes:
    try:
        return struct.pack(layout, *values)
    except struct.error as problem:
        raise ImpossibleMessageError(f"A value does not fit its field ({problem}); please report this.") from None


def _unpack(layout: str, payload: bytes, name: str) -> tuple[Any, ...]:
    if len(payload) != struct.calcsize(layout):
        raise MalformedPayloadError(f"{name} has {struct.calcsize(layout)} bytes, not {len(payload)}; flash the board.")
    return struct.unpack(layout, payload)


def _rgb_tuple(colour: Rgb) -> tuple[int, int, int]:
    return colour.r, colour.g, colour.b


class _Empty:
    """A message without payload."""

    __slots__ = ()

    def to_payload(self) -> bytes:
        return b""

    @classmethod
    def from_payload(cls, payload: bytes) -> Self:
        _unpack("<", payload, cls.__name__)
        return cls()


@dataclass(frozen=True, slots=True)
class _InOrder:
    """A message whose payload is its fields in their order."""

    type: ClassVar[MessageType]
    layout: ClassVar[str]

    def to_payload(self) -> bytes:
        return _pack(self.layout, *(getattr(self, field.name) for field in fields(self)))

    @classmethod
    def from_payload(cls, payload: bytes) -> Self:
        read = _unpack(cls.layout, payload, cls.type.name)
        kinds = {"flags": AckFlag}
        return cls(*(kinds.get(field.name, int)(value) for field, value in zip(fields(cls), read, strict=True)))


@dataclass(frozen=True, slots=True)
class Hello:
    """Starts a session. MessageType.HELLO documents the fields."""

    type: ClassVar = MessageType.HELLO
    session: int
    cap_ma: int = wire.CURRENT_CAP_MAX_MA
    host_ms: int = wire.HOST_SILENCE_MS
    proto: int = wire.PROTOCOL_VERSION

    def to_payload(self) -> bytes:
        return _pack(wire.HELLO_PAYLOAD, self.proto, self.session, self.host_ms, self.cap_ma)

    @classmethod
    def from_payload(cls, payload: bytes) -> Self:
        proto, session, host_ms, cap_ma = _unpack(wire.HELLO_PAYLOAD, payload, "HELLO")
        return cls(session, cap_ma, host_ms, proto)


@dataclass(frozen=True, slots=True)
class Bye(_Empty):
    """The host leaves: the strip goes dark, without a marker."""

    type: ClassVar = MessageType.BYE


@dataclass(frozen=True, slots=True)
class Pixels:
    """A picture as one stretch of colours; other LEDs are black."""

    type: ClassVar = MessageType.PIXELS
    start: int
    leds: tuple[Rgb, ...]

    def to_payload(self) -> bytes:
        head = _pack(wire.PIXELS_HEAD, self.start, len(self.leds))
        return head + b"".join(_pack(wire.PIXEL, *_rgb_tuple(led)) for led in self.leds)

    @classmethod
    def from_payload(cls, payload: bytes) -> Self:
        head = struct.calcsize(wire.PIXELS_HEAD)
        start, count = _unpack(wire.PIXELS_HEAD, payload[:head], "PIXELS")
        if len(payload) != head + count * struct.calcsize(wire.PIXEL):
            raise MalformedPayloadError(f"PIXELS tells of {count} LEDs in {len(payload)} bytes; flash the board.")
        return cls(start, tuple(Rgb(*colour) for colour in struct.iter_unpack(wire.PIXEL, payload[head:])))

    def on_strip(self, n_led: int) -> LedFrame | None:
        """The whole picture; None if it exceeds the strip."""
        after = n_led - self.start - len(self.leds)
        return None if after < 0 else LedFrame((BLACK,) * self.start + self.leds + (BLACK,) * after)


@dataclass(frozen=True, slots=True)
class Runs:
    """A picture as runs of one colour; other LEDs are black."""

    type: ClassVar = MessageType.RUNS
    runs: tuple[Run, ...]

    def to_payload(self) -> bytes:
        if any(run.length < 1 for run in self.runs):
            raise ImpossibleMessageError("A run has at least one LED; leave empty ones out.")
        head = _pack(wire.RUNS_HEAD, len(self.runs))
        return head + b"".join(_pack(wire.RUN, run.start, run.length, *_rgb_tuple(run.rgb)) for run in self.runs)

    @classmethod
    def from_payload(cls, payload: bytes) -> Self:
        head = struct.calcsize(wire.RUNS_HEAD)
        (count,) = _unpack(wire.RUNS_HEAD, payload[:head], "RUNS")
        if len(payload) != head + count * struct.calcsize(wire.RUN):
            raise MalformedPayloadError(f"RUNS tells of {count} runs in {len(payload)} bytes; flash the board.")
        fields = struct.iter_unpack(wire.RUN, payload[head:])
        return cls(tuple(Run(start, length, Rgb(*colour)) for start, length, *colour in fields))

    def on_strip(self, n_led: int) -> LedFrame | None:
        """The whole picture; None if it exceeds the strip or a run is empty."""
        try:
            return LedFrame.from_runs(n_led, self.runs)
        except ValueError:
            return None


@dataclass(frozen=True, slots=True)
class Ping(_Empty):
    """The heartbeat; asks for PONG."""

    type: ClassVar = MessageType.PING


@dataclass(frozen=True, slots=True)
class Chain(_Empty):
    """Asks for the number of LEDs in the chain."""

    type: ClassVar = MessageType.CHAIN


@dataclass(frozen=True, slots=True)
class _BoardDescription:
    """The board's description of itself, in HELLO_OK and BOOT."""

    session: int
    n_led: int
    flags: AckFlag = AckFlag.NONE
    firmware: tuple[int, int] = (1, 0)  # major, minor
    reset_cause: ResetCause = ResetCause.UNKNOWN
    max_frame: int = wire.BUFFER_BYTES
    cap_ma: int = wire.CURRENT_CAP_MAX_MA
    host_ms: int = wire.HOST_SILENCE_MS
    caps: Capability = Capability.NONE
    build_id: int = 0
    proto: int = wire.PROTOCOL_VERSION

    def to_payload(self) -> bytes:
        head = (self.session, self.flags, wire.MAGIC, self.proto, *self.firmware, self.reset_cause)
        limits = (self.n_led, self.max_frame, self.cap_ma, self.host_ms, self.caps, self.build_id)
        return _pack(wire.HELLO_OK_PAYLOAD, *head, *limits)

    @classmethod
    def from_payload(cls, payload: bytes) -> Self:
        session, flags, magic, proto, major, minor, cause, n_led, max_frame, cap_ma, host_ms, caps, build_id = _unpack(
            wire.HELLO_OK_PAYLOAD, payload, cls.__name__
        )
        if magic != wire.MAGIC:
            raise MalformedPayloadError(f"This is no light board: it says {magic!r}; choose another port.")
        return cls(
            session, n_led, AckFlag(flags), (major, minor), ResetCause(cause), max_frame, cap_ma, host_ms, Capability(caps), build_id, proto
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class HelloOk(_BoardDescription):
    """The session has begun with a dark strip."""

    type: ClassVar = MessageType.HELLO_OK


@dataclass(frozen=True, slots=True)
class Boot(_BoardDescription):
    """The board has started with a dark strip."""

    type: ClassVar = MessageType.BOOT


@dataclass(frozen=True, slots=True)
class Ack(_InOrder):
    """The picture is lit. `digest` is of the picture after dimming."""

    type: ClassVar = MessageType.ACK
    layout: ClassVar = wire.ACK_PAYLOAD
    session: int
    flags: AckFlag
    digest: int
    est_ma: int


@dataclass(frozen=True, slots=True)
class Nak:
    """The command was refused; the strip is unchanged."""

    type: ClassVar = MessageType.NAK
    reason: NakReason
    session: int
    flags: AckFlag = AckFlag.NONE
    proto: int = wire.PROTOCOL_VERSION

    def to_payload(self) -> bytes:
        return _pack(wire.NAK_PAYLOAD, self.reason, self.session, self.flags, self.proto)

    @classmethod
    def from_payload(cls, payload: bytes) -> Self:
        reason, session, flags, proto = _unpack(wire.NAK_PAYLOAD, payload, "NAK")
        if reason not in list(NakReason):
            raise MalformedPayloadError(f"NAK gives the unknown reason {reason}; flash the board.")
        return cls(NakReason(reason), session, AckFlag(flags), proto)


@dataclass(frozen=True, slots=True)
class Pong(_InOrder):
    """The board's condition. The four counters wrap at 65536."""

    type: ClassVar = MessageType.PONG
    layout: ClassVar = wire.PONG_PAYLOAD
    session: int
    flags: AckFlag
    frames: int
    crc_errors: int
    hw_overruns: int
    ring_overruns: int
    est_ma: int
    digest: int
    rail_mv: int
    uptime_ms: int


@dataclass(frozen=True, slots=True)
class ChainCount(_InOrder):
    """The number of LEDs that answered; CHAIN_NO_RETURN if none did."""

    type: ClassVar = MessageType.CHAIN_COUNT
    layout: ClassVar = wire.CHAIN_COUNT_PAYLOAD
    count: int


@dataclass(frozen=True, slots=True)
class Lost(_InOrder):
    """The board declared the host dead and ended the session."""

    type: ClassVar = MessageType.LOST
    layout: ClassVar = wire.LOST_PAYLOAD
    session: int
    flags: AckFlag = AckFlag.LOST


HostMessage: TypeAlias = Hello | Bye | Pixels | Runs | Ping | Chain
BoardMessage: TypeAlias = HelloOk | Ack | Nak | Pong | ChainCount | Boot | Lost
Message: TypeAlias = HostMessage | BoardMessage
MESSAGES: tuple[type[Message], ...] = (
    *(Hello, Bye, Pixels, Runs, Ping, Chain),
    *(HelloOk, Ack, Nak, Pong, ChainCount, Boot, Lost),
)


def picture_command(frame: LedFrame) -> Runs | Pixels:
    """The shorter encoding of the picture; Runs if both are equal."""
    runs = frame.runs()
    lit = [at for at, led in enumerate(frame.leds) if led != BLACK]
    stretch = frame.leds[lit[0] : lit[-1] + 1] if lit else ()
    is_shorter_as_runs = len(runs) * struct.calcsize(wire.RUN) <= len(stretch) * struct.calcsize(wire.PIXEL) + 1
    # Runs that would not fit the buffer are always longer than the pixels of 120 LEDs.
    return Runs(runs) if is_shorter_as_runs else Pixels(lit[0], stretch)
