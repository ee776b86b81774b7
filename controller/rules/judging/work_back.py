"""Working back from the board that is seen to the board before the turn, step by step (block games).

Where nothing is hit, the opponent's side stays as it is and a board is the mover's side alone, so a step can be taken
back and asked whether it was legal. Going back starts with the high ranks of a cascade. Before a stage is entered from
its end, a plan (cover.py) says whether the numbers before it can lead there at all; without one this is a dead end,
with one its steps are tried first, so that the first branch is nearly always the right one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from controller.rules.breach import Rule
from controller.rules.judging.cover import Laid, Supply, plan
from controller.rules.judging.line import Line
from controller.rules.judging.ways import Quest, Way, looks_at_end, stage_way
from controller.rules.player import BAR, OFF, RESERVE, Player
from controller.rules.plays.field import Field, field_for
from controller.rules.plays.head import head_count
from controller.rules.plays.legal_steps import steps_from
from controller.rules.plays.toward import Target, cumulative
from controller.rules.position import Position, occupied, unpacked
from controller.rules.ruleset import DiceUse
from controller.rules.steps import HEAD_SHIFT, OUTSIDE_HOME, SIDE_MASK, Step

_LONGEST_WASTE = 5  # pips that bearing off one checker can leave over: a six from point 1
_MOST_PLANNED_OFF = 3

Steps = tuple[Step, ...]
Plan = tuple[Laid, ...]


@dataclass(frozen=True, slots=True)
class _Spot:
    """How far the way back has come: at `side`, with the numbers `left` of stage `number` still to be taken back.

    `head_at_start`: the head checkers when the throw of that stage began, as far as is known or guessed.
    """

    number: int
    left: tuple[int, ...]
    side: int
    head_at_start: int


@dataclass(frozen=True, slots=True)
class _Trail:
    """A quest and what is worked out once for it; `dead` remembers the dead ends."""

    quest: Quest
    start: int
    start_cumulative: int
    start_pips: int
    fields: tuple[Field, ...]  # by stage of the line
    dead: set[_Spot] = field(default_factory=set)

    @property
    def line(self) -> Line:
        return self.quest.line

    def position(self, side: int) -> Position:
        other = self.quest.before.side(self.quest.mover.opponent)
        return Position(side, other) if self.quest.mover is Player.WHITE else Position(other, side)

    def head_left(self, spot: _Spot, side: int) -> int:
        """Head checkers that had left in this throw when it came to `side`; 0 in games without a head rule."""
        return max(spot.head_at_start - head_count(side), 0) if self.quest.rules.head_limit is not None else 0

    def state(self, spot: _Spot, side: int) -> int:
        """The state (steps.py) of `side` in the stage of `spot`."""
        if self.fields[spot.number].head_limit is None:
            return side
        return side | self.line[spot.number].head_taken + self.head_left(spot, side) << HEAD_SHIFT


def way_back(quest: Quest) -> Way | None:
    """A legal way through the line of a block game, found from its end."""
    if bears_off_early(quest) and Rule.BEAROFF_EARLY not in quest.waived:
        return None
    side = quest.before.side(quest.mover)
    fields = tuple(
        field_for(quest.before, quest.mover, link.stage(0), quest.rules, quest.waived) for link in quest.line
    )
    trail = _Trail(quest, side, cumulative(side), _pips(side), fields)
    return _ended(trail, len(quest.line) - 1, quest.goal.side(quest.mover), may_be_cut_short=True)


def bears_off_early(quest: Quest) -> bool:
    """Whether a checker was borne off although others are not home even after the turn."""
    side, goal = quest.before.side(quest.mover), quest.goal.side(quest.mover)
    return goal & 15 > side & 15 and occupied(goal) >= OUTSIDE_HOME


def _ended(trail: _Trail, last: int, side: int, *, may_be_cut_short: bool) -> Way | None:
    """The way up to the end of the throw whose last stage is `last`: played out, or stopped in one of its stages."""
    for head_at_start in _head_guesses(trail, last, side):
        played_out = _Spot(last, trail.line[last].numbers, side, head_at_start)
        steps = _back(trail, played_out)
        if steps is not None:
            return Way(steps, last, ())
        for number in range(last, last - len(trail.line[last].throw.stages), -1) if may_be_cut_short else ():
            for used, unused in _partial_uses(trail.line[number].numbers):
                steps = _stopped(trail, _Spot(number, used, side, head_at_start), unused)
                if steps is not None:
                    return Way(steps, number, unused)
    return None


def _head_guesses(trail: _Trail, number: int, side: int) -> list[int]:
    """How many head checkers there may have been when the throw of stage `number` began."""
    at_turn_start = head_count(trail.start)
    if trail.line[number].throw_index == 0 or trail.quest.rules.head_limit is None:
        return [at_turn_start]
    return list(range(at_turn_start, head_count(side) - 1, -1))


def _partial_uses(numbers: tuple[int, ...]) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The ways to use some but not all numbers of a stage, most first: (used, unused)."""
    if numbers[0] == numbers[-1]:
        return [(numbers[:count], numbers[count:]) for count in range(len(numbers) - 1, -1, -1)]
    high, low = numbers
    return [((high,), (low,)), ((low,), (high,)), ((), numbers)]


def _stopped(trail: _Trail, spot: _Spot, unused: tuple[int, ...]) -> Steps | None:
    """The steps up to `spot`, where its stage had to stop with `unused` numbers left."""
    if not _pips_fit(trail, spot) or _could_go_on(trail, spot, unused):
        return None
    planned = _planned(trail, spot)
    if planned is None:
        return None
    in_stage = [one for one in planned if one.stage == spot.number]
    first = spot.side + sum((1 << 4 * one.source) - (1 << 4 * one.target) for one in in_stage)
    for earlier in sorted(_undone(trail, spot, unused), key=lambda side: (side != first, side)):
        stage = trail.line[spot.number].stage(trail.head_left(spot, earlier))
        way = stage_way(trail.quest, trail.position(earlier), stage, Target.of(spot.side))
        if way is None or way.unused != unused:
            continue
        steps = _up_to(trail, replace(spot, left=(), side=earlier))
        if steps is not None:
            return steps + way.steps
    return None


def _could_go_on(trail: _Trail, spot: _Spot, unused: tuple[int, ...]) -> bool:
    """Whether one more number can be played, so that stopping here is no legal end under the full duty."""
    quest = trail.quest
    if quest.rules.dice_use is not DiceUse.MAX or Rule.MUST_PLAY_MORE in quest.waived or looks_at_end(quest):
        return False
    state, occ = trail.state(spot, spot.side), occupied(spot.side)
    return any(steps_from(trail.fields[spot.number], state, occ, one) for one in set(unused))


def _undone(trail: _Trail, spot: _Spot, unused: tuple[int, ...]) -> set[int]:
    """The sides in which the stage of `spot` may have begun if it used `left` and stopped at `side`."""
    sides, used = {spot.side}, spot.left
    for taken_back, number in enumerate(reversed(used)):
        others = used[len(used) - taken_back :] + unused
        sides = {
            earlier for side in sides for _, earlier in _one_undone(trail, replace(spot, side=side), number, others)
        }
    return sides


def _back(trail: _Trail, spot: _Spot, planned: Plan | None = None) -> Steps | None:
    """The steps of the line up to `spot`; `planned` is a plan for them, as long as its own steps were taken back."""
    if not spot.left:
        return _up_to(trail, spot, planned)
    if spot in trail.dead:
        return None
    if planned is None and _pips_fit(trail, spot):
        planned = _planned(trail, spot)
    if planned is not None:
        for step, earlier, rest_of_plan in _in_order_of_plan(trail, spot, planned):
            before = replace(spot, left=_without(spot.left, (step.number,)), side=earlier)
            steps = _back(trail, before, rest_of_plan)
            if steps is not None:
                return (*steps, step)
    trail.dead.add(spot)
    return None


def _up_to(trail: _Trail, spot: _Spot, planned: Plan | None = None) -> Steps | None:
    """The steps of the line before the stage of `spot`, which begins there; `planned` may hold a plan for them."""
    if spot.number == 0:
        return () if spot.side == trail.start else None
    link, previous = trail.line[spot.number], trail.line[spot.number - 1]
    if link.index:
        return _back(trail, replace(spot, number=spot.number - 1, left=previous.numbers), planned or None)
    if trail.quest.rules.head_limit is not None and head_count(spot.side) != spot.head_at_start:
        return None
    way = _ended(trail, spot.number - 1, spot.side, may_be_cut_short=previous.may_be_cut_short)
    return None if way is None else way.steps


def _pips_fit(trail: _Trail, spot: _Spot) -> bool:
    """Whether `left` and all earlier numbers can add up to the pips between the start and `side`."""
    before = trail.line[: spot.number]
    throw_index = trail.line[spot.number].throw_index
    in_throw = sum(spot.left) + sum(sum(link.numbers) for link in before if link.throw_index == throw_index)
    earlier = sum(sum(link.numbers) for link in before if link.throw_index < throw_index)
    wasted = _LONGEST_WASTE * ((spot.side & 15) - (trail.start & 15))
    moved = trail.start_pips - _pips(spot.side)
    return in_throw - wasted <= moved <= in_throw + earlier


def _planned(trail: _Trail, spot: _Spot) -> Plan | None:
    """A plan for `left` and all stages before; None where there is no way at all, empty where no plan is made.

    The stages before are played out unless their throw may be cut short.
    """
    throw_index = trail.line[spot.number].throw_index
    supplies = []
    for index, link in enumerate(trail.line[: spot.number + 1]):
        numbers = spot.left if index == spot.number else link.numbers
        must_be_used = link.throw_index == throw_index or not link.may_be_cut_short
        for one in sorted(set(numbers)):
            supplies.append(Supply(index, one, numbers.count(one), must_be_used))
    if not supplies:
        return () if spot.side == trail.start else None
    if (spot.side & 15) - (trail.start & 15) > _MOST_PLANNED_OFF:
        return ()  # too many ways to bear off for a plan; the boards at home are few enough without one
    orderly = Rule.BEAROFF_EARLY not in trail.quest.waived
    return plan(
        trail.start,
        spot.side,
        tuple(supplies),
        trail.fields[spot.number].landing,
        all_home_first=orderly,
        effort=trail.quest.effort,
    )


def _in_order_of_plan(trail: _Trail, spot: _Spot, planned: Plan) -> list[tuple[Step, int, Plan | None]]:
    """The steps that can be taken back, those of the plan first, each with the rest of the plan if it is one of it."""
    of_plan: list[tuple[Step, int, Plan | None]] = []
    besides: list[tuple[Step, int, Plan | None]] = []
    others = _without(trail.line[spot.number].numbers, spot.left)
    for chosen in sorted(set(spot.left), reverse=True):
        for step, earlier in _one_undone(trail, spot, chosen, others):
            laid = Laid(spot.number, chosen, step.source, step.target)
            if laid in planned:
                index = planned.index(laid)
                of_plan.append((step, earlier, (*planned[:index], *planned[index + 1 :])))
            else:
                besides.append((step, earlier, None))
    return of_plan + besides


def _without(numbers: tuple[int, ...], taken: tuple[int, ...]) -> tuple[int, ...]:
    rest = list(numbers)
    for number in taken:
        rest.remove(number)
    return tuple(rest)


def _one_undone(trail: _Trail, spot: _Spot, chosen: int, others: tuple[int, ...]) -> list[tuple[Step, int]]:
    """The legal last steps with `chosen` that lead to `side`, and the sides before them, the most promising first.

    `others` are the numbers that were played after it. A step that takes whole crossings off the edges of what is left
    comes before one that cuts it into more pieces.
    """
    trail.quest.effort.spend()
    side = spot.side
    # crossed[k + 1]: how many checkers crossed the place between coordinates k and k + 1
    crossed = (0, *unpacked(cumulative(side) - trail.start_cumulative), 0)
    found = []
    for step, pieces, height in _candidates(crossed, side, chosen):
        earlier = side + (1 << 4 * step.source) - (1 << 4 * step.target)
        state = trail.state(spot, earlier)
        legal = steps_from(trail.fields[spot.number], state, occupied(earlier), chosen, others)
        if any(one.source == step.source and after & SIDE_MASK == side for one, after, _ in legal):
            found.append((pieces, -height, step.source, step, earlier))
    found.sort(key=lambda one: one[:3])
    return [(step, earlier) for *_, step, earlier in found]


def _candidates(crossed: tuple[int, ...], side: int, chosen: int) -> Iterator[tuple[Step, int, int]]:
    """Steps that take only crossings back that were made: the step, the change in pieces, the height it takes from."""
    for target in range(26 - chosen):
        if not side >> 4 * target & 15:
            continue
        for source in _sources(target, chosen):
            covered = crossed[target + 1 : source + 1]
            if not all(covered):
                continue
            pieces = (crossed[source + 1] >= crossed[source]) - (crossed[target + 1] > crossed[target])
            yield Step(source, target, chosen), pieces, sum(covered)


def _sources(target: int, chosen: int) -> tuple[int, ...]:
    if target == OFF:
        return tuple(range(1, chosen + 1))
    source = target + chosen
    return (source,) if source < BAR else (RESERVE,)


def _pips(side: int) -> int:
    return sum(min(coordinate, BAR) * count for coordinate, count in enumerate(unpacked(side)))
