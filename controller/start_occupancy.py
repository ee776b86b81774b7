"""The start position of a game as the camera sees it when White plays light and sits at the lower edge.

That is design.md 7, "From the picture to the game". How the players really sat down (the board turned, mirrored, White
playing dark) is one of four placements of this one set-up, for every game: the two armies mirror each other or are
each other turned by 180 degrees. `vision.field.position_calibration` finds out which.
"""

from collections.abc import Mapping

from controller.rules.player import POINTS, Player, physical_point
from controller.rules.position import start_position
from controller.rules.ruleset import Ruleset
from vision.board.read_board import Colour, Place

_COLOUR = {Player.WHITE: Colour.LIGHT, Player.BLACK: Colour.DARK}


def start_occupancy(rules: Ruleset) -> Mapping[Place, tuple[Colour, int]]:
    """Points that are not named are empty; all are in a game that starts with an empty board."""
    start = start_position(rules)
    occupancy: dict[Place, tuple[Colour, int]] = {}
    for player in Player:
        for point in POINTS:
            count = start.counts(player)[point]
            if count:
                physical = physical_point(point, player, rules.direction, white_head=rules.white_head)
                occupancy[_place(physical)] = (_COLOUR[player], count)
    return occupancy


def _place(physical: int) -> Place:
    """P1..P12 are B12..B1, P13..P24 are T1..T12."""
    return Place(f"B{13 - physical}" if physical <= 12 else f"T{physical - 12}")
