"""A turn as one line of stages, each with what the judge must know about its place in it."""

from dataclasses import dataclass

from controller.rules.ruleset import Ruleset
from controller.rules.stages import Follow, Stage, Throw, ThrowKind, Turn, find_follow


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
