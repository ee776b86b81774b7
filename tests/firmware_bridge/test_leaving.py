"""How a session ends that nobody has lost: the link says goodbye, and the driver sees to it when it is closed."""

from dataclasses import replace

import pytest

from firmware_bridge.fakes.fake_board import FakeBoardSpec
from firmware_bridge.led_frame import BLACK, LedFrame, Rgb
from firmware_bridge.protocol import wire_constants as wire
from firmware_bridge.protocol.link_events import LinkLost, LossReason
from firmware_bridge.protocol.link_state import Leave, LinkPhase, LinkTick, PortOpened, Show
from firmware_bridge.protocol.messages import Boot, Bye, Hello, Lost, Message, Nak
from firmware_bridge.protocol.wire_constants import Capability, NakReason
from tests.firmware_bridge.boards_on_lines import RED, open_bglp_board
from tests.firmware_bridge.link_alone import DARK, LEFT, ack, answer, greeted, ok, only, spoken

NANO = FakeBoardSpec(n_led=60, bootloader_ms=1_200)
HALF = LedFrame((RED,) * 30 + (BLACK,) * 30)


@pytest.mark.parametrize("is_waiting", [True, False])
def test_who_leaves_says_bye_and_the_link_is_shut(is_waiting: bool) -> None:
    link, session = greeted(caps=Capability.GOODBYE)
    link.handle(Show(LEFT), 0)
    picture = only(link)
    if not is_waiting:
        answer(link, ack(session, LEFT), picture.seq, 5)
    link.handle(Leave(), 10)
    bye = only(link)
    assert bye.message == Bye()
    assert answer(link, ack(session, LEFT), picture.seq, 11) == ()
    assert link.phase is LinkPhase.WAITING
    assert answer(link, ack(session, DARK), bye.seq, 12) == ()
    assert (link.phase, link.due_ms, link.take_bytes()) == (LinkPhase.SHUT, None, b"")


@pytest.mark.parametrize(
    "last_word", [Nak(NakReason.NOSESSION, 0), Boot(0, n_led=8), Lost(0x1234), Nak(NakReason.TYPE, 0x1234), None]
)
def test_a_board_that_is_lost_while_we_leave_is_not_greeted(last_word: Message | None) -> None:
    link, _ = greeted(caps=Capability.GOODBYE)
    link.handle(Leave(), 0)
    bye = only(link)
    if last_word is not None:
        answer(link, last_word, bye.seq if isinstance(last_word, Nak) else 0, 5)
    repeated = []
    for now_ms in range(10, 450, 10):
        link.handle(LinkTick(), now_ms)
        repeated += spoken(link)
    assert set(repeated) <= {bye}
    assert len(repeated) == (0 if last_word is not None else wire.TRIES - 1)
    assert link.phase is not LinkPhase.WAITING
    assert [event for event in link.take_events() if isinstance(event, LinkLost)] == []


def test_a_board_without_the_word_is_left_without_one() -> None:
    link, _ = greeted()
    link.handle(Leave(), 0)
    assert (link.phase, spoken(link)) == (LinkPhase.SHUT, [])
    link, _ = greeted(caps=Capability.GOODBYE)
    link.handle(Leave(), 0)
    link.handle(PortOpened(), 10)
    hello = spoken(link)[-1].message
    assert isinstance(hello, Hello)
    answer(link, ok(hello.session), wire.FIRST_SEQ, 20)
    assert answer(link, Boot(0, n_led=8), 0, 30) == (LinkLost(LossReason.RESTARTED),)


def test_closing_says_goodbye() -> None:
    """The strip is dark at once and stays so: no marker for a host that was not lost."""
    board, fake, plug = open_bglp_board(NANO)
    board.show(HALF)
    began_ms = plug.clock.now_ms
    board.close()
    assert plug.clock.now_ms - began_ms < 20
    assert fake.lit == LedFrame.dark(60)
    assert fake.advance(plug.clock.now_ms + 60_000) == b""
    assert fake.lit == LedFrame.dark(60)


def test_closing_does_not_wait_for_a_board_that_is_silent_or_gone() -> None:
    """Four tries of 100 ms, none without a port; a board that knows no goodbye marks the host as lost."""
    board, fake, plug = open_bglp_board(NANO)
    fake.hang(plug.clock.now_ms)
    began_ms = plug.clock.now_ms
    board.close()
    assert plug.clock.now_ms - began_ms <= 400
    board.open()
    plug.pull()
    gone_ms = plug.clock.now_ms
    board.close()
    assert plug.clock.now_ms == gone_ms
    board, fake, plug = open_bglp_board(replace(NANO, caps=Capability.NONE))
    board.close()
    fake.advance(plug.clock.now_ms + 2_500)
    assert fake.lit.leds[0] == Rgb(*wire.MARKER_RGB)
