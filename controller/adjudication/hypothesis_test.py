"""The likeliest board at all against the likeliest boards that legal plays lead to.

A throw of one stage has so few results that all are compared. The results of a cascade run into the millions: there
the likeliest boards are judged one by one, from the first on, until those that follow cannot matter any more.

Whether a throw of several stages can legally lead to a board; asked of many boards, so no reasons are looked for.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

import numpy as np

from controller.adjudication.hypotheses import Explanation
from controller.adjudication.legal_results import LegalResults, legal_results
from controller.adjudication.question import Scene
from controller.match.seating import Checkers
from controller.observing.board_evidence import BoardView, Pair
from controller.observing.likelihoods import Table
from controller.rules.breach import NO_RULES
from controller.rules.judging.claim import read_claim
from controller.rules.judging.effort import TO_DECIDE, Effort, EffortSpentError
from controller.rules.judging.line import line_of
from controller.rules.judging.ways import Quest, way_from_front
from controller.rules.judging.work_back import way_back
from controller.rules.plays.field import field_for, position_after
from controller.rules.position import Position, occupied
from controller.rules.ruleset import Contact
from controller.rules.rulings import Illegal, Legal
from controller.rules.setup import Setup
from controller.rules.stages import Stage, Turn
from controller.rules.steps import OUTSIDE_HOME, SIDE_MASK

_MOST_RESULTS = 6  # of a board that is ambiguous: more help nobody
_MEMORY_MOST = 1.0  # nats by which the order of boards is not that of their likelihoods (`WeighLimits.memory`)


@dataclass(frozen=True, slots=True)
class Result:
    """A board that a legal play leads to, and how likely it is."""

    ruling: Legal
    view: BoardView
    log_likelihood: float


@dataclass(frozen=True, slots=True)
class Contest:
    """`best` is no less likely than any result. `results` are the likeliest legal boards, the best of them first.

    `behind`: by how much every legal result is less likely than the best board, in nats. `behind_elsewhere`: the same
    without the one place that tells most against each of them. `rival`: a board outside the rules that comes near the
    best result and denies what was played there; None where there is none.
    """

    best: Explanation
    results: tuple[Result, ...]
    behind: float
    behind_elsewhere: float
    rival: BoardView | None = None


def contest_of(scene: Scene) -> Contest | None:
    """None where there are too many boards to tell."""
    return _against_all(scene) if len(scene.throw.stages) == 1 else _against_judged(scene)


def _against_all(scene: Scene) -> Contest | None:
    results = legal_results(scene.before, scene.mover, scene.throw, scene.rules, scene.seating)
    by_place = results.by_place(scene.known)
    totals = by_place.sum(axis=1)
    boards = scene.boards(scene.limits.illegal_from)
    best = _best(scene, results, totals, next(boards, None))
    behind = best.log_likelihood - totals
    most_telling = (scene.by_place(best.view) - by_place).max(axis=1)
    near = [row for row in totals.argsort()[::-1].tolist() if totals[row] >= totals.max() - scene.limits.apart]
    found = [
        _result(scene, results.positions[row], results.view(row), float(totals[row])) for row in near[:_MOST_RESULTS]
    ]
    results_found = tuple(result for result in found if result is not None)
    return Contest(
        best,
        results_found,
        float(behind.min()),
        float((behind - np.maximum(most_telling, 0)).min()),
        _rival(scene, results_found, chain([best], boards)),
    )


def _result(scene: Scene, after: Position, view: BoardView, log_likelihood: float) -> Result | None:
    ruling = scene.ruling_on(after.setup)
    return Result(ruling, view, log_likelihood) if isinstance(ruling, Legal) else None


def _best(scene: Scene, results: LegalResults, totals: Table, board: Explanation | None) -> Explanation:
    """The likeliest of: any board, the legal results, and these with what was hit put beside the board."""
    row = int(totals.argmax())
    candidates = [Explanation(results.view(row), float(totals[row])), *_not_on_bar(scene, results, totals)]
    candidates += [] if board is None else [board]
    return max(candidates, key=_log_likelihood)


def _log_likelihood(explanation: Explanation) -> float:
    return explanation.log_likelihood


def _not_on_bar(scene: Scene, results: LegalResults, totals: Table) -> list[Explanation]:
    if scene.rules.contact is not Contact.HIT:
        return []
    column = scene.seating.checkers_of(scene.mover.opponent).column
    waiting = scene.view_before.bar[column]
    hits = results.bar[:, column] - waiting
    if not hits.any():
        return []
    bars = results.bar.copy()
    bars[:, column] = waiting
    bar = scene.known.bar
    others = totals - bar[results.bar[:, 0], results.bar[:, 1]]
    changed = others + bar[bars[:, 0], bars[:, 1]] + np.where(hits > 0, scene.limits.not_on_bar * hits, -np.inf)
    row = int(changed.argmax())
    view = replace(results.view(row), bar=(int(bars[row, 0]), int(bars[row, 1])))
    return [Explanation(view, float(changed[row]))]


def _against_judged(scene: Scene) -> Contest | None:
    limits, effort = scene.limits, Effort(TO_DECIDE)
    # a legal board that one misread place hides lies further down; where many looks agree it need not be looked for
    within = limits.illegal_from if scene.looks >= limits.alone_looks else limits.cascade_within
    others: list[Explanation] = []
    results: list[Result] = []
    for judged, board in enumerate(scene.boards(within + _MEMORY_MOST)):
        if results and board.log_likelihood < results[0].log_likelihood - limits.apart:
            break
        if judged >= limits.most_boards:
            return None
        after = scene.setup(board.view)
        try:
            is_legal = leads_to(scene, after, effort)
        except EffortSpentError:
            return None
        ruling = scene.ruling_on(after) if is_legal else None
        if isinstance(ruling, Legal):
            results.append(Result(ruling, board.view, board.log_likelihood))
        else:
            others.append(board)
    candidates = [*others, *(Explanation(one.view, one.log_likelihood) for one in results[:1])]
    if not candidates:
        return None
    best = max(candidates, key=_log_likelihood)
    behind = best.log_likelihood - results[0].log_likelihood if results else within
    elsewhere = min((_behind_elsewhere(scene, best, result) for result in results), default=behind)
    return Contest(best, tuple(results[:_MOST_RESULTS]), behind, elsewhere, _rival(scene, results, others))


def _behind_elsewhere(scene: Scene, best: Explanation, result: Result) -> float:
    ahead = scene.by_place(best.view) - scene.by_place(result.view)
    return best.log_likelihood - result.log_likelihood - max(float(ahead.max()), 0.0)


def _rival(scene: Scene, results: Sequence[Result], boards: Iterable[Explanation]) -> BoardView | None:
    """The first board near the best result that shows something else where it was played, as far as that can be counted.

    What did not change in the play, and how high a high stack is, memory knows better than the picture; but whether a
    checker was laid on it or two were borne off memory cannot know. A board with a checker too many or too few is no
    other play.
    """
    if not results:
        return None
    first, before = results[0], scene.view_before
    legal = {result.view for result in results}
    for board in islice(boards, scene.limits.most_boards):
        if board.log_likelihood < first.log_likelihood - scene.limits.rival:
            return None
        is_whole = scene.rules.has_reserve or board.view.totals == before.totals
        if (
            is_whole
            and board.view not in legal
            and _denies(board.view, first.view, before, scene.limits.trust.high_from)
        ):
            return board.view
    return None


def told_as_illegal(scene: Scene, best: Explanation) -> tuple[BoardView, Illegal] | None:
    """The likeliest board; or where that lacks a checker, or has one too many, one near it that has as many as before.

    That it is illegal is certain then, but the name hangs on it. A place that is misread is likelier than a checker that
    vanished: if it is then as it was before, if it was read as before and looks otherwise, if fewer of the same rules are
    broken, or if it is the count of a heap. None where nothing illegal is told.
    """
    before, told = scene.view_before, scene.ruling(best.view)
    if not isinstance(told, Illegal):
        return None
    if scene.rules.has_reserve or best.view.totals == before.totals:
        return best.view, told
    for board in islice(scene.boards(scene.limits.whole_within), scene.limits.most_boards):
        if board.view.totals != before.totals:
            continue
        ruling = scene.ruling(board.view)
        if not isinstance(ruling, Illegal) or _denies_a_change(scene, board.view, best.view):
            continue
        if (
            _is_misread_place(scene, board.view, best.view)
            or set(ruling.rules) < set(told.rules)
            or _is_heap_miscounted(board.view, best.view, before, scene.limits.trust.high_from)
        ):
            return board.view, ruling
    return best.view, told


def _denies_a_change(scene: Scene, board: BoardView, best: BoardView) -> bool:
    """Whether the best board has another count on a point that looks otherwise, and this one says that it is as it was."""
    before = scene.view_before.points
    return any(board.points[number] == before[number] != best.points[number] for number in scene.changed)


def _is_misread_place(scene: Scene, board: BoardView, best: BoardView) -> bool:
    """Whether a board differs from the best one only by points that it has as before, or that only the best one has so.

    The latter where they look otherwise.
    """
    places = enumerate(zip(board.points, best.points, scene.view_before.points, strict=True))
    return board.bar == best.bar and all(
        was in (one, other if number in scene.changed else one) for number, (one, other, was) in places if one != other
    )


def _is_heap_miscounted(board: BoardView, best: BoardView, before: BoardView, high_from: int) -> bool:
    """Whether a board differs from the best one only in how many lie on heaps.

    Of those to which something was done, and of those that were heaps before: whether one more was taken from them or
    laid on them no picture tells surely.
    """
    places = zip(board.points, best.points, before.points, strict=True)
    return board.bar == best.bar and all(
        one == other
        or (max(was) >= high_from and _are_counts_from(high_from - 1, one, other))
        or (was not in (one, other) and _are_counts_from(high_from, one, other))
        for one, other, was in places
    )


def _are_counts_from(least: int, one: Pair, other: Pair) -> bool:
    """Of one colour at least."""
    return any(min(counts) >= least for counts in zip(one, other, strict=True))


def comes_near(scene: Scene, best: BoardView) -> bool:
    """Whether a board with as many checkers that differs from the best one where they can be counted is nearly as likely.

    Or one where a checker was borne off instead of laid on a heap of that home.
    """
    high_from, before = scene.limits.trust.high_from, scene.view_before.points
    for board in islice(scene.boards(scene.limits.apart), scene.limits.most_boards):
        homes = _homes_emptied(scene, board.view, best)
        places = enumerate(zip(board.view.points, best.points, before, strict=True))
        if board.view.totals == best.totals and any(
            one != other
            and (_are_countable(one, other, high_from) or (number in homes and (other != was or sum(one) > sum(was))))
            for number, (one, other, was) in places
        ):
            return True
    return False


def _homes_emptied(scene: Scene, one: BoardView, other: BoardView) -> frozenset[int]:
    """The points, 0 to 23, of the homes from which one board has more borne off than the other: nobody does from afar."""
    seating = scene.seating
    players = [seating.player_of(side) for side in Checkers if one.off[side.column] != other.off[side.column]]
    return frozenset(number for player in players for number in scene.home_of(player))


def _denies(board: BoardView, played: BoardView, before: BoardView, high_from: int) -> bool:
    """On the points alone: what waits on the bar follows from them."""
    is_off = board.off != played.off
    views = zip(board.points, played.points, before.points, strict=True)
    return any(
        now != was
        and not _looks_alike(other, now)
        and (_are_countable(other, now, high_from) or (is_off and sum(now) < sum(was) < sum(other)))
        for other, now, was in views
    )


def _are_countable(one: Pair, other: Pair, high_from: int) -> bool:
    """Whether neither is so high that a second layer, or one that may be there, leaves its count to memory."""
    return max(*one, *other) < high_from - 1


def _looks_alike(one: Pair, other: Pair) -> bool:
    """Whether two points are the same but for a checker that would lie hidden below."""
    return one == other or any(
        all(pair) and alone in ((pair[0], 0), (0, pair[1])) for pair, alone in ((one, other), (other, one))
    )


def leads_to(scene: Scene, after: Setup, effort: Effort) -> bool:
    """Raises EffortSpentError when it takes more than what is left of `effort`, which many boards may share."""
    before, mover, rules = scene.before, scene.mover, scene.rules
    claim = read_claim(before, mover, after, rules)
    if claim.target is None or claim.breaches:
        return False
    field = field_for(before, mover, Stage((1,)), rules)
    goal = position_after(field, claim.target.result, occupied(claim.target.result & SIDE_MASK))
    quest = Quest(before, mover, line_of(Turn((scene.throw,))), goal, rules, NO_RULES, effort)
    # as the judge does: at home there are few boards and many ways to bear off
    from_front = rules.contact is not Contact.BLOCK or occupied(before.side(mover)) < OUTSIDE_HOME
    return (way_from_front(quest) if from_front else way_back(quest)) is not None
