"""Where else in a picture to look for dice, after the spots that the search is surest of: one step after the other.

Each step sees what was looked at so far and adds what it looked at besides. Most find nothing to do: two dice were seen.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.dice.candidates import (
    DiceLimits,
    DieCandidate,
    PreviousFrame,
    classify_candidates,
    is_accepted,
    is_covered,
    reject_unless_confident,
    select_accepted,
    select_confident_dice,
    select_dice,
    suppress_duplicates,
)
from vision.dice.classification_cascade import Classification, LiePrior
from vision.dice.classifier import ObjectClass
from vision.dice.cube_number import shows_a_number
from vision.dice.proposals import (
    OTHER_PX_PER_MM,
    PX_PER_MM,
    ProposalCheck,
    ProposalLimits,
    check_around,
    check_neighbours,
    check_proposal,
    objectness,
    propose_dice,
    suppress_spots,
)
from vision.dice.windows import DieSpot, SurfaceSpot, project_spot, project_spots
from vision.geometry.projection import KnownBoard

RETRY_NMS_EDGES = 0.3  # edges; of what is only looked at again two may be so near
BATCH_SIZE, MAX_RETRIES = 30, 600  # places without a board: at a time, and in all
DICE_OF_A_THROW = 2
# Of 26 dice that were overlooked on 285 rendered boards seven have such a score among so many; of 9,000 other places that were
# looked at so on 267 of them none shows a face as plainly as is asked for, and four in five of the dice do.
FAINT_SCORE, MAX_FAINT_SPOTS = 0.1, 40
# A die on a checker the search sees faintly. Of 180 drawn throws with a third die it is overlooked in six, where only its first places
# are looked at, and of all dice on 755 boards and tables 11 that a glance sees lie only among the fainter ones; the search takes them for
# 0.7 to 1.45 times as large as the others. Eight more places of a picture are so.
MAX_SIZE_RATIO = 1.5
# How likely something is there, at a glance from aside. In 130 scenes of windows 16 of 200 dice that lean by more than ten degrees
# were not found, most of which are told rightly once they are looked at; with this 8 are not, and no more is read where none lies.
SIDE_OBJECTNESS = 0.5
# A cube of more than a point's width the search takes for less than it is, but for more than a die: from so many widths of a point on
# so many times as large a thing is glanced at. On 600 rendered boards nothing was told as a cube so that is none.
LARGE_CUBE_POINTS, CUBE_SIZE_FACTORS, CUBE_CHECK_P = 0.45, (1.5, 2.0), 0.3


@dataclass(frozen=True, slots=True, eq=False)
class SearchContext:
    """A picture (h, w, 3) BGR, how to look at it, and what the search found in it, the likeliest first."""

    pixels: NDArray[np.uint8]
    board: KnownBoard | None
    limits: DiceLimits
    previous: PreviousFrame
    proposals: Sequence[DieSpot]

    @property
    def first_spots(self) -> Sequence[DieSpot]:
        """What is looked at in any case."""
        first = self.proposals[: self.limits.proposals.most_spots]
        if self.board is None or self.previous.is_hurried:  # then nothing is looked at later
            return first
        return [spot for spot in first if spot.score >= self.limits.min_first_score]

    def propose(self, limits: ProposalLimits, px_per_mm: float = PX_PER_MM) -> list[DieSpot]:
        return propose_dice(self.pixels, self.board, limits=limits, px_per_mm=px_per_mm)

    def classify(self, spots: Sequence[DieSpot], lie_priors: Sequence[LiePrior | None] = ()) -> list[DieCandidate]:
        """At each of these, as `spot_looks` has it."""
        return classify_candidates(
            spots,
            self.pixels,
            self.board,
            min_objectness=self.limits.min_objectness,
            cached=self.previous.candidates,
            lie_priors=lie_priors,
        )


@dataclass(frozen=True, slots=True, eq=False)
class SearchState:
    """What was looked at, and what all of that tells together: one look for each thing, and which of them are what."""

    candidates: tuple[DieCandidate, ...]
    classifications: Sequence[Classification]
    dice: Sequence[Classification]
    accepted: Sequence[Classification]  # dice and cubes

    @classmethod
    def of(cls, spots: Sequence[DieCandidate], limits: DiceLimits) -> "SearchState":
        looks = suppress_duplicates(spots)
        return cls(tuple(spots), looks, select_dice(looks, limits), select_accepted(looks, limits))

    @property
    def is_throw(self) -> bool:
        return len(self.dice) >= DICE_OF_A_THROW

    @property
    def only_die(self) -> Classification | None:
        return self.dice[0] if len(self.dice) == 1 else None

    def with_candidates(self, added: Sequence[DieCandidate], limits: DiceLimits) -> "SearchState":
        return SearchState.of((*self.candidates, *added), limits) if added else self


SearchStage = Callable[[SearchContext, SearchState], list[DieCandidate]]


def start_search(
    pixels: NDArray[np.uint8], board: KnownBoard | None, limits: DiceLimits, earlier: PreviousFrame
) -> SearchContext:
    """Where a board tells how large dice are, more spots are found than are looked at first."""
    more = 0 if board is None else limits.extra_spots
    most = limits.proposals.most_spots + more
    found = propose_dice(pixels, board, limits=replace(limits.proposals, most_spots=most))
    return SearchContext(pixels, board, limits, earlier, found)


def run_search_stages(picture: SearchContext, spots: Sequence[DieCandidate]) -> Sequence[DieCandidate]:
    """What was looked at, and after it all that the steps look at besides."""
    seen = SearchState.of(spots, picture.limits)
    for step in _select_stages(picture):
        seen = seen.with_candidates(step(picture, seen), picture.limits)
    return seen.candidates


def _select_stages(picture: SearchContext) -> tuple[SearchStage, ...]:
    if picture.board is None:
        return _revisit_previous_dice, _classify_at_nearest_size
    if picture.previous.is_hurried:
        return _revisit_previous_dice, _search_second_die, _search_large_cube
    steps = (
        _classify_fainter_spots,
        _revisit_previous_dice,
        _search_around_spots,
        _search_touching_die,
        _search_second_die,
        _search_hidden_die,
        _mark_possibly_hidden,
    )
    return *steps, _search_large_cube


def _classify_fainter_spots(picture: SearchContext, seen: SearchState) -> list[DieCandidate]:
    """Only plain faces and cubes count there; where a throw is among the first ones, only what is about as large as its dice.

    A third die counts there that does not show its face as well: it makes the throw a question.
    """
    limits = picture.limits
    fainter = [spot for spot in picture.proposals[len(picture.first_spots) :] if not is_covered(spot, seen.dice)]
    if seen.is_throw:
        placed = zip(fainter, project_spots(fainter, picture.board), strict=True)
        edges = [die.edge for die in seen.dice]
        glances = [
            check_proposal(picture.pixels, spot) for spot, at in placed if _may_be_a_third(at, picture.board, edges)
        ]
        fainter = _select_promising_spots(glances, seen.accepted, limits, limits.min_objectness)
    return [_filter_fainter(one, limits, with_face=not seen.is_throw) for one in picture.classify(fainter)]


def _may_be_a_third(at: SurfaceSpot, board: KnownBoard | None, edges: Sequence[float]) -> bool:
    """Whether it lies in the field, or on its edge, and is about as large as a die of these edges, as far as the search tells."""
    (x_mm, y_mm), edge = at
    if board is not None and board.field.outside_distance_mm(x_mm, y_mm) > edge:
        return False
    return any(max(edge, other) <= MAX_SIZE_RATIO * min(edge, other) for other in edges)


def _filter_fainter(spot: DieCandidate, limits: DiceLimits, *, with_face: bool) -> DieCandidate:
    is_cube = spot.classification is not None and is_accepted(
        ObjectClass.CUBE, spot.classification, limits.accept_unproposed_p
    )
    return spot if is_cube else reject_unless_confident(spot, limits, with_face=with_face)


def _revisit_previous_dice(picture: SearchContext, seen: SearchState) -> list[DieCandidate]:
    """No search says so: a gap as large as a die stays."""
    lay = picture.classify([spot for spot in picture.previous.die_spots if not is_covered(spot, seen.dice)])
    return [reject_unless_confident(one, picture.limits) for one in lay]


def _search_around_spots(picture: SearchContext, seen: SearchState) -> list[DieCandidate]:
    """Where a throw is not complete, around all that the search is surest of: it points beside dice that lean steeply."""
    limits = picture.limits
    if seen.is_throw:
        return []
    surest = picture.proposals[: limits.proposals.most_spots]
    around = [check_around(picture.pixels, spot) for spot in surest if not is_covered(spot, seen.accepted)]
    return [
        reject_unless_confident(one, limits)
        for one in picture.classify(_select_promising_spots(around, seen.accepted, limits))
    ]


def _search_touching_die(picture: SearchContext, seen: SearchState) -> list[DieCandidate]:
    """Beside the one die that is known: of two that touch the search may see only one, somewhere between them."""
    limits, die = picture.limits, seen.only_die
    if die is None:
        return []
    beside = _select_promising_spots(check_neighbours(picture.pixels, die.spot), seen.accepted, limits)
    as_large = [_resize_to_die(die, spot, picture.board) for spot in beside]
    return [reject_unless_confident(one, limits) for one in picture.classify(as_large)]


def _select_promising_spots(
    glances: Sequence[ProposalCheck],
    there: Sequence[Classification],
    limits: DiceLimits,
    least: float = SIDE_OBJECTNESS,
) -> list[DieSpot]:
    """Where these see something, so likely at least, that is not among what is told."""
    seen = [replace(glance.spot, score=objectness(glance.class_log_p)) for glance in glances]
    new = [spot for spot in seen if spot.score >= least and not is_covered(spot, there)]
    return suppress_spots(new, limits.proposals)


def _search_second_die(picture: SearchContext, seen: SearchState) -> list[DieCandidate]:
    """One die alone is rare, and to say that the other is missing would be a ruling: it is looked for again.

    Where something was found, in the size of the die that is known, also where it looked a little like a die: the search
    takes the pips of dark dice on dark ground for small dice, and a die with its shadow for a large one. Then in other
    sizes of the picture.
    """
    limits, before = picture.limits, len(seen.candidates)
    found = [spot.spot for spot in seen.candidates]
    for px_per_mm in (None, *OTHER_PX_PER_MM):
        die = seen.only_die
        if die is None:
            break
        if px_per_mm is not None:
            found = picture.propose(limits.proposals, px_per_mm)
            seen = seen.with_candidates(
                picture.classify([spot for spot in found if not is_covered(spot, seen.classifications)]), limits
            )
        seen = seen.with_candidates(_classify_at_die_size(picture, found, die, seen.accepted), limits)
    return list(seen.candidates[before:])


def _search_hidden_die(picture: SearchContext, seen: SearchState) -> list[DieCandidate]:
    """Where there is still one alone: on stars and stripes the search sees a die fainter than much that is none.

    So many places are looked at then that only a plain face on a plain die counts.
    """
    if seen.only_die is None:
        return []
    faint = replace(picture.limits.proposals, least_score=FAINT_SCORE, most_spots=MAX_FAINT_SPOTS)
    found = picture.propose(faint, OTHER_PX_PER_MM[0])
    return _classify_at_die_size(picture, found, seen.only_die, seen.accepted, with_face=True)


def _mark_possibly_hidden(picture: SearchContext, seen: SearchState) -> list[DieCandidate]:
    """Where one die is alone to the end, and nothing was worth a look: it is not surely alone if a glance from aside sees a little.

    As a die most of which the bar hides. On 1,017 rendered boards the one good throw that was refused as one die was called missing is
    asked about so, and four of eight from which one is.
    """
    if seen.only_die is None:
        return []
    never_looked_at = [
        one.spot for one in seen.candidates if one.classification is None and one.spot in picture.first_spots
    ]
    glances = [check_around(picture.pixels, spot) for spot in never_looked_at]
    there = [one.spot for one in glances if objectness(one.class_log_p) >= picture.limits.ambiguous_p]
    return [DieCandidate(spot, None, may_be_die=True) for spot in there if not is_covered(spot, seen.classifications)]


def _search_large_cube(picture: SearchContext, seen: SearchState) -> list[DieCandidate]:
    """Where no cube is told: one larger than the search was taught, at a part of which it points. Only with a plain number it is one."""
    board, limits = picture.board, picture.limits
    if board is None or any(is_accepted(ObjectClass.CUBE, look, limits.accept_p) for look in seen.accepted):
        return []
    plain = [spot for spot in picture.proposals if spot.score >= limits.min_first_score]
    placed = zip(plain, project_spots(plain, board), strict=True)
    large = [spot for spot, at in placed if _may_be_part_of_a_cube(at, board) and not is_covered(spot, seen.accepted)]
    larger = [replace(spot, size_px=times * spot.size_px) for spot in large for times in CUBE_SIZE_FACTORS]
    glances = [check_proposal(picture.pixels, spot) for spot in larger]
    looks = picture.classify(
        [one.spot for one in glances if np.exp(one.class_log_p[ObjectClass.CUBE.value]) >= CUBE_CHECK_P]
    )
    return [
        one
        for one in looks
        if one.classification is not None
        and is_accepted(ObjectClass.CUBE, one.classification, limits.accept_p)
        and shows_a_number(picture.pixels, one.classification.spot, board)
    ]


def _may_be_part_of_a_cube(at: SurfaceSpot, board: KnownBoard) -> bool:
    """Large enough for it, and not on a corner of the rim: tags there look like cubes, and nobody puts one there."""
    (x_mm, y_mm), edge_mm = at
    field = board.field
    is_beside = not 0 <= x_mm <= field.width_mm
    is_above_or_below = not 0 <= y_mm <= field.height_mm
    return edge_mm >= LARGE_CUBE_POINTS * field.pitch_mm and not (is_beside and is_above_or_below)


def _classify_at_die_size(
    picture: SearchContext,
    found: Sequence[DieSpot],
    die: Classification,
    accepted: Sequence[Classification],
    *,
    with_face: bool = False,
) -> list[DieCandidate]:
    """Looks at those of the spots where nothing is told yet, taken for as large as the one die that is known."""
    others = [spot for spot in found if not is_covered(spot, accepted)]
    again = picture.classify([_resize_to_die(die, spot, picture.board) for spot in others])
    return [reject_unless_confident(one, picture.limits, with_face=with_face) for one in again]


def _classify_at_nearest_size(picture: SearchContext, seen: SearchState) -> list[DieCandidate]:
    """Where no board tells the sizes, several dice together look like one large die, and a pip like a small one.

    So all that the search found anywhere is looked at once more in the size of the nearest die that is plain.
    """
    limits = picture.limits
    known = select_confident_dice(seen.classifications, limits)
    everything = replace(limits.proposals, nms_edges=RETRY_NMS_EDGES, most_spots=MAX_RETRIES)
    alike: list[DieSpot] = []
    for spot in picture.propose(everything) if known else ():
        nearest = min(known, key=lambda look: float(np.hypot(*np.subtract(look.spot.centre_px, spot.centre_px))))
        resized = replace(spot, size_px=nearest.spot.size_px)
        is_new = not any(resized.is_near(one.centre_px, one.size_px, limits.proposals.nms_edges) for one in alike)
        if is_new and not is_covered(resized, known):
            alike.append(resized)
    return _classify_in_batches(picture, alike)


def _classify_in_batches(picture: SearchContext, spots: Sequence[DieSpot]) -> list[DieCandidate]:
    """Some at a time, the likeliest first: in a picture full of dice all of them are found, and few others are looked at for long."""
    looked: list[DieCandidate] = []
    for first in range(0, len(spots), BATCH_SIZE):
        some = [
            reject_unless_confident(one, picture.limits) for one in picture.classify(spots[first : first + BATCH_SIZE])
        ]
        looked += some
        if all(one.classification is None for one in some):
            break
    return looked


def _resize_to_die(die: Classification, spot: DieSpot, board: KnownBoard | None) -> DieSpot:
    _, edge = project_spot(spot, board)
    return replace(spot, size_px=spot.size_px * die.edge / edge)
