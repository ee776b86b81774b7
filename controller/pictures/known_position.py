"""A position that stands on the board in a picture, from the text of an option."""

import re
from argparse import ArgumentTypeError

from controller.adjudication import view_of
from controller.match import ALL_SEATINGS, Seating, parse_seatings
from controller.pictures.find_board import KnownPosition
from controller.rules import Ruleset, parse_setup
from vision.field.position_calibration import OccupancyByPlace
from vision.places import POINTS, Colour, Place

_PART = re.compile(r"([TB](?:1[0-2]|[1-9]))=(light|dark):(1[0-5]|[1-9])", re.IGNORECASE)
_EXAMPLE = "T1=dark:2,T6=light:5"


def parse_occupancy(text: str) -> KnownPosition:
    """`PLACE=COLOUR:COUNT,…`, every other point empty. Raises ArgumentTypeError."""
    occupancy: dict[Place, tuple[Colour, int]] = {}
    for part in text.split(","):
        match = _PART.fullmatch(part.strip())
        if match is None:
            raise ArgumentTypeError(
                f"{part.strip()!r} is no point with its checkers; write a point T1 to T12 or B1 to B12, light or dark and"
                f" 1 to 15, like {_EXAMPLE}"
            )
        place = Place(match[1].upper())
        if place in occupancy:
            raise ArgumentTypeError(f"{place.value} is given twice; give each point once")
        occupancy[place] = (Colour(match[2].lower()), int(match[3]))
    return KnownPosition(occupancy, is_certain=True, is_upright=True)


def position_on_board(text: str, rules: Ruleset, seating_text: str | None) -> KnownPosition:
    """A position in the notation of the rules, as it stands on the board.

    Without a whole seating White plays light, and its placement is left open. Raises PositionTextError and
    SeatingTextError.
    """
    seatings = parse_seatings(seating_text or "")
    is_whole = len({(one.white_plays, one.edge, one.mirrored) for one in seatings}) == 1
    seating = next((one for one in (Seating(), *seatings) if one in seatings), ALL_SEATINGS[0])
    view = view_of(parse_setup(text), seating, rules)
    occupancy: OccupancyByPlace = {
        place: (Colour.DARK if dark > light else Colour.LIGHT, light + dark)
        for place, (light, dark) in zip(POINTS, view.points, strict=True)
        if light or dark
    }
    return KnownPosition(occupancy, is_certain=True, is_upright=is_whole)
