"""Search stages after the first proposals: each sees the state of the search and adds candidates.

Most stages have nothing to do, since two dice are already detected. README.md of this room lists them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.dice.candidates import (
    ACCEPT_UNPROPOSED_P,
    AMBIGUOUS_P,
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

PROPOSALS = ProposalLimits()
MIN_OBJECTNESS = 0.2
EXTRA_SPOTS = 18  # proposals beyond `PROPOSALS.most_spots`: clear red dice rank behind red checkers
# Score from which a proposal is classified at once; a fainter one only where a throw is incomplete.
MIN_FIRST_SCORE = 0.2
RETRY_NMS_EDGES = 0.3  # knob: die edges between spots of a second search without a board
BATCH_SIZE, MAX_RETRIES = 30, 600  # knobs: spots without a board that are classified at a time, and in all
DICE_OF_A_THROW = 2
# Knobs: score and number of the faintest proposals, where only a confident face counts.
FAINT_SCORE, MAX_FAINT_SPOTS = 0.1, 40
# Statistical: largest ratio between a proposal's size and that of a die beside it, for a third die.
MAX_SIZE_RATIO = 1.5
# P(object) from which the proposal filter's result beside a spot is classified. Knob: lower classifies more in vain.
SIDE_OBJECTNESS = 0.5
# A cube wider than a point is proposed smaller than it is: width in points from which a proposal may be part of one,
# factors of its size at which the filter checks it, and P(cube) from which that is classified. Knobs.
LARGE_CUBE_POINTS, CUBE_SIZE_FACTORS, CUBE_CHECK_P = 0.45, (1.5, 2.0), 0.3


@dataclass(frozen=True, slots=True, eq=False)
class SearchContext:
    """A picture (h, w, 3) BGR with its search parameters and proposals, the surest first."""

    pixels: NDArray[np.uint8]
    board: KnownBoard | None
    previous: PreviousFrame
    proposals: Sequence[DieSpot]

    @property
    def first_spots(self) -> Sequence[DieSpot]:
        """Proposals that are classified in any case."""
        first = self.proposals[: PROPOSALS.most_spots]
        if self.board is None or self.previous.is_hurried:  # then nothing is looked at later
            return first
        return [spot for spot in first if spot.score >= MIN_FIRST_SCORE]

    def propose(self, limits: ProposalLimits, px_per_mm: float = PX_PER_MM) -> list[DieSpot]:
        return propose_dice(self.pixels, self.board, limits=limits, px_per_mm=px_per_mm)

    def classify(self, spots: Sequence[DieSpot], lie_priors: Sequence[LiePrior | None] = ()) -> list[DieCandidate]:
        """Candidates at these spots without marks of the board; see `classify_candidates`."""
        found = classify_candidates(
            spots,
            self.pixels,
            self.board,
            min_objectness=MIN_OBJECTNESS,
            cached=self.previous.candidates,
            lie_priors=lie_priors,
        )
        return [one for one in found if not self.previous.is_mark(one)]

    def classify_strictly(self, spots: Sequence[DieSpot], *, with_face: bool = False) -> list[DieCandidate]:
        """Candidates at spots that no search proposed at their size, against the stricter threshold."""
        return [reject_unless_confident(one, with_face=with_face) for one in self.classify(spots)]


@dataclass(frozen=True, slots=True, eq=False)
class SearchState:
    """The candidates so far; one classification for each object, and the dice and accepted objects among these."""

    candidates: tuple[DieCandidate, ...]
    classifications: Sequence[Classification]
    dice: Sequence[Classification]
    accepted: Sequence[Classification]  # dice and cubes

    @classmethod
    def of(cls, spots: Sequence[DieCandidate]) -> "SearchState":
        results = suppress_duplicates(spots)
        return cls(tuple(spots), results, select_dice(results), select_accepted(results))

    @property
    def is_throw(self) -> bool:
        return len(self.dice) >= DICE_OF_A_THROW

    @property
    def only_die(self) -> Classification | None:
        return self.dice[0] if len(self.dice) == 1 else None

    def with_candidates(self, added: Sequence[DieCandidate]) -> "SearchState":
        return SearchState.of((*self.candidates, *added)) if added else self


SearchStage = Callable[[SearchContext, SearchState], list[DieCandidate]]


def start_search(pixels: NDArray[np.uint8], board: KnownBoard | None, previous: PreviousFrame) -> SearchContext:
    """Searches a picture. With a board, which gives the size of dice, there are more proposals than first spots."""
    most = PROPOSALS.most_spots + (0 if board is None else EXTRA_SPOTS)
    found = propose_dice(pixels, board, limits=replace(PROPOSALS, most_spots=most))
    return SearchContext(pixels, board, previous, found)


def run_search_stages(context: SearchContext, spots: Sequence[DieCandidate]) -> Sequence[DieCandidate]:
    """The candidates after every stage."""
    state = SearchState.of(spots)
    for stage in _select_stages(context):
        state = state.with_candidates(stage(context, state))
    return state.candidates


def _select_stages(context: SearchContext) -> tuple[SearchStage, ...]:
    if context.board is None:
        return _revisit_previous_dice, _classify_at_nearest_size
    if context.previous.is_hurried:
        return _revisit_previous_dice, _search_second_die, _search_large_cube
    return (
        _classify_fainter_spots,
        _revisit_previous_dice,
        _search_around_spots,
        _search_touching_die,
        _search_second_die,
        _search_hidden_die,
        _mark_possibly_hidden,
        _search_large_cube,
    )


def _classify_fainter_spots(context: SearchContext, state: SearchState) -> list[DieCandidate]:
    """Classifies fainter proposals; beside a complete throw only those as large as its dice.

    Only confident faces and cubes count. A third die counts without a face, because it makes the throw a question.
    """
    fainter = [spot for spot in context.proposals[len(context.first_spots) :] if not is_covered(spot, state.dice)]
    if state.is_throw:
        placed = zip(fainter, project_spots(fainter, context.board), strict=True)
        edges = [die.edge for die in state.dice]
        checks = [
            check_proposal(context.pixels, spot) for spot, at in placed if _may_be_a_third(at, context.board, edges)
        ]
        fainter = _select_promising_spots(checks, state.accepted, MIN_OBJECTNESS)
    return [_filter_fainter(one, with_face=not state.is_throw) for one in context.classify(fainter)]


def _may_be_a_third(at: SurfaceSpot, board: KnownBoard | None, edges: Sequence[float]) -> bool:
    """Whether the proposal lies in the field or on its rim and is about as large as one of these dice."""
    (x_mm, y_mm), edge = at
    if board is not None and board.field.outside_distance_mm(x_mm, y_mm) > edge:
        return False
    return any(max(edge, other) <= MAX_SIZE_RATIO * min(edge, other) for other in edges)


def _filter_fainter(spot: DieCandidate, *, with_face: bool) -> DieCandidate:
    is_cube = spot.classification is not None and is_accepted(
        ObjectClass.CUBE, spot.classification, ACCEPT_UNPROPOSED_P
    )
    return spot if is_cube else reject_unless_confident(spot, with_face=with_face)


def _revisit_previous_dice(context: SearchContext, state: SearchState) -> list[DieCandidate]:
    """Classifies the places of the previous frame's dice, strictly: a gap as large as a die persists too."""
    return context.classify_strictly([spot for spot in context.previous.die_spots if not is_covered(spot, state.dice)])


def _search_around_spots(context: SearchContext, state: SearchState) -> list[DieCandidate]:
    """For an incomplete throw, checks around the surest proposals: they lie beside dice that lean steeply."""
    if state.is_throw:
        return []
    first = context.proposals[: PROPOSALS.most_spots]
    checks = [check_around(context.pixels, spot) for spot in first if not is_covered(spot, state.accepted)]
    return context.classify_strictly(_select_promising_spots(checks, state.accepted))


def _search_touching_die(context: SearchContext, state: SearchState) -> list[DieCandidate]:
    """Checks around a single die: of two that touch, the search may find one, somewhere between them."""
    die = state.only_die
    if die is None:
        return []
    promising = _select_promising_spots(check_neighbours(context.pixels, die.spot), state.accepted)
    return context.classify_strictly([_resize_to_die(die, spot, context.board) for spot in promising])


def _select_promising_spots(
    checks: Sequence[ProposalCheck],
    found: Sequence[Classification],
    min_objectness: float = SIDE_OBJECTNESS,
) -> list[DieSpot]:
    """Spots of checks with this P(object) that no accepted object covers."""
    checked = [replace(one.spot, score=objectness(one.class_log_p)) for one in checks]
    new = [spot for spot in checked if spot.score >= min_objectness and not is_covered(spot, found)]
    return suppress_spots(new, PROPOSALS)


def _search_second_die(context: SearchContext, state: SearchState) -> list[DieCandidate]:
    """For a single die, classifies every spot at its size, then those of searches at other scales.

    The search takes the pips of dark dice on dark ground for small dice, and a die with its shadow for a large one.
    """
    before = len(state.candidates)
    found = [spot.spot for spot in state.candidates]
    for px_per_mm in (None, *OTHER_PX_PER_MM):
        die = state.only_die
        if die is None:
            break
        if px_per_mm is not None:
            found = context.propose(PROPOSALS, px_per_mm)
            state = state.with_candidates(
                context.classify([spot for spot in found if not is_covered(spot, state.classifications)])
            )
        state = state.with_candidates(_classify_at_die_size(context, found, die, state.accepted))
    return list(state.candidates[before:])


def _search_hidden_die(context: SearchContext, state: SearchState) -> list[DieCandidate]:
    """For a single die, classifies the faintest proposals: on stars and stripes false proposals outrank a die.

    With that many spots, only a confident face on a confident die counts.
    """
    if state.only_die is None:
        return []
    faint = replace(PROPOSALS, least_score=FAINT_SCORE, most_spots=MAX_FAINT_SPOTS)
    found = context.propose(faint, OTHER_PX_PER_MM[0])
    return _classify_at_die_size(context, found, state.only_die, state.accepted, with_face=True)


def _mark_possibly_hidden(context: SearchContext, state: SearchState) -> list[DieCandidate]:
    """For a single die, marks unclassified spots around which the filter sees a possible die, as one behind the bar."""
    if state.only_die is None:
        return []
    unclassified = [
        one.spot for one in state.candidates if one.classification is None and one.spot in context.first_spots
    ]
    checks = [check_around(context.pixels, spot) for spot in unclassified]
    found = [one.spot for one in checks if objectness(one.class_log_p) >= AMBIGUOUS_P]
    perhaps = [DieCandidate(spot, None, may_be_die=True) for spot in found]
    perhaps = [one for one in perhaps if not is_covered(one.spot, state.classifications)]
    return [one for one in perhaps if not context.previous.is_mark(one)]


def _search_large_cube(context: SearchContext, state: SearchState) -> list[DieCandidate]:
    """Without an accepted cube, searches one larger than the search learned; it needs a number to be accepted."""
    board = context.board
    if board is None or any(is_accepted(ObjectClass.CUBE, result) for result in state.accepted):
        return []
    scored = [spot for spot in context.proposals if spot.score >= MIN_FIRST_SCORE]
    placed = zip(scored, project_spots(scored, board), strict=True)
    parts = [spot for spot, at in placed if _may_be_part_of_a_cube(at, board) and not is_covered(spot, state.accepted)]
    resized = [replace(spot, size_px=times * spot.size_px) for spot in parts for times in CUBE_SIZE_FACTORS]
    checks = [check_proposal(context.pixels, spot) for spot in resized]
    results = context.classify(
        [one.spot for one in checks if np.exp(one.class_log_p[ObjectClass.CUBE.value]) >= CUBE_CHECK_P]
    )
    return [
        one
        for one in results
        if one.classification is not None
        and is_accepted(ObjectClass.CUBE, one.classification)
        and shows_a_number(context.pixels, one.classification.spot, board)
    ]


def _may_be_part_of_a_cube(at: SurfaceSpot, board: KnownBoard) -> bool:
    """Whether it is large enough and not beyond a corner of the field, where tags look like cubes."""
    (x_mm, y_mm), edge_mm = at
    field = board.field
    is_beside = not 0 <= x_mm <= field.width_mm
    is_above_or_below = not 0 <= y_mm <= field.height_mm
    return edge_mm >= LARGE_CUBE_POINTS * field.pitch_mm and not (is_beside and is_above_or_below)


def _classify_at_die_size(
    context: SearchContext,
    found: Sequence[DieSpot],
    die: Classification,
    accepted: Sequence[Classification],
    *,
    with_face: bool = False,
) -> list[DieCandidate]:
    """Classifies spots that no accepted object covers at the size of the known die."""
    resized = [_resize_to_die(die, spot, context.board) for spot in found if not is_covered(spot, accepted)]
    return context.classify_strictly(resized, with_face=with_face)


def _classify_at_nearest_size(context: SearchContext, state: SearchState) -> list[DieCandidate]:
    """Without a board, classifies every proposal at the size of the nearest confident die.

    Several dice together look like one large die there, and a pip like a small one.
    """
    confident = select_confident_dice(state.classifications)
    everything = replace(PROPOSALS, nms_edges=RETRY_NMS_EDGES, most_spots=MAX_RETRIES)
    resized_spots: list[DieSpot] = []
    for spot in context.propose(everything) if confident else ():
        nearest = min(
            confident, key=lambda result: float(np.hypot(*np.subtract(result.spot.centre_px, spot.centre_px)))
        )
        resized = replace(spot, size_px=nearest.spot.size_px)
        is_new = not any(resized.is_near(one.centre_px, one.size_px, PROPOSALS.nms_edges) for one in resized_spots)
        if is_new and not is_covered(resized, confident):
            resized_spots.append(resized)
    return _classify_in_batches(context, resized_spots)


def _classify_in_batches(context: SearchContext, spots: Sequence[DieSpot]) -> list[DieCandidate]:
    """Classifies the surest spots first and stops after a batch without a die."""
    done: list[DieCandidate] = []
    for first in range(0, len(spots), BATCH_SIZE):
        batch = context.classify_strictly(spots[first : first + BATCH_SIZE])
        done += batch
        if all(one.classification is None for one in batch):
            break
    return done


def _resize_to_die(die: Classification, spot: DieSpot, board: KnownBoard | None) -> DieSpot:
    _, edge = project_spot(spot, board)
    return replace(spot, size_px=spot.size_px * die.edge / edge)
