"""Snowie's position line: forty fields, each ended by a semicolon. XG writes one where it cannot write a play.

    length; 3 flags; player to move; name on roll; other name; Crawford; own score; other score; cube; cube owner;
    the other's bar (negative); points 1 to 24 (own +, other -); own bar; die; die

All from the side of the player to move.
"""

from controller.formats.positions.match_state import MatchState, make_side
from controller.formats.safe_text import one_line
from controller.rules import Player, Setup

_BOARD_FROM, _BOARD_TO = -28, -2  # counted from the end, because names may contain semicolons
_MOST_CHECKERS = 15


def snowie_position(moment: MatchState, names: tuple[str, str]) -> str:
    """The line for the player on roll; `names` are White's and Black's."""
    own = moment.on_roll
    counts, other = moment.point_counts(own), moment.point_counts(own.opponent)
    own_index = 0 if own is Player.WHITE else 1
    points = [counts[point] - other[23 - point] for point in range(24)]
    dice = moment.dice or (0, 0)
    owner = 0 if moment.owner is None else 1 if moment.owner is own else -1
    fields = (
        moment.length,
        0 if moment.length else int(moment.jacoby),
        0,
        0 if moment.length else int(moment.beavers),
        own_index,
        _format_name(names[own_index]),
        _format_name(names[1 - own_index]),
        int(moment.is_crawford),
        moment.score[own_index],
        moment.score[1 - own_index],
        moment.cube,
        owner,
        -other[24],
        *points,
        counts[24],
        *dice,
    )
    return ";".join(map(str, fields)) + ";"


def parse_board(text: str, mover: Player) -> Setup | None:
    """The checkers of a position line in brackets; None if there is none. Checkers missing to fifteen are off."""
    inside = text.partition("(")[2].rpartition(")")[0] or text.partition("(")[2]
    fields = [field.strip() for field in inside.rstrip("; ").split(";")]
    numbers = fields[_BOARD_FROM:_BOARD_TO]
    if len(fields) < 40 or not all(_is_count(number) for number in numbers):
        return None
    counts = [int(number) for number in numbers]
    to_move = mover if fields[4] in ("0", "1") and (fields[4] == "1") == (mover is Player.BLACK) else mover.opponent
    own = tuple(max(count, 0) for count in counts[1:])
    other = tuple(max(-count, 0) for count in reversed(counts[:-1]))
    sides = {to_move: make_side(own), to_move.opponent: make_side(other)}
    return Setup(sides[Player.WHITE], sides[Player.BLACK])


def _is_count(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and int(digits[:3]) <= _MOST_CHECKERS


def _format_name(name: str) -> str:
    return one_line(name.replace(";", ","))
