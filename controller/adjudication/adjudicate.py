"""Adjudicates a settled board: legal, illegal, ambiguous or undecided. A board is never snapped to a play.

The evidence gives every board a likelihood. Two hypotheses are compared: the most likely board that a legal play leads
to, and the most likely board of all, under the constraint that checkers do not vanish. If the first explains the
evidence about as well as the second, the play is legal, unless another legal play comes near. If the second is much more
likely than every legal result, and not only because of a single place that may be misread, the board is illegal, and the
judge names the rules. Everything in between is no ruling: the referee waits for more evidence, or asks.
"""

from dataclasses import replace
from math import exp

from controller import observing
from controller.adjudication.differences import compare_setup
from controller.adjudication.grasshopper import adjudicate_grasshopper
from controller.adjudication.hypothesis_test import (
    HypothesisTest,
    compare_hypotheses,
    has_near_rival,
    select_illegal_board,
)
from controller.adjudication.outcome import (
    AmbiguousOutcome,
    IllegalOutcome,
    LegalOutcome,
    Outcome,
    RunnerUp,
    UndecidedOutcome,
)
from controller.adjudication.thresholds import DEFAULT_THRESHOLDS, PRIOR_OF_BREACH, AdjudicationThresholds
from controller.adjudication.turn_evidence import ThrowInPlay, TurnEvidence, make_turn_evidence
from controller.rules import Illegal, Legal, Setup
from vision.places import Place

# The three questions to a settled board.
__all__ = ["adjudicate", "adjudicate_grasshopper", "compare_setup"]

_TOO_MANY = (
    "This turn can be played in too many ways to tell what was played; show all checkers without anything above them."
)
_NOT_MOVED = "It cannot be told whether anything was played; show the checkers without anything above them."


def adjudicate(
    turn: ThrowInPlay, seen: observing.BoardEvidence, limits: AdjudicationThresholds = DEFAULT_THRESHOLDS
) -> Outcome:
    """Adjudicates the mover's play of his throw by the settled board `seen`."""
    hidden = observing.find_hidden_places(seen)
    if len(hidden) > (1 - limits.min_visible_share) * len(observing.PLACES):
        return UndecidedOutcome(hidden, observing.HIDDEN)
    evidence = make_turn_evidence(turn, seen, limits)
    comparison = compare_hypotheses(evidence)
    if comparison is None:
        return UndecidedOutcome((), _TOO_MANY)
    outcome = _decide(evidence, comparison)
    is_open = isinstance(outcome, AmbiguousOutcome | UndecidedOutcome) and comparison.deficit < limits.illegal_from
    named = _name_play(evidence) if is_open else None
    return named or outcome


def _name_play(evidence: TurnEvidence) -> LegalOutcome[Legal] | None:
    """The play that stands apart from every other one and from every illegal board by the changes since the board before.

    Counts that are read badly may leave a turn open although the picture shows where checkers came and went. No board is
    called illegal by that, and none that is read as illegal becomes legal.
    """
    if not evidence.renewed:
        return None
    limits = replace(evidence.limits, rival=evidence.limits.apart)
    evidence = replace(evidence.with_renewed_points(), limits=limits)
    comparison = compare_hypotheses(evidence)
    outcome = None if comparison is None else _decide(evidence, comparison)
    return outcome if isinstance(outcome, LegalOutcome) else None


def _decide(evidence: TurnEvidence, comparison: HypothesisTest) -> Outcome:
    limits, first = evidence.limits, next(iter(comparison.results), None)
    against = () if first is None else _find_contradictions(evidence, comparison.best.view, first.view)
    if first is not None and comparison.deficit <= limits.legal_within and not against:
        return _decide_legal(evidence, comparison)
    is_misreading = comparison.deficit_elsewhere < limits.second_place and evidence.frame_count < limits.agreeing_frames
    if comparison.deficit >= limits.illegal_from and not is_misreading:
        illegal = _decide_illegal(evidence, comparison)
        if illegal is not None:
            return illegal
    places = (
        against
        if against or first is None
        else evidence.select_places_in_view(observing.find_differing_places(comparison.best.view, first.view))
    )
    return UndecidedOutcome(places, observing.make_doubt_sentence(places))


def _find_contradictions(
    evidence: TurnEvidence, best: observing.BoardView, first: observing.BoardView
) -> tuple[Place, ...]:
    """Places whose evidence contradicts a legal result.

    A best board with a checker too many or too few contains a misreading, possibly of the play itself; then the lower
    threshold `contradicted_misread` applies. The height of a heap is misread on any board, so it contradicts only on heaps
    from which a checker may have been taken.
    """
    limits, tampered = evidence.limits, _find_tampered_heaps(evidence, first)
    weak = observing.find_contradicted_places(
        evidence.likelihoods, first, limits.contradicted_misread, heaps_from=limits.trust.high_from, counted=tampered
    )
    if not evidence.rules.has_reserve and best.totals != evidence.view_before.totals:
        return weak
    strong = observing.find_contradicted_places(evidence.likelihoods, first, limits.contradicted)
    return observing.sort_places({*strong, *(place for place in weak if observing.PLACES.index(place) in tampered)})


def _find_tampered_heaps(evidence: TurnEvidence, first: observing.BoardView) -> frozenset[int]:
    """Heaps of the mover's home (point numbers 0..23) that the play leaves unchanged but whose picture changed.

    A checker may have been borne off illegally.
    """
    column, before = evidence.seating.checkers_of(evidence.mover).column, evidence.view_before
    heaps = (
        number
        for number in evidence.changed & evidence.home_points(evidence.mover)
        if before.points[number][column] >= evidence.limits.trust.high_from
        and first.points[number] == before.points[number]
    )
    return frozenset(heaps)


def _decide_legal(
    evidence: TurnEvidence, comparison: HypothesisTest
) -> LegalOutcome[Legal] | AmbiguousOutcome[Legal] | UndecidedOutcome:
    first, *others = comparison.results
    if others:
        places = {place for other in others for place in observing.find_differing_places(first.view, other.view)}
        return AmbiguousOutcome(
            tuple(one.ruling for one in (first, *others)), evidence.without_missing_bar(observing.sort_places(places))
        )
    before, limits = evidence.view_before, evidence.limits
    not_moved = float(evidence.by_place(before).sum())
    if first.view != before and not_moved > first.log_likelihood - limits.apart:
        return UndecidedOutcome(
            evidence.select_places_in_view(observing.find_differing_places(first.view, before)), _NOT_MOVED
        )
    if comparison.rival is not None:
        disputed = evidence.select_places_in_view(observing.find_differing_places(comparison.rival, first.view))
        return UndecidedOutcome(disputed, observing.make_doubt_sentence(disputed))
    confidence = 1 / (1 + PRIOR_OF_BREACH * exp(comparison.deficit))
    return LegalOutcome(
        first.ruling,
        first.view,
        confidence,
        observing.find_inferred_places(evidence.likelihoods, first.view, limits.confident_from),
        _judge_runner_up(evidence, comparison),
    )


def _judge_runner_up(evidence: TurnEvidence, comparison: HypothesisTest) -> RunnerUp[Legal] | None:
    if comparison.runner_up is None:
        return None
    after, nats = comparison.runner_up
    ruling = evidence.judge_setup(after.setup)
    return RunnerUp(ruling, nats) if isinstance(ruling, Legal) else None


def _decide_illegal(evidence: TurnEvidence, comparison: HypothesisTest) -> IllegalOutcome[Setup, Illegal] | None:
    selected = select_illegal_board(evidence, comparison.best)
    if selected is None:
        return None
    view, ruling = selected
    take_back, belongs = map(evidence.without_missing_bar, observing.find_places_to_undo(evidence.view_before, view))
    confidence = 1 / (1 + exp(-comparison.deficit) / PRIOR_OF_BREACH)
    legal = next((result.view for result in comparison.results), None)
    return IllegalOutcome(
        evidence.to_setup(view),
        ruling,
        view,
        confidence,
        is_sure=not has_near_rival(evidence, view),
        take_back=take_back,
        belongs=belongs,
        legal=legal,
        against_legal=() if legal is None else _list_contradictions(evidence, legal, view),
    )


def _list_contradictions(
    evidence: TurnEvidence, legal: observing.BoardView, view: observing.BoardView
) -> tuple[tuple[Place, float], ...]:
    nats = dict(zip(observing.PLACES, (evidence.by_place(view) - evidence.by_place(legal)).tolist(), strict=True))
    return tuple((place, nats[place]) for place in observing.find_differing_places(view, legal))
