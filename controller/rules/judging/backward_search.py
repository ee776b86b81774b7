"""Searches a legal path backward, from the board after the turn to the board before it (block games).

Without hits the opponent's side stays constant and a board is the mover's side alone, so a step can be undone and tested
for legality. The search begins with the high ranks of a cascade. Before a stage is entered from its end, a plan
(plan.py) decides whether the earlier numbers can lead there at all. No plan means a dead end; the steps of a plan are
tried first, so that the first branch is nearly always the right one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from controller.rules.judging.forward_search import demands_all_numbers, find_stage_path
from controller.rules.judging.plan import PlannedStep, Supply, plan
from controller.rules.judging.query import Line, PathQuery, TurnPath
from controller.rules.player import BAR, OFF, RESERVE, Player
from controller.rules.plays.field import Field
from controller.rules.plays.head import head_count
from controller.rules.plays.legal_steps import steps_from
from controller.rules.plays.make_field import make_field
from controller.rules.plays.target import Target, cumulate_counts
from controller.rules.position import Position, mask_occupied, unpack_counts
from controller.rules.rulings import Rule
from controller.rules.steps import HEAD_SHIFT, OUTSIDE_HOME, SIDE_MASK, Step

_LONGEST_WASTE = 5  # pips that one bear-off can waste: a six from point 1
_MOST_PLANNED_OFF = 3  # knob: bear-offs up to which a plan is made; beyond it plans cost more than they save

Steps = tuple[Step, ...]
Plan = tuple[PlannedStep, ...]


@dataclass(frozen=True, slots=True)
class _SearchNode:
    """A state of the backward search: at `side`, the numbers `left` of stage `number` are still to be undone.

    `head_at_start`: the known or guessed number of head checkers when the throw of that stage began.
    """

    number: int
    left: tuple[int, ...]
    side: int
    head_at_start: int


@dataclass(frozen=True, slots=True)
class _BackwardSearch:
    """A query, and what is computed once for it."""

    query: PathQuery
    start: int
    start_cumulative: int
    start_pips: int
    fields: tuple[Field, ...]  # by stage of the line
    dead_ends: set[_SearchNode] = field(default_factory=set)

    @property
    def line(self) -> Line:
        return self.query.line

    def position(self, side: int) -> Position:
        other = self.query.before.side(self.query.mover.opponent)
        return Position(side, other) if self.query.mover is Player.WHITE else Position(other, side)

    def count_head_left(self, node: _SearchNode, side: int) -> int:
        """The checkers that had left the head in this throw when it reached `side`; 0 in games without a head rule."""
        return max(node.head_at_start - head_count(side), 0) if self.query.rules.head_limit is not None else 0

    def state(self, node: _SearchNode, side: int) -> int:
        """The state (steps.py) of `side` in the stage of `node`."""
        if self.fields[node.number].head_limit is None:
            return side
        return side | self.line[node.number].head_taken + self.count_head_left(node, side) << HEAD_SHIFT


def search_backward(query: PathQuery) -> TurnPath | None:
    """Finds a legal path through the line of a block game, from its end."""
    if bears_off_early(query) and Rule.BEAROFF_EARLY not in query.waived:
        return None
    side = query.before.side(query.mover)
    fields = tuple(
        make_field(query.before, query.mover, turn_stage.make_stage(0), query.rules, query.waived)
        for turn_stage in query.line
    )
    search = _BackwardSearch(query, side, cumulate_counts(side), _count_pips(side), fields)
    return _search_throw_end(search, len(query.line) - 1, query.goal.side(query.mover), may_be_cut_short=True)


def bears_off_early(query: PathQuery) -> bool:
    """Whether a checker was borne off although some checker is not home even after the turn."""
    side, goal = query.before.side(query.mover), query.goal.side(query.mover)
    return goal & 15 > side & 15 and mask_occupied(goal) >= OUTSIDE_HOME


def _search_throw_end(search: _BackwardSearch, last: int, side: int, *, may_be_cut_short: bool) -> TurnPath | None:
    """The path to the end of the throw whose last stage is `last`: played out, or stopped in one of its stages."""
    for head_at_start in _guess_head_counts(search, last, side):
        played_out = _SearchNode(last, search.line[last].numbers, side, head_at_start)
        steps = _search_stage(search, played_out)
        if steps is not None:
            return TurnPath(steps, last, ())
        for number in range(last, last - len(search.line[last].throw.stages), -1) if may_be_cut_short else ():
            for used, unused in _list_partial_uses(search.line[number].numbers):
                steps = _search_stopped_stage(search, _SearchNode(number, used, side, head_at_start), unused)
                if steps is not None:
                    return TurnPath(steps, number, unused)
    return None


def _guess_head_counts(search: _BackwardSearch, number: int, side: int) -> list[int]:
    """The possible numbers of head checkers when the throw of stage `number` began."""
    at_turn_start = head_count(search.start)
    if search.line[number].throw_index == 0 or search.query.rules.head_limit is None:
        return [at_turn_start]
    return list(range(at_turn_start, head_count(side) - 1, -1))


def _list_partial_uses(numbers: tuple[int, ...]) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The ways to use some but not all numbers of a stage, the most numbers first: (used, unused)."""
    if numbers[0] == numbers[-1]:
        return [(numbers[:count], numbers[count:]) for count in range(len(numbers) - 1, -1, -1)]
    high, low = numbers
    return [((high,), (low,)), ((low,), (high,)), ((), numbers)]


def _search_stopped_stage(search: _BackwardSearch, node: _SearchNode, unused: tuple[int, ...]) -> Steps | None:
    """The steps up to `node`, where its stage had to stop with `unused` numbers left."""
    if not _pips_fit(search, node) or _can_continue(search, node, unused):
        return None
    planned = _make_plan(search, node)
    if planned is None:
        return None
    in_stage = [one for one in planned if one.stage == node.number]
    first = node.side + sum((1 << 4 * one.source) - (1 << 4 * one.target) for one in in_stage)
    for earlier in sorted(_undo_stage(search, node, unused), key=lambda side: (side != first, side)):
        stage = search.line[node.number].make_stage(search.count_head_left(node, earlier))
        path = find_stage_path(search.query, search.position(earlier), stage, Target.of(node.side))
        if path is None or path.unused != unused:
            continue
        steps = _search_before_stage(search, replace(node, left=(), side=earlier))
        if steps is not None:
            return steps + path.steps
    return None


def _can_continue(search: _BackwardSearch, node: _SearchNode, unused: tuple[int, ...]) -> bool:
    """Whether one more number can be played, so that the duty to use the numbers forbids to stop here."""
    if not demands_all_numbers(search.query):
        return False
    state, occ = search.state(node, node.side), mask_occupied(node.side)
    return any(steps_from(search.fields[node.number], state, occ, one) for one in set(unused))


def _undo_stage(search: _BackwardSearch, node: _SearchNode, unused: tuple[int, ...]) -> set[int]:
    """The sides in which the stage of `node` may have begun if it used `left` and stopped at `side`."""
    sides, used = {node.side}, node.left
    for taken_back, number in enumerate(reversed(used)):
        others = used[len(used) - taken_back :] + unused
        sides = {
            earlier for side in sides for _, earlier in _undo_one_step(search, replace(node, side=side), number, others)
        }
    return sides


def _search_stage(search: _BackwardSearch, node: _SearchNode, planned: Plan | None = None) -> Steps | None:
    """The steps of the line up to `node`; `planned` is a plan for them while only its own steps have been undone."""
    if not node.left:
        return _search_before_stage(search, node, planned)
    if node in search.dead_ends:
        return None
    if planned is None and _pips_fit(search, node):
        planned = _make_plan(search, node)
    if planned is not None:
        for step, earlier, rest_of_plan in _order_steps_by_plan(search, node, planned):
            before = replace(node, left=_remove_numbers(node.left, (step.number,)), side=earlier)
            steps = _search_stage(search, before, rest_of_plan)
            if steps is not None:
                return (*steps, step)
    search.dead_ends.add(node)
    return None


def _search_before_stage(search: _BackwardSearch, node: _SearchNode, planned: Plan | None = None) -> Steps | None:
    """The steps of the line before the stage that begins at `node`; `planned` may hold a plan for them."""
    if node.number == 0:
        return () if node.side == search.start else None
    turn_stage, previous = search.line[node.number], search.line[node.number - 1]
    if turn_stage.index:
        return _search_stage(search, replace(node, number=node.number - 1, left=previous.numbers), planned or None)
    if search.query.rules.head_limit is not None and head_count(node.side) != node.head_at_start:
        return None
    path = _search_throw_end(search, node.number - 1, node.side, may_be_cut_short=previous.may_be_cut_short)
    return None if path is None else path.steps


def _pips_fit(search: _BackwardSearch, node: _SearchNode) -> bool:
    """Whether `left` and all earlier numbers can add up to the pips between the start and `side`."""
    before = search.line[: node.number]
    throw_index = search.line[node.number].throw_index
    in_throw = sum(node.left) + sum(
        sum(turn_stage.numbers) for turn_stage in before if turn_stage.throw_index == throw_index
    )
    earlier = sum(sum(turn_stage.numbers) for turn_stage in before if turn_stage.throw_index < throw_index)
    wasted = _LONGEST_WASTE * ((node.side & 15) - (search.start & 15))
    moved = search.start_pips - _count_pips(node.side)
    return in_throw - wasted <= moved <= in_throw + earlier


def _make_plan(search: _BackwardSearch, node: _SearchNode) -> Plan | None:
    """A plan for `left` and all earlier stages; None if there is no path, empty if no plan is made.

    The earlier stages are played out unless their throw may be cut short.
    """
    throw_index = search.line[node.number].throw_index
    supplies = []
    for index, turn_stage in enumerate(search.line[: node.number + 1]):
        numbers = node.left if index == node.number else turn_stage.numbers
        must_be_used = turn_stage.throw_index == throw_index or not turn_stage.may_be_cut_short
        for one in sorted(set(numbers)):
            supplies.append(Supply(index, one, numbers.count(one), must_be_used))
    if not supplies:
        return () if node.side == search.start else None
    if (node.side & 15) - (search.start & 15) > _MOST_PLANNED_OFF:
        return ()  # a plan has too many ways to bear off; the boards at home are few enough without one
    orderly = Rule.BEAROFF_EARLY not in search.query.waived
    return plan(
        search.start,
        node.side,
        tuple(supplies),
        search.fields[node.number].landing,
        all_home_first=orderly,
        effort=search.query.effort,
    )


def _order_steps_by_plan(
    search: _BackwardSearch, node: _SearchNode, planned: Plan
) -> list[tuple[Step, int, Plan | None]]:
    """The steps that can be undone, planned steps first, each with the rest of the plan if it belongs to the plan."""
    of_plan: list[tuple[Step, int, Plan | None]] = []
    besides: list[tuple[Step, int, Plan | None]] = []
    others = _remove_numbers(search.line[node.number].numbers, node.left)
    for chosen in sorted(set(node.left), reverse=True):
        for step, earlier in _undo_one_step(search, node, chosen, others):
            laid = PlannedStep(node.number, chosen, step.source, step.target)
            if laid in planned:
                index = planned.index(laid)
                of_plan.append((step, earlier, (*planned[:index], *planned[index + 1 :])))
            else:
                besides.append((step, earlier, None))
    return of_plan + besides


def _remove_numbers(numbers: tuple[int, ...], taken: tuple[int, ...]) -> tuple[int, ...]:
    rest = list(numbers)
    for number in taken:
        rest.remove(number)
    return tuple(rest)


def _undo_one_step(
    search: _BackwardSearch, node: _SearchNode, chosen: int, others: tuple[int, ...]
) -> list[tuple[Step, int]]:
    """The legal last steps with `chosen` that lead to `side`, and the sides before them, the most promising first.

    `others` are the numbers that were played later. A step that removes crossings from the edges of the rest comes before
    a step that cuts the rest into more pieces.
    """
    search.query.effort.spend()
    side = node.side
    # crossed[k + 1]: the number of checkers that crossed the place between coordinates k and k + 1
    crossed = (0, *unpack_counts(cumulate_counts(side) - search.start_cumulative), 0)
    found = []
    for step, pieces, height in _enumerate_candidates(crossed, side, chosen):
        earlier = side + (1 << 4 * step.source) - (1 << 4 * step.target)
        state = search.state(node, earlier)
        legal = steps_from(search.fields[node.number], state, mask_occupied(earlier), chosen, others)
        if any(one.source == step.source and after & SIDE_MASK == side for one, after, _ in legal):
            found.append((pieces, -height, step.source, step, earlier))
    found.sort(key=lambda one: one[:3])
    return [(step, earlier) for *_, step, earlier in found]


def _enumerate_candidates(crossed: tuple[int, ...], side: int, chosen: int) -> Iterator[tuple[Step, int, int]]:
    """Steps that undo only crossings that were made: the step, the change in pieces, the height of its crossings."""
    for target in range(26 - chosen):
        if not side >> 4 * target & 15:
            continue
        for source in _list_sources(target, chosen):
            covered = crossed[target + 1 : source + 1]
            if not all(covered):
                continue
            pieces = (crossed[source + 1] >= crossed[source]) - (crossed[target + 1] > crossed[target])
            yield Step(source, target, chosen), pieces, sum(covered)


def _list_sources(target: int, chosen: int) -> tuple[int, ...]:
    if target == OFF:
        return tuple(range(1, chosen + 1))
    source = target + chosen
    return (source,) if source < BAR else (RESERVE,)


def _count_pips(side: int) -> int:
    return sum(min(coordinate, BAR) * count for coordinate, count in enumerate(unpack_counts(side)))
