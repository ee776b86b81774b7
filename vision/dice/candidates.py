"""Candidates: spots of a picture with their classification, and the selection of dice among them.

A classification costs as much as half a board, so a candidate of the previous frame is reused as long as nothing
changes around its spot. Off the field, where pens, coins, cups and print lie, a die is accepted only if every network
of the ensemble confirms it, and a cube only if it shows a number. Selection is thresholding on class probability plus
non-maximum suppression.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision.checkers import CheckerPositions, PositionsWithoutDice
from vision.dice.classification_cascade import (
    ACCEPT_P,
    SIDES_VISIBLE_SLOPE,
    Classification,
    LiePrior,
    cap_probability,
    classify_spot,
    is_side_at,
    joint_log_p,
)
from vision.dice.classifier import ClassifierOutput, ObjectClass
from vision.dice.cube_number import shows_a_number
from vision.dice.ensemble import iter_all_outputs
from vision.dice.lie_prior import compute_lie_prior
from vision.dice.readings import DieReading
from vision.dice.windows import NMS_EDGES, DieSpot
from vision.geometry.projection import KnownBoard

# Die edges between a new spot and a cached one of the same die. Knob: above the scatter of the proposals.
CACHE_MATCH_EDGES = 0.25
CACHE_MATCH_SIZE = 0.15  # share by which the sizes of these two spots may differ; knob
CROP_REACH_EDGES = 3.5  # physical: die edges from a spot to the border of its wider window


@dataclass(frozen=True, slots=True, eq=False)
class DieCandidate:
    """A spot with its classification, None where nothing is detected. `may_be_die`: rejected, yet possibly a die."""

    spot: DieSpot
    classification: Classification | None
    may_be_die: bool = False

    def crop(self, reduced: NDArray[np.uint8], shrink: int) -> NDArray[np.uint8]:
        """The part of a picture (h, w, 3), reduced by the factor `shrink`, that the windows of this spot show."""
        height, width = reduced.shape[:2]
        reach = CROP_REACH_EDGES * self.spot.size_px
        (left, right), (top, bottom) = (
            (int(max(0, (at - reach) / shrink)), int(min(most, (at + reach) / shrink + 1)))
            for at, most in zip(self.spot.centre_px, (width, height), strict=True)
        )
        return reduced[top:bottom, left:right]


# P(die) from which one network of the ensemble confirms a die off the field. Statistical: higher rejects more false
# positives on cluttered tables, and more dice that lie or lean there.
CONFIRM_P = 0.95
CONFIDENT_VALUE_P = 0.95  # knob: P(face) from which the place of a die is looked up again in the next frame


@dataclass(frozen=True, slots=True, eq=False)
class PreviousFrame:
    """Temporal context of a picture; the default is that of the first frame."""

    candidates: tuple[DieCandidate, ...] = ()  # candidates around which nothing has changed since
    die_spots: tuple[DieSpot, ...] = ()  # spots of dice in the previous frame, in case the proposals miss one
    is_hurried: bool = False  # something moves: slow search stages wait for the rest
    # Checker positions of the last scene at rest without dice, however long ago.
    checkers_before: PositionsWithoutDice | None = None
    # Whether a spot looks as it did before the first throw, so that no thrown die lies there.
    is_as_before_play: Callable[[DieSpot], bool] | None = None

    def is_mark(self, candidate: DieCandidate) -> bool:
        """Whether the candidate is a part of the board that looks like a die. The cube may lie still for a whole match."""
        if self.is_as_before_play is None or not (candidate.may_be_die or candidate.classification):
            return False
        seen = candidate.classification
        if seen is not None and int(seen.output.class_log_p.argmax()) == ObjectClass.CUBE.value:
            return False
        return self.is_as_before_play(candidate.spot if seen is None else seen.spot)


def iter_confident_spots(dice: tuple[DieReading, ...]) -> Iterator[DieSpot]:
    """Spots of dice with a confident value. A doubtful detection gets no help to persist."""
    for die in dice:
        if die.value_confidence >= CONFIDENT_VALUE_P:
            yield DieSpot(die.centre_px, die.size_px, die.value_confidence)


def classify_candidates(
    spots: Sequence[DieSpot],
    pixels: NDArray[np.uint8],
    board: KnownBoard | None,
    *,
    min_objectness: float,
    cached: Sequence[DieCandidate],
    lie_priors: Sequence[LiePrior | None] = (),
) -> list[DieCandidate]:
    """One candidate for each spot of a picture (h, w, 3) BGR, taken from `cached` where it has one.

    `lie_priors` has one prior for each spot, or is empty.
    """
    classify = partial(classify_spot, pixels, board=board, min_objectness=min_objectness)
    return [
        _find_cached(spot, cached) or DieCandidate(spot, check_off_field(pixels, classify(spot, lie_prior=lie_prior)))
        for spot, lie_prior in zip(spots, lie_priors or [None] * len(spots), strict=True)
    ]


def check_off_field(pixels: NDArray[np.uint8], result: Classification | None) -> Classification | None:
    """The classification, with P(kind) capped below acceptance if it lies off the field and is not confirmed there."""
    if result is None or not result.is_off_field:
        return result
    kind = ObjectClass(int(result.output.class_log_p.argmax()))
    is_claimed = kind is not ObjectClass.NOTHING and result.output.class_p(kind) >= ACCEPT_P
    if not is_claimed or _is_confirmed(pixels, result, kind):
        return result
    return replace(result, output=replace(result.output, class_log_p=cap_probability(kind, result.output.class_log_p)))


def _is_confirmed(pixels: NDArray[np.uint8], result: Classification, kind: ObjectClass) -> bool:
    if kind is ObjectClass.CUBE:
        return shows_a_number(pixels, result.spot, result.place.board)
    face = int(result.output.face_log_p.argmax())
    return all(_confirms_face(output, face) for output in iter_all_outputs(pixels, result.spot, result.place.board))


def _confirms_face(output: ClassifierOutput, face: int) -> bool:
    return output.class_p(ObjectClass.DIE) >= CONFIRM_P and int(output.face_log_p.argmax()) == face


def make_lie_priors(
    spots: Sequence[DieSpot],
    board: KnownBoard | None,
    positions: CheckerPositions | None,
    before: PositionsWithoutDice | None,
) -> list[LiePrior]:
    """The lie prior at each spot, every other spot counting as a possible die; empty without board or positions.

    Dice that are detected later are missing here; `detect.py` refines a classification that was skipped because of
    that.
    """
    if board is None or positions is None or not spots:
        return []
    centres_mm = board.projection.to_board([spot.centre_px for spot in spots])
    middles_mm = [(float(x_mm), float(y_mm)) for x_mm, y_mm in centres_mm]
    return [
        partial(
            compute_lie_prior,
            positions=positions,
            others_mm=middles_mm[:number] + middles_mm[number + 1 :],
            before=before,
        )
        for number in range(len(spots))
    ]


def _find_cached(spot: DieSpot, cached: Sequence[DieCandidate]) -> DieCandidate | None:
    """The nearest cached candidate of about the same size: a coarse and a finer search may put two spots on one die."""
    alike = (one for one in cached if abs(one.spot.size_px - spot.size_px) < CACHE_MATCH_SIZE * spot.size_px)
    near = [one for one in alike if one.spot.is_near(spot.centre_px, spot.size_px, CACHE_MATCH_EDGES)]
    return min(near, key=lambda one: float(np.hypot(*np.subtract(one.spot.centre_px, spot.centre_px))), default=None)


# P(class) of a detection that no proposal had at this size and place. README.md of this room explains the thresholds.
ACCEPT_UNPROPOSED_P = 0.95
AMBIGUOUS_P = 0.1  # from here a rejected candidate may still be a die
AMBIGUOUS_RESIZED_P = 0.5  # the corresponding limit for a candidate that was resized to another die
# P(face) of a confident die. A less confident one needs a confident one of similar size.
CONFIDENT_FACE_P = 0.99
# Joint P(die, face, lie). A less probable detection beside one above this may be its side.
CONFIDENT_NEIGHBOUR_P = 0.9


def is_accepted(kind: ObjectClass, result: Classification, min_p: float = ACCEPT_P) -> bool:
    """Whether this class is the likeliest and has at least this probability."""
    return int(result.output.class_log_p.argmax()) == kind.value and result.output.class_p(kind) >= min_p


def select_dice(results: Sequence[Classification]) -> list[Classification]:
    """Accepted dice, without detections that may be the side of one of them."""
    return _suppress_sides([result for result in results if is_accepted(ObjectClass.DIE, result)])


def select_accepted(results: Sequence[Classification]) -> list[Classification]:
    """Accepted dice and cubes."""
    return [
        result for result in results if any(is_accepted(kind, result) for kind in (ObjectClass.DIE, ObjectClass.CUBE))
    ]


def has_confident_face(result: Classification) -> bool:
    return result.output.face_p >= CONFIDENT_FACE_P


def select_confident_dice(results: Sequence[Classification]) -> list[Classification]:
    """Dice that pass the stricter threshold for unproposed detections and show a confident face."""
    return [
        result
        for result in results
        if is_accepted(ObjectClass.DIE, result, ACCEPT_UNPROPOSED_P) and has_confident_face(result)
    ]


def reject_unless_confident(spot: DieCandidate, *, with_face: bool = False) -> DieCandidate:
    """The candidate if it passes the stricter threshold for unproposed detections; otherwise without classification."""
    if spot.classification is None:
        return spot
    if is_accepted(ObjectClass.DIE, spot.classification, ACCEPT_UNPROPOSED_P) and (
        has_confident_face(spot.classification) or not with_face
    ):
        return spot
    return replace(
        spot,
        classification=None,
        may_be_die=is_accepted(ObjectClass.DIE, spot.classification, AMBIGUOUS_RESIZED_P),
    )


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


def is_covered(spot: DieSpot, results: Sequence[Classification], edges: float = NMS_EDGES) -> bool:
    """Whether one of these classifications lies within `edges` die edges of the spot."""
    return any(spot.is_near(result.spot.centre_px, result.spot.size_px, edges) for result in results)
