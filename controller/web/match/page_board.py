"""A position as the page draws it: checkers by place of the picture, so that the drawing lies as the real board does."""

from dataclasses import dataclass
from typing import Annotated, TypedDict

from controller.adjudication import view_of, view_of_state
from controller.match import Checkers, Seating, numbers_along
from controller.match.seating import PictureEdge
from controller.observing import Pair
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import RefereeState
from controller.rules import BAR, POINTS, Direction, Player, RulesError, Ruleset, Side, parse_setup
from controller.rules.grasshopper import game as grasshopper
from controller.rules.grasshopper.game import GrasshopperRules


class BoardJson(TypedDict):
    """A board as it lies in the picture: pairs of counts (light, dark), the points in the order T1 to T12, B1 to B12.

    `waiting`: checkers that have not entered. `dark_above`: indices of points with both colours, the upper checker dark.
    """

    points: list[list[int]]
    bar: list[int]
    off: list[int]
    waiting: list[int]
    dark_above: list[int]


class ShownSeatingJson(TypedDict):
    """Who sits where. `edge`: White's edge of the picture. `is_known` false: it is assumed."""

    is_known: bool
    white_plays: Annotated[str, Checkers]
    edge: Annotated[str, PictureEdge]
    mirrored: bool


class NumbersJson(TypedDict):
    """For each player the number of each place T1 to T12, B1 to B12 along the own path."""

    W: list[int]
    B: list[int]


@dataclass(frozen=True, slots=True)
class PageBoard:
    """Pairs of counts (light, dark). `points` are in the order T1..T12, B1..B12.

    `waiting` are checkers that have not entered: the reserve of race games, the hand in Grasshopper. `dark_above` are the
    indices of points with both colours whose upper checker is dark.
    """

    points: tuple[Pair, ...]
    bar: Pair
    off: Pair
    waiting: Pair
    dark_above: tuple[int, ...] = ()

    def to_record(self) -> BoardJson:
        return {
            "points": [list(pair) for pair in self.points],
            "bar": list(self.bar),
            "off": list(self.off),
            "waiting": list(self.waiting),
            "dark_above": list(self.dark_above),
        }


def make_page_board(position: str, seating: Seating, table: MatchConfig) -> PageBoard | None:
    """None for a text that is no position, which the text of a refused play may be."""
    try:
        if isinstance(table.rules, GrasshopperRules):
            return _make_grasshopper_board(grasshopper.from_text(position), seating)
        return _make_dice_game_board(position, seating, table.rules)
    except (RulesError, ValueError):
        return None


def _make_dice_game_board(position: str, seating: Seating, rules: Ruleset) -> PageBoard:
    setup = parse_setup(position)
    view = view_of(setup, seating, rules)
    waiting = _pair(seating, setup.white.reserve, setup.black.reserve)
    return PageBoard(view.points, view.bar, view.off, waiting, tuple(sorted(view.dark_above)))


def _make_grasshopper_board(state: grasshopper.State, seating: Seating) -> PageBoard:
    off = _pair(seating, *(grasshopper.PIECES - state.pieces(player) for player in Player))
    return PageBoard(
        view_of_state(state, seating).points, (0, 0), off, _pair(seating, state.white_hand, state.black_hand)
    )


def _pair(seating: Seating, white: int, black: int) -> Pair:
    return (white, black) if seating.white_plays is Checkers.LIGHT else (black, white)


def resolve_seating(state: RefereeState, table: MatchConfig) -> Seating:
    """The known seating; until then the agreed one, else the usual one."""
    if state.seating is not None:
        return state.seating
    head = 12 if isinstance(table.rules, GrasshopperRules) else table.rules.white_head
    return table.seating or Seating(white_head=head)


def seating_record(known: Seating | None, shown: Seating) -> ShownSeatingJson:
    """Who sits where, as it is known or assumed."""
    return {
        "is_known": known is not None,
        "white_plays": shown.white_plays.value,
        "edge": shown.edge.value,
        "mirrored": shown.mirrored,
    }


def player_point_numbers(seating: Seating, table: MatchConfig) -> NumbersJson:
    """For each player the numbers of the places T1..T12, B1..B12 along the player's path."""
    return {"W": _point_numbers(seating, table, Player.WHITE), "B": _point_numbers(seating, table, Player.BLACK)}


def _point_numbers(seating: Seating, table: MatchConfig, player: Player) -> list[int]:
    if isinstance(table.rules, GrasshopperRules):
        places = numbers_along(seating, Player.WHITE, Direction.CONTRARY)
    else:
        places = numbers_along(seating, player, table.rules.direction)
    numbers = [0] * len(POINTS)
    for point, place in zip(POINTS, places, strict=True):
        numbers[place] = point
    return numbers


def pip_counts(position: str) -> tuple[int, int] | None:
    """White's and Black's pip counts; a checker on the bar or in reserve counts 25. None for a text that is no position."""
    try:
        setup = parse_setup(position)
    except RulesError:
        return None
    return _pip_count(setup.white), _pip_count(setup.black)


def _pip_count(side: Side) -> int:
    return sum(point * count for point, count in enumerate(side.points, 1)) + BAR * (side.bar + side.reserve)
