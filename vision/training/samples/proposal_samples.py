"""Samples for the dice proposal network (pictures and maps) and for the filter of its proposals (windows)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.proposals import (
    CELL_PX,
    CUBE_MAP,
    DIE_MAP,
    PX_PER_MM,
    SIZE_MAP,
    USUAL_DIE_PX,
    X_MAP,
    Y_MAP,
    make_check_window,
)
from vision.dice.windows import place_window
from vision.geometry.projection import KnownBoard
from vision.pixels.normalise import normalise_planes
from vision.training.drawn_boards.photo_augmentation import augment_lighting, augment_photo, degrade_camera, rotate_hue
from vision.training.samples.dice_samples import jitter_localisation, label_kind, label_shape
from vision.training.samples.die_truth import DiceCrop, DieTruth

CROP_PX = 320
CELLS = CROP_PX // CELL_PX
TILE_PX = 80  # of a mosaic: seven usual dice wide
TILES = (CROP_PX // TILE_PX) ** 2
# A cell this near to a die's middle, without a middle of its own, hardly counts: the middles of two touching dice lie
# about that far apart.
UNDECIDED_CELLS, UNDECIDED_WEIGHT = 1.0, 0.1
WEIGHT = 5  # the last map
CLEARLY_VISIBLE, BARELY_VISIBLE = 0.5, 0.1
USUAL_WIDTH_MM = 750.0
# Standard deviation of the logarithm of the scale: dice near and far, and pictures whose board is unknown.
SIZE_SPREAD = 0.22
FILTER_DEGRADE_SHARE = 0.4  # share of samples seen through a worse camera
# Localisation jitter in edges and in log size, one of each a sample: proposals also point between two dice that touch.
FILTER_JITTER_EDGES, FILTER_JITTER_LOG_SIZE = (0.08, 0.2, 0.35), (0.05, 0.15, 0.3)


@dataclass(frozen=True, slots=True, eq=False)
class ProposalSample:
    """A part of the picture at about PX_PER_MM; the maps of `vision.dice.proposals` and, last, each cell's weight."""

    picture: NDArray[np.float32]  # (3, CROP_PX, CROP_PX)
    maps: NDArray[np.float32]  # (6, CELLS, CELLS)


def make_proposal_sample(
    pixels: NDArray[np.uint8], board: KnownBoard | None, dice: tuple[DieTruth, ...], rng: np.random.Generator
) -> ProposalSample:
    """A random part of the picture, more often than not around a die."""
    matrix = _random_transform(pixels, board, dice, rng, CROP_PX)
    maps = _make_empty_maps()
    _add_dice(maps, dice, matrix)
    return _make_sample(_warp(pixels, matrix, CROP_PX), maps, rng)


def make_mosaic_sample(crops: Sequence[DiceCrop], rng: np.random.Generator) -> ProposalSample:
    """TILES crops side by side, each in its own light: many dice at once, and many that touch."""
    picture, maps = np.zeros((CROP_PX, CROP_PX, 3), np.float32), _make_empty_maps()
    corners = [(x, y) for y in range(0, CROP_PX, TILE_PX) for x in range(0, CROP_PX, TILE_PX)]
    for crop, (left, top) in zip(crops, corners, strict=True):
        seen = tuple(die for die in crop.dice if crop.holds(die.top_px))
        matrix = _random_transform(crop.pixels, crop.board, seen, rng, TILE_PX)
        tile = augment_lighting(_warp(crop.pixels, matrix, TILE_PX), rng)
        picture[top : top + TILE_PX, left : left + TILE_PX] = tile
        matrix[:, 2] += (left, top)
        _add_dice(maps, seen, matrix, (left // CELL_PX, top // CELL_PX), TILE_PX // CELL_PX)
    return _make_sample(picture, maps, rng)


def _make_sample(picture: NDArray[np.float32], maps: NDArray[np.float32], rng: np.random.Generator) -> ProposalSample:
    if rng.random() < 0.15:
        picture = rotate_hue(picture, rng)
    picture = degrade_camera(augment_lighting(picture, rng), rng)
    return ProposalSample(normalise_planes(picture), maps)


def _warp(pixels: NDArray[np.uint8], matrix: NDArray[np.float64], side_px: int) -> NDArray[np.float32]:
    shrink = 1 / float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))
    smooth = pixels if shrink <= 1.15 else cv2.GaussianBlur(pixels, (0, 0), 0.4 * shrink)
    warped = cv2.warpAffine(smooth, matrix, (side_px, side_px), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return warped.astype(np.float32)


def _random_transform(
    pixels: NDArray[np.uint8],
    board: KnownBoard | None,
    dice: tuple[DieTruth, ...],
    rng: np.random.Generator,
    side_px: int,
) -> NDArray[np.float64]:
    """(2, 3) from the picture to a square of `side_px`: mirrored, turned by quarters and slightly more."""
    scale = _scale_to_px_per_mm(pixels, board) * float(np.exp(rng.normal(0, SIZE_SPREAD)))
    angle = rng.integers(4) * np.pi / 2 + rng.normal(0, 0.1)
    turn = scale * np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    if rng.random() < 0.5:
        turn = turn @ np.diag([-1.0, 1.0])
    if dice and rng.random() < 0.8:
        around = np.array(dice[int(rng.integers(len(dice)))].top_px)
    else:
        around = rng.uniform((0, 0), (pixels.shape[1], pixels.shape[0]))
    to = rng.uniform(0.15, 0.85, 2) * side_px
    return np.column_stack([turn, to - turn @ around])


def _scale_to_px_per_mm(pixels: NDArray[np.uint8], board: KnownBoard | None) -> float:
    """The factor to PX_PER_MM; a picture without a board counts as USUAL_WIDTH_MM wide."""
    if board is None:
        return PX_PER_MM * USUAL_WIDTH_MM / float(pixels.shape[1])
    return PX_PER_MM / board.px_per_mm


def _make_empty_maps() -> NDArray[np.float32]:
    maps = np.zeros((6, CELLS, CELLS), np.float32)
    maps[WEIGHT] = 1
    return maps


def _add_dice(
    maps: NDArray[np.float32],
    dice: Sequence[DieTruth],
    matrix: NDArray[np.float64],
    first: tuple[int, int] = (0, 0),
    cells: int = CELLS,
) -> None:
    """Adds the dice whose middle lies in the square of `cells` cells that begins at the column and row `first`."""
    scale = float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))
    left, top = first
    rows, columns = np.ogrid[:CELLS, :CELLS]
    for die in dice:
        x, y = (matrix[:, :2] @ die.top_px + matrix[:, 2] + 0.5) / CELL_PX
        column, row = int(np.floor(x)), int(np.floor(y))
        if not (left <= column < left + cells and top <= row < top + cells) or die.visible < BARELY_VISIBLE:
            continue
        is_near = np.hypot(columns + 0.5 - x, rows + 0.5 - y) < UNDECIDED_CELLS
        maps[WEIGHT][is_near & (maps[DIE_MAP] + maps[CUBE_MAP] == 0)] = UNDECIDED_WEIGHT
        if die.visible < CLEARLY_VISIBLE:
            continue
        maps[CUBE_MAP if die.cube_value is not None else DIE_MAP, row, column] = 1
        maps[(X_MAP, Y_MAP, SIZE_MAP), row, column] = (x - column, y - row, np.log(die.size_px * scale / USUAL_DIE_PX))
        maps[WEIGHT, row, column] = 1


@dataclass(frozen=True, slots=True, eq=False)
class ProposalFilterSample:
    """IGNORED or nan where a label is missing."""

    window: NDArray[np.float32]  # (3, CHECK_PX, CHECK_PX)
    kind: int
    shape: NDArray[np.float32]  # (3,): top x, y and log size, in edges of the spot


def make_proposal_filter_sample(crop: DiceCrop, rng: np.random.Generator) -> ProposalFilterSample:
    crop, spot, die = jitter_localisation(
        crop, rng, jitter_edges=FILTER_JITTER_EDGES, jitter_log_size=FILTER_JITTER_LOG_SIZE
    )
    place = place_window(spot, None)
    colours = augment_photo(
        make_check_window(crop.pixels, spot).astype(np.float32), rng, degrade_share=FILTER_DEGRADE_SHARE
    )
    window = normalise_planes(colours)
    return ProposalFilterSample(window, label_kind(crop, die, place), label_shape(crop, die, place)[[2, 3, 6]])


def augment_filter_orientation(sample: ProposalFilterSample, rng: np.random.Generator) -> ProposalFilterSample:
    """Mirrors, and turns by quarters: a die may have any orientation."""
    window, shape = sample.window, sample.shape.copy()
    for axis, along in ((2, 0), (1, 1)):  # columns are x
        if rng.random() < 0.5:
            window = np.flip(window, axis)
            shape[along] *= -1
    if rng.random() < 0.5:
        window, shape = window.transpose(0, 2, 1), shape[[1, 0, 2]]
    return replace(sample, window=np.ascontiguousarray(window), shape=shape)
