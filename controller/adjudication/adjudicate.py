"""A settled board against the rules: legal, illegal, ambiguous, or not to be told. Nothing is ever snapped to a play.

The theory in plain words. What is seen is a likelihood for every board. Two boards are set against each other: the
likeliest one that a legal play leads to, and the likeliest one at all, given that checkers do not vanish. Where the
first explains what is seen about as well as the second, the play is legal, if no other legal one comes near. Where the
second is much likelier than every legal result, and not because of a single place that may be misread, the board is
illegal, and the judge names the rules. Everything between is no ruling: then it is looked at again, or asked.
"""

from math import exp

from controller.adjudication.differences import differences
from controller.adjudication.grasshopper import weigh_grasshopper
from controller.adjudication.hypothesis_test import Contest, comes_near, contest_of, told_as_illegal
from controller.adjudication.outcome import AmbiguousSeen, CannotSee, IllegalSeen, LegalSeen, Outcome
from controller.adjudication.question import Scene, scene_of
from controller.adjudication.thresholds import EVERYDAY_LIMITS, PRIOR_OF_BREACH, WeighLimits
from controller.match.seating import Seating
from controller.observing.board_evidence import BoardSeen, BoardView
from controller.observing.place_evidence import (
    HIDDEN,
    PLACES,
    contradicting,
    differing,
    doubtful,
    hidden_places,
    in_order,
    not_told,
    to_undo,
)
from controller.rules.player import Player
from controller.rules.position import Position
from controller.rules.ruleset import Ruleset
from controller.rules.stages import Throw
from vision.places import Place

__all__ = ["differences", "weigh", "weigh_grasshopper"]  # the three questions that are put to a settled board

_TOO_MANY = (
    "This turn can be played in too many ways to tell what was played; show all checkers without anything above them."
)
_NOT_MOVED = "It cannot be told whether anything was played; show the checkers without anything above them."


def weigh(  # noqa: PLR0917 - who played what from where; what is seen; of whose checkers, under which rules
    before: Position,
    mover: Player,
    throw: Throw,
    seen: BoardSeen,
    seating: Seating,
    rules: Ruleset,
    *,
    bar_is_used: bool = True,
    limits: WeighLimits = EVERYDAY_LIMITS,
) -> Outcome:
    """What the settled board says about the mover's play of `throw`.

    `bar_is_used`: False on boards without a bar, where hit checkers wait in the hand or on the rim.
    """
    hidden = hidden_places(seen)
    if len(hidden) > (1 - limits.visible_least) * len(PLACES):
        return CannotSee(hidden, HIDDEN)
    scene = scene_of(
        before, mover, throw, seen=seen, seating=seating, rules=rules, bar_is_used=bar_is_used, limits=limits
    )
    contest = contest_of(scene)
    return CannotSee((), _TOO_MANY) if contest is None else _outcome(scene, contest)


def _outcome(scene: Scene, contest: Contest) -> Outcome:
    limits, first = scene.limits, next(iter(contest.results), None)
    against = () if first is None else _against(scene, contest.best.view, first.view)
    if first is not None and contest.behind <= limits.legal_within and not against:
        return _legal(scene, contest)
    is_misreading = contest.behind_elsewhere < limits.second_place and scene.looks < limits.alone_looks
    if contest.behind >= limits.illegal_from and not is_misreading:
        illegal = _illegal(scene, contest)
        if illegal is not None:
            return illegal
    places = against if against or first is None else _in_view(scene, differing(contest.best.view, first.view))
    return CannotSee(places, doubtful(places))


def _against(scene: Scene, best: BoardView, first: BoardView) -> tuple[Place, ...]:
    """Places that speak against a legal result.

    Where the likeliest board has a checker too many or too few something is misread, and it may be the play itself: then
    little is enough. But how high a heap is, is misread on any board, and counts only where one may have been taken off.
    """
    limits, tampered = scene.limits, _tampered(scene, first)
    little = contradicting(
        scene.known, first, limits.contradicted_misread, heaps_from=limits.trust.high_from, counted=tampered
    )
    if not scene.rules.has_reserve and best.totals != scene.view_before.totals:
        return little
    much = contradicting(scene.known, first, limits.contradicted)
    return in_order({*much, *(place for place in little if PLACES.index(place) in tampered)})


def _tampered(scene: Scene, first: BoardView) -> frozenset[int]:
    """Heaps of the mover's home, 0 to 23, that the play leaves as they were, and that look otherwise than before it.

    A checker may have gone off unasked.
    """
    column, before = scene.seating.checkers_of(scene.mover).column, scene.view_before
    heaps = (
        number
        for number in scene.changed & scene.home_of(scene.mover)
        if before.points[number][column] >= scene.limits.trust.high_from
        and first.points[number] == before.points[number]
    )
    return frozenset(heaps)


def _in_view(scene: Scene, places: tuple[Place, ...]) -> tuple[Place, ...]:
    """Without trays that nobody can see anyway."""
    return places if scene.known.has_tray else tuple(place for place in places if place is not Place.TRAY)


def _legal(scene: Scene, contest: Contest) -> LegalSeen | AmbiguousSeen | CannotSee:
    first, *others = contest.results
    if others:
        places = {place for other in others for place in differing(first.view, other.view)}
        return AmbiguousSeen(tuple(one.ruling for one in (first, *others)), in_order(places))
    before, limits = scene.view_before, scene.limits
    not_moved = float(scene.by_place(before).sum())
    if first.view != before and not_moved > first.log_likelihood - limits.apart:
        return CannotSee(_in_view(scene, differing(first.view, before)), _NOT_MOVED)
    if contest.rival is not None:
        denied = _in_view(scene, differing(contest.rival, first.view))
        return CannotSee(denied, doubtful(denied))
    confidence = 1 / (1 + PRIOR_OF_BREACH * exp(contest.behind))
    return LegalSeen(first.ruling, first.view, confidence, not_told(scene.known, first.view, limits.told_from))


def _illegal(scene: Scene, contest: Contest) -> IllegalSeen | None:
    told = told_as_illegal(scene, contest.best)
    if told is None:
        return None
    view, ruling = told
    take_back, belongs = to_undo(scene.view_before, view)
    confidence = 1 / (1 + exp(-contest.behind) / PRIOR_OF_BREACH)
    legal = next((result.view for result in contest.results), None)
    return IllegalSeen(
        scene.setup(view),
        ruling,
        view,
        confidence,
        is_sure=not comes_near(scene, view),
        take_back=take_back,
        belongs=belongs,
        legal=legal,
        against_legal=() if legal is None else _speaking_against(scene, legal, view),
    )


def _speaking_against(scene: Scene, legal: BoardView, view: BoardView) -> tuple[tuple[Place, float], ...]:
    nats = dict(zip(PLACES, (scene.by_place(view) - scene.by_place(legal)).tolist(), strict=True))
    return tuple((place, nats[place]) for place in differing(view, legal))
