"""A start position that nobody promised, as in a recording: what it teaches is kept only where the board confirms it.

A known position that certainly stands there may teach that a carved seat is no checker. A supposed one may not: in mid-game
a board resembles its start, and a lesson would take the checkers that have moved for ornaments.
"""

from dataclasses import replace

from controller.adjudication import start_occupancy
from controller.pictures.find_board import KnownPosition, Picture
from controller.rules import Ruleset
from vision.board.read_board import read_board
from vision.field.position_calibration import OccupancyByPlace, orient_occupancy
from vision.frame import Frame
from vision.geometry.calibration import Calibration
from vision.places import Colour

SURE = 0.99  # confidence of a reading that contradicts the position; a knob, that of a reading which counts as sure elsewhere


def suppose_start(rules: Ruleset) -> KnownPosition:
    """The start position of the game, which may stand on the board."""
    return KnownPosition(start_occupancy(rules))


def without_unconfirmed_lesson(calibration: Calibration, pixels: Picture, start: KnownPosition) -> Calibration:
    """The calibration, without what it learned if the picture (h, w, 3), read without that, surely shows another position.

    Field and placement stay: they follow from the checkers that stand where they should.
    """
    if calibration.appearance is None or calibration.placement is None:
        return calibration
    untaught = replace(calibration, appearance=None)
    promised = orient_occupancy(start.occupancy, calibration.placement)
    return untaught if _contradicts(untaught, pixels, promised) else calibration


def _contradicts(untaught: Calibration, pixels: Picture, promised: OccupancyByPlace) -> bool:
    """Whether a point surely holds a checker of a colour that does not belong there."""
    for place, seen in read_board(Frame(pixels, 0), untaught).points():
        guess = seen.best()
        is_checker = guess.colour in (Colour.LIGHT, Colour.DARK) and guess.confidence >= SURE
        if is_checker and promised.get(place, (Colour.NONE, 0))[0] is not guess.colour:
            return True
    return False
