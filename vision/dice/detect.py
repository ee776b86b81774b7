"""Detection of the dice and the doubling cube in one picture: proposals, then classification of each.

A die whose face cannot be read keeps flat likelihoods and stays in the result: an unread die is another fact than no
die.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import dist
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.checkers import CheckerPositions, PositionsWithoutDice
from vision.dice.candidates import (
    AMBIGUOUS_P,
    DieCandidate,
    PreviousFrame,
    classify_candidates,
    has_confident_face,
    is_accepted,
    is_covered,
    select_confident_dice,
    select_dice,
    suppress_duplicates,
    suppress_non_maxima,
)
from vision.dice.classification import Classification, without_cube
from vision.dice.classifier import ObjectClass, reweight
from vision.dice.cube_number import classify_cube_number
from vision.dice.lie_prior import compute_lie_prior
from vision.dice.orientation import compute_footprint_mm
from vision.dice.proposals import ProposalLimits, filter_proposals, propose_dice, suppress_spots
from vision.dice.readings import FLAT_LIE, CubeReading, DieReading
from vision.dice.to_reading import LAPLACE_TO_SIGMA, make_cube_reading, make_dice_readings
from vision.dice.windows import DieSpot
from vision.geometry.projection import KnownBoard

DICE_OF_A_THROW = 2
CLEAR_P = 0.3  # knob: P(object) of the filter from which a proposal is classified in any case
MAX_SIZE_RATIO = 1.5  # statistical: largest ratio between the size of a proposal and that of a die beside it
# Without a board proposals of all sizes are tried once more at the size of a die: their least distance in die edges, and
# how many. Knobs.
RETRY_LIMITS = ProposalLimits(nms_edges=0.3, most_spots=60)
# Share of the larger edge. Statistical: dice beside each other measure within 0.24 of each other.
MAX_SIZE_DIFFERENCE = 0.4
MAX_SIZE_DIFFERENCE_OFF_FIELD = 0.24  # stricter off the field, where clutter of any size lies
# Die edges between the middles of two leaning dice. Statistical: one pair in a hundred that touches is nearer.
MIN_DICE_DISTANCE = 0.8
AGREEMENT_EDGES = 0.35  # die edges within which two detections of one die lie
# Statistical: two dice nearer than MIN_DICE_DISTANCE are two if one of them is flat with this probability.
POSSIBLY_FLAT_P = 0.5


@dataclass(frozen=True, slots=True)
class DiceInView:
    """All dice, from left to right, and the cube; `candidates` serve the next frame."""

    dice: tuple[DieReading, ...] = ()
    cube: CubeReading | None = None
    candidates: tuple[DieCandidate, ...] = field(default=(), compare=False, repr=False)
    may_hold_more: bool = False  # some other candidate may be a die, so no die is surely missing


class DiceDetector(Protocol):
    """Detects the dice and the doubling cube in a picture (h, w, 3) BGR; `board` is None where none is known.

    `positions` are the checkers that a die may lean or lie on, `previous` is the temporal context.
    """

    def __call__(
        self,
        pixels: NDArray[np.uint8],
        board: KnownBoard | None,
        /,
        *,
        positions: CheckerPositions | None = None,
        previous: PreviousFrame | None = None,
    ) -> DiceInView: ...


def read_dice(
    pixels: NDArray[np.uint8],
    board: KnownBoard | None,
    *,
    positions: CheckerPositions | None = None,
    previous: PreviousFrame | None = None,
) -> DiceInView:
    """The `DiceDetector` of this project: proposals, classification of each, lie prior, selection."""
    previous = previous or PreviousFrame()
    candidates = _find_candidates(pixels, board, previous)
    unweighted = _reject_small_cubes(suppress_duplicates(candidates))
    results = unweighted
    if positions is not None:
        factors = _compute_lie_factors(unweighted, positions, previous.checkers_before, pixels)
        results = [_apply_lie_factors(result, each) for result, each in zip(unweighted, factors, strict=True)]
    # The prior does not take part in the choice between a face and a side: free space makes no side a face.
    confident = select_dice(unweighted)
    possible = [result for result, own in zip(results, unweighted, strict=True) if own in confident]
    accepted = _suppress_leaning_sides(_reject_other_sizes(possible))
    dice = sorted(make_dice_readings(accepted), key=lambda die: die.centre_px)
    return DiceInView(
        tuple(dice),
        _select_cube(results, pixels, board),
        tuple(candidates),
        _may_hold_more(candidates, results, accepted),
    )


def _find_candidates(
    pixels: NDArray[np.uint8], board: KnownBoard | None, previous: PreviousFrame
) -> list[DieCandidate]:
    """Classified proposals. Beside a whole throw, fainter ones count only if they may be a third die.

    While something moves they wait for the rest.
    """
    proposals = filter_proposals(pixels, propose_dice(pixels, board))
    clear = [spot for spot in proposals if spot.score >= CLEAR_P]
    found = _classify(clear, pixels, board, previous)
    uncovered = filter_proposals(pixels, _list_uncovered(previous.die_spots, found))
    found += _classify(uncovered, pixels, board, previous)
    if not previous.is_hurried:
        dice = select_dice(suppress_duplicates(found))
        faint = [spot for spot in proposals if spot.score < CLEAR_P]
        if len(dice) >= DICE_OF_A_THROW:
            faint = [spot for spot in faint if _may_be_a_third(spot, dice)]
        found += _classify(faint, pixels, board, previous)
    return found if board is not None else [*found, *_classify_at_nearest_size(pixels, found, previous)]


def _may_be_a_third(spot: DieSpot, dice: Sequence[Classification]) -> bool:
    """Whether the proposal is about as large as one of these dice."""
    sizes_px = [die.spot.size_px for die in dice]
    return any(max(spot.size_px, other) <= MAX_SIZE_RATIO * min(spot.size_px, other) for other in sizes_px)


def _classify(
    spots: Sequence[DieSpot], pixels: NDArray[np.uint8], board: KnownBoard | None, previous: PreviousFrame
) -> list[DieCandidate]:
    """Candidates at these spots without marks of the board."""
    found = classify_candidates(spots, pixels, board, previous.candidates)
    return [one for one in found if not previous.is_mark(one)]


def _list_uncovered(spots: Sequence[DieSpot], found: Sequence[DieCandidate]) -> list[DieSpot]:
    """The spots at which no die was accepted."""
    dice = select_dice(suppress_duplicates(found))
    return [spot for spot in spots if not is_covered(spot, dice)]


def _classify_at_nearest_size(
    pixels: NDArray[np.uint8], found: Sequence[DieCandidate], previous: PreviousFrame
) -> list[DieCandidate]:
    """Without a board, classifies every proposal at the size of the nearest confident die.

    Several dice together look like one large die there, and a pip like a small one.
    """
    confident = select_confident_dice(suppress_duplicates(found))
    if not confident:
        return []
    spots = []
    for spot in propose_dice(pixels, None, RETRY_LIMITS):
        nearest = min(confident, key=lambda die: dist(die.spot.centre_px, spot.centre_px))
        spots.append(replace(spot, size_px=nearest.spot.size_px))
    uncovered = _list_uncovered(suppress_spots(spots, RETRY_LIMITS), found)
    return _classify(filter_proposals(pixels, uncovered, RETRY_LIMITS), pixels, None, previous)


def _select_cube(
    results: Sequence[Classification], pixels: NDArray[np.uint8], board: KnownBoard | None
) -> CubeReading | None:
    """The accepted cube of the highest probability."""
    cubes = [result for result in results if is_accepted(ObjectClass.CUBE, result)]
    best = max(cubes, key=lambda result: float(result.output.class_log_p[ObjectClass.CUBE.value]), default=None)
    return None if best is None else make_cube_reading(best, classify_cube_number(pixels, best.spot, board))


def _may_hold_more(
    candidates: Sequence[DieCandidate],
    results: Sequence[Classification],
    found: Sequence[Classification],
) -> bool:
    """Whether any candidate beside the accepted dice may be a die.

    A candidate much smaller than a confident die is none (a light, a gap between checkers). Of two dice that touch,
    one window may show both as one: a classification that lies away from the accepted ones leaves room for another
    die.
    """
    confident = [result for result in found if has_confident_face(result)]
    others = [result for result in results if result not in found and not _is_too_small(result, confident)]
    every_result = [spot.classification for spot in candidates if spot.classification is not None]
    others += [result for result in every_result if not is_covered(result.spot, results, AGREEMENT_EDGES)]
    return any(result.output.class_p(ObjectClass.DIE) >= AMBIGUOUS_P for result in others) or any(
        result.may_be_two for result in found
    )


def _suppress_leaning_sides(dice: Sequence[Classification]) -> list[Classification]:
    """Non-maximum suppression among leaning dice: the side of a leaning die looks like another die in its place.

    Dice that may lie flat are exempt on a known board. Without a board, flat dice show their sides too.
    """
    leaning = [
        die for die in dice if die.place.board is None or die.output.lie_log_p[FLAT_LIE] < np.log(POSSIBLY_FLAT_P)
    ]
    kept = suppress_non_maxima(leaning, MIN_DICE_DISTANCE)
    return [die for die in dice if die in kept or die not in leaning]


def _reject_small_cubes(results: Sequence[Classification]) -> list[Classification]:
    """Rejects cubes no larger than a confident die: a cube is half as large again, but an ace has one mark too."""
    confident = select_confident_dice(results)
    return [
        without_cube(result) if any(die is not result and die.edge >= result.edge for die in confident) else result
        for result in results
    ]


def _compute_lie_factors(
    results: Sequence[Classification],
    positions: CheckerPositions,
    before: PositionsWithoutDice | None,
    pixels: NDArray[np.uint8],
) -> list[NDArray[np.float64]]:
    """For each classification the lie prior (6,) of STILL_LIES, every other one counting as a possible die."""
    bases_mm = [result.base_mm for result in results]
    return [
        compute_lie_prior(
            base_mm,
            result.edge,
            positions,
            bases_mm[:at] + bases_mm[at + 1 :],
            before=before,
            footprint=partial(compute_footprint_mm, pixels, result.spot, result.edge, result.place.board),
        )
        for at, (result, base_mm) in enumerate(zip(results, bases_mm, strict=True))
    ]


def _apply_lie_factors(result: Classification, lie_factors: NDArray[np.float64]) -> Classification:
    """Applies the lie prior, and shrinks the measured tilt by the drop in P(not flat)."""
    lies = reweight(result.output.lie_log_p, lie_factors)
    before, leans = (float(-np.expm1(min(log_p[FLAT_LIE], 0.0))) for log_p in (result.output.lie_log_p, lies))
    share = min(leans / max(before, 1e-9), 1.0)
    doubt = np.linalg.norm(result.output.normal) * np.sqrt(leans * (1 - leans))  # spread of "flat" and "leans so"
    spread = share * result.output.normal_spread + (1 - share) * float(doubt) / LAPLACE_TO_SIGMA
    output = replace(result.output, lie_log_p=lies, normal=share * result.output.normal, normal_spread=spread)
    return replace(result, output=output)


def _reject_other_sizes(dice: Sequence[Classification]) -> list[Classification]:
    """Without doubtful detections whose size differs from every confident die: gaps, ornaments, reflections.

    Off the field a confident one is rejected too if its size differs from every confident die in the field.
    """
    confident = [die for die in dice if has_confident_face(die)]
    like = [
        die
        for die in dice
        if not confident or any(_are_similar_in_size(die, one, MAX_SIZE_DIFFERENCE) for one in confident)
    ]
    inside = [die for die in confident if not die.is_off_field]
    max_share = MAX_SIZE_DIFFERENCE_OFF_FIELD
    return [
        die
        for die in like
        if not (inside and die.is_off_field) or any(_are_similar_in_size(die, one, max_share) for one in inside)
    ]


def _is_too_small(result: Classification, confident: Sequence[Classification]) -> bool:
    return bool(confident) and result.edge < (1 - MAX_SIZE_DIFFERENCE) * min(die.edge for die in confident)


def _are_similar_in_size(one: Classification, other: Classification, max_share: float) -> bool:
    """Whether the smaller edge is less than the larger by no more than this share."""
    smaller, larger = sorted((one.edge, other.edge))
    return smaller >= (1 - max_share) * larger
