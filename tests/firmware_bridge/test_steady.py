"""A board keeps its session while the program is slow, never shows a stale picture for long, and tells a busy computer."""

import pytest

from firmware_bridge.boards.steady import BEAT_MS, SteadyBoard, keep_beating
from firmware_bridge.errors import BoardLostError, ComputerBusyError
from firmware_bridge.fakes.fake_board import FakeBoard
from firmware_bridge.fakes.fake_line import FakePlug
from firmware_bridge.led_frame import LedFrame
from tests.firmware_bridge.boards_on_lines import GREEN, bglp_board

PICTURE = LedFrame((GREEN,) * 4)


def opened() -> tuple[SteadyBoard, FakeBoard, FakePlug]:
    inner, fake, plug = bglp_board()
    board = SteadyBoard(inner, plug.clock)
    board.open()
    return board, fake, plug


def let_pass(board: SteadyBoard, plug: FakePlug, for_ms: int) -> None:
    """The program does nothing; only the heartbeat runs."""
    for _ in range(for_ms // BEAT_MS):
        plug.clock.now_ms += BEAT_MS
        board.beat()


def is_lit(fake: FakeBoard) -> bool:
    return fake.lit.leds[0] == GREEN


def test_a_slow_program_loses_no_board() -> None:
    """Half a minute without a call: the session lasts, and the next call shows the picture again."""
    board, fake, plug = opened()
    board.show(PICTURE)
    let_pass(board, plug, 30_000)
    assert board.health().is_answering
    assert is_lit(fake)


def test_a_stale_picture_goes_dark_within_two_seconds() -> None:
    board, fake, plug = opened()
    board.show(PICTURE)
    let_pass(board, plug, 1_400)
    assert is_lit(fake)
    let_pass(board, plug, 600)
    assert not is_lit(fake)
    board.show(PICTURE)
    assert is_lit(fake)


def test_a_program_that_asks_keeps_its_picture() -> None:
    board, fake, plug = opened()
    board.show(PICTURE)
    for _ in range(20):
        let_pass(board, plug, 1_000)
        assert board.health().is_answering
        assert is_lit(fake)


def test_a_true_loss_is_told_within_two_seconds() -> None:
    board, _, plug = opened()
    board.show(PICTURE)
    plug.pull()
    let_pass(board, plug, 1_000)
    health = board.health()
    assert (health.is_answering, health.is_computer_busy) == (False, False)
    with pytest.raises(BoardLostError, match=r"the light board was unplugged; check its cable"):
        board.show(LedFrame((GREEN,) * 3))


def test_a_late_heartbeat_tells_that_the_computer_is_busy() -> None:
    """For some seconds; a cable that was pulled is told as such all the same."""
    board, _, plug = opened()
    board.show(PICTURE)
    plug.clock.now_ms += 3_000
    board.beat()
    assert board.health().is_computer_busy
    plug.pull()
    with pytest.raises(BoardLostError) as lost:
        board.show(LedFrame((GREEN,) * 3))
    assert not isinstance(lost.value, ComputerBusyError)
    let_pass(board, plug, 4_000)
    assert not board.health().is_computer_busy


def test_the_thread_ends_with_its_context() -> None:
    board, _, _ = opened()
    with keep_beating(board):
        board.show(PICTURE)
    board.close()


def test_the_words_of_a_busy_computer() -> None:
    assert str(ComputerBusyError("/dev/x")) == (
        "/dev/x: this computer is busy, and the light board heard nothing in time; close other programs."
    )
