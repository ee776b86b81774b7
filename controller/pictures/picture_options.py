"""Values of the command line options about pictures: corners and sizes of the field."""

import math
import re
from argparse import ArgumentTypeError
from typing import Any

Corner = tuple[float, float]
Corners = tuple[Corner, Corner, Corner, Corner]

SMALLEST_FIELD_MM, LARGEST_FIELD_MM = 50.0, 3000.0  # physical: from travel sets to demonstration boards

_CORNERS = "x,y,x,y,x,y,x,y"


def add_corners_option(options: Any) -> None:
    """Adds `--corners` to a parser or a group; argparse has no public type for both."""
    options.add_argument(
        "--corners",
        metavar=_CORNERS,
        type=parse_corners_px,
        help="the field's corners in pixels, clockwise from the one that becomes the upper left",
    )


def parse_corners_px(text: str) -> Corners:
    """`x,y,x,y,x,y,x,y`: the field's corners in px, clockwise from the upper left one. Raises ArgumentTypeError."""
    numbers = [_parse_number(part) for part in text.split(",")]
    if len(numbers) != 8:
        raise ArgumentTypeError(f"four corners are eight numbers {_CORNERS}, not {len(numbers)}")
    first, second, third, fourth = zip(numbers[::2], numbers[1::2], strict=True)
    corners = (first, second, third, fourth)
    turns = [_cross_product(corners[i - 2], corners[i - 1], corners[i]) for i in range(4)]
    if max(turns) < 0:
        raise ArgumentTypeError("the corners run anticlockwise; give them clockwise from the upper left one")
    if min(turns) <= 0:
        raise ArgumentTypeError("these corners are no field; give them one after the other, clockwise")
    return corners


def parse_size_mm(text: str) -> tuple[float, float]:
    """`WxH`: the field's width (bar included) and height in mm. Raises ArgumentTypeError."""
    sides = re.split("[x×X]", text)
    if len(sides) != 2:
        raise ArgumentTypeError(f"{text!r} is no size; write width x height in mm, for example 440x520")
    width_mm, height_mm = _parse_number(sides[0]), _parse_number(sides[1])
    if not all(SMALLEST_FIELD_MM <= side <= LARGEST_FIELD_MM for side in (width_mm, height_mm)):
        raise ArgumentTypeError(f"{text} is no size of a board; give width x height in mm, for example 440x520")
    return width_mm, height_mm


def _cross_product(before: Corner, corner: Corner, after: Corner) -> float:
    """Positive for a turn to the right on the screen, where y points down."""
    return (corner[0] - before[0]) * (after[1] - corner[1]) - (corner[1] - before[1]) * (after[0] - corner[0])


def _parse_number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ArgumentTypeError(f"{text!r} is no number")
    return number
