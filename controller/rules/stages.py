"""Rolls, their stages, and what follows a stage (README, From the roll to stages).

A *stage* is a group of numbers that is judged together: two different numbers, or up to four equal ones. A *throw* is
the numbers that a player has to play at one time: his own roll, or numbers handed over by the opponent. A throw has one
or more stages. A *turn* is all throws that a player plays before the opponent throws.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from controller.rules.errors import NumbersError
from controller.rules.ruleset import Doubles, Ruleset, Scope, Transfer
from controller.rules.setup import Setup


@dataclass(frozen=True, slots=True)
class Roll:
    """Two dice thrown for a turn: numbers 1..6, the higher one first."""

    high: int
    low: int

    def __post_init__(self) -> None:
        for number in (self.high, self.low):
            if not 1 <= number <= 6:
                raise NumbersError(f"{number} is no die; a roll has two numbers from 1 to 6")
        if self.high < self.low:
            raise NumbersError(
                f"roll {self.high}-{self.low} has its lower number first; use Roll.of for dice as they lie"
            )

    @classmethod
    def of(cls, first: int, second: int) -> "Roll":
        """The roll of two dice in any order."""
        return cls(max(first, second), min(first, second))

    @property
    def is_double(self) -> bool:
        return self.high == self.low


ALL_ROLLS = tuple(Roll(high, low) for high in range(6, 0, -1) for low in range(high, 0, -1))


@dataclass(frozen=True, slots=True)
class Stage:
    """Numbers that are judged together, falling, and what the head rule needs to know about them.

    `first_roll`: this is the first stage of the player's first own throw of the game. `head_taken`: the number of
    checkers that left the head earlier in the same throw.
    """

    numbers: tuple[int, ...]
    first_roll: bool = False
    head_taken: int = 0

    def __post_init__(self) -> None:
        numbers = self.numbers
        text = ",".join(map(str, numbers)) or "none"
        if not all(1 <= number <= 6 for number in numbers):
            raise NumbersError(f"numbers {text}: every number must be from 1 to 6")
        equal, different = len(set(numbers)) == 1, len(numbers) == 2 and numbers[0] > numbers[1]
        if not (different or (equal and len(numbers) <= 4)):
            raise NumbersError(
                f"numbers {text}: a stage is two different numbers, the higher first, or 1 to 4 equal ones"
            )


def make_stage(numbers: Sequence[int], *, first_roll: bool = False, head_taken: int = 0) -> Stage:
    """Makes a stage of numbers in any order."""
    return Stage(tuple(sorted(numbers, reverse=True)), first_roll, head_taken)


class ThrowKind(Enum):
    """Where the numbers of a throw come from: the player's dice or the opponent's hand-over."""

    ROLL = "roll"
    TRANSFER = "transfer"


@dataclass(frozen=True, slots=True)
class Throw:
    """The numbers that a player has to play at one time, as stages in playing order."""

    kind: ThrowKind
    stages: tuple[tuple[int, ...], ...]
    cascade: bool = False
    is_double: bool = False
    is_first_roll: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """All throws of one turn in order: numbers handed over, the own roll, bonus rolls.

    `boards_between`: the boards at the moments of the second and later throws, if they are known; then each throw is
    judged by itself. Empty if they are not known.
    """

    throws: tuple[Throw, ...]
    boards_between: tuple[Setup, ...] = ()


@dataclass(frozen=True, slots=True)
class RollCounters:
    """The number of rolls before this one: of both players together, and of the player alone."""

    game: int = 0
    player: int = 0


class FollowKind(Enum):
    """What comes after a stage."""

    END_TURN = "end_turn"
    NEXT_RANK = "next_rank"
    ROLL_AGAIN = "roll_again"
    TRANSFER = "transfer"
    GAME_OVER = "game_over"


@dataclass(frozen=True, slots=True)
class Follow:
    """What comes after a stage; `numbers` go to the opponent in the order of the ranks."""

    kind: FollowKind
    numbers: tuple[int, ...] = ()

    def __str__(self) -> str:
        if self.kind is FollowKind.TRANSFER:
            return "transfer:" + ",".join(map(str, self.numbers))
        return str(self.kind.value)


END_TURN = Follow(FollowKind.END_TURN)
GAME_OVER = Follow(FollowKind.GAME_OVER)


def is_cascade(roll: Roll, rules: Ruleset, before: RollCounters) -> bool:
    """Whether this roll is played as a cascade, rank by rank."""
    counted = before.game if rules.ordinary_rolls_scope is Scope.GAME else before.player
    return roll.is_double and rules.doubles is Doubles.CASCADE and counted >= rules.ordinary_rolls


def make_own_throw(roll: Roll, rules: Ruleset, before: RollCounters) -> Throw:
    """The stages of a player's own roll."""
    cascade = is_cascade(roll, rules, before)
    return Throw(
        ThrowKind.ROLL,
        split_into_stages(roll, rules, cascade=cascade),
        cascade,
        roll.is_double,
        is_first_roll=before.player == 0,
    )


def split_into_stages(roll: Roll, rules: Ruleset, *, cascade: bool) -> tuple[tuple[int, ...], ...]:
    """The stages of a roll: two different numbers, a plain double, or the ranks of a cascade."""
    if cascade:
        return tuple((rank,) * rules.cascade_count for rank in range(roll.high, 7))
    return ((roll.high,) * 4,) if roll.is_double else ((roll.high, roll.low),)


def make_transfer_throw(numbers: Sequence[int]) -> Throw:
    """The stages of numbers from the opponent: two different numbers are one stage, equal numbers go rank by rank."""
    ranks = sorted(set(numbers))
    if len(numbers) == 2 and len(ranks) == 2:
        return Throw(ThrowKind.TRANSFER, ((ranks[1], ranks[0]),))
    return Throw(ThrowKind.TRANSFER, tuple((rank,) * numbers.count(rank) for rank in ranks))


def find_follow(throw: Throw, index: int, unused: Sequence[int], rules: Ruleset) -> Follow:
    """What follows stage `index` of `throw` if `unused` of its numbers are left and the game is not over."""
    if throw.kind is ThrowKind.TRANSFER:
        # The second player loses what he cannot play, and a complete hand-over gives no bonus roll.
        more = not unused and index + 1 < len(throw.stages)
        return Follow(FollowKind.NEXT_RANK) if more else END_TURN
    if not unused:
        if index + 1 < len(throw.stages):
            return Follow(FollowKind.NEXT_RANK)
        return Follow(FollowKind.ROLL_AGAIN) if rules.bonus_roll and throw.is_double else END_TURN
    if rules.transfer is Transfer.ALL or (rules.transfer is Transfer.CASCADE and throw.cascade):
        later = tuple(number for stage in throw.stages[index + 1 :] for number in stage)
        return Follow(FollowKind.TRANSFER, tuple(sorted(unused, reverse=True)) + later)
    return END_TURN
