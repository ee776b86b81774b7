"""Draws a board as a small SVG picture for paper: White at the lower edge, outlines and numbers besides shades."""

from collections.abc import Mapping
from dataclasses import dataclass

from controller.formats.reports.svg import element, picture, text
from controller.rules import POINTS, Player, Ruleset, parse_setup, physical_point
from controller.rules.grasshopper import game as grasshopper

_CELL, _BAR, _ROWS = 20.0, 24.0, 5
_HEIGHT, _EDGE = 2 * _ROWS * 20.0 + 30.0, 14.0
_WIDTH = 12 * _CELL + _BAR + 70.0
_FILL = {Player.WHITE: "#ffffff", Player.BLACK: "#333333"}


@dataclass(frozen=True, slots=True)
class _CheckerStack:
    """Checkers of one player on a point; `pins`: an opposing checker lies below them."""

    player: Player
    count: int
    pins: bool = False


@dataclass(frozen=True, slots=True)
class _BoardLayout:
    """`points` are by physical number 1 to 24; `beside` has lines of text for each player."""

    points: Mapping[int, _CheckerStack]
    bar: Mapping[Player, int]
    beside: Mapping[Player, tuple[str, ...]]
    is_mirrored: bool = False


def board_svg(position: str, rules: Ruleset | None, title: str) -> str:
    """The picture of position text; `rules` None: of Grasshopper. Invalid text is shown as text; raises nothing."""
    try:
        drawn = _lay_out_grasshopper(position) if rules is None else _lay_out_dice_game(position, rules)
    except (ValueError, LookupError):
        return picture(text(position[:80] or "no board", x=4, y=16, font_size=11), _WIDTH, 24.0, title)
    return picture(
        _draw_frame(drawn) + _draw_points(drawn) + _draw_bar(drawn) + _draw_notes(drawn),
        _WIDTH,
        _HEIGHT + 2 * _EDGE,
        title,
    )


def _lay_out_dice_game(position: str, rules: Ruleset) -> _BoardLayout:
    setup = parse_setup(position)
    points: dict[int, _CheckerStack] = {}
    for player in Player:
        own, other = setup.side(player), setup.side(player.opponent)
        for point, count in enumerate(own.points, 1):
            if not count or (point in own.pinned and other.points[rules.direction.across(point) - 1]):
                continue
            place = physical_point(point, player, rules.direction, white_head=rules.white_head)
            points[place] = _CheckerStack(player, count, pins=rules.direction.across(point) in other.pinned)
    beside = {}
    for player in Player:
        side = setup.side(player)
        beside[player] = (f"off {side.off}", *((f"waits {side.reserve}",) if side.reserve else ()))
    return _BoardLayout(points, {player: setup.side(player).bar for player in Player}, beside, rules.sense == "cw")


def _lay_out_grasshopper(position: str) -> _BoardLayout:
    state = grasshopper.from_text(position)
    points = {
        point: _CheckerStack(player, state.at(point).count(player))
        for point in POINTS
        for player in Player
        if state.at(point).count(player)
    }
    beside = {player: (f"hand {state.hand(player)}",) for player in Player}
    return _BoardLayout(points, dict.fromkeys(Player, 0), beside)


def _point_middle_x(place: int, drawn: _BoardLayout) -> float:
    """The x coordinate of a point's middle: P1 is at the lower right, P24 at the upper right."""
    column = 12 - place if place <= 12 else place - 13
    column = 11 - column if drawn.is_mirrored else column
    return _CELL * (column + 0.5) + (_BAR if column >= 6 else 0.0) + 1


def _draw_frame(drawn: _BoardLayout) -> str:
    width = 12 * _CELL + _BAR
    parts = [element("rect", x=1, y=_EDGE, width=width, height=_HEIGHT, fill="none", stroke="#000")]
    parts.append(element("rect", x=6 * _CELL + 1, y=_EDGE, width=_BAR, height=_HEIGHT, fill="#eee", stroke="#000"))
    for place in POINTS:
        x, is_upper = _point_middle_x(place, drawn), place > 12
        rim, tip = (_EDGE, _EDGE + 80) if is_upper else (_EDGE + _HEIGHT, _EDGE + _HEIGHT - 80)
        shade = "#e4e4e4" if place % 2 else "#c4c4c4"
        corners = f"{x - _CELL / 2:.1f},{rim} {x + _CELL / 2:.1f},{rim} {x:.1f},{tip}"
        parts.append(element("polygon", points=corners, fill=shade))
        y = _EDGE - 4 if is_upper else _EDGE + _HEIGHT + 11
        parts.append(text(str(place), x=x, y=y, font_size=9, text_anchor="middle"))
    return "".join(parts)


def _draw_points(drawn: _BoardLayout) -> str:
    parts = []
    for place, stack in drawn.points.items():
        up = -1 if place <= 12 else 1
        y = _EDGE + _HEIGHT - _CELL / 2 if place <= 12 else _EDGE + _CELL / 2
        checkers = ([stack.player.opponent] if stack.pins else []) + [stack.player] * stack.count
        parts.append(_draw_column(_point_middle_x(place, drawn), y, up, checkers))
    return "".join(parts)


def _draw_column(x: float, y: float, up: int, checkers: list[Player]) -> str:
    """Draws a stack from the rim inwards; a stack that is too tall carries its height as a number."""
    shown = checkers[:_ROWS]
    parts = [
        element("circle", cx=x, cy=y + up * _CELL * row, r=_CELL / 2 - 1, fill=_FILL[player], stroke="#000")
        for row, player in enumerate(shown)
    ]
    if len(checkers) > _ROWS:
        ink = "#000" if shown[-1] is Player.WHITE else "#fff"
        at = y + up * _CELL * (_ROWS - 1) + 4
        parts.append(text(str(len(checkers)), x=x, y=at, font_size=11, text_anchor="middle", fill=ink))
    return "".join(parts)


def _draw_bar(drawn: _BoardLayout) -> str:
    x, middle = 6 * _CELL + _BAR / 2 + 1, _EDGE + _HEIGHT / 2
    return "".join(
        _draw_column(x, middle + away * _CELL, away, [player] * drawn.bar[player])
        for player, away in ((Player.WHITE, 1), (Player.BLACK, -1))
        if drawn.bar[player]
    )


def _draw_notes(drawn: _BoardLayout) -> str:
    x = 12 * _CELL + _BAR + 8
    parts = []
    for player, top in ((Player.BLACK, _EDGE + 14), (Player.WHITE, _EDGE + _HEIGHT - 20)):
        for row, words in enumerate((player.name.capitalize(), *drawn.beside[player])):
            parts.append(text(words, x=x, y=top + 14 * row, font_size=11))
    return "".join(parts)
