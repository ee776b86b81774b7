"""The options of the commands that look at pictures, with the values that stand in them."""

import argparse
import math
import re
from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

Corner = tuple[float, float]
Corners = tuple[Corner, Corner, Corner, Corner]

SMALLEST_FIELD_MM, LARGEST_FIELD_MM = 50.0, 3000.0  # from travel sets to boards on a wall


_CORNERS = "x,y,x,y,x,y,x,y"


def add_read(commands: Any, for_all: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """`commands` is what argparse's add_subparsers gives, a class without a public name."""
    read: argparse.ArgumentParser = commands.add_parser(
        "read",
        parents=[for_all],
        help="read the checkers in pictures of a board",
        description="Reads every picture by itself. Without --calibration and --corners the board is found in each.",
        allow_abbrev=False,
    )
    read.add_argument("images", metavar="IMAGE", nargs="+", help="JPEG, PNG, WebP and others")
    where = read.add_mutually_exclusive_group()
    where.add_argument("--calibration", metavar="FILE", type=Path, help="made by zarbiter calibrate")
    _add_corners(where)
    read.add_argument("--json", action="store_true", help="one JSON object a line")
    read.add_argument("--overlay", metavar="DIR", type=Path, help="pictures of what was understood go there")
    read.add_argument("--game", metavar="G", help="the game whose throws are judged; dice are not read yet")
    read.add_argument("--profile", metavar="P", help="the profile they are judged under; dice are not read yet")
    return read


def add_calibrate(commands: Any, for_all: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """The same for `calibrate`."""
    calibrate: argparse.ArgumentParser = commands.add_parser(
        "calibrate",
        parents=[for_all],
        help="find the board and keep where it lies",
        description="Finds the board by tags on its rim, by the start position of a game, or by itself, and says which.",
        allow_abbrev=False,
    )
    calibrate.add_argument(
        "source", metavar="SRC", help="a camera, a stream, a video, a picture or a folder of pictures"
    )
    calibrate.add_argument("-o", "--output", metavar="FILE", type=Path, required=True, help="the calibration")
    calibrate.add_argument("--game", metavar="G", help="the checkers stand as this game starts, or in no known way")
    _add_corners(calibrate)
    calibrate.add_argument(
        "--field-mm",
        metavar="WxH",
        type=size_mm,
        help="the field inside the rims, bar included (default: 440 mm of width are assumed)",
    )
    calibrate.add_argument("--json", action="store_true", help="one JSON object on one line")
    return calibrate


def _add_corners(options: Any) -> None:
    options.add_argument(
        "--corners",
        metavar=_CORNERS,
        type=corners_px,
        help="the field's corners in pixels, clockwise from the one that becomes the upper left",
    )


def corners_px(text: str) -> Corners:
    """`x,y,x,y,x,y,x,y`: the field's corners, clockwise from the one that becomes the upper left."""
    numbers = [_number(part) for part in text.split(",")]
    if len(numbers) != 8:
        raise ArgumentTypeError(f"four corners are eight numbers {_CORNERS}, not {len(numbers)}")
    first, second, third, fourth = zip(numbers[::2], numbers[1::2], strict=True)
    corners = (first, second, third, fourth)
    turns = [_turn(corners[i - 2], corners[i - 1], corners[i]) for i in range(4)]
    if max(turns) < 0:
        raise ArgumentTypeError("the corners run anticlockwise; give them clockwise from the upper left one")
    if min(turns) <= 0:
        raise ArgumentTypeError("these corners are no field; give them one after the other, clockwise")
    return corners


def size_mm(text: str) -> tuple[float, float]:
    """`WxH`: the field's width (bar included) and height in mm."""
    sides = re.split("[x×X]", text)
    if len(sides) != 2:
        raise ArgumentTypeError(f"{text!r} is no size; write width x height in mm, for example 440x520")
    width_mm, height_mm = _number(sides[0]), _number(sides[1])
    if not all(SMALLEST_FIELD_MM <= side <= LARGEST_FIELD_MM for side in (width_mm, height_mm)):
        raise ArgumentTypeError(f"{text} is no size of a board; give width x height in mm, for example 440x520")
    return width_mm, height_mm


def _turn(before: Corner, corner: Corner, after: Corner) -> float:
    """Above zero for a turn to the right, as seen on the screen, whose y goes down."""
    return (corner[0] - before[0]) * (after[1] - corner[1]) - (corner[1] - before[1]) * (after[0] - corner[0])


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ArgumentTypeError(f"{text!r} is no number")
    return number
