"""A settled board against the rules: legal, illegal, ambiguous, or not to be told. Nothing is ever snapped to a play.

The theory in plain words. What is seen is a likelihood for every board. Two boards are set against each other: the
likeliest one that a legal play leads to, and the likeliest one at all, given that checkers do not vanish. Where the
first explains what is seen about as well as the second, the play is legal, if no other legal one comes near. Where the
second is much likelier than every legal result, and not because of a single place that may be misread, the board is
illegal, and the judge names the rules. Everything between is no ruling: then it is looked at again, or asked.
"""

from math import exp

from controller.adjudication.differences import compare_setup
from controller.adjudication.grasshopper import adjudicate_grasshopper
from controller.adjudication.hypothesis_test import (
    HypothesisTest,
    compare_hypotheses,
    has_near_rival,
    select_illegal_board,
)
from controller.adjudication.outcome import AmbiguousOutcome, IllegalOutcome, LegalOutcome, Outcome, UndecidedOutcome
from controller.adjudication.thresholds import DEFAULT_THRESHOLDS, PRIOR_OF_BREACH, AdjudicationThresholds
from controller.adjudication.turn_evidence import TurnEvidence, make_turn_evidence
from controller.match.seating import Seating
from controller.observing.board_evidence import BoardEvidence, BoardView
from controller.observing.place_evidence import (
    HIDDEN,
    PLACES,
    find_contradicted_places,
    find_differing_places,
    find_hidden_places,
    find_inferred_places,
    find_places_to_undo,
    make_doubt_sentence,
    sort_places,
)
from controller.rules import Player, Position, Ruleset, Throw
from vision.places import Place

__all__ = [
    "adjudicate",
    "adjudicate_grasshopper",
    "compare_setup",
]  # the three questions that are put to a settled board

_TOO_MANY = (
    "This turn can be played in too many ways to tell what was played; show all checkers without anything above them."
)
_NOT_MOVED = "It cannot be told whether anything was played; show the checkers without anything above them."


def adjudicate(  # noqa: PLR0917 - who played what from where; what is seen; of whose checkers, under which rules
    before: Position,
    mover: Player,
    throw: Throw,
    seen: BoardEvidence,
    seating: Seating,
    rules: Ruleset,
    *,
    bar_is_used: bool = True,
    limits: AdjudicationThresholds = DEFAULT_THRESHOLDS,
) -> Outcome:
    """What the settled board says about the mover's play of `throw`.

    `bar_is_used`: False on boards without a bar, where hit checkers wait in the hand or on the rim.
    """
    hidden = find_hidden_places(seen)
    if len(hidden) > (1 - limits.min_visible_share) * len(PLACES):
        return UndecidedOutcome(hidden, HIDDEN)
    scene = make_turn_evidence(
        before, mover, throw, seen=seen, seating=seating, rules=rules, bar_is_used=bar_is_used, limits=limits
    )
    contest = compare_hypotheses(scene)
    return UndecidedOutcome((), _TOO_MANY) if contest is None else _decide(scene, contest)


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
        else _without_invisible_trays(evidence, find_differing_places(comparison.best.view, first.view))
    )
    return UndecidedOutcome(places, make_doubt_sentence(places))


def _find_contradictions(evidence: TurnEvidence, best: BoardView, first: BoardView) -> tuple[Place, ...]:
    """Places that speak against a legal result.

    Where the likeliest board has a checker too many or too few something is misread, and it may be the play itself: then
    little is enough. But how high a heap is, is misread on any board, and counts only where one may have been taken off.
    """
    limits, tampered = evidence.limits, _find_tampered_heaps(evidence, first)
    little = find_contradicted_places(
        evidence.likelihoods, first, limits.contradicted_misread, heaps_from=limits.trust.high_from, counted=tampered
    )
    if not evidence.rules.has_reserve and best.totals != evidence.view_before.totals:
        return little
    much = find_contradicted_places(evidence.likelihoods, first, limits.contradicted)
    return sort_places({*much, *(place for place in little if PLACES.index(place) in tampered)})


def _find_tampered_heaps(evidence: TurnEvidence, first: BoardView) -> frozenset[int]:
    """Heaps of the mover's home, 0 to 23, that the play leaves as they were, and that look otherwise than before it.

    A checker may have gone off unasked.
    """
    column, before = evidence.seating.checkers_of(evidence.mover).column, evidence.view_before
    heaps = (
        number
        for number in evidence.changed & evidence.home_points(evidence.mover)
        if before.points[number][column] >= evidence.limits.trust.high_from
        and first.points[number] == before.points[number]
    )
    return frozenset(heaps)


def _without_invisible_trays(evidence: TurnEvidence, places: tuple[Place, ...]) -> tuple[Place, ...]:
    """Without trays that nobody can see anyway."""
    return places if evidence.likelihoods.has_tray else tuple(place for place in places if place is not Place.TRAY)


def _decide_legal(
    evidence: TurnEvidence, comparison: HypothesisTest
) -> LegalOutcome | AmbiguousOutcome | UndecidedOutcome:
    first, *others = comparison.results
    if others:
        places = {place for other in others for place in find_differing_places(first.view, other.view)}
        return AmbiguousOutcome(tuple(one.ruling for one in (first, *others)), sort_places(places))
    before, limits = evidence.view_before, evidence.limits
    not_moved = float(evidence.by_place(before).sum())
    if first.view != before and not_moved > first.log_likelihood - limits.apart:
        return UndecidedOutcome(
            _without_invisible_trays(evidence, find_differing_places(first.view, before)), _NOT_MOVED
        )
    if comparison.rival is not None:
        denied = _without_invisible_trays(evidence, find_differing_places(comparison.rival, first.view))
        return UndecidedOutcome(denied, make_doubt_sentence(denied))
    confidence = 1 / (1 + PRIOR_OF_BREACH * exp(comparison.deficit))
    return LegalOutcome(
        first.ruling,
        first.view,
        confidence,
        find_inferred_places(evidence.likelihoods, first.view, limits.confident_from),
    )


def _decide_illegal(evidence: TurnEvidence, comparison: HypothesisTest) -> IllegalOutcome | None:
    told = select_illegal_board(evidence, comparison.best)
    if told is None:
        return None
    view, ruling = told
    take_back, belongs = find_places_to_undo(evidence.view_before, view)
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


def _list_contradictions(evidence: TurnEvidence, legal: BoardView, view: BoardView) -> tuple[tuple[Place, float], ...]:
    nats = dict(zip(PLACES, (evidence.by_place(view) - evidence.by_place(legal)).tolist(), strict=True))
    return tuple((place, nats[place]) for place in find_differing_places(view, legal))
