"""What every light board does, asked of the board in memory, of the real firmware in a simulated chip, and of the same
behind a pty in real time (slow).
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from firmware_bridge.led_frame import BLACK, LedFrame, Rgb, Run
from firmware_bridge.power import estimate_ma, limit_current
from firmware_bridge.protocol import messages
from firmware_bridge.protocol import wire_constants as wire
from firmware_bridge.protocol.framing import WireUnit, digest_of, encode
from firmware_bridge.protocol.wire_constants import AckFlag, Capability, NakReason, ResetCause
from tests.firmware_bridge.talk import (
    DARK,
    MARKER,
    SESSION,
    SIX_POINTS,
    WHITE,
    Talk,
    board_of,
    random_frame,
    with_checksum,
)

pytestmark = pytest.mark.broad


@pytest.fixture(params=["memory", "chip", pytest.param("pty", marks=pytest.mark.slow)])
def talk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Talk]:
    """A board that has just said BOOT."""
    with board_of(request.param, tmp_path) as board:
        talk = Talk(board)
        if request.param == "pty":
            talk.pass_over()  # a part of BOOT was said before anybody listened
        else:
            talk.hear_boot(150)
        yield talk


def test_it_greets_and_is_dark(talk: Talk) -> None:
    """The answer to HELLO names the session, the strip, what is granted and what the board has."""
    ok = talk.greet(messages.Hello(SESSION, cap_ma=900, host_ms=1_500))
    assert (ok.session, ok.n_led, ok.proto, ok.max_frame) == (SESSION, wire.MAX_LEDS, 1, wire.BUFFER_BYTES)
    assert (ok.cap_ma, ok.host_ms, ok.flags) == (900, 1_500, AckFlag.NONE)
    has = Capability.RAIL_VOLTAGE | Capability.CHAIN_RETURN | Capability.HARDWARE_WATCHDOG | Capability.GOODBYE
    assert ok.caps & has == has
    assert talk.board.lit() == DARK


@pytest.mark.parametrize(
    ("asked", "granted"),
    [
        (messages.Hello(1, cap_ma=0xFFFF, host_ms=0xFFFF), (wire.CURRENT_CAP_MAX_MA, wire.HOST_SILENCE_MAX_MS)),
        (messages.Hello(1, cap_ma=0, host_ms=0), (0, wire.HOST_SILENCE_MIN_MS)),
    ],
)
def test_no_host_gets_more_than_is_compiled_in(talk: Talk, asked: messages.Hello, granted: tuple[int, int]) -> None:
    """Cap and silence are clamped, and the answer says to what."""
    ok = talk.greet(asked)
    assert (ok.cap_ma, ok.host_ms) == granted


def test_without_a_session_there_is_no_light(talk: Talk) -> None:
    for message in (messages.Runs((Run(0, 5, Rgb(9, 9, 9)),)), messages.Pixels(0, (Rgb(9, 9, 9),))):
        answer = talk.ask(message)
        assert isinstance(answer, messages.Nak)
        assert (answer.reason, answer.session) == (NakReason.NOSESSION, wire.NO_SESSION)
    talk.ping()
    assert talk.board.lit() == DARK


def test_pictures_are_shown_and_reported(talk: Talk) -> None:
    """The LEDs show the picture within the cap, and ACK tells its checksum and current: limited ones too."""
    talk.greet()
    random = Random(5)
    limited = 0
    for seq in range(1, 13):
        frame = random_frame(random)
        lit, is_limited = limit_current(frame, wire.CURRENT_CAP_MAX_MA)
        ack = talk.ask(messages.picture_command(frame), seq)
        assert ack == messages.Ack(
            SESSION, AckFlag.LIMITED if is_limited else AckFlag.NONE, digest_of(lit), estimate_ma(lit)
        )
        assert talk.board.lit() == lit
        limited += is_limited
    assert 0 < limited < 12


def test_all_white_stays_below_the_cap(talk: Talk) -> None:
    """All white at 1500 mA: every byte becomes 48, 1475 mA, and the flag says so; a smaller picture clears the flag."""
    talk.greet()
    assert talk.show(WHITE) == messages.Ack(SESSION, AckFlag.LIMITED, digest_of(talk.board.lit()), 1475)
    assert set(talk.board.lit().leds) == {Rgb(48, 48, 48)}
    assert talk.show(SIX_POINTS).flags is AckFlag.NONE


def test_a_cap_below_the_dark_strip_leaves_it_dark(talk: Talk) -> None:
    talk.greet(messages.Hello(SESSION, cap_ma=50))
    assert talk.show(WHITE) == messages.Ack(SESSION, AckFlag.LIMITED, digest_of(DARK), 120)
    assert talk.board.lit() == DARK


def test_what_is_not_named_is_black(talk: Talk) -> None:
    """There are no differences: each picture replaces the whole one before, and of two runs the later wins."""
    talk.greet()
    talk.show(WHITE)
    talk.ask(messages.Runs((Run(3, 4, Rgb(1, 2, 3)), Run(5, 1, Rgb(4, 5, 6)))))
    expected = [Rgb(1, 2, 3), Rgb(1, 2, 3), Rgb(4, 5, 6), Rgb(1, 2, 3)]
    assert talk.board.lit() == LedFrame((*[BLACK] * 3, *expected, *[BLACK] * 113))
    talk.ask(messages.Runs(()))
    assert talk.board.lit() == DARK


@pytest.mark.parametrize(
    ("unit", "reason", "seq"),
    [
        (b"\0\5abcd\0", NakReason.CRC, 0),
        (b"\0\1\0", NakReason.CRC, 0),
        (b"\0\xff\1\0", NakReason.CRC, 0),
        (b"\0" + b"\1" * (wire.BUFFER_BYTES + 1) + b"\0", NakReason.OVERFLOW, 0),
        (b"\0" + b"\xff" * 5_000 + b"\0", NakReason.OVERFLOW, 0),
        (with_checksum(bytes((0x33, 9))), NakReason.TYPE, 9),
        (with_checksum(bytes((wire.MessageType.RUNS, 9))), NakReason.LEN, 9),
        (with_checksum(bytes((wire.MessageType.RUNS, 9, 2, 0, 1, 9, 9, 9))), NakReason.LEN, 9),
        (with_checksum(bytes((wire.MessageType.PIXELS, 9, 0, 2, 9, 9, 9))), NakReason.LEN, 9),
        (with_checksum(bytes((wire.MessageType.PING, 9, 0))), NakReason.LEN, 9),
        (with_checksum(bytes((wire.MessageType.CHAIN, 9, 0))), NakReason.LEN, 9),
        (with_checksum(bytes((wire.MessageType.BYE, 9, 0))), NakReason.LEN, 9),
        (with_checksum(bytes((wire.MessageType.RUNS, 9, 1, 0, 0, 9, 9, 9))), NakReason.RANGE, 9),
        (with_checksum(bytes((wire.MessageType.RUNS, 9, 1, 119, 2, 9, 9, 9))), NakReason.RANGE, 9),
        (with_checksum(bytes((wire.MessageType.RUNS, 9, 1, 200, 100, 9, 9, 9))), NakReason.RANGE, 9),
        (with_checksum(bytes((wire.MessageType.PIXELS, 9, 120, 1, 9, 9, 9))), NakReason.RANGE, 9),
        (encode(messages.Hello(0), 9), NakReason.RANGE, 9),
        (encode(messages.Hello(3, proto=2), 9), NakReason.VERSION, 9),
    ],
    ids=lambda value: value.name if isinstance(value, NakReason) else "",
)
def test_what_is_wrong_is_refused_and_changes_nothing(talk: Talk, unit: bytes, reason: NakReason, seq: int) -> None:
    talk.show_six_points()
    answer = talk.raw(unit)
    assert answer == WireUnit(seq, messages.Nak(reason, SESSION))
    assert talk.board.lit() == SIX_POINTS
    assert talk.show(WHITE).session == SESSION


def test_half_a_unit_is_thrown_away_by_the_next(talk: Talk) -> None:
    """The zero before a unit ends what was cut off; zeros in a row say nothing; pieces are put together."""
    talk.greet()
    whole = encode(messages.Ping(), 3)
    assert talk.raw(whole[:-4] + whole) == WireUnit(0, messages.Nak(NakReason.CRC, SESSION))
    answer = talk.hear()
    assert answer is not None
    assert isinstance(answer.message, messages.Pong)
    talk.port.write(b"\0" * 50)
    for byte in whole[:-1]:
        talk.port.write(bytes((byte,)))
        talk.silence(2)
    answer = talk.raw(whole[-1:])
    assert (answer.seq, type(answer.message)) == (3, messages.Pong)


def test_the_heartbeat_tells_how_the_board_is(talk: Talk) -> None:
    """Frames, damaged units, current, checksum of what is lit, rail voltage within 2 % and uptime."""
    talk.greet()
    talk.board.rail(4_100)
    talk.show(WHITE)
    talk.raw(b"\0xx\0")
    talk.silence(200)
    pong = talk.ping()
    assert (pong.session, pong.flags, pong.frames, pong.crc_errors) == (SESSION, AckFlag.LIMITED, 1, 1)
    assert (pong.hw_overruns, pong.ring_overruns, pong.est_ma) == (0, 0, 1475)
    assert pong.digest == digest_of(talk.board.lit())
    assert pong.rail_mv == pytest.approx(4_100, rel=0.02)
    assert 200 <= pong.uptime_ms < 60_000
    talk.silence(100)
    later = talk.ping()
    assert 95 <= later.uptime_ms - pong.uptime_ms <= 200 * talk.board.patience


@pytest.mark.parametrize(
    ("in_strip", "counted"), [(120, 120), (119, 119), (60, 60), (1, 1), (None, wire.CHAIN_NO_RETURN)]
)
def test_the_chain_is_counted(talk: Talk, in_strip: int | None, counted: int) -> None:
    talk.greet()
    talk.board.strip(in_strip)
    talk.show(SIX_POINTS)
    assert talk.ask(messages.Chain()) == messages.ChainCount(counted)
    there = wire.MAX_LEDS if in_strip is None else in_strip
    assert talk.board.lit().leds[:there] == SIX_POINTS.leds[:there]


def test_a_silent_host_leaves_a_marker_then_darkness(talk: Talk) -> None:
    """2 s after the last unit LED 0 is dim amber and LOST is said; 10 s later the strip is dark."""
    talk.show_six_points()
    since_ms = talk.board.clock()
    talk.silence(1_700)
    assert talk.board.lit() == SIX_POINTS
    lost = talk.hear(400)
    assert lost == WireUnit(wire.UNASKED_SEQ, messages.Lost(SESSION))
    late = talk.board.patience - 1  # the machine may be busy at either end
    assert 1_980 - 100 * late <= talk.board.clock() - since_ms <= 2_020 + 2_000 * late
    assert talk.board.lit() == MARKER
    answer = talk.ask(messages.picture_command(SIX_POINTS))
    assert answer == messages.Nak(NakReason.NOSESSION, wire.NO_SESSION, AckFlag.LOST)
    talk.silence(9_000)
    assert talk.board.lit() == MARKER
    talk.silence(1_000 + 200 * talk.board.patience)
    assert talk.board.lit() == DARK
    assert talk.greet().flags is AckFlag.NONE


def test_a_heartbeat_keeps_the_light(talk: Talk) -> None:
    """PING alone is enough, for longer than the host may be silent."""
    talk.show_six_points(messages.Hello(SESSION, host_ms=500))
    for _ in range(6):
        talk.silence(250)
        talk.ask(messages.Ping())
    assert talk.board.lit() == SIX_POINTS


def test_damaged_units_keep_no_host_alive(talk: Talk) -> None:
    talk.show_six_points(messages.Hello(SESSION, host_ms=500))
    heard: list[type] = []
    for _ in range(4):
        talk.port.write(b"\0noise\0")
        while (answer := talk.hear(200 // talk.board.patience)) is not None:
            heard.append(type(answer.message))
    assert messages.Lost in heard
    assert talk.board.lit() == MARKER


def test_a_refused_command_keeps_the_host_alive(talk: Talk) -> None:
    talk.greet(messages.Hello(SESSION, host_ms=500))
    for unit in (with_checksum(bytes((0x33, 9))), with_checksum(bytes((wire.MessageType.PING, 9, 0)))) * 3:
        talk.silence(250)
        assert isinstance(talk.raw(unit).message, messages.Nak)


def test_what_boards_say_is_no_command(talk: Talk) -> None:
    """Over a looped line it does not answer itself, and it does not take itself for a host either."""
    talk.show_six_points(messages.Hello(SESSION, host_ms=500))
    for message in (
        messages.Ack(SESSION, AckFlag.NONE, 1, 2),
        messages.Nak(NakReason.TYPE, SESSION),
        messages.Boot(0, n_led=9),
    ):
        talk.port.write(encode(message, 3))
        talk.silence(130 // talk.board.patience)
    assert talk.hear(200) == WireUnit(wire.UNASKED_SEQ, messages.Lost(SESSION))


def test_who_says_bye_leaves_darkness_and_no_marker(talk: Talk) -> None:
    """ACK of the dark picture in the session that ends; then no marker and no LOST, and no session until HELLO."""
    talk.show_six_points()
    assert talk.ask(messages.Bye()) == messages.Ack(SESSION, AckFlag.NONE, digest_of(DARK), 120)
    assert talk.board.lit() == DARK
    talk.silence(2_500)
    assert talk.board.lit() == DARK
    pong = talk.ping()
    assert (pong.session, pong.flags) == (wire.NO_SESSION, AckFlag.NONE)
    refused = messages.Nak(NakReason.NOSESSION, wire.NO_SESSION)
    assert (talk.ask(messages.picture_command(SIX_POINTS)), talk.ask(messages.Bye())) == (refused, refused)
    talk.show_six_points()
    assert talk.board.lit() == SIX_POINTS


def test_a_cap_below_the_dark_strip_darkens_the_marker_too(talk: Talk) -> None:
    assert talk.greet(messages.Hello(SESSION, cap_ma=50, host_ms=500)).flags is AckFlag.LIMITED
    lost = talk.hear(700)
    assert lost == WireUnit(wire.UNASKED_SEQ, messages.Lost(SESSION, AckFlag.LOST | AckFlag.LIMITED))
    assert talk.board.lit() == DARK


def test_a_hung_firmware_starts_again(talk: Talk) -> None:
    """Within 600 ms BOOT names the watchdog; the strip is dark and the session forgotten."""
    talk.show_six_points(messages.Hello(SESSION, host_ms=10_000))
    talk.board.hang()
    boot = talk.hear_boot(1_000)
    assert (boot.session, boot.reset_cause) == (wire.NO_SESSION, ResetCause.WATCHDOG)
    assert talk.board.lit() == DARK
    assert talk.ask(messages.picture_command(SIX_POINTS)) == messages.Nak(NakReason.NOSESSION, wire.NO_SESSION)


@pytest.mark.parametrize("cause", [ResetCause.EXTERNAL, ResetCause.BROWN_OUT])
def test_a_restart_is_reported_with_its_cause(talk: Talk, cause: ResetCause) -> None:
    """A board that was reset is dark, says so, and knows no session."""
    talk.show_six_points()
    talk.board.restart(cause)
    boot = talk.hear_boot(1_000)
    assert (boot.reset_cause, boot.cap_ma, boot.host_ms) == (cause, wire.CURRENT_CAP_MAX_MA, wire.HOST_SILENCE_MS)
    assert talk.board.lit() == DARK
    assert talk.ask(messages.picture_command(SIX_POINTS)) == messages.Nak(NakReason.NOSESSION, wire.NO_SESSION)
