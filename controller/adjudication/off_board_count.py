"""The prior of the number of checkers beside the board after a turn.

If no tray is in view, checkers of the mover that left the board count as borne off, and checkers of the opponent that
left the board count as missing: nobody bears off for his opponent.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from controller.adjudication.hypotheses import SUMS, OffBoardPrior
from controller.match import Checkers, Seating
from controller.observing import MOST, FloatTable, Likelihoods
from controller.rules import BAR, HOME, OFF, RESERVE, Player, Position, Ruleset, Throw


@dataclass(frozen=True, slots=True, kw_only=True)
class OffBoardCount:
    """One colour's checkers beside the board before the turn, and how many more the turn may explain.

    `total`: all checkers of this colour. `fewest_more`, `most_more`: how many checkers may have left the board (negative:
    entered it). `is_borne_off_assumed`: checkers that are gone count as borne off rather than as missing.
    """

    total: int
    off: int
    reserve: int = 0
    fewest_more: int = 0
    most_more: int = 0
    is_borne_off_assumed: bool = False


def predict_off_board_counts(
    before: Position, mover: Player, throw: Throw, rules: Ruleset
) -> dict[Player, OffBoardCount]:
    """Predicts the checkers beside the board after the mover has played `throw`."""
    counts = {player: before.counts(player) for player in Player}
    waiting = mover.opponent
    own, numbers = counts[mover], sum(len(stage) for stage in throw.stages)
    pips_home = sum(own[point] * (point - max(HOME)) for point in range(max(HOME) + 1, BAR + 1))
    still_away = sum(own[max(HOME) + 1 :])  # each of these needs at least one number to come home
    may_bear_off = pips_home < sum(number for stage in throw.stages for number in stage)
    return {
        mover: OffBoardCount(
            total=rules.checkers,
            off=own[OFF],
            reserve=own[RESERVE],
            fewest_more=-min(numbers, own[RESERVE]),
            most_more=max(numbers - still_away, 0) if may_bear_off else 0,
            is_borne_off_assumed=not own[RESERVE],
        ),
        waiting: OffBoardCount(total=rules.checkers, off=counts[waiting][OFF], reserve=counts[waiting][RESERVE]),
    }


def make_off_board_prior(
    beside: dict[Player, OffBoardCount], *, known: Likelihoods, seating: Seating, mismatch_cost: float
) -> OffBoardPrior:
    """The prior of the totals; `mismatch_cost` is the cost of each missing or extra checker in nats, below 0."""
    light, dark = (_explain_counts(beside[seating.player_of(checkers)], mismatch_cost) for checkers in Checkers)
    pairs = [(one, other) for one in range(2) for other in range(2)]
    costs = np.array(
        [
            light.cost[one][:, None] + dark.cost[other] + known.tray[light.off[one][:, None], dark.off[other]]
            for one, other in pairs
        ]
    )
    offs = np.array(
        [np.stack(np.broadcast_arrays(light.off[one][:, None], dark.off[other]), axis=-1) for one, other in pairs]
    )
    best = costs.argmax(axis=0)  # the first of equal ones
    rows, columns = np.indices(best.shape)
    return OffBoardPrior(costs[best, rows, columns], offs[best, rows, columns])


@dataclass(frozen=True, slots=True, eq=False)
class _CountExplanations:
    """For 0..19 checkers on points and bar, two explanations of the number, the preferred one first; both (2, 20)."""

    cost: FloatTable
    off: NDArray[np.int16]


def _explain_counts(beside: OffBoardCount, mismatch_cost: float) -> _CountExplanations:
    """Checkers that are gone were borne off (and new ones came back), or they are missing (and new ones are extra)."""
    more = beside.total - np.arange(SUMS) - beside.off - beside.reserve
    returned = np.maximum(beside.fewest_more - more, 0)  # more than waited to enter
    borne_off = np.clip(beside.off + np.maximum(more, 0) - returned, 0, MOST)
    costs = [np.maximum(more - beside.most_more, 0) + returned, np.maximum(more, 0) + returned]
    offs = [borne_off, np.full(SUMS, beside.off)]
    order = slice(None) if beside.is_borne_off_assumed else slice(None, None, -1)
    return _CountExplanations(mismatch_cost * np.array(costs[order], np.float64), np.array(offs[order], np.int16))
