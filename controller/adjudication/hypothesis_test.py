"""Compares the most likely board of all with the most likely boards that legal plays lead to.

A throw of one stage has few results, so all of them are compared. A cascade has up to millions of results; there the
most likely boards are judged one by one, in order, until the following boards cannot change the outcome.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from operator import attrgetter

import numpy as np

from controller.adjudication.hypotheses import BoardHypothesis
from controller.adjudication.legal_results import LegalResults, legal_results
from controller.adjudication.turn_evidence import TurnEvidence
from controller.match import Checkers
from controller.observing import BoardView, FloatTable, Pair
from controller.rules import TO_DECIDE, Contact, Effort, EffortSpentError, Illegal, Legal, Position, is_reachable

_MOST_RESULTS = 6  # the number of results that an ambiguous outcome names
_MAX_UNCHANGED_BONUS = 1.0  # nats by which the order of boards may differ from that of their likelihoods, by memory


@dataclass(frozen=True, slots=True)
class LegalHypothesis:
    """A board that a legal play leads to, with its log-likelihood."""

    ruling: Legal
    view: BoardView
    log_likelihood: float


@dataclass(frozen=True, slots=True)
class HypothesisTest:
    """The comparison. `best` is the most likely board; `results` are the most likely legal boards, in falling order.

    `deficit`: nats by which the best legal result is less likely than `best`. `deficit_elsewhere`: the deficit without the
    place that contradicts each result most. `rival`: a board outside the rules that comes near the best result and
    contradicts its play; None if there is none. `runner_up`: the result that comes next after the best one, and the nats
    by which it is less likely; None if the only result is far ahead or was compared with no other.
    """

    best: BoardHypothesis
    results: tuple[LegalHypothesis, ...]
    deficit: float
    deficit_elsewhere: float
    rival: BoardView | None = None
    runner_up: tuple[Position, float] | None = None


def compare_hypotheses(evidence: TurnEvidence) -> HypothesisTest | None:
    """Compares the hypotheses of a turn; None if there are too many boards to judge."""
    return _test_all_results(evidence) if len(evidence.throw.stages) == 1 else _test_judged_boards(evidence)


def _test_all_results(evidence: TurnEvidence) -> HypothesisTest | None:
    results = legal_results(evidence.before, evidence.mover, evidence.throw, evidence.rules, evidence.seating)
    by_place = results.by_place(evidence.likelihoods)
    totals = by_place.sum(axis=1)
    boards = evidence.enumerate_boards(evidence.limits.illegal_from)
    best = _find_best_hypothesis(evidence, results, totals, next(boards, None))
    deficits = best.log_likelihood - totals
    most_telling = (evidence.by_place(best.view) - by_place).max(axis=1)
    near = [row for row in totals.argsort()[::-1].tolist() if totals[row] >= totals.max() - evidence.limits.apart]
    found = [
        _make_legal_hypothesis(evidence, results.positions[row], results.view(row), float(totals[row]))
        for row in near[:_MOST_RESULTS]
    ]
    results_found = tuple(result for result in found if result is not None)
    return HypothesisTest(
        best,
        results_found,
        float(deficits.min()),
        float((deficits - np.maximum(most_telling, 0)).min()),
        _find_rival(evidence, results_found, chain([best], boards)),
        _find_runner_up(evidence, results, totals),
    )


def _find_runner_up(evidence: TurnEvidence, results: LegalResults, totals: FloatTable) -> tuple[Position, float] | None:
    if len(totals) < 2:
        return None
    second, first = np.argpartition(totals, -2)[-2:].tolist()
    behind = float(totals[first] - totals[second])
    return (results.positions[second], behind) if behind <= evidence.limits.named_within else None


def _make_legal_hypothesis(
    evidence: TurnEvidence, after: Position, view: BoardView, log_likelihood: float
) -> LegalHypothesis | None:
    ruling = evidence.judge_setup(after.setup)
    return LegalHypothesis(ruling, view, log_likelihood) if isinstance(ruling, Legal) else None


def _find_best_hypothesis(
    evidence: TurnEvidence, results: LegalResults, totals: FloatTable, board: BoardHypothesis | None
) -> BoardHypothesis:
    """The most likely of: any board, the legal results, and the results with hit checkers put beside the board."""
    row = int(totals.argmax())
    candidates = [
        BoardHypothesis(results.view(row), float(totals[row])),
        *_list_boards_with_hits_off_bar(evidence, results, totals),
    ]
    candidates += [] if board is None else [board]
    return max(candidates, key=attrgetter("log_likelihood"))


def _list_boards_with_hits_off_bar(
    evidence: TurnEvidence, results: LegalResults, totals: FloatTable
) -> list[BoardHypothesis]:
    if evidence.rules.contact is not Contact.HIT:
        return []
    column = evidence.seating.checkers_of(evidence.mover.opponent).column
    waiting = evidence.view_before.bar[column]
    hits = results.bar[:, column] - waiting
    if not hits.any():
        return []
    bars = results.bar.copy()
    bars[:, column] = waiting
    bar = evidence.likelihoods.bar
    others = totals - bar[results.bar[:, 0], results.bar[:, 1]]
    changed = others + bar[bars[:, 0], bars[:, 1]] + np.where(hits > 0, evidence.limits.not_on_bar_cost * hits, -np.inf)
    row = int(changed.argmax())
    view = replace(results.view(row), bar=(int(bars[row, 0]), int(bars[row, 1])))
    return [BoardHypothesis(view, float(changed[row]))]


def _test_judged_boards(evidence: TurnEvidence) -> HypothesisTest | None:
    limits, effort = evidence.limits, Effort(TO_DECIDE)
    # A legal board with one misread place lies further down the order; many agreeing frames exclude a misreading.
    within = limits.illegal_from if evidence.frame_count >= limits.agreeing_frames else limits.cascade_within
    others: list[BoardHypothesis] = []
    results: list[LegalHypothesis] = []
    for judged, board in enumerate(evidence.enumerate_boards(within + _MAX_UNCHANGED_BONUS)):
        if results and board.log_likelihood < results[0].log_likelihood - limits.apart:
            break
        if judged >= limits.max_boards:
            return None
        after = evidence.to_setup(board.view)
        try:
            is_legal = is_reachable(
                evidence.before, evidence.mover, evidence.throw, after, evidence.rules, effort=effort
            )
        except EffortSpentError:
            return None
        ruling = evidence.judge_setup(after) if is_legal else None
        if isinstance(ruling, Legal):
            results.append(LegalHypothesis(ruling, board.view, board.log_likelihood))
        else:
            others.append(board)
    candidates = [*others, *(BoardHypothesis(one.view, one.log_likelihood) for one in results[:1])]
    if not candidates:
        return None
    best = max(candidates, key=attrgetter("log_likelihood"))
    deficit = best.log_likelihood - results[0].log_likelihood if results else within
    elsewhere = min((_compute_deficit_elsewhere(evidence, best, result) for result in results), default=deficit)
    return HypothesisTest(
        best, tuple(results[:_MOST_RESULTS]), deficit, elsewhere, _find_rival(evidence, results, others)
    )


def _compute_deficit_elsewhere(evidence: TurnEvidence, best: BoardHypothesis, result: LegalHypothesis) -> float:
    ahead = evidence.by_place(best.view) - evidence.by_place(result.view)
    return best.log_likelihood - result.log_likelihood - max(float(ahead.max()), 0.0)


def _find_rival(
    evidence: TurnEvidence, results: Sequence[LegalHypothesis], boards: Iterable[BoardHypothesis]
) -> BoardView | None:
    """The first board near the best result that contradicts its play on a countable place.

    For places that the play leaves unchanged, and for the height of a heap, memory is better evidence than the picture; but
    memory does not know whether a checker was laid on a heap or borne off. A board with a checker too many or too few is
    not another play.
    """
    if not results:
        return None
    first, before = results[0], evidence.view_before
    legal = {result.view for result in results}
    for board in islice(boards, evidence.limits.max_boards):
        if board.log_likelihood < first.log_likelihood - evidence.limits.rival:
            return None
        is_whole = evidence.rules.has_reserve or board.view.totals == before.totals
        if (
            is_whole
            and board.view not in legal
            and _contradicts_play(board.view, first.view, before, evidence.limits.trust.high_from)
        ):
            return board.view
    return None


def select_illegal_board(evidence: TurnEvidence, best: BoardHypothesis) -> tuple[BoardView, Illegal] | None:
    """Selects the board that an illegal outcome reports, with the judge's ruling; None if the best board is not illegal.

    This is the best board. If the best board has a checker too many or too few, a board near it with the right totals is
    preferred: the turn is illegal either way, but the names of the broken rules depend on the board. A misread place is
    more likely than a vanished checker if the place is then unchanged, if it was read as unchanged but its picture changed,
    if fewer of the same rules are broken, or if it is the height of a heap.
    """
    before, best_ruling = evidence.view_before, evidence.judge_view(best.view)
    if not isinstance(best_ruling, Illegal):
        return None
    if evidence.rules.has_reserve or best.view.totals == before.totals:
        return best.view, best_ruling
    for board in islice(evidence.enumerate_boards(evidence.limits.whole_within), evidence.limits.max_boards):
        if board.view.totals != before.totals:
            continue
        ruling = evidence.judge_view(board.view)
        if not isinstance(ruling, Illegal) or _contradicts_visible_change(evidence, board.view, best.view):
            continue
        if (
            _is_misread_place(evidence, board.view, best.view)
            or set(ruling.rules) < set(best_ruling.rules)
            or _is_heap_miscounted(board.view, best.view, before, evidence.limits.trust.high_from)
        ):
            return board.view, ruling
    return best.view, best_ruling


def _contradicts_visible_change(evidence: TurnEvidence, candidate: BoardView, best: BoardView) -> bool:
    """Whether a point changed in the picture and in the best board, while the candidate has the point unchanged.

    Example: the picture of T5 changed, the best board shows one checker more there, the candidate as many as before.
    """
    before = evidence.view_before.points
    return any(candidate.points[number] == before[number] != best.points[number] for number in evidence.changed)


def _is_misread_place(evidence: TurnEvidence, candidate: BoardView, best: BoardView) -> bool:
    """Whether the best board differs from the candidate only by points that the best board may have misread.

    At each such point the candidate is as before the turn, or the best board is as before although the picture of the
    point changed. Example: T5 held two checkers; the best board shows one there, the candidate two.
    """
    places = enumerate(zip(candidate.points, best.points, evidence.view_before.points, strict=True))
    return candidate.bar == best.bar and all(
        was in (one, other if number in evidence.changed else one)
        for number, (one, other, was) in places
        if one != other
    )


def _is_heap_miscounted(candidate: BoardView, best: BoardView, before: BoardView, high_from: int) -> bool:
    """Whether the candidate differs from the best board only in the height of heaps.

    This includes heaps that were played to or from: no picture shows surely whether one more checker was taken or laid.
    Example, with `high_from` 6: a point held seven checkers; the candidate shows six there, the best board five.
    """
    places = zip(candidate.points, best.points, before.points, strict=True)
    return candidate.bar == best.bar and all(
        one == other
        or (max(was) >= high_from and _are_counts_at_least(high_from - 1, one, other))
        or (was not in (one, other) and _are_counts_at_least(high_from, one, other))
        for one, other, was in places
    )


def _are_counts_at_least(least: int, one: Pair, other: Pair) -> bool:
    """Whether some colour has at least `least` checkers in both."""
    return any(min(counts) >= least for counts in zip(one, other, strict=True))


def has_near_rival(evidence: TurnEvidence, best: BoardView) -> bool:
    """Whether another board with the same totals is nearly as likely as the best one and differs on a countable place.

    A board where a checker was borne off instead of laid on a heap of that home counts as well.
    """
    high_from, before = evidence.limits.trust.high_from, evidence.view_before.points
    for board in islice(evidence.enumerate_boards(evidence.limits.apart), evidence.limits.max_boards):
        homes = _find_emptied_homes(evidence, board.view, best)
        places = enumerate(zip(board.view.points, best.points, before, strict=True))
        if board.view.totals == best.totals and any(
            one != other
            and (_are_countable(one, other, high_from) or (number in homes and (other != was or sum(one) > sum(was))))
            for number, (one, other, was) in places
        ):
            return True
    return False


def _find_emptied_homes(evidence: TurnEvidence, one: BoardView, other: BoardView) -> frozenset[int]:
    """The points (0..23) of the homes of players whose borne-off counts differ; checkers are borne off only from home."""
    seating = evidence.seating
    players = [seating.player_of(side) for side in Checkers if one.off[side.column] != other.off[side.column]]
    return frozenset(number for player in players for number in evidence.home_points(player))


def _contradicts_play(board: BoardView, played: BoardView, before: BoardView, high_from: int) -> bool:
    """Whether a board contradicts a play on the points; the bar follows from the points."""
    is_off = board.off != played.off
    views = zip(board.points, played.points, before.points, strict=True)
    return any(
        now != was
        and not _is_indistinguishable(other, now)
        and (_are_countable(other, now, high_from) or (is_off and sum(now) < sum(was) < sum(other)))
        for other, now, was in views
    )


def _are_countable(one: Pair, other: Pair, high_from: int) -> bool:
    """Whether neither pair is so high that a second layer may hide its count."""
    return max(*one, *other) < high_from - 1


def _is_indistinguishable(one: Pair, other: Pair) -> bool:
    """Whether two points are equal except for a checker that would be hidden below."""
    return one == other or any(
        all(pair) and alone in ((pair[0], 0), (0, pair[1])) for pair, alone in ((one, other), (other, one))
    )
