"""Finds the board in a frame of the simulated table, the way it is found for a user: what stands on it is known."""

from controller.adjudication import view_of
from controller.match import Seating
from controller.pictures.find_board import KnownPosition, find_board
from controller.rules import Position, Ruleset
from vision import POINTS, Calibration, Colour, Frame, Refusal
from vision.field.position_calibration import OccupancyByPlace


def locate_board(
    frame: Frame, position: Position | None, seating: Seating, rules: Ruleset | None
) -> Calibration | Refusal:
    """`position` stands on the board; without it, as in Grasshopper, the board is empty."""
    occupancy = None if position is None or rules is None else _occupancy(position, seating, rules)
    return find_board(frame.pixels, start=None if occupancy is None else KnownPosition(occupancy))


def _occupancy(position: Position, seating: Seating, rules: Ruleset) -> OccupancyByPlace:
    pairs = zip(POINTS, view_of(position, seating, rules).points, strict=True)
    return {place: _stack(light, dark) for place, (light, dark) in pairs if light or dark}


def _stack(light: int, dark: int) -> tuple[Colour, int]:
    if light and dark:
        return Colour.BOTH, light + dark
    return (Colour.LIGHT, light) if light else (Colour.DARK, dark)
