"""The dice and the doubling cube in one picture: a coarse search, then a close look at each place.

A die that cannot be told keeps flat likelihoods; it is not left out, for a die that lies there and cannot be read is
another thing than no die.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision.checkers.occupancy import CheckerPositions, PositionsWithoutDice
from vision.dice.candidates import (
    DiceLimits,
    DieCandidate,
    PreviousFrame,
    has_confident_face,
    is_accepted,
    is_covered,
    make_lie_priors,
    select_confident_dice,
    select_dice,
    suppress_duplicates,
    suppress_non_maxima,
)
from vision.dice.classification_cascade import Classification, classify_spot, is_uncertain, without_cube
from vision.dice.classifier import ObjectClass, reweight
from vision.dice.cube_number import classify_cube_number
from vision.dice.lie_prior import compute_lie_prior
from vision.dice.off_field_check import check_off_field
from vision.dice.orientation import compute_footprint_mm
from vision.dice.readings import FLAT_LIE, CubeReading, DieReading
from vision.dice.search_stages import run_search_stages, start_search
from vision.dice.to_reading import LAPLACE_TO_SIGMA, make_cube_reading, make_dice_readings
from vision.geometry.projection import KnownBoard


@dataclass(frozen=True, slots=True)
class DiceInView:
    """All dice, from left to right, and the cube; `spots` are the close looks that told so, for the next picture."""

    dice: tuple[DieReading, ...] = ()
    cube: CubeReading | None = None
    candidates: tuple[DieCandidate, ...] = field(default=(), compare=False, repr=False)
    may_hold_more: bool = False  # something else in view may be a die, so that no die is surely missing


def read_dice(
    pixels: NDArray[np.uint8],
    board: KnownBoard | None,
    limits: DiceLimits | None = None,
    *,
    positions: CheckerPositions | None = None,
    previous: PreviousFrame | None = None,
) -> DiceInView:
    """Of a picture (h, w, 3) BGR. Without a board the places, halves and lies are those of a picture alone.

    `standing` tells what a die may lean on, which makes surer of those that lie clear of it; `earlier` what the pictures
    before showed.
    """
    limits, previous = limits or DiceLimits(), previous or PreviousFrame()
    picture = start_search(pixels, board, limits, previous)
    first = picture.classify(
        picture.first_spots, make_lie_priors(picture.first_spots, board, positions, previous.checkers_before)
    )
    spots = run_search_stages(picture, first)
    if positions is None:
        looks = seen = _reject_small_cubes(suppress_duplicates(spots), limits)
    else:
        spots, times = _refine_skipped(spots, pixels, board, positions, previous.checkers_before)
        seen = _reject_small_cubes(suppress_duplicates(spots), limits)
        looks = [_apply_lie_factors(look, each) for look, each in zip(seen, times, strict=True)]
    # Sides are told by what they look like: that nothing stands near makes none a plain face.
    plain = select_dice(seen, limits)
    likely = [look for look, own in zip(looks, seen, strict=True) if own in plain]
    told = _suppress_leaning_sides(_reject_other_sizes(likely, limits), limits)
    dice = sorted(make_dice_readings(told), key=lambda die: die.centre_px)
    return DiceInView(
        tuple(dice),
        _select_cube(looks, pixels, board, limits),
        tuple(spots),
        _may_hold_more(spots, looks, told, limits),
    )


def _select_cube(
    looks: Sequence[Classification], pixels: NDArray[np.uint8], board: KnownBoard | None, limits: DiceLimits
) -> CubeReading | None:
    """The surest."""
    cubes = [look for look in looks if is_accepted(ObjectClass.CUBE, look, limits.accept_p)]
    best = max(cubes, key=lambda look: float(look.output.class_log_p[ObjectClass.CUBE.value]), default=None)
    return None if best is None else make_cube_reading(best, classify_cube_number(pixels, best.spot, board))


def _may_hold_more(
    spots: Sequence[DieCandidate], looks: Sequence[Classification], found: Sequence[Classification], limits: DiceLimits
) -> bool:
    """Whether anything beside the dice that were found looks a little like one.

    Something much smaller than a plain one is none, as a light is, nor what is smaller and hardly looks so, as a gap between
    four checkers: whether it looks so in the size of that die is asked too. Of two dice that touch one look may show both as
    one: looks that put their die elsewhere than those that are kept leave room for another.
    """
    plain = [look for look in found if has_confident_face(look, limits)]
    others = [look for look in looks if look not in found and not _is_too_small(look, plain, limits)]
    all_looks = [spot.classification for spot in spots if spot.classification is not None]
    others += [look for look in all_looks if not is_covered(look.spot, looks, limits.agreement_edges)]
    perhaps = [spot.spot for spot in spots if spot.may_be_die]
    perhaps += [look.ambiguous_at for look in all_looks if look.ambiguous_at is not None]
    return (
        any(float(np.exp(look.output.class_log_p[ObjectClass.DIE.value])) >= limits.ambiguous_p for look in others)
        or any(not is_covered(spot, found) for spot in perhaps)
        or any(look.may_be_two for look in found)
    )


def _suppress_leaning_sides(dice: Sequence[Classification], limits: DiceLimits) -> list[Classification]:
    """The side of a die that leans looks like another die in its place.

    Of two that lie as near to each other and one of which may lie flat, both are dice. In a view from aside, of which no board
    tells, dice that lie flat show their sides as well.
    """
    leaning = [
        die
        for die in dice
        if die.place.board is None or die.output.lie_log_p[FLAT_LIE] < np.log(limits.possibly_flat_p)
    ]
    kept = suppress_non_maxima(leaning, limits.min_dice_distance)
    return [die for die in dice if die in kept or die not in leaning]


def _reject_small_cubes(looks: Sequence[Classification], limits: DiceLimits) -> list[Classification]:
    """What is no larger than a plain die is no cube, though an ace has one mark in its middle as well.

    A cube is half as large again as the largest dice, and of 91 beside plain dice none was measured below 1.06 of them.
    """
    plain = select_confident_dice(looks, limits)
    return [
        without_cube(look) if any(die is not look and die.edge >= look.edge for die in plain) else look
        for look in looks
    ]


def _refine_skipped(
    spots: Sequence[DieCandidate],
    pixels: NDArray[np.uint8],
    board: KnownBoard | None,
    standing: CheckerPositions,
    stood: PositionsWithoutDice | None,
) -> tuple[list[DieCandidate], list[NDArray[np.float64]]]:
    """Those too that were let off one before all the others were found on which a die may lean, or before it was asked how much room
    there is; and how likely each lies how.

    The latter of all that are different, as `_times_likelier` has it.
    """
    looks = suppress_duplicates(spots)
    times = _compute_lie_factors(looks, standing, stood, pixels)
    doubtful = [
        look
        for look, each in zip(looks, times, strict=True)
        if look.skipped_refinement and is_uncertain(look.output, each)
    ]
    if not doubtful:
        return list(spots), times
    spots = [
        replace(
            one,
            classification=check_off_field(
                pixels, classify_spot(pixels, one.classification.spot, board, min_objectness=0.0)
            ),
        )
        if one.classification is not None and any(one.classification is look for look in doubtful)
        else one
        for one in spots
    ]
    return spots, _compute_lie_factors(suppress_duplicates(spots), standing, stood, pixels)


def _compute_lie_factors(
    looks: Sequence[Classification],
    standing: CheckerPositions,
    stood: PositionsWithoutDice | None,
    pixels: NDArray[np.uint8],
) -> list[NDArray[np.float64]]:
    """Of each look (6,) of LIES, where any of the others may be a die."""
    bases_mm = [look.base_mm for look in looks]
    return [
        compute_lie_prior(
            base_mm,
            look.edge,
            standing,
            bases_mm[:at] + bases_mm[at + 1 :],
            before=stood,
            footprint=partial(compute_footprint_mm, pixels, look.spot, look.edge, look.place.board),
        )
        for at, (look, base_mm) in enumerate(zip(looks, bases_mm, strict=True))
    ]


def _apply_lie_factors(look: Classification, times: NDArray[np.float64]) -> Classification:
    """Each lie so many times likelier; what it was measured to lean counts as much less as it less likely leans at all."""
    lies = reweight(look.output.lie_log_p, times)
    before, leans = (float(-np.expm1(min(said[FLAT_LIE], 0.0))) for said in (look.output.lie_log_p, lies))
    share = min(leans / max(before, 1e-9), 1.0)
    doubt = np.linalg.norm(look.output.normal) * np.sqrt(leans * (1 - leans))  # flat or leaning so: their spread
    spread = share * look.output.normal_spread + (1 - share) * float(doubt) / LAPLACE_TO_SIGMA
    answer = replace(look.output, lie_log_p=lies, normal=share * look.output.normal, normal_spread=spread)
    return replace(look, output=answer)


def _reject_other_sizes(dice: Sequence[Classification], limits: DiceLimits) -> list[Classification]:
    """Without gaps, ornaments and reflections that hardly look like a die, beside a plain die of quite another size.

    Beside the field a plain one does not count either if it is of another size than all plain ones in the field.
    """
    plain = [die for die in dice if has_confident_face(die, limits)]
    like = [
        die
        for die in dice
        if not plain or any(_are_similar_in_size(die, one, limits.max_size_difference) for one in plain)
    ]
    inside = [die for die in plain if not die.is_off_field]
    most = limits.max_size_difference_off_field
    return [
        die
        for die in like
        if not (inside and die.is_off_field) or any(_are_similar_in_size(die, one, most) for one in inside)
    ]


def _is_too_small(look: Classification, plain: Sequence[Classification], limits: DiceLimits) -> bool:
    looks_so = float(np.exp(look.output.class_log_p[ObjectClass.DIE.value])) >= limits.ambiguous_resized_p
    share = limits.max_size_difference if looks_so else limits.max_size_deficit
    return bool(plain) and look.edge < (1 - share) * min(die.edge for die in plain)


def _are_similar_in_size(one: Classification, other: Classification, most: float) -> bool:
    """Whether the smaller is less by no more than that share of the larger."""
    smaller, larger = sorted((one.edge, other.edge))
    return smaller >= (1 - most) * larger
