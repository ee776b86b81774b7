"""Loads every network ahead of a match."""

import numpy as np

from vision.board.read_board import read_board
from vision.dice import classification
from vision.dice.cube_number import classify_cube_number
from vision.dice.windows import DieSpot
from vision.frame import Frame
from vision.geometry.calibration import Calibration

_SOME_CUBE_PX = 40.0  # any size serves to load the network


def warm_up(calibration: Calibration) -> None:
    """Loads every network ahead of the match, so that neither the first frame nor the first throw waits for it."""
    width_px, height_px = calibration.image_size_px
    blank = np.zeros((height_px, width_px, 3), np.uint8)
    read_board(Frame(blank, 0), calibration)  # a blank board loads no network for dice or cube; the next lines do
    classification.warm_up()
    classify_cube_number(blank, DieSpot((width_px / 2, height_px / 2), _SOME_CUBE_PX, 1.0), None)
