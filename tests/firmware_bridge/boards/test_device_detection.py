"""What is on a port, reported without harm to what is there."""

from dataclasses import dataclass, field
from random import Random

import pytest

from firmware_bridge.boards import wled_bytes
from firmware_bridge.boards.bglp import BglpBoard
from firmware_bridge.boards.device_detection import detect_first_light_board, detect_light_board
from firmware_bridge.boards.wled import WledBoard
from firmware_bridge.errors import NotALightBoardError, PortGoneError, WrongVersionError
from firmware_bridge.fakes.fake_board import FakeBoard, FakeBoardSpec
from firmware_bridge.fakes.fake_line import Device, FakeClock, FakePlug
from firmware_bridge.fakes.fake_wled import FakeWled
from firmware_bridge.led_frame import BLACK, LedFrame
from firmware_bridge.protocol import wire_constants as wire
from firmware_bridge.protocol.framing import UnitDecoder, WireUnit, encode
from firmware_bridge.protocol.link_state import LinkSettings
from firmware_bridge.protocol.messages import Hello
from tests.firmware_bridge.boards_on_lines import GREEN, plugged, sessions

LIT = LedFrame((GREEN,) * 10 + (BLACK,) * 20)


@dataclass(slots=True)
class Chatter:
    """Says the same again and again, whatever it hears."""

    sentence: bytes
    every_ms: int = 200
    baud: int = wire.BAUD
    next_ms: int = 0

    def power_on(self, now_ms: int) -> None:
        self.next_ms = now_ms

    def advance(self, now_ms: int) -> bytes:
        if now_ms < self.next_ms:
            return b""
        self.next_ms = now_ms + self.every_ms
        return self.sentence

    def receive(self, _data: bytes, now_ms: int) -> bytes:
        return self.advance(now_ms)


class Echo(Chatter):
    """A loop-back plug, or a terminal that echoes."""

    def advance(self, _now_ms: int) -> bytes:
        return b""

    def receive(self, data: bytes, _now_ms: int) -> bytes:
        return data


@dataclass(slots=True)
class Noise:
    """Another baud rate, seen through ours."""

    baud: int = wire.BAUD
    random: Random = field(default_factory=lambda: Random(7))

    def power_on(self, now_ms: int) -> None:
        """Always on."""

    def advance(self, _now_ms: int) -> bytes:
        return self.random.randbytes(20) if self.random.random() < 0.1 else b""

    def receive(self, data: bytes, _now_ms: int) -> bytes:
        return self.random.randbytes(len(data))


FOREIGN: list[tuple[Device, str]] = [
    (Chatter(b"$GPGGA,123519,4807.038,N,01131.000,E\r\n"), r"something else speaks there \('\$GPGGA"),
    (Chatter(b"Ada\n"), "it speaks plain Adalight, which cannot be verified; choose that by hand"),
    (Chatter(b""), "nothing answers; choose another port, or flash the light board"),
    (Echo(b""), "it sends back what it is sent"),
    (Noise(), "something else speaks there"),
    (FakeBoard(FakeBoardSpec(proto=2)), "version 2 of the protocol and this program needs 1"),
]
NAMES = ["gps", "adalight", "silence", "echo", "noise", "other version"]


@pytest.mark.parametrize(("device", "problem"), FOREIGN, ids=NAMES)
def test_a_foreign_device_is_refused_and_never_sent_led_data(device: Device, problem: str) -> None:
    plug = plugged(device)
    with pytest.raises(NotALightBoardError, match=problem):
        detect_light_board(plug, plug.clock, draw_session=sessions())
    assert plug.clock.now_ms < 8_000
    assert said_besides_hello(plug).replace(b"\0", b"").replace(b"v", b"") == b""


def said_besides_hello(plug: FakePlug) -> bytes:
    """What is left of all that was sent when every HELLO is taken out of it."""
    rest = bytes(plug.written)
    for heard in UnitDecoder().feed(rest.replace(b"\0v\0", b"\0\0")):
        assert isinstance(heard, WireUnit)
        assert isinstance(heard.message, Hello)
        rest = rest.replace(encode(heard.message, heard.seq), b"", 1)
    return rest


def test_our_firmware_gets_its_driver_and_is_not_restarted_for_it() -> None:
    fake = FakeBoard(FakeBoardSpec(n_led=30, bootloader_ms=1_200))
    plug = plugged(fake)
    board = detect_light_board(plug, plug.clock, draw_session=sessions())
    assert isinstance(board, BglpBoard)
    assert board.open().n_led == 30
    assert plug.clock.now_ms < 1_400
    board.show(LIT)
    assert fake.lit == LIT


@pytest.mark.parametrize("baud", wire.BAUDS)
def test_a_wled_gets_its_driver(baud: int) -> None:
    wled = FakeWled(30)
    wled.power_on(0)
    wled.baud = baud
    plug = plugged(wled)
    plug.restarts_on_opening = False
    board = detect_light_board(plug, plug.clock, settings=LinkSettings(baud=baud), draw_session=sessions())
    assert isinstance(board, WledBoard)
    assert board.open().n_led == 30
    assert wled.baud == wire.BAUD
    board.show(LIT)
    assert wled.lit == LIT


def test_a_wled_that_is_asked_by_mistake_keeps_its_rate_and_its_light() -> None:
    wled = FakeWled(30)
    before = wled.lit
    plug = plugged(wled)
    with pytest.raises(NotALightBoardError):
        BglpBoard(plug, plug.clock).open()
    assert (wled.baud, wled.lit) == (wire.BAUD, before)
    wled.baud = wire.BAUD
    assert wled_bytes.version_in(wled.receive(b"v", plug.clock.now_ms)) == "0.14.0"


@dataclass(slots=True)
class Pulls(Noise):
    """Pulls its own plug at the first word."""

    plugs: list[FakePlug] = field(default_factory=list)

    def receive(self, _data: bytes, _now_ms: int) -> bytes:
        for plug in self.plugs:
            plug.pull()
        return b""


def test_a_port_that_is_pulled_meanwhile_is_reported() -> None:
    device = Pulls()
    plug = plugged(device)
    device.plugs.append(plug)
    with pytest.raises(PortGoneError):
        detect_light_board(plug, plug.clock)


def test_the_first_port_with_a_light_board_is_taken() -> None:
    clock = FakeClock()
    gone = FakePlug(FakeBoard(), clock, name="gone", is_plugged=False)
    gps = FakePlug(Chatter(b"$GPGGA\r\n"), clock, name="gps")
    ours = FakePlug(FakeBoard(), clock, name="ours")
    assert detect_first_light_board([gone, gps, ours], clock).open().port == "ours"
    with pytest.raises(NotALightBoardError, match=r"No light board: gone is not there.* gps: something else speaks"):
        detect_first_light_board([gone, gps], clock)
    with pytest.raises(NotALightBoardError, match="no serial port is there; plug it in, or play without lights"):
        detect_first_light_board([], clock)


def test_the_other_version_is_reported_as_such() -> None:
    plug = plugged(FakeBoard(FakeBoardSpec(proto=9)))
    with pytest.raises(WrongVersionError) as refused:
        detect_light_board(plug, plug.clock)
    assert refused.value.board_speaks == 9
