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

from vision.checkers.occupancy import Standing, Stood
from vision.dice.classification_cascade import SIDES_SHOW, TOLD, LiesLikelier, Look, is_side_at, look_at, plainness
from vision.dice.classifier import Kind
from vision.dice.lie_prior import likelier_lies
from vision.dice.off_field_check import doubted_beside_field
from vision.dice.proposals import FinderLimits
from vision.dice.readings import DieReading
from vision.dice.windows import SAME_DIE, DieSpot
from vision.geometry.projection import KnownBoard

SAME_SPOT = 0.25  # edges; the coarse search puts a die that did not move so near to where it was found before
SAME_SIZE = 0.15  # by so little as a share may its sizes differ
SHOWN_EDGES = 3.5  # from a spot to the end of what its close looks show, put exactly on the die


@dataclass(frozen=True, slots=True, eq=False)
class SpotLook:
    """`look` is None where nothing is that could be a die or the cube; `perhaps`: in another size it may be one."""

    spot: DieSpot
    look: Look | None
    perhaps: bool = False

    def shown(self, reduced: NDArray[np.uint8], shrink: int) -> NDArray[np.uint8]:
        """The part around the spot of a picture (h, w, 3) that was reduced `shrink` times."""
        height, width = reduced.shape[:2]
        reach = SHOWN_EDGES * self.spot.size_px
        (left, right), (top, bottom) = (
            (int(max(0, (at - reach) / shrink)), int(min(most, (at + reach) / shrink + 1)))
            for at, most in zip(self.spot.centre_px, (width, height), strict=True)
        )
        return reduced[top:bottom, left:right]


PLAIN_DIE = 0.95  # probability of its face


@dataclass(frozen=True, slots=True, eq=False)
class Earlier:
    """The empty one begins."""

    spots: tuple[SpotLook, ...] = ()  # close looks at places around which nothing changed since
    lay: tuple[DieSpot, ...] = ()  # where dice were, in case the search overlooks one
    is_hurried: bool = False  # something moves: what takes long waits for the rest
    stood: Stood | None = None  # the checkers when a scene at rest last showed no dice, however long ago


def spots_of_dice(dice: tuple[DieReading, ...]) -> Iterator[DieSpot]:
    """Of those that are plain: what only looks a little like a die is not helped to stay."""
    for die in dice:
        if die.value_confidence >= PLAIN_DIE:
            yield DieSpot(die.centre_px, die.size_px, die.value_confidence)


def spot_looks(
    spots: Sequence[DieSpot],
    pixels: NDArray[np.uint8],
    board: KnownBoard | None,
    *,
    worth_more: float,
    known: Sequence[SpotLook],
    lies_likelier: Sequence[LiesLikelier | None] = (),
) -> list[SpotLook]:
    """A look at each spot of a picture (h, w, 3) BGR; those of `known`, where nothing changed, are taken as they are.

    `lies_likelier`: what is known of how a die may lie at each of them.
    """
    looked = partial(look_at, pixels, board=board, worth_more=worth_more)
    return [
        _known_at(spot, known) or SpotLook(spot, doubted_beside_field(pixels, looked(spot, likelier=likelier)))
        for spot, likelier in zip(spots, lies_likelier or [None] * len(spots), strict=True)
    ]


def lies_likelier_at(
    spots: Sequence[DieSpot], board: KnownBoard | None, standing: Standing | None, stood: Stood | None
) -> list[LiesLikelier]:
    """How a die may lie at each of these spots, if each of the others may be a die as well.

    Those that are found later are not among them: whoever was let off beside one is looked at once more (`dice.py`).

    Empty where nothing is known of what stands there.
    """
    if board is None or standing is None or not spots:
        return []
    at_mm = board.projection.to_board([spot.centre_px for spot in spots])
    middles_mm = [(float(x_mm), float(y_mm)) for x_mm, y_mm in at_mm]
    return [
        partial(likelier_lies, standing=standing, others_mm=middles_mm[:number] + middles_mm[number + 1 :], stood=stood)
        for number in range(len(spots))
    ]


def _known_at(spot: DieSpot, known: Sequence[SpotLook]) -> SpotLook | None:
    """The nearest of those that are as large: a coarse and a finer search may put two spots on one die."""
    near = [one for one in known if one.spot.is_near(spot.centre_px, spot.size_px, SAME_SPOT)]
    near = [one for one in near if abs(one.spot.size_px - spot.size_px) < SAME_SIZE * spot.size_px]
    return min(near, key=lambda one: float(np.hypot(*np.subtract(one.spot.centre_px, spot.centre_px))), default=None)


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
    other_size: float = 0.4  # share of the larger edge; rendered dice were measured within 0.24 of those beside them,
    other_size_beside: float = 0.24  # which counts beside the field, where much else lies
    smaller: float = 0.2  # likewise: of what looks less like a die than `perhaps_again`, in that die's size too
    # Edges between the middles of two dice. Of 2,474 pairs drawn for training that touch one in a hundred is nearer; of 1,990
    # that were dropped 44, most of them one on the other.
    side_by_side: float = 0.8
    agreed: float = 0.35  # likewise: two looks at one die put it no further apart
    # Of 42 pairs nearer than `side_by_side` in 1,200 drawn pictures, 285 rendered ones and 1,000 windows all 13 of which one is so
    # likely flat are two dice, and 27 of the 29 others are one die and its side.
    may_lie_flat: float = 0.5
    # That it is a die, with its face and its lie; what lies beside one that is so plain, and is not so itself, may be its side.
    plain_beside: float = 0.9
    # On tables full of red checkers clear red dice rank behind them: a glance and a close look tell these at once.
    fainter_spots: int = 18
    # What the search sees still fainter is looked at only where a throw is not complete: of 3,272 such places in 480 drawn pictures,
    # more than half of all, eight are dice, each beside another one.
    first_score: float = 0.2
    finder: FinderLimits = field(default_factory=FinderLimits)


def is_told(kind: Kind, look: Look, least: float) -> bool:
    """Whether it is likelier that than anything else, and so likely at least."""
    kinds = look.answer.kinds
    return int(kinds.argmax()) == kind.value and float(np.exp(kinds[kind.value])) >= least


def dice_among(looks: Sequence[Look], limits: DiceLimits) -> list[Look]:
    """Those that are told, without what may be a side of one of them."""
    return _without_sides_of_plain([look for look in looks if is_told(Kind.DIE, look, limits.least_die)], limits)


def told_among(looks: Sequence[Look], limits: DiceLimits) -> list[Look]:
    """Dice and cubes."""
    return [look for look in looks if any(is_told(kind, look, limits.least_die) for kind in (Kind.DIE, Kind.CUBE))]


def shows_its_face(look: Look, limits: DiceLimits) -> bool:
    return float(np.exp(look.answer.faces.max())) >= limits.plain_face


def plain_among(looks: Sequence[Look], limits: DiceLimits) -> list[Look]:
    """Dice that show their faces, surer than what the search points at has to be."""
    return [look for look in looks if is_told(Kind.DIE, look, limits.least_again) and shows_its_face(look, limits)]


def only_if_plain(spot: SpotLook, limits: DiceLimits, *, with_face: bool = False) -> SpotLook:
    """A look that no search asked for in that size: what is no plain die there is none, and perhaps one."""
    if spot.look is None:
        return spot
    if is_told(Kind.DIE, spot.look, limits.least_again) and (shows_its_face(spot.look, limits) or not with_face):
        return spot
    return replace(spot, look=None, perhaps=is_told(Kind.DIE, spot.look, limits.perhaps_again))


def different(spots: Sequence[SpotLook]) -> list[Look]:
    """One for each die: two spots often lead to the same."""
    return apart([spot.look for spot in spots if spot.look is not None], SAME_DIE)


def apart(looks: Sequence[Look], edges: float) -> list[Look]:
    """The surest ones, none nearer to another than that."""
    kept: list[Look] = []
    for look in sorted(looks, key=lambda look: -float(look.answer.kinds[1:].max())):
        if not is_known(look.spot, kept, edges):
            kept.append(look)
    return kept


def _without_sides_of_plain(dice: Sequence[Look], limits: DiceLimits) -> list[Look]:
    """Without what may be a side of a plainer one of them that stays."""
    kept: list[Look] = []
    for die in sorted(dice, key=lambda die: -plainness(die.answer)):
        if not any(_is_side_of(die, other, limits) for other in kept):
            kept.append(die)
    return [die for die in dice if die in kept]


def _is_side_of(look: Look, die: Look, limits: DiceLimits) -> bool:
    """Whether a doubtful look lies where a side of a plain die shows: before its upper face, as the camera sees it."""
    board, sight = die.place.board, die.place.sight
    if board is None or float(np.hypot(*sight)) < SIDES_SHOW:
        return False
    plain = float(np.log(limits.plain_beside))
    if plainness(look.answer) >= plain or plainness(die.answer) < plain or not shows_its_face(die, limits):
        return False
    side_mm, top_mm = board.projection.to_board([look.spot.centre_px, die.spot.centre_px])
    return is_side_at((top_mm - side_mm) / die.edge, sight)


def is_known(spot: DieSpot, looks: Sequence[Look], edges: float = SAME_DIE) -> bool:
    """Whether one of these looks is at what lies there."""
    return any(spot.is_near(look.spot.centre_px, look.spot.size_px, edges) for look in looks)
