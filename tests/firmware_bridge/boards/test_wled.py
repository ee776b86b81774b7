"""The WLED driver in front of the fake WLED, and the bytes between them."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.boards import wled_bytes
from firmware_bridge.boards.adalight import adalight_bytes
from firmware_bridge.boards.light_board import Verification
from firmware_bridge.boards.wled import PictureFormat, WledBoard
from firmware_bridge.errors import BoardLostError, NotALightBoardError, WrongLedCountError
from firmware_bridge.fakes.fake_board import FakeBoard
from firmware_bridge.fakes.fake_line import FakePlug
from firmware_bridge.fakes.fake_wled import EFFECT, FakeWled
from firmware_bridge.led_frame import BLACK, LedFrame
from firmware_bridge.protocol.framing import digest_of
from tests.firmware_bridge.boards_on_lines import GREEN, RED, picture, plugged, wait
from tests.firmware_bridge.messages_drawn import frames

pytestmark = pytest.mark.broad

LEFT = LedFrame((RED,) * 15 + (BLACK,) * 15)
RIGHT = LedFrame((BLACK,) * 15 + (GREEN,) * 15)


def wled_board(
    wled: FakeWled, *, seed: int = 0, speech: PictureFormat = PictureFormat.ADALIGHT
) -> tuple[WledBoard, FakePlug]:
    """Opened."""
    plug = plugged(wled, seed=seed)
    board = WledBoard(plug, plug.clock, picture_format=speech)
    board.open()
    return board, plug


def test_it_says_its_version_and_its_leds() -> None:
    plug = plugged(FakeWled(30, "0.14.0", boot_ms=900))
    identity = WledBoard(plug, plug.clock).open()
    assert (identity.name, identity.n_led, identity.cap_ma) == ("WLED 0.14.0", 30, None)
    assert identity.verified is Verification.READBACK


@pytest.mark.parametrize("speech", PictureFormat)
@pytest.mark.parametrize("n_led", [1, 30, 85, 86, 120])
def test_a_picture_is_lit_when_show_returns(n_led: int, speech: PictureFormat) -> None:
    """Whichever way it is said; from 86 LEDs on TPM2 would lose the last one and is not used."""
    wled = FakeWled(n_led)
    board, _ = wled_board(wled, speech=speech)
    frame = wled_bytes.without_baud_commands(picture(Random(n_led), n_led, colours=True))
    assert board.show(frame).digest == digest_of(frame)
    assert wled.lit == frame


def test_tpm2_of_86_leds_is_what_wled_gets_wrong() -> None:
    """Why such pictures go as Adalight: 258 bytes are 85 LEDs by WLED's division, the last is taken for commands."""
    wled = FakeWled(86)
    wled.power_on(0)
    wled.receive(wled_bytes.tpm2_bytes(LedFrame((RED,) * 85 + (GREEN,))), 0)
    assert wled.lit == LedFrame((RED,) * 85 + (EFFECT,))


def damaged_run(how_many: int, seed: int, speech: PictureFormat, *, both_ways: bool) -> tuple[int, int]:
    """Shown, and of these wrong ones; three of ten writes are damaged."""
    random, wled = Random(seed), FakeWled(60)
    board, plug = wled_board(wled, seed=seed, speech=speech)
    plug.damage_to_device = 0.3
    plug.damage_to_host = 0.3 if both_ways else 0.0
    shown = wrong = 0
    for _ in range(how_many):
        frame = picture(random, 60, colours=True)
        try:
            board.show(frame)
            shown += 1
            wrong += wled.lit != wled_bytes.without_baud_commands(frame)
        except BoardLostError:
            back_by_ms = plug.clock.now_ms + 60_000
            while not board.health().is_answering and plug.clock.now_ms < back_by_ms:
                plug.clock.now_ms += 20
    return shown, wrong


def test_of_60_pictures_with_three_of_ten_writes_damaged_60_are_right() -> None:
    assert damaged_run(60, 0, PictureFormat.ADALIGHT, both_ways=False) == (60, 0)


@pytest.mark.parametrize("speech", PictureFormat)
@pytest.mark.parametrize("both_ways", [False, True])
def test_no_wrong_picture_is_believed_whatever_is_damaged(
    full_counts: bool, speech: PictureFormat, both_ways: bool
) -> None:
    """60 pictures, 500 with --slow; the answers damaged too. Damage that sends WLED to another baud rate is undone."""
    how_many = 500 if full_counts else 60
    shown, wrong = damaged_run(how_many, 11, speech, both_ways=both_ways)
    assert wrong == 0
    assert shown >= 0.9 * how_many


def test_blind_writes_on_the_same_line_are_often_wrong() -> None:
    random, wled = Random(0), FakeWled(60)
    plug = plugged(wled)
    port = plug.open(115_200)
    plug.damage_to_device, wrong = 0.3, 0
    for _ in range(60):
        frame = wled_bytes.without_baud_commands(picture(random, 60, colours=True))
        port.write(adalight_bytes(frame))
        port.read(200)
        wrong += wled.lit != frame
    assert wrong > 10


def test_the_picture_is_sent_again_before_wled_falls_back_to_its_effect() -> None:
    wled = FakeWled(30)
    board, plug = wled_board(wled)
    board.show(LEFT)
    for _ in range(20):
        wait(board, plug.clock, 500, step_ms=500)
        assert wled.lit == LEFT
    wled.advance(plug.clock.now_ms + 2_500)
    assert wled.lit == LedFrame((EFFECT,) * 30)


def test_after_a_re_plug_the_newest_picture_is_lit() -> None:
    wled = FakeWled(30, boot_ms=900)
    board, plug = wled_board(wled)
    board.show(LEFT)
    plug.pull()
    with pytest.raises(BoardLostError):
        board.show(RIGHT)
    wait(board, plug.clock, 1_000)
    plug.is_plugged = True
    plug.written.clear()
    wait(board, plug.clock, 900)
    assert set(plug.written) == set(wled_bytes.ASK_VERSION)
    wait(board, plug.clock, 800)
    assert wled.lit == RIGHT
    assert board.health().is_answering


class DimmedWled(FakeWled):
    """Its brightness is not 255: what it reads back is darker than what it was sent."""

    def _leds_as_tpm2(self) -> bytes:
        darker = LedFrame(tuple(led.dim(128) for led in self.lit.leds)).to_bytes()
        return wled_bytes.TPM2_DATA + bytes((0, len(darker))) + darker + wled_bytes.READ_BACK_END


def test_a_wled_that_changes_colours_is_reported_with_the_remedy() -> None:
    board, _ = wled_board(DimmedWled(30))
    with pytest.raises(BoardLostError, match="set its brightness to 255 and switch off gamma correction"):
        board.show(LEFT)
    assert "set its brightness to 255" in board.health().warnings[0]


def test_what_is_no_wled_is_refused() -> None:
    plug = plugged(FakeBoard())
    with pytest.raises(NotALightBoardError, match="no WLED answers"):
        WledBoard(plug, plug.clock).open()
    assert set(plug.written) == set(b"v")


def test_a_picture_longer_than_the_strip_is_a_mistake() -> None:
    board, plug = wled_board(FakeWled(30))
    plug.written.clear()
    with pytest.raises(WrongLedCountError):
        board.show(LedFrame.dark(31))
    assert plug.written == b""


@given(frame=frames(30))
def test_colours_that_would_change_the_baud_rate_are_moved_by_at_most_four(frame: LedFrame) -> None:
    before, after = frame.to_bytes(), wled_bytes.without_baud_commands(frame).to_bytes()
    for was, became in zip(before, after, strict=True):
        assert abs(was - became) <= 4
        assert not 0xB0 <= became <= 0xB7
        assert became == was or 0xB0 <= was <= 0xB7


@given(frame=frames(100))
def test_a_read_back_is_understood_with_either_high_byte(frame: LedFrame) -> None:
    colours = frame.to_bytes()
    for hi in (0, len(colours) >> 8):
        answer = b"\xc9\xda" + bytes((hi, len(colours) & 0xFF)) + colours + b"\x36\n"
        assert wled_bytes.read_back(wled_bytes.PONG + answer) == frame
        assert len(answer) == wled_bytes.read_back_bytes(100)


@given(frame=frames(20), cut=st.integers(1, 60), junk=st.binary(min_size=1, max_size=5))
def test_a_read_back_in_pieces_is_none(frame: LedFrame, cut: int, junk: bytes) -> None:
    """Too short, or with something before it that is no late answer to a ping."""
    answer = b"\xc9\xda\x00\x3c" + frame.to_bytes() + b"\x36\n"
    assert wled_bytes.read_back(answer[:-cut]) is None
    assert wled_bytes.read_back(b"\x01" + junk + answer) is None


@pytest.mark.parametrize(
    ("heard", "version"),
    [
        (b"WLED 0.14.0\r\n", "0.14.0"),
        (b"ets Jul 29 2019\r\nAda\nWLED 2309160\n", "2309160"),
        (b"WLED 0.14", None),
        (b"$GPGGA,123519\r\n", None),
    ],
)
def test_a_version_is_a_whole_line(heard: bytes, version: str | None) -> None:
    assert wled_bytes.version_in(heard) == version
