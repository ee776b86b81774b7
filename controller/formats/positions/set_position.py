"""The line by which XG says that a game goes on from a position: `; Set Pos=-b----E-C---eE---c-e----B-/0`.

It is the board of an XGID, with the left player in capital letters, and the cube: 0 in the middle.
"""

import re
from dataclasses import dataclass

from controller.formats.positions.match_state import IdTextError, make_side
from controller.formats.positions.xgid import parse_sides
from controller.rules import Setup

_LINE = re.compile(r"\s*;\s*Set Pos=([-A-Oa-o]{26})(?:/(-?\d))?")


@dataclass(frozen=True, slots=True)
class SetPosition:
    """White is the left player."""

    board: Setup
    is_cube_in_the_middle: bool


def parse_set_position(line: str) -> SetPosition | None:
    """None where the line is another remark, or tells of no board."""
    found = _LINE.match(line)
    if found is None:
        return None
    try:
        right, left = parse_sides(found[1])
    except IdTextError:
        return None
    return SetPosition(Setup(make_side(left), make_side(right)), found[2] in (None, "0"))
