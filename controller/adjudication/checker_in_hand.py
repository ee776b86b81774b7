"""Which checker is in the mover's hand, and where it may go. The evidence is one frame: enough for hints, not for rulings.

The last settled board is compared with the same board without one of the mover's checkers, for each place of such a
checker. Places that the hand hides give no evidence. One of these boards must be clearly the most likely one, and more
likely than the board with no checker lifted.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from controller.adjudication.board_view import view_of
from controller.adjudication.thresholds import DEFAULT_THRESHOLDS, AdjudicationThresholds
from controller.adjudication.turn_evidence import ThrowInPlay
from controller.observing import BoardEvidence, BoardView, compute_best_by_place, likelihoods_of
from controller.rules import (
    BAR,
    HEAD,
    OFF,
    Legal,
    Player,
    Position,
    Setup,
    Side,
    Stage,
    Turn,
    continuations,
    judge,
)
from controller.rules import (
    POINTS as OWN_POINTS,
)
from vision.places import Place


@dataclass(frozen=True, slots=True)
class CheckerInHand:
    """A lifted checker. `source`: the own coordinate that it came from (25 the bar).

    `targets`: the own coordinates where a legal play may set it down, falling, 0 for borne off; empty if the checker cannot
    be played. `places`: the targets as places of the picture.
    """

    source: int
    targets: tuple[int, ...]
    places: tuple[Place, ...]


def find_checker_in_hand(
    turn: ThrowInPlay, now: Setup, glimpse: BoardEvidence, limits: AdjudicationThresholds = DEFAULT_THRESHOLDS
) -> CheckerInHand | None:
    """The checker in the hand; None if no checker is lifted, or if it is unclear which one.

    `turn.before` is the board at the start of the throw, `now` the last settled board with the steps made since.
    """
    mover, seating, rules = turn.mover, turn.seating, turn.rules
    standing = view_of(now, seating, rules)
    without: dict[int, BoardView] = {}
    for source in (*((BAR,) if turn.bar_is_used else ()), *OWN_POINTS):
        if now.side(mover).counts[source]:
            without[source] = view_of(_remove_checker(now, mover, source), seating, rules)
    source = find_lifted_source(standing, without, glimpse, bar_is_used=turn.bar_is_used, limits=limits)
    if source is None:
        return None
    in_hand = _remove_checker(now, mover, source)
    begun, stage = find_current_stage(turn, now)
    steps = continuations(begun, mover, stage, in_hand, rules).steps
    targets = sorted({step.target for step in steps if step.source == source}, reverse=True)
    places = tuple(
        Place.TRAY if target == OFF else seating.place_of(target, mover, rules.direction) for target in targets
    )
    return CheckerInHand(source, tuple(targets), places)


def find_lifted_source(
    standing: BoardView,
    without: Mapping[int, BoardView],
    glimpse: BoardEvidence,
    *,
    bar_is_used: bool = True,
    limits: AdjudicationThresholds = DEFAULT_THRESHOLDS,
) -> int | None:
    """The key of the board in `without` that the glimpse shows; None if no checker is lifted from `standing`, or unclear."""
    known = likelihoods_of(glimpse, limits.trust)
    if not bar_is_used:
        known = replace(known, bar=np.zeros_like(known.bar))
    stands, best = known.by_place(standing), compute_best_by_place(known)
    gains: list[tuple[float, int, int]] = []
    for source, view in without.items():
        less = known.by_place(view) - stands
        place = int(np.abs(less).argmax())
        gains.append((float(less[place]), source, place))
    if not gains:
        return None
    (gain, source, place), *others = sorted(gains, reverse=True)
    if gain < limits.apart or (others and others[0][0] > gain - limits.apart):
        return None
    return None if np.delete(best - stands, place).max() > limits.contradicted else source


def _remove_checker(now: Setup, player: Player, source: int) -> Setup:
    """The board without one of the player's checkers."""
    side = now.side(player)
    counts = list(side.counts)
    counts[source] -= 1
    less = Side.of_counts(tuple(counts), side.pinned)
    return replace(now, white=less) if player is Player.WHITE else replace(now, black=less)


def find_current_stage(turn: ThrowInPlay, now: Setup) -> tuple[Position, Stage]:
    """The stage that is being played, and the board with which it began.

    In a cascade this is the rank that begins with the board `now`, else the first rank: the middle of a later rank cannot
    be recognised.
    """
    before, mover, throw = turn.before, turn.mover, turn.throw
    for played in range(len(throw.stages) - 1, 0, -1):
        ruling = judge(before, mover, Turn((replace(throw, stages=throw.stages[:played]),)), now, turn.rules)
        numbers = sum(len(stage) for stage in throw.stages[:played])
        if isinstance(ruling, Legal) and len(ruling.steps) == numbers:
            head_taken = before.counts(mover)[HEAD] - ruling.after.counts(mover)[HEAD]
            return ruling.after, Stage(throw.stages[played], head_taken=head_taken)
    return before, turn.first_stage
