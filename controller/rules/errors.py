"""Exceptions of the rules core: a broken caller or broken text. An illegal play is a value, not an exception.

The reasons that such values give are members of an `ExplainedEnum`.
"""

from collections.abc import Iterable
from enum import Enum
from typing import Self

_LONGEST_WORD = 100  # of a word that is compared with others, which takes the product of both lengths


class ExplainedEnum(Enum):
    """Reasons, each with the sentence that tells it to people; `value` is the name in files."""

    _value_: str
    sentence: str

    def __new__(cls, value: str, sentence: str = "") -> Self:  # without a sentence: a look-up by value
        member = object.__new__(cls)
        member._value_, member.sentence = value, sentence
        return member


def quote_value(value: object) -> str:
    """An untrusted value for a message: quoted, and at most 60 characters long."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def suggest(word: object, words: Iterable[str]) -> str:
    """The remedy for a wrong word: the most similar one, else all that there are."""
    import difflib

    known = list(words)
    near = difflib.get_close_matches(word, known, n=1) if isinstance(word, str) and len(word) <= _LONGEST_WORD else ()
    return f"did you mean {near[0]}?" if near else f"choose one of {', '.join(known)}"


class RulesError(Exception):
    """Base of every exception raised by `controller.rules`; its text is one sentence with the remedy."""


class UnknownGameError(RulesError, LookupError):
    """A game name that no ruleset carries."""


class RulesetError(RulesError, ValueError):
    """Options or a house variant that do not make a ruleset.

    `problems` holds one sentence for each mistake, `keys` where each stands in the text of a house variant; () is unknown.
    """

    def __init__(self, problems: tuple[str, ...], keys: tuple[tuple[str, ...], ...] = ()) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems
        self.keys = keys or ((),) * len(problems)


class PositionTextError(RulesError, ValueError):
    """Text that does not have the form of a position."""


class NumbersError(RulesError, ValueError):
    """Dice or stage numbers that no throw can give."""
