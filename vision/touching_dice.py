"""Where a die may lie that touches another one: the search sees two that touch as one, and points at one of them or between.

The search tells one place for each eight pixels of a picture in which dice are seven to thirteen pixels long.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.dice_glance import glance_at, something
from vision.die_windows import DieSpot

DIRECTIONS = 12
AWAY = 1.05  # edges between the middles of two dice that touch, side by side; corner to side they are 1.2 apart
NO_OTHER = 0.55  # edges; a glance that points as near as this to a die shows that one
WORTH_A_LOOK = 0.2  # probability of a die or the cube


def touching_spots(pixels: NDArray[np.uint8], die: DieSpot) -> list[DieSpot]:
    """Of a picture (h, w, 3) BGR: what the glances around this die point at and is not this die, each once."""
    found: list[DieSpot] = []
    for angle in np.linspace(0, 2 * np.pi, DIRECTIONS, endpoint=False):
        away_px = AWAY * die.size_px * np.array([np.cos(angle), np.sin(angle)])
        x_px, y_px = np.asarray(die.centre_px) + away_px
        glance = glance_at(pixels, replace(die, centre_px=(float(x_px), float(y_px))))
        at = replace(glance.spot, size_px=die.size_px)
        is_another = not any(at.is_near(one.centre_px, one.size_px, NO_OTHER) for one in (die, *found))
        if is_another and something(glance.kinds) >= WORTH_A_LOOK:
            found.append(at)
    return found
