"""Is the board after a turn right, and if not, which rules stand against it?

The play as it was seen is never changed to fit. A rule stands against it when the board could be reached if that rule
alone were waived; when no single rule is enough, the smallest set of rules that is.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from controller.rules.breach import NO_RULES, Breach, Rule
from controller.rules.judging.claim import read_claim
from controller.rules.judging.effort import TO_EXPLAIN, Effort, EffortSpentError
from controller.rules.judging.explain import DUTIES, about_numbers, sentence_for
from controller.rules.judging.line import Line, Link, line_of, line_of_stage
from controller.rules.judging.ways import Quest, Way, stage_way, way_from_front
from controller.rules.judging.work_back import bears_off_early, way_back
from controller.rules.player import BAR, OFF, Player
from controller.rules.plays.field import field_for, position_after
from controller.rules.plays.toward import Target
from controller.rules.position import Position, occupied
from controller.rules.roll import ALL_ROLLS
from controller.rules.ruleset import (
    BearOff,
    Contact,
    DiceUse,
    Doubles,
    HeadException,
    HomeHit,
    Prime,
    PrimeCheck,
    Ruleset,
)
from controller.rules.rulings import Illegal, Legal, Ruling, Undecided
from controller.rules.setup import Setup
from controller.rules.stages import END_TURN, GAME_OVER, FollowKind, RollCounters, Stage, ThrowKind, Turn, own_throw
from controller.rules.steps import OUTSIDE_HOME, SIDE_MASK, Step

_MOST_WAIVED = 3
_CANNOT_TELL = (
    "This turn has too many ways to be judged as a whole; judge it throw by throw, or let the players say how it went."
)


def judge(before: Position, mover: Player, turn: Turn, after: Setup, rules: Ruleset) -> Ruling:
    """The legal play of the whole turn (all stages) that ends in `after`, or every rule that stands against it."""
    if not turn.boards_between:
        return _judge_line(before, mover, line_of(turn), after, rules)
    steps: tuple[Step, ...] = ()
    position, follow = before, END_TURN
    for number, (throw, board) in enumerate(zip(turn.throws, (*turn.boards_between, after), strict=True)):
        after_own_roll = number > 0 and turn.throws[number - 1].kind is ThrowKind.ROLL
        if after_own_roll and follow.kind is not FollowKind.ROLL_AGAIN:
            return Illegal((Breach(Rule.WRONG_NUMBERS, "The second throw was not due; it does not count."),))
        ruling = _judge_line(position, mover, line_of(Turn((throw,))), board, rules)
        if not isinstance(ruling, Legal):
            return ruling
        steps, position, follow = steps + ruling.steps, ruling.after, ruling.follow
    return Legal(steps, position, follow)


def judge_stage(
    before: Position, mover: Player, stage: Stage, after: Setup, rules: Ruleset, *, kind: ThrowKind = ThrowKind.ROLL
) -> Ruling:
    """The same for one stage by itself."""
    return _judge_line(before, mover, line_of_stage(stage, kind), after, rules)


def _judge_line(before: Position, mover: Player, line: Line, after: Setup, rules: Ruleset) -> Ruling:
    claim = read_claim(before, mover, after, rules)
    if claim.target is None:
        return Illegal(claim.breaches)
    field = field_for(before, mover, Stage((1,)), rules)
    side = claim.target.result & SIDE_MASK
    goal = position_after(field, claim.target.result, occupied(side))
    quest = Quest(before, mover, line, goal, rules, NO_RULES)
    try:
        way = _way(quest, claim.target)
    except EffortSpentError:
        return Undecided(_CANNOT_TELL)
    if way is None:
        return Illegal(claim.if_not_hit or tuple(_breaches(quest, claim.target)) + claim.breaches)
    if claim.breaches:
        return Illegal(claim.breaches)
    game_over = goal.counts(mover)[OFF] == rules.checkers
    return Legal(way.steps, goal, GAME_OVER if game_over else line[way.last].follow(way.unused, rules))


def _way(quest: Quest, target: Target) -> Way | None:
    if len(quest.line) == 1:
        found = stage_way(quest, quest.before, quest.line[0].stage(0), target)
        return None if found is None else Way(found.steps, 0, found.unused)
    # at home there are few boards and many ways to bear off; elsewhere it is the other way round
    from_front = quest.rules.contact is not Contact.BLOCK or occupied(quest.before.side(quest.mover)) < OUTSIDE_HOME
    return way_from_front(quest) if from_front else way_back(quest)


def _breaches(quest: Quest, target: Target) -> Iterator[Breach]:
    """Every rule without which alone the board could be reached; else the smallest set; else the numbers are wrong."""
    candidates = [rule for rule in Rule if _may_bind(rule, quest)]
    standing = {rule: way for rule in candidates if (way := _way_without(quest, target, (rule,))) is not None}
    fits_another_throw = any(_way_by(quest, target, line) is not None for line in _other_lines(quest))
    for rule in Rule:
        if rule in standing:
            yield Breach(rule, sentence_for(rule, quest, standing[rule]))
        elif rule is Rule.WRONG_NUMBERS and fits_another_throw:
            yield Breach(rule, about_numbers(quest, fits_another_throw=True))
    if not standing and not fits_another_throw:
        yield from _several_at_once(quest, target, candidates)


def _several_at_once(quest: Quest, target: Target, candidates: list[Rule]) -> Iterator[Breach]:
    if _way_without(quest, target, tuple(candidates)) is not None:
        for size in range(2, _MOST_WAIVED + 1):
            for waived in combinations(candidates, size):
                way = _way_without(quest, target, waived)
                if way is not None:
                    # what a step did wrong reads better before what was left unplayed because of it
                    for rule in sorted(waived, key=lambda one: one in DUTIES):
                        yield Breach(rule, sentence_for(rule, quest, way))
                    return
    if bears_off_early(quest):
        yield Breach(Rule.BEAROFF_EARLY, sentence_for(Rule.BEAROFF_EARLY, quest, None))
    yield Breach(Rule.WRONG_NUMBERS, about_numbers(quest, fits_another_throw=False))


def _way_without(quest: Quest, target: Target, waived: tuple[Rule, ...]) -> Way | None:
    """A way that breaks only the `waived` rules; a rule that takes too long to try is not held against the player."""
    return _tried(replace(quest, waived=frozenset(waived), effort=Effort(TO_EXPLAIN)), target)


def _way_by(quest: Quest, target: Target, line: Line) -> Way | None:
    return _tried(replace(quest, line=line, effort=Effort(TO_EXPLAIN)), target)


def _tried(quest: Quest, target: Target) -> Way | None:
    try:
        return _way(quest, target)
    except EffortSpentError:
        return None


def _may_bind(rule: Rule, quest: Quest) -> bool:
    """Whether a rule exists in this game and can matter in this turn."""
    rules, line = quest.rules, quest.line
    match rule:
        case Rule.MUST_PLAY_MORE:
            return rules.dice_use in (DiceUse.MAX, DiceUse.GREEDY)
        case Rule.MUST_PLAY_ONE:
            return rules.dice_use is DiceUse.NONEMPTY
        case Rule.LARGER_DIE:
            return rules.dice_use is DiceUse.MAX and rules.larger_die and any(map(_has_two_numbers, line))
        case Rule.BAR_FIRST:
            return rules.contact is Contact.HIT and quest.before.counts(quest.mover)[BAR] > 0
        case Rule.HEAD:
            return rules.head_limit is not None
        case Rule.HEAD_EXCEPTION:
            return rules.head_exception is not HeadException.NONE and any(link.first_roll for link in line)
        case Rule.PRIME:
            return rules.prime is not Prime.NONE
        case Rule.PRIME_IN_PASSING:
            return rules.prime is Prime.NEED_CHECKER_AHEAD and rules.prime_check is PrimeCheck.EVERY_STEP
        case Rule.HOME_HIT:
            return rules.home_hit is not HomeHit.FREE
        case Rule.PAIR:
            return rules.home_hit is HomeHit.NO_BEAROFF and rules.home_hit_pair
        case Rule.FORCED_BEAROFF:
            return rules.bearoff is BearOff.FORCED
        case Rule.MAX_STACK:
            return rules.max_stack is not None
        case Rule.FIRST_CHECKER:
            return rules.first_checker_past
        case Rule.START_QUARTER:
            return rules.start_quarter_max is not None
        case Rule.UNBLOCK:
            return rules.unblock_last_stack
        case Rule.CLOSED_POINT:
            return True
        case Rule.BEAROFF_EARLY:
            return _off(quest.goal, quest.mover) > _off(quest.before, quest.mover)
        case _:
            return False  # the board itself says it (claim.py), or it is asked apart (wrong_numbers)


def _off(position: Position, player: Player) -> int:
    return position.side(player) & 15


def _has_two_numbers(link: Link) -> bool:
    return link.numbers[0] != link.numbers[-1]


def _other_lines(quest: Quest) -> Iterator[Line]:
    """The line with another roll in place of the last throw; a stage asked about alone stays one stage."""
    *_, last = quest.line
    kept = tuple(link for link in quest.line if link.throw_index < last.throw_index)
    own = tuple(link for link in quest.line if link.throw_index == last.throw_index)
    if len(own) == 1:
        for numbers in _other_numbers(own[0].numbers, quest.rules):
            throw = replace(own[0].throw, stages=(numbers,))
            yield (*kept, replace(own[0], throw=throw))
    if last.throw.kind is ThrowKind.TRANSFER or (len(own) == 1 and quest.rules.doubles is Doubles.FOUR):
        return
    counters = RollCounters(quest.rules.ordinary_rolls, quest.rules.ordinary_rolls)
    for roll in ALL_ROLLS:
        throw = replace(own_throw(roll, quest.rules, counters), is_first_roll=last.throw.is_first_roll)
        if throw.stages != last.throw.stages:
            first = replace(own[0], throw=throw)
            later = (replace(first, index=index, first_roll=False) for index in range(1, len(throw.stages)))
            yield (*kept, first, *later)


def _other_numbers(numbers: tuple[int, ...], rules: Ruleset) -> Iterator[tuple[int, ...]]:
    counts = {4, len(numbers)} if numbers[0] == numbers[-1] else {4, rules.cascade_count}
    for roll in ALL_ROLLS:
        equal = [(roll.high,) * count for count in sorted(counts)]
        others: list[tuple[int, ...]] = equal if roll.is_double else [(roll.high, roll.low)]
        yield from (other for other in others if other != numbers)
