"""Every way to play the numbers of a stage.

A *group* holds the states that are reached with the same numbers, each with one way to it. The groups of a stage come
with the most numbers first; of two groups with equally many, the one with the larger number comes first.
"""

from dataclasses import dataclass

from controller.rules.plays.field import Field
from controller.rules.plays.legal_steps import steps_from
from controller.rules.plays.target import Target
from controller.rules.steps import Step

Path = tuple[Step, ...]
Reached = dict[int, tuple[int, Path]]  # state -> occ, the steps that led there


@dataclass(frozen=True, slots=True)
class Group:
    """The states that are reached with the numbers `used`; `unused` are the other numbers, falling."""

    used: tuple[int, ...]
    unused: tuple[int, ...]
    reached: Reached


def explore(field: Field, numbers: tuple[int, ...], toward: Target | None = None) -> list[Group]:
    """All groups of a stage that are not empty, the most numbers first; the last group is the untouched start.

    With `toward`, states from which that board can no longer be reached are left out.
    """
    start: Reached = {field.start: (field.start_occ, ())}
    if numbers[0] == numbers[-1]:
        return _explore_equal_numbers(field, numbers, start, toward)
    high, low = numbers
    with_high = _advance(field, start, high, (low,), toward)
    with_low = _advance(field, start, low, (high,), toward)
    both = _advance(field, with_high, low, (), toward)
    for state, found in _advance(field, with_low, high, (), toward).items():
        if state not in both:
            both[state] = found
    groups = [
        Group(numbers, (), both),
        Group((high,), (low,), with_high),
        Group((low,), (high,), with_low),
        Group((), numbers, start),
    ]
    return [group for group in groups if group.reached]


def _explore_equal_numbers(
    field: Field, numbers: tuple[int, ...], start: Reached, toward: Target | None
) -> list[Group]:
    groups = [Group((), numbers, start)]
    for count in range(1, len(numbers) + 1):
        reached = _advance(field, groups[0].reached, numbers[0], (), toward)
        if not reached:
            break
        groups.insert(0, Group(numbers[:count], numbers[count:], reached))
    return groups


def _advance(field: Field, layer: Reached, number: int, others: tuple[int, ...], toward: Target | None) -> Reached:
    """The states after one step with `number` from the states of `layer`."""
    reached: Reached = {}
    for state, (occ, path) in layer.items():
        for step, after, occ_after in steps_from(field, state, occ, number, others):
            if after not in reached and (toward is None or toward.may_follow(after)):
                reached[after] = (occ_after, (*path, step))
    return reached
