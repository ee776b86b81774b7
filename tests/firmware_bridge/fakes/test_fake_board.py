"""What the fake board does beyond what the conformance suite asks of every board."""

from firmware_bridge.fakes.fake_board import FakeBoard, FakeBoardSpec
from firmware_bridge.led_frame import LedFrame
from firmware_bridge.protocol import messages
from firmware_bridge.protocol import wire_constants as wire
from firmware_bridge.protocol.framing import UnitDecoder, WireUnit, encode
from firmware_bridge.protocol.wire_constants import Capability, NakReason, ResetCause


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


def test_one_long_step_of_time_is_as_good_as_many() -> None:
    board = running()
    assert said(board.advance(60_000)) == [messages.Lost(7)]
    board.advance(60_000)
    assert board.lit == LedFrame.dark(72)


def test_without_a_return_wire_chain_is_unknown() -> None:
    board = running(FakeBoardSpec(caps=Capability.SIMULATED))
    assert said(board.receive(encode(messages.Chain(), 2), 0)) == [messages.Nak(NakReason.TYPE, 7)]
