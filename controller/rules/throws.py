"""Which throws count, and why the others do not (README, Valid throws).

The input is how the dice lie. An unknown detail is None; it makes the ruling unsure, unless a known detail already makes
the throw invalid. All reasons are reported together.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from controller.rules.errors import ExplainedEnum
from controller.rules.player import Player
from controller.rules.ruleset import DiceHalf, DiceOnChecker, Ruleset


class Lie(Enum):
    """How a die lies; the values are those of `read --json`."""

    FLAT = "flat"
    COCKED = "cocked"
    ON_CHECKER = "on_checker"
    ON_BAR = "on_bar"
    ON_RIM = "on_rim"
    OFF_BOARD = "off_board"
    MOVING = "moving"


_IN_A_HALF = (Lie.FLAT, Lie.COCKED, Lie.ON_CHECKER)


class Half(Enum):
    """A half of the board beside the bar, in the picture."""

    LEFT = "left"
    RIGHT = "right"

    @property
    def other(self) -> "Half":
        return Half.RIGHT if self is Half.LEFT else Half.LEFT


@dataclass(frozen=True, slots=True)
class ThrownDie:
    """One die in view; None stands for an unknown detail.

    `is_flat_on_checker`: whether a die that lies on a checker lies flat there. It matters only for `Lie.ON_CHECKER`, and
    for `may_lie_on_checker`, which says that the die may lie on a checker although another lie is more likely. `whose`
    matters only in the opening throw. `lay_before`: the die lay there before this throw and does not belong to it, because
    each player may have his own pair.
    """

    value: int | None
    lie: Lie | None = Lie.FLAT
    half: Half | None = None
    is_flat_on_checker: bool | None = None
    may_lie_on_checker: bool = False
    whose: Player | None = None
    lay_before: bool = False


class EarlyThrow(Enum):
    """What becomes of a throw before the opponent has lifted his dice; officiating profiles differ here."""

    VOID = "void"
    STANDS = "stands"
    OPPONENT_CHOOSES = "opponent_chooses"


@dataclass(frozen=True, slots=True)
class ThrowRules:
    """What a valid throw must fulfil besides lying flat."""

    dice_half: DiceHalf = DiceHalf.ANY
    dice_on_checker: DiceOnChecker = DiceOnChecker.RETHROW
    dice_together: bool = False
    early_throw: EarlyThrow = EarlyThrow.VOID

    @classmethod
    def of(cls, rules: Ruleset, early_throw: EarlyThrow = EarlyThrow.VOID) -> "ThrowRules":
        return cls(rules.dice_half, rules.dice_on_checker, rules.dice_together, early_throw)


@dataclass(frozen=True, slots=True)
class ThrowContext:
    """What the dice themselves do not show.

    `right_half`: the half on the thrower's right; in the opening throw, on White's right. None means unknown, also for
    `thrown_together` and `opponent_lifted`. The opening throw always has two dice, whatever `expected` says.
    """

    expected: int = 2
    is_opening: bool = False
    right_half: Half | None = None
    thrown_together: bool | None = None
    opponent_lifted: bool | None = True

    @property
    def needed_count(self) -> int:
        return 2 if self.is_opening else self.expected


class BadThrow(ExplainedEnum):
    """Why a throw does not count, in the order in which reasons are reported."""

    OFF_BOARD = "off_board", "A die left the board; throw all dice again."
    ON_CHECKER = "on_checker", "A die lies on a checker; throw all dice again."
    COCKED = "cocked", "A die is cocked; throw all dice again."
    ON_BAR = "on_bar", "A die lies on the bar; throw all dice again."
    ON_RIM = "on_rim", "A die lies on the rim; throw all dice again."
    MISSING_DIE = "missing_die", "A die of this throw is missing; throw all dice again."
    EXTRA_DIE = "extra_die", "There are more dice than the throw needs; take the others away and throw again."
    SPLIT = "split", "The dice lie in different halves; throw all dice again."
    WRONG_HALF = "wrong_half", "The dice must lie in the half on the thrower's right; throw all dice again."
    NOT_TOGETHER = "not_together", "The dice were not thrown at the same time; throw all dice again."
    TOO_EARLY = "too_early", "The opponent had not lifted his dice yet; throw again once he has."


class Unclear(Enum):
    """What is unknown about a throw that cannot be judged; the referee waits for another picture, or asks."""

    MOVING = "moving"
    LIE = "lie"
    HALF = "half"
    VALUE = "value"
    OWNER = "owner"
    TOGETHER = "together"
    LIFTED = "lifted"
    EXTRA_DIE = "extra_die"


@dataclass(frozen=True, slots=True)
class ThrowRuling:
    """The ruling on a throw. `valid` None means unsure, and `unclear` lists the unknown details.

    While a die moves, `unclear` holds nothing but that. `values` is given for a valid throw only: the larger number first,
    or in the opening throw White's and then Black's. `starter` is the winner of a valid opening throw; None means equal
    dice, which are thrown again.
    """

    valid: bool | None
    values: tuple[int, ...] | None = None
    reasons: tuple[BadThrow, ...] = ()
    unclear: tuple[Unclear, ...] = ()
    opponent_may_refuse: bool = False
    starter: Player | None = None


def judge_throw(dice: tuple[ThrownDie, ...], context: ThrowContext, rules: ThrowRules) -> ThrowRuling:
    """Whether a throw counts; `dice` are all dice in view and those known to have left the board."""
    thrown = tuple(die for die in dice if not die.lay_before)
    if any(die.lie is Lie.MOVING for die in thrown):
        return ThrowRuling(None, unclear=(Unclear.MOVING,))
    findings = {
        *_check_single_dice(thrown, rules),
        *_check_number(thrown, context),
        *_check_half(thrown, context, rules),
        *_check_moment(context, rules),
    }
    reasons = tuple(reason for reason in BadThrow if reason in findings)
    if reasons:
        return ThrowRuling(False, reasons=reasons)
    if context.is_opening:
        thrown = _order_white_first(thrown, context)
        if not thrown:
            findings.add(Unclear.OWNER)
    unclear = tuple(question for question in Unclear if question in findings)
    return ThrowRuling(None, unclear=unclear) if unclear else _make_valid_ruling(thrown, context, rules)


def _check_single_dice(thrown: tuple[ThrownDie, ...], rules: ThrowRules) -> Iterator[BadThrow | Unclear]:
    for die in thrown:
        if die.lie is None:
            yield Unclear.LIE
        elif (die.lie is Lie.ON_CHECKER or die.may_lie_on_checker) and rules.dice_on_checker is DiceOnChecker.VALID:
            yield from _check_die_on_checker(die)
        elif die.lie is not Lie.FLAT:
            yield BadThrow(die.lie.value)
        if die.value is None:
            yield Unclear.VALUE


def _check_die_on_checker(die: ThrownDie) -> Iterator[BadThrow | Unclear]:
    """With `dice_on_checker = valid` a die that lies flat on checkers counts; a leaning one is cocked."""
    if die.is_flat_on_checker is None:
        yield Unclear.LIE
    elif not die.is_flat_on_checker:
        yield BadThrow.COCKED


def _check_number(thrown: tuple[ThrownDie, ...], context: ThrowContext) -> Iterator[BadThrow]:
    if len(thrown) < context.needed_count:
        yield BadThrow.MISSING_DIE
    elif len(thrown) > context.needed_count:
        yield BadThrow.EXTRA_DIE


def _check_half(
    thrown: tuple[ThrownDie, ...], context: ThrowContext, rules: ThrowRules
) -> Iterator[BadThrow | Unclear]:
    """A die on the bar, on the rim or off the board lies in no half and is reported by its lie alone."""
    if context.is_opening:
        return
    halves = {die.half for die in thrown if die.lie is None or die.lie in _IN_A_HALF}
    if {Half.LEFT, Half.RIGHT} <= halves:
        yield BadThrow.SPLIT
    if rules.dice_half is DiceHalf.RIGHT and context.right_half is None:
        yield Unclear.HALF
    elif rules.dice_half is DiceHalf.RIGHT and context.right_half and context.right_half.other in halves:
        yield BadThrow.WRONG_HALF
    if None in halves:
        yield Unclear.HALF


def _check_moment(context: ThrowContext, rules: ThrowRules) -> Iterator[BadThrow | Unclear]:
    asks_together = rules.dice_together and not context.is_opening  # in the opening each player throws one die
    if asks_together and context.thrown_together is None:
        yield Unclear.TOGETHER
    elif asks_together and not context.thrown_together:
        yield BadThrow.NOT_TOGETHER
    if context.opponent_lifted is None and rules.early_throw is not EarlyThrow.STANDS:
        yield Unclear.LIFTED
    elif context.opponent_lifted is False and rules.early_throw is EarlyThrow.VOID:
        yield BadThrow.TOO_EARLY


def _order_white_first(thrown: tuple[ThrownDie, ...], context: ThrowContext) -> tuple[ThrownDie, ...]:
    """White's die, then Black's; empty if the owners are unknown. One known owner is enough."""
    first, second = (_find_owner(die, context) for die in thrown)
    first = first or (second.opponent if second else None)
    if first is None or first is second:
        return ()
    return thrown if first is Player.WHITE else thrown[::-1]


def _find_owner(die: ThrownDie, context: ThrowContext) -> Player | None:
    """Who threw a die of the opening throw: the known owner, else the player in whose right half it lies."""
    if die.whose or die.half is None or context.right_half is None:
        return die.whose
    return Player.WHITE if die.half is context.right_half else Player.BLACK


def _make_valid_ruling(thrown: tuple[ThrownDie, ...], context: ThrowContext, rules: ThrowRules) -> ThrowRuling:
    values = tuple(die.value for die in thrown if die.value is not None)
    may_refuse = context.opponent_lifted is False and rules.early_throw is EarlyThrow.OPPONENT_CHOOSES
    if not context.is_opening:
        return ThrowRuling(True, tuple(sorted(values, reverse=True)), opponent_may_refuse=may_refuse)
    white, black = values
    starter = None if white == black else Player.WHITE if white > black else Player.BLACK
    return ThrowRuling(True, values, starter=starter)
