"""How far a reading of checkers is believed, and what it then says about any board.

A reading that is sure is wrong now and then all the same, in known ways: a count is one off, the more easily the
higher the stack; a second layer hides what lies below it; a shadow is a checker. So the posteriors of the reading are
taken as "this is what the reader reports", and carried over to "this is what stands there" by the share of cases in
which the one is taken for the other. However many looks agree, and however sure they are, a board that differs in one
place is thereby never less likely than by the frequency of that misreading. Where the reading itself doubts, its own
doubt counts for more.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from controller.observing.board_evidence import BoardEvidence, BoardView

FloatTable = NDArray[np.float64]

POINTS = 24
BAR_NUMBER = POINTS  # of the bar, where it stands behind the points
MOST = 15  # checkers of one colour on a place
COUNTS = MOST + 1
CLASSES = 1 + 2 * MOST  # none, light x 1..15, dark x 1..15: what a reader reports of a point
LIGHT_ABOVE, DARK_ABOVE = 0, 1
_IMPOSSIBLE = -1e9  # a sum with it is still a number


@dataclass(frozen=True, slots=True)
class Trust:
    """How often a reading that is sure is wrong, as shares of the places that show the thing in question.

    From 5,300 places of 228 rendered still boards: of 4,684 single layers read with more than 0.999 none is wrong, of
    589 read with less 8 are, a little more than their doubt says. How many lie in a heap hangs on how it is heaped: of 280
    rendered ones of six to fifteen 17 % are told as their lowest row, 55 % as high as they are and 9 % one higher or lower
    each; of 480 drawn ones, which are heaped as no training has seen, 42 % as their lowest row and all other counts alike,
    whatever lies there. A real one lies somewhere between. More makes rulings rarer and safer.
    """

    doubt: float = 0.8  # a reading's log-odds are multiplied by it
    one_off: float = 2e-4  # a count one higher, or one lower, of stacks in one layer
    one_off_high: float = 0.1  # the same from `high_from` on, where checkers may lie in a second layer
    high_from: int = 6
    any_off_high: float = 0.035  # of those any other high count,
    row_only: float = 0.2  # or only their lowest row, which holds one fewer than `high_from`
    appears: float = 1.5e-4  # a single checker where none is, or the other way round
    wrong_side: float = 5e-5  # the right count of the wrong colour
    anything: float = 1e-5  # any one answer instead of any other
    both_wrong: float = 0.02  # one colour, of which faces look like the other's: glare, shade, dice
    under: float = 0.15  # of points with a checker below others: it shows as one more of those
    beside: float = 0.5  # of points with both colours side by side: all show as of the colour that has more there
    beside_one: float = 0.5  # the same where the lower colour has one: where it is pinned it lies below, not beside
    hidden_below: float = 0.3  # `visible` at which nothing is told,
    seen_from: float = 0.8  # and from which on all is
    bar_wrong: float = 3e-4  # a count on the bar one higher or lower: cube and dice lie there too
    # Of 120 drawn bars 29 of 30 with two were read so, of those with three half as two, and of those with four and five all
    # as two or as three.
    bar_read_most: int = 3
    bar_low: float = 0.45  # of three and more on the bar that are read as two, and of four and more as three
    tray_one_off: float = 0.05  # a count in the trays one higher or lower
    tray_elsewhere: float = 0.1  # not all borne-off checkers lie in the trays


DEFAULT_TRUST = Trust()


@dataclass(frozen=True, slots=True, eq=False)
class Likelihoods:
    """Log-likelihoods of what may stand on each place, the likeliest near 0 where pictures say nothing against it; read-only.

    `points`: (24, 2, 16, 16), which colour lies above (light, dark) x light x dark; where one colour stands alone both
    halves agree. `bar`, `tray`: (16, 16), light x dark; the tray's is flat when none is in view. `visible`: (25,).
    """

    points: FloatTable
    bar: FloatTable
    tray: FloatTable
    has_tray: bool
    visible: NDArray[np.float32]

    def of_view(self, view: BoardView) -> float:
        """Of a whole board, trays included; counts that no table holds are as good as impossible."""
        counts = [count for pair in (*view.points, view.bar, view.off) for count in pair]
        if max(counts) > MOST or min(counts) < 0:
            return _IMPOSSIBLE
        return float(self.by_place(view).sum() + self.tray[view.off])

    def by_place(self, view: BoardView) -> FloatTable:
        """(25,): of the points and the bar, all counts within 0..15."""
        light, dark = np.array(view.points, np.intp).T
        above = np.zeros(POINTS, np.intp)
        above[list(view.dark_above)] = DARK_ABOVE
        return np.append(self.points[np.arange(POINTS), above, light, dark], self.bar[view.bar])


@lru_cache(maxsize=4)
def likelihoods_of(seen: BoardEvidence, trust: Trust = DEFAULT_TRUST) -> Likelihoods:
    """What a reading says of any board, as far as it is trusted."""
    shares = _compute_visible_shares(seen.visible, trust)
    known = np.concatenate((seen.points[:, 0, :1], seen.points[:, 1, 1:], seen.points[:, 2, 1:], seen.points[:, 3]), 1)
    reported = _compute_posteriors(known, shares[:POINTS, None], trust)
    single = reported[:, :CLASSES] @ _make_confusion_matrix(trust).T
    both = reported[:, CLASSES:]
    surely_both = both[:, 1:] - both.min(axis=1, keepdims=True)  # nothing where the place is hidden
    for colour in (slice(1, COUNTS), slice(COUNTS, CLASSES)):
        single[:, colour] += trust.both_wrong * surely_both
    points = _make_point_tables(np.maximum(single, trust.anything / CLASSES), both, trust)
    if seen.change_penalty is not None:
        points += seen.change_penalty[:, None]
    bar = _make_pair_table(seen.bar, float(shares[POINTS]), _make_bar_confusion_matrix(trust), trust)
    tray = (
        np.zeros((COUNTS, COUNTS))
        if seen.tray is None
        else _make_pair_table(seen.tray, 1.0, _make_tray_confusion_matrix(trust), trust)
    )
    for table in (points, bar, tray):
        table.flags.writeable = False
    return Likelihoods(points, bar, tray, seen.tray is not None, seen.visible)


def _compute_visible_shares(visible: NDArray[np.float32], trust: Trust) -> FloatTable:
    share = (visible.astype(np.float64) - trust.hidden_below) / (trust.seen_from - trust.hidden_below)
    return np.clip(share, 0.0, 1.0)


def _compute_posteriors(log: NDArray[np.float32], shares: FloatTable | float, trust: Trust) -> FloatTable:
    """(n, classes), each row summing to 1: what was reported, with as much doubt as it deserves."""
    likelihood = np.exp(trust.doubt * (log.astype(np.float64) - log.max(axis=1, keepdims=True)))
    posterior = likelihood / likelihood.sum(axis=1, keepdims=True)
    return np.asarray(shares * posterior + (1 - shares) / CLASSES, np.float64)


def _make_point_tables(single: FloatTable, both: FloatTable, trust: Trust) -> FloatTable:
    """(24, 2, 16, 16) from what stands alone (24, 31) and from what was reported of both colours together (24, 16)."""
    tables = np.empty((POINTS, 2, COUNTS, COUNTS))
    tables[:] = (both[:, _SUMS] + trust.anything / CLASSES)[:, None]
    _add_covered(tables, single, trust)
    tables[:, :, 1:, 0] = single[:, None, 1:COUNTS]
    tables[:, :, 0, 1:] = single[:, None, COUNTS:]
    tables[:, :, 0, 0] = single[:, None, 0]
    return np.log(tables)


def _add_covered(tables: FloatTable, single: FloatTable, trust: Trust) -> None:
    """A reader that knows no points with both colours: of one below others those above are seen, of two side by side the more."""
    stacks = np.full((POINTS, 2, COUNTS + 1), trust.anything / CLASSES)  # light, dark
    stacks[:, 0, 1:COUNTS], stacks[:, 1, 1:COUNTS] = single[:, 1:COUNTS], single[:, COUNTS:]
    over_one = (1 - trust.under) * stacks[:, :, 1:COUNTS] + trust.under * stacks[:, :, 2:]
    tables[:, LIGHT_ABOVE, 1:, 1] += over_one[:, 0]
    tables[:, DARK_ABOVE, 1, 1:] += over_one[:, 1]
    in_all = stacks[:, :, _SUMS]
    side_by_side = np.full((2, COUNTS, COUNTS), trust.beside)
    side_by_side[LIGHT_ABOVE, :, 1] = side_by_side[DARK_ABOVE, 1, :] = trust.beside_one
    tables += side_by_side * (in_all[:, :1] * _MORE_LIGHT + in_all[:, 1:] * (1 - _MORE_LIGHT))


_SUMS = np.minimum(np.add.outer(np.arange(COUNTS), np.arange(COUNTS)), MOST)
# Where more light checkers are than dark ones; of as many it cannot be said which colour they are taken for.
_MORE_LIGHT = (1 + np.sign(np.subtract.outer(np.arange(COUNTS), np.arange(COUNTS)))) / 2


@lru_cache(maxsize=4)
def _make_confusion_matrix(trust: Trust) -> FloatTable:
    """(31, 31): of points where the first stands, the share that is reported as the second."""
    share = np.full((CLASSES, CLASSES), trust.anything / CLASSES)
    for first in range(1, COUNTS):
        for second in range(1, COUNTS):
            off = _compute_count_confusion(first, second, trust)
            share[first, second] += off
            share[first + MOST, second + MOST] += off
        share[first, first + MOST] += trust.wrong_side
        share[first + MOST, first] += trust.wrong_side
    for one in (1, 1 + MOST):
        share[0, one] += trust.appears
        share[one, 0] += trust.appears
    np.fill_diagonal(share, 0.0)
    np.fill_diagonal(share, 1 - share.sum(axis=1))
    return share


def _compute_count_confusion(first: int, second: int, trust: Trust) -> float:
    """The share of stacks of the first height that are reported as of the second one, at least 1 and not equal."""
    row = trust.high_from - 1
    is_one_off = abs(first - second) == 1
    if first < trust.high_from:
        return trust.one_off if is_one_off else 0.0
    if second == row:
        return trust.row_only
    return trust.one_off_high if is_one_off else trust.any_off_high if second > row else 0.0


@lru_cache(maxsize=4)
def _make_bar_confusion_matrix(trust: Trust) -> FloatTable:
    """(16, 16): of one colour on the bar, the share of the first count that is reported as the second."""
    share = np.full((COUNTS, COUNTS), trust.anything / COUNTS)
    share += trust.bar_wrong * (np.eye(COUNTS, k=1) + np.eye(COUNTS, k=-1))
    for told in (trust.bar_read_most - 1, trust.bar_read_most):
        share[told + 1 :, told] += trust.bar_low
    np.fill_diagonal(share, 0.0)
    np.fill_diagonal(share, 1 - share.sum(axis=1))
    return share


@lru_cache(maxsize=4)
def _make_tray_confusion_matrix(trust: Trust) -> FloatTable:
    """(16, 16): of one colour in the trays, the share of the first count that is reported as the second."""
    share = np.full((COUNTS, COUNTS), trust.anything)
    share += trust.tray_one_off * (np.eye(COUNTS, k=1) + np.eye(COUNTS, k=-1))
    fewer = np.tril(np.ones((COUNTS, COUNTS)), k=-1)
    share += trust.tray_elsewhere * fewer / np.maximum(fewer.sum(axis=1, keepdims=True), 1)
    np.fill_diagonal(share, 0.0)
    np.fill_diagonal(share, 1 - share.sum(axis=1))
    return share


def _make_pair_table(log: NDArray[np.float32], share: float, confusion: FloatTable, trust: Trust) -> FloatTable:
    """(16, 16) log-likelihoods of both counts."""
    likelihood = np.exp(trust.doubt * (log.astype(np.float64) - float(log.max())))
    reported = share * likelihood / likelihood.sum() + (1 - share) / likelihood.size
    return np.asarray(np.log(confusion @ reported @ confusion.T), np.float64)
