"""Seating: the map from places of the picture to the points of a player.

Vision names places T1..T12 (upper row, left to right) and B1..B12 (lower row) and checkers light or dark; the rules count
points along each player's own path. Only this module joins the two. With White at the lower edge White's points 1..12
are B12..B1 and 13..24 are T1..T12; at the upper edge the board is turned by 180 degrees; a mirrored board exchanges i
and 13 - i first. White plays light unless the seating says otherwise.

People write a seating as `white=light|dark,edge=bottom|top,mirrored=yes|no,head=12|24`. Parts may be left out and are
inferred from the start position or the plays, so a text stands for every seating that fits it.
"""

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from controller.rules import POINTS as OWN_POINTS
from controller.rules import Direction, Half, Player, physical_point, quote_value
from vision.places import POINTS, Colour, Place

_COLUMNS = 12


class PictureEdge(Enum):
    """The edge of the picture where White sits."""

    BOTTOM = "bottom"
    TOP = "top"


class Checkers(Enum):
    """One of the two sorts of checkers, by mean brightness."""

    LIGHT = "light"
    DARK = "dark"

    @property
    def other(self) -> "Checkers":
        return Checkers.DARK if self is Checkers.LIGHT else Checkers.LIGHT

    @property
    def colour(self) -> Colour:
        """The colour of a point that holds only these checkers."""
        return Colour(self.value)

    @property
    def column(self) -> int:
        """Their index in a pair of counts (light, dark)."""
        return 0 if self is Checkers.LIGHT else 1


@dataclass(frozen=True, slots=True)
class Seating:
    """Who plays which checkers, and from which side.

    `mirrored`: the players run the other way round the board. `white_head` (12 or 24) is the physical point of White's
    first point in games on parallel paths; contrary games do not use it.
    """

    white_plays: Checkers = Checkers.LIGHT
    edge: PictureEdge = PictureEdge.BOTTOM
    mirrored: bool = False
    white_head: int = 12

    def checkers_of(self, player: Player) -> Checkers:
        return self.white_plays if player is Player.WHITE else self.white_plays.other

    def player_of(self, checkers: Checkers) -> Player:
        return Player.WHITE if checkers is self.white_plays else Player.BLACK

    def place_of(self, point: int, player: Player, direction: Direction) -> Place:
        """The place of the player's own point 1..24 in the picture."""
        number = physical_point(point, player, direction, white_head=self.white_head)
        return self._place(number)

    def point_at(self, place: Place, player: Player, direction: Direction) -> int:
        """The player's own point 1..24 at T1..B12; the inverse of `place_of`."""
        return next(point for point in range(1, 25) if self.place_of(point, player, direction) is place)

    def right_half(self, player: Player) -> Half:
        """The half of the board on the player's right, seen from his seat."""
        sits_below = (self.edge is PictureEdge.BOTTOM) == (player is Player.WHITE)
        return Half.RIGHT if sits_below else Half.LEFT

    def _place(self, number: int) -> Place:
        near = number <= _COLUMNS
        along = number if near else 25 - number  # 1 is the corner at White's home of the contrary games
        if self.mirrored:
            along = _COLUMNS + 1 - along
        if self.edge is PictureEdge.BOTTOM:
            row, column = ("B" if near else "T"), _COLUMNS + 1 - along
        else:
            row, column = ("T" if near else "B"), along
        return Place(f"{row}{column}")


ALL_SEATINGS = tuple(
    Seating(white_plays, edge, mirrored, white_head)
    for white_plays in Checkers
    for edge in PictureEdge
    for mirrored in (False, True)
    for white_head in (12, 24)
)


def place_number(place: Place) -> int:
    """The index 0..23 in the order T1..T12, B1..B12."""
    return POINTS.index(place)


@lru_cache(maxsize=256)
def numbers_along(seating: Seating, player: Player, direction: Direction) -> tuple[int, ...]:
    """Place numbers 0..23 of the player's own points 1..24, in order of points."""
    return tuple(place_number(seating.place_of(point, player, direction)) for point in OWN_POINTS)


FORM = "white=light|dark,edge=bottom|top,mirrored=yes|no"
_VALUES: dict[str, dict[str, object]] = {
    "white": {checkers.value: checkers for checkers in Checkers},
    "edge": {edge.value: edge for edge in PictureEdge},
    "mirrored": {"yes": True, "no": False},
    "head": {"12": 12, "24": 24},
}
_ATTRIBUTES = {"white": "white_plays", "edge": "edge", "mirrored": "mirrored", "head": "white_head"}


class SeatingTextError(ValueError):
    """A text that is no seating; its message is a sentence without a full stop, to be put into another."""


def parse_seatings(text: str) -> tuple[Seating, ...]:
    """All seatings that fit the text; an empty text fits all. Raises SeatingTextError."""
    asked: dict[str, object] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, _, value = (half.strip().lower() for half in part.partition("="))
        if key not in _VALUES:
            raise SeatingTextError(f"{quote_value(part)} is no part of a seating; write {FORM}")
        if value not in _VALUES[key]:
            raise SeatingTextError(f"{key} is {' or '.join(_VALUES[key])}, not {quote_value(value)}")
        if key in asked and asked[key] != _VALUES[key][value]:
            raise SeatingTextError(f"{key} is given twice; write it once")
        asked[key] = _VALUES[key][value]
    return tuple(seating for seating in ALL_SEATINGS if all(_matches(seating, key, asked[key]) for key in asked))


def seating_text(seating: Seating) -> str:
    """The text that `parse_seatings` reads, without the head, which most games do not use."""
    mirrored = "yes" if seating.mirrored else "no"
    return f"white={seating.white_plays.value},edge={seating.edge.value},mirrored={mirrored}"


def _matches(seating: Seating, key: str, value: object) -> bool:
    return bool(getattr(seating, _ATTRIBUTES[key]) == value)
