"""Options on top of a game, and whole house variants from TOML text. All mistakes are reported at once.

A house variant names itself, the game it is based on, and the parameters that differ (README, Parameters):

    name = "club_nardy"
    base = "long_nardy"

    [parameters]
    head_limit = 2
    prime = "none"
"""

from collections.abc import Iterable, Mapping
from dataclasses import Field, fields, replace
from enum import Enum
from types import NoneType
from typing import cast, get_args, get_type_hints

from controller.rules.bounded_toml import KeyPath, TomlTextError, key_lines, line_of, read_toml
from controller.rules.errors import RulesetError, quote_value, suggest
from controller.rules.player import POINTS, RESERVE
from controller.rules.ruleset import Contact, Doubles, HomeHit, Ruleset, Transfer
from controller.rules.variants import GAMES, RULESETS

_TYPES = get_type_hints(Ruleset)
_PARAMETERS: dict[str, Field[object]] = {one.name: one for one in fields(Ruleset) if one.name != "name"}
_VARIANT_KEYS = ("name", "base", "parameters")


class _Mistake(ValueError):
    """One wrong value; its text is the sentence that the player reads."""


def with_options(base: Ruleset, options: Mapping[str, object]) -> Ruleset:
    """Changes the named parameters of `base`; raises RulesetError with every mistake."""
    changed: dict[str, object] = {}
    problems: dict[str, str] = {}
    for name, value in options.items():
        try:
            changed[name] = _read_parameter(name, value)
        except _Mistake as mistake:
            problems[name] = str(mistake)
    if problems:
        raise _ruleset_error(((name,), problem) for name, problem in problems.items())
    if not changed:
        return base
    rules = replace(base, **changed)  # type: ignore[arg-type]  # `_read_parameter` returns the type of the field
    if contradictions := _find_contradictions(rules):
        raise _ruleset_error(((name,), f"{name}: {problem}") for name, problem in contradictions)
    return rules


def _ruleset_error(mistakes: Iterable[tuple[KeyPath, str]]) -> RulesetError:
    keys, problems = zip(*mistakes, strict=True)
    return RulesetError(problems, keys)


def parse_house_variant(text: str) -> Ruleset:
    """Reads the ruleset that TOML text defines; raises RulesetError with every mistake."""
    try:
        table: dict[str, object] = read_toml(text)
    except TomlTextError as error:
        raise RulesetError((str(error),)) from None
    problems: list[tuple[KeyPath, str]] = [
        ((key,), f"unknown key {quote_value(key)}; {suggest(key, _VARIANT_KEYS)}")
        for key in table
        if key not in _VARIANT_KEYS
    ]
    name, base, parameters = (table.get(key) for key in _VARIANT_KEYS)
    if not isinstance(name, str) or not name.replace("_", "").isalnum():
        problems.append((("name",), "name: give the variant a name of letters, digits and underscores"))
    elif name in GAMES:
        problems.append((("name",), f"name: {name} is a built-in game; choose another name"))
    if not isinstance(base, str) or base not in RULESETS:
        named = "name the game that it changes" if base is None else f"{quote_value(base)} is no game with options"
        problems.append((("base",), f"base: {named}; {suggest(base, RULESETS)}"))
    rules = RULESETS.get(str(base), RULESETS["backgammon"])
    if isinstance(parameters, dict):
        try:
            rules = with_options(rules, parameters)
        except RulesetError as error:
            problems += [
                (("parameters", *key), problem) for key, problem in zip(error.keys, error.problems, strict=True)
            ]
    elif parameters is not None:
        problems.append((("parameters",), "parameters: write them as a table, [parameters]"))
    if problems:
        raise _ruleset_error(problems)
    return replace(rules, name=cast(str, name))


def place_problems(error: RulesetError, file: object, text: str) -> tuple[tuple[str, str], ...]:
    """The mistakes in the text of a house variant, in its order: the file with the line, and the problem."""
    lines = key_lines(text) if any(error.keys) else {}
    placed = sorted(
        ((line_of(key, lines), problem) for key, problem in zip(error.keys, error.problems, strict=True)),
        key=lambda one: one[0] or 0,
    )
    return tuple((f"{file}" if line is None else f"{file}, line {line}", problem) for line, problem in placed)


def _read_parameter(name: str, value: object) -> object:
    if name not in _PARAMETERS:
        raise _Mistake(f"unknown option {quote_value(name)}; {suggest(name, _PARAMETERS)}")
    if name == "start":
        return _read_start(value)
    kind, metadata = _TYPES[name], _PARAMETERS[name].metadata
    may_be_none = NoneType in get_args(kind)
    if value is None or (may_be_none and value == "none"):
        if may_be_none:
            return None
        raise _Mistake(f"option {name}: null means no limit, and {name} is no limit; give a value")
    if "choices" in metadata:
        return _read_choice(name, value, metadata["choices"])
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(_read_choice(name, value, tuple(one.value for one in kind)))
    if kind is bool:
        return _read_flag(name, value)
    return _read_whole_number(name, value, metadata["low"], metadata["high"], may_be_none=may_be_none)


def _read_choice(name: str, value: object, choices: tuple[object, ...]) -> object:
    if isinstance(value, bool) or value not in choices:
        raise _Mistake(f"option {name}: {quote_value(value)} is not known; {suggest(value, map(str, choices))}")
    return value


def _read_flag(name: str, value: object) -> bool:
    words = {"yes": True, "no": False}
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value in words:
        return words[value]
    raise _Mistake(f"option {name}: {quote_value(value)} is neither true nor false; write one of them")


def _read_whole_number(name: str, value: object, low: int, high: int, *, may_be_none: bool) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
        return value
    none = ', or "none"' if may_be_none else ""
    raise _Mistake(f"option {name}: {quote_value(value)} does not fit; give a whole number from {low} to {high}{none}")


def _read_start(value: object) -> tuple[tuple[int, int], ...]:
    """Reads a start position like `24:2 13:5 8:3 6:5` or `reserve:15`."""
    sentence = (
        f"option start: {quote_value(value)} is no start position; write point:checkers pairs, like 24:2 13:5 8:3 6:5"
    )
    if not isinstance(value, str) or not value.split():
        raise _Mistake(sentence)
    pairs: dict[int, int] = {}
    for pair in value.split():
        place, _, count = pair.partition(":")
        coordinate = RESERVE if place == "reserve" else _read_small_number(place)
        if not (coordinate == RESERVE or coordinate in POINTS) or not _read_small_number(count):
            raise _Mistake(sentence)
        if coordinate in pairs or not 1 <= int(count) <= 15:
            raise _Mistake(
                f"option start: {quote_value(pair)} names a point twice or not 1 to 15 checkers; correct that pair"
            )
        pairs[coordinate] = int(count)
    return tuple(sorted(pairs.items(), reverse=True))


def _read_small_number(text: str) -> int:
    """Reads a number of one or two digits; 0 for any other text, however long."""
    return int(text) if len(text) <= 2 and text.isascii() and text.isdigit() else 0


def _find_contradictions(rules: Ruleset) -> tuple[tuple[str, str], ...]:
    """Finds values that are each valid but do not make a game together: the name of an option, and the problem."""
    problems = []
    standing = sum(count for _, count in rules.start)
    if standing != rules.checkers:
        problems.append(("start", f"{standing} checkers stand there, but checkers = {rules.checkers}; make them equal"))
    both_sides = {point for point, _ in rules.start} & {
        rules.direction.across(point) for point, _ in rules.start if point in POINTS
    }
    if both_sides:
        problems.append(("start", f"both armies would stand on point {min(both_sides)}; move one of the start points"))
    if rules.head_limit is not None and rules.contact is Contact.HIT:
        problems.append(
            ("head_limit", "with contact = hit checkers enter on the head again; set contact = block or no limit")
        )
    if rules.home_hit is not HomeHit.FREE and rules.contact is not Contact.HIT:
        problems.append(("home_hit", "without contact = hit nothing is hit; set home_hit = free"))
    goes_on = rules.doubles is Doubles.CASCADE or rules.bonus_roll or rules.transfer is not Transfer.NONE
    if rules.home_hit is not HomeHit.FREE and goes_on:
        problems.append(
            (
                "home_hit",
                "a hit is remembered for one stage, so cascades, transfer and bonus_roll do not go with it; drop one",
            )
        )
    if rules.transfer is Transfer.CASCADE and rules.doubles is not Doubles.CASCADE:
        problems.append(("transfer", "cascade needs doubles = cascade; set both or use transfer = all"))
    if rules.mother and rules.contact is not Contact.PIN:
        problems.append(("mother", "a mother checker can only be caught where contact = pin; set both or neither"))
    return tuple(problems)
