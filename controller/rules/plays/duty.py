"""Where a play may end: the duty to use the numbers, and the rules about the final board.

The rules are applied in this order: final six-blocks, the duty to use as many numbers as possible (or as the ruleset
has it) with the larger die, and fevga's duty to open a block.
"""

from controller.rules.plays.fevga import find_block_to_open
from controller.rules.plays.field import Field, position_after
from controller.rules.plays.legal_steps import steps_from
from controller.rules.plays.make_field import make_field
from controller.rules.plays.search import Group, Reached
from controller.rules.plays.six_block import shows_forbidden_block, six_blocks
from controller.rules.ruleset import DiceUse, Prime, PrimeCheck
from controller.rules.rulings import Rule
from controller.rules.stages import Stage


def complete(field: Field, groups: list[Group]) -> list[Group]:
    """Reduces groups to the states in which a play may end."""
    # If every final board is refused, the mover counts as unable to move.
    return _apply_unblock_duty(field, _apply_duty(field, _without_final_blocks(field, groups))) or groups[-1:]


def _apply_duty(field: Field, groups: list[Group]) -> list[Group]:
    """Keeps the groups that fulfil the duty to use the numbers."""
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
    """The states of a group in which none of the unused numbers has a step."""
    return {
        state: found
        for state, found in group.reached.items()
        if not any(steps_from(field, state, found[0], number) for number in set(group.unused))
    }


def _without_final_blocks(field: Field, groups: list[Group]) -> list[Group]:
    """Removes final boards that the block rule forbids; the untouched start is never removed."""
    rules, waived = field.rules, field.limits.waived
    if rules.prime is Prime.NONE or Rule.PRIME in waived:
        return groups
    if rules.prime is Prime.OPPONENT_MUST_HAVE_MOVE:
        refuses = _leaves_no_move
    elif rules.prime_check is PrimeCheck.FINAL_ONLY or Rule.PRIME_IN_PASSING in waived:
        refuses = shows_forbidden_block
    else:
        return groups
    kept = []
    for group in groups[:-1]:
        reached = {state: found for state, found in group.reached.items() if not refuses(field, state, found[0])}
        if reached:
            kept.append(Group(group.used, group.unused, reached))
    return [*kept, groups[-1]]


_ANY_SINGLE_STEP = frozenset({Rule.HEAD, Rule.PRIME, Rule.PRIME_IN_PASSING})


def _leaves_no_move(field: Field, state: int, occupied: int) -> bool:
    """Whether the opponent would have no step with any single number, without the head rule and the block rule."""
    if not occupied:
        return False  # the mover has borne off everything, so the game is over
    after, opponent = position_after(field, state, occupied), field.mover.opponent
    for number in range(1, 7):
        theirs = make_field(after, opponent, Stage((number,)), field.rules, _ANY_SINGLE_STEP)
        if steps_from(theirs, theirs.start, theirs.start_occ, number):
            return False
    return True


def _apply_unblock_duty(field: Field, groups: list[Group]) -> list[Group]:
    """Fevga: a block in front of the opponent's whole army must be opened if any legal play opens it."""
    block, direction = find_block_to_open(field), field.rules.direction
    if not block:
        return groups
    kept = []
    for group in groups:
        opened = {state: found for state, found in group.reached.items() if not six_blocks(found[0], direction) & block}
        if opened:
            kept.append(Group(group.used, group.unused, opened))
    return kept or groups
