"""What a search for a legal way is asked, and what it finds.

A turn is one *line* of stages, each with what the judge must know about its place in the turn. A few whole cascades have
millions of ways, and a search through them would take minutes: then the answer is `Undecided`. Effort is counted, not
timed, so the same question has the same answer on every machine.
"""

from dataclasses import dataclass, field

from controller.rules.player import Player
from controller.rules.position import Position
from controller.rules.ruleset import Ruleset
from controller.rules.rulings import Rule
from controller.rules.stages import Follow, Stage, Throw, ThrowKind, Turn, find_follow
from controller.rules.steps import Step

TO_DECIDE = 6_000  # looks at a board; a quarter of a second of CPython on a desktop machine, and rarely a half
TO_EXPLAIN = 800  # for each rule that may have stood in the way


class EffortSpentError(Exception):
    """The search looked at as many boards as it may and has no answer."""


@dataclass(slots=True)
class Effort:
    """The looks that are left; shared by all parts of one search."""

    left: int

    def spend(self) -> None:
        """One more look; raises EffortSpentError when there is none left."""
        if self.left <= 0:
            raise EffortSpentError
        self.left -= 1


@dataclass(frozen=True, slots=True)
class TurnStage:
    """One stage of a turn. `head_taken`: head checkers that left in its throw before the line begins."""

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
        """Whether the turn goes on with the next throw although this stage was not completed."""
        return self.throw.kind is ThrowKind.TRANSFER

    def make_stage(self, head_left: int) -> Stage:
        """The stage as it stands after `head_left` checkers left the head earlier in its throw."""
        return Stage(self.numbers, self.first_roll, self.head_taken + head_left)

    def follow(self, unused: tuple[int, ...], rules: Ruleset) -> Follow:
        """What follows the stage when `unused` of its numbers were left."""
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
    """A single stage asked about by itself."""
    first_roll = stage.first_roll and kind is ThrowKind.ROLL  # handed-over numbers are no first throw (3.1)
    throw = Throw(kind, (stage.numbers,), is_first_roll=first_roll)
    return (TurnStage(throw, 0, 0, first_roll, stage.head_taken),)


@dataclass(frozen=True, slots=True)
class PathQuery:
    """What is asked: from `before` through `line` to `goal` under `rules`, less the `waived` ones.

    A search through several stages raises EffortSpentError when it takes more than `effort`.
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
    """One legal way through a stage; `unused` are the numbers it leaves."""

    steps: tuple[Step, ...]
    unused: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TurnPath:
    """One legal way through a turn, which ends in stage `last` of its line with `unused` numbers of it left."""

    steps: tuple[Step, ...]
    last: int
    unused: tuple[int, ...]
