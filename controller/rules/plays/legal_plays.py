"""The legal plays of a stage: results, first steps, and the steps that may follow in the middle of a stage."""

from collections.abc import Iterator
from dataclasses import dataclass

from controller.rules.player import BAR, POINTS, Player
from controller.rules.plays.duty import complete
from controller.rules.plays.field import Field, position_after
from controller.rules.plays.legal_steps import steps_from
from controller.rules.plays.make_field import make_field
from controller.rules.plays.search import Group, explore
from controller.rules.position import Position, pack_counts
from controller.rules.ruleset import Ruleset
from controller.rules.rulings import NO_RULES, Rule
from controller.rules.setup import Setup
from controller.rules.stages import Stage
from controller.rules.steps import HIT_MASK, HIT_SHIFT, RESULT_MASK, SIDE_MASK, Step


@dataclass(frozen=True, slots=True)
class Play:
    """One legal result of a stage, with one sequence of steps to it; a pass has no steps.

    `unused`: the numbers that these steps leave, falling.
    """

    steps: tuple[Step, ...]
    after: Position
    unused: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Continuations:
    """What may follow on a board in the middle of a stage.

    `steps`: every step that some legal play makes next; with a checker in the hand (`in_hand`), the steps of that checker.
    `is_complete`: the stage may end here. No steps and not complete means that no legal play passes through this board.
    """

    steps: tuple[Step, ...]
    is_complete: bool
    in_hand: bool


def legal_plays(before: Position, mover: Player, stage: Stage, rules: Ruleset) -> tuple[Play, ...]:
    """One play for each distinct result, in a fixed order; a pass with the unchanged position if the mover cannot move.

    Of several sequences of steps to a result, the play has one that uses the most numbers.
    """
    field = make_field(before, mover, stage, rules)
    plays: list[Play] = []
    seen: set[int] = set()
    for group in complete(field, explore(field, stage.numbers)):
        for state, (occ, path) in group.reached.items():
            result = state & RESULT_MASK
            if result not in seen:
                seen.add(result)
                plays.append(Play(path, position_after(field, state, occ), group.unused))
    return tuple(plays)


def list_results(
    before: Position, mover: Player, stage: Stage, rules: Ruleset, waived: frozenset[Rule] = NO_RULES
) -> Iterator[Position]:
    """Every final position of the stage without the `waived` rules; a position may occur several times."""
    field = make_field(before, mover, stage, rules, waived)
    for group in complete(field, explore(field, stage.numbers)):
        for state, (occ, _) in group.reached.items():
            yield position_after(field, state, occ)


def list_endings(
    before: Position, mover: Player, stage: Stage, rules: Ruleset
) -> tuple[tuple[Position, tuple[int, ...]], ...]:
    """Every legal result, with each set of numbers (falling) that a play to it can leave unused."""
    field = make_field(before, mover, stage, rules)
    endings = {
        (position_after(field, state, occ), group.unused): None
        for group in complete(field, explore(field, stage.numbers))
        for state, (occ, _) in group.reached.items()
    }
    return tuple(endings)


def first_steps(before: Position, mover: Player, stage: Stage, rules: Ruleset) -> tuple[Step, ...]:
    """The steps with which a legal play can begin, the highest source first."""
    field = make_field(before, mover, stage, rules)
    alive = _find_live_states(field, explore(field, stage.numbers))
    steps = dict.fromkeys(step for step, _ in alive[()][field.start].onward)
    return tuple(sorted(steps, key=_make_sort_key))


def continuations(before: Position, mover: Player, stage: Stage, board_now: Setup, rules: Ruleset) -> Continuations:
    """What may follow in a stage that began with `before`, given the present board.

    One of the mover's checkers may be in his hand. A blot that was hit may be anywhere between its point and the bar, and
    a blot that is about to be hit may be off its point already.
    """
    field = make_field(before, mover, stage, rules)
    now = pack_counts(board_now.side(mover).counts)
    in_hand = board_now.side(mover).total == rules.checkers - 1
    steps: dict[Step, None] = {}
    is_complete = False
    for state, node in _iterate_nodes(_find_live_states(field, explore(field, stage.numbers))):
        lifted = _find_lifted_blots(field, state, board_now)
        if lifted is None:
            continue
        side = state & SIDE_MASK
        onward = [step for step, _ in node.onward if not lifted or (step.hits and lifted >> step.target & 1)]
        if side == now:
            steps |= dict.fromkeys(onward)
            is_complete |= node.may_end and not lifted
        elif in_hand:
            steps |= dict.fromkeys(step for step in onward if side - (1 << 4 * step.source) == now)
    return Continuations(tuple(sorted(steps, key=_make_sort_key)), is_complete, in_hand)


@dataclass(frozen=True, slots=True)
class _Node:
    """A state on some legal play: whether the play may end here, and the steps with which it continues."""

    may_end: bool
    onward: tuple[tuple[Step, int], ...]


_LiveStates = dict[tuple[int, ...], dict[int, _Node]]  # by the numbers used, then by state


def _find_live_states(field: Field, groups: list[Group]) -> _LiveStates:
    """Every state on some legal play, computed from the final states back to the start."""
    ends = {group.used: group.reached for group in complete(field, groups)}
    alive: _LiveStates = {}
    for group in groups:
        nodes: dict[int, _Node] = {}
        for state, (occ, _) in group.reached.items():
            may_end = state in ends.get(group.used, ())
            onward = tuple(_list_onward_steps(field, group, state, occ, alive))
            if may_end or onward:
                nodes[state] = _Node(may_end, onward)
        alive[group.used] = nodes
    return alive


def _list_onward_steps(
    field: Field, group: Group, state: int, occ: int, alive: _LiveStates
) -> Iterator[tuple[Step, int]]:
    for number in sorted(set(group.unused), reverse=True):
        others = list(group.unused)
        others.remove(number)
        later = alive.get(tuple(sorted((*group.used, number), reverse=True)), {})
        for step, after, _ in steps_from(field, state, occ, number, others):
            if after in later:
                yield step, after


def _iterate_nodes(alive: _LiveStates) -> Iterator[tuple[int, _Node]]:
    for nodes in alive.values():
        yield from nodes.items()


def _find_lifted_blots(field: Field, state: int, board_now: Setup) -> int | None:
    """The mover's points, as bits, whose blots have been lifted off the board before the hit.

    None if the opponent's checkers do not fit the hits in `state`.
    """
    present, before = board_now.side(field.mover.opponent), field.opposing
    hits, lifted = state >> HIT_SHIFT & HIT_MASK, 0
    for point in POINTS:
        own = field.limits.across[point]
        missing = before[point] - present.points[point - 1]
        if missing == 1 and not hits >> own & 1 and field.blots >> own & 1:
            lifted |= 1 << own
        elif missing and not (missing == 1 and hits >> own & 1):
            return None
    on_their_way = hits.bit_count() + lifted.bit_count()
    is_possible = present.off == before[0] and before[BAR] <= present.bar <= before[BAR] + on_their_way
    return lifted if is_possible else None


def _make_sort_key(step: Step) -> tuple[int, int, int]:
    return -step.source, -step.target, -step.number
