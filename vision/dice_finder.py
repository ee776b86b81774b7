"""Where dice may lie in a picture: a first, coarse look at all of it, made to miss nothing.

What it takes for a die by mistake is told apart afterwards, by the network that reads windows (`dice.py`). The picture
is brought to a fixed number of pixels a millimetre; where no board tells the millimetres, several sizes are tried.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.die_windows import DieSpot, KnownBoard
from vision.pixels.inference import answers, sigmoid
from vision.pixels.resize import resized

PX_PER_MM = 0.8  # dice of 9 to 16 mm have 7 to 13 pixels here
# Of 516 rendered dice a third of those overlooked at 0.8 are found at 1.0, and a quarter of the others at 0.7; other dice are
# missed there.
OTHER_PX_PER_MM = (1.0, 0.7)
USUAL_DIE_PX = 10.8  # the size that the answers count from
CELL_PX = 8
CELLS_A_SPOT = 4  # so many of them may say the same
HERE, CUBE, X, Y, SIZE = range(5)  # the maps: logits of a die and of a cube, place in the cell 0..1, log of the size
MULTIPLE_PX = 16
AROUND_MM = 120.0  # beside the field: rims, and the table on which dice lie that left the board
MOST_PX = 1400  # of an edge of the reduced picture


@dataclass(frozen=True, slots=True)
class FinderLimits:
    """What is kept for a closer look."""

    least_score: float = 0.1
    most_spots: int = 12
    apart: float = 0.6  # of a die's edge; two spots that are nearer show the same die
    # Of dice, tried where no board is known: from a webcam across a table to a close-up of 12 megapixels.
    sizes_px: tuple[float, ...] = (16, 22, 30, 42, 58, 80, 112, 156, 220, 310, 440)


def find_dice(
    pixels: NDArray[np.uint8],
    board: KnownBoard | None,
    limits: FinderLimits | None = None,
    *,
    px_per_mm: float = PX_PER_MM,
) -> list[DieSpot]:
    """Spots that may show a die or the cube, the likeliest first. `px_per_mm` counts where a board is known."""
    limits = limits or FinderLimits()
    if board is not None:
        left, top, right, bottom, scale = _region(pixels, board, px_per_mm)
        spots = _look(pixels[top:bottom, left:right], scale, (left, top), limits)
    else:
        spots = [spot for size in limits.sizes_px for spot in _look(pixels, USUAL_DIE_PX / size, (0, 0), limits)]
    return surest_apart(spots, limits)


def _region(pixels: NDArray[np.uint8], board: KnownBoard, px_per_mm: float) -> tuple[int, int, int, int, float]:
    """The part of the picture around the field, and the factor that brings it to `px_per_mm`."""
    outer_mm = board.field.corners_mm + AROUND_MM * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    outer_px = board.projection.to_picture(outer_mm)
    height, width = pixels.shape[:2]
    low = np.clip(np.floor(outer_px.min(axis=0)), 0, (width - 1, height - 1)).astype(int)
    high = np.clip(np.ceil(outer_px.max(axis=0)), low + 1, (width, height)).astype(int)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1]), px_per_mm / board.px_per_mm


def _look(pixels: NDArray[np.uint8], scale: float, offset_px: tuple[int, int], limits: FinderLimits) -> list[DieSpot]:
    """One size: spots in pixels of the whole picture."""
    height, width = pixels.shape[:2]
    scale = min(scale, MOST_PX / max(height, width))
    size = tuple(max(MULTIPLE_PX, round(length * scale / MULTIPLE_PX) * MULTIPLE_PX) for length in (width, height))
    maps = answers("dice_finder", resized(pixels, size), ("maps",))[0]
    across, down = width / size[0], height / size[1]
    spots = []
    for x, y, edge, score in _peaks(maps, limits):
        at = ((x * across - 0.5) + offset_px[0], (y * down - 0.5) + offset_px[1])
        spots.append(DieSpot(at, edge * float(np.sqrt(across * down)), score))
    return spots


def _peaks(maps: NDArray[np.float32], limits: FinderLimits) -> list[tuple[float, float, float, float]]:
    """The likeliest cells: x, y, edge in pixels of the reduced picture, score. Two that touch may show in neighbours."""
    here = np.maximum(maps[HERE], maps[CUBE])
    rows, columns = np.nonzero(here > np.log(limits.least_score / (1 - limits.least_score)))
    order = np.argsort(-here[rows, columns])[: CELLS_A_SPOT * limits.most_spots]
    rows, columns = rows[order], columns[order]
    xs = (columns + sigmoid(maps[X, rows, columns])) * CELL_PX
    ys = (rows + sigmoid(maps[Y, rows, columns])) * CELL_PX
    edges = USUAL_DIE_PX * np.exp(np.clip(maps[SIZE, rows, columns], -1.5, 1.5))
    found = (xs, ys, edges, sigmoid(here[rows, columns]))
    return list(zip(*(each.tolist() for each in found), strict=True))


def surest_apart(spots: Sequence[DieSpot], limits: FinderLimits) -> list[DieSpot]:
    """The surest first, one of those that show the same, and no more than `limits` wants."""
    kept: list[DieSpot] = []
    for spot in sorted(spots, key=lambda spot: -spot.score):
        if len(kept) == limits.most_spots:
            break
        if not any(spot.is_near(other.centre_px, other.size_px, limits.apart) for other in kept):
            kept.append(spot)
    return kept
