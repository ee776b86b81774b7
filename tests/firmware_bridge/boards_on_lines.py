"""Builders: a fake board behind a fake line, and the driver in front of it."""

from collections.abc import Callable
from itertools import count
from random import Random

from firmware_bridge.boards.bglp import BglpBoard
from firmware_bridge.boards.light_board import LightBoard
from firmware_bridge.fakes.fake_board import FakeBoard, FakeBoardSpec
from firmware_bridge.fakes.fake_line import Device, FakeClock, FakePlug
from firmware_bridge.led_frame import BLACK, LedFrame, Rgb

RED, GREEN = Rgb(255, 0, 0), Rgb(0, 255, 0)


def sessions(first: int = 0x1234) -> Callable[[], int]:
    """Session numbers that a test can foresee, each once."""
    return count(first).__next__


def plugged(device: Device, *, seed: int = 0) -> FakePlug:
    return FakePlug(device, FakeClock(), random=Random(seed))


def bglp_board(make: FakeBoardSpec | None = None, *, seed: int = 0) -> tuple[BglpBoard, FakeBoard, FakePlug]:
    """Not opened yet."""
    board = FakeBoard(make)
    plug = plugged(board, seed=seed)
    return BglpBoard(plug, plug.clock, draw_session=sessions()), board, plug


def open_bglp_board(make: FakeBoardSpec | None = None) -> tuple[BglpBoard, FakeBoard, FakePlug]:
    board, fake, plug = bglp_board(make)
    board.open()
    return board, fake, plug


def wait(board: LightBoard, clock: FakeClock, for_ms: int, *, step_ms: int = 20) -> None:
    """The loop's heartbeat while nothing is to be shown."""
    until_ms = clock.now_ms + for_ms
    while clock.now_ms < until_ms:
        clock.now_ms += step_ms
        board.health()


def picture(random: Random, n_led: int, *, colours: bool = False) -> LedFrame:
    """Some LEDs lit; with `colours` each in another."""
    if colours:
        return LedFrame(tuple(Rgb(*random.randbytes(3)) for _ in range(n_led)))
    leds = [BLACK] * n_led
    for _ in range(random.randint(1, 6)):
        start = random.randrange(n_led)
        colour = Rgb(*random.randbytes(3))
        for led in range(start, min(n_led, start + random.randint(1, 5))):
            leds[led] = colour
    return LedFrame(tuple(leds))
