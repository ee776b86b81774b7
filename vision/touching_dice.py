"""Where a die may lie that touches another one: the search sees two that touch as one, and points at one of them or between.

The search tells one place for each eight pixels of a picture in which dice are seven to thirteen pixels long.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.dice_glance import glance_at, something
from vision.die_windows import SAME_DIE, DieSpot

DIRECTIONS = 12
AWAY = 1.05  # edges between the middles of two dice that touch, side by side; corner to side they are 1.2 apart


def touching_spots(pixels: NDArray[np.uint8], die: DieSpot, worth_more: float) -> list[DieSpot]:
    """Of a picture (h, w, 3) BGR: what the glances around this die point at and is not this die, each once.

    Left out is where a die or the cube is less likely than `worth_more`.
    """
    found: list[DieSpot] = []
    for angle in np.linspace(0, 2 * np.pi, DIRECTIONS, endpoint=False):
        away_px = AWAY * die.size_px * np.array([np.cos(angle), np.sin(angle)])
        x_px, y_px = np.asarray(die.centre_px) + away_px
        glance = glance_at(pixels, replace(die, centre_px=(float(x_px), float(y_px))))
        at = replace(glance.spot, size_px=die.size_px)
        is_another = not any(at.is_near(one.centre_px, one.size_px, SAME_DIE) for one in (die, *found))
        if is_another and something(glance.kinds) >= worth_more:
            found.append(at)
    return found
