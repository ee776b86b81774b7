import pytest

from firmware_bridge.boards.adalight import AdalightBoard, adalight_bytes
from firmware_bridge.boards.light_board import LightBoard, Verification
from firmware_bridge.boards.null import NullBoard
from firmware_bridge.errors import BoardLostError, WrongLedCountError
from firmware_bridge.fakes.fake_wled import FakeWled
from firmware_bridge.led_frame import BLACK, LedFrame
from tests.firmware_bridge.boards_on_lines import GREEN, RED, plugged, wait

LEFT = LedFrame((RED,) * 10 + (BLACK,) * 10)
RIGHT = LedFrame((BLACK,) * 10 + (GREEN,) * 10)


@pytest.mark.parametrize(("n_led", "header"), [(1, "00 00 55"), (2, "00 01 54"), (256, "00 ff aa"), (257, "01 00 54")])
def test_the_header_counts_one_less_and_checks_itself(n_led: int, header: str) -> None:
    assert adalight_bytes(LedFrame((RED,) * n_led)) == b"Ada" + bytes.fromhex(header) + b"\xff\0\0" * n_led


def test_a_strip_without_an_answer_is_lit_and_kept_lit() -> None:
    """The picture goes out again every second, and nothing is claimed about it."""
    strip = FakeWled(20)
    plug = plugged(strip)
    board = AdalightBoard(plug, plug.clock, n_led=20)
    assert board.open().verified is Verification.NONE
    assert board.show(LEFT).digest is None
    for _ in range(10):
        wait(board, plug.clock, 500, step_ms=500)
    assert strip.lit == LEFT


def test_a_pulled_strip_gets_the_newest_picture_when_it_is_back() -> None:
    strip = FakeWled(20)
    plug = plugged(strip)
    board = AdalightBoard(plug, plug.clock, n_led=20)
    board.open()
    board.show(LEFT)
    plug.pull()
    with pytest.raises(BoardLostError):
        board.show(RIGHT)
    wait(board, plug.clock, 300)
    assert not board.health().is_answering
    plug.is_plugged = True
    wait(board, plug.clock, 1_200)
    assert board.health().is_answering
    assert strip.lit == RIGHT


def test_a_picture_longer_than_the_strip_is_a_mistake() -> None:
    plug = plugged(FakeWled(20))
    board = AdalightBoard(plug, plug.clock, n_led=20)
    board.open()
    with pytest.raises(WrongLedCountError):
        board.show(LedFrame.dark(21))
    assert plug.written == b""


def test_no_light_board_takes_every_picture() -> None:
    board: LightBoard = NullBoard()
    assert board.open().verified is Verification.NONE
    board.show(LEFT)
    assert board.health().is_answering
    board.close()
    assert isinstance(board, NullBoard)
    assert board.last == LEFT
