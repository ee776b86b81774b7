"""Region proposals: spots that may show a die or the cube.

The search network sees the field and its surroundings at a fixed number of pixels a millimetre, or the picture at
several scales without a board. It is tuned to miss nothing: of a dozen proposals two are dice on most pictures. The
filter, a small network on squares around the proposals, rejects most false ones, corrects place and size of the others
and gives each the probability that it shows an object; it sees a dozen of them in one pass.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.classifier import decode_size
from vision.dice.windows import DieSpot, place_window, refine_spot
from vision.geometry.projection import KnownBoard
from vision.pixels.inference import log_softmax, run_network, run_network_on_batch, sigmoid
from vision.pixels.normalise import normalise_planes
from vision.pixels.resize import resize_picture

PX_PER_MM = 0.8  # scale of the search: dice of 9 to 16 mm have 7 to 13 pixels; knob
USUAL_DIE_PX = 10.8  # size at which the size map is 0
CELL_PX = 8
CELLS_A_SPOT = 4  # most neighbouring cells that one object excites
# Logits of a die and of a cube, place in the cell 0..1 (logits), log of the size.
DIE_MAP, CUBE_MAP, X_MAP, Y_MAP, SIZE_MAP = range(5)
MULTIPLE_PX = 16
AROUND_MM = 120.0  # margin around the field: rims, and the table on which dice lie that left the board
MOST_PX = 1400  # longest edge of the reduced picture


@dataclass(frozen=True, slots=True)
class ProposalLimits:
    """Thresholds of the search."""

    least_score: float = 0.1
    most_spots: int = 30
    nms_edges: float = 0.6  # die edges; nearer spots show the same die
    # Die edges searched without a board, from a webcam across a table to a close-up of 12 megapixels.
    sizes_px: tuple[float, ...] = (16, 22, 30, 42, 58, 80, 112, 156, 220, 310, 440)


def propose_dice(
    pixels: NDArray[np.uint8],
    board: KnownBoard | None,
    limits: ProposalLimits | None = None,
) -> list[DieSpot]:
    """Proposals for dice and cube in a picture (h, w, 3) BGR, the surest first."""
    limits = limits or ProposalLimits()
    if board is not None:
        left, top, right, bottom, scale = _compute_region(pixels, board)
        spots = _search_scale(pixels[top:bottom, left:right], scale, (left, top), limits)
    else:
        spots = [
            spot for size in limits.sizes_px for spot in _search_scale(pixels, USUAL_DIE_PX / size, (0, 0), limits)
        ]
    return suppress_spots(spots, limits)


def _compute_region(pixels: NDArray[np.uint8], board: KnownBoard) -> tuple[int, int, int, int, float]:
    """Left, top, right, bottom of the part around the field, and the factor that brings it to PX_PER_MM."""
    outer_mm = board.field.corners_mm + AROUND_MM * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    outer_px = board.projection.to_picture(outer_mm)
    height, width = pixels.shape[:2]
    low = np.clip(np.floor(outer_px.min(axis=0)), 0, (width - 1, height - 1)).astype(int)
    high = np.clip(np.ceil(outer_px.max(axis=0)), low + 1, (width, height)).astype(int)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1]), PX_PER_MM / board.px_per_mm


def _search_scale(
    pixels: NDArray[np.uint8], scale: float, offset_px: tuple[int, int], limits: ProposalLimits
) -> list[DieSpot]:
    """Proposals of one scale, in pixels of the whole picture."""
    height, width = pixels.shape[:2]
    scale = min(scale, MOST_PX / max(height, width))
    size = tuple(max(MULTIPLE_PX, round(length * scale / MULTIPLE_PX) * MULTIPLE_PX) for length in (width, height))
    maps = run_network("dice_finder", resize_picture(pixels, size), ("maps",))[0]
    across, down = width / size[0], height / size[1]
    spots = []
    for x, y, edge, score in _find_peaks(maps, limits):
        at = ((x * across - 0.5) + offset_px[0], (y * down - 0.5) + offset_px[1])
        spots.append(DieSpot(at, edge * float(np.sqrt(across * down)), score))
    return spots


def _find_peaks(maps: NDArray[np.float32], limits: ProposalLimits) -> list[tuple[float, float, float, float]]:
    """x, y, edge in pixels of the reduced picture, and score of the surest cells."""
    here = np.maximum(maps[DIE_MAP], maps[CUBE_MAP])
    rows, columns = np.nonzero(here > np.log(limits.least_score / (1 - limits.least_score)))
    order = np.argsort(-here[rows, columns])[: CELLS_A_SPOT * limits.most_spots]
    rows, columns = rows[order], columns[order]
    xs = (columns + sigmoid(maps[X_MAP, rows, columns])) * CELL_PX
    ys = (rows + sigmoid(maps[Y_MAP, rows, columns])) * CELL_PX
    edges = USUAL_DIE_PX * np.exp(np.clip(maps[SIZE_MAP, rows, columns], -1.5, 1.5))
    found = (xs, ys, edges, sigmoid(here[rows, columns]))
    return list(zip(*(each.tolist() for each in found), strict=True))


def suppress_spots(spots: Sequence[DieSpot], limits: ProposalLimits) -> list[DieSpot]:
    """Non-maximum suppression: the surest spot of each cluster, no more than `most_spots`."""
    kept: list[DieSpot] = []
    for spot in sorted(spots, key=lambda spot: -spot.score):
        if len(kept) == limits.most_spots:
            break
        if not any(spot.is_near(other.centre_px, other.size_px, limits.nms_edges) for other in kept):
            kept.append(spot)
    return kept


CHECK_PX = 36
CHECK_EDGES = 3.0  # die edges along the filter's window
# Layout of the output vector: class logits, place and log size in die edges from the middle.
CHECK_CLASS, CHECK_TOP, CHECK_SIZE = slice(0, 3), slice(3, 5), 5
CHECK_OUTPUT_SIZE = 6
CHECKS_A_PASS = 12  # knob: a pass of always as many windows needs no new memory
MIN_OBJECTNESS = 0.1  # knob: P(die or cube) below which a proposal is rejected


def filter_proposals(
    pixels: NDArray[np.uint8], spots: Sequence[DieSpot], limits: ProposalLimits | None = None
) -> list[DieSpot]:
    """The proposals in a picture (h, w, 3) BGR that may show a die or the cube, the surest first.

    Each is where the filter places it, with the filter's probability of an object as its score.
    """
    kept = []
    for first in range(0, len(spots), CHECKS_A_PASS):
        some = spots[first : first + CHECKS_A_PASS]
        windows = np.zeros((CHECKS_A_PASS, 3, CHECK_PX, CHECK_PX), np.float32)
        for window, spot in zip(windows, some, strict=False):
            window[:] = normalise_planes(make_check_window(pixels, spot))
        outputs = np.asarray(run_network_on_batch("dice_glance", windows, "answers"), np.float64)
        for spot, output in zip(some, outputs.reshape(CHECKS_A_PASS, CHECK_OUTPUT_SIZE), strict=False):
            probability = float(np.exp(log_softmax(output[CHECK_CLASS])[1:]).sum())
            if probability >= MIN_OBJECTNESS:
                kept.append(_correct_spot(replace(spot, score=probability), output))
    return suppress_spots(kept, limits or ProposalLimits())


def _correct_spot(spot: DieSpot, output: NDArray[np.float64]) -> DieSpot:
    return refine_spot(spot, place_window(spot, None), output[CHECK_TOP], decode_size(float(output[CHECK_SIZE])))


def make_check_window(pixels: NDArray[np.uint8], spot: DieSpot) -> NDArray[np.uint8]:
    """(CHECK_PX, CHECK_PX, 3): the square around the spot; beyond the picture its edge is repeated."""
    height, width = pixels.shape[:2]
    side = max(round(spot.size_px * CHECK_EDGES), 2)
    left, top = (
        round(min(max(at, 0.0), length - 1.0) + (1 - side) / 2)
        for at, length in zip(spot.centre_px, (width, height), strict=True)
    )
    beyond = (max(-top, 0), max(top + side - height, 0), max(-left, 0), max(left + side - width, 0))
    piece = pixels[max(top, 0) : top + side, max(left, 0) : left + side]
    if any(beyond):
        piece = cv2.copyMakeBorder(piece, *beyond, cv2.BORDER_REPLICATE).astype(np.uint8, copy=False)
    return resize_picture(piece, (CHECK_PX, CHECK_PX))
