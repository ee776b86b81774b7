"""Converts the reader's posteriors into likelihoods of boards, by a confusion model of the reader.

A confident reading is sometimes wrong, in known ways: a count is one off, more often for high stacks; a second layer
hides what lies below it; a shadow is read as a checker. Therefore the posteriors are taken as "the reader reports this"
and converted to "this is on the board" by a confusion matrix: the share of cases in which one content is read as another.
So a board that differs in one place is never less likely than the frequency of that misreading, however many confident
frames agree. Where the reading itself is uncertain, its own uncertainty dominates.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from controller.observing.board_evidence import BoardEvidence, BoardView

FloatTable = NDArray[np.float64]

POINTS = 24

MOST = 15  # the most checkers of one colour on a place
COUNTS = MOST + 1
CLASSES = 1 + 2 * MOST  # none, light x 1..15, dark x 1..15: what the reader reports of a point
LIGHT_ABOVE, DARK_ABOVE = 0, 1
_IMPOSSIBLE = -1e9  # a sum with it is still a number


@dataclass(frozen=True, slots=True)
class Trust:
    """The confusion model: how often a confident reading is wrong, as shares of the places with the content in question.

    All shares are statistical, estimated on rendered still boards; those of heaps lie between rendered and drawn heaps,
    because real heaps vary. Larger shares make rulings rarer and safer.
    """

    doubt: float = 0.8  # knob, factor on the log-odds of a reading; smaller believes readings less
    one_off: float = 2e-4  # a count one higher, or one lower, of stacks in one layer
    one_off_high: float = 0.1  # the same from `high_from` on, where checkers may lie in a second layer
    high_from: int = 6  # physical: the lowest row of a point holds five checkers
    any_off_high: float = 0.035  # a high count read as any other high count,
    row_only: float = 0.2  # or as the lowest row only, which holds one fewer than `high_from`
    appears: float = 1.5e-4  # a single checker on an empty place, or the reverse
    wrong_side: float = 5e-5  # the right count of the wrong colour
    anything: float = 1e-5  # any content read as any other
    both_wrong: float = 0.02  # one colour read as both: glare, shade and dice change faces
    under: float = 0.15  # a checker below others is read as one more of them
    beside: float = 0.5  # both colours side by side are read as the more frequent colour
    beside_one: float = 0.5  # the same with one checker of the rarer colour; 0 if it must lie below (pins)
    hidden_below: float = 0.3  # `visible` up to which a place gives no evidence,
    seen_from: float = 0.8  # and from which it gives full evidence
    bar_wrong: float = 3e-4  # a count on the bar one higher or lower: cube and dice lie there too
    bar_read_most: int = 3  # the highest count that the reader of the bar reports
    bar_low: float = 0.45  # three or more on the bar read as two, and four or more read as three
    tray_one_off: float = 0.05  # a count in the trays one higher or lower
    tray_elsewhere: float = 0.1  # some borne-off checkers lie outside the trays


DEFAULT_TRUST = Trust()


@dataclass(frozen=True, slots=True, eq=False)
class Likelihoods:
    """Log-likelihoods of the contents of each place, read-only; the best is near 0 unless `change_penalty` lowers it.

    `points`: (24, 2, 16, 16), colour above (light, dark) x light x dark; both halves agree if one colour stands alone.
    `bar`, `tray`: (16, 16), light x dark; each is flat if the board has none, or if no tray is in view. `visible`: (25,).
    """

    points: FloatTable
    bar: FloatTable
    tray: FloatTable
    has_tray: bool
    has_bar: bool
    visible: NDArray[np.float32]

    def of_view(self, view: BoardView) -> float:
        """The log-likelihood of a whole board, trays included; counts outside the tables count as impossible."""
        counts = [count for pair in (*view.points, view.bar, view.off) for count in pair]
        if max(counts) > MOST or min(counts) < 0:
            return _IMPOSSIBLE
        return float(self.by_place(view).sum() + self.tray[view.off])

    def by_place(self, view: BoardView) -> FloatTable:
        """(25,): the log-likelihoods of the points and the bar; all counts of the view lie within 0..15."""
        light, dark = np.array(view.points, np.intp).T
        above = np.zeros(POINTS, np.intp)
        above[list(view.dark_above)] = DARK_ABOVE
        return np.append(self.points[np.arange(POINTS), above, light, dark], self.bar[view.bar])


@lru_cache(maxsize=4)
def likelihoods_of(seen: BoardEvidence, trust: Trust = DEFAULT_TRUST) -> Likelihoods:
    """Applies the confusion model to evidence; cached by the identity of the evidence."""
    shares = _compute_visible_shares(seen.visible, trust)
    known = np.concatenate((seen.points[:, 0, :1], seen.points[:, 1, 1:], seen.points[:, 2, 1:], seen.points[:, 3]), 1)
    reported = _compute_posteriors(known, shares[:POINTS, None], trust)
    single = reported[:, :CLASSES] @ _make_confusion_matrix(trust).T
    both = reported[:, CLASSES:]
    surely_both = both[:, 1:] - both.min(axis=1, keepdims=True)  # 0 if the place is hidden
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
    return Likelihoods(points, bar, tray, seen.tray is not None, seen.has_bar, seen.visible)


def _compute_visible_shares(visible: NDArray[np.float32], trust: Trust) -> FloatTable:
    share = (visible.astype(np.float64) - trust.hidden_below) / (trust.seen_from - trust.hidden_below)
    return np.clip(share, 0.0, 1.0)


def _compute_posteriors(log: NDArray[np.float32], shares: FloatTable | float, trust: Trust) -> FloatTable:
    """(n, classes), each row summing to 1: the tempered posteriors, mixed with a flat one for hidden places."""
    likelihood = np.exp(trust.doubt * (log.astype(np.float64) - log.max(axis=1, keepdims=True)))
    posterior = likelihood / likelihood.sum(axis=1, keepdims=True)
    return np.asarray(shares * posterior + (1 - shares) / CLASSES, np.float64)


def _make_point_tables(single: FloatTable, both: FloatTable, trust: Trust) -> FloatTable:
    """(24, 2, 16, 16), from the shares of single colours (24, 31) and of both colours together (24, 16)."""
    tables = np.empty((POINTS, 2, COUNTS, COUNTS))
    tables[:] = (both[:, _SUMS] + trust.anything / CLASSES)[:, None]
    _add_covered(tables, single, trust)
    tables[:, :, 1:, 0] = single[:, None, 1:COUNTS]
    tables[:, :, 0, 1:] = single[:, None, COUNTS:]
    tables[:, :, 0, 0] = single[:, None, 0]
    return np.log(tables)


def _add_covered(tables: FloatTable, single: FloatTable, trust: Trust) -> None:
    """Adds stacks of both colours that are read as one: a covered checker as one more, side by side as the majority."""
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
# 1 where light has the majority, 0 where dark has it, 1/2 for equal numbers.
_MORE_LIGHT = (1 + np.sign(np.subtract.outer(np.arange(COUNTS), np.arange(COUNTS)))) / 2


@lru_cache(maxsize=4)
def _make_confusion_matrix(trust: Trust) -> FloatTable:
    """(31, 31): the share of points with the first content that the reader reports as the second."""
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
    """(16, 16): for one colour on the bar, the share of the first count that is reported as the second."""
    share = np.full((COUNTS, COUNTS), trust.anything / COUNTS)
    share += trust.bar_wrong * (np.eye(COUNTS, k=1) + np.eye(COUNTS, k=-1))
    for reported in (trust.bar_read_most - 1, trust.bar_read_most):
        share[reported + 1 :, reported] += trust.bar_low
    np.fill_diagonal(share, 0.0)
    np.fill_diagonal(share, 1 - share.sum(axis=1))
    return share


@lru_cache(maxsize=4)
def _make_tray_confusion_matrix(trust: Trust) -> FloatTable:
    """(16, 16): for one colour in the trays, the share of the first count that is reported as the second."""
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
