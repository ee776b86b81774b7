"""Candidates: spots of a picture with their classification, and the selection of dice among them.

A classification costs as much as half a board, so a candidate of the previous frame is reused as long as nothing
changes around its spot. Selection is thresholding on class probability plus non-maximum suppression.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.checkers import PositionsWithoutDice
from vision.dice.classification import ACCEPT_P, Classification, classify_spot, find_kind
from vision.dice.classifier import ClassifierOutput, ObjectClass
from vision.dice.readings import DieReading
from vision.dice.windows import NMS_EDGES, DieSpot
from vision.geometry.projection import KnownBoard, Points

# Die edges between a new spot and a cached one of the same die. Knob: above the scatter of the proposals.
CACHE_MATCH_EDGES = 0.25
CACHE_MATCH_SIZE = 0.15  # share by which the sizes of these two spots may differ; knob
CROP_REACH_EDGES = 3.5  # physical: die edges from a spot to the border of its wider window


@dataclass(frozen=True, slots=True, eq=False)
class DieCandidate:
    """A spot with its classification, None where nothing is detected."""

    spot: DieSpot
    classification: Classification | None

    def crop(self, reduced: NDArray[np.uint8], shrink: int) -> NDArray[np.uint8]:
        """The part of a picture (h, w, 3), reduced by the factor `shrink`, that the windows of this spot show."""
        height, width = reduced.shape[:2]
        reach = CROP_REACH_EDGES * self.spot.size_px
        (left, right), (top, bottom) = (
            (int(max(0, (at - reach) / shrink)), int(min(most, (at + reach) / shrink + 1)))
            for at, most in zip(self.spot.centre_px, (width, height), strict=True)
        )
        return reduced[top:bottom, left:right]


CONFIDENT_VALUE_P = 0.95  # knob: P(face) from which the place of a die is looked up again in the next frame


@dataclass(frozen=True, slots=True, eq=False)
class PreviousFrame:
    """Temporal context of a picture; the default is that of the first frame."""

    candidates: tuple[DieCandidate, ...] = ()  # candidates around which nothing has changed since
    die_spots: tuple[DieSpot, ...] = ()  # spots of dice in the previous frame, in case the proposals miss one
    is_hurried: bool = False  # something moves: fainter proposals wait for the rest
    # Checker positions of the last scene at rest without dice, however long ago.
    checkers_before: PositionsWithoutDice | None = None
    # Whether a spot looks as it did before the first throw, so that no thrown die lies there.
    is_as_before_play: Callable[[DieSpot], bool] | None = None

    def is_mark(self, candidate: DieCandidate) -> bool:
        """Whether the candidate is a part of the board that looks like a die. The cube may lie still for a whole match."""
        if self.is_as_before_play is None or candidate.classification is None:
            return False
        seen = candidate.classification
        return find_kind(seen.output) is not ObjectClass.CUBE and self.is_as_before_play(seen.spot)


def iter_confident_spots(dice: tuple[DieReading, ...]) -> Iterator[DieSpot]:
    """Spots of dice with a confident value. A doubtful detection gets no help to persist."""
    for die in dice:
        if die.value_confidence >= CONFIDENT_VALUE_P:
            yield DieSpot(die.centre_px, die.size_px, die.value_confidence)


def classify_candidates(
    spots: Sequence[DieSpot],
    pixels: NDArray[np.uint8],
    board: KnownBoard | None,
    cached: Sequence[DieCandidate],
) -> list[DieCandidate]:
    """One candidate for each spot of a picture (h, w, 3) BGR, taken from `cached` where it has one."""
    return [_find_cached(spot, cached) or DieCandidate(spot, classify_spot(pixels, spot, board)) for spot in spots]


def _find_cached(spot: DieSpot, cached: Sequence[DieCandidate]) -> DieCandidate | None:
    """The nearest cached candidate of about the same size: a coarse and a finer search may put two spots on one die."""
    alike = (one for one in cached if abs(one.spot.size_px - spot.size_px) < CACHE_MATCH_SIZE * spot.size_px)
    near = [one for one in alike if one.spot.is_near(spot.centre_px, spot.size_px, CACHE_MATCH_EDGES)]
    return min(near, key=lambda one: float(np.hypot(*np.subtract(one.spot.centre_px, spot.centre_px))), default=None)


AMBIGUOUS_P = 0.1  # knob: P(die) from which a candidate that is not accepted may still be a die
# P(face) of a confident die. A less confident one needs a confident one of similar size.
CONFIDENT_FACE_P = 0.99
# Joint P(die, face, lie). A less probable detection beside one above this may be its side.
CONFIDENT_NEIGHBOUR_P = 0.9
# Below this slope of the line of sight (tangent) no side of a die shows enough to look like an upper face.
SIDES_VISIBLE_SLOPE = 0.25
SIDE_TOLERANCE_EDGES = 0.15  # statistical: die edges by which the place of a side is measured wrongly


def is_accepted(kind: ObjectClass, result: Classification) -> bool:
    """Whether this class is the likeliest and has at least ACCEPT_P."""
    return find_kind(result.output) is kind and result.output.class_p(kind) >= ACCEPT_P


def select_dice(results: Sequence[Classification]) -> list[Classification]:
    """Accepted dice, without detections that may be the side of one of them."""
    return _suppress_sides([result for result in results if is_accepted(ObjectClass.DIE, result)])


def has_confident_face(result: Classification) -> bool:
    return result.output.face_p >= CONFIDENT_FACE_P


def select_confident_dice(results: Sequence[Classification]) -> list[Classification]:
    """Accepted dice with a confident face."""
    return [result for result in results if is_accepted(ObjectClass.DIE, result) and has_confident_face(result)]


def suppress_duplicates(spots: Sequence[DieCandidate]) -> list[Classification]:
    """One classification for each die: two spots often lead to the same one."""
    return suppress_non_maxima([spot.classification for spot in spots if spot.classification is not None], NMS_EDGES)


def suppress_non_maxima(results: Sequence[Classification], edges: float) -> list[Classification]:
    """Non-maximum suppression: the surest detection of each cluster nearer than `edges` die edges."""
    kept: list[Classification] = []
    for result in sorted(results, key=lambda result: -float(result.output.class_log_p[1:].max())):
        if not is_covered(result.spot, kept, edges):
            kept.append(result)
    return kept


def _suppress_sides(dice: Sequence[Classification]) -> list[Classification]:
    """Without detections that may be the side of a more confident one."""
    kept: list[Classification] = []
    for die in sorted(dice, key=lambda die: -joint_log_p(die.output)):
        if not any(_is_side_of(die, other) for other in kept):
            kept.append(die)
    return [die for die in dice if die in kept]


def _is_side_of(result: Classification, die: Classification) -> bool:
    """Whether a doubtful detection lies where the camera sees a side of a confident die: in front of its upper face."""
    board, sight = die.place.board, die.place.sight
    if board is None or float(np.hypot(*sight)) < SIDES_VISIBLE_SLOPE:
        return False
    confident_log_p = float(np.log(CONFIDENT_NEIGHBOUR_P))
    if (
        joint_log_p(result.output) >= confident_log_p
        or joint_log_p(die.output) < confident_log_p
        or not has_confident_face(die)
    ):
        return False
    side_mm, top_mm = board.projection.to_board([result.spot.centre_px, die.spot.centre_px])
    return is_side_at((top_mm - side_mm) / die.edge, sight)


def joint_log_p(output: ClassifierOutput) -> float:
    """Log-probability of a die with its likeliest face and lie."""
    return float(output.class_log_p[ObjectClass.DIE.value] + output.face_log_p.max() + output.lie_log_p.max())


def is_side_at(to_top: Points, sight: Points) -> bool:
    """Whether a side of a die may show there, from the vector (2,) to its upper face in die edges on the board plane.

    The middle of a side is half an edge lower, which the line of sight shifts by half its slope. It is half an edge
    nearer to the camera; where two sides show, less, and as much beside.
    """
    slope = float(np.hypot(*sight))
    beyond, beside = np.array([sight, (-sight[1], sight[0])]) @ to_top / slope
    nearest, furthest = (slope + np.sqrt(0.5)) / 2 - SIDE_TOLERANCE_EDGES, (slope + 1) / 2 + SIDE_TOLERANCE_EDGES
    return bool(nearest < beyond < furthest and abs(beside) < np.sqrt(0.5) / 2 + SIDE_TOLERANCE_EDGES)


def is_covered(spot: DieSpot, results: Sequence[Classification], edges: float = NMS_EDGES) -> bool:
    """Whether one of these classifications lies within `edges` die edges of the spot."""
    return any(spot.is_near(result.spot.centre_px, result.spot.size_px, edges) for result in results)
