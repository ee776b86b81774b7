"""The dice and the doubling cube in one picture: a coarse search, then a close look at each place.

A die that cannot be told keeps flat likelihoods; it is not left out, for a die that lies there and cannot be read is
another thing than no die.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision.checkers.occupancy import Standing, Stood
from vision.dice.candidates import (
    DiceLimits,
    Earlier,
    SpotLook,
    apart,
    dice_among,
    different,
    is_known,
    is_told,
    lies_likelier_at,
    plain_among,
    shows_its_face,
)
from vision.dice.classification_cascade import Look, leaves_doubt, look_at, without_cube
from vision.dice.classifier import Kind, weighed
from vision.dice.cube_number import cube_numbers
from vision.dice.lie_prior import likelier_lies
from vision.dice.off_field_check import doubted_beside_field
from vision.dice.orientation import footprint_mm
from vision.dice.readings import FLAT_LIE, CubeReading, DieReading
from vision.dice.search_stages import searched, with_further_looks
from vision.dice.to_reading import LAPLACE_TO_SIGMA, cube_reading, dice_readings
from vision.geometry.projection import KnownBoard


@dataclass(frozen=True, slots=True)
class DiceInView:
    """All dice, from left to right, and the cube; `spots` are the close looks that told so, for the next picture."""

    dice: tuple[DieReading, ...] = ()
    cube: CubeReading | None = None
    spots: tuple[SpotLook, ...] = field(default=(), compare=False, repr=False)
    perhaps_more: bool = False  # something else in view may be a die, so that no die is surely missing


def read_dice(
    pixels: NDArray[np.uint8],
    board: KnownBoard | None,
    limits: DiceLimits | None = None,
    *,
    standing: Standing | None = None,
    earlier: Earlier | None = None,
) -> DiceInView:
    """Of a picture (h, w, 3) BGR. Without a board the places, halves and lies are those of a picture alone.

    `standing` tells what a die may lean on, which makes surer of those that lie clear of it; `earlier` what the pictures
    before showed.
    """
    limits, earlier = limits or DiceLimits(), earlier or Earlier()
    picture = searched(pixels, board, limits, earlier)
    first = picture.looks(picture.first, lies_likelier_at(picture.first, board, standing, earlier.stood))
    spots = with_further_looks(picture, first)
    if standing is None:
        looks = seen = _without_small_cubes(different(spots), limits)
    else:
        spots, times = _with_nearer_looks(spots, pixels, board, standing, earlier.stood)
        seen = _without_small_cubes(different(spots), limits)
        looks = [_likelier(look, each) for look, each in zip(seen, times, strict=True)]
    # Sides are told by what they look like: that nothing stands near makes none a plain face.
    plain = dice_among(seen, limits)
    likely = [look for look, own in zip(looks, seen, strict=True) if own in plain]
    told = _without_sides_of_leaning(_of_like_size(likely, limits), limits)
    dice = sorted(dice_readings(told), key=lambda die: die.centre_px)
    return DiceInView(
        tuple(dice), _cube_among(looks, pixels, board, limits), tuple(spots), _may_hold_more(spots, looks, told, limits)
    )


def _cube_among(
    looks: Sequence[Look], pixels: NDArray[np.uint8], board: KnownBoard | None, limits: DiceLimits
) -> CubeReading | None:
    """The surest."""
    cubes = [look for look in looks if is_told(Kind.CUBE, look, limits.least_die)]
    best = max(cubes, key=lambda look: float(look.answer.kinds[Kind.CUBE.value]), default=None)
    return None if best is None else cube_reading(best, cube_numbers(pixels, best.spot, board))


def _may_hold_more(spots: Sequence[SpotLook], looks: Sequence[Look], found: Sequence[Look], limits: DiceLimits) -> bool:
    """Whether anything beside the dice that were found looks a little like one.

    Something much smaller than a plain one is none, as a light is, nor what is smaller and hardly looks so, as a gap between
    four checkers: whether it looks so in the size of that die is asked too. Of two dice that touch one look may show both as
    one: looks that put their die elsewhere than those that are kept leave room for another.
    """
    plain = [look for look in found if shows_its_face(look, limits)]
    others = [look for look in looks if look not in found and not _is_too_small(look, plain, limits)]
    all_looks = [spot.look for spot in spots if spot.look is not None]
    others += [look for look in all_looks if not is_known(look.spot, looks, limits.agreed)]
    perhaps = [spot.spot for spot in spots if spot.perhaps]
    perhaps += [look.half_told for look in all_looks if look.half_told is not None]
    return (
        any(float(np.exp(look.answer.kinds[Kind.DIE.value])) >= limits.perhaps for look in others)
        or any(not is_known(spot, found) for spot in perhaps)
        or any(look.may_be_two for look in found)
    )


def _without_sides_of_leaning(dice: Sequence[Look], limits: DiceLimits) -> list[Look]:
    """The side of a die that leans looks like another die in its place.

    Of two that lie as near to each other and one of which may lie flat, both are dice. In a view from aside, of which no board
    tells, dice that lie flat show their sides as well.
    """
    leaning = [
        die for die in dice if die.place.board is None or die.answer.lies[FLAT_LIE] < np.log(limits.may_lie_flat)
    ]
    kept = apart(leaning, limits.side_by_side)
    return [die for die in dice if die in kept or die not in leaning]


def _without_small_cubes(looks: Sequence[Look], limits: DiceLimits) -> list[Look]:
    """What is no larger than a plain die is no cube, though an ace has one mark in its middle as well.

    A cube is half as large again as the largest dice, and of 91 beside plain dice none was measured below 1.06 of them.
    """
    plain = plain_among(looks, limits)
    return [
        without_cube(look) if any(die is not look and die.edge >= look.edge for die in plain) else look
        for look in looks
    ]


def _with_nearer_looks(
    spots: Sequence[SpotLook],
    pixels: NDArray[np.uint8],
    board: KnownBoard | None,
    standing: Standing,
    stood: Stood | None,
) -> tuple[list[SpotLook], list[NDArray[np.float64]]]:
    """Those too that were let off one before all the others were found on which a die may lean, or before it was asked how much room
    there is; and how likely each lies how.

    The latter of all that are different, as `_times_likelier` has it.
    """
    looks = different(spots)
    times = _times_likelier(looks, standing, stood, pixels)
    doubtful = [
        look for look, each in zip(looks, times, strict=True) if look.is_let_off and leaves_doubt(look.answer, each)
    ]
    if not doubtful:
        return list(spots), times
    spots = [
        replace(one, look=doubted_beside_field(pixels, look_at(pixels, one.look.spot, board, worth_more=0.0)))
        if one.look is not None and any(one.look is look for look in doubtful)
        else one
        for one in spots
    ]
    return spots, _times_likelier(different(spots), standing, stood, pixels)


def _times_likelier(
    looks: Sequence[Look], standing: Standing, stood: Stood | None, pixels: NDArray[np.uint8]
) -> list[NDArray[np.float64]]:
    """Of each look (6,) of LIES, where any of the others may be a die."""
    bases_mm = [look.base_mm for look in looks]
    return [
        likelier_lies(
            base_mm,
            look.edge,
            standing,
            bases_mm[:at] + bases_mm[at + 1 :],
            stood=stood,
            footprint=partial(footprint_mm, pixels, look.spot, look.edge, look.place.board),
        )
        for at, (look, base_mm) in enumerate(zip(looks, bases_mm, strict=True))
    ]


def _likelier(look: Look, times: NDArray[np.float64]) -> Look:
    """Each lie so many times likelier; what it was measured to lean counts as much less as it less likely leans at all."""
    lies = weighed(look.answer.lies, times)
    before, leans = (float(-np.expm1(min(said[FLAT_LIE], 0.0))) for said in (look.answer.lies, lies))
    share = min(leans / max(before, 1e-9), 1.0)
    doubt = np.linalg.norm(look.answer.normal) * np.sqrt(leans * (1 - leans))  # flat or leaning so: their spread
    spread = share * look.answer.normal_spread + (1 - share) * float(doubt) / LAPLACE_TO_SIGMA
    answer = replace(look.answer, lies=lies, normal=share * look.answer.normal, normal_spread=spread)
    return replace(look, answer=answer)


def _of_like_size(dice: Sequence[Look], limits: DiceLimits) -> list[Look]:
    """Without gaps, ornaments and reflections that hardly look like a die, beside a plain die of quite another size.

    Beside the field a plain one does not count either if it is of another size than all plain ones in the field.
    """
    plain = [die for die in dice if shows_its_face(die, limits)]
    like = [die for die in dice if not plain or any(_are_like_in_size(die, one, limits.other_size) for one in plain)]
    inside = [die for die in plain if not die.is_beside_field]
    most = limits.other_size_beside
    return [
        die
        for die in like
        if not (inside and die.is_beside_field) or any(_are_like_in_size(die, one, most) for one in inside)
    ]


def _is_too_small(look: Look, plain: Sequence[Look], limits: DiceLimits) -> bool:
    looks_so = float(np.exp(look.answer.kinds[Kind.DIE.value])) >= limits.perhaps_again
    share = limits.other_size if looks_so else limits.smaller
    return bool(plain) and look.edge < (1 - share) * min(die.edge for die in plain)


def _are_like_in_size(one: Look, other: Look, most: float) -> bool:
    """Whether the smaller is less by no more than that share of the larger."""
    smaller, larger = sorted((one.edge, other.edge))
    return smaller >= (1 - most) * larger
