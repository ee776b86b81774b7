"""Draws a position as text, as White sees the board from his seat: P1 at the lower right, P24 at the upper right.

The drawing is 76 columns wide. Its rim carries the physical numbers P1..P24; on request the frame also carries the
numbers of one player's own path, in which plays are written. A drawing consists of one column for each point and a
panel at the right for everything beside the board.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from controller.rules import BAR, OFF, POINTS, RESERVE, Player, Position, Ruleset, physical_point
from controller.rules.grasshopper.game import PIECES, State

_ROWS = 5  # checkers drawn in a column; in a taller stack the innermost one is replaced by the height
_CELL = 4
_HALF = 6 * _CELL + 1
_BAR_WIDTH = 5
_UPPER_LEFT, _UPPER_RIGHT = range(13, 19), range(19, 25)
_LOWER_LEFT, _LOWER_RIGHT = range(12, 6, -1), range(6, 0, -1)


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The characters of a drawing, each one column wide."""

    white: str
    black: str
    empty: str
    wall: str
    rim: str
    upper: tuple[str, str, str]  # left corner, above the sides of the bar, right corner
    lower: tuple[str, str, str]

    def checker(self, player: Player) -> str:
        return self.white if player is Player.WHITE else self.black


UNICODE = Glyphs("○", "●", "·", "│", "─", ("┌", "┬", "┐"), ("└", "┴", "┘"))
ASCII = Glyphs("O", "X", ".", "|", "-", ("+", "+", "+"), ("+", "+", "+"))


@dataclass(frozen=True, slots=True)
class CubeDisplay:
    """The cube's value and its owner; without an owner it lies in the middle of the bar."""

    value: int
    owner: Player | None = None


@dataclass(frozen=True, slots=True)
class _Drawing:
    """`columns` and `frame` are by physical point; panels and bar rows run from the rim inwards."""

    columns: Mapping[int, tuple[str, ...]]
    frame: Mapping[int, str]
    bar: Mapping[Player, tuple[str, ...]]
    panel: Mapping[Player, tuple[str, ...]]
    middle: str = ""
    is_mirrored: bool = False


def select_glyphs(encoding: str | None) -> Glyphs:
    """The drawing characters that `encoding` can carry."""
    plain = (UNICODE.white, UNICODE.black, UNICODE.empty, UNICODE.wall, UNICODE.rim)
    try:
        "".join((*plain, *UNICODE.upper, *UNICODE.lower)).encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE


def board_text(
    position: Position,
    rules: Ruleset,
    *,
    glyphs: Glyphs = UNICODE,
    own_path_of: Player | None = None,
    cube: CubeDisplay | None = None,
) -> str:
    """The board of a game with dice; the numbers of `own_path_of` stand on the frame."""
    columns: dict[int, tuple[str, ...]] = {}
    frame: dict[int, str] = {}
    for player in Player:
        for point, count in enumerate(position.counts(player)):
            if point not in POINTS:
                continue
            place = physical_point(point, player, rules.direction, white_head=rules.white_head)
            is_pinned = bool(position.pinned_mask(player) >> point & 1)
            if count and not is_pinned:
                across = rules.direction.across(point)
                pins = bool(position.pinned_mask(player.opponent) >> across & 1)
                columns[place] = _point_column(count, player, glyphs, pins=pins)
            if player is own_path_of:
                frame[place] = str(point)
    drawing = _Drawing(
        columns,
        frame,
        {player: _stack_symbols(position.counts(player)[BAR], glyphs.checker(player)) for player in Player},
        {player: _panel_lines(position, player, rules, glyphs, cube) for player in Player},
        f"[{cube.value}]" if cube is not None and cube.owner is None else "",
        is_mirrored=rules.sense == "cw",
    )
    return _draw(drawing, glyphs)


def grasshopper_text(state: State, *, glyphs: Glyphs = UNICODE) -> str:
    """The board of Grasshopper, whose 24 points both players count alike, with hands and scores beside it."""
    columns: dict[int, tuple[str, ...]] = {}
    for point in POINTS:
        for player in Player:
            pieces = state.at(point).count(player)
            if pieces:
                columns[point] = (glyphs.checker(player),) * pieces
    panel = {
        player: (
            f"{glyphs.checker(player)} {player.name.capitalize()}",
            f"hand  {state.hand(player):>3}",
            f"score {(PIECES - state.pieces(player)) // 2:>3}",
            "scored last" if state.last_scorer is player else "",
        )
        for player in Player
    }
    nothing: dict[Player, tuple[str, ...]] = dict.fromkeys(Player, ())
    return _draw(_Drawing(columns, {}, nothing, panel), glyphs)


def _point_column(count: int, player: Player, glyphs: Glyphs, *, pins: bool) -> tuple[str, ...]:
    """A stack from the rim inwards; a pinned checker of the opponent comes first, in brackets."""
    if not pins:
        return _stack_symbols(count, glyphs.checker(player))
    below = f"({glyphs.checker(player.opponent)})"
    return (below, *_stack_symbols(count, glyphs.checker(player), rows=_ROWS - 1))


def _stack_symbols(count: int, checker: str, *, rows: int = _ROWS) -> tuple[str, ...]:
    if count <= rows:
        return (checker,) * count
    return (*(checker,) * (rows - 1), str(count))


def _panel_lines(
    position: Position, player: Player, rules: Ruleset, glyphs: Glyphs, cube: CubeDisplay | None
) -> tuple[str, ...]:
    counts = position.counts(player)
    lines = [
        f"{glyphs.checker(player)} {player.name.capitalize()}",
        f"pips  {position.pips(player):>3}",
        f"off   {counts[OFF]:>3}",
    ]
    if rules.has_reserve:
        lines.append(f"waits {counts[RESERVE]:>3}")
    if cube is not None and cube.owner is player:
        lines.append(f"cube [{cube.value}]")
    return tuple(lines)


def _draw(drawing: _Drawing, glyphs: Glyphs) -> str:
    upper = _BoardRow(tuple(_UPPER_LEFT), tuple(_UPPER_RIGHT), Player.BLACK, glyphs.upper)
    lower = _BoardRow(tuple(_LOWER_LEFT), tuple(_LOWER_RIGHT), Player.WHITE, glyphs.lower)
    if drawing.is_mirrored:
        upper, lower = upper.mirror(), lower.mirror()
    lines = [
        _format_numbers(upper),
        _format_frame(drawing, upper, glyphs),
        *(_format_line(drawing, upper, depth, glyphs) for depth in range(_ROWS)),
        _enclose(" " * _HALF, drawing.middle, " " * _HALF, glyphs),
        *(_format_line(drawing, lower, depth, glyphs) for depth in reversed(range(_ROWS))),
        _format_frame(drawing, lower, glyphs),
        _format_numbers(lower),
    ]
    return "\n".join(line.rstrip() for line in lines)


@dataclass(frozen=True, slots=True)
class _BoardRow:
    """One long side of the board: its points from left to right, the player of its bar and panel, and its frame."""

    left: tuple[int, ...]
    right: tuple[int, ...]
    player: Player
    corners: tuple[str, str, str]

    def mirror(self) -> "_BoardRow":
        return _BoardRow(self.right[::-1], self.left[::-1], self.player, self.corners)


def _format_numbers(row: _BoardRow) -> str:
    left, right = ("".join(f"P{point}".center(_CELL) for point in half).ljust(_HALF) for half in (row.left, row.right))
    return f"  {left}{' ' * (_BAR_WIDTH + 2)}{right}"


def _format_frame(drawing: _Drawing, row: _BoardRow, glyphs: Glyphs) -> str:
    left, right = (
        "".join(drawing.frame.get(point, "").center(_CELL, glyphs.rim) for point in half) + glyphs.rim
        for half in (row.left, row.right)
    )
    start, side, end = row.corners
    return f" {start}{left}{side}{glyphs.rim * _BAR_WIDTH}{side}{right}{end}"


def _format_line(drawing: _Drawing, row: _BoardRow, depth: int, glyphs: Glyphs) -> str:
    """One line of checkers; depth 0 is at the rim, where an empty point has a dot."""
    left, right = (
        "".join(
            _symbol_at(drawing.columns.get(point, ()), depth, glyphs.empty if depth == 0 else "").center(_CELL)
            for point in half
        )
        for half in (row.left, row.right)
    )
    beside = _symbol_at(drawing.panel[row.player], depth if row.player is Player.BLACK else _ROWS - 1 - depth, "")
    return _enclose(left + " ", _symbol_at(drawing.bar[row.player], depth, ""), right + " ", glyphs) + "  " + beside


def _enclose(left: str, bar: str, right: str, glyphs: Glyphs) -> str:
    wall = glyphs.wall
    return f" {wall}{left}{wall}{bar.center(_BAR_WIDTH)}{wall}{right}{wall}"


def _symbol_at(column: tuple[str, ...], depth: int, otherwise: str) -> str:
    return column[depth] if depth < len(column) else otherwise
