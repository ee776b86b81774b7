"""A light board in memory that speaks the same protocol as the firmware, for the demo and the tests.

Its methods take received bytes and the time and return its answers; `lit` is what its strip shows. Loss, damage and
delay of bytes are simulated in `fake_line.py`.
"""

from dataclasses import dataclass, replace
from math import inf

from firmware_bridge.led_frame import LedFrame, Rgb, Run
from firmware_bridge.power import estimate_ma, limit_current
from firmware_bridge.protocol import messages
from firmware_bridge.protocol import wire_constants as wire
from firmware_bridge.protocol.framing import DecodeResult, UnitDecoder, WireUnit, digest_of, encode
from firmware_bridge.protocol.wire_constants import AckFlag, Capability, NakReason, ResetCause


@dataclass(frozen=True, slots=True)
class FakeBoardSpec:
    """The hardware and the build of the firmware."""

    n_led: int = 72
    proto: int = wire.PROTOCOL_VERSION
    firmware: tuple[int, int] = (1, 0)
    build_id: int = 0
    cap_max_ma: int = wire.CURRENT_CAP_MAX_MA
    bootloader_ms: int = 0  # time after a start in which received bytes are lost
    answering_leds: int | None = None  # LEDs that CHAIN counts; None: all
    rail_mv: int = 5_000
    baud: int = wire.BAUD
    caps: Capability = (
        Capability.RAIL_VOLTAGE
        | Capability.CHAIN_RETURN
        | Capability.HARDWARE_WATCHDOG
        | Capability.GOODBYE
        | Capability.SIMULATED
    )


@dataclass(frozen=True, slots=True)
class _Session:
    """The values set by HELLO; cap and time outlast the session. `number` is NO_SESSION without a session."""

    cap_ma: int
    number: int = wire.NO_SESSION
    host_ms: int = wire.HOST_SILENCE_MS
    flags: AckFlag = AckFlag.NONE
    heard_ms: float = inf  # the last valid unit of the host; inf without a host


@dataclass(frozen=True, slots=True)
class _Start:
    """A start of the firmware, past or to come, with its cause."""

    at_ms: int
    cause: ResetCause


class FakeBoard:
    """Off until `power_on`. Methods accept any later time, in steps of any size."""

    def __init__(self, spec: FakeBoardSpec | None = None) -> None:
        self.spec = FakeBoardSpec() if spec is None else spec
        self.lit = LedFrame.dark(self.spec.n_led)
        self._decoder = UnitDecoder()
        self._session = _Session(self.spec.cap_max_ma)
        self._frames = 0
        self._crc_errors = 0
        self._started = _Start(0, ResetCause.UNKNOWN)
        self._wakes: _Start | None = None  # the pending start
        self._marked_since_ms: int | None = None  # since when the marker of a lost host is lit

    @property
    def baud(self) -> int:
        """The baud rate of its serial line."""
        return self.spec.baud

    @property
    def session(self) -> int:
        """The number of the session, NO_SESSION without one."""
        return self._session.number

    def power_on(self, now_ms: int, cause: ResetCause = ResetCause.POWER_ON) -> None:
        """Starts or restarts: dark at once, and BOOT after the bootloader."""
        self._reset()
        self._wakes = _Start(now_ms + self.spec.bootloader_ms, cause)

    def hang(self, now_ms: int) -> None:
        """The firmware hangs with its picture until the hardware watchdog restarts it."""
        self._session, self._marked_since_ms = _Session(self.spec.cap_max_ma), None
        self._wakes = _Start(now_ms + wire.HARDWARE_WATCHDOG_MS + self.spec.bootloader_ms, ResetCause.WATCHDOG)

    def advance(self, now_ms: int) -> bytes:
        """Runs the board until `now_ms`; returns what it sends unasked."""
        said = b""
        if self._wakes is not None and now_ms >= self._wakes.at_ms:
            said += self._start_firmware(self._wakes)
        if now_ms - self._session.heard_ms >= self._session.host_ms:
            said += self._drop_session(int(self._session.heard_ms) + self._session.host_ms)
        if self._marked_since_ms is not None and now_ms - self._marked_since_ms >= wire.MARKER_MS:
            self._marked_since_ms = None
            self._light(LedFrame.dark(self.spec.n_led))
        return said

    def receive(self, data: bytes, now_ms: int) -> bytes:
        """Runs the board until `now_ms` and returns its answers to these bytes."""
        said = self.advance(now_ms)
        if self._wakes is not None:
            return said  # lost while the firmware does not run
        return said + b"".join(self._answer_unit(heard, now_ms) for heard in self._decoder.feed(data))

    def _reset(self) -> None:
        self.lit = LedFrame.dark(self.spec.n_led)
        self._decoder = UnitDecoder()
        self._session = _Session(self.spec.cap_max_ma)
        self._frames = self._crc_errors = 0
        self._marked_since_ms = None

    def _start_firmware(self, start: _Start) -> bytes:
        self._reset()
        self._wakes, self._started = None, start
        return encode(self._make_greeting(messages.Boot), wire.UNASKED_SEQ)

    def _make_greeting(self, kind: type[messages.Boot] | type[messages.HelloOk]) -> messages.Boot | messages.HelloOk:
        make, session = self.spec, self._session
        start = (session.number, make.n_led, session.flags, make.firmware, self._started.cause)
        limits = (wire.BUFFER_BYTES, session.cap_ma, session.host_ms)
        return kind(*start, *limits, make.caps, make.build_id, make.proto)

    def _drop_session(self, at_ms: int) -> bytes:
        """Declares the host dead: only the marker stays lit."""
        ended = self._session.number
        self._session = replace(self._session, number=wire.NO_SESSION, flags=AckFlag.LOST, heard_ms=inf)
        self._marked_since_ms = at_ms
        self._light(LedFrame.from_runs(self.spec.n_led, [Run(0, 1, Rgb(*wire.MARKER_RGB))]))
        return encode(messages.Lost(ended, self._session.flags), wire.UNASKED_SEQ)

    def _light(self, frame: LedFrame) -> None:
        """Shows the frame within the cap."""
        self.lit, is_limited = limit_current(frame, self._session.cap_ma)
        limited = AckFlag.LIMITED if is_limited else AckFlag.NONE
        self._session = replace(self._session, flags=self._session.flags & AckFlag.LOST | limited)

    def _answer_unit(self, heard: DecodeResult, now_ms: int) -> bytes:
        is_answer = isinstance(heard, WireUnit) and heard.message.type & wire.FROM_BOARD
        if is_answer:
            return b""  # an echo of a looped line
        is_whole = isinstance(heard, WireUnit) or heard.why not in (NakReason.CRC, NakReason.OVERFLOW)
        if is_whole and self.session != wire.NO_SESSION:
            self._session = replace(self._session, heard_ms=now_ms)
        if isinstance(heard, WireUnit):
            return encode(self._reply(heard, now_ms), heard.seq)
        self._crc_errors += heard.why is NakReason.CRC
        return encode(self._make_nak(heard.why), heard.seq)

    def _reply(self, unit: WireUnit, now_ms: int) -> messages.Message:
        match unit.message:
            case messages.Hello() as hello:
                return self._handle_hello(hello, now_ms)
            case messages.Bye():
                return self._handle_bye()
            case messages.Ping():
                return self._make_pong(now_ms)
            case messages.Chain() if Capability.CHAIN_RETURN in self.spec.caps:
                answering = self.spec.n_led if self.spec.answering_leds is None else self.spec.answering_leds
                return messages.ChainCount(answering or wire.CHAIN_NO_RETURN)
            case messages.Runs() | messages.Pixels() as picture:
                return self._handle_picture(picture)
            case _:
                return self._make_nak(NakReason.TYPE)

    def _handle_hello(self, hello: messages.Hello, now_ms: int) -> messages.Message:
        if hello.proto != self.spec.proto:
            return self._make_nak(NakReason.VERSION)
        if hello.session == wire.NO_SESSION:
            return self._make_nak(NakReason.RANGE)
        host_ms = min(max(hello.host_ms, wire.HOST_SILENCE_MIN_MS), wire.HOST_SILENCE_MAX_MS)
        cap_ma = min(hello.cap_ma, self.spec.cap_max_ma)
        self._session = _Session(cap_ma, hello.session, host_ms, heard_ms=now_ms)
        self._marked_since_ms = None
        self._light(LedFrame.dark(self.spec.n_led))
        return self._make_greeting(messages.HelloOk)

    def _handle_bye(self) -> messages.Message:
        """Ends the session and answers in it. A board without the capability refuses the command."""
        if Capability.GOODBYE not in self.spec.caps:
            return self._make_nak(NakReason.TYPE)
        answer = self._handle_picture(messages.Runs(()))
        self._session = replace(self._session, number=wire.NO_SESSION, heard_ms=inf)
        return answer

    def _handle_picture(self, picture: messages.Runs | messages.Pixels) -> messages.Message:
        if self.session == wire.NO_SESSION:
            return self._make_nak(NakReason.NOSESSION)
        frame = picture.on_strip(self.spec.n_led)
        if frame is None:
            return self._make_nak(NakReason.RANGE)
        self._light(frame)
        self._frames = (self._frames + 1) & 0xFFFF
        return messages.Ack(self.session, self._session.flags, digest_of(self.lit), estimate_ma(self.lit))

    def _make_pong(self, now_ms: int) -> messages.Message:
        errors = (self._frames, self._crc_errors & 0xFFFF, 0, 0)
        shown = (estimate_ma(self.lit), digest_of(self.lit))
        rail_mv = self.spec.rail_mv if Capability.RAIL_VOLTAGE in self.spec.caps else wire.RAIL_UNKNOWN_MV
        return messages.Pong(self.session, self._session.flags, *errors, *shown, rail_mv, now_ms - self._started.at_ms)

    def _make_nak(self, reason: NakReason) -> messages.Message:
        return messages.Nak(reason, self.session, self._session.flags, self.spec.proto)
