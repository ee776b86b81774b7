"""What rolls, games and things are called. Only words that a source gives or that are beyond doubt; a gap stays None.

Sources: S000-A, S000-B, S002, S003, S004 as in rules.md; "Tavla" of the Turkish, "Τάβλι" of the Greek and "Backgammon"
of the English Wikipedia.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

# rules.md 7, after S002; the larger number first.
PERSIAN_ROLLS: Mapping[tuple[int, int], str] = MappingProxyType(
    {
        (6, 6): "ду-шеш",
        (5, 5): "ду-беш",
        (4, 4): "дур-чар",
        (3, 3): "ду-сэ",
        (2, 2): "ду-бара",
        (1, 1): "яган",
        (6, 5): "шеш-беш",
        (6, 4): "шеш-чар",
        (6, 3): "шеш-сэ",
        (6, 2): "шеш-ду",
        (6, 1): "шеш-як",
        (5, 4): "пянджи-чар",
        (5, 3): "пянджи-сэ",
        (5, 2): "пянджи-ду",
        (5, 1): "пянджи-як",
        (4, 3): "чари-сэ",
        (4, 2): "чари-ду",
        (4, 1): "чари-як",
        (3, 2): "сэ бай ду",
        (3, 1): "сэ-як",
        (2, 1): "ду-як",
    }
)

# rules.md 7: a double of the dice has many names (S000-B, S002).
RUSSIAN_WORDS_FOR_DOUBLES = ("дубль", "паш", "куш", "куча", "кошка")


def persian_name(first: int, second: int) -> str:
    """The name of a roll, the dice in either order; raises KeyError for numbers that no dice show."""
    return PERSIAN_ROLLS[max(first, second), min(first, second)]


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one tradition. `doubling` is a double of the stake, `redoubling` the answer to it."""

    language: str  # ISO 639-1
    source: str
    checker: str | None = None
    point: str | None = None
    roll: str | None = None
    dice: str | None = None
    double: str | None = None
    gammon: str | None = None
    backgammon: str | None = None
    cube: str | None = None
    bar: str | None = None
    blot: str | None = None
    head: str | None = None
    home: str | None = None
    outer_board: str | None = None
    made_point: str | None = None
    mother: str | None = None
    doubling: str | None = None
    redoubling: str | None = None


ENGLISH = Words(
    "en",
    "Wikipedia, Backgammon",
    checker="checker",
    point="point",
    roll="roll",
    dice="dice",
    double="double",
    gammon="gammon",
    backgammon="backgammon",
    cube="doubling cube",
    bar="bar",
    blot="blot",
    head="head",
    home="home board",
    outer_board="outer board",
    made_point="made point",
    doubling="double",
    redoubling="redouble",
)
RUSSIAN = Words(
    "ru",
    "S000-B, S002",
    checker="шашка",
    point="пункт",
    roll="бросок",
    dice="зары",
    double="дубль",
    gammon="марс",
    backgammon="кокс",
    cube="куб",
    bar="бар",
    head="голова",
    home="дом",
    outer_board="двор",
    doubling="даве",
    redoubling="басе",
)
TURKISH = Words(
    "tr",
    "Wikipedia, Tavla",
    checker="pul",
    dice="zar",
    double="çift",
    gammon="mars",
    made_point="kapı",
)
GREEK = Words(
    "el",
    "Wikipedia, Τάβλι",
    checker="πούλι",
    roll="ζαριά",
    dice="ζάρια",
    double="διπλές",
    gammon="διπλό",
    made_point="πόρτα",
    mother="μάνα",
)
TRADITIONS = (ENGLISH, RUSSIAN, TURKISH, GREEK)


@dataclass(frozen=True, slots=True)
class GameNames:
    """What a game is called: for the page, and natively as pairs of language and name."""

    game: str
    display: str
    words: Words
    source: str
    native: tuple[tuple[str, str], ...] = ()


_GAMES = (
    GameNames("backgammon", "Backgammon", ENGLISH, "S000-A, S002", (("ru", "короткие нарды"),)),
    GameNames("backgammon_g", "Short nardy, no bearing off after a hit at home", RUSSIAN, "S002"),
    GameNames("caucasian", "Short nardy, Caucasian", RUSSIAN, "S002"),
    GameNames("nackgammon", "Nackgammon", ENGLISH, "S000-A; S004 for the Russian name", (("ru", "Нарды 2"),)),
    GameNames("hypergammon", "Hypergammon", ENGLISH, "S004, bkgm.com; also Hyper Backgammon"),
    GameNames("tavla", "Tavla", TURKISH, "S000-A; Wikipedia, Tavla", (("tr", "tavla"),)),
    GameNames("old_english", "Old English backgammon", ENGLISH, "S000-A"),
    GameNames("long_nardy", "Long nardy", RUSSIAN, "S000-A, S000-B, S002", (("ru", "длинные нарды"),)),
    GameNames("nardegammon", "Nardegammon", RUSSIAN, "S000-A"),
    GameNames("gulbar", "Gulbar", RUSSIAN, "S002", (("ru", "гюльбар"),)),
    GameNames("crazy_gulbar", "Crazy gulbar", RUSSIAN, "S002", (("ru", "бешеный гюльбар"),)),
    GameNames("gul_bara", "Gul bara", TURKISH, "S003; also rosespring", (("tr", "gül bara"),)),
    GameNames("grasshopper", "Grasshopper", ENGLISH, "S004, bkgm.com"),
    GameNames("fevga", "Fevga", GREEK, "BrainKing, bkgm.com; Wikipedia, Τάβλι", (("el", "φεύγα"),)),
    GameNames("plakoto", "Plakoto", GREEK, "BrainKing; Wikipedia, Τάβλι", (("el", "πλακωτό"), ("bg", "тапа"))),
    GameNames("backgammon_race", "Backgammon Race", ENGLISH, "S004, BrainKing", (("ru", "долгие"),)),
    GameNames("anti_backgammon", "Anti Backgammon", ENGLISH, "S004, BrainKing", (("ru", "поддавки"),)),
    GameNames("long_gammon", "Long Gammon", ENGLISH, "bkgm.com"),
)

NAMES: Mapping[str, GameNames] = MappingProxyType({names.game: names for names in _GAMES})
