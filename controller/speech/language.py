"""The languages of the text packs, and which form of a text goes with a whole number.

The plural categories are those of Unicode CLDR, as the browser's `Intl.PluralRules` has them.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from types import MappingProxyType


class Language(Enum):
    """A language that has a pack of texts, with its code for browsers and voices (BCP 47)."""

    ENGLISH = "en"
    ARABIC = "ar"
    FRENCH = "fr"
    GEORGIAN = "ka"
    GERMAN = "de"
    GREEK = "el"
    LITHUANIAN = "lt"
    RUSSIAN = "ru"
    SPANISH = "es"
    TURKISH = "tr"


def plural_category(language: Language, number: int) -> str:
    """The form of a text that goes with `number` (not negative): zero, one, two, few, many or other."""
    return _RULES.get(language, _one_or_other)(number)


def list_plural_categories(language: Language) -> frozenset[str]:
    """The forms that a text with a number needs; `other` is always among them."""
    return frozenset({plural_category(language, number) for number in range(200)} | {"other"})


def _one_or_other(number: int) -> str:
    return "one" if number == 1 else "other"


def _french(number: int) -> str:
    return "one" if number < 2 else "other"


def _russian(number: int) -> str:
    if number % 10 == 1 and number % 100 != 11:
        return "one"
    return "few" if number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14) else "many"


def _lithuanian(number: int) -> str:
    if 10 < number % 100 < 20 or number % 10 == 0:
        return "other"
    return "one" if number % 10 == 1 else "few"


def _arabic(number: int) -> str:
    if number < 3:
        return ("zero", "one", "two")[number]
    last = number % 100
    if last < 3:
        return "other"
    return "few" if last < 11 else "many"


_RULES: Mapping[Language, Callable[[int], str]] = MappingProxyType(
    {Language.FRENCH: _french, Language.RUSSIAN: _russian, Language.LITHUANIAN: _lithuanian, Language.ARABIC: _arabic}
)
