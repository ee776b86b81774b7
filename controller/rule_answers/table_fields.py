"""Fields that the questions about dice games share: variant, options, player, position, numbers, roll."""

from controller.rule_answers.fields import Case, CaseError, ListOf, Reader, Whole, options, pair_of_dice, required, text
from controller.rules.errors import NumbersError, PositionTextError, RulesetError, UnknownGameError
from controller.rules.house_rules import with_options
from controller.rules.notation import parse_setup
from controller.rules.position import Position
from controller.rules.roll import Roll
from controller.rules.ruleset import Ruleset
from controller.rules.setup import ImpossibleSetupError, Setup
from controller.rules.variants import GRASSHOPPER, ruleset_named

_LONGEST_THROW = 24  # a full cascade from the ones


def rules_of(case: Case, house: Ruleset | None) -> Ruleset:
    """The ruleset that `variant` and `options` name; `house` is a house variant known besides."""
    name = required(case, "variant", text)
    try:
        base = house if house is not None and name == house.name else ruleset_named(name)
    except UnknownGameError as error:
        remedy = "ask about it with the kind grasshopper" if name == GRASSHOPPER else str(error)
        raise CaseError(f"field 'variant': {remedy}") from None
    try:
        return with_options(base, options(case.get("options"), "options"))
    except RulesetError as error:
        raise CaseError(f"field 'options': {error}") from None


def setup(value: object, name: str) -> Setup:
    """Checkers as a position text claims them."""
    try:
        return parse_setup(text(value, name))
    except PositionTextError as error:
        raise CaseError(f"field {name!r}: {error}") from None


def position_under(rules: Ruleset) -> Reader[Position]:
    """A reader of positions of one game."""

    def read(value: object, name: str) -> Position:
        try:
            return Position.of(setup(value, name), rules)
        except ImpossibleSetupError as error:
            raise CaseError(f"field {name!r}: {error}") from None

    return read


def numbers(value: object, name: str) -> tuple[int, ...]:
    """Numbers of dice, one or more, in any order."""
    found = ListOf(Whole(1, 6), longest=_LONGEST_THROW)(value, name)
    if not found:
        raise CaseError(f"field {name!r}: there are no numbers; give one or more from 1 to 6")
    return found


def unused_numbers(value: object, name: str) -> tuple[int, ...]:
    """Numbers of dice, possibly none."""
    return ListOf(Whole(1, 6), longest=_LONGEST_THROW)(value, name)


def roll(value: object, name: str) -> Roll:
    return Roll.of(*pair_of_dice(value, name))


def as_case_error(name: str, error: NumbersError) -> CaseError:
    return CaseError(f"field {name!r}: {error}")
