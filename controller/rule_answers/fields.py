"""Small strict readers for untrusted JSON cases.

A reader takes a value and the name of its field and returns the typed value, or raises CaseError with one sentence that
names the field and the remedy. `read_required` and `read_optional` fetch a field from a case and read it:
`read_required(case, "roll", read_pair_of_dice)`, `read_optional(case, "rolls_before", WholeNumber(0, 99), 99)`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

T = TypeVar("T")
D = TypeVar("D")
E = TypeVar("E", bound=Enum)
Case = Mapping[str, object]
Reader = Callable[[object, str], T]

_SHOWN = 40  # characters of a wrong value that a sentence repeats
_JSON_WORDS = {None: "null", True: "true", False: "false"}


class CaseError(ValueError):
    """A case that cannot be answered; the text is one sentence that names the field and the remedy."""


def shorten_value(value: object) -> str:
    """A wrong value as JSON, shortened."""
    if value is None or isinstance(value, bool):
        return _JSON_WORDS[value]
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # thousands of digits, or of nested brackets
        return "a value too large to show"
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def make_case_error(name: str, value: object, fault: str, remedy: str) -> CaseError:
    """Makes an error like `field 'roll': 7 is no die; give two numbers from 1 to 6`."""
    return CaseError(f"field {name!r}: {shorten_value(value)} {fault}; {remedy}")


def read_required(case: Case, name: str, read: Reader[T]) -> T:
    if name not in case:
        raise CaseError(f"field {name!r} is missing; add it to the case")
    return read(case[name], name)


def read_optional(case: Case, name: str, read: Reader[T], default: D) -> T | D:
    """Returns `default` if the field is missing; a null is read like any other value."""
    return read(case[name], name) if name in case else default


def read_text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise make_case_error(name, value, "is no text", "put it in quotes")
    return value


def read_flag(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise make_case_error(name, value, "is neither true nor false", "give one of them")
    return value


def read_mapping(value: object, name: str) -> Case:
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise make_case_error(name, value, "is no object", "give names and values in braces")
    return value


def read_options(value: object, name: str) -> Case:
    """Reads an object of options; null stands for no options."""
    return {} if value is None else read_mapping(value, name)


def read_items(value: object, name: str) -> tuple[object, ...]:
    if not isinstance(value, list | tuple):
        raise make_case_error(name, value, "is no list", "give a list in brackets")
    return tuple(value)


def read_die(value: object, name: str) -> int:
    # In Python, bool is an int; in JSON, true and false are no numbers.
    if not isinstance(value, int) or isinstance(value, bool) or value not in range(1, 7):
        raise make_case_error(name, value, "is no die", "give two numbers from 1 to 6")
    return value


def read_pair_of_dice(value: object, name: str) -> tuple[int, int]:
    """Reads two numbers from 1 to 6, in the given order."""
    dice = tuple(read_die(entry, name) for entry in read_items(value, name))
    if len(dice) != 2:
        raise make_case_error(name, value, "is no pair of dice", "give two numbers from 1 to 6")
    return dice[0], dice[1]


def check_known_names(given: Case, name: str, known: Iterable[str]) -> None:
    """Raises CaseError for an unknown option, because a misspelt option would silently change the rules."""
    names = sorted(known)
    for key in given:
        if key not in names:
            remedy = f"known are {', '.join(names)}" if names else "there are none in this game"
            raise CaseError(f"field {name!r}: unknown option {shorten_value(key)}; {remedy}")


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """Reads a whole number from `low` to `high`, both included."""

    low: int
    high: int

    def __call__(self, value: object, name: str) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise make_case_error(name, value, "is no whole number", f"give one from {self.low} to {self.high}")
        if not self.low <= value <= self.high:
            raise make_case_error(name, value, "is out of range", f"give a number from {self.low} to {self.high}")
        return value


@dataclass(frozen=True, slots=True)
class EnumChoice(Generic[E]):
    """Reads a member of an Enum by its value, a text."""

    among: type[E]

    def __call__(self, value: object, name: str) -> E:
        for member in self.among:
            if isinstance(value, str) and member.value == value:
                return member
        names = ", ".join(str(member.value) for member in self.among)
        raise make_case_error(name, value, "is unknown", f"give one of {names}")


@dataclass(frozen=True, slots=True)
class TextChoice:
    """Reads one of a few texts that no Enum holds."""

    among: tuple[str, ...]

    def __call__(self, value: object, name: str) -> str:
        if isinstance(value, str) and value in self.among:
            return value
        raise make_case_error(name, value, "is unknown", f"give one of {', '.join(self.among)}")


@dataclass(frozen=True, slots=True)
class OrNone(Generic[T]):
    """Reads null as None and every other value with `read`."""

    read: Reader[T]

    def __call__(self, value: object, name: str) -> T | None:
        return None if value is None else self.read(value, name)


@dataclass(frozen=True, slots=True)
class ListOf(Generic[T]):
    """Reads a list of at most `longest` entries; the third entry of `games` is named `games[2]`."""

    read: Reader[T]
    longest: int = 100_000

    def __call__(self, value: object, name: str) -> tuple[T, ...]:
        entries = read_items(value, name)
        if len(entries) > self.longest:
            raise CaseError(f"field {name!r}: {len(entries)} entries are too many; give at most {self.longest}")
        return tuple(self.read(entry, f"{name}[{index}]") for index, entry in enumerate(entries))
