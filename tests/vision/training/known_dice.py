"""A camera straight above a board, and one die before it, computed by hand."""

import numpy as np
from numpy.typing import NDArray

from vision.dice.readings import DieState
from vision.geometry.projection import FieldShape, KnownBoard, Lens, Projection
from vision.training.samples.die_truth import DiceCrop, DieTruth

HEIGHT_MM, PX_PER_MM, EDGE_MM = 700.0, 2.0, 14.0
FIELD = FieldShape(500.0, 400.0, 235.0, 265.0)


def board_below(
    under_mm: tuple[float, float] = (250.0, 200.0), at_px: tuple[float, float] = (100.0, 100.0)
) -> KnownBoard:
    """Two pixels a millimetre, 700 mm above `under_mm`, whose pixel `at_px` is the lens's centre."""
    shift = np.subtract(at_px, np.multiply(PX_PER_MM, under_mm))
    matrix = np.array([(PX_PER_MM, 0, shift[0]), (0, PX_PER_MM, shift[1]), (0, 0, 1)])
    return KnownBoard(Projection.of(matrix, Lens(PX_PER_MM * HEIGHT_MM, at_px)), FIELD)


def flat_die(board: KnownBoard, base_mm: tuple[float, float], face: int = 5) -> DieTruth:
    """A die of 14 mm whose edges lie along the board's."""
    half = EDGE_MM / 2
    x, y = base_mm
    corners = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
    top, *quad = ((float(a), float(b)) for a, b in board.projection.to_picture(np.array([base_mm, *corners]), EDGE_MM))
    first, second, third, fourth = quad
    return DieTruth(
        face=face,
        state=DieState.FLAT,
        tilt_deg=0.0,
        normal=(0.0, 0.0),
        base_mm=base_mm,
        base_height_mm=0.0,
        size_mm=EDGE_MM,
        top_px=top,
        quad_px=(first, second, third, fourth),
        visible=1.0,
        touches_checker=False,
    )


def shown(*dice: DieTruth) -> NDArray[np.uint8]:
    """Bright tops on a dark picture (200, 200, 3)."""
    pixels = np.full((200, 200, 3), 60, np.uint8)
    for die in dice:
        quad = np.round(np.array(die.quad_px)).astype(int)
        pixels[quad[:, 1].min() : quad[:, 1].max() + 1, quad[:, 0].min() : quad[:, 0].max() + 1] = 255
    return pixels


def crop_with(*dice: DieTruth, board: KnownBoard, pixels: NDArray[np.uint8] | None = None) -> DiceCrop:
    grey = np.full((200, 200, 3), 90, np.uint8)
    return DiceCrop(grey if pixels is None else pixels, board, dice)
