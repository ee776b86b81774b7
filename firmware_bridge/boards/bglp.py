"""The driver for boards with our own firmware: a `BoardLink` on a port, which it reopens after every loss."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace

from firmware_bridge import errors
from firmware_bridge.boards.light_board import Health, Identity, ShowReport, Verification
from firmware_bridge.led_frame import LedFrame
from firmware_bridge.port import Clock, Plug, Port, Replug
from firmware_bridge.protocol import link_events, link_state
from firmware_bridge.protocol import wire_constants as wire
from firmware_bridge.protocol.link import BoardLink
from firmware_bridge.protocol.messages import HelloOk, Pong
from firmware_bridge.protocol.wire_constants import Capability

# Greeting at another baud rate: the port has been open for seconds, so the bootloader is done.
GREET_AT_OTHER_BAUD_MS = 1_500
# From the greeting until LED count and first PONG have arrived, on the worst line.
COUNT_FOR_MS = 4_000
# A board that has just started needs some 130 ms to measure its supply.
RAIL_KNOWN_AFTER_MS = 500
POLL_EVERY_MS = 50
# Interval of greeting a port that came back with a foreign or silent device.
REGREET_EVERY_MS = 5_000
RESTARTS_THAT_WARN = 3
RESTARTS_WITHIN_MS = 60_000


def random_session() -> int:
    """A number from 1 to 0xFFFF; random, so that an answer to an earlier program is unlikely to match."""
    return secrets.randbelow(0xFFFF) + 1


@dataclass(frozen=True, slots=True)
class _BoardStatus:
    """The state of the board as the link's events report it."""

    chain: int | None = None
    pong: Pong | None = None
    restarts_ms: tuple[int, ...] = ()
    lost: link_events.LossReason = link_events.LossReason.SILENT
    board_speaks: int | None = None  # a version of the protocol that is not ours

    def with_event(self, event: link_events.BoardLinkEvent, now_ms: int) -> "_BoardStatus":
        match event:
            case link_events.Greeted():
                return replace(self, pong=None)
            case link_events.ChainCounted(count):
                return replace(self, chain=count)
            case link_events.Measured(pong):
                return replace(self, pong=pong)
            case link_events.OtherVersion(board_speaks):
                return replace(self, board_speaks=board_speaks)
            case link_events.LinkLost(link_events.LossReason.RESTARTED):
                recent = tuple(ms for ms in self.restarts_ms if now_ms - ms < RESTARTS_WITHIN_MS)
                return replace(self, lost=event.why, restarts_ms=(*recent, now_ms))
            case link_events.LinkLost(why):
                return replace(self, lost=why)
            case _:
                return self


class BglpBoard:
    """A board with our firmware. `port` may be open already: opening a port restarts most boards."""

    verified = Verification.DIGEST

    def __init__(
        self,
        plug: Plug,
        clock: Clock,
        *,
        port: Port | None = None,
        settings: link_state.LinkSettings | None = None,
        draw_session: Callable[[], int] = random_session,
    ) -> None:
        self._plug = plug
        self._clock = clock
        self._port = port
        self._link = BoardLink(draw_session, settings)
        self._status = _BoardStatus()
        self._replug = Replug(plug, clock)

    def open(self) -> Identity:
        requested = self._link.settings
        if self._port is None:
            self._port = self._plug.open(requested.baud)
        self._status = _BoardStatus()
        self._greet(self._port, requested)
        for baud in (baud for baud in wire.BAUDS if baud != requested.baud):
            if self._link.phase is link_state.LinkPhase.REFUSED and self._status.board_speaks is None:
                self._greet(self._port, replace(requested, baud=baud, greet_for_ms=GREET_AT_OTHER_BAUD_MS))
        identity = self._link.identity
        if identity is None or self._link.phase is not link_state.LinkPhase.IDLE:
            self._link.settings = requested
            raise self._make_refusal()
        self._link.settings = replace(self._link.settings, greet_for_ms=requested.greet_for_ms)
        return self._describe(identity)

    def show(self, frame: LedFrame) -> ShowReport:
        identity = self._link.identity
        if identity is not None and len(frame.leds) > identity.n_led:
            raise errors.WrongLedCountError(len(frame.leds), identity.n_led)
        self._link.handle(link_state.Show(frame), self._clock())
        events = self._pump(wait_ms=0)
        while True:
            for event in events:
                if isinstance(event, link_events.PictureShown) and event.frame == frame:
                    return ShowReport(event.digest, event.is_limited, event.est_ma)
                self._raise_failure(event)
            if self._link.phase not in (link_state.LinkPhase.IDLE, link_state.LinkPhase.WAITING):
                raise errors.BoardLostError(self._plug.name, self._status.lost.value)
            events = self._pump(self._until_due_ms())

    def health(self) -> Health:
        self._pump(wait_ms=0)
        if self._link.phase is link_state.LinkPhase.REFUSED and self._port is not None:
            self._drop_port()
            self._replug.not_before_ms = self._clock() + REGREET_EVERY_MS
        is_answering = self._link.phase in (link_state.LinkPhase.IDLE, link_state.LinkPhase.WAITING)
        pong, identity = self._status.pong, self._link.identity
        if pong is None or identity is None or not is_answering:
            return Health(is_answering, self._warnings())
        rail_mv = pong.rail_mv if Capability.RAIL_VOLTAGE in identity.caps else None
        return Health(is_answering, self._warnings(), rail_mv or None, pong.est_ma, pong.uptime_ms)

    def close(self) -> None:
        if self._port is not None and self._link.phase in (link_state.LinkPhase.IDLE, link_state.LinkPhase.WAITING):
            self._link.handle(link_state.Leave(), self._clock())
        while self._port is not None and self._link.phase is link_state.LinkPhase.WAITING:
            self._pump(self._until_due_ms())
        self._drop_port()

    def _greet(self, port: Port, settings: link_state.LinkSettings) -> None:
        """Greets until the session, the LED count and the first PONG are there, or until the time is over."""
        if settings.baud != self._link.settings.baud:
            port.set_baud(settings.baud)
        self._link.settings = settings
        until_ms = self._clock() + settings.greet_for_ms + COUNT_FOR_MS
        self._link.handle(link_state.PortOpened(), self._clock())
        while self._clock() < until_ms:
            if self._link.phase is link_state.LinkPhase.IDLE and self._is_unmeasured():
                self._pump(0 if self._status.pong is None else POLL_EVERY_MS)
                self._link.handle(link_state.Ask(), self._clock())
            elif self._link.phase in (link_state.LinkPhase.GREETING, link_state.LinkPhase.WAITING):
                self._pump(self._until_due_ms())
            else:
                return

    def _is_unmeasured(self) -> bool:
        pong, identity = self._status.pong, self._link.identity
        if pong is None or identity is None:
            return True
        measures = Capability.RAIL_VOLTAGE in identity.caps and pong.uptime_ms < RAIL_KNOWN_AFTER_MS
        return measures and pong.rail_mv == wire.RAIL_UNKNOWN_MV

    def _make_refusal(self) -> errors.BridgeError:
        """Closes the port and returns the reason why it cannot be used."""
        is_gone = self._port is None
        self._drop_port()
        if self._status.board_speaks is not None:
            return errors.WrongVersionError(self._plug.name, self._status.board_speaks, wire.PROTOCOL_VERSION)
        if is_gone or self._link.identity is not None:
            return errors.BoardLostError(self._plug.name, self._status.lost.value)
        return errors.NotALightBoardError(
            self._plug.name, "no light board answers", "choose another port or flash the board"
        )

    def _raise_failure(self, event: link_events.BoardLinkEvent) -> None:
        match event:
            case link_events.RequestRefused(reason):
                raise errors.CommandRefusedError(reason.name)
            case link_events.PictureTooLong(in_picture, on_strip):
                raise errors.WrongLedCountError(in_picture, on_strip)
            case link_events.LinkLost(why):
                raise errors.BoardLostError(self._plug.name, why.value)
            case _:
                return

    def _describe(self, identity: HelloOk) -> Identity:
        major, minor = identity.firmware
        chain = self._status.chain
        return Identity(
            name=f"BGLP {identity.proto}, firmware {major}.{minor}, build {identity.build_id:08x}",
            port=self._plug.name,
            verified=self.verified,
            n_led=identity.n_led,
            answering_leds=0 if chain == wire.CHAIN_NO_RETURN else chain,
            cap_ma=identity.cap_ma,
            is_simulated=Capability.SIMULATED in identity.caps,
        )

    def _warnings(self) -> tuple[str, ...]:
        seen, identity, now_ms = self._status, self._link.identity, self._clock()
        warnings = []
        if identity is not None and seen.chain == wire.CHAIN_NO_RETURN:
            warnings.append("No LED answers; check the strip's plug, its supply and the return wire.")
        elif identity is not None and seen.chain not in (None, identity.n_led):
            warnings.append(
                f"Only {seen.chain} of {identity.n_led} LEDs answer; check the strip behind the last one lit."
            )
        if seen.pong is not None and wire.RAIL_UNKNOWN_MV < seen.pong.rail_mv < wire.RAIL_MIN_MV:
            warnings.append(f"The LEDs have {seen.pong.rail_mv / 1000:.1f} V instead of 5 V; check their supply.")
        if sum(now_ms - ms < RESTARTS_WITHIN_MS for ms in seen.restarts_ms) >= RESTARTS_THAT_WARN:
            warnings.append("The light board restarts again and again; its supply is too weak or a cable is loose.")
        return tuple(warnings)

    def _until_due_ms(self) -> int:
        due_ms = self._link.due_ms
        return wire.PING_EVERY_MS if due_ms is None else max(0, due_ms - self._clock())

    def _pump(self, wait_ms: int) -> tuple[link_events.BoardLinkEvent, ...]:
        """Moves bytes between port and link for at most `wait_ms`; returns the link's events."""
        port = self._port or self._reopen()
        if port is not None:
            try:
                self._write(port)
                self._link.receive(port.read(wait_ms), self._clock())
                self._link.handle(link_state.LinkTick(), self._clock())
                self._write(port)
            except errors.PortGoneError:
                self._drop_port()
                self._link.handle(link_state.PortGone(), self._clock())
        events = self._link.take_events()
        for event in events:
            self._status = self._status.with_event(event, self._clock())
        return events

    def _write(self, port: Port) -> None:
        owed = self._link.take_bytes()
        if owed:
            port.write(owed)

    def _reopen(self) -> Port | None:
        """Opens the port after a re-plug; None while there is none."""
        now_ms = self._clock()
        self._port = self._replug.open(self._link.settings.baud)
        if self._port is not None:
            self._link.handle(link_state.PortOpened(), now_ms)
        return self._port

    def _drop_port(self) -> None:
        if self._port is not None:
            self._port.close()
            self._port = None
