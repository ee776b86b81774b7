"""Enumerates the most likely boards in order, whatever the rules say (the k best hypotheses).

Checkers do not vanish: the checkers on points and bar and those beside the board add up to a constant. Therefore the
most likely board is not the most likely content of each place. Dynamic programming from the last place computes, for
every number of light and dark checkers already placed, the best total that the remaining places can add. With these
bounds an A* search from the first place finds the boards in order and expands no others.

Where the picture does not decide, memory does: an unchanged place gets a small bonus.
"""

import heapq
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count

import numpy as np
from numpy.typing import NDArray

from controller.observing import DARK_ABOVE, LIGHT_ABOVE, POINTS, BoardView, FloatTable, Likelihoods, Pair

SUMS = 20  # totals of one colour on points and bar: 0..19, so that boards with a few checkers too many are included
_NEVER = -1e9


@dataclass(frozen=True, slots=True, eq=False)
class OffBoardPrior:
    """The prior of the totals on points and bar, and the numbers of checkers that are then borne off.

    `cost`: (20, 20), light x dark, nats, at most 0. `off`: (20, 20, 2), light and dark.
    """

    cost: FloatTable
    off: NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class PlaceHypothesis:
    """What one place may hold. `weight` is the log-likelihood plus the bonus of an unchanged place."""

    light: int
    dark: int
    is_dark_above: bool
    log_likelihood: float
    weight: float


PlaceHypotheses = tuple[tuple[PlaceHypothesis, ...], ...]  # the 24 points and the bar


@dataclass(frozen=True, slots=True)
class BoardHypothesis:
    """A board with its log-likelihood, the cost of the checkers beside the board included."""

    view: BoardView
    log_likelihood: float


@dataclass(frozen=True, slots=True)
class MixedStack:
    """Checkers of both colours on a point; `cost` is the log-prior of such a stack, in nats, at most 0."""

    pair: Pair
    is_dark_above: bool
    cost: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TemporalPrior:
    """The prior from the board before: `view` is that board, `unchanged_bonus` the bonus of an unchanged place in nats.

    `freed_cost`: the cost, at most 0, of a checker that left from below others which are still there. `mixed_stacks`: by
    point number 0..23, the stacks of both colours that are tried there; no others are tried.
    """

    view: BoardView
    unchanged_bonus: float
    freed_cost: float = 0.0
    mixed_stacks: Mapping[int, tuple[MixedStack, ...]] = field(default_factory=dict)


def list_place_hypotheses(known: Likelihoods, window: float, memory: TemporalPrior) -> PlaceHypotheses:
    """For each place, its contents within `window` nats of the most likely content."""
    points = tuple(tuple(_list_point_hypotheses(known, number, window, memory)) for number in range(POINTS))
    return (*points, tuple(_list_bar_hypotheses(known, window, memory)))


def _list_point_hypotheses(
    known: Likelihoods, number: int, window: float, memory: TemporalPrior
) -> Iterator[PlaceHypothesis]:
    table = known.points[number]
    light, dark = table[LIGHT_ABOVE, :, 0], table[LIGHT_ABOVE, 0, :]
    least = max(float(light.max()), float(dark.max())) - window
    before = memory.view.points[number]
    is_pinned, is_light_below = all(before), number in memory.view.dark_above
    for lights in np.flatnonzero(light >= least).tolist():
        cost = memory.freed_cost if is_pinned and lights and not is_light_below else 0.0
        yield _make_place_hypothesis((lights, 0), False, float(light[lights]) + cost, before, memory)
    for darks in np.flatnonzero(dark[1:] >= least).tolist():
        cost = memory.freed_cost if is_pinned and is_light_below else 0.0
        yield _make_place_hypothesis((0, darks + 1), False, float(dark[darks + 1]) + cost, before, memory)
    for mixed in memory.mixed_stacks.get(number, ()):
        likelihood = float(table[DARK_ABOVE if mixed.is_dark_above else LIGHT_ABOVE][mixed.pair]) + mixed.cost
        if likelihood >= least:
            yield _make_place_hypothesis(mixed.pair, mixed.is_dark_above, likelihood, before, memory)


def _list_bar_hypotheses(known: Likelihoods, window: float, memory: TemporalPrior) -> Iterator[PlaceHypothesis]:
    least = float(known.bar.max()) - window
    for light, dark in np.argwhere(known.bar >= least).tolist():
        yield _make_place_hypothesis((light, dark), False, float(known.bar[light, dark]), memory.view.bar, memory)


def _make_place_hypothesis(
    pair: Pair, is_dark_above: bool, likelihood: float, before: Pair, memory: TemporalPrior
) -> PlaceHypothesis:
    worth = memory.unchanged_bonus if pair == before else 0.0
    return PlaceHypothesis(pair[0], pair[1], is_dark_above, likelihood, likelihood + worth)


@dataclass(frozen=True, slots=True)
class _PartialBoard:
    """A linked list of the options chosen for the first places, the latest one first."""

    option: PlaceHypothesis
    before: "_PartialBoard | None"


def enumerate_hypotheses(
    options: PlaceHypotheses, ending: OffBoardPrior, *, within: float
) -> Iterator[BoardHypothesis]:
    """Yields boards from the most likely one down to `within` nats below it; lazy, because later boards cost more."""
    to_come = _compute_completion_bounds(options, ending)
    least = float(to_come[0][0, 0]) - within
    order = count()
    heap: list[tuple[float, int, int, int, int, float, _PartialBoard | None]] = [
        (-float(to_come[0][0, 0]), next(order), 0, 0, 0, 0.0, None)
    ]
    while heap:
        _, _, place, light, dark, so_far, laid = heapq.heappop(heap)
        if place == len(options):
            yield _make_board_hypothesis(laid, ending, light, dark)
            continue
        rest = to_come[place + 1]
        for option in options[place]:
            lights, darks = light + option.light, dark + option.dark
            if lights < SUMS and darks < SUMS:
                total = so_far + option.weight + float(rest[lights, darks])
                if total >= least:
                    entry = (
                        -total,
                        next(order),
                        place + 1,
                        lights,
                        darks,
                        so_far + option.weight,
                        _PartialBoard(option, laid),
                    )
                    heapq.heappush(heap, entry)


def _compute_completion_bounds(options: PlaceHypotheses, ending: OffBoardPrior) -> list[FloatTable]:
    """For each number of placed places, (20, 20): the most that the other places and the prior add to these totals."""
    tables = [ending.cost]
    for place in reversed(options):
        later = tables[-1]
        table = np.full((SUMS, SUMS), _NEVER)
        for option in place:
            reached = table[: SUMS - option.light, : SUMS - option.dark]
            np.maximum(reached, later[option.light :, option.dark :] + option.weight, out=reached)
        tables.append(table)
    return tables[::-1]


def _make_board_hypothesis(laid: _PartialBoard | None, ending: OffBoardPrior, light: int, dark: int) -> BoardHypothesis:
    chosen: list[PlaceHypothesis] = []
    while laid is not None:
        chosen.append(laid.option)
        laid = laid.before
    *points, bar = chosen[::-1]
    off = ending.off[light, dark]
    view = BoardView(
        points=tuple((option.light, option.dark) for option in points),
        bar=(bar.light, bar.dark),
        off=(int(off[0]), int(off[1])),
        dark_above=frozenset(number for number, option in enumerate(points) if option.is_dark_above),
    )
    likelihood = sum(option.log_likelihood for option in chosen) + float(ending.cost[light, dark])
    return BoardHypothesis(view, likelihood)
