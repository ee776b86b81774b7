"""What the fake board does beyond what the conformance suite asks of every board."""

import pytest

from firmware_bridge.fakes.fake_board import FakeBoard, FakeBoardSpec
from firmware_bridge.led_frame import BLACK, LedFrame, Rgb, Run
from firmware_bridge.protocol import messages
from firmware_bridge.protocol import wire_constants as wire
from firmware_bridge.protocol.framing import UnitDecoder, WireUnit, encode
from firmware_bridge.protocol.wire_constants import AckFlag, Capability, NakReason, ResetCause
from tests.firmware_bridge.boards_on_lines import RED

AMBER = Rgb(*wire.MARKER_RGB)


def said(answer: bytes) -> list[messages.Message]:
    return [heard.message for heard in UnitDecoder().feed(answer) if isinstance(heard, WireUnit)]


def running(make: FakeBoardSpec | None = None, *, greeted: bool = True) -> FakeBoard:
    board = FakeBoard(make)
    board.power_on(0)
    board.advance(board.spec.bootloader_ms)
    if greeted:
        board.receive(encode(messages.Hello(7), 1), 0)
    return board


def test_it_boots_dark_and_says_so_after_the_bootloader() -> None:
    board = FakeBoard(FakeBoardSpec(bootloader_ms=1_200))
    board.power_on(0)
    assert board.receive(encode(messages.Hello(7), 1), 1_199) == b""
    (boot,) = said(board.advance(1_200))
    assert isinstance(boot, messages.Boot)
    assert (boot.session, boot.reset_cause, boot.n_led) == (wire.NO_SESSION, ResetCause.POWER_ON, 72)
    assert board.lit == LedFrame.dark(72)


def test_no_led_lights_without_a_session() -> None:
    board = running(greeted=False)
    assert said(board.receive(encode(messages.Runs((Run(0, 1, RED),)), 2), 0)) == [messages.Nak(NakReason.NOSESSION, 0)]
    (pong,) = said(board.receive(encode(messages.Ping(), 3), 0))
    assert isinstance(pong, messages.Pong)
    assert board.lit == LedFrame.dark(72)


@pytest.mark.parametrize(
    ("hello", "answer"),
    [
        (messages.Hello(7, proto=2), messages.Nak(NakReason.VERSION, 0)),
        (messages.Hello(0), messages.Nak(NakReason.RANGE, 0)),
    ],
)
def test_a_wrong_hello_is_refused(hello: messages.Hello, answer: messages.Nak) -> None:
    assert said(running(greeted=False).receive(encode(hello, 1), 0)) == [answer]


def test_limits_are_clamped_whatever_the_host_asks() -> None:
    (ok,) = said(running(greeted=False).receive(encode(messages.Hello(7, cap_ma=60_000, host_ms=60_000), 1), 0))
    assert isinstance(ok, messages.HelloOk)
    assert (ok.cap_ma, ok.host_ms) == (wire.CURRENT_CAP_MAX_MA, wire.HOST_SILENCE_MAX_MS)


def test_a_silent_host_is_declared_dead_and_the_marker_goes_out() -> None:
    board = running()
    board.receive(encode(messages.Runs((Run(0, 72, RED),)), 2), 100)
    assert said(board.advance(2_099)) == []
    assert said(board.advance(2_100)) == [messages.Lost(7)]
    assert board.lit == LedFrame((AMBER, *(BLACK,) * 71))
    assert said(board.receive(encode(messages.Runs(()), 3), 2_200)) == [
        messages.Nak(NakReason.NOSESSION, 0, AckFlag.LOST)
    ]
    board.advance(12_099)
    assert board.lit.leds[0] == AMBER
    board.advance(12_100)
    assert board.lit == LedFrame.dark(72)


def test_one_long_step_of_time_is_as_good_as_many() -> None:
    board = running()
    assert said(board.advance(60_000)) == [messages.Lost(7)]
    board.advance(60_000)
    assert board.lit == LedFrame.dark(72)


def test_damage_keeps_nobody_alive() -> None:
    board = running()
    unit = bytearray(encode(messages.Ping(), 2))
    unit[2] ^= 1
    assert said(board.receive(bytes(unit), 1_900)) == [messages.Nak(NakReason.CRC, 7)]
    assert said(board.advance(2_000)) == [messages.Lost(7)]


def test_a_picture_beyond_the_cap_is_dimmed_and_says_so() -> None:
    board = running(FakeBoardSpec(cap_max_ma=500))
    (ack,) = said(board.receive(encode(messages.Runs((Run(0, 72, Rgb(255, 255, 255)),)), 2), 0))
    assert isinstance(ack, messages.Ack)
    assert ack.flags == AckFlag.LIMITED
    assert 400 < ack.est_ma <= 500


@pytest.mark.parametrize(("answering", "count"), [(None, 72), (60, 60), (0, wire.CHAIN_NO_RETURN)])
def test_the_chain_is_counted(answering: int | None, count: int) -> None:
    assert said(running(FakeBoardSpec(answering_leds=answering)).receive(encode(messages.Chain(), 2), 0)) == [
        messages.ChainCount(count)
    ]


def test_without_a_return_wire_chain_is_unknown() -> None:
    board = running(FakeBoardSpec(caps=Capability.SIMULATED))
    assert said(board.receive(encode(messages.Chain(), 2), 0)) == [messages.Nak(NakReason.TYPE, 7)]


def test_a_hung_board_restarts_by_its_watchdog() -> None:
    board = running()
    board.hang(1_000)
    assert board.receive(encode(messages.Ping(), 2), 1_499) == b""
    (boot,) = said(board.advance(1_500))
    assert isinstance(boot, messages.Boot)
    assert boot.reset_cause == ResetCause.WATCHDOG
