"""Finds the rules that stand against a board which no legal path reaches."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations

from controller.rules import ruleset
from controller.rules.judging.backward_search import bears_off_early
from controller.rules.judging.explain import DUTIES, explain_breach, explain_numbers
from controller.rules.judging.query import TO_EXPLAIN, Effort, EffortSpentError, Line, PathQuery, TurnPath, TurnStage
from controller.rules.judging.turn_search import find_path
from controller.rules.player import BAR, Player
from controller.rules.plays.target import Target
from controller.rules.position import Position
from controller.rules.rulings import Breach, Rule
from controller.rules.stages import ALL_ROLLS, RollCounters, ThrowKind, make_own_throw

_MOST_WAIVED = 3  # knob: the largest set of rules that is tried together


def find_breaches(query: PathQuery, target: Target) -> Iterator[Breach]:
    """Every single rule without which the board can be reached; else the smallest set; else wrong numbers."""
    candidates = [rule for rule in Rule if rule in _MAY_BIND and _MAY_BIND[rule](query.rules, query)]
    standing = {rule: path for rule in candidates if (path := _find_path_without(query, target, (rule,))) is not None}
    fits_another_throw = any(
        _find_path_by_line(query, target, line) is not None for line in _enumerate_other_lines(query)
    )
    for rule in Rule:
        if rule in standing:
            yield Breach(rule, explain_breach(rule, query, standing[rule]))
        elif rule is Rule.WRONG_NUMBERS and fits_another_throw:
            yield Breach(rule, explain_numbers(query, fits_another_throw=True))
    if not standing and not fits_another_throw:
        yield from _find_joint_breaches(query, target, candidates)


def _find_joint_breaches(query: PathQuery, target: Target, candidates: list[Rule]) -> Iterator[Breach]:
    if _find_path_without(query, target, tuple(candidates)) is not None:
        for size in range(2, _MOST_WAIVED + 1):
            for waived in combinations(candidates, size):
                path = _find_path_without(query, target, waived)
                if path is not None:
                    # The fault of a step is named before the numbers that were left unplayed because of it.
                    for rule in sorted(waived, key=lambda one: one in DUTIES):
                        yield Breach(rule, explain_breach(rule, query, path))
                    return
    if bears_off_early(query):
        yield Breach(Rule.BEAROFF_EARLY, explain_breach(Rule.BEAROFF_EARLY, query, None))
    yield Breach(Rule.WRONG_NUMBERS, explain_numbers(query, fits_another_throw=False))


def _find_path_without(query: PathQuery, target: Target, waived: tuple[Rule, ...]) -> TurnPath | None:
    """A path that breaks only the `waived` rules; a rule that takes too much effort to test does not count."""
    return _try_path(replace(query, waived=frozenset(waived), effort=Effort(TO_EXPLAIN)), target)


def _find_path_by_line(query: PathQuery, target: Target, line: Line) -> TurnPath | None:
    return _try_path(replace(query, line=line, effort=Effort(TO_EXPLAIN)), target)


def _try_path(query: PathQuery, target: Target) -> TurnPath | None:
    try:
        return find_path(query, target)
    except EffortSpentError:
        return None


# Whether a rule exists in this game and can matter in this turn. Of the rules that are missing, the board itself shows
# the breach (claim.py), or `find_breaches` tests it (wrong numbers).
_MAY_BIND: dict[Rule, Callable[[ruleset.Ruleset, PathQuery], bool]] = {
    Rule.MUST_PLAY_MORE: lambda rules, _: rules.dice_use in (ruleset.DiceUse.MAX, ruleset.DiceUse.GREEDY),
    Rule.MUST_PLAY_ONE: lambda rules, _: rules.dice_use is ruleset.DiceUse.NONEMPTY,
    Rule.LARGER_DIE: lambda rules, query: (
        rules.dice_use is ruleset.DiceUse.MAX and rules.larger_die and any(map(_has_two_numbers, query.line))
    ),
    Rule.BAR_FIRST: lambda rules, query: (
        rules.contact is ruleset.Contact.HIT and query.before.counts(query.mover)[BAR] > 0
    ),
    Rule.HEAD: lambda rules, _: rules.head_limit is not None,
    Rule.HEAD_EXCEPTION: lambda rules, query: (
        rules.head_exception is not ruleset.HeadException.NONE
        and any(turn_stage.first_roll for turn_stage in query.line)
    ),
    Rule.PRIME: lambda rules, _: rules.prime is not ruleset.Prime.NONE,
    Rule.PRIME_IN_PASSING: lambda rules, _: (
        rules.prime is ruleset.Prime.NEED_CHECKER_AHEAD and rules.prime_check is ruleset.PrimeCheck.EVERY_STEP
    ),
    Rule.HOME_HIT: lambda rules, _: rules.home_hit is not ruleset.HomeHit.FREE,
    Rule.PAIR: lambda rules, _: rules.home_hit is ruleset.HomeHit.NO_BEAROFF and rules.home_hit_pair,
    Rule.FORCED_BEAROFF: lambda rules, _: rules.bearoff is ruleset.BearOff.FORCED,
    Rule.MAX_STACK: lambda rules, _: rules.max_stack is not None,
    Rule.FIRST_CHECKER: lambda rules, _: rules.first_checker_past,
    Rule.START_QUARTER: lambda rules, _: rules.start_quarter_max is not None,
    Rule.UNBLOCK: lambda rules, _: rules.unblock_last_stack,
    Rule.CLOSED_POINT: lambda *_: True,
    Rule.BEAROFF_EARLY: lambda _, query: _count_off(query.goal, query.mover) > _count_off(query.before, query.mover),
}


def _count_off(position: Position, player: Player) -> int:
    return position.side(player) & 15


def _has_two_numbers(turn_stage: TurnStage) -> bool:
    return turn_stage.numbers[0] != turn_stage.numbers[-1]


def _enumerate_other_lines(query: PathQuery) -> Iterator[Line]:
    """The line with another roll in place of the last throw; a line of one stage keeps one stage."""
    *_, last = query.line
    kept = tuple(turn_stage for turn_stage in query.line if turn_stage.throw_index < last.throw_index)
    own = tuple(turn_stage for turn_stage in query.line if turn_stage.throw_index == last.throw_index)
    if len(own) == 1:
        for numbers in _enumerate_other_numbers(own[0].numbers, query.rules):
            throw = replace(own[0].throw, stages=(numbers,))
            yield (*kept, replace(own[0], throw=throw))
    if last.throw.kind is ThrowKind.TRANSFER or (len(own) == 1 and query.rules.doubles is ruleset.Doubles.FOUR):
        return
    counters = RollCounters(query.rules.ordinary_rolls, query.rules.ordinary_rolls)
    for roll in ALL_ROLLS:
        throw = replace(make_own_throw(roll, query.rules, counters), is_first_roll=last.throw.is_first_roll)
        if throw.stages != last.throw.stages:
            first = replace(own[0], throw=throw)
            later = (replace(first, index=index, first_roll=False) for index in range(1, len(throw.stages)))
            yield (*kept, first, *later)


def _enumerate_other_numbers(numbers: tuple[int, ...], rules: ruleset.Ruleset) -> Iterator[tuple[int, ...]]:
    counts = {4, len(numbers)} if numbers[0] == numbers[-1] else {4, rules.cascade_count}
    for roll in ALL_ROLLS:
        equal = [(roll.high,) * count for count in sorted(counts)]
        others: list[tuple[int, ...]] = equal if roll.is_double else [(roll.high, roll.low)]
        yield from (other for other in others if other != numbers)
