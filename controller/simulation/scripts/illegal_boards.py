"""Boards that break a rule on purpose: mutations of a turn, each put before the judge, who names the rule.

A rule of the game is broken by playing as if it did not exist (the generator with that rule waived); what the board
itself tells, such as a checker that went missing, is done to a legal result. What a camera that sees no trays cannot
tell apart may be called by either name: a checker that is gone may be missing or borne off.
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

_MAX_ATTEMPTS = 6  # boards of one kind that are put before the judge
_MAX_COUNTABLE = 4  # a checker more or less in a second layer is beyond one camera
_OWN_KIND_P = 0.5  # how often a rule that few turns can break is tried before those that nearly every turn can


@dataclass(frozen=True, slots=True)
class IllegalBoard:
    """`kind` is the decisive rule; `names` are all that it may be called by one who sees no trays."""

    after: Setup
    kind: Rule
    names: frozenset[Rule]
    is_position: bool  # such a board can stand if it is condoned


@dataclass(frozen=True, slots=True)
class TurnToBreak:
    """The part of a turn that is to be played wrong, and the right way it was played instead."""

    before: Position  # the whole part
    mover: Player
    played: ThrowPlayed
    rules: Ruleset

    @property
    def last_before(self) -> Position:
        """The board before the last stage that was reached."""
        return self.before if len(self.played.stages) == 1 else self.played.stages[-2].play.after

    @property
    def last_stage(self) -> Stage:
        return self.played.stages[-1].stage


def make_illegal_board(asked: TurnToBreak, chance: Random) -> IllegalBoard | None:
    """One of a kind that chance chooses among those that this turn can break; None when there is none."""
    kinds = list(_KINDS)
    chance.shuffle(kinds)
    if chance.random() < _OWN_KIND_P:
        kinds.sort(key=lambda kind: kind in _OF_ALL_GAMES)
    for kind in kinds:
        found = make_board_breaking(kind, asked, chance)
        if found is not None:
            return found
    return None


def make_board_breaking(kind: Rule, asked: TurnToBreak, chance: Random) -> IllegalBoard | None:
    """A board that breaks this rule before all others."""
    candidates = list(_KINDS[kind](asked, kind))
    chance.shuffle(candidates)
    for after in candidates[:_MAX_ATTEMPTS]:
        found = _judge(after, asked)
        if found is not None and found.kind is kind:
            return found
    return None


def _judge(after: Setup, asked: TurnToBreak) -> IllegalBoard | None:
    """None when the board is legal, or may be for one who sees no trays, or when the judge cannot tell.

    Nor where it may be the opponent's play.
    """
    if after.side(asked.mover).off == asked.rules.checkers or _may_lie_elsewhere(after, asked):
        return None
    turn = Turn((asked.played.throw,))
    names: list[Rule] = []
    for setup in (
        after,
        *_variants_without_trays(after, asked),
        *_variants_with_heaps(after, asked),
        *_variants_between_heaps(after, asked),
    ):
        ruling = judge(asked.before, asked.mover, turn, setup, asked.rules)
        if not isinstance(ruling, Illegal):
            return None
        names.append(ruling.rules[0])
    if _may_be_the_opponents(after, asked):
        return None
    return IllegalBoard(after, names[0], frozenset(names), not after.faults(asked.rules))


def _may_lie_elsewhere(after: Setup, asked: TurnToBreak) -> bool:
    """Whether what is borne off from outside may as well lie upon a heap, or wait in reserve, for one who sees no trays."""
    before, side = asked.before.counts(asked.mover), after.side(asked.mover)
    is_early = side.off > before[OFF] and any(before[point] for point in POINTS if point not in HOME)
    return is_early and (before[RESERVE] > 0 or max(side.points) > _MAX_COUNTABLE)


def _may_be_the_opponents(after: Setup, asked: TurnToBreak) -> bool:
    """Whether the opponent could have played to it with this very throw: the board does not tell whose hand it was."""
    turn = Turn((asked.played.throw,))
    return isinstance(judge(asked.before, asked.mover.opponent, turn, after, asked.rules), Legal)


def _variants_without_trays(after: Setup, asked: TurnToBreak) -> Iterator[Setup]:
    """The same points and bar, what is missing there taken as borne off, or as waiting in reserve."""
    for place in (OFF, RESERVE) if asked.rules.has_reserve else (OFF,):
        sides = []
        for player in Player:
            counts = list(after.side(player).counts)
            missing = asked.rules.checkers - sum(counts)
            if counts[place] + missing >= 0:
                counts[place] += missing
            sides.append(Side.of_counts(tuple(counts), after.side(player).pinned))
        setup = Setup(sides[0], sides[1])
        if setup != after:
            yield setup


def _variants_with_heaps(after: Setup, asked: TurnToBreak) -> Iterator[Setup]:
    """The same with a checker more or less in a heap that cannot be counted, where that makes up for a wrong total."""
    for player in Player:
        side = after.side(player)
        missing = asked.rules.checkers - side.total
        for point in POINTS:
            if abs(missing) == 1 and side.points[point - 1] > _MAX_COUNTABLE:
                counts = list(side.counts)
                counts[point] += missing
                yield _with_side(after, player, tuple(counts), side.pinned)


def _variants_between_heaps(after: Setup, asked: TurnToBreak) -> Iterator[Setup]:
    """The same with one checker on another of two heaps, neither of which can be counted."""
    side = after.side(asked.mover)
    heaps = [point for point in POINTS if side.points[point - 1] > _MAX_COUNTABLE and point not in side.pinned]
    for source in heaps:
        for target in heaps:
            if source != target:
                yield _with_moved(after, asked.mover, source, target)


def _with_rule_waived(asked: TurnToBreak, rule: Rule) -> Iterator[Setup]:
    """The results that only this rule forbids."""
    before, stage, rules = asked.last_before, asked.last_stage, asked.rules
    legal = {play.after for play in legal_plays(before, asked.mover, stage, rules)}
    for after in list_results(before, asked.mover, stage, rules, frozenset((rule,))):
        if after not in legal:
            yield after.setup


def _with_other_numbers(asked: TurnToBreak, _rule: Rule) -> Iterator[Setup]:
    """Legal results of another roll."""
    stage = asked.last_stage
    for roll in ALL_ROLLS:
        numbers = (roll.high,) * 4 if roll.is_double else (roll.high, roll.low)
        if numbers != stage.numbers:
            other = replace(stage, numbers=numbers)
            plays = legal_plays(asked.last_before, asked.mover, other, asked.rules)
            yield from (play.after.setup for play in plays[:: max(1, len(plays) // 3)])


def _move_backwards(asked: TurnToBreak, _rule: Rule) -> Iterator[Setup]:
    """One of the mover's checkers went the wrong way, instead of the play or after it."""
    for setup in (asked.before.setup, asked.played.after.setup):
        counts = setup.side(asked.mover).counts
        for source in POINTS:
            for target in (source + 1, source + 2, source + 5):
                if counts[source] and target <= 24 and _is_free(setup, asked.mover, target, asked.rules):
                    yield _with_moved(setup, asked.mover, source, target)


def _move_opponent(asked: TurnToBreak, _rule: Rule) -> Iterator[Setup]:
    """A checker of the opponent's stands elsewhere after the right play."""
    setup, other = asked.played.after.setup, asked.mover.opponent
    counts = setup.side(other).counts
    for source in POINTS:
        for target in (source - 1, source - 3, source + 2):
            if counts[source] and target in POINTS and _is_free(setup, other, target, asked.rules):
                yield _with_moved(setup, other, source, target)


def _remove_one(asked: TurnToBreak, _rule: Rule) -> Iterator[Setup]:
    """A checker of either side is gone from its point after the right play."""
    yield from _with_one_added(asked, -1)


def _add_one(asked: TurnToBreak, _rule: Rule) -> Iterator[Setup]:
    """A spare checker lies on a point that its side holds."""
    for setup in _with_one_added(asked, 1):
        # with some borne off already it would look like one that came back
        if setup.white.off == setup.black.off == 0:
            yield setup


def _with_one_added(asked: TurnToBreak, by: int) -> Iterator[Setup]:
    setup = asked.played.after.setup
    for player in Player:
        side = setup.side(player)
        for point in POINTS:
            is_plain = point not in side.pinned and _is_free(setup, player, point, asked.rules)
            if is_plain and 0 < side.points[point - 1] <= _MAX_COUNTABLE:
                counts = list(side.counts)
                counts[point] += by
                yield _with_side(setup, player, tuple(counts), side.pinned)


def _misplace_hit(asked: TurnToBreak, _rule: Rule) -> Iterator[Setup]:
    """A checker that was hit left the board, or lies on another point."""
    setup, other = asked.played.after.setup, asked.mover.opponent
    if setup.side(other).bar <= asked.before.counts(other)[BAR]:
        return
    side = setup.side(other)
    away = list(side.counts)
    away[BAR] -= 1
    yield _with_side(setup, other, tuple(away), side.pinned)
    for point in POINTS:
        if _is_free(setup, other, point, asked.rules):
            yield _with_moved(setup, other, BAR, point)


def _is_free(setup: Setup, player: Player, point: int, rules: Ruleset) -> bool:
    """Whether none of the other side's checkers stand there."""
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
