"""The question to a search for a legal path, its limit of effort, and the paths that it finds.

A turn is one *line* of stages, each with its place in the turn. A few cascades have millions of paths, and a search
through all of them would take minutes; such a turn is `Undecided`. Effort is counted, not timed, so the same question has
the same answer on every machine.
"""

from dataclasses import dataclass, field

from controller.rules.player import Player
from controller.rules.position import Position
from controller.rules.ruleset import Ruleset
from controller.rules.rulings import Rule
from controller.rules.stages import Follow, Stage, Throw, ThrowKind, Turn, find_follow
from controller.rules.steps import Step

# Knobs: the number of boards that a search may visit. More decides more turns and takes longer; 6,000 boards take about a
# quarter of a second on a desktop machine.
TO_DECIDE = 6_000
TO_EXPLAIN = 800  # for each rule that may stand against a board


class EffortSpentError(Exception):
    """The search visited as many boards as it may and has no answer."""


@dataclass(slots=True)
class Effort:
    """The number of boards that may still be visited; shared by all parts of one search."""

    left: int

    def spend(self) -> None:
        """Counts one visited board; raises EffortSpentError if none is left."""
        if self.left <= 0:
            raise EffortSpentError
        self.left -= 1


@dataclass(frozen=True, slots=True)
class TurnStage:
    """One stage of a turn. `head_taken`: checkers that left the head in its throw before the line begins."""

    throw: Throw
    throw_index: int
    index: int
    first_roll: bool = False
    head_taken: int = 0

    @property
    def numbers(self) -> tuple[int, ...]:
        return self.throw.stages[self.index]

    @property
    def may_be_cut_short(self) -> bool:
        """Whether the turn continues with the next throw if this stage is not completed."""
        return self.throw.kind is ThrowKind.TRANSFER

    def make_stage(self, head_left: int) -> Stage:
        """The stage after `head_left` checkers have left the head earlier in its throw."""
        return Stage(self.numbers, self.first_roll, self.head_taken + head_left)

    def follow(self, unused: tuple[int, ...], rules: Ruleset) -> Follow:
        """What follows the stage if `unused` of its numbers are left."""
        return find_follow(self.throw, self.index, unused, rules)


Line = tuple[TurnStage, ...]


def make_line(turn: Turn) -> Line:
    """The stages of a turn in order."""
    return tuple(
        TurnStage(throw, throw_index, index, first_roll=throw.is_first_roll and index == 0)
        for throw_index, throw in enumerate(turn.throws)
        for index in range(len(throw.stages))
    )


def make_stage_line(stage: Stage, kind: ThrowKind) -> Line:
    """The line of a single stage that is judged by itself."""
    first_roll = stage.first_roll and kind is ThrowKind.ROLL  # handed-over numbers are never the first throw
    throw = Throw(kind, (stage.numbers,), is_first_roll=first_roll)
    return (TurnStage(throw, 0, 0, first_roll, stage.head_taken),)


@dataclass(frozen=True, slots=True)
class PathQuery:
    """Is there a legal path from `before` through `line` to `goal` under `rules` without the `waived` rules?

    A search through several stages raises EffortSpentError when it exceeds `effort`.
    """

    before: Position
    mover: Player
    line: Line
    goal: Position
    rules: Ruleset
    waived: frozenset[Rule]
    effort: Effort = field(default_factory=lambda: Effort(TO_DECIDE))


@dataclass(frozen=True, slots=True)
class StagePath:
    """One legal path through a stage; `unused` are the numbers that it leaves."""

    steps: tuple[Step, ...]
    unused: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TurnPath:
    """One legal path through a turn; it ends in stage `last` of the line with `unused` numbers of that stage left."""

    steps: tuple[Step, ...]
    last: int
    unused: tuple[int, ...]
