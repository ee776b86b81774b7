"""The places of a board in the camera's view, and the colours of the checkers on them.

The names belong to the picture, not to the players: T1 to T12 are the points of the upper row and B1 to B12 those of
the lower row, both from left to right, in a view whose bar is upright.
"""

from enum import Enum


class Place(Enum):
    """A place for checkers. TRAY stands for all trays together."""

    T1 = "T1"
    T2 = "T2"
    T3 = "T3"
    T4 = "T4"
    T5 = "T5"
    T6 = "T6"
    T7 = "T7"
    T8 = "T8"
    T9 = "T9"
    T10 = "T10"
    T11 = "T11"
    T12 = "T12"
    B1 = "B1"
    B2 = "B2"
    B3 = "B3"
    B4 = "B4"
    B5 = "B5"
    B6 = "B6"
    B7 = "B7"
    B8 = "B8"
    B9 = "B9"
    B10 = "B10"
    B11 = "B11"
    B12 = "B12"
    BAR = "bar"
    TRAY = "tray"


MOST_NAMED = 6
"""A knob: the places that one sentence or list names; more say only that the whole picture is hard to read."""
POINTS = tuple(place for place in Place if place not in (Place.BAR, Place.TRAY))


class Colour(Enum):
    """The content of a point. The first four members are the rows of the likelihood table of a point."""

    NONE = "none"
    LIGHT = "light"
    DARK = "dark"
    BOTH = "both"
    UNKNOWN = "unknown"
