"""Whether a busy computer loses the light board: `python -m tests.benchmarks.heartbeat [--minutes N]`. *Sim*, in real time.

The process is as nice as a program can be told to be by 10, two other processes compute without end, and the loop shows
a picture only every quarter of a second, as with slow frames. The board in memory lies behind a pseudo-terminal. Five
minutes nobody unplugs it; then it is unplugged ten times.

Bars: no loss while it is plugged in, and each true loss is found within two seconds.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from firmware_bridge.boards import BglpBoard, SteadyBoard, keep_beating
from firmware_bridge.errors import BoardLostError
from firmware_bridge.led_frame import LedFrame, Rgb, Run
from firmware_bridge.serial_port import SerialPlug, monotonic_ms
from tests.benchmarks.soak import N_LED, Socket

NICE, BUSY_LOOPS, UNPLUGGED = 10, 2, 10
FRAME_S = 0.25
FOUND_WITHIN_S = 2.0
_BACK_WITHIN_S = 20.0


@contextmanager
def busy_computer() -> Iterator[None]:
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(BUSY_LOOPS)]
    os.nice(NICE)
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def is_answering(board: SteadyBoard, number: int) -> bool:
    """Shows another picture; whether the board took it and answers."""
    try:
        board.show(LedFrame.from_runs(N_LED, [Run(number % N_LED, 1, Rgb(0, 40, 0))]))
        return board.health().is_answering
    except BoardLostError:
        return False


def false_losses(board: SteadyBoard, for_s: float) -> int:
    end_s, number, lost, was_answering = time.monotonic() + for_s, 0, 0, True
    while time.monotonic() < end_s:
        number += 1
        answers = is_answering(board, number)
        lost += was_answering and not answers
        was_answering = answers
        time.sleep(FRAME_S)
    return lost


def true_loss_s(board: SteadyBoard, usb: Socket) -> float:
    """The time from unplugging to the finding. The board is plugged in and answers again afterwards."""
    usb.unplug()
    began_s, number = time.monotonic(), 0
    while is_answering(board, number):
        number += 1
        time.sleep(FRAME_S)
    took_s = time.monotonic() - began_s
    usb.plug_in()
    end_s = time.monotonic() + _BACK_WITHIN_S
    while not is_answering(board, number) and time.monotonic() < end_s:
        time.sleep(FRAME_S)
    return took_s


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.heartbeat")
    parser.add_argument("--minutes", type=float, default=5.0, help="without unplugging (default: 5)")
    options = parser.parse_args(arguments)
    with ExitStack() as opened:
        usb = Socket(Path(opened.enter_context(tempfile.TemporaryDirectory())) / "light-board")
        usb.plug_in()
        opened.callback(usb.unplug)
        board = SteadyBoard(BglpBoard(SerialPlug(str(usb.path)), monotonic_ms), monotonic_ms)
        board.open()
        opened.callback(board.close)
        opened.enter_context(keep_beating(board))
        with busy_computer():
            lost = false_losses(board, 60 * options.minutes)
            found_s = [true_loss_s(board, usb) for _ in range(UNPLUGGED)]
    is_kept = not lost and max(found_s) <= FOUND_WITHIN_S
    print(f"  {options.minutes:g} minutes at nice {NICE} beside {BUSY_LOOPS} busy loops, load {os.getloadavg()[0]:.1f}")
    print(f"  {lost} false losses, bar 0; true losses found within {max(found_s):.2f} s, bar {FOUND_WITHIN_S:.0f}")
    print("  kept" if is_kept else "  MISSED")
    return int(not is_kept)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
