from firmware_bridge.boards.bglp import BglpBoard
from firmware_bridge.fakes.fake_board import FakeBoard, FakeBoardSpec
from firmware_bridge.fakes.pty_line import PtyLine
from firmware_bridge.led_frame import LedFrame, Rgb
from firmware_bridge.serial_port import SerialPlug, monotonic_ms


def test_a_board_in_memory_has_a_real_port() -> None:
    """Opened by its path like any other; what is shown is lit."""
    device = FakeBoard(FakeBoardSpec(n_led=30))
    with PtyLine(device, monotonic_ms) as line:
        board = BglpBoard(SerialPlug(line.name), monotonic_ms)
        assert board.open().n_led == 30
        board.show(LedFrame((Rgb(1, 2, 3),) * 30))
        assert device.lit == LedFrame((Rgb(1, 2, 3),) * 30)
        board.close()
