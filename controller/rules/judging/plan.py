"""Plans whether and how given numbers, in a given order of stages, can lead from one board to another.

A turn has a profile: for each place on the path, the number of checkers that crossed it. A step with number *n* covers
*n* neighbouring places once, so the numbers of a turn must cover its profile exactly: an exact-cover problem. This file
lays steps from the low end of the path up. A step must end at the lowest place that is not fully covered; this leaves
few choices, and a wrong choice fails soon.

A plan observes the open points, the order of the stages (a checker that arrives on a point can leave it in the same or a
later stage) and the supply of each number. It ignores the rules that depend on the whole board in between (head,
six-block, bearing off with larger numbers). So a plan may still be illegal, but without a plan there is no path.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby

from controller.rules.judging.query import Effort
from controller.rules.player import BAR, HOME, OFF, RESERVE
from controller.rules.plays.target import cumulate_counts
from controller.rules.position import mask_occupied, unpack_counts
from controller.rules.steps import BIT

_POINTS = BIT[BAR] - 2
_FIRST_BUDGET = 200  # knob: places that the first attempt visits before it is restarted; each attempt doubles it


@dataclass(frozen=True, slots=True)
class Supply:
    """Equal numbers of one stage: how many there are, and whether every one must be used."""

    stage: int
    number: int
    count: int
    must_be_used: bool


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """One step of a plan."""

    stage: int
    number: int
    source: int
    target: int


_Departures = tuple[tuple[int, int], ...]  # (source, stage) of laid steps whose source lies above the place, sorted


@dataclass(slots=True)
class _AttemptBudget:
    """How many more places one attempt may visit, and in which manner it orders its choices."""

    left: int
    manner: int


class _AttemptSpentError(Exception):
    """An attempt visited too many places; the dead ends that it found stay known."""


@dataclass(frozen=True, slots=True)
class _Task:
    supplies: tuple[Supply, ...]
    crossed: tuple[int, ...]  # crossed[k]: checkers that crossed the place between coordinates k and k + 1
    start: tuple[int, ...]
    sources: tuple[int, ...]  # by supply: coordinates, as bits, from which its steps can begin
    max_steps: tuple[tuple[int, ...], ...]  # [supply][place]: how many of its steps fit at most from the place up
    waste: int | None  # the pips that all bear-offs waste together, if every number must be used
    all_home_first: bool
    highest_at_end: int
    budget: "_AttemptBudget"
    effort: Effort
    dead_ends: set[tuple[int, _Departures, tuple[int, ...], int]] = field(default_factory=set)


def plan(
    start: int,
    end: int,
    supplies: tuple[Supply, ...],
    landing: tuple[int, ...],
    *,
    all_home_first: bool,
    effort: Effort,
) -> tuple[PlannedStep, ...] | None:
    """Steps that cover the profile between `start` and `end` (packed sides), or None if there are none.

    `supplies` come in the order of their stages; `landing` holds for each number the coordinates, as bits, from which a
    step ends on an open point. `all_home_first`: nothing is borne off before the last checker is home. Raises
    EffortSpentError.
    """
    crossed = unpack_counts(cumulate_counts(end) - cumulate_counts(start))
    sources = _find_useful_sources(mask_occupied(start), mask_occupied(end), supplies, landing)
    room = tuple(
        _compute_max_steps(crossed, mask, supply.number) for mask, supply in zip(sources, supplies, strict=True)
    )
    spare = sum(supply.number * supply.count for supply in supplies) - sum(crossed)
    waste = spare if all(supply.must_be_used for supply in supplies) else None
    highest = mask_occupied(end).bit_length() - 1
    budget = _AttemptBudget(_FIRST_BUDGET, 0)
    task = _Task(supplies, crossed, unpack_counts(start), sources, room, waste, all_home_first, highest, budget, effort)
    last_stage = max(supply.stage for supply in supplies)
    counts = tuple(supply.count for supply in supplies)
    attempt = 0
    while True:
        # Restarts: an unlucky first choice can cost thousands of times what a lucky one costs. So the first attempts are
        # short and differ in manner; each attempt is twice as long as the one before, so the search ends.
        budget.left, budget.manner = _FIRST_BUDGET << attempt, attempt
        try:
            return _cover_from(task, OFF, (), counts, last_stage)
        except _AttemptSpentError:
            attempt += 1


def _find_useful_sources(
    start: int, end: int, supplies: tuple[Supply, ...], landing: tuple[int, ...]
) -> tuple[int, ...]:
    """For each supply, the coordinates that a checker can reach in time and from which it can still reach the end."""
    stages = [tuple(group) for _, group in groupby(supplies, key=lambda supply: supply.stage)]
    there, reachable = start, []
    for stage in stages:
        for _ in range(sum(supply.count for supply in stage)):
            for supply in stage:  # the two numbers of a stage may be played in either order
                there |= _step_from(there & landing[supply.number], supply.number)
        reachable.append(there)
    good, useful = end | BIT[OFF], list[int]()
    for stage, there in zip(reversed(stages), reversed(reachable), strict=True):
        sources = (0,) * len(stage)
        for _ in range(sum(supply.count for supply in stage)):
            sources = tuple([_step_back_to(good, supply.number, landing) & there for supply in stage])
            for mask in sources:
                good |= mask
        useful = [*sources, *useful]
    return tuple(useful)


def _step_from(sources: int, number: int) -> int:
    """The coordinates where steps with `number` from `sources` end; the reserve enters like the bar."""
    return (sources | sources >> 1 & BIT[BAR]) >> number & _POINTS


def _step_back_to(targets: int, number: int, landing: tuple[int, ...]) -> int:
    """The coordinates from which steps with `number` end on `targets` or bear off."""
    sources = (targets & _POINTS) << number & (BIT[BAR + 1] - 1)
    entering = BIT[RESERVE] if sources & BIT[BAR] else 0
    return (sources & _POINTS | entering) & landing[number] | BIT[number + 1] - 2


def _compute_max_steps(crossed: tuple[int, ...], sources: int, number: int) -> tuple[int, ...]:
    """For each place, the most steps of `number` that fit from there up; packing from the top is optimal."""
    free = list(crossed)
    counts = [0] * (BAR + 2)
    fitted = 0
    for place in range(BAR, OFF, -1):
        source = place + number if place + number != BAR else RESERVE
        if source <= RESERVE and sources & BIT[source]:
            fits = min(free[place:source])
            for covered in range(place, source):
                free[covered] -= fits
            fitted += fits
        counts[place] = fitted
    counts[OFF] = fitted + free[OFF]
    return tuple(counts)


def _cover_from(
    task: _Task, place: int, leaving: _Departures, left: tuple[int, ...], latest: int
) -> tuple[PlannedStep, ...] | None:
    """Covers everything from `place` up; `leaving` are the laid steps that begin above, `left` the unused numbers.

    `latest` is the last stage in which a checker may still come from outside the home.
    """
    if place > BAR:
        return ()
    key = (place, leaving, left, latest)
    if key in task.dead_ends or not _can_fit(task, place, left):
        return None
    if not task.budget.left:
        raise _AttemptSpentError
    task.budget.left -= 1
    task.effort.spend()
    above = tuple(one for one in leaving if one[0] > place)
    departures = [stage for source, stage in leaving if source == place]
    order = _order_supplies(task, place, left, _list_timely_supplies(task, place, latest))
    for laid in _enumerate_landings(task, place, above, left, tuple(order)):
        if not _can_leave(task, place, departures, laid) or (place == OFF and not _is_waste_correct(task, laid)):
            continue
        now_leaving = tuple(sorted((*above, *((source, task.supplies[index].stage) for index, source in laid))))
        home_by = min((task.supplies[index].stage for index, _ in laid), default=latest)
        next_latest = home_by if place == OFF and task.all_home_first else latest
        rest = _cover_from(task, place + 1, now_leaving, _remove_used(left, laid), next_latest)
        if rest is not None:
            return (*(_make_planned_step(task, index, source, place) for index, source in laid), *rest)
    task.dead_ends.add(key)
    return None


def _order_supplies(task: _Task, place: int, left: tuple[int, ...], supplies: list[int]) -> list[int]:
    """The supplies in rising order of preference: the supply with the least room above is last and tried first."""
    manner = task.budget.manner
    tightness = {index: left[index] - task.max_steps[index][place + 1] for index in supplies}
    if not manner:
        return sorted(supplies, key=lambda index: (tightness[index], index))
    # Any fixed permutation will do if it differs between attempts and between places.
    return sorted(supplies, key=lambda index: (tightness[index] >= 0, (index + 1) * (2 * manner + place + 3) % 7))


def _list_timely_supplies(task: _Task, place: int, latest: int) -> list[int]:
    """The supplies whose steps may end on `place`: from outside the home only up to stage `latest`."""
    return [
        index
        for index, supply in enumerate(task.supplies)
        if supply.stage <= latest or place + supply.number <= HOME[-1]
    ]


def _can_fit(task: _Task, place: int, left: tuple[int, ...]) -> bool:
    """Whether every number that must be used can still be laid somewhere from `place` up."""
    return not any(
        count > room[place] and supply.must_be_used
        for count, room, supply in zip(left, task.max_steps, task.supplies, strict=True)
    )


_Choice = tuple[tuple[int, int], ...]  # (supply, source) of steps that end on one place


def _enumerate_landings(
    task: _Task, place: int, above: _Departures, left: tuple[int, ...], order: tuple[int, ...]
) -> Iterator[_Choice]:
    """Every choice of steps that end on `place` and cover it fully, those with the least room above first."""
    if len(above) == task.crossed[place]:
        yield ()
        return
    for rank in range(len(order) - 1, -1, -1):
        index = order[rank]
        if not left[index]:
            continue
        for source in _list_sources(task, index, place):
            if not _has_room(task, place, source, above):
                continue
            fewer = (*left[:index], left[index] - 1, *left[index + 1 :])
            more = (*above, (source, index))
            for others in _enumerate_landings(task, place, more, fewer, order[: rank + 1]):
                yield ((index, source), *others)


def _list_sources(task: _Task, index: int, target: int) -> tuple[int, ...]:
    number = task.supplies[index].number
    if target == OFF:
        # A larger number bears off only from the highest point, so a checker that ends above forbids it.
        lowest = max(task.highest_at_end, OFF + 1) if task.all_home_first else OFF + 1
        exact_or_highest = (number, *range(lowest, number))
        return tuple(source for source in exact_or_highest if task.sources[index] & BIT[source])
    source = target + number
    if source == BAR:
        source = RESERVE
    return (source,) if source <= RESERVE and task.sources[index] & BIT[source] else ()


def _has_room(task: _Task, place: int, source: int, above: _Departures) -> bool:
    """Whether one more step from `source` covers no place more often than checkers crossed it."""
    wanted = task.crossed[place:source]
    if len(above) < min(wanted):
        return True  # the usual case, decided without counting
    return all(sum(1 for other, _ in above if other > place + index) < most for index, most in enumerate(wanted))


def _can_leave(task: _Task, place: int, departures: list[int], laid: _Choice) -> bool:
    """Whether a checker is on `place` for each departure by the time of its stage."""
    arrivals = [task.supplies[index].stage for index, _ in laid]
    standing = task.start[place]
    return all(
        sum(1 for one in departures if one <= stage) <= standing + sum(1 for one in arrivals if one <= stage)
        for stage in set(departures)
    )


def _is_waste_correct(task: _Task, laid: _Choice) -> bool:
    """Whether the bear-offs waste exactly the surplus pips of the numbers."""
    return task.waste is None or task.waste == sum(task.supplies[index].number - source for index, source in laid)


def _remove_used(left: tuple[int, ...], laid: _Choice) -> tuple[int, ...]:
    counts = list(left)
    for index, _ in laid:
        counts[index] -= 1
    return tuple(counts)


def _make_planned_step(task: _Task, index: int, source: int, target: int) -> PlannedStep:
    supply = task.supplies[index]
    return PlannedStep(supply.stage, supply.number, source, target)
