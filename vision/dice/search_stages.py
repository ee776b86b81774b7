"""Where else in a picture to look for dice, after the spots that the search is surest of: one step after the other.

Each step sees what was looked at so far and adds what it looked at besides. Most find nothing to do: two dice were seen.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.dice.candidates import (
    DiceLimits,
    Earlier,
    SpotLook,
    dice_among,
    different,
    is_known,
    is_told,
    only_if_plain,
    plain_among,
    spot_looks,
    told_among,
)
from vision.dice.classification_cascade import LiesLikelier, Look
from vision.dice.classifier import Kind
from vision.dice.cube_number import shows_a_number
from vision.dice.proposals import (
    OTHER_PX_PER_MM,
    PX_PER_MM,
    FinderLimits,
    Glance,
    find_dice,
    glance_around,
    glance_at,
    glances_beside,
    something,
    surest_apart,
)
from vision.dice.windows import DieSpot, SurfaceSpot, surface_spot, surface_spots
from vision.geometry.projection import KnownBoard

ANOTHER_SPOT = 0.3  # edges; of what is only looked at again two may be so near
MOST_AGAIN, MOST_ALIKE = 30, 600  # places without a board: at a time, and in all
DICE_OF_A_THROW = 2
# Of 26 dice that were overlooked on 285 rendered boards seven have such a score among so many; of 9,000 other places that were
# looked at so on 267 of them none shows a face as plainly as is asked for, and four in five of the dice do.
FAINT, MOST_FAINT = 0.1, 40
# A die on a checker the search sees faintly. Of 180 drawn throws with a third die it is overlooked in six, where only its first places
# are looked at, and of all dice on 755 boards and tables 11 that a glance sees lie only among the fainter ones; the search takes them for
# 0.7 to 1.45 times as large as the others. Eight more places of a picture are so.
ABOUT_AS_LARGE = 1.5
# How likely something is there, at a glance from aside. In 130 scenes of windows 16 of 200 dice that lean by more than ten degrees
# were not found, most of which are told rightly once they are looked at; with this 8 are not, and no more is read where none lies.
SEEN_BESIDE = 0.5
# A cube of more than a point's width the search takes for less than it is, but for more than a die: from so many widths of a point on
# so many times as large a thing is glanced at. On 600 rendered boards nothing was told as a cube so that is none.
LARGE_POINTS, TIMES_LARGER, CUBE_AT_A_GLANCE = 0.45, (1.5, 2.0), 0.3


@dataclass(frozen=True, slots=True, eq=False)
class SearchedPicture:
    """A picture (h, w, 3) BGR, how to look at it, and what the search found in it, the likeliest first."""

    pixels: NDArray[np.uint8]
    board: KnownBoard | None
    limits: DiceLimits
    earlier: Earlier
    found: Sequence[DieSpot]

    @property
    def first(self) -> Sequence[DieSpot]:
        """What is looked at in any case."""
        first = self.found[: self.limits.finder.most_spots]
        if self.board is None or self.earlier.is_hurried:  # then nothing is looked at later
            return first
        return [spot for spot in first if spot.score >= self.limits.first_score]

    def search(self, limits: FinderLimits, px_per_mm: float = PX_PER_MM) -> list[DieSpot]:
        return find_dice(self.pixels, self.board, limits=limits, px_per_mm=px_per_mm)

    def looks(self, spots: Sequence[DieSpot], lies_likelier: Sequence[LiesLikelier | None] = ()) -> list[SpotLook]:
        """At each of these, as `spot_looks` has it."""
        return spot_looks(
            spots,
            self.pixels,
            self.board,
            worth_more=self.limits.worth_a_second_look,
            known=self.earlier.spots,
            lies_likelier=lies_likelier,
        )


@dataclass(frozen=True, slots=True, eq=False)
class SoFar:
    """What was looked at, and what all of that tells together: one look for each thing, and which of them are what."""

    spots: tuple[SpotLook, ...]
    looks: Sequence[Look]
    dice: Sequence[Look]
    told: Sequence[Look]  # dice and cubes

    @classmethod
    def of(cls, spots: Sequence[SpotLook], limits: DiceLimits) -> "SoFar":
        looks = different(spots)
        return cls(tuple(spots), looks, dice_among(looks, limits), told_among(looks, limits))

    @property
    def is_throw(self) -> bool:
        return len(self.dice) >= DICE_OF_A_THROW

    @property
    def only_die(self) -> Look | None:
        return self.dice[0] if len(self.dice) == 1 else None

    def and_then(self, added: Sequence[SpotLook], limits: DiceLimits) -> "SoFar":
        return SoFar.of((*self.spots, *added), limits) if added else self


Step = Callable[[SearchedPicture, SoFar], list[SpotLook]]


def searched(
    pixels: NDArray[np.uint8], board: KnownBoard | None, limits: DiceLimits, earlier: Earlier
) -> SearchedPicture:
    """Where a board tells how large dice are, more spots are found than are looked at first."""
    more = 0 if board is None else limits.fainter_spots
    most = limits.finder.most_spots + more
    found = find_dice(pixels, board, limits=replace(limits.finder, most_spots=most))
    return SearchedPicture(pixels, board, limits, earlier, found)


def with_further_looks(picture: SearchedPicture, spots: Sequence[SpotLook]) -> Sequence[SpotLook]:
    """What was looked at, and after it all that the steps look at besides."""
    seen = SoFar.of(spots, picture.limits)
    for step in _steps(picture):
        seen = seen.and_then(step(picture, seen), picture.limits)
    return seen.spots


def _steps(picture: SearchedPicture) -> tuple[Step, ...]:
    if picture.board is None:
        return _where_dice_lay, _dice_alike
    if picture.earlier.is_hurried:
        return _where_dice_lay, _second_die, _large_cube
    steps = (_fainter_spots, _where_dice_lay, _beside_spots, _touching_die, _second_die, _hidden_die, _perhaps_hidden)
    return *steps, _large_cube


def _fainter_spots(picture: SearchedPicture, seen: SoFar) -> list[SpotLook]:
    """Only plain faces and cubes count there; where a throw is among the first ones, only what is about as large as its dice.

    A third die counts there that does not show its face as well: it makes the throw a question.
    """
    limits = picture.limits
    fainter = [spot for spot in picture.found[len(picture.first) :] if not is_known(spot, seen.dice)]
    if seen.is_throw:
        placed = zip(fainter, surface_spots(fainter, picture.board), strict=True)
        edges = [die.edge for die in seen.dice]
        glances = [glance_at(picture.pixels, spot) for spot, at in placed if _may_be_a_third(at, picture.board, edges)]
        fainter = _seen_by(glances, seen.told, limits, limits.worth_a_second_look)
    return [_fainter(one, limits, with_face=not seen.is_throw) for one in picture.looks(fainter)]


def _may_be_a_third(at: SurfaceSpot, board: KnownBoard | None, edges: Sequence[float]) -> bool:
    """Whether it lies in the field, or on its edge, and is about as large as a die of these edges, as far as the search tells."""
    (x_mm, y_mm), edge = at
    if board is not None and board.field.beyond_mm(x_mm, y_mm) > edge:
        return False
    return any(max(edge, other) <= ABOUT_AS_LARGE * min(edge, other) for other in edges)


def _fainter(spot: SpotLook, limits: DiceLimits, *, with_face: bool) -> SpotLook:
    is_cube = spot.look is not None and is_told(Kind.CUBE, spot.look, limits.least_again)
    return spot if is_cube else only_if_plain(spot, limits, with_face=with_face)


def _where_dice_lay(picture: SearchedPicture, seen: SoFar) -> list[SpotLook]:
    """No search says so: a gap as large as a die stays."""
    lay = picture.looks([spot for spot in picture.earlier.lay if not is_known(spot, seen.dice)])
    return [only_if_plain(one, picture.limits) for one in lay]


def _beside_spots(picture: SearchedPicture, seen: SoFar) -> list[SpotLook]:
    """Where a throw is not complete, around all that the search is surest of: it points beside dice that lean steeply."""
    limits = picture.limits
    if seen.is_throw:
        return []
    surest = picture.found[: limits.finder.most_spots]
    around = [glance_around(picture.pixels, spot) for spot in surest if not is_known(spot, seen.told)]
    return [only_if_plain(one, limits) for one in picture.looks(_seen_by(around, seen.told, limits))]


def _touching_die(picture: SearchedPicture, seen: SoFar) -> list[SpotLook]:
    """Beside the one die that is known: of two that touch the search may see only one, somewhere between them."""
    limits, die = picture.limits, seen.only_die
    if die is None:
        return []
    beside = _seen_by(glances_beside(picture.pixels, die.spot), seen.told, limits)
    as_large = [_as_large_as(die, spot, picture.board) for spot in beside]
    return [only_if_plain(one, limits) for one in picture.looks(as_large)]


def _seen_by(
    glances: Sequence[Glance], there: Sequence[Look], limits: DiceLimits, least: float = SEEN_BESIDE
) -> list[DieSpot]:
    """Where these see something, so likely at least, that is not among what is told."""
    seen = [replace(glance.spot, score=something(glance.kinds)) for glance in glances]
    new = [spot for spot in seen if spot.score >= least and not is_known(spot, there)]
    return surest_apart(new, limits.finder)


def _second_die(picture: SearchedPicture, seen: SoFar) -> list[SpotLook]:
    """One die alone is rare, and to say that the other is missing would be a ruling: it is looked for again.

    Where something was found, in the size of the die that is known, also where it looked a little like a die: the search
    takes the pips of dark dice on dark ground for small dice, and a die with its shadow for a large one. Then in other
    sizes of the picture.
    """
    limits, before = picture.limits, len(seen.spots)
    found = [spot.spot for spot in seen.spots]
    for px_per_mm in (None, *OTHER_PX_PER_MM):
        die = seen.only_die
        if die is None:
            break
        if px_per_mm is not None:
            found = picture.search(limits.finder, px_per_mm)
            seen = seen.and_then(picture.looks([spot for spot in found if not is_known(spot, seen.looks)]), limits)
        seen = seen.and_then(_plain_among(picture, found, die, seen.told), limits)
    return list(seen.spots[before:])


def _hidden_die(picture: SearchedPicture, seen: SoFar) -> list[SpotLook]:
    """Where there is still one alone: on stars and stripes the search sees a die fainter than much that is none.

    So many places are looked at then that only a plain face on a plain die counts.
    """
    if seen.only_die is None:
        return []
    faint = replace(picture.limits.finder, least_score=FAINT, most_spots=MOST_FAINT)
    found = picture.search(faint, OTHER_PX_PER_MM[0])
    return _plain_among(picture, found, seen.only_die, seen.told, with_face=True)


def _perhaps_hidden(picture: SearchedPicture, seen: SoFar) -> list[SpotLook]:
    """Where one die is alone to the end, and nothing was worth a look: it is not surely alone if a glance from aside sees a little.

    As a die most of which the bar hides. On 1,017 rendered boards the one good throw that was refused as one die was called missing is
    asked about so, and four of eight from which one is.
    """
    if seen.only_die is None:
        return []
    never_looked_at = [one.spot for one in seen.spots if one.look is None and one.spot in picture.first]
    glances = [glance_around(picture.pixels, spot) for spot in never_looked_at]
    there = [one.spot for one in glances if something(one.kinds) >= picture.limits.perhaps]
    return [SpotLook(spot, None, perhaps=True) for spot in there if not is_known(spot, seen.looks)]


def _large_cube(picture: SearchedPicture, seen: SoFar) -> list[SpotLook]:
    """Where no cube is told: one larger than the search was taught, at a part of which it points. Only with a plain number it is one."""
    board, limits = picture.board, picture.limits
    if board is None or any(is_told(Kind.CUBE, look, limits.least_die) for look in seen.told):
        return []
    plain = [spot for spot in picture.found if spot.score >= limits.first_score]
    placed = zip(plain, surface_spots(plain, board), strict=True)
    large = [spot for spot, at in placed if _may_be_part_of_a_cube(at, board) and not is_known(spot, seen.told)]
    larger = [replace(spot, size_px=times * spot.size_px) for spot in large for times in TIMES_LARGER]
    glances = [glance_at(picture.pixels, spot) for spot in larger]
    looks = picture.looks([one.spot for one in glances if np.exp(one.kinds[Kind.CUBE.value]) >= CUBE_AT_A_GLANCE])
    return [
        one
        for one in looks
        if one.look is not None
        and is_told(Kind.CUBE, one.look, limits.least_die)
        and shows_a_number(picture.pixels, one.look.spot, board)
    ]


def _may_be_part_of_a_cube(at: SurfaceSpot, board: KnownBoard) -> bool:
    """Large enough for it, and not on a corner of the rim: tags there look like cubes, and nobody puts one there."""
    (x_mm, y_mm), edge_mm = at
    field = board.field
    is_beside = not 0 <= x_mm <= field.width_mm
    is_above_or_below = not 0 <= y_mm <= field.height_mm
    return edge_mm >= LARGE_POINTS * field.pitch_mm and not (is_beside and is_above_or_below)


def _plain_among(
    picture: SearchedPicture,
    found: Sequence[DieSpot],
    die: Look,
    told: Sequence[Look],
    *,
    with_face: bool = False,
) -> list[SpotLook]:
    """Looks at those of the spots where nothing is told yet, taken for as large as the one die that is known."""
    others = [spot for spot in found if not is_known(spot, told)]
    again = picture.looks([_as_large_as(die, spot, picture.board) for spot in others])
    return [only_if_plain(one, picture.limits, with_face=with_face) for one in again]


def _dice_alike(picture: SearchedPicture, seen: SoFar) -> list[SpotLook]:
    """Where no board tells the sizes, several dice together look like one large die, and a pip like a small one.

    So all that the search found anywhere is looked at once more in the size of the nearest die that is plain.
    """
    limits = picture.limits
    known = plain_among(seen.looks, limits)
    everything = replace(limits.finder, apart=ANOTHER_SPOT, most_spots=MOST_ALIKE)
    alike: list[DieSpot] = []
    for spot in picture.search(everything) if known else ():
        nearest = min(known, key=lambda look: float(np.hypot(*np.subtract(look.spot.centre_px, spot.centre_px))))
        resized = replace(spot, size_px=nearest.spot.size_px)
        is_new = not any(resized.is_near(one.centre_px, one.size_px, limits.finder.apart) for one in alike)
        if is_new and not is_known(resized, known):
            alike.append(resized)
    return _as_long_as_there_are_more(picture, alike)


def _as_long_as_there_are_more(picture: SearchedPicture, spots: Sequence[DieSpot]) -> list[SpotLook]:
    """Some at a time, the likeliest first: in a picture full of dice all of them are found, and few others are looked at for long."""
    looked: list[SpotLook] = []
    for first in range(0, len(spots), MOST_AGAIN):
        some = [only_if_plain(one, picture.limits) for one in picture.looks(spots[first : first + MOST_AGAIN])]
        looked += some
        if all(one.look is None for one in some):
            break
    return looked


def _as_large_as(die: Look, spot: DieSpot, board: KnownBoard | None) -> DieSpot:
    _, edge = surface_spot(spot, board)
    return replace(spot, size_px=spot.size_px * die.edge / edge)
