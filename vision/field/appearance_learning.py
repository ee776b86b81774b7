"""Learns what a board looks like from the picture of a known position."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.checkers import KnownPlaces, learn_appearance, list_contents, read_view
from vision.geometry.calibration import Calibration
from vision.geometry.top_view import view_map
from vision.places import Colour, Place


def learn_from_position(
    pixels: NDArray[np.uint8], calibration: Calibration, occupancy: Mapping[Place, tuple[Colour, int]]
) -> Calibration:
    """The calibration with the appearance of the board in this picture (h, w, 3).

    `occupancy` is what stands there, by place of the picture; a missing point is empty. Nothing covers the board.
    """
    view = view_map(calibration.projection, calibration.field).warp(pixels)
    known = KnownPlaces(read_view(view), list_contents(occupancy))
    return replace(calibration, appearance=learn_appearance(known))
