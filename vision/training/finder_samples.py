"""From a labelled picture to what the network that looks for dice learns from."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice_finder import CELL_PX, CUBE, HERE, PX_PER_MM, SIZE, USUAL_DIE_PX, X, Y
from vision.die_windows import KnownBoard
from vision.training.die_truth import DieTruth
from vision.training.photo_effects import in_another_hue, in_another_light, through_a_worse_camera
from vision.view_pixels import normalised

PIECE_PX = 320
CELLS = PIECE_PX // CELL_PX
SURELY_SEEN, HARDLY_SEEN = 0.5, 0.1
USUAL_WIDTH_MM = 750.0
SIZE_SPREAD = (
    0.22  # of the factor to PX_PER_MM: dice far from and near to the camera, and where no board tells the scale
)


@dataclass(frozen=True, slots=True, eq=False)
class FinderSample:
    """A piece of the picture at about PX_PER_MM; the maps of vision.dice_finder and, last, each cell's weight."""

    picture: NDArray[np.float32]  # (3, PIECE_PX, PIECE_PX)
    maps: NDArray[np.float32]  # (6, CELLS, CELLS)


def finder_sample(
    pixels: NDArray[np.uint8], board: KnownBoard | None, dice: tuple[DieTruth, ...], rng: np.random.Generator
) -> FinderSample:
    """A piece at random, around a die more often than not."""
    matrix = _placing(pixels, board, dice, rng)
    piece = cv2.warpAffine(
        _smoothed(pixels, matrix), matrix, (PIECE_PX, PIECE_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.float32)
    if rng.random() < 0.15:
        piece = in_another_hue(piece, rng)
    piece = through_a_worse_camera(in_another_light(piece, rng), rng)
    return FinderSample(np.ascontiguousarray(normalised(piece).transpose(2, 0, 1)), _maps(dice, matrix))


def _smoothed(pixels: NDArray[np.uint8], matrix: NDArray[np.float64]) -> NDArray[np.uint8]:
    shrink = 1 / float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))
    if shrink <= 1.15:
        return pixels
    return cv2.GaussianBlur(pixels, (0, 0), 0.4 * shrink).astype(np.uint8, copy=False)


def _placing(
    pixels: NDArray[np.uint8], board: KnownBoard | None, dice: tuple[DieTruth, ...], rng: np.random.Generator
) -> NDArray[np.float64]:
    """(2, 3): picture -> piece; mirrored, turned by quarters and a little more."""
    scale = _to_px_per_mm(pixels, board) * float(np.exp(rng.normal(0, SIZE_SPREAD)))
    angle = rng.integers(4) * np.pi / 2 + rng.normal(0, 0.1)
    turn = scale * np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    if rng.random() < 0.5:
        turn = turn @ np.diag([-1.0, 1.0])
    if dice and rng.random() < 0.8:
        around = np.array(dice[int(rng.integers(len(dice)))].top_px)
    else:
        around = rng.uniform((0, 0), (pixels.shape[1], pixels.shape[0]))
    to = rng.uniform(0.15, 0.85, 2) * PIECE_PX
    return np.column_stack([turn, to - turn @ around])


def _to_px_per_mm(pixels: NDArray[np.uint8], board: KnownBoard | None) -> float:
    """The factor that brings the picture to PX_PER_MM; a picture without a board is taken to be USUAL_WIDTH_MM wide."""
    if board is None:
        return PX_PER_MM * USUAL_WIDTH_MM / float(pixels.shape[1])
    return PX_PER_MM / board.px_per_mm


def _maps(dice: tuple[DieTruth, ...], matrix: NDArray[np.float64]) -> NDArray[np.float32]:
    maps = np.zeros((6, CELLS, CELLS), np.float32)
    maps[5] = 1
    scale = float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))
    for die in dice:
        x, y = (matrix[:, :2] @ die.top_px + matrix[:, 2] + 0.5) / CELL_PX
        column, row = int(np.floor(x)), int(np.floor(y))
        if not (0 <= column < CELLS and 0 <= row < CELLS) or die.visible < HARDLY_SEEN:
            continue
        rows, columns = slice(max(row - 1, 0), row + 2), slice(max(column - 1, 0), column + 2)
        around = maps[5, rows, columns]
        taken = (maps[HERE, rows, columns] > 0) | (maps[CUBE, rows, columns] > 0)
        around[~taken] = 0.1
        if die.visible < SURELY_SEEN:
            continue
        maps[CUBE if die.cube_value is not None else HERE, row, column] = 1
        maps[(X, Y, SIZE), row, column] = (x - column, y - row, np.log(die.size_px * scale / USUAL_DIE_PX))
        maps[5, row, column] = 1
    return maps
