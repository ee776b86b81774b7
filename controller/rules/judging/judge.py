"""Judges the board after a turn: a legal play, or the rules that stand against it.

The board is taken as it is and never adapted to a play. A rule stands against a board if the board can be reached without
that rule alone. If no single rule suffices, the smallest sufficient set of rules stands against it.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from controller.rules.judging.backward_search import bears_off_early, search_backward
from controller.rules.judging.claim import read_claim
from controller.rules.judging.explain import DUTIES, explain_breach, explain_numbers
from controller.rules.judging.forward_search import find_stage_path, search_forward
from controller.rules.judging.query import (
    TO_EXPLAIN,
    Effort,
    EffortSpentError,
    Line,
    PathQuery,
    TurnPath,
    TurnStage,
    make_line,
    make_stage_line,
)
from controller.rules.player import BAR, OFF, Player
from controller.rules.plays.field import position_after
from controller.rules.plays.make_field import make_field
from controller.rules.plays.target import Target
from controller.rules.position import Position, mask_occupied
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
from controller.rules.rulings import NO_RULES, Breach, Illegal, Legal, Rule, Ruling, Undecided
from controller.rules.setup import Setup
from controller.rules.stages import (
    ALL_ROLLS,
    END_TURN,
    GAME_OVER,
    FollowKind,
    RollCounters,
    Stage,
    Throw,
    ThrowKind,
    Turn,
    make_own_throw,
)
from controller.rules.steps import OUTSIDE_HOME, SIDE_MASK, Step

_MOST_WAIVED = 3
_CANNOT_TELL = (
    "This turn has too many ways to be judged as a whole; judge it throw by throw, or let the players say how it went."
)


def judge(before: Position, mover: Player, turn: Turn, after: Setup, rules: Ruleset) -> Ruling:
    """The legal play of the whole turn (all stages) that ends in `after`, or every rule that stands against it."""
    if not turn.boards_between:
        return _judge_line(before, mover, make_line(turn), after, rules)
    steps: tuple[Step, ...] = ()
    position, follow = before, END_TURN
    for number, (throw, board) in enumerate(zip(turn.throws, (*turn.boards_between, after), strict=True)):
        after_own_roll = number > 0 and turn.throws[number - 1].kind is ThrowKind.ROLL
        if after_own_roll and follow.kind is not FollowKind.ROLL_AGAIN:
            return Illegal((Breach(Rule.WRONG_NUMBERS, "The second throw was not due; it does not count."),))
        ruling = _judge_line(position, mover, make_line(Turn((throw,))), board, rules)
        if not isinstance(ruling, Legal):
            return ruling
        steps, position, follow = steps + ruling.steps, ruling.after, ruling.follow
    return Legal(steps, position, follow)


def judge_stage(
    before: Position, mover: Player, stage: Stage, after: Setup, rules: Ruleset, *, kind: ThrowKind = ThrowKind.ROLL
) -> Ruling:
    """Judges one stage by itself."""
    return _judge_line(before, mover, make_stage_line(stage, kind), after, rules)


def _judge_line(before: Position, mover: Player, line: Line, after: Setup, rules: Ruleset) -> Ruling:
    claim = read_claim(before, mover, after, rules)
    if claim.target is None:
        return Illegal(claim.breaches)
    goal = _make_goal(before, mover, claim.target, rules)
    query = PathQuery(before, mover, line, goal, rules, NO_RULES)
    try:
        path = _find_path(query, claim.target)
    except EffortSpentError:
        return Undecided(_CANNOT_TELL)
    if path is None:
        return Illegal(claim.if_not_hit or tuple(_find_breaches(query, claim.target)) + claim.breaches)
    if claim.breaches:
        return Illegal(claim.breaches)
    game_over = goal.counts(mover)[OFF] == rules.checkers
    return Legal(path.steps, goal, GAME_OVER if game_over else line[path.last].follow(path.unused, rules))


def is_reachable(
    before: Position, mover: Player, throw: Throw, after: Setup, rules: Ruleset, *, effort: Effort
) -> bool:
    """Whether a throw of several stages can legally lead to a board. No reasons are computed, so this is fast.

    Raises EffortSpentError if the search exceeds what is left of `effort`, which many calls may share.
    """
    claim = read_claim(before, mover, after, rules)
    if claim.target is None or claim.breaches:
        return False
    goal = _make_goal(before, mover, claim.target, rules)
    query = PathQuery(before, mover, make_line(Turn((throw,))), goal, rules, NO_RULES, effort)
    return _search_several_stages(query) is not None


def _make_goal(before: Position, mover: Player, target: Target, rules: Ruleset) -> Position:
    field = make_field(before, mover, Stage((1,)), rules)
    return position_after(field, target.result, mask_occupied(target.result & SIDE_MASK))


def _find_path(query: PathQuery, target: Target) -> TurnPath | None:
    if len(query.line) == 1:
        found = find_stage_path(query, query.before, query.line[0].make_stage(0), target)
        return None if found is None else TurnPath(found.steps, 0, found.unused)
    return _search_several_stages(query)


def _search_several_stages(query: PathQuery) -> TurnPath | None:
    # At home there are few boards and many ways to bear off, so the search goes forward; elsewhere it goes backward.
    from_front = (
        query.rules.contact is not Contact.BLOCK or mask_occupied(query.before.side(query.mover)) < OUTSIDE_HOME
    )
    return search_forward(query) if from_front else search_backward(query)


def _find_breaches(query: PathQuery, target: Target) -> Iterator[Breach]:
    """Every single rule without which the board can be reached; else the smallest set; else wrong numbers."""
    candidates = [rule for rule in Rule if _may_bind(rule, query)]
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
        return _find_path(query, target)
    except EffortSpentError:
        return None


def _may_bind(rule: Rule, query: PathQuery) -> bool:
    """Whether a rule exists in this game and can matter in this turn."""
    rules, line = query.rules, query.line
    match rule:
        case Rule.MUST_PLAY_MORE:
            return rules.dice_use in (DiceUse.MAX, DiceUse.GREEDY)
        case Rule.MUST_PLAY_ONE:
            return rules.dice_use is DiceUse.NONEMPTY
        case Rule.LARGER_DIE:
            return rules.dice_use is DiceUse.MAX and rules.larger_die and any(map(_has_two_numbers, line))
        case Rule.BAR_FIRST:
            return rules.contact is Contact.HIT and query.before.counts(query.mover)[BAR] > 0
        case Rule.HEAD:
            return rules.head_limit is not None
        case Rule.HEAD_EXCEPTION:
            return rules.head_exception is not HeadException.NONE and any(turn_stage.first_roll for turn_stage in line)
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
            return _count_off(query.goal, query.mover) > _count_off(query.before, query.mover)
        case _:
            return False  # the board itself shows the breach (claim.py), or `_find_breaches` tests it (wrong numbers)


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
    if last.throw.kind is ThrowKind.TRANSFER or (len(own) == 1 and query.rules.doubles is Doubles.FOUR):
        return
    counters = RollCounters(query.rules.ordinary_rolls, query.rules.ordinary_rolls)
    for roll in ALL_ROLLS:
        throw = replace(make_own_throw(roll, query.rules, counters), is_first_roll=last.throw.is_first_roll)
        if throw.stages != last.throw.stages:
            first = replace(own[0], throw=throw)
            later = (replace(first, index=index, first_roll=False) for index in range(1, len(throw.stages)))
            yield (*kept, first, *later)


def _enumerate_other_numbers(numbers: tuple[int, ...], rules: Ruleset) -> Iterator[tuple[int, ...]]:
    counts = {4, len(numbers)} if numbers[0] == numbers[-1] else {4, rules.cascade_count}
    for roll in ALL_ROLLS:
        equal = [(roll.high,) * count for count in sorted(counts)]
        others: list[tuple[int, ...]] = equal if roll.is_double else [(roll.high, roll.low)]
        yield from (other for other in others if other != numbers)
