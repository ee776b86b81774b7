"""Who sits where and what stands on the board, told from the first settled board of a match."""

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from controller.adjudication.board_view import setup_of, view_of
from controller.adjudication.differences import compare_view
from controller.adjudication.hypotheses import (
    BoardHypothesis,
    TemporalPrior,
    enumerate_hypotheses,
    list_place_hypotheses,
)
from controller.adjudication.off_board_count import OffBoardCount, make_off_board_prior
from controller.adjudication.thresholds import DEFAULT_THRESHOLDS, AdjudicationThresholds
from controller.match.seating import ALL_SEATINGS, Checkers, Seating
from controller.observing.board_evidence import BoardEvidence, BoardView
from controller.observing.likelihoods import POINTS, Likelihoods, likelihoods_of
from controller.observing.place_evidence import STACK_PRIOR, find_contradicted_places, find_hidden_places
from controller.rules import HOME, OFF, Contact, ImpossibleSetupError, Player, Position, Ruleset, start_position

_BORNE_OFF_COST = (
    -0.1
)  # nats a checker: where a stack may hold one more or less, it is a little more likely on the board
_EARLY_OFF_COST = -5.0  # nats: that some were borne off while others are not home, where those may have been hit
_EMPTY_VIEW = BoardView(((0, 0),) * POINTS)


def select_distinct_seatings(rules: Ruleset, among: Sequence[Seating] = ALL_SEATINGS) -> tuple[Seating, ...]:
    """Those of `among` that put no two games on the board alike.

    Where `white_head` does not matter, or the board turned round makes up for it, the one of the game stays.
    """
    as_the_game_has_it = tuple(seating for seating in among if seating.white_head == rules.white_head)
    return as_the_game_has_it or tuple(among)


def select_plain_seatings(rules: Ruleset, among: Sequence[Seating]) -> tuple[Seating, ...]:
    """Those of `among` that are worth a guess: White plays light unless all of them say otherwise, and none is there twice."""
    light = tuple(seating for seating in among if seating.white_plays is Checkers.LIGHT)
    return select_distinct_seatings(rules, light or among)


def infer_seatings(
    seen: BoardEvidence,
    rules: Ruleset,
    among: Sequence[Seating] = ALL_SEATINGS,
    *,
    limits: AdjudicationThresholds = DEFAULT_THRESHOLDS,
) -> tuple[Seating, ...]:
    """The seatings with which the start position stands there, all of it seen; none when something else does.

    A start that looks the same with the colours exchanged is taken as the one where White plays light, if that is
    among those asked about. Several are left where the start tells nothing: an empty board fits all.
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


def infer_position(
    seen: BoardEvidence, seating: Seating, rules: Ruleset, *, limits: AdjudicationThresholds = DEFAULT_THRESHOLDS
) -> Position | None:
    """The position that stands there, if it is one and told beyond doubt."""
    found = infer_positions(seen, seating, rules, limits=limits)
    return found[0] if len(found) == 1 else None


def infer_positions(
    seen: BoardEvidence, seating: Seating, rules: Ruleset, *, limits: AdjudicationThresholds = DEFAULT_THRESHOLDS
) -> tuple[Position, ...]:
    """The positions that may stand there, the likeliest first; what is nowhere was borne off.

    Counts that the picture leaves open follow from the number of checkers. In games with a reserve it cannot be told
    how many checkers wait and how many are off, so the answer is none; likewise in games where one may lie below
    another unseen, unless all checkers are seen.
    """
    if find_hidden_places(seen) or rules.has_reserve:
        return ()
    known = likelihoods_of(seen, limits.trust)
    scored: list[tuple[float, Position]] = []
    for board in _enumerate_boards(known, seating, rules, limits):
        if scored and board.log_likelihood < max(score for score, _ in scored) - limits.apart:
            break  # what follows gains nothing by the prior
        position = _make_position(board.view, seating, rules)
        if position is not None and not find_contradicted_places(known, board.view, limits.contradicted):
            early = any(_has_borne_off_early(position, player) for player in Player)
            if early and rules.contact is not Contact.HIT:
                continue  # who is home stays there
            scored.append(
                (board.log_likelihood + _compute_prior(board.view) + (_EARLY_OFF_COST if early else 0.0), position)
            )
    scored.sort(key=_get_score, reverse=True)
    return tuple(position for score, position in scored if score >= scored[0][0] - limits.apart)


def _get_score(scored: tuple[float, Position]) -> float:
    return scored[0]


def _compute_prior(view: BoardView) -> float:
    """In nats: where nothing is off, the number of checkers tells the height of stacks better than how common it is."""
    if view.off == (0, 0):
        return 0.0
    return float(np.log(STACK_PRIOR[[max(pair) for pair in view.points]]).sum())


def _enumerate_boards(
    known: Likelihoods, seating: Seating, rules: Ruleset, limits: AdjudicationThresholds
) -> Iterator[BoardHypothesis]:
    beside = dict.fromkeys(Player, OffBoardCount(total=rules.checkers, off=0, is_borne_off_assumed=True))
    ending = make_off_board_prior(beside, known=known, seating=seating, mismatch_cost=_BORNE_OFF_COST)
    within = limits.apart - _EARLY_OFF_COST
    options = list_place_hypotheses(known, within, TemporalPrior(view=_EMPTY_VIEW, unchanged_bonus=0.0))
    return islice(enumerate_hypotheses(options, ending, within=within), limits.max_boards)


def _make_position(view: BoardView, seating: Seating, rules: Ruleset) -> Position | None:
    if rules.contact is Contact.PIN and view.off != (0, 0):
        return None
    try:
        return Position.of(setup_of(view, seating, rules), rules)
    except ImpossibleSetupError:
        return None


def _has_borne_off_early(position: Position, player: Player) -> bool:
    """Whether checkers are off while others are not home: it takes a hit after bearing off began."""
    counts = position.counts(player)
    return counts[OFF] > 0 and counts[OFF] + sum(counts[point] for point in HOME) < sum(counts)
