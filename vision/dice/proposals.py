"""Where dice may lie in a picture: a first, coarse look at all of it, made to miss nothing.

What it takes for a die by mistake is told apart afterwards, by the network that reads windows (`dice.py`). The picture
is brought to a fixed number of pixels a millimetre; where no board tells the millimetres, several sizes are tried.

A glance at a spot: whether a close look at it may be worth its time, and where exactly to look.

The search points at a dozen places, of which two are dice on most pictures; a close look costs ten times as much.
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

PX_PER_MM = 0.8  # dice of 9 to 16 mm have 7 to 13 pixels here
# Of 516 rendered dice a third of those overlooked at 0.8 are found at 1.0, and a quarter of the others at 0.7; other dice are
# missed there.
OTHER_PX_PER_MM = (1.0, 0.7)
USUAL_DIE_PX = 10.8  # the size that the answers count from
CELL_PX = 8
CELLS_A_SPOT = 4  # so many of them may say the same
DIE_MAP, CUBE_MAP, X_MAP, Y_MAP, SIZE_MAP = range(
    5
)  # the maps: logits of a die and of a cube, place in the cell 0..1, log of the size
MULTIPLE_PX = 16
AROUND_MM = 120.0  # beside the field: rims, and the table on which dice lie that left the board
MOST_PX = 1400  # of an edge of the reduced picture


@dataclass(frozen=True, slots=True)
class ProposalLimits:
    """What is kept for a closer look."""

    least_score: float = 0.1
    most_spots: int = 12
    nms_edges: float = 0.6  # of a die's edge; two spots that are nearer show the same die
    # Of dice, tried where no board is known: from a webcam across a table to a close-up of 12 megapixels.
    sizes_px: tuple[float, ...] = (16, 22, 30, 42, 58, 80, 112, 156, 220, 310, 440)


def propose_dice(
    pixels: NDArray[np.uint8],
    board: KnownBoard | None,
    limits: ProposalLimits | None = None,
    *,
    px_per_mm: float = PX_PER_MM,
) -> list[DieSpot]:
    """Spots that may show a die or the cube, the likeliest first. `px_per_mm` counts where a board is known."""
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
    """The part of the picture around the field, and the factor that brings it to `px_per_mm`."""
    outer_mm = board.field.corners_mm + AROUND_MM * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    outer_px = board.projection.to_picture(outer_mm)
    height, width = pixels.shape[:2]
    low = np.clip(np.floor(outer_px.min(axis=0)), 0, (width - 1, height - 1)).astype(int)
    high = np.clip(np.ceil(outer_px.max(axis=0)), low + 1, (width, height)).astype(int)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1]), px_per_mm / board.px_per_mm


def _search_scale(
    pixels: NDArray[np.uint8], scale: float, offset_px: tuple[int, int], limits: ProposalLimits
) -> list[DieSpot]:
    """One size: spots in pixels of the whole picture."""
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
    """The likeliest cells: x, y, edge in pixels of the reduced picture, score. Two that touch may show in neighbours."""
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
    """The surest first, one of those that show the same, and no more than `limits` wants."""
    kept: list[DieSpot] = []
    for spot in sorted(spots, key=lambda spot: -spot.score):
        if len(kept) == limits.most_spots:
            break
        if not any(spot.is_near(other.centre_px, other.size_px, limits.nms_edges) for other in kept):
            kept.append(spot)
    return kept


CHECK_PX = 36
CHECK_EDGES = 3.0  # edges of a die along a window
CHECK_CLASS, CHECK_TOP, CHECK_SIZE = (
    slice(0, 3),
    slice(3, 5),
    5,
)  # as in dice_answers; places and size in edges, from the middle
CHECK_OUTPUT_SIZE = 6
RECENTRE_EDGES, RESIZE_FACTOR = (
    0.3,
    1.25,
)  # edges from a spot, and times as large: beyond, a second glance is worth its time
# Edges from a spot to where else what leans is looked for, and how many times as large a glance then takes it for.
SIDE_OFFSET_EDGES, SIDE_SIZE_FACTOR = 0.5, 0.8
NEGLIGIBLE_P = 0.03  # likely at a glance; so little of a die is seen from nowhere around
SIDE_DIRECTIONS = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))
# Edges from the middle of a die to that of one which touches it, and the ways there: however it is turned, one leads near.
TOUCHING_EDGES = 1.05
ALL_DIRECTIONS = tuple((float(np.cos(turn)), float(np.sin(turn))) for turn in np.arange(8) * np.pi / 4)


@dataclass(frozen=True, slots=True)
class ProposalCheck:
    """What may be there, and where it would be; of most there is nothing, and nobody asks where."""

    class_log_p: NDArray[np.float64]  # (3,) log
    proposal: DieSpot
    top: NDArray[np.float64] = field(default_factory=lambda: np.zeros(2))  # (2,) edges of a die from there
    size: float = 1.0  # of such an edge

    @property
    def spot(self) -> DieSpot:
        """As the glance has it."""
        return refine_spot(self.proposal, place_window(self.proposal, None), self.top, self.size)


def objectness(class_log_p: NDArray[np.float64]) -> float:
    """How likely a die or the cube is there, 0..1, of (3,) log-probabilities of the kinds."""
    return float(np.exp(class_log_p[1:]).sum())


def check_proposal(pixels: NDArray[np.uint8], spot: DieSpot) -> ProposalCheck:
    """Of a picture (h, w, 3) BGR."""
    said = np.asarray(run_network("dice_glance", make_check_window(pixels, spot), ("answers",))[0], np.float64).ravel()
    return ProposalCheck(log_softmax(said[CHECK_CLASS]), spot, said[CHECK_TOP], decode_size(said[CHECK_SIZE]))


def check_and_recentre(pixels: NDArray[np.uint8], spot: DieSpot, min_objectness: float) -> ProposalCheck:
    """A glance, and where something is seen far from the spot or of quite another size, one more from there.

    The search points between two dice that touch, or at a die's shadow; the window then shows all of it but poorly.
    """
    glance = check_proposal(pixels, spot)
    if objectness(glance.class_log_p) < min_objectness or _is_centred(glance):
        return glance
    return check_proposal(pixels, glance.spot)


def check_around(pixels: NDArray[np.uint8], spot: DieSpot) -> ProposalCheck:
    """The surest of several glances at a spot and from its four sides; where the first sees hardly anything, that alone.

    The search points beside a die that leans steeply, whose body shows further out than its upper face does, and takes it for
    larger than it is.
    """
    here = check_proposal(pixels, spot)
    if objectness(here.class_log_p) < NEGLIGIBLE_P:
        return here
    sides = (
        replace(side, size_px=SIDE_SIZE_FACTOR * spot.size_px)
        for side in _offset_spots(pixels, spot, SIDE_DIRECTIONS, SIDE_OFFSET_EDGES)
    )
    return max((check_proposal(pixels, side) for side in sides), key=lambda glance: objectness(glance.class_log_p))


def check_neighbours(pixels: NDArray[np.uint8], spot: DieSpot) -> list[ProposalCheck]:
    """All around a die, where another one shows that touches it."""
    return [check_proposal(pixels, beside) for beside in _offset_spots(pixels, spot, ALL_DIRECTIONS, TOUCHING_EDGES)]


def make_side_spots(pixels: NDArray[np.uint8], spot: DieSpot) -> list[DieSpot]:
    """On all four sides of it, where a die that leans steeply may show its upper face."""
    return _offset_spots(pixels, spot, SIDE_DIRECTIONS[1:], SIDE_OFFSET_EDGES)


def _offset_spots(
    pixels: NDArray[np.uint8], spot: DieSpot, ways: Sequence[tuple[float, float]], edges: float
) -> list[DieSpot]:
    """So many edges from a spot each way, and no further than the picture goes."""
    off_px, most_px = np.multiply(ways, edges * spot.size_px), np.subtract(pixels.shape[1::-1], 1)
    return [
        replace(spot, centre_px=(x_px, y_px)) for x_px, y_px in np.clip(spot.centre_px + off_px, 0, most_px).tolist()
    ]


def _is_centred(glance: ProposalCheck) -> bool:
    is_as_large = 1 / RESIZE_FACTOR < glance.size < RESIZE_FACTOR
    return is_as_large and float(np.hypot(*glance.top)) < RECENTRE_EDGES * max(glance.size, 1.0)


def make_check_window(pixels: NDArray[np.uint8], spot: DieSpot) -> NDArray[np.uint8]:
    """(GLANCE_PX, GLANCE_PX, 3): the square around the spot; what lies outside the picture repeats its edge."""
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
