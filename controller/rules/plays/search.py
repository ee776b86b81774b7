"""Every way to play the numbers of a stage, and what the duty to use them leaves (rules.md 3.3).

A *group* holds the states after the same numbers were used, each with one way to get there. The groups of a stage come
with the most numbers first and, of equal counts, the one with the larger number first.
"""

from dataclasses import dataclass

from controller.rules.breach import Rule
from controller.rules.player import POINTS, Direction
from controller.rules.plays.field import Field, make_field, position_after
from controller.rules.plays.legal_steps import shows_block, steps_from
from controller.rules.plays.six_block import six_blocks
from controller.rules.plays.target import Target
from controller.rules.ruleset import DiceUse, Prime, PrimeCheck
from controller.rules.stages import Stage
from controller.rules.steps import BIT, Step

Path = tuple[Step, ...]
Reached = dict[int, tuple[int, Path]]  # state -> occ, the steps that led there


@dataclass(frozen=True, slots=True)
class Group:
    """States reached with the same numbers; `unused` are those that were left, falling."""

    used: tuple[int, ...]
    unused: tuple[int, ...]
    reached: Reached


def explore(field: Field, numbers: tuple[int, ...], toward: Target | None = None) -> list[Group]:
    """All groups of a stage that hold a state, the most numbers first; the last one is the untouched start.

    With `toward`, states that can no longer become that board are left out.
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
    """The states one step with `number` after those of `layer`."""
    reached: Reached = {}
    for state, (occ, path) in layer.items():
        for step, after, occ_after in steps_from(field, state, occ, number, others):
            if after not in reached and (toward is None or toward.may_follow(after)):
                reached[after] = (occ_after, (*path, step))
    return reached


def complete(field: Field, groups: list[Group]) -> list[Group]:
    """The groups and states in which a play may end."""
    # where every place to stop is refused, the mover stands as if he could not move
    return _apply_unblock_duty(field, _apply_duty(field, _without_final_blocks(field, groups))) or groups[-1:]


def _apply_duty(field: Field, groups: list[Group]) -> list[Group]:
    """What the duty to use the numbers leaves (3.3)."""
    waived = field.limits.waived
    match field.rules.dice_use:
        case DiceUse.MAX:
            most = _keep_most_numbers(field, groups)
            fewer = [group for group in groups if len(group.used) < len(most[0].used)]
            return most + fewer if Rule.MUST_PLAY_MORE in waived else most
        case DiceUse.GREEDY if Rule.MUST_PLAY_MORE not in waived:
            kept = [Group(group.used, group.unused, _find_stopped_states(field, group)) for group in groups]
            return [group for group in kept if group.reached]
        case DiceUse.NONEMPTY if Rule.MUST_PLAY_ONE not in waived:
            return groups[:-1] or groups
    return groups


def _keep_most_numbers(field: Field, groups: list[Group]) -> list[Group]:
    best = groups[0]
    larger_decides = field.rules.larger_die and Rule.LARGER_DIE not in field.limits.waived
    if len(best.used) != 1 or larger_decides:
        return [best]
    return [group for group in groups if len(group.used) == 1]


def _find_stopped_states(field: Field, group: Group) -> Reached:
    """The states of a group from which none of the unused numbers has a step."""
    return {
        state: found
        for state, found in group.reached.items()
        if not any(steps_from(field, state, found[0], number) for number in set(group.unused))
    }


def _without_final_blocks(field: Field, groups: list[Group]) -> list[Group]:
    """Leaves out final positions that the block rule forbids; standing still is never refused."""
    rules, waived = field.rules, field.limits.waived
    if rules.prime is Prime.NONE or Rule.PRIME in waived:
        return groups
    if rules.prime is Prime.OPPONENT_MUST_HAVE_MOVE:
        refuses = _leaves_no_move
    elif rules.prime_check is PrimeCheck.FINAL_ONLY or Rule.PRIME_IN_PASSING in waived:
        refuses = shows_block
    else:
        return groups
    kept = []
    for group in groups[:-1]:
        reached = {state: found for state, found in group.reached.items() if not refuses(field, state, found[0])}
        if reached:
            kept.append(Group(group.used, group.unused, reached))
    return [*kept, groups[-1]]


_ANY_SINGLE_STEP = frozenset({Rule.HEAD, Rule.PRIME, Rule.PRIME_IN_PASSING})


def _leaves_no_move(field: Field, state: int, occ: int) -> bool:
    """Whether the opponent would have no step with any single number, the head rule ignored (4.7, S000-D)."""
    if not occ:
        return False  # the mover has borne off everything; nobody moves any more
    after, opponent = position_after(field, state, occ), field.mover.opponent
    for number in range(1, 7):
        theirs = make_field(after, opponent, Stage((number,)), field.rules, _ANY_SINGLE_STEP)
        if steps_from(theirs, theirs.start, theirs.start_occ, number):
            return False
    return True


def _apply_unblock_duty(field: Field, groups: list[Group]) -> list[Group]:
    """Fevga: a block that stands in front of the opponent's whole army is opened if any legal play does so (9.1 c)."""
    direction = field.rules.direction
    block = _find_block_before_army(field) & six_blocks(field.start_occ, direction)
    if not block:
        return groups
    kept = []
    for group in groups:
        opened = {state: found for state, found in group.reached.items() if not six_blocks(found[0], direction) & block}
        if opened:
            kept.append(Group(group.used, group.unused, opened))
    return kept or groups


def _find_block_before_army(field: Field) -> int:
    """The six-block directly in front of the one point that holds the opponent's whole army; 0 when there is none."""
    rules, opposing = field.rules, field.opposing
    if not rules.unblock_last_stack or Rule.UNBLOCK in field.limits.waived:
        return 0
    point = next((point for point in POINTS if opposing[point] == rules.checkers), 0)
    if point <= 6:
        return 0
    lowest = point - 6
    return BIT[lowest if rules.direction is Direction.PARALLEL else 20 - lowest]
