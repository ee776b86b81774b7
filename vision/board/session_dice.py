"""The dice of a reading that may belong to this session, by what was learned of its dice and by the checkers below them."""

from functools import partial

import numpy as np

from vision.board.board_reading import BoardReading
from vision.checkers import ViewReading
from vision.dice.appearance_model import AppearanceModel, reject_carvings, reject_outliers
from vision.dice.readings import DieReading
from vision.frame import Pixels
from vision.geometry.calibration import Calibration
from vision.geometry.projection import KnownBoard
from vision.geometry.top_view import PITCH_PX, to_view

MIDDLE_OF_FACE_PX = 0.23 * PITCH_PX  # half the radius of a checker


def reject_strange_dice(
    known: AppearanceModel, reading: BoardReading, pixels: Pixels, calibration: Calibration
) -> tuple[DieReading, ...]:
    """The dice of the reading of a picture (h, w, 3) BGR without carvings on checkers and without doubtful strangers."""
    dice, projection = reading.dice, calibration.projection
    if reading.of_network is not None:
        board = KnownBoard(projection, calibration.field)
        dice = reject_carvings(
            known, dice, pixels, projection, partial(is_on_face, seen=reading.of_network, board=board)
        )
    return reject_outliers(known, dice, pixels, projection)


def is_on_face(die: DieReading, seen: ViewReading, board: KnownBoard) -> bool:
    """Whether the upper face of the die shows in the middle of a checker's face: within half of its radius."""
    at_px = to_view(board.projection.to_board([die.centre_px]), board.field)[0]
    return any(float(np.hypot(*(at_px - (top.x_px, top.y_px)))) < MIDDLE_OF_FACE_PX for top in seen.tops)
