"""The options that name a light board. `light_boards.py`, which opens it, is imported only when a command runs."""

import argparse
from pathlib import Path
from typing import Any

AUTO, FAKE = "auto", "fake"
MAX_MA = 65_535
DRIVERS = (AUTO, "bglp", "wled", "adalight", "null")


def add_light_board_options(parser: Any) -> None:
    parser.add_argument(
        "--port",
        metavar="P",
        default=AUTO,
        help="the serial port, best by its name below /dev/serial/by-id; auto: the first with a light board (default); "
        "fake: a board in memory",
    )
    parser.add_argument(
        "--driver",
        choices=DRIVERS,
        default=AUTO,
        help="the protocol of the board (default: auto, which asks the board); null: no board",
    )
    parser.add_argument(
        "--max-ma",
        metavar="MA",
        dest="cap_ma",
        type=_parse_milliamperes,
        help="the current that the supply allows; brighter pictures are dimmed (default: 1500, the limit of our own "
        "firmware; a WLED board has only its own limit)",
    )
    parser.add_argument(
        "--layout", metavar="FILE", type=Path, help="the place of each LED, made by leds map or by hand"
    )
    parser.add_argument(
        "--leds", metavar="N", type=int, help="the number of LEDs of the strip (default: as the board reports)"
    )


def _parse_milliamperes(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MAX_MA):
        raise argparse.ArgumentTypeError(f"{text} is no current; give milliamperes from 1 to {MAX_MA}")
    return int(text)
