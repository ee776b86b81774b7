"""Generates illegal boards: mutations of a turn, each checked by the judge, who names the decisive rule.

A rule of the game is broken by generating plays with that rule waived. Faults of the board itself, such as a missing
checker, are applied to a legal result. A camera that sees no trays cannot distinguish some faults (a checker that is
gone may be missing or borne off), so a board can have several correct names.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random

from controller.rules import (
    ALL_ROLLS,
    BAR,
    HOME,
    OFF,
    POINTS,
    RESERVE,
    Illegal,
    Legal,
    Player,
    Position,
    Rule,
    Ruleset,
    Setup,
    Side,
    Stage,
    Turn,
    judge,
    legal_plays,
    list_results,
)
from controller.simulation.scripts.playthrough import ThrowPlayed

_MAX_ATTEMPTS = 6  # boards of one kind that are tried
_MAX_COUNTABLE = 4  # one camera cannot count a second layer reliably
_OWN_KIND_P = 0.5  # probability that rules which few turns can break are tried first


@dataclass(frozen=True, slots=True)
class IllegalBoard:
    """`kind` is the decisive rule; `names` are all rules that are correct for an observer without a view of the trays."""

    after: Setup
    kind: Rule
    names: frozenset[Rule]
    is_position: bool  # a possible position, which can stand if condoned


@dataclass(frozen=True, slots=True)
class TurnToBreak:
    """The part of a turn to be broken, with its legal play."""

    before: Position  # the whole part
    mover: Player
    played: ThrowPlayed
    rules: Ruleset
    has_bar: bool = True  # without one, hit checkers lie beside the board

    @property
    def last_before(self) -> Position:
        """The board before the last stage that was reached."""
        return self.before if len(self.played.stages) == 1 else self.played.stages[-2].play.after

    @property
    def last_stage(self) -> Stage:
        return self.played.stages[-1].stage


def make_illegal_board(part: TurnToBreak, chance: Random) -> IllegalBoard | None:
    """An illegal board of a random kind among those that this turn allows; None if there is none."""
    kinds = list(_KINDS)
    chance.shuffle(kinds)
    if chance.random() < _OWN_KIND_P:
        kinds.sort(key=lambda kind: kind in _OF_ALL_GAMES)
    for kind in kinds:
        found = make_board_breaking(kind, part, chance)
        if found is not None:
            return found
    return None


def make_board_breaking(kind: Rule, part: TurnToBreak, chance: Random) -> IllegalBoard | None:
    """A board whose decisive breach is this rule."""
    candidates = list(_KINDS[kind](part, kind))
    chance.shuffle(candidates)
    for after in candidates[:_MAX_ATTEMPTS]:
        found = _judge(after, part)
        if found is not None and found.kind is kind:
            return found
    return None


def _judge(after: Setup, part: TurnToBreak) -> IllegalBoard | None:
    """None if the board is or may be legal without a view of the trays, is undecided, or may be the opponent's play."""
    if after.side(part.mover).off == part.rules.checkers or _may_lie_elsewhere(after, part):
        return None
    turn = Turn((part.played.throw,))
    names: list[Rule] = []
    for setup in (
        after,
        *_variants_without_trays(after, part),
        *_variants_with_heaps(after, part),
        *_variants_between_heaps(after, part),
    ):
        ruling = judge(part.before, part.mover, turn, setup, part.rules)
        if not isinstance(ruling, Illegal):
            return None
        names.append(ruling.rules[0])
    if _may_be_the_opponents(after, part):
        return None
    return IllegalBoard(after, names[0], frozenset(names), not after.faults(part.rules))


def _may_lie_elsewhere(after: Setup, part: TurnToBreak) -> bool:
    """Whether a checker borne off too early may, without a view of the trays, lie on a stack or in reserve instead."""
    before, side = part.before.counts(part.mover), after.side(part.mover)
    is_early = side.off > before[OFF] and any(before[point] for point in POINTS if point not in HOME)
    return is_early and (before[RESERVE] > 0 or max(side.points) > _MAX_COUNTABLE)


def _may_be_the_opponents(after: Setup, part: TurnToBreak) -> bool:
    """Whether the opponent could reach the board with this throw, since the board does not show whose hand moved."""
    turn = Turn((part.played.throw,))
    return isinstance(judge(part.before, part.mover.opponent, turn, after, part.rules), Legal)


def _variants_without_trays(after: Setup, part: TurnToBreak) -> Iterator[Setup]:
    """Boards with the same points and bar where missing checkers count as borne off, or as in reserve."""
    for place in (OFF, RESERVE) if part.rules.has_reserve else (OFF,):
        sides = []
        for player in Player:
            counts = list(after.side(player).counts)
            missing = part.rules.checkers - sum(counts)
            if counts[place] + missing >= 0:
                counts[place] += missing
            sides.append(Side.of_counts(tuple(counts), after.side(player).pinned))
        setup = Setup(sides[0], sides[1])
        if setup != after:
            yield setup


def _variants_with_heaps(after: Setup, part: TurnToBreak) -> Iterator[Setup]:
    """Boards that repair a wrong total by one checker in a stack too high to be counted."""
    for player in Player:
        side = after.side(player)
        missing = part.rules.checkers - side.total
        for point in POINTS:
            if abs(missing) == 1 and side.points[point - 1] > _MAX_COUNTABLE:
                counts = list(side.counts)
                counts[point] += missing
                yield _with_side(after, player, tuple(counts), side.pinned)


def _variants_between_heaps(after: Setup, part: TurnToBreak) -> Iterator[Setup]:
    """Boards with one checker moved between two stacks that are both too high to be counted."""
    side = after.side(part.mover)
    heaps = [point for point in POINTS if side.points[point - 1] > _MAX_COUNTABLE and point not in side.pinned]
    for source in heaps:
        for target in heaps:
            if source != target:
                yield _with_moved(after, part.mover, source, target)


def _with_rule_waived(part: TurnToBreak, rule: Rule) -> Iterator[Setup]:
    """Results that only this rule forbids."""
    before, stage, rules = part.last_before, part.last_stage, part.rules
    legal = {play.after for play in legal_plays(before, part.mover, stage, rules)}
    for after in list_results(before, part.mover, stage, rules, frozenset((rule,))):
        if after not in legal:
            yield after.setup


def _with_other_numbers(part: TurnToBreak, _rule: Rule) -> Iterator[Setup]:
    """Legal results of another roll."""
    stage = part.last_stage
    for roll in ALL_ROLLS:
        numbers = (roll.high,) * 4 if roll.is_double else (roll.high, roll.low)
        if numbers != stage.numbers:
            other = replace(stage, numbers=numbers)
            plays = legal_plays(part.last_before, part.mover, other, part.rules)
            yield from (play.after.setup for play in plays[:: max(1, len(plays) // 3)])


def _move_backwards(part: TurnToBreak, _rule: Rule) -> Iterator[Setup]:
    """One of the mover's checkers moved backwards, instead of the play or after it."""
    for setup in (part.before.setup, part.played.after.setup):
        counts = setup.side(part.mover).counts
        for source in POINTS:
            for target in (source + 1, source + 2, source + 5):
                if counts[source] and target <= 24 and _is_free(setup, part.mover, target, part.rules):
                    yield _with_moved(setup, part.mover, source, target)


def _move_opponent(part: TurnToBreak, _rule: Rule) -> Iterator[Setup]:
    """The legal play with one of the opponent's checkers moved."""
    setup, other = part.played.after.setup, part.mover.opponent
    counts = setup.side(other).counts
    for source in POINTS:
        for target in (source - 1, source - 3, source + 2):
            if counts[source] and target in POINTS and _is_free(setup, other, target, part.rules):
                yield _with_moved(setup, other, source, target)


def _remove_one(part: TurnToBreak, _rule: Rule) -> Iterator[Setup]:
    """The legal play with one checker of either side removed."""
    yield from _with_one_added(part, -1)


def _add_one(part: TurnToBreak, _rule: Rule) -> Iterator[Setup]:
    """The legal play with a spare checker on a point that its side holds."""
    for setup in _with_one_added(part, 1):
        # after bearing off it could be a borne-off checker that came back
        if setup.white.off == setup.black.off == 0:
            yield setup


def _with_one_added(part: TurnToBreak, by: int) -> Iterator[Setup]:
    setup = part.played.after.setup
    for player in Player:
        side = setup.side(player)
        for point in POINTS:
            is_plain = point not in side.pinned and _is_free(setup, player, point, part.rules)
            if is_plain and 0 < side.points[point - 1] <= _MAX_COUNTABLE:
                counts = list(side.counts)
                counts[point] += by
                yield _with_side(setup, player, tuple(counts), side.pinned)


def _misplace_hit(part: TurnToBreak, _rule: Rule) -> Iterator[Setup]:
    """The legal play with a hit checker off the board or on another point, instead of on the bar."""
    setup, other = part.played.after.setup, part.mover.opponent
    if setup.side(other).bar <= part.before.counts(other)[BAR]:
        return
    side = setup.side(other)
    away = list(side.counts)
    away[BAR] -= 1
    if part.has_bar:
        yield _with_side(setup, other, tuple(away), side.pinned)
    for point in POINTS:
        if _is_free(setup, other, point, part.rules):
            yield _with_moved(setup, other, BAR, point)


def _is_free(setup: Setup, player: Player, point: int, rules: Ruleset) -> bool:
    """Whether no checker of the other side stands there."""
    return not setup.side(player.opponent).points[rules.direction.across(point) - 1]


def _with_moved(setup: Setup, player: Player, source: int, target: int) -> Setup:
    side = setup.side(player)
    counts = list(side.counts)
    counts[source] -= 1
    counts[target] += 1
    return _with_side(setup, player, tuple(counts), side.pinned - {source})


def _with_side(setup: Setup, player: Player, counts: tuple[int, ...], pinned: frozenset[int]) -> Setup:
    side = Side.of_counts(counts, pinned)
    return Setup(side, setup.black) if player is Player.WHITE else Setup(setup.white, side)


_BY_BOARD: dict[Rule, Callable[[TurnToBreak, Rule], Iterator[Setup]]] = {
    Rule.WRONG_NUMBERS: _with_other_numbers,
    Rule.MOVED_BACKWARDS: _move_backwards,
    Rule.OPPONENT_MOVED: _move_opponent,
    Rule.CHECKER_MISSING: _remove_one,
    Rule.CHECKER_EXTRA: _add_one,
    Rule.HIT_NOT_ON_BAR: _misplace_hit,
}
_OF_ALL_GAMES = frozenset(
    {*_BY_BOARD, Rule.MUST_PLAY_MORE, Rule.CLOSED_POINT, Rule.BEAROFF_EARLY} - {Rule.HIT_NOT_ON_BAR}
)
_KINDS = {rule: _BY_BOARD.get(rule, _with_rule_waived) for rule in Rule}
