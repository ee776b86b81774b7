"""The places of a board as the camera sees it, and the colours that can stand there."""

from enum import Enum


class Place(Enum):
    """Where checkers stand: the upper row from left to right, the lower row, the bar, the trays together."""

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


POINTS = tuple(place for place in Place if place not in (Place.BAR, Place.TRAY))


class Colour(Enum):
    """What stands on a point; the first four are the rows of its likelihoods."""

    NONE = "none"
    LIGHT = "light"
    DARK = "dark"
    BOTH = "both"
    UNKNOWN = "unknown"
