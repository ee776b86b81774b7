"""The link alone: messages in, bytes and events out, time as data."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from firmware_bridge.led_frame import BLACK, LedFrame, Rgb
from firmware_bridge.power import limit_current
from firmware_bridge.protocol import link as link_module
from firmware_bridge.protocol import link_events, link_state, messages
from firmware_bridge.protocol import wire_constants as wire
from firmware_bridge.protocol.framing import UnitDecoder, WireUnit, digest_of, encode
from firmware_bridge.protocol.link import HANDLERS, BoardLink
from firmware_bridge.protocol.wire_constants import AckFlag, Capability, NakReason, ResetCause
from tests.firmware_bridge import link_alone
from tests.firmware_bridge.boards_on_lines import RED, sessions


def test_hello_is_said_four_times_a_second_for_six_seconds() -> None:
    link = link_alone.opened()
    hellos = len(link_alone.spoken(link))
    for now_ms in range(0, 10_000, 10):
        link.handle(link_state.LinkTick(), now_ms)
        hellos += len(link_alone.spoken(link))
    assert hellos == 24
    assert link.take_events() == (link_events.NobodyAnswers(),)
    assert link.phase is link_state.LinkPhase.REFUSED
    link.handle(link_state.Show(link_alone.LEFT), 10_000)
    assert link.take_bytes() == b""


@given(first=st.integers(1, 0xF000), cap_ma=st.integers(100, 1_500), host_ms=st.integers(250, 10_000))
@example(first=0xAFFF, cap_ma=0x01B7, host_ms=0x01BF)
def test_no_wled_obeys_a_byte_of_hello(first: int, cap_ma: int, host_ms: int) -> None:
    link = BoardLink(sessions(first), link_state.LinkSettings(cap_ma=cap_ma, host_ms=host_ms))
    link.handle(link_state.PortOpened(), 0)
    said = link.take_bytes()
    assert not link_state.WLED_COMMAND_BYTES.intersection(said)
    (heard,) = UnitDecoder().feed(said)
    assert isinstance(heard, WireUnit)
    assert isinstance(heard.message, messages.Hello)
    assert cap_ma - 8 <= heard.message.cap_ma <= cap_ma
    assert host_ms - 8 <= heard.message.host_ms <= host_ms


def test_a_stale_answer_begins_no_session() -> None:
    """HELLO_OK counts only with the session that was just drawn."""
    link = link_alone.opened()
    hello = link_alone.only_hello(link)
    assert link_alone.answer(link, link_alone.ok(hello.session + 1), wire.FIRST_SEQ, 5) == ()
    assert link.phase is link_state.LinkPhase.GREETING
    assert link_alone.answer(link, link_alone.ok(hello.session), wire.FIRST_SEQ, 6) == (
        link_events.Greeted(link_alone.ok(hello.session)),
    )


def test_a_board_that_boots_during_the_greeting_is_greeted_at_once() -> None:
    link = link_alone.opened()
    link.take_bytes()
    assert link_alone.answer(link, messages.Boot(0, n_led=8), 0, 30) == ()
    link_alone.only_hello(link)


@pytest.mark.parametrize("by_nak", [True, False])
def test_another_version_is_refused_with_its_number(by_nak: bool) -> None:
    """The board refuses us or we refuse it; nothing is sent to it again."""
    link = link_alone.opened()
    hello = link_alone.only_hello(link)
    refused = (
        messages.Nak(NakReason.VERSION, 0, proto=2) if by_nak else messages.HelloOk(hello.session, n_led=8, proto=2)
    )
    assert link_alone.answer(link, refused, wire.FIRST_SEQ, 5) == (link_events.OtherVersion(2),)
    link.handle(link_state.LinkTick(), 60_000)
    assert link.take_bytes() == b""


def test_the_leds_are_counted_before_the_first_picture() -> None:
    link, session = link_alone.greeted(caps=Capability.CHAIN_RETURN)
    link.handle(link_state.Show(link_alone.LEFT), 0)
    count = link_alone.only(link)
    assert count.message == messages.Chain()
    assert link_alone.answer(link, messages.ChainCount(8), count.seq, 5) == (link_events.ChainCounted(8),)
    picture = link_alone.only(link)
    assert picture.message == messages.picture_command(link_alone.LEFT)
    assert link_alone.answer(link, link_alone.ack(session, link_alone.LEFT), picture.seq, 9) == (
        link_events.PictureShown(link_alone.LEFT, digest_of(link_alone.LEFT), False, 60),
    )


def test_a_picture_is_asked_for_four_times_and_then_the_board_is_greeted() -> None:
    link, _, first = link_alone.waiting()
    sent = [first]
    for now_ms in range(0, 400, 10):
        link.handle(link_state.LinkTick(), now_ms)
        sent += link_alone.spoken(link)
    assert sent == [first] * 4
    link.handle(link_state.LinkTick(), 400)
    assert link.take_events() == (link_events.LinkLost(link_events.LossReason.SILENT),)
    link_alone.only_hello(link)


def test_a_long_unit_is_given_twice_its_time_on_the_wire() -> None:
    frame = LedFrame(tuple(Rgb(led + 1, 200 - led, 7) for led in range(120)))
    link = link_alone.opened(link_state.LinkSettings(baud=9_600))
    hello = link_alone.only_hello(link)
    link_alone.answer(link, messages.HelloOk(hello.session, n_led=120), wire.FIRST_SEQ, 0)
    link.handle(link_state.Show(frame), 0)
    assert link.due_ms is not None
    assert 780 < link.due_ms < 830


def test_of_waiting_pictures_only_the_newest_is_sent() -> None:
    link, session, first = link_alone.waiting()
    link.handle(link_state.Show(link_alone.DARK), 10)
    link.handle(link_state.Show(link_alone.RIGHT), 20)
    assert link_alone.spoken(link) == []
    link_alone.answer(link, link_alone.ack(session, link_alone.LEFT), first.seq, 30)
    assert link_alone.only(link).message == messages.picture_command(link_alone.RIGHT)


@pytest.mark.parametrize("wrong", ["seq", "session", "digest", "flags"])
def test_an_answer_that_does_not_fit_is_no_acknowledgement(wrong: str) -> None:
    link, session, sent = link_alone.waiting()
    right = link_alone.ack(session, link_alone.LEFT)
    answers = {
        "seq": (right, sent.seq + 1),
        "session": (link_alone.ack(session + 1, link_alone.LEFT), sent.seq),
        "digest": (link_alone.ack(session, link_alone.RIGHT), sent.seq),
        "flags": (messages.Ack(session, AckFlag.LIMITED, right.digest, 60), sent.seq),
    }
    assert link_alone.answer(link, *answers[wrong], 5) == ()
    assert link_alone.answer(link, right, sent.seq, 6) == (
        link_events.PictureShown(link_alone.LEFT, digest_of(link_alone.LEFT), False, 60),
    )


def test_a_board_that_insists_on_another_picture_is_lost() -> None:
    link, session, sent = link_alone.waiting()
    for tries in range(wire.TRIES):
        events = link_alone.answer(link, link_alone.ack(session, link_alone.RIGHT), sent.seq, tries)
    assert events == (link_events.LinkLost(link_events.LossReason.WRONG_PICTURE),)


def test_a_dimmed_picture_is_checked_against_our_own_dimming() -> None:
    link, session = link_alone.greeted(cap_ma=50)
    link.handle(link_state.Show(link_alone.LEFT), 0)
    sent = link_alone.only(link)
    assert link_alone.answer(link, link_alone.ack(session, link_alone.LEFT), sent.seq, 4) == ()
    (event,) = link_alone.answer(link, link_alone.ack(session, link_alone.LEFT, cap_ma=50), sent.seq, 5)
    assert isinstance(event, link_events.PictureShown)
    assert (event.is_limited, event.digest) == (True, digest_of(limit_current(link_alone.LEFT, 50).frame))
    assert event.digest != digest_of(link_alone.LEFT)


def test_a_damaged_command_is_sent_again_at_once() -> None:
    link, session, sent = link_alone.waiting()
    link_alone.answer(link, messages.Nak(NakReason.CRC, session), wire.UNASKED_SEQ, 5)
    assert link_alone.only(link) == sent


@pytest.mark.parametrize("reason", NakReason)
def test_a_refusal_of_an_earlier_command_is_passed_over(reason: NakReason) -> None:
    link, session, sent = link_alone.waiting()
    assert link_alone.answer(link, messages.Nak(reason, session), sent.seq + 1, 5) == ()
    assert (link.phase, link.take_bytes()) == (link_state.LinkPhase.WAITING, b"")


@pytest.mark.parametrize("reason", [NakReason.RANGE, NakReason.TYPE, NakReason.LEN])
def test_an_error_of_the_program_is_reported_and_never_repeated(reason: NakReason) -> None:
    link, session, sent = link_alone.waiting()
    assert link_alone.answer(link, messages.Nak(reason, session), sent.seq, 5) == (link_events.RequestRefused(reason),)
    link.handle(link_state.LinkTick(), 400)
    assert link_alone.spoken(link) == []
    assert link.phase is link_state.LinkPhase.IDLE


@pytest.mark.parametrize(
    ("message", "lost"),
    [
        (
            messages.Boot(0, n_led=8, reset_cause=ResetCause.BROWN_OUT),
            link_events.LinkLost(link_events.LossReason.RESTARTED, ResetCause.BROWN_OUT),
        ),
        (messages.Lost(0x1234), link_events.LinkLost(link_events.LossReason.GAVE_UP)),
        (messages.Nak(NakReason.NOSESSION, 0), link_events.LinkLost(link_events.LossReason.FORGOT)),
    ],
)
@pytest.mark.parametrize("is_waiting", [True, False])
def test_a_board_that_has_lost_the_session_is_greeted_and_gets_the_picture_again(
    message: messages.Message, lost: link_events.LinkLost, is_waiting: bool
) -> None:
    link, session, sent = link_alone.waiting()
    if not is_waiting:
        link_alone.answer(link, link_alone.ack(session, link_alone.LEFT), sent.seq, 5)
    assert link_alone.answer(link, message, wire.UNASKED_SEQ, 10) == (lost,)
    hello = link_alone.only_hello(link)
    assert hello.session != session
    link_alone.answer(link, link_alone.ok(hello.session), wire.FIRST_SEQ, 20)
    assert link_alone.only(link).message == messages.picture_command(link_alone.LEFT)


def test_another_hosts_loss_is_not_ours() -> None:
    link, _, _ = link_alone.waiting()
    assert link_alone.answer(link, messages.Lost(0x4321), wire.UNASKED_SEQ, 10) == ()


def test_an_idle_line_is_pinged_twice_a_second() -> None:
    link, session = link_alone.greeted()
    link.handle(link_state.LinkTick(), wire.PING_EVERY_MS - 1)
    assert link_alone.spoken(link) == []
    link.handle(link_state.LinkTick(), wire.PING_EVERY_MS)
    ping = link_alone.only(link)
    assert ping.message == messages.Ping()
    assert link_alone.answer(link, link_alone.pong(session, link_alone.DARK), ping.seq, 505) == (
        link_events.Measured(link_alone.pong(session, link_alone.DARK)),
    )
    link.handle(link_state.LinkTick(), 505 + wire.PING_EVERY_MS)
    assert link_alone.only(link).message == messages.Ping()


def test_between_pictures_it_asks_every_two_seconds_how_the_board_is() -> None:
    """A strip that blinks is never idle, and still its supply is watched; no picture is lost by it."""
    link, session = link_alone.greeted()
    pings_ms = []
    for now_ms in range(0, 6_000, 40):
        frame = link_alone.LEFT if now_ms % 80 else link_alone.RIGHT
        link.handle(link_state.Show(frame), now_ms)
        sent = link_alone.only(link)
        assert sent.message == messages.picture_command(frame)
        link_alone.answer(link, link_alone.ack(session, frame), sent.seq, now_ms + 6)
        for ping in link_alone.spoken(link):
            assert ping.message == messages.Ping()
            pings_ms.append(now_ms + 6)
            answered = link_alone.pong(session, frame)
            assert link_alone.answer(link, answered, ping.seq, now_ms + 10) == (link_events.Measured(answered),)
    assert pings_ms == [2_006, 4_046]


def test_a_heartbeat_of_another_session_is_a_loss() -> None:
    """A board that restarted unheard is found out by the next ping."""
    link, _ = link_alone.greeted()
    link.handle(link_state.LinkTick(), 500)
    assert link_alone.answer(link, link_alone.pong(0, link_alone.DARK), link_alone.only(link).seq, 505) == (
        link_events.LinkLost(link_events.LossReason.FORGOT),
    )


def test_a_heartbeat_with_another_picture_sends_the_right_one_again() -> None:
    link, session, sent = link_alone.waiting()
    link_alone.answer(link, link_alone.ack(session, link_alone.LEFT), sent.seq, 5)
    link.handle(link_state.LinkTick(), 600)
    link_alone.answer(link, link_alone.pong(session, link_alone.RIGHT), link_alone.only(link).seq, 605)
    assert link_alone.only(link).message == messages.picture_command(link_alone.LEFT)


def test_the_picture_outlives_the_port() -> None:
    link, session, sent = link_alone.waiting()
    link_alone.answer(link, link_alone.ack(session, link_alone.LEFT), sent.seq, 5)
    link.receive(encode(messages.Boot(0, n_led=8), 0)[:-1], 9)  # and its last byte is not that of the next port
    link.handle(link_state.PortGone(), 10)
    assert link.take_events() == (link_events.LinkLost(link_events.LossReason.UNPLUGGED),)
    assert (link.due_ms, link.take_bytes()) == (None, b"")
    link.handle(link_state.Show(link_alone.RIGHT), 20)
    link.handle(link_state.PortOpened(), 1_000)
    link.receive(b"\0", 1_000)
    hello = link_alone.only_hello(link)
    link_alone.answer(link, link_alone.ok(hello.session), wire.FIRST_SEQ, 1_010)
    assert link_alone.only(link).message == messages.picture_command(link_alone.RIGHT)


def test_a_restart_that_takes_longer_than_our_patience_is_still_reported() -> None:
    link, _, _ = link_alone.waiting()
    for now_ms in range(0, 401, 100):
        link.handle(link_state.LinkTick(), now_ms)
    assert link.take_events() == (link_events.LinkLost(link_events.LossReason.SILENT),)
    boot = messages.Boot(0, n_led=8, reset_cause=ResetCause.WATCHDOG)
    assert link_alone.answer(link, boot, 0, 900) == (
        link_events.LinkLost(link_events.LossReason.RESTARTED, ResetCause.WATCHDOG),
    )


def test_a_board_that_was_known_is_greeted_without_end() -> None:
    link, _ = link_alone.greeted()
    link_alone.answer(link, messages.Boot(0, n_led=8), 0, 10)
    link.take_bytes()
    for now_ms in range(10, 60_000, 250):
        link.handle(link_state.LinkTick(), now_ms)
    assert link.phase is link_state.LinkPhase.GREETING
    assert len(link_alone.spoken(link)) > 200


def test_a_short_picture_is_filled_with_black_and_a_long_one_refused() -> None:
    link, session = link_alone.greeted()
    link.handle(link_state.Show(LedFrame((RED,))), 0)
    whole = LedFrame((RED,) + (BLACK,) * 7)
    (event,) = link_alone.answer(link, link_alone.ack(session, whole), link_alone.only(link).seq, 5)
    assert isinstance(event, link_events.PictureShown)
    link.handle(link_state.Show(LedFrame.dark(9)), 10)
    assert (link.take_events(), link_alone.spoken(link)) == ((link_events.PictureTooLong(9, 8),), [])


def test_numbers_run_from_1_to_127_and_again() -> None:
    link, session = link_alone.greeted()
    seqs = []
    for now_ms in range(150):
        link.handle(link_state.Show(link_alone.LEFT if now_ms % 2 else link_alone.RIGHT), now_ms)
        sent = link_alone.only(link)
        seqs.append(sent.seq)
        link_alone.answer(
            link, link_alone.ack(session, link_alone.LEFT if now_ms % 2 else link_alone.RIGHT), sent.seq, now_ms
        )
    assert seqs == [*range(2, 128), *range(1, 25)]


def test_the_table_in_the_docstring_is_the_table_of_the_code() -> None:
    """A dash is what is passed over; every other cell has its handler."""
    head, *rows = [line.split("|") for line in (link_module.__doc__ or "").splitlines() if "|" in line]
    drawn = {
        (row[0].strip(), kind)
        for row in rows
        for kinds, cell in zip(head[1:], row[1:], strict=True)
        for kind in kinds.replace(" ", "").split(",")
        if cell.strip() != "-"
    }
    assert drawn == {(phase.name, kind.__name__) for phase, kind in HANDLERS}


def test_what_the_table_does_not_name_changes_nothing() -> None:
    """Every phase takes every message without a word where it has no use for it."""
    for phase in link_state.LinkPhase:
        for message in (
            messages.Ack(1, AckFlag.NONE, 0, 0),
            messages.ChainCount(3),
            messages.Hello(1),
            messages.Ping(),
            messages.Runs(()),
        ):
            if (phase, type(message)) in HANDLERS:
                continue
            link = BoardLink(sessions())
            link.phase = phase
            assert link_alone.answer(link, message, 1, 0) == ()
            assert (link.phase, link.take_bytes()) == (phase, b"")
