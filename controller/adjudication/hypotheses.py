"""The likeliest boards for what is seen, whatever the rules say, the likeliest first.

Checkers do not vanish: those on points and bar and those beside the board are as many as there always were. So the
likeliest board is not the likeliest answer place by place. It is found from the back: for every number of light and
dark checkers already laid out, the best that the remaining places can add. With these tables a search from the front
always knows what is still to be had, and finds the boards in order without looking at others.

Where the picture does not decide, memory does: a place that may be as it was is taken to be so.
"""

import heapq
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count

import numpy as np
from numpy.typing import NDArray

from controller.observing.board_evidence import BoardView, Pair
from controller.observing.likelihoods import DARK_ABOVE, LIGHT_ABOVE, POINTS, FloatTable, Likelihoods

SUMS = 20  # of one colour on points and bar: 0..19, so that a few too many have a place
_NEVER = -1e9


@dataclass(frozen=True, slots=True, eq=False)
class OffBoardPrior:
    """What it costs when so many checkers are on points and bar, and how many then lie borne off.

    `cost`: (20, 20), light x dark, 0 or less. `off`: (20, 20, 2), light and dark.
    """

    cost: FloatTable
    off: NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class PlaceHypothesis:
    """What one place may hold. `weight` is its log-likelihood, a little more where the place is as it was."""

    light: int
    dark: int
    is_dark_above: bool
    log_likelihood: float
    weight: float


PlaceHypotheses = tuple[tuple[PlaceHypothesis, ...], ...]  # the 24 points and the bar


@dataclass(frozen=True, slots=True)
class BoardHypothesis:
    """A board with its log-likelihood, the cost of its ending included."""

    view: BoardView
    log_likelihood: float


@dataclass(frozen=True, slots=True)
class MixedStack:
    """Checkers of both colours on a point; `cost` is what it takes to believe that, in nats, 0 or less."""

    pair: Pair
    is_dark_above: bool
    cost: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TemporalPrior:
    """What is known from before: the board then, and what staying as it was is worth, in nats.

    `freed`: what it costs, 0 or less, that a checker is gone from below others that are still there.
    `mixed`: for a point number 0..23 with what both colours may have there together; nothing else is tried.
    """

    view: BoardView
    unchanged_bonus: float
    freed_cost: float = 0.0
    mixed_stacks: Mapping[int, tuple[MixedStack, ...]] = field(default_factory=dict)


def list_place_hypotheses(known: Likelihoods, window: float, memory: TemporalPrior) -> PlaceHypotheses:
    """For each place what is at most `window` (in nats) less likely than the best there."""
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
    """Options chosen for the first places, the last one in front."""

    option: PlaceHypothesis
    before: "_PartialBoard | None"


def enumerate_hypotheses(
    options: PlaceHypotheses, ending: OffBoardPrior, *, within: float
) -> Iterator[BoardHypothesis]:
    """Boards from the likeliest on, to `within` nats below it; ask for no more than are needed."""
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
    """For each number of places laid out, (20, 20): the most that the others and the ending add to such sums."""
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
