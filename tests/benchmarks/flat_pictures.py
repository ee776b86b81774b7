"""Readings of the simulated table with the simplest possible pictures: flat discs on felt, seen from straight above.

The referee judges the change between two pictures of a board as well as the readings. These pictures have no shadows,
noise or height, so they test what its logic makes of wrong readings, not how well pictures are read.
"""

from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.match.seating import Checkers
from controller.simulation.filmed.readings import PERFECT, Noise, simulate_reading
from controller.simulation.filmed.snapshots import TableSnapshot
from controller.simulation.staging.board_plan import BoardPlan
from controller.simulation.staging.stacks import Stacks
from vision.board.board_reading import BoardReading
from vision.board.dice_on_checkers import AROUND_EDGES
from vision.checkers.colour_classes import BAR
from vision.checkers.point_changes import SLOTS, reduce_view
from vision.geometry.top_view import BAR_PX, MARGIN_PX, PITCH_PX, VIEW_HEIGHT_PX, VIEW_WIDTH_PX
from vision.places import POINTS

COLUMNS = 12
RADIUS_PX = round(0.95 * PITCH_PX / 2)
FELT_BGR = (70, 95, 60)
BGR = {Checkers.LIGHT: (190, 205, 215), Checkers.DARK: (50, 45, 55)}
HIGHER_LAYER = 0.12  # of a checker: how much further from the rim a checker on another one shows,
DARKER = 0.08  # and by which share it is darker
REACH_MM = 10.0  # beyond the middle of the board, to where a die's shadow may reach


def reading_with_picture(
    moment: TableSnapshot, plan: BoardPlan, seed: int, noise: Noise = PERFECT, *, pins: bool = False
) -> BoardReading:
    """The reading of `simulate_reading` with a picture of the checkers and with the places that dice disturb."""
    reading = simulate_reading(moment, plan, seed, noise, pins=pins)
    disturbed = {place for die in reading.dice if die.base_mm for place in _near(die.base_mm, plan)}
    return replace(reading, view_thumbnail=_picture(moment.stacks), disturbed=frozenset(disturbed))


def _near(at_mm: tuple[float, float], plan: BoardPlan) -> set[int]:
    """The places near a die: 0 to 23, or BAR."""
    x_mm, y_mm = at_mm
    reach_mm = plan.pitch_mm / 2 + AROUND_EDGES * plan.die_mm
    places = {BAR} if plan.bar_mm[0] <= x_mm <= plan.bar_mm[1] else set()
    for number, point in enumerate(POINTS):
        is_upper = number < COLUMNS
        is_in_its_half = (y_mm < plan.height_mm / 2 + REACH_MM) if is_upper else (y_mm > plan.height_mm / 2 - REACH_MM)
        if abs(plan.spot_mm(point, 0)[0] - x_mm) < reach_mm and is_in_its_half:
            places.add(number)
    return places


@lru_cache(maxsize=64)
def _picture(stacks: Stacks) -> NDArray[np.uint8]:
    view = np.full((VIEW_HEIGHT_PX, VIEW_WIDTH_PX, 3), FELT_BGR, np.uint8)
    for number, stack in enumerate(stacks.points):
        for at, side in enumerate(stack):
            layer = at // SLOTS
            away_px = MARGIN_PX + (at % SLOTS + 0.5 + HIGHER_LAYER * layer) * PITCH_PX
            y_px = away_px if number < COLUMNS else VIEW_HEIGHT_PX - away_px
            _disc(view, _middle_px(number), y_px, side, 1 - DARKER * layer)
    for count, (side, way) in zip(stacks.bar, ((Checkers.LIGHT, -1), (Checkers.DARK, 1)), strict=True):
        for at in range(count):
            _disc(view, VIEW_WIDTH_PX / 2, VIEW_HEIGHT_PX / 2 + way * (at + 0.5) * PITCH_PX, side, 1.0)
    return reduce_view(view)


def _middle_px(number: int) -> float:
    column = number % COLUMNS
    return MARGIN_PX + (column + 0.5) * PITCH_PX + (BAR_PX if column >= COLUMNS / 2 else 0)


def _disc(view: NDArray[np.uint8], x_px: float, y_px: float, side: Checkers, light: float) -> None:
    blue, green, red = BGR[side]
    cv2.circle(view, (round(x_px), round(y_px)), RADIUS_PX, (light * blue, light * green, light * red), cv2.FILLED)
