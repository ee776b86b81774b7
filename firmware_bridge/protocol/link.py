"""The state machine of the line to a BGLP board. It has no port, clock or thread: bytes and the time come in, bytes and
events go out.

One request is in flight at a time, and its answer comes after the LEDs were clocked out. An answer is accepted if it has
the request's sequence number and session and, for a picture, the digest of the picture after dimming in our own
arithmetic. A lost request is resent as the same unit, up to `wire.TRIES` sendings in all: pictures are whole, so a
repeat does no harm. A session lasts only while both ends remember it; afterwards the board is dark, it is greeted again,
and the newest picture follows. Only the newest picture is kept: a waiting one is replaced.

             | PortOpened | PortGone | Show | Ask  | Leave | LinkTick       | HelloOk | Ack, Pong, ChainCount | Nak           | Boot  | Lost
    SHUT     | greet      | -        | keep | -    | -     | -              | -       | -                     | -             | -     | -
    GREETING | greet      | shut     | keep | -    | shut  | HELLO, give up | begin   | -                     | version       | HELLO | -
    IDLE     | greet      | shut     | send | PING | BYE   | PING           | -       | -                     | forgot        | greet | greet
    WAITING  | greet      | shut     | keep | -    | BYE   | again, greet   | -       | answered              | again, forgot | greet | greet
    REFUSED  | greet      | shut     | keep | -    | -     | -              | -       | -                     | -             | -     | -

After BYE, any answer to it, the loss of the board and the timeout of the last of `wire.TRIES` sendings shut the link. A
board without the capability GOODBYE gets no BYE.

Inputs that the table `HANDLERS` does not list are ignored.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

from firmware_bridge.led_frame import BLACK, LedFrame
from firmware_bridge.power import limit_current
from firmware_bridge.protocol import link_events, link_state, messages
from firmware_bridge.protocol import wire_constants as wire
from firmware_bridge.protocol.framing import UnitDecoder, WireUnit, digest_of, encode, wire_ms
from firmware_bridge.protocol.wire_constants import AckFlag, Capability, NakReason


class BoardLink:
    """Pass in everything that happens, then take bytes and events. `draw_session` returns 1 to 0xFFFF, never repeated."""

    def __init__(self, draw_session: Callable[[], int], settings: link_state.LinkSettings | None = None) -> None:
        self.settings = link_state.LinkSettings() if settings is None else settings
        self.phase = link_state.LinkPhase.SHUT
        self.identity: messages.HelloOk | None = None  # of the board that answered since the port was opened
        self._draw_session = draw_session
        self._decoder = UnitDecoder()
        self._greeting: link_state.HelloSchedule | None = None
        self._request = link_state.Request(messages.Ping(), wire.FIRST_SEQ)
        self._picture = link_state.LinkPicture()
        self._measured_ms = 0  # the last PONG, or the beginning of the session
        self._out = bytearray()
        self._events: list[link_events.BoardLinkEvent] = []

    @property
    def due_ms(self) -> int | None:
        """When the next LinkTick has an effect; None: never."""
        if self.phase is link_state.LinkPhase.GREETING and self._greeting is not None:
            return self._greeting.next_ms
        return self._request.due_ms if self.phase in (link_state.LinkPhase.IDLE, link_state.LinkPhase.WAITING) else None

    def handle(self, what: link_state.LinkInput, now_ms: int) -> None:
        """Handles every input but bytes."""
        self._dispatch(what, wire.UNASKED_SEQ, now_ms)

    def receive(self, data: bytes, now_ms: int) -> None:
        """Handles bytes from the port, in any pieces. Damaged units are ignored: a LinkTick resends."""
        for heard in self._decoder.feed(data):
            if isinstance(heard, WireUnit):
                self._dispatch(heard.message, heard.seq, now_ms)

    def take_bytes(self) -> bytes:
        """The bytes to be written now."""
        taken = bytes(self._out)
        self._out.clear()
        return taken

    def take_events(self) -> tuple[link_events.BoardLinkEvent, ...]:
        """The events since the last call."""
        taken = tuple(self._events)
        self._events.clear()
        return taken

    def _dispatch(self, what: object, seq: int, now_ms: int) -> None:
        handler = HANDLERS.get((self.phase, type(what)))
        if handler is not None:
            handler(self, what, seq, now_ms)

    def _on_opened(self, _what: link_state.PortOpened, _seq: int, now_ms: int) -> None:
        self._decoder = UnitDecoder()
        self.identity = None
        self._greet(now_ms)

    def _on_gone(self, _what: link_state.PortGone, _seq: int, _now_ms: int) -> None:
        self.phase = link_state.LinkPhase.SHUT
        self._out.clear()
        self._events.append(link_events.LinkLost(link_events.LossReason.UNPLUGGED))

    def _on_show(self, what: link_state.Show, _seq: int, now_ms: int) -> None:
        self._picture = replace(self._picture, frame=what.frame, is_owed=True)
        if self.phase is link_state.LinkPhase.IDLE:
            self._send_owed_picture(now_ms)

    def _on_leave(self, _what: link_state.Leave, _seq: int, now_ms: int) -> None:
        """Does not wait for the request in flight: its answer has another sequence number."""
        self._picture = link_state.LinkPicture()
        if self.identity is None or Capability.GOODBYE not in self.identity.caps:
            self.phase = link_state.LinkPhase.SHUT
        else:
            self._send(link_state.Request(messages.Bye(), self._next_seq()), now_ms)

    def _on_greeting_leave(self, _what: link_state.Leave, _seq: int, _now_ms: int) -> None:
        """Nothing is lit, so no BYE is needed."""
        self.phase = link_state.LinkPhase.SHUT
        self._out.clear()

    def _greet(self, now_ms: int) -> None:
        """Begins a new session; the strip goes dark, so the picture is owed again."""
        self.phase = link_state.LinkPhase.GREETING
        self._picture = link_state.LinkPicture(self._picture.frame, is_owed=self._picture.frame is not None)
        until_ms = now_ms + self.settings.greet_for_ms if self.identity is None else math.inf
        self._greeting = link_state.HelloSchedule(self._make_harmless_hello(), now_ms, until_ms)
        self._send_hello(now_ms)

    def _make_harmless_hello(self) -> messages.Hello:
        """A HELLO without bytes that are commands to WLED: a WLED controller on this port would execute them.

        The session number is drawn until it has none. Cap and time are given, so they are lowered, by a few mA and ms.
        """
        cap_ma, host_ms = _lower_to_harmless(self.settings.cap_ma), _lower_to_harmless(self.settings.host_ms)
        while True:
            hello = messages.Hello(self._draw_session(), cap_ma, host_ms)
            if not link_state.WLED_COMMAND_BYTES.intersection(encode(hello, wire.FIRST_SEQ)):
                return hello

    def _send_hello(self, now_ms: int) -> None:
        if self._greeting is not None:
            self._out += encode(self._greeting.hello, wire.FIRST_SEQ)
            self._greeting = replace(self._greeting, next_ms=now_ms + wire.HELLO_EVERY_MS)

    def _on_greeting_tick(self, _what: link_state.LinkTick, _seq: int, now_ms: int) -> None:
        if self._greeting is None or now_ms < self._greeting.next_ms:
            return
        if now_ms >= self._greeting.until_ms:
            self.phase = link_state.LinkPhase.REFUSED
            self._events.append(link_events.NobodyAnswers())
        else:
            self._send_hello(now_ms)

    def _on_greeting_boot(self, boot: messages.Boot, _seq: int, now_ms: int) -> None:
        """Resends HELLO, since a HELLO before the start is lost. A board that was in a session has restarted."""
        if self.identity is not None:
            self._events.append(link_events.LinkLost(link_events.LossReason.RESTARTED, boot.reset_cause))
        self._send_hello(now_ms)

    def _on_hello_ok(self, ok: messages.HelloOk, _seq: int, now_ms: int) -> None:
        if self._greeting is None or ok.session != self._greeting.hello.session:
            return  # a stale answer from before the port was opened
        if ok.proto != wire.PROTOCOL_VERSION:
            self._refuse_version(ok.proto)
            return
        self.identity = ok
        self._measured_ms = now_ms
        self._events.append(link_events.Greeted(ok))
        if Capability.CHAIN_RETURN in ok.caps:
            self._send(link_state.Request(messages.Chain(), self._next_seq()), now_ms)
        else:
            self._send_owed_picture(now_ms)

    def _on_greeting_nak(self, nak: messages.Nak, _seq: int, _now_ms: int) -> None:
        if nak.reason is NakReason.VERSION:
            self._refuse_version(nak.proto)

    def _refuse_version(self, board_speaks: int) -> None:
        self.phase = link_state.LinkPhase.REFUSED
        self._events.append(link_events.OtherVersion(board_speaks))

    def _send_owed_picture(self, now_ms: int) -> None:
        """With no request in flight: sends the picture if it is owed, else a due PING, else idles."""
        frame, identity = self._picture.frame, self.identity
        self.phase = link_state.LinkPhase.IDLE
        self._request = replace(self._request, due_ms=now_ms + wire.PING_EVERY_MS)
        if frame is None or identity is None or not self._picture.is_owed:
            if now_ms - self._measured_ms >= wire.MEASURE_EVERY_MS:
                self._send(link_state.Request(messages.Ping(), self._next_seq()), now_ms)
            return
        self._picture = replace(self._picture, is_owed=False)
        missing = identity.n_led - len(frame.leds)
        if missing < 0:
            self._events.append(link_events.PictureTooLong(len(frame.leds), identity.n_led))
            return
        whole = LedFrame(frame.leds + (BLACK,) * missing)
        lit = limit_current(whole, identity.cap_ma)
        expected = link_events.PictureShown(frame, digest_of(lit.frame), lit.is_limited, est_ma=0)
        self._send(link_state.Request(messages.picture_command(whole), self._next_seq(), expected=expected), now_ms)

    def _next_seq(self) -> int:
        return self._request.seq % wire.LAST_SEQ + 1

    def _send(self, request: link_state.Request, now_ms: int) -> None:
        unit = encode(request.message, request.seq)
        wait_ms = max(wire.ACK_MIN_MS, math.ceil(2 * wire_ms(len(unit), self.settings.baud)) + wire.ACK_MARGIN_MS)
        self._out += unit
        self._request = replace(request, tries=request.tries + 1, due_ms=now_ms + wait_ms)
        self.phase = link_state.LinkPhase.WAITING

    def _on_ask(self, _what: link_state.Ask, _seq: int, now_ms: int) -> None:
        self._send(link_state.Request(messages.Ping(), self._next_seq()), now_ms)

    def _on_idle_tick(self, _what: link_state.LinkTick, _seq: int, now_ms: int) -> None:
        if now_ms >= self._request.due_ms:
            self._send(link_state.Request(messages.Ping(), self._next_seq()), now_ms)

    def _on_waiting_tick(self, _what: link_state.LinkTick, _seq: int, now_ms: int) -> None:
        if now_ms >= self._request.due_ms:
            self._retry(link_events.LossReason.SILENT, now_ms)

    def _retry(self, why_not: link_events.LossReason, now_ms: int) -> None:
        if self._request.tries < wire.TRIES:
            self._send(self._request, now_ms)
        else:
            self._handle_loss(link_events.LinkLost(why_not), now_ms)

    def _handle_loss(self, lost: link_events.LinkLost, now_ms: int) -> None:
        if self.phase is link_state.LinkPhase.WAITING and isinstance(self._request.message, messages.Bye):
            self.phase = link_state.LinkPhase.SHUT
            return
        self._events.append(lost)
        self._greet(now_ms)

    def _is_answer(self, session: int, seq: int) -> bool:
        return seq == self._request.seq and session == self._session

    @property
    def _session(self) -> int:
        return wire.NO_SESSION if self._greeting is None else self._greeting.hello.session

    def _on_ack(self, ack: messages.Ack, seq: int, now_ms: int) -> None:
        expected = self._request.expected
        if not self._is_answer(ack.session, seq):
            return
        if isinstance(self._request.message, messages.Bye):
            self.phase = link_state.LinkPhase.SHUT
        if expected is None:
            return
        if (ack.digest, AckFlag.LIMITED in ack.flags) != (expected.digest, expected.is_limited):
            self._retry(link_events.LossReason.WRONG_PICTURE, now_ms)
            return
        self._picture = replace(self._picture, digest=ack.digest)
        self._events.append(replace(expected, est_ma=ack.est_ma))
        self._send_owed_picture(now_ms)

    def _on_pong(self, pong: messages.Pong, seq: int, now_ms: int) -> None:
        if not isinstance(self._request.message, messages.Ping) or seq != self._request.seq:
            return
        if pong.session != self._session:
            self._handle_loss(link_events.LinkLost(link_events.LossReason.FORGOT), now_ms)
            return
        self._measured_ms = now_ms
        if self._picture.digest not in (None, pong.digest):
            self._picture = replace(self._picture, is_owed=True)
        self._events.append(link_events.Measured(pong))
        self._send_owed_picture(now_ms)

    def _on_chain(self, chain: messages.ChainCount, seq: int, now_ms: int) -> None:
        if isinstance(self._request.message, messages.Chain) and seq == self._request.seq:
            self._events.append(link_events.ChainCounted(chain.count))
            self._send_owed_picture(now_ms)

    def _on_waiting_nak(self, nak: messages.Nak, seq: int, now_ms: int) -> None:
        if seq not in (wire.UNASKED_SEQ, self._request.seq):
            return
        match nak.reason:
            case NakReason.CRC | NakReason.OVERFLOW:
                self._retry(link_events.LossReason.SILENT, now_ms)
            case NakReason.NOSESSION | NakReason.VERSION:
                self._handle_loss(link_events.LinkLost(link_events.LossReason.FORGOT), now_ms)
            case NakReason.RANGE | NakReason.TYPE | NakReason.LEN:
                if seq == self._request.seq:
                    self._events.append(link_events.RequestRefused(nak.reason))
                    self._send_owed_picture(now_ms)

    def _on_idle_nak(self, nak: messages.Nak, _seq: int, now_ms: int) -> None:
        if nak.reason is NakReason.NOSESSION:
            self._handle_loss(link_events.LinkLost(link_events.LossReason.FORGOT), now_ms)

    def _on_boot(self, boot: messages.Boot, _seq: int, now_ms: int) -> None:
        self._handle_loss(link_events.LinkLost(link_events.LossReason.RESTARTED, boot.reset_cause), now_ms)

    def _on_lost(self, lost: messages.Lost, _seq: int, now_ms: int) -> None:
        if lost.session == self._session:
            self._handle_loss(link_events.LinkLost(link_events.LossReason.GAVE_UP), now_ms)


def _lower_to_harmless(value: int) -> int:
    """The greatest number up to `value` whose two bytes are no WLED commands."""
    while link_state.WLED_COMMAND_BYTES.intersection(value.to_bytes(2, "little")):
        value -= 1
    return value


_Handler: TypeAlias = Callable[[BoardLink, Any, int, int], None]
_ALWAYS: dict[type, _Handler] = {link_state.PortOpened: BoardLink._on_opened, link_state.Show: BoardLink._on_show}
_WITH_A_PORT: dict[type, _Handler] = {**_ALWAYS, link_state.PortGone: BoardLink._on_gone}
_IN_SESSION: dict[type, _Handler] = {
    **_WITH_A_PORT,
    link_state.Leave: BoardLink._on_leave,
    messages.Boot: BoardLink._on_boot,
    messages.Lost: BoardLink._on_lost,
}
_OF_PHASE: dict[link_state.LinkPhase, dict[type, _Handler]] = {
    link_state.LinkPhase.SHUT: _ALWAYS,
    link_state.LinkPhase.GREETING: {
        **_WITH_A_PORT,
        link_state.Leave: BoardLink._on_greeting_leave,
        link_state.LinkTick: BoardLink._on_greeting_tick,
        messages.HelloOk: BoardLink._on_hello_ok,
        messages.Nak: BoardLink._on_greeting_nak,
        messages.Boot: BoardLink._on_greeting_boot,
    },
    link_state.LinkPhase.IDLE: {
        **_IN_SESSION,
        link_state.Ask: BoardLink._on_ask,
        link_state.LinkTick: BoardLink._on_idle_tick,
        messages.Nak: BoardLink._on_idle_nak,
    },
    link_state.LinkPhase.WAITING: {
        **_IN_SESSION,
        link_state.LinkTick: BoardLink._on_waiting_tick,
        messages.Ack: BoardLink._on_ack,
        messages.Pong: BoardLink._on_pong,
        messages.ChainCount: BoardLink._on_chain,
        messages.Nak: BoardLink._on_waiting_nak,
    },
    link_state.LinkPhase.REFUSED: _WITH_A_PORT,
}
HANDLERS = {(phase, kind): handler for phase, row in _OF_PHASE.items() for kind, handler in row.items()}
