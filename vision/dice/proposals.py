"""Region proposals: spots that may show a die or the cube, and the proposal filter that checks each of them.

The search network sees the whole picture at a fixed number of pixels a millimetre, or at several scales without a
board. It is tuned to miss nothing: of a dozen proposals two are dice on most pictures. The proposal filter is a small
network on one spot. It costs a tenth of a classification, rejects most false proposals and corrects place and size.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.classifier import decode_size
from vision.dice.windows import DieSpot, place_window, refine_spot
from vision.geometry.projection import KnownBoard
from vision.pixels.inference import log_softmax, run_network, sigmoid
from vision.pixels.resize import resize_picture

PX_PER_MM = 0.8  # scale of the search: dice of 9 to 16 mm have 7 to 13 pixels; knob
# Scales of a second search: some dice missed at the first scale are found here, while others are missed.
OTHER_PX_PER_MM = (1.0, 0.7)
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
    most_spots: int = 12
    nms_edges: float = 0.6  # die edges; nearer spots show the same die
    # Die edges searched without a board, from a webcam across a table to a close-up of 12 megapixels.
    sizes_px: tuple[float, ...] = (16, 22, 30, 42, 58, 80, 112, 156, 220, 310, 440)


def propose_dice(
    pixels: NDArray[np.uint8],
    board: KnownBoard | None,
    limits: ProposalLimits | None = None,
    *,
    px_per_mm: float = PX_PER_MM,
) -> list[DieSpot]:
    """Proposals for dice and cube in a picture (h, w, 3) BGR, the surest first. `px_per_mm` counts with a board."""
    limits = limits or ProposalLimits()
    if board is not None:
        left, top, right, bottom, scale = _compute_region(pixels, board, px_per_mm)
        spots = _search_scale(pixels[top:bottom, left:right], scale, (left, top), limits)
    else:
        spots = [
            spot for size in limits.sizes_px for spot in _search_scale(pixels, USUAL_DIE_PX / size, (0, 0), limits)
        ]
    return suppress_spots(spots, limits)


def _compute_region(pixels: NDArray[np.uint8], board: KnownBoard, px_per_mm: float) -> tuple[int, int, int, int, float]:
    """Left, top, right, bottom of the part around the field, and the factor that brings it to `px_per_mm`."""
    outer_mm = board.field.corners_mm + AROUND_MM * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    outer_px = board.projection.to_picture(outer_mm)
    height, width = pixels.shape[:2]
    low = np.clip(np.floor(outer_px.min(axis=0)), 0, (width - 1, height - 1)).astype(int)
    high = np.clip(np.ceil(outer_px.max(axis=0)), low + 1, (width, height)).astype(int)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1]), px_per_mm / board.px_per_mm


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
# Knobs: die edges from the spot, and factor of its size, beyond which the filter runs once more from there.
RECENTRE_EDGES, RESIZE_FACTOR = 0.3, 1.25
# Knobs: die edges to the side, and factor of the size, for a search beside a spot.
SIDE_OFFSET_EDGES, SIDE_SIZE_FACTOR = 0.5, 0.8
NEGLIGIBLE_P = 0.03  # statistical: with a smaller P(object) the filter finds no die beside the spot either
SIDE_DIRECTIONS = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))
TOUCHING_EDGES = 1.05  # physical: die edges between the middles of two dice that touch, with some tolerance
ALL_DIRECTIONS = tuple((float(np.cos(turn)), float(np.sin(turn))) for turn in np.arange(8) * np.pi / 4)


@dataclass(frozen=True, slots=True)
class ProposalCheck:
    """Output of the proposal filter. `top` (2,) and `size` are in die edges from the proposal."""

    class_log_p: NDArray[np.float64]  # (3,) in the order of ObjectClass
    proposal: DieSpot
    top: NDArray[np.float64] = field(default_factory=lambda: np.zeros(2))
    size: float = 1.0

    @property
    def spot(self) -> DieSpot:
        """The spot as the filter corrects it."""
        return refine_spot(self.proposal, place_window(self.proposal, None), self.top, self.size)


def objectness(class_log_p: NDArray[np.float64]) -> float:
    """P(die or cube), 0..1, by (3,) class log-probabilities."""
    return float(np.exp(class_log_p[1:]).sum())


def check_proposal(pixels: NDArray[np.uint8], spot: DieSpot) -> ProposalCheck:
    """Runs the proposal filter on a spot of a picture (h, w, 3) BGR."""
    output = np.asarray(
        run_network("dice_glance", make_check_window(pixels, spot), ("answers",))[0], np.float64
    ).ravel()
    return ProposalCheck(log_softmax(output[CHECK_CLASS]), spot, output[CHECK_TOP], decode_size(output[CHECK_SIZE]))


def check_and_recentre(pixels: NDArray[np.uint8], spot: DieSpot, min_objectness: float) -> ProposalCheck:
    """The filter's output; where the object is far from the spot or of another size, that of a second run from there.

    A proposal may lie between two dice that touch, or on the shadow of a die.
    """
    check = check_proposal(pixels, spot)
    if objectness(check.class_log_p) < min_objectness or _is_centred(check):
        return check
    return check_proposal(pixels, check.spot)


def check_around(pixels: NDArray[np.uint8], spot: DieSpot) -> ProposalCheck:
    """The surest output for a spot and its four sides, smaller; that of the spot alone where it is negligible.

    A proposal may lie beside a die that leans steeply and be too large, since the body shows farther out than the
    face.
    """
    here = check_proposal(pixels, spot)
    if objectness(here.class_log_p) < NEGLIGIBLE_P:
        return here
    sides = (
        replace(side, size_px=SIDE_SIZE_FACTOR * spot.size_px)
        for side in _offset_spots(pixels, spot, SIDE_DIRECTIONS, SIDE_OFFSET_EDGES)
    )
    return max((check_proposal(pixels, side) for side in sides), key=lambda check: objectness(check.class_log_p))


def check_neighbours(pixels: NDArray[np.uint8], spot: DieSpot) -> list[ProposalCheck]:
    """Outputs all around a die, where another die that touches it shows."""
    return [check_proposal(pixels, beside) for beside in _offset_spots(pixels, spot, ALL_DIRECTIONS, TOUCHING_EDGES)]


def make_side_spots(pixels: NDArray[np.uint8], spot: DieSpot) -> list[DieSpot]:
    """Spots on the four sides, where a die that leans steeply may show its upper face."""
    return _offset_spots(pixels, spot, SIDE_DIRECTIONS[1:], SIDE_OFFSET_EDGES)


def _offset_spots(
    pixels: NDArray[np.uint8], spot: DieSpot, directions: Sequence[tuple[float, float]], edges: float
) -> list[DieSpot]:
    """The spot moved by this many die edges in each direction, within the picture."""
    off_px, most_px = np.multiply(directions, edges * spot.size_px), np.subtract(pixels.shape[1::-1], 1)
    return [
        replace(spot, centre_px=(x_px, y_px)) for x_px, y_px in np.clip(spot.centre_px + off_px, 0, most_px).tolist()
    ]


def _is_centred(check: ProposalCheck) -> bool:
    is_as_large = 1 / RESIZE_FACTOR < check.size < RESIZE_FACTOR
    return is_as_large and float(np.hypot(*check.top)) < RECENTRE_EDGES * max(check.size, 1.0)


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
