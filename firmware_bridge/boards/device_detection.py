"""Detects what is on a port: a board with our firmware, a WLED board, or a foreign device.

An unknown device receives only two things, repeatedly: HELLO, in which no byte is a WLED command, and `v`, which asks a
WLED for its version and which our firmware ignores as half a unit. LED data is sent only to a device that has answered
as one of the two.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from firmware_bridge.boards import wled_bytes
from firmware_bridge.boards.bglp import GREET_AT_OTHER_BAUD_MS, BglpBoard, random_session
from firmware_bridge.boards.light_board import LightBoard
from firmware_bridge.boards.wled import WledBoard
from firmware_bridge.errors import BridgeError, NotALightBoardError, PortError, PortGoneError, WrongVersionError
from firmware_bridge.port import Clock, Plug, Port
from firmware_bridge.protocol import wire_constants as wire
from firmware_bridge.protocol.framing import UnitDecoder, WireUnit
from firmware_bridge.protocol.link import BoardLink
from firmware_bridge.protocol.link_events import Greeted, OtherVersion
from firmware_bridge.protocol.link_state import LinkPhase, LinkSettings, LinkTick, PortOpened
from firmware_bridge.protocol.messages import Hello

# Half-way between two HELLOs, so that their answers do not overlap.
_ASK_WLED_AFTER_MS = wire.HELLO_EVERY_MS // 2
_MAX_HEARD_BYTES = 4_096
_ADALIGHT_GREETING = b"Ada\n"


@dataclass(frozen=True, slots=True)
class BglpDevice:
    """A board with our firmware at this baud rate."""

    baud: int


@dataclass(frozen=True, slots=True)
class WledDevice:
    """A WLED board."""

    version: str


@dataclass(frozen=True, slots=True)
class UnknownDevice:
    """Neither of the two. `heard` are the last bytes received; `board_speaks` is another protocol version of ours."""

    heard: bytes
    board_speaks: int | None = None


def detect_light_board(
    plug: Plug,
    clock: Clock,
    *,
    settings: LinkSettings | None = None,
    draw_session: Callable[[], int] = random_session,
) -> LightBoard:
    """The driver for the board on this port, not yet opened. Raises PortError, NotALightBoardError.

    A WLED board limits its current itself; with `settings` its pictures are also limited to their cap.
    """
    requested = LinkSettings() if settings is None else settings
    port = plug.open(requested.baud)
    try:
        found = identify_device(port, clock, draw_session, requested)
    except PortGoneError:
        port.close()
        raise
    match found:
        case BglpDevice(baud):
            at_its_rate = replace(requested, baud=baud)
            return BglpBoard(plug, clock, port=port, settings=at_its_rate, draw_session=draw_session)
        case WledDevice():
            port.write(wled_bytes.TO_FIRST_BAUD)  # the driver uses this rate only
            port.set_baud(wire.BAUD)
            return WledBoard(plug, clock, port=port, cap_ma=None if settings is None else settings.cap_ma)
        case UnknownDevice():
            port.close()
            raise make_refusal(plug.name, found)


def detect_first_light_board(
    plugs: Iterable[Plug], clock: Clock, *, settings: LinkSettings | None = None
) -> LightBoard:
    """The driver for the first port with a light board. Raises NotALightBoardError with what every port has instead."""
    refused: list[BridgeError] = []
    for plug in plugs:
        try:
            return detect_light_board(plug, clock, settings=settings)
        except (PortError, NotALightBoardError) as why:
            refused.append(why)
    problem = " ".join(map(str, refused)) or "no serial port is there"
    raise NotALightBoardError("No light board", problem.rstrip("."), "plug it in, or play without lights")


def identify_device(
    port: Port, clock: Clock, draw_session: Callable[[], int], settings: LinkSettings
) -> BglpDevice | WledDevice | UnknownDevice:
    """Asks at the usual rate for as long as a bootloader takes, then shortly at the others; up to 8 s in all."""
    found = _await_answer(port, clock, BoardLink(draw_session, settings))
    for baud in wire.BAUDS:
        if isinstance(found, UnknownDevice) and found.board_speaks is None and baud != settings.baud:
            port.set_baud(baud)
            at_rate = replace(settings, baud=baud, greet_for_ms=GREET_AT_OTHER_BAUD_MS)
            other = _await_answer(port, clock, BoardLink(draw_session, at_rate))
            found = replace(other, heard=found.heard) if isinstance(other, UnknownDevice) else other
    return found


def make_refusal(port: str, device: UnknownDevice) -> NotALightBoardError:
    """The error, with a remedy for what was heard."""
    if device.board_speaks is not None:
        return WrongVersionError(port, device.board_speaks, wire.PROTOCOL_VERSION)
    if not device.heard:
        return NotALightBoardError(port, "nothing answers", "choose another port, or flash the light board")
    if any(
        isinstance(heard, WireUnit) and isinstance(heard.message, Hello) for heard in UnitDecoder().feed(device.heard)
    ):
        return NotALightBoardError(port, "it sends back what it is sent", "choose another port, or take the jumper off")
    if _ADALIGHT_GREETING in device.heard:
        by_hand = "choose that by hand, with --driver adalight and --leds"
        return NotALightBoardError(port, "it speaks plain Adalight, which cannot be verified", by_hand)
    said = device.heard[:24].decode("ascii", "replace")
    return NotALightBoardError(port, f"something else speaks there ({said!r})", "choose another port")


def _await_answer(port: Port, clock: Clock, link: BoardLink) -> BglpDevice | WledDevice | UnknownDevice:
    heard = b""
    link.handle(PortOpened(), clock())
    ask_wled_ms = clock() + _ASK_WLED_AFTER_MS
    while link.phase is not LinkPhase.REFUSED:
        port.write(link.take_bytes())
        if clock() >= ask_wled_ms:
            port.write(wled_bytes.ASK_VERSION)
            ask_wled_ms = clock() + wire.HELLO_EVERY_MS
        data = port.read(max(0, min(link.due_ms or 0, ask_wled_ms) - clock()))
        heard = (heard + data)[-_MAX_HEARD_BYTES:]
        link.receive(data, clock())
        link.handle(LinkTick(), clock())
        for event in link.take_events():
            if isinstance(event, Greeted):
                return BglpDevice(link.settings.baud)
            if isinstance(event, OtherVersion):
                return UnknownDevice(heard, event.board_speaks)
        version = wled_bytes.version_in(heard)
        if version is not None:
            return WledDevice(version)
    return UnknownDevice(heard)
