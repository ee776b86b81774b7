"""What the frames before tell of the next one: what was looked at, where dice lay, and what stood there without them.

Close looks that hold on: what was found at a spot is there as long as nothing changes around it.

A close look at a die costs as much as half a board. While a hand moves, most of what may be dice lies where it lay, and
there is nothing new to see there.

Which close looks show dice, and which of them show the same one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision.checkers.occupancy import CheckerPositions, PositionsWithoutDice
from vision.dice.classification_cascade import (
    ACCEPT_P,
    SIDES_VISIBLE_SLOPE,
    Classification,
    LiePrior,
    classify_spot,
    is_side_at,
    joint_log_p,
)
from vision.dice.classifier import ObjectClass
from vision.dice.lie_prior import compute_lie_prior
from vision.dice.off_field_check import check_off_field
from vision.dice.proposals import ProposalLimits
from vision.dice.readings import DieReading
from vision.dice.windows import NMS_EDGES, DieSpot
from vision.geometry.projection import KnownBoard

CACHE_MATCH_EDGES = 0.25  # edges; the coarse search puts a die that did not move so near to where it was found before
CACHE_MATCH_SIZE = 0.15  # by so little as a share may its sizes differ
CROP_REACH_EDGES = 3.5  # from a spot to the end of what its close looks show, put exactly on the die


@dataclass(frozen=True, slots=True, eq=False)
class DieCandidate:
    """`look` is None where nothing is that could be a die or the cube; `perhaps`: in another size it may be one."""

    spot: DieSpot
    classification: Classification | None
    may_be_die: bool = False

    def crop(self, reduced: NDArray[np.uint8], shrink: int) -> NDArray[np.uint8]:
        """The part around the spot of a picture (h, w, 3) that was reduced `shrink` times."""
        height, width = reduced.shape[:2]
        reach = CROP_REACH_EDGES * self.spot.size_px
        (left, right), (top, bottom) = (
            (int(max(0, (at - reach) / shrink)), int(min(most, (at + reach) / shrink + 1)))
            for at, most in zip(self.spot.centre_px, (width, height), strict=True)
        )
        return reduced[top:bottom, left:right]


CONFIDENT_VALUE_P = 0.95  # probability of its face


@dataclass(frozen=True, slots=True, eq=False)
class PreviousFrame:
    """The empty one begins."""

    candidates: tuple[DieCandidate, ...] = ()  # close looks at places around which nothing changed since
    die_spots: tuple[DieSpot, ...] = ()  # where dice were, in case the search overlooks one
    is_hurried: bool = False  # something moves: what takes long waits for the rest
    checkers_before: PositionsWithoutDice | None = (
        None  # the checkers when a scene at rest last showed no dice, however long ago
    )


def iter_confident_spots(dice: tuple[DieReading, ...]) -> Iterator[DieSpot]:
    """Of those that are plain: what only looks a little like a die is not helped to stay."""
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
    """A look at each spot of a picture (h, w, 3) BGR; those of `known`, where nothing changed, are taken as they are.

    `lies_likelier`: what is known of how a die may lie at each of them.
    """
    looked = partial(classify_spot, pixels, board=board, min_objectness=min_objectness)
    return [
        _find_cached(spot, cached) or DieCandidate(spot, check_off_field(pixels, looked(spot, lie_prior=likelier)))
        for spot, likelier in zip(spots, lie_priors or [None] * len(spots), strict=True)
    ]


def make_lie_priors(
    spots: Sequence[DieSpot],
    board: KnownBoard | None,
    positions: CheckerPositions | None,
    before: PositionsWithoutDice | None,
) -> list[LiePrior]:
    """How a die may lie at each of these spots, if each of the others may be a die as well.

    Those that are found later are not among them: whoever was let off beside one is looked at once more (`dice.py`).

    Empty where nothing is known of what stands there.
    """
    if board is None or positions is None or not spots:
        return []
    at_mm = board.projection.to_board([spot.centre_px for spot in spots])
    middles_mm = [(float(x_mm), float(y_mm)) for x_mm, y_mm in at_mm]
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
    """The nearest of those that are as large: a coarse and a finer search may put two spots on one die."""
    near = [one for one in cached if one.spot.is_near(spot.centre_px, spot.size_px, CACHE_MATCH_EDGES)]
    near = [one for one in near if abs(one.spot.size_px - spot.size_px) < CACHE_MATCH_SIZE * spot.size_px]
    return min(near, key=lambda one: float(np.hypot(*np.subtract(one.spot.centre_px, spot.centre_px))), default=None)


@dataclass(frozen=True, slots=True)
class DiceLimits:
    """When something counts as a die. Probabilities, 0..1."""

    accept_p: float = ACCEPT_P
    accept_unproposed_p: float = (
        0.95  # the same where no search found it in that size: taken for as large as the other die, or
    )
    # because it lay there before
    min_objectness: float = 0.2
    ambiguous_p: float = 0.1  # from where on something that is not told as a die may be one all the same
    ambiguous_resized_p: float = 0.5  # the same of what looks so when it is taken for as large as the other die
    confident_face_p: float = (
        0.99  # what shows its face less plainly is no die if it is of another size than a plain one
    )
    max_size_difference: float = (
        0.4  # share of the larger edge; rendered dice were measured within 0.24 of those beside them,
    )
    max_size_difference_off_field: float = 0.24  # which counts beside the field, where much else lies
    max_size_deficit: float = (
        0.2  # likewise: of what looks less like a die than `perhaps_again`, in that die's size too
    )
    # Edges between the middles of two dice. Of 2,474 pairs drawn for training that touch one in a hundred is nearer; of 1,990
    # that were dropped 44, most of them one on the other.
    min_dice_distance: float = 0.8
    agreement_edges: float = 0.35  # likewise: two looks at one die put it no further apart
    # Of 42 pairs nearer than `side_by_side` in 1,200 drawn pictures, 285 rendered ones and 1,000 windows all 13 of which one is so
    # likely flat are two dice, and 27 of the 29 others are one die and its side.
    possibly_flat_p: float = 0.5
    # That it is a die, with its face and its lie; what lies beside one that is so plain, and is not so itself, may be its side.
    confident_neighbour_p: float = 0.9
    # On tables full of red checkers clear red dice rank behind them: a glance and a close look tell these at once.
    extra_spots: int = 18
    # What the search sees still fainter is looked at only where a throw is not complete: of 3,272 such places in 480 drawn pictures,
    # more than half of all, eight are dice, each beside another one.
    min_first_score: float = 0.2
    proposals: ProposalLimits = field(default_factory=ProposalLimits)


def is_accepted(kind: ObjectClass, look: Classification, least: float) -> bool:
    """Whether it is likelier that than anything else, and so likely at least."""
    kinds = look.output.class_log_p
    return int(kinds.argmax()) == kind.value and float(np.exp(kinds[kind.value])) >= least


def select_dice(looks: Sequence[Classification], limits: DiceLimits) -> list[Classification]:
    """Those that are told, without what may be a side of one of them."""
    return _suppress_sides([look for look in looks if is_accepted(ObjectClass.DIE, look, limits.accept_p)], limits)


def select_accepted(looks: Sequence[Classification], limits: DiceLimits) -> list[Classification]:
    """Dice and cubes."""
    return [
        look
        for look in looks
        if any(is_accepted(kind, look, limits.accept_p) for kind in (ObjectClass.DIE, ObjectClass.CUBE))
    ]


def has_confident_face(look: Classification, limits: DiceLimits) -> bool:
    return float(np.exp(look.output.face_log_p.max())) >= limits.confident_face_p


def select_confident_dice(looks: Sequence[Classification], limits: DiceLimits) -> list[Classification]:
    """Dice that show their faces, surer than what the search points at has to be."""
    return [
        look
        for look in looks
        if is_accepted(ObjectClass.DIE, look, limits.accept_unproposed_p) and has_confident_face(look, limits)
    ]


def reject_unless_confident(spot: DieCandidate, limits: DiceLimits, *, with_face: bool = False) -> DieCandidate:
    """A look that no search asked for in that size: what is no plain die there is none, and perhaps one."""
    if spot.classification is None:
        return spot
    if is_accepted(ObjectClass.DIE, spot.classification, limits.accept_unproposed_p) and (
        has_confident_face(spot.classification, limits) or not with_face
    ):
        return spot
    return replace(
        spot,
        classification=None,
        may_be_die=is_accepted(ObjectClass.DIE, spot.classification, limits.ambiguous_resized_p),
    )


def suppress_duplicates(spots: Sequence[DieCandidate]) -> list[Classification]:
    """One for each die: two spots often lead to the same."""
    return suppress_non_maxima([spot.classification for spot in spots if spot.classification is not None], NMS_EDGES)


def suppress_non_maxima(looks: Sequence[Classification], edges: float) -> list[Classification]:
    """The surest ones, none nearer to another than that."""
    kept: list[Classification] = []
    for look in sorted(looks, key=lambda look: -float(look.output.class_log_p[1:].max())):
        if not is_covered(look.spot, kept, edges):
            kept.append(look)
    return kept


def _suppress_sides(dice: Sequence[Classification], limits: DiceLimits) -> list[Classification]:
    """Without what may be a side of a plainer one of them that stays."""
    kept: list[Classification] = []
    for die in sorted(dice, key=lambda die: -joint_log_p(die.output)):
        if not any(_is_side_of(die, other, limits) for other in kept):
            kept.append(die)
    return [die for die in dice if die in kept]


def _is_side_of(look: Classification, die: Classification, limits: DiceLimits) -> bool:
    """Whether a doubtful look lies where a side of a plain die shows: before its upper face, as the camera sees it."""
    board, sight = die.place.board, die.place.sight
    if board is None or float(np.hypot(*sight)) < SIDES_VISIBLE_SLOPE:
        return False
    plain = float(np.log(limits.confident_neighbour_p))
    if joint_log_p(look.output) >= plain or joint_log_p(die.output) < plain or not has_confident_face(die, limits):
        return False
    side_mm, top_mm = board.projection.to_board([look.spot.centre_px, die.spot.centre_px])
    return is_side_at((top_mm - side_mm) / die.edge, sight)


def is_covered(spot: DieSpot, looks: Sequence[Classification], edges: float = NMS_EDGES) -> bool:
    """Whether one of these looks is at what lies there."""
    return any(spot.is_near(look.spot.centre_px, look.spot.size_px, edges) for look in looks)
