"""Adjudicates a settled board of Grasshopper, like `adjudicate.py` for the games with dice.

Both colours count the points alike, 1 to 24, as White counts the board from his seat. Pieces beside the board are
ignored: the state of the game knows which of them wait in a hand and which are borne off.
"""

from dataclasses import dataclass, replace
from math import exp

import numpy as np

from controller import observing
from controller.adjudication.hypotheses import (
    BoardHypothesis,
    TemporalPrior,
    enumerate_hypotheses,
    list_place_hypotheses,
)
from controller.adjudication.off_board_count import OffBoardCount, make_off_board_prior
from controller.adjudication.outcome import (
    AmbiguousOutcome,
    GrasshopperOutcome,
    IllegalOutcome,
    LegalOutcome,
    UndecidedOutcome,
)
from controller.adjudication.thresholds import DEFAULT_THRESHOLDS, PRIOR_OF_BREACH, AdjudicationThresholds
from controller.match import Checkers, Seating, numbers_along
from controller.rules import Direction, Player
from controller.rules.grasshopper.game import PASS, PIECES, STANDARD, GrasshopperRules, State, actions, apply_action
from controller.rules.grasshopper.judge import ActionAllowed, ActionRefused, PieceSetup, judge_action
from vision.places import Place

_NOTHING_DONE = "It cannot be told whether anything was done; show the pieces without anything above them."
_WALL = 2  # pieces that are borne off together
_EMPTY_BAR = np.full(
    (observing.COUNTS, observing.COUNTS), -1e9
)  # Grasshopper has no bar, so anything that lies there is no piece
_EMPTY_BAR[0, 0] = 0.0


@dataclass(frozen=True, slots=True)
class _ActionHypothesis:
    ruling: ActionAllowed
    view: observing.BoardView
    log_likelihood: float


def adjudicate_grasshopper(
    before: State,
    board: observing.BoardEvidence,
    seating: Seating,
    rules: GrasshopperRules = STANDARD,
    *,
    limits: AdjudicationThresholds = DEFAULT_THRESHOLDS,
) -> GrasshopperOutcome:
    """Adjudicates the action of the side to act by the settled board."""
    hidden = observing.find_hidden_places(board)
    if len(hidden) > (1 - limits.min_visible_share) * len(observing.PLACES):
        return UndecidedOutcome(hidden, observing.HIDDEN)
    known = observing.likelihoods_of(board, limits.trust)
    known = replace(known, bar=_EMPTY_BAR, tray=np.zeros_like(known.tray), has_tray=False)
    results = _list_hypotheses(before, known, seating, rules)
    best = _find_best_board(before, known, seating, limits) or BoardHypothesis(
        results[0].view, results[0].log_likelihood
    )
    first = results[0]
    behind = max(best.log_likelihood - first.log_likelihood, 0.0)
    against = observing.find_contradicted_places(known, first.view, limits.contradicted)
    if behind <= limits.legal_within and not against:
        return _decide_legal(before, results, known, seating=seating, limits=limits)
    others = [(known.by_place(best.view) - known.by_place(one.view)) for one in results]
    elsewhere = min(
        best.log_likelihood - one.log_likelihood - max(float(ahead.max()), 0.0)
        for one, ahead in zip(results, others, strict=True)
    )
    is_misreading = elsewhere < limits.second_place and board.frame_count < limits.agreeing_frames
    if behind >= limits.illegal_from and not is_misreading:
        refused = _decide_illegal(before, best.view, seating, rules, behind=behind)
        if refused is not None:
            return refused
    places = against or observing.find_differing_places(best.view, first.view)
    return UndecidedOutcome(places, observing.make_doubt_sentence(places))


def view_of_state(state: State, seating: Seating) -> observing.BoardView:
    """The board that the camera would see; pieces beside the board are left out."""
    points = [(0, 0)] * 24
    light_player = seating.player_of(Checkers.LIGHT)
    for stack, number in zip(state.points, _list_place_numbers(seating), strict=True):
        points[number] = (stack.count(light_player), stack.count(light_player.opponent))
    return observing.BoardView(tuple(points))


def _list_place_numbers(seating: Seating) -> tuple[int, ...]:
    """The place numbers (0..23) of the points 1..24."""
    return numbers_along(seating, Player.WHITE, Direction.CONTRARY)


def _list_hypotheses(
    before: State, known: observing.Likelihoods, seating: Seating, rules: GrasshopperRules
) -> list[_ActionHypothesis]:
    """Every allowed action with its likelihood, the most likely one first."""
    results = []
    for action in actions(before, rules) or (PASS,):
        allowed = ActionAllowed(action, apply_action(before, action, rules))
        view = view_of_state(allowed.after, seating)
        results.append(_ActionHypothesis(allowed, view, known.of_view(view)))
    return sorted(results, key=lambda one: -one.log_likelihood)


def _find_best_board(
    before: State, known: observing.Likelihoods, seating: Seating, limits: AdjudicationThresholds
) -> BoardHypothesis | None:
    """The most likely board of all, under the constraint that pieces do not vanish."""
    beside = {}
    for player in Player:
        away = PIECES - sum(stack.count(player) for stack in before.points)
        is_own = player is before.to_act
        most_in = 1 if is_own and before.hand(player) else 0
        beside[player] = OffBoardCount(
            total=PIECES,
            off=0,
            reserve=away,
            fewest_more=-most_in,
            most_more=_WALL if is_own else 0,
            is_borne_off_assumed=True,
        )
    ending = make_off_board_prior(beside, known=known, seating=seating, mismatch_cost=limits.count_mismatch_cost)
    memory = TemporalPrior(view=view_of_state(before, seating), unchanged_bonus=limits.unchanged_bonus)
    found = enumerate_hypotheses(
        list_place_hypotheses(known, limits.illegal_from, memory), ending, within=limits.illegal_from
    )
    return next(found, None)


def _decide_legal(
    before: State,
    results: list[_ActionHypothesis],
    known: observing.Likelihoods,
    *,
    seating: Seating,
    limits: AdjudicationThresholds,
) -> LegalOutcome[ActionAllowed] | AmbiguousOutcome[ActionAllowed] | UndecidedOutcome:
    first, *others = results
    near = [one for one in others if one.log_likelihood > first.log_likelihood - limits.apart]
    if near:
        places = {place for one in near for place in observing.find_differing_places(first.view, one.view)}
        return AmbiguousOutcome(tuple(one.ruling for one in (first, *near)), observing.sort_places(places))
    standing = view_of_state(before, seating)
    if first.view != standing and known.of_view(standing) > first.log_likelihood - limits.apart:
        return UndecidedOutcome(observing.find_differing_places(first.view, standing), _NOTHING_DONE)
    confidence = 1 / (1 + PRIOR_OF_BREACH)
    inferred = tuple(
        place
        for place in observing.find_inferred_places(known, first.view, limits.confident_from)
        if place is not Place.BAR
    )
    return LegalOutcome(first.ruling, first.view, confidence, inferred)


def _decide_illegal(
    before: State, view: observing.BoardView, seating: Seating, rules: GrasshopperRules, *, behind: float
) -> IllegalOutcome[PieceSetup, ActionRefused] | None:
    columns = [seating.checkers_of(player).column for player in Player]
    white, black = (tuple(view.points[number][column] for number in _list_place_numbers(seating)) for column in columns)
    board = PieceSetup(white, black)
    ruling = judge_action(before, board, rules)
    if not isinstance(ruling, ActionRefused):
        return None
    take_back, belongs = observing.find_places_to_undo(
        view_of_state(before, seating), replace(view, bar=(0, 0), off=(0, 0))
    )
    confidence = 1 / (1 + exp(-behind) / PRIOR_OF_BREACH)
    return IllegalOutcome(board, ruling, view, confidence, take_back=take_back, belongs=belongs)
