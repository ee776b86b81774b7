"""A link without a board: the tests say the board's part themselves."""

from firmware_bridge.led_frame import BLACK, LedFrame
from firmware_bridge.power import limit_current
from firmware_bridge.protocol import wire_constants as wire
from firmware_bridge.protocol.framing import UnitDecoder, WireUnit, digest_of, encode
from firmware_bridge.protocol.link import BoardLink
from firmware_bridge.protocol.link_events import BoardLinkEvent
from firmware_bridge.protocol.link_state import LinkSettings, PortOpened, Show
from firmware_bridge.protocol.messages import Ack, Hello, HelloOk, Message, Pong
from firmware_bridge.protocol.wire_constants import AckFlag, Capability
from tests.firmware_bridge.boards_on_lines import GREEN, RED, sessions

DARK = LedFrame.dark(8)
LEFT = LedFrame((RED,) * 4 + (BLACK,) * 4)
RIGHT = LedFrame((BLACK,) * 4 + (GREEN,) * 4)


def spoken(link: BoardLink) -> list[WireUnit]:
    return [heard for heard in UnitDecoder().feed(link.take_bytes()) if isinstance(heard, WireUnit)]


def only(link: BoardLink) -> WireUnit:
    (unit,) = spoken(link)
    return unit


def answer(link: BoardLink, message: Message, seq: int, now_ms: int) -> tuple[BoardLinkEvent, ...]:
    link.receive(encode(message, seq), now_ms)
    return link.take_events()


def ok(session: int, caps: Capability = Capability.NONE, *, cap_ma: int = 1_500) -> HelloOk:
    return HelloOk(session, n_led=8, cap_ma=cap_ma, caps=caps)


def ack(session: int, frame: LedFrame, cap_ma: int = 1_500) -> Ack:
    lit, is_limited = limit_current(frame, cap_ma)
    return Ack(session, AckFlag.LIMITED if is_limited else AckFlag.NONE, digest_of(lit), 60)


def opened(settings: LinkSettings | None = None) -> BoardLink:
    """A link whose port was opened at time 0; its HELLO waits to be taken."""
    link = BoardLink(sessions(), settings)
    link.handle(PortOpened(), 0)
    return link


def only_hello(link: BoardLink) -> Hello:
    hello = only(link).message
    assert isinstance(hello, Hello)
    return hello


def pong(session: int, frame: LedFrame) -> Pong:
    return Pong(session, AckFlag.NONE, 0, 0, 0, 0, 8, digest_of(frame), 5_000, 500)


def greeted(*, caps: Capability = Capability.NONE, cap_ma: int = 1_500) -> tuple[BoardLink, int]:
    """A link in session at time 0, and its session."""
    link = opened()
    hello = only_hello(link)
    answer(link, ok(hello.session, caps, cap_ma=cap_ma), wire.FIRST_SEQ, 0)
    return link, hello.session


def waiting(frame: LedFrame = LEFT) -> tuple[BoardLink, int, WireUnit]:
    """A link whose picture is in flight since time 0."""
    link, session = greeted()
    link.handle(Show(frame), 0)
    return link, session, only(link)
