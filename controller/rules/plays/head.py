"""How many checkers may leave the head, the first point of the path, in one throw, and the exception on the first roll."""

from controller.rules.player import OFF, Player
from controller.rules.position import Position
from controller.rules.ruleset import HeadException, Ruleset
from controller.rules.rulings import NO_RULES, Rule
from controller.rules.stages import Stage
from controller.rules.steps import HEAD_SHIFT, Successor

HEAD = 24
_LISTED_DOUBLES = frozenset({6, 4, 3})
_ALLOWANCE_WITH_EXCEPTION = 2


def head_count(side: int) -> int:
    """The number of checkers on the head of a packed side."""
    return side >> 4 * HEAD & 15


def head_limit_of(
    before: Position, mover: Player, stage: Stage, rules: Ruleset, waived: frozenset[Rule] = NO_RULES
) -> int | None:
    """How many checkers may leave the head in the throw, as seen in this stage; None for no limit."""
    if rules.head_limit is None or Rule.HEAD in waived:
        return None
    if stage.first_roll and _has_exception(before, mover, stage, rules, waived):
        return max(rules.head_limit, _ALLOWANCE_WITH_EXCEPTION)
    return rules.head_limit


def _has_exception(before: Position, mover: Player, stage: Stage, rules: Ruleset, waived: frozenset[Rule]) -> bool:
    number = stage.numbers[0]
    if len(stage.numbers) == 1 or number != stage.numbers[-1]:
        return False
    is_listed = number in _LISTED_DOUBLES
    if Rule.HEAD_EXCEPTION in waived:
        return True
    match rules.head_exception:
        case HeadException.NONE:
            return False
        case HeadException.LIST_ONLY:
            return is_listed
        case HeadException.HEAD_BLOCKED:
            return is_listed and _find_first_obstacle(before, mover, stage, rules) == rules.direction.across(HEAD)
        case HeadException.CANNOT_COMPLETE:  # pragma: no branch - mypy sees that no other case is left
            runs_off = HEAD - len(stage.numbers) * number <= OFF  # nothing is borne off while the army is behind
            return runs_off or _find_first_obstacle(before, mover, stage, rules) is not None


def _find_first_obstacle(before: Position, mover: Player, stage: Stage, rules: Ruleset) -> int | None:
    """The first own point that stops a single head checker when it is moved alone by this double."""
    opposing = before.counts(mover.opponent)
    number = stage.numbers[0]
    for steps in range(1, len(stage.numbers) + 1):
        point = HEAD - steps * number
        if point > OFF and opposing[rules.direction.across(point)]:
            return point
    return None


def apply_head_limit(limit: int, state: int, found: list[Successor]) -> list[Successor]:
    """Counts the checkers that leave the head, and removes the steps beyond the limit."""
    may_leave = state >> HEAD_SHIFT & 15 < limit
    return [
        (step, after + (1 << HEAD_SHIFT), occ) if step.source == HEAD else (step, after, occ)
        for step, after, occ in found
        if step.source != HEAD or may_leave
    ]
