"""Readers of the fields that questions about dice games share: variant, options, position, numbers, roll."""

from controller.rule_answers import fields
from controller.rules import (
    GRASSHOPPER,
    ImpossibleSetupError,
    NumbersError,
    Position,
    PositionTextError,
    Roll,
    Ruleset,
    RulesetError,
    Setup,
    UnknownGameError,
    get_ruleset,
    parse_setup,
    with_options,
)

_LONGEST_THROW = 24  # a full cascade from the ones


def read_rules(case: fields.Case, house: Ruleset | None) -> Ruleset:
    """Reads the ruleset of `variant` and `options`; `house` is an additional house variant."""
    name = fields.read_required(case, "variant", fields.read_text)
    try:
        base = house if house is not None and name == house.name else get_ruleset(name)
    except UnknownGameError as error:
        remedy = "ask about it with the kind grasshopper" if name == GRASSHOPPER else str(error)
        raise fields.CaseError(f"field 'variant': {remedy}") from None
    try:
        return with_options(base, fields.read_options(case.get("options"), "options"))
    except RulesetError as error:
        raise fields.CaseError(f"field 'options': {error}") from None


def read_setup(value: object, name: str) -> Setup:
    """Reads a position text, possible or not."""
    try:
        return parse_setup(fields.read_text(value, name))
    except PositionTextError as error:
        raise fields.CaseError(f"field {name!r}: {error}") from None


def make_position_reader(rules: Ruleset) -> fields.Reader[Position]:
    """Makes a reader of positions of one game."""

    def read(value: object, name: str) -> Position:
        try:
            return Position.of(read_setup(value, name), rules)
        except ImpossibleSetupError as error:
            raise fields.CaseError(f"field {name!r}: {error}") from None

    return read


def read_numbers(value: object, name: str) -> tuple[int, ...]:
    """Reads one or more numbers of dice, in any order."""
    found = fields.ListOf(fields.WholeNumber(1, 6), longest=_LONGEST_THROW)(value, name)
    if not found:
        raise fields.CaseError(f"field {name!r}: there are no numbers; give one or more from 1 to 6")
    return found


def read_unused_numbers(value: object, name: str) -> tuple[int, ...]:
    """Reads numbers of dice, possibly none."""
    return fields.ListOf(fields.WholeNumber(1, 6), longest=_LONGEST_THROW)(value, name)


def read_roll(value: object, name: str) -> Roll:
    return Roll.of(*fields.read_pair_of_dice(value, name))


def to_case_error(name: str, error: NumbersError) -> fields.CaseError:
    return fields.CaseError(f"field {name!r}: {error}")
