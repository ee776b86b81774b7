"""A settled board against the actions of Grasshopper, weighed as `weigh.py` weighs the plays of games with dice.

Both colours count the points alike, 1 to 24, as White counts the board from his seat. Pieces beside the board are not
looked at: whether one waits in a hand or was borne off, the game knows.
"""

from dataclasses import dataclass, replace
from math import exp

import numpy as np

from controller.adjudication.hypotheses import Explanation, Memory, explanations, options_of
from controller.adjudication.off_board_count import Beside, ending_of
from controller.adjudication.outcome import (
    ActionSeen,
    AmbiguousActionSeen,
    CannotSee,
    GrasshopperOutcome,
    RefusedActionSeen,
)
from controller.adjudication.thresholds import EVERYDAY_LIMITS, PRIOR_OF_BREACH, WeighLimits
from controller.match.seating import Checkers, Seating, numbers_along
from controller.observing.board_evidence import BoardSeen, BoardView
from controller.observing.likelihoods import COUNTS, Likelihoods, likelihoods_of
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
from controller.rules.grasshopper.game import PASS, PIECES, STANDARD, GrasshopperRules, State, actions, after
from controller.rules.grasshopper.judge import ActionAllowed, ActionRefused, SeenBoard, judge
from controller.rules.player import Direction, Player
from vision.places import Place

_NOTHING_DONE = "It cannot be told whether anything was done; show the pieces without anything above them."
_WALL = 2  # pieces of it leave together
_EMPTY_BAR = np.full((COUNTS, COUNTS), -1e9)  # nothing waits there, whatever lies on it
_EMPTY_BAR[0, 0] = 0.0


@dataclass(frozen=True, slots=True)
class _Result:
    ruling: ActionAllowed
    view: BoardView
    log_likelihood: float


def weigh_grasshopper(
    before: State,
    board: BoardSeen,
    seating: Seating,
    rules: GrasshopperRules = STANDARD,
    *,
    limits: WeighLimits = EVERYDAY_LIMITS,
) -> GrasshopperOutcome:
    """What the settled board says about the action of the side to act."""
    hidden = hidden_places(board)
    if len(hidden) > (1 - limits.visible_least) * len(PLACES):
        return CannotSee(hidden, HIDDEN)
    known = likelihoods_of(board, limits.trust)
    known = replace(known, bar=_EMPTY_BAR, tray=np.zeros_like(known.tray), has_tray=False)
    results = _results(before, known, seating, rules)
    best = _best_board(before, known, seating, limits) or Explanation(results[0].view, results[0].log_likelihood)
    first = results[0]
    behind = max(best.log_likelihood - first.log_likelihood, 0.0)
    against = contradicting(known, first.view, limits.contradicted)
    if behind <= limits.legal_within and not against:
        return _allowed(before, results, known, seating=seating, limits=limits)
    others = [(known.by_place(best.view) - known.by_place(one.view)) for one in results]
    elsewhere = min(
        best.log_likelihood - one.log_likelihood - max(float(ahead.max()), 0.0)
        for one, ahead in zip(results, others, strict=True)
    )
    is_misreading = elsewhere < limits.second_place and board.looks < limits.alone_looks
    if behind >= limits.illegal_from and not is_misreading:
        refused = _refused(before, best.view, seating, rules, behind=behind)
        if refused is not None:
            return refused
    places = against or differing(best.view, first.view)
    return CannotSee(places, doubtful(places))


def view_of_state(state: State, seating: Seating) -> BoardView:
    """What the camera would find; pieces beside the board are left out."""
    points = [(0, 0)] * 24
    light_player = seating.player_of(Checkers.LIGHT)
    for stack, number in zip(state.points, _numbers(seating), strict=True):
        points[number] = (stack.count(light_player), stack.count(light_player.opponent))
    return BoardView(tuple(points))


def _numbers(seating: Seating) -> tuple[int, ...]:
    """The place numbers of points 1..24, which both colours count alike."""
    return numbers_along(seating, Player.WHITE, Direction.CONTRARY)


def _results(before: State, known: Likelihoods, seating: Seating, rules: GrasshopperRules) -> list[_Result]:
    """Every allowed action, the likeliest first."""
    results = []
    for action in actions(before, rules) or (PASS,):
        allowed = ActionAllowed(action, after(before, action, rules))
        view = view_of_state(allowed.after, seating)
        results.append(_Result(allowed, view, known.of_view(view)))
    return sorted(results, key=lambda one: -one.log_likelihood)


def _best_board(before: State, known: Likelihoods, seating: Seating, limits: WeighLimits) -> Explanation | None:
    """The likeliest board at all, given that pieces do not vanish."""
    beside = {}
    for player in Player:
        away = PIECES - sum(stack.count(player) for stack in before.points)
        is_own = player is before.to_act
        most_in = 1 if is_own and before.hand(player) else 0
        beside[player] = Beside(
            total=PIECES, off=0, reserve=away, fewest_more=-most_in, most_more=_WALL if is_own else 0, is_off=True
        )
    ending = ending_of(beside, known=known, seating=seating, strange=limits.strange)
    memory = Memory(view=view_of_state(before, seating), worth=limits.memory)
    found = explanations(options_of(known, limits.illegal_from, memory), ending, within=limits.illegal_from)
    return next(found, None)


def _allowed(
    before: State, results: list[_Result], known: Likelihoods, *, seating: Seating, limits: WeighLimits
) -> ActionSeen | AmbiguousActionSeen | CannotSee:
    first, *others = results
    near = [one for one in others if one.log_likelihood > first.log_likelihood - limits.apart]
    if near:
        places = {place for one in near for place in differing(first.view, one.view)}
        return AmbiguousActionSeen(tuple(one.ruling for one in (first, *near)), in_order(places))
    standing = view_of_state(before, seating)
    if first.view != standing and known.of_view(standing) > first.log_likelihood - limits.apart:
        return CannotSee(differing(first.view, standing), _NOTHING_DONE)
    confidence = 1 / (1 + PRIOR_OF_BREACH)
    inferred = tuple(place for place in not_told(known, first.view, limits.told_from) if place is not Place.BAR)
    return ActionSeen(first.ruling, first.view, confidence, inferred)


def _refused(
    before: State, view: BoardView, seating: Seating, rules: GrasshopperRules, *, behind: float
) -> RefusedActionSeen | None:
    columns = [seating.checkers_of(player).column for player in Player]
    white, black = (tuple(view.points[number][column] for number in _numbers(seating)) for column in columns)
    board = SeenBoard(white, black)
    ruling = judge(before, board, rules)
    if not isinstance(ruling, ActionRefused):
        return None
    take_back, belongs = to_undo(view_of_state(before, seating), replace(view, bar=(0, 0), off=(0, 0)))
    confidence = 1 / (1 + exp(-behind) / PRIOR_OF_BREACH)
    return RefusedActionSeen(board, ruling, view, confidence, take_back, belongs)
