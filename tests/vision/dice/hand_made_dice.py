"""Dice and boards as a test wants them, not as anybody saw them."""

from math import log

import numpy as np

from tests.vision.drawn_boards import FIELD, said
from vision.board.board_reading import BoardReading
from vision.board.read_board import build_board_reading
from vision.checkers.occupancy import CheckerPositions
from vision.dice.readings import FACES, BoardHalf, Contact, CubeReading, DieReading, DieState
from vision.geometry.projection import KnownBoard, Lens, Projection

# A pixel a millimetre, the field's corner half a pixel off the whole ones, so that nothing lies on an edge.
CORNERS_PX = ((100.5, 40.5), (540.5, 40.5), (540.5, 440.5), (100.5, 440.5))
STRAIGHT_DOWN = KnownBoard(Projection.of_corners(CORNERS_PX, FIELD, Lens.usual(640, 480)), FIELD)
ASLANT = KnownBoard(
    Projection.of_corners(((160, 60), (500, 90), (600, 430), (40, 400)), FIELD, Lens.usual(640, 480)), FIELD
)
NOTHING_STANDS = CheckerPositions(np.zeros((0, 2)), np.zeros(0), np.zeros(0, np.bool_), 17.0, STRAIGHT_DOWN.field)


def die(
    value: int = 5,
    *,
    lies: DieState = DieState.FLAT,
    half: BoardHalf | None = BoardHalf.LEFT,
    at_px: tuple[float, float] = (200.0, 150.0),
    sure: float = 0.999,
    lie_sure: float = 0.99,
    tilt_deg: float = 1.0,
    tilt_sigma_deg: float = 0.5,
) -> DieReading:
    """`sure` is the posterior of the value; the other faces share the rest."""
    return DieReading(
        face_log_likelihood=tuple(log(sure if face == value else (1 - sure) / 5) for face in range(1, FACES + 1)),
        lies=lies,
        lie_confidence=lie_sure,
        centre_px=at_px,
        size_px=24.0,
        base_mm=None,
        half=half,
        touches=Contact.NOTHING,
        tilt_deg=tilt_deg,
        tilt_sigma_deg=tilt_sigma_deg,
    )


def cocked(value: int = 5, *, lie_sure: float = 0.99, tilt_deg: float = 20.0) -> DieReading:
    return die(value, lies=DieState.COCKED, lie_sure=lie_sure, tilt_deg=tilt_deg)


def board_with(*dice: DieReading, cube: CubeReading | None = None, hand: bool = False) -> BoardReading:
    """An empty board with these dice; a hand hides T4."""
    places = build_board_reading(said(visible={3: 0.1} if hand else None), np.ones(25, np.float32), 0).places
    return BoardReading(places, dice=dice, cube=cube, hand_in_view=hand)
