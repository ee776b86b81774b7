"""The dice and the doubling cube in one picture: a coarse search, then a close look at each place.

A die that cannot be told keeps flat likelihoods; it is not left out, for a die that lies there and cannot be read is
another thing than no die.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision.close_look import TOLD, Look, leaves_doubt, look_at, without_cube
from vision.cube_number import cube_numbers
from vision.dice_answers import LIES, Kind, weighed
from vision.dice_clearance import Standing, Stood, likelier_lies
from vision.dice_finder import OTHER_PX_PER_MM, FinderLimits, find_dice
from vision.die_reading import CubeReading, DieReading, DieState
from vision.die_told import LAPLACE_TO_SIGMA, cube_reading, dice_readings
from vision.die_windows import SAME_DIE, DieSpot, KnownBoard, surface_spot
from vision.earlier import Earlier
from vision.spot_looks import SpotLook, lies_likelier_at, spot_looks

ANOTHER_SPOT = 0.3  # edges; of what is only looked at again two may be so near
MOST_AGAIN = 30
DICE_OF_A_THROW = 2
# Of 26 dice that were overlooked on 285 rendered boards seven have such a score among so many; of 9,000 other places that were
# looked at so on 267 of them none shows a face as plainly as is asked for, and four in five of the dice do.
FAINT, MOST_FAINT = 0.1, 40
_LookClosely = Callable[..., list[SpotLook]]
_Search = Callable[..., list[DieSpot]]


@dataclass(frozen=True, slots=True)
class DiceLimits:
    """When something counts as a die. Probabilities, 0..1."""

    least_die: float = TOLD
    least_again: float = 0.95  # the same where no search found it in that size: taken for as large as the other die, or
    # because it lay there before
    worth_a_second_look: float = 0.2
    perhaps: float = 0.1  # from where on something that is not told as a die may be one all the same
    perhaps_again: float = 0.5  # the same of what looks so when it is taken for as large as the other die
    plain_face: float = 0.99  # what shows its face less plainly is no die if it is of another size than a plain one
    other_size: float = 0.4  # share of the larger edge; rendered dice were measured within 0.24 of those beside them
    smaller: float = 0.2  # likewise: of what looks less like a die than `perhaps_again`, in that die's size too
    # Edges between the middles of two dice. Of 2,474 pairs drawn for training that touch one in a hundred is nearer; of 1,990
    # that were dropped 44, most of them one on the other.
    side_by_side: float = 0.8
    agreed: float = 0.35  # likewise: two looks at one die put it no further apart
    # On tables full of red checkers clear red dice rank behind them: a glance and a close look tell these at once.
    fainter_spots: int = 18
    finder: FinderLimits = field(default_factory=FinderLimits)


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
    look_closely = partial(
        spot_looks, pixels=pixels, board=board, worth_more=limits.worth_a_second_look, known=earlier.spots
    )
    search = partial(find_dice, pixels, board, limits=limits.finder)
    found, fainter = _first_and_fainter(search, board, limits)
    spots = look_closely(found, lies_likelier=lies_likelier_at(found, board, standing, earlier.stood))
    there = _dice_among(_different(spots), limits)
    if fainter and len(there) < DICE_OF_A_THROW and not earlier.is_hurried:
        also = look_closely([spot for spot in fainter if not _is_known(spot, there)])
        spots = spots + [_only_if_plain(one, limits, with_face=True) for one in also]
        there = _dice_among(_different(spots), limits)
    lay = look_closely([spot for spot in earlier.lay if not _is_known(spot, there)])
    spots = spots + [_only_if_plain(one, limits) for one in lay]  # no search says so: a gap as large as a die stays
    if board is None:
        spots = _with_dice_alike(spots, look_closely, search, limits)
    else:
        spots = _with_second_die(spots, board, look_closely, search, limits)
        if not earlier.is_hurried:
            spots = _with_hidden_die(spots, board, look_closely, search, limits)
    if standing is None:
        looks = _without_small_cubes(_different(spots), limits)
    else:
        spots, times = _with_nearer_looks(spots, pixels, board, standing, earlier.stood)
        looks = _without_small_cubes(_different(spots), limits)
        looks = [_likelier(look, each) for look, each in zip(looks, times, strict=True)]
    # The side of a die that leans looks like another die in its place.
    told = _apart(_of_like_size(_dice_among(looks, limits), limits), limits.side_by_side)
    dice = sorted(dice_readings(told), key=lambda die: die.centre_px)
    return DiceInView(
        tuple(dice), _cube_among(looks, pixels, board, limits), tuple(spots), _may_hold_more(spots, looks, told, limits)
    )


def _first_and_fainter(
    search: _Search, board: KnownBoard | None, limits: DiceLimits
) -> tuple[list[DieSpot], list[DieSpot]]:
    """The likeliest spots, and where a board tells how large dice are, more that are looked at if a throw is not among those."""
    first = limits.finder.most_spots
    more = 0 if board is None else limits.fainter_spots
    found = search(limits=replace(limits.finder, most_spots=first + more))
    return found[:first], found[first:]


def _cube_among(
    looks: Sequence[Look], pixels: NDArray[np.uint8], board: KnownBoard | None, limits: DiceLimits
) -> CubeReading | None:
    """The surest."""
    cubes = [look for look in looks if _is(Kind.CUBE, look, limits.least_die)]
    best = max(cubes, key=lambda look: float(look.answer.kinds[Kind.CUBE.value]), default=None)
    return None if best is None else cube_reading(best, cube_numbers(pixels, best.spot, board))


def _dice_among(looks: Sequence[Look], limits: DiceLimits) -> list[Look]:
    return [look for look in looks if _is(Kind.DIE, look, limits.least_die)]


def _told_among(looks: Sequence[Look], limits: DiceLimits) -> list[Look]:
    """Dice and cubes."""
    return [look for look in looks if any(_is(kind, look, limits.least_die) for kind in (Kind.DIE, Kind.CUBE))]


def _may_hold_more(spots: Sequence[SpotLook], looks: Sequence[Look], found: Sequence[Look], limits: DiceLimits) -> bool:
    """Whether anything beside the dice that were found looks a little like one.

    Something much smaller than a plain one is none, as a light is, nor what is smaller and hardly looks so, as a gap between
    four checkers: whether it looks so in the size of that die is asked too. Of two dice that touch one look may show both as
    one: looks that put their die elsewhere than those that are kept leave room for another.
    """
    plain = [look for look in found if _shows_its_face(look, limits)]
    others = [look for look in looks if look not in found and not _is_too_small(look, plain, limits)]
    all_looks = [spot.look for spot in spots if spot.look is not None]
    others += [look for look in all_looks if not _is_known(look.spot, looks, limits.agreed)]
    return (
        any(float(np.exp(look.answer.kinds[Kind.DIE.value])) >= limits.perhaps for look in others)
        or any(spot.perhaps and not _is_known(spot.spot, found) for spot in spots)
        or any(look.may_be_two for look in found)
    )


def _with_second_die(
    spots: list[SpotLook], board: KnownBoard, look_closely: _LookClosely, search: _Search, limits: DiceLimits
) -> list[SpotLook]:
    """One die alone is rare, and to say that the other is missing would be a ruling: it is looked for again.

    Where something was found, in the size of the die that is known, also where it looked a little like a die: the search
    takes the pips of dark dice on dark ground for small dice, and a die with its shadow for a large one. Then in other
    sizes of the picture.
    """
    found = [spot.spot for spot in spots]
    for px_per_mm in (None, *OTHER_PX_PER_MM):
        looks = _different(spots)
        dice = _dice_among(looks, limits)
        if len(dice) != 1:
            break
        if px_per_mm is not None:
            found = search(px_per_mm=px_per_mm)
            spots = spots + look_closely([spot for spot in found if not _is_known(spot, looks)])
            looks = _different(spots)
        others = [spot for spot in found if not _is_known(spot, _told_among(looks, limits))]
        again = look_closely([_as_large_as(dice[0], spot, board) for spot in others])
        spots = spots + [_only_if_plain(one, limits) for one in again]
    return spots


def _with_hidden_die(
    spots: list[SpotLook], board: KnownBoard, look_closely: _LookClosely, search: _Search, limits: DiceLimits
) -> list[SpotLook]:
    """Where there is still one alone: on stars and stripes the search sees a die fainter than much that is none.

    So many places are looked at then that only a plain face on a plain die counts.
    """
    looks = _different(spots)
    dice = _dice_among(looks, limits)
    if len(dice) != 1:
        return spots
    faint = replace(limits.finder, least_score=FAINT, most_spots=MOST_FAINT)
    found = search(px_per_mm=OTHER_PX_PER_MM[0], limits=faint)
    others = [spot for spot in found if not _is_known(spot, _told_among(looks, limits))]
    again = look_closely([_as_large_as(dice[0], spot, board) for spot in others])
    return spots + [_only_if_plain(one, limits, with_face=True) for one in again]


def _with_dice_alike(
    spots: list[SpotLook], look_closely: _LookClosely, search: _Search, limits: DiceLimits
) -> list[SpotLook]:
    """Where no board tells the sizes, several dice together look like one large die, and a pip like a small one.

    So all that the search found anywhere is looked at once more in the size of the nearest die that is plain.
    """
    plain = (look for look in _different(spots) if _shows_its_face(look, limits))
    known = [look for look in plain if _is(Kind.DIE, look, limits.least_again)]
    everything = replace(limits.finder, apart=ANOTHER_SPOT, most_spots=MOST_AGAIN)
    alike: list[DieSpot] = []
    for spot in search(limits=everything) if known else ():
        nearest = min(known, key=lambda look: float(np.hypot(*np.subtract(look.spot.centre_px, spot.centre_px))))
        resized = replace(spot, size_px=nearest.spot.size_px)
        is_new = not any(resized.is_near(one.centre_px, one.size_px, limits.finder.apart) for one in alike)
        if is_new and not _is_known(resized, known):
            alike.append(resized)
    return spots + [_only_if_plain(one, limits) for one in look_closely(alike)]


def _shows_its_face(look: Look, limits: DiceLimits) -> bool:
    return float(np.exp(look.answer.faces.max())) >= limits.plain_face


def _only_if_plain(spot: SpotLook, limits: DiceLimits, *, with_face: bool = False) -> SpotLook:
    if spot.look is None:
        return spot
    if _is(Kind.DIE, spot.look, limits.least_again) and (_shows_its_face(spot.look, limits) or not with_face):
        return spot
    return replace(spot, look=None, perhaps=_is(Kind.DIE, spot.look, limits.perhaps_again))


def _as_large_as(die: Look, spot: DieSpot, board: KnownBoard) -> DieSpot:
    _, edge = surface_spot(spot, board)
    return replace(spot, size_px=spot.size_px * die.edge / edge)


def _different(spots: Sequence[SpotLook]) -> list[Look]:
    """One for each die: two spots often lead to the same."""
    return _apart([spot.look for spot in spots if spot.look is not None], SAME_DIE)


def _apart(looks: Sequence[Look], edges: float) -> list[Look]:
    """The surest ones, none nearer to another than that."""
    kept: list[Look] = []
    for look in sorted(looks, key=lambda look: -float(look.answer.kinds[1:].max())):
        if not _is_known(look.spot, kept, edges):
            kept.append(look)
    return kept


def _is_known(spot: DieSpot, looks: Sequence[Look], edges: float = SAME_DIE) -> bool:
    return any(spot.is_near(look.spot.centre_px, look.spot.size_px, edges) for look in looks)


def _without_small_cubes(looks: Sequence[Look], limits: DiceLimits) -> list[Look]:
    """What is no larger than a plain die is no cube, though an ace has one mark in its middle as well.

    A cube is half as large again as the largest dice, and of 91 beside plain dice none was measured below 1.06 of them.
    """
    plain = [look for look in looks if _is(Kind.DIE, look, limits.least_again) and _shows_its_face(look, limits)]
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
    """Those too that were let off one before all the others were found on which a die may lean; and how likely each lies how.

    The latter of all that are different, as `_times_likelier` has it.
    """
    looks = _different(spots)
    times = _times_likelier(looks, standing, stood)
    doubtful = [
        look for look, each in zip(looks, times, strict=True) if look.is_let_off and leaves_doubt(look.answer, each)
    ]
    if not doubtful:
        return list(spots), times
    spots = [
        replace(one, look=look_at(pixels, one.look.spot, board, worth_more=0.0))
        if one.look is not None and any(one.look is look for look in doubtful)
        else one
        for one in spots
    ]
    return spots, _times_likelier(_different(spots), standing, stood)


def _times_likelier(looks: Sequence[Look], standing: Standing, stood: Stood | None) -> list[NDArray[np.float64]]:
    """Of each look (6,) of LIES, where any of the others may be a die."""
    bases_mm = [look.base_mm for look in looks]
    return [
        likelier_lies(base_mm, look.edge, standing, bases_mm[:at] + bases_mm[at + 1 :], stood=stood)
        for at, (look, base_mm) in enumerate(zip(looks, bases_mm, strict=True))
    ]


def _likelier(look: Look, times: NDArray[np.float64]) -> Look:
    """Each lie so many times likelier; what it was measured to lean counts as much less as it less likely leans at all."""
    flat = LIES.index(DieState.FLAT)
    lies = weighed(look.answer.lies, times)
    before, leans = (float(-np.expm1(min(said[flat], 0.0))) for said in (look.answer.lies, lies))
    share = min(leans / max(before, 1e-9), 1.0)
    doubt = np.linalg.norm(look.answer.normal) * np.sqrt(leans * (1 - leans))  # flat or leaning so: their spread
    spread = share * look.answer.normal_spread + (1 - share) * float(doubt) / LAPLACE_TO_SIGMA
    answer = replace(look.answer, lies=lies, normal=share * look.answer.normal, normal_spread=spread)
    return replace(look, answer=answer)


def _is(kind: Kind, look: Look, least: float) -> bool:
    kinds = look.answer.kinds
    return int(kinds.argmax()) == kind.value and float(np.exp(kinds[kind.value])) >= least


def _of_like_size(dice: Sequence[Look], limits: DiceLimits) -> list[Look]:
    """Without gaps, ornaments and reflections that hardly look like a die, beside a plain die of quite another size."""
    plain = [die for die in dice if _shows_its_face(die, limits)]
    return [die for die in dice if not plain or any(_are_like_in_size(die, one, limits) for one in plain)]


def _is_too_small(look: Look, plain: Sequence[Look], limits: DiceLimits) -> bool:
    looks_so = float(np.exp(look.answer.kinds[Kind.DIE.value])) >= limits.perhaps_again
    share = limits.other_size if looks_so else limits.smaller
    return bool(plain) and look.edge < (1 - share) * min(die.edge for die in plain)


def _are_like_in_size(one: Look, other: Look, limits: DiceLimits) -> bool:
    smaller, larger = sorted((one.edge, other.edge))
    return smaller >= (1 - limits.other_size) * larger
