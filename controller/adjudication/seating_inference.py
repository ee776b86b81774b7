"""Infers the seating and the position from the first settled board of a match."""

import math
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from operator import itemgetter

import numpy as np

from controller.adjudication.board_view import setup_of, view_of
from controller.adjudication.differences import compare_view
from controller.adjudication.hypotheses import (
    BoardHypothesis,
    MixedStack,
    TemporalPrior,
    enumerate_hypotheses,
    list_place_hypotheses,
)
from controller.adjudication.off_board_count import OffBoardCount, make_off_board_prior
from controller.adjudication.thresholds import DEFAULT_THRESHOLDS, AdjudicationThresholds
from controller.match import ALL_SEATINGS, Checkers, Seating
from controller.observing import (
    POINTS,
    STACK_PRIOR,
    BoardEvidence,
    BoardView,
    Likelihoods,
    find_contradicted_places,
    find_hidden_places,
    likelihoods_of,
)
from controller.rules import HOME, OFF, Contact, ImpossibleSetupError, Player, Position, Ruleset, start_position

# Log-priors in nats, knobs. A doubtful checker is slightly more likely on the board than borne off.
_BORNE_OFF_COST = -0.1
# Checkers are borne off while others are not home: possible only if those were hit after bearing off had begun.
_EARLY_OFF_COST = -5.0
# Log-prior in nats of a checker pinned below a stack, an estimate; most stacks hold none.
_PINNED_COST = math.log(0.1)
_EMPTY_VIEW = BoardView(((0, 0),) * POINTS)


def select_distinct_seatings(rules: Ruleset, among: Sequence[Seating] = ALL_SEATINGS) -> tuple[Seating, ...]:
    """The seatings of `among` that place the game differently on the board.

    A seating whose `white_head` differs from the game's repeats another one and is left out, if one with the game's is there.
    """
    as_the_game_has_it = tuple(seating for seating in among if seating.white_head == rules.white_head)
    return as_the_game_has_it or tuple(among)


def select_plain_seatings(rules: Ruleset, among: Sequence[Seating]) -> tuple[Seating, ...]:
    """The distinct seatings of `among` in which White plays light, or all distinct ones if White plays light in none."""
    light = tuple(seating for seating in among if seating.white_plays is Checkers.LIGHT)
    return select_distinct_seatings(rules, light or among)


def infer_seatings(
    seen: BoardEvidence,
    rules: Ruleset,
    among: Sequence[Seating] = ALL_SEATINGS,
    *,
    limits: AdjudicationThresholds = DEFAULT_THRESHOLDS,
) -> tuple[Seating, ...]:
    """The seatings under which the board shows the whole start position; empty if it shows something else.

    Of two seatings with exchanged colours that both fit, the one where White plays light is returned. Several remain if
    the start does not distinguish them: an empty board fits all seatings.
    """
    known, hidden = likelihoods_of(seen, limits.trust), find_hidden_places(seen)
    start = start_position(rules)
    fitting = [
        seating
        for seating in select_distinct_seatings(rules, among)
        if compare_view(view_of(start, seating, rules), known, hidden, limits=limits).is_none
    ]
    light = [seating for seating in fitting if seating.white_plays is Checkers.LIGHT]
    return tuple(light or fitting)


def rank_positions(
    seen: BoardEvidence,
    seating: Seating,
    rules: Ruleset,
    *,
    within: float | None = None,
    limits: AdjudicationThresholds = DEFAULT_THRESHOLDS,
) -> tuple[tuple[Position, float], ...]:
    """The positions that fit the board with their log-weights in nats, the most likely one first; absent checkers count as
    borne off. Positions more than `within` (default: `limits.apart`) nats behind the first one are left out.

    Counts that the picture leaves open follow from the number of checkers. The result is empty in games with a reserve,
    where waiting and borne-off checkers cannot be distinguished, and in games with pins unless all checkers are visible.
    """
    if find_hidden_places(seen) or rules.has_reserve:
        return ()
    known, heads = likelihoods_of(seen, limits.trust), _find_heads(seating, rules)
    within = limits.apart if within is None else within
    scored: list[tuple[Position, float]] = []
    for board in _enumerate_boards(known, seating, rules, limits, within):
        if scored and board.log_likelihood < max(score for _, score in scored) - within:
            break  # the prior cannot lift the following boards
        position = _make_position(board.view, seating, rules)
        if position is not None and not find_contradicted_places(known, board.view, limits.contradicted):
            early = any(_has_borne_off_early(position, player) for player in Player)
            if early and rules.contact is not Contact.HIT:
                continue  # without hits, a checker that is home stays home
            scored.append(
                (
                    position,
                    board.log_likelihood + _compute_prior(board.view, heads) + (_EARLY_OFF_COST if early else 0.0),
                )
            )
    scored.sort(key=itemgetter(1), reverse=True)
    return tuple((position, score) for position, score in scored if score >= scored[0][1] - within)


def _compute_prior(view: BoardView, heads: frozenset[int]) -> float:
    """The log-prior of stack heights in nats; the heaps with which a game starts, on the places `heads`, cost nothing."""
    heights = [0 if number in heads else max(pair) for number, pair in enumerate(view.points)]
    return float(np.log(STACK_PRIOR[heights]).sum())


def _find_heads(seating: Seating, rules: Ruleset) -> frozenset[int]:
    """The numbers (0..23) of places that hold a heap at the start."""
    start = view_of(start_position(rules), seating, rules)
    return frozenset(number for number, pair in enumerate(start.points) if STACK_PRIOR[max(pair)] < 1)


def _enumerate_boards(
    known: Likelihoods, seating: Seating, rules: Ruleset, limits: AdjudicationThresholds, within: float
) -> Iterator[BoardHypothesis]:
    beside = dict.fromkeys(Player, OffBoardCount(total=rules.checkers, off=0, is_borne_off_assumed=True))
    ending = make_off_board_prior(beside, known=known, seating=seating, mismatch_cost=_BORNE_OFF_COST)
    within -= _EARLY_OFF_COST
    stacks = _list_pinning_stacks(rules.checkers) if rules.contact is Contact.PIN else ()
    memory = TemporalPrior(
        view=_EMPTY_VIEW, unchanged_bonus=0.0, mixed_stacks=dict.fromkeys(range(POINTS) if stacks else (), stacks)
    )
    options = list_place_hypotheses(known, within, memory)
    return islice(enumerate_hypotheses(options, ending, within=within), limits.max_boards)


@cache
def _list_pinning_stacks(most: int) -> tuple[MixedStack, ...]:
    """Any number of checkers of one colour on a single one of the other."""
    return tuple(
        MixedStack((1, above) if is_dark_above else (above, 1), is_dark_above, _PINNED_COST)
        for above in range(1, most)
        for is_dark_above in (False, True)
    )


def _make_position(view: BoardView, seating: Seating, rules: Ruleset) -> Position | None:
    if rules.contact is Contact.PIN and view.off != (0, 0):
        return None
    try:
        return Position.of(setup_of(view, seating, rules), rules)
    except ImpossibleSetupError:
        return None


def _has_borne_off_early(position: Position, player: Player) -> bool:
    """Whether checkers are borne off while others are not home, which requires a hit after bearing off began."""
    counts = position.counts(player)
    return counts[OFF] > 0 and counts[OFF] + sum(counts[point] for point in HOME) < sum(counts)
