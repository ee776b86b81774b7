"""The names of the games, and the words of the traditions for checkers, dice and wins.

Only words that a source gives or that are beyond doubt; an unknown word is None. README, Sources, has the titles of the
sources; "Tavla" is an article of the Turkish, "Τάβλι" of the Greek, "Backgammon" of the English Wikipedia.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one tradition. `doubling` is an offered double of the stake, `redoubling` the redouble."""

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


# fmt: off
ENGLISH = Words(
    "en", "Wikipedia, Backgammon", checker="checker", point="point", roll="roll", dice="dice", double="double",
    gammon="gammon", backgammon="backgammon", cube="doubling cube", bar="bar", blot="blot", head="head",
    home="home board", outer_board="outer board", made_point="made point", doubling="double", redoubling="redouble",
)
RUSSIAN = Words(
    "ru", "Russian article on long nardy, Russian common rules", checker="шашка", point="пункт", roll="бросок",
    dice="зары", double="дубль", gammon="марс", backgammon="кокс", cube="куб", bar="бар", head="голова", home="дом",
    outer_board="двор", doubling="даве", redoubling="басе",
)
TURKISH = Words(
    "tr", "Wikipedia, Tavla", checker="pul", dice="zar", double="çift", gammon="mars", made_point="kapı",
)
GREEK = Words(
    "el", "Wikipedia, Τάβλι", checker="πούλι", roll="ζαριά", dice="ζάρια", double="διπλές", gammon="διπλό",
    made_point="πόρτα", mother="μάνα",
)
# fmt: on


@dataclass(frozen=True, slots=True)
class GameNames:
    """The names of a game: for the page, and native names as pairs of language and name."""

    game: str
    display: str
    words: Words
    source: str
    native: tuple[tuple[str, str], ...] = ()


_GAMES = (
    GameNames(
        "backgammon", "Backgammon", ENGLISH, "Russian app help, Russian common rules", (("ru", "короткие нарды"),)
    ),
    GameNames("backgammon_g", "Short nardy, no bearing off after a hit at home", RUSSIAN, "Russian common rules"),
    GameNames("caucasian", "Short nardy, Caucasian", RUSSIAN, "Russian common rules"),
    GameNames(
        "nackgammon", "Nackgammon", ENGLISH, "Russian app help; BrainKing for the Russian name", (("ru", "Нарды 2"),)
    ),
    GameNames("hypergammon", "Hypergammon", ENGLISH, "BrainKing, bkgm.com; also Hyper Backgammon"),
    GameNames("tavla", "Tavla", TURKISH, "Russian app help; Wikipedia, Tavla", (("tr", "tavla"),)),
    GameNames("old_english", "Old English backgammon", ENGLISH, "Russian app help"),
    GameNames(
        "long_nardy",
        "Long nardy",
        RUSSIAN,
        "Russian app help, Russian article on long nardy, Russian common rules",
        (("ru", "длинные нарды"),),
    ),
    GameNames("nardegammon", "Nardegammon", RUSSIAN, "Russian app help"),
    GameNames("gulbar", "Gulbar", RUSSIAN, "Russian common rules", (("ru", "гюльбар"),)),
    GameNames("crazy_gulbar", "Crazy gulbar", RUSSIAN, "Russian common rules", (("ru", "бешеный гюльбар"),)),
    GameNames("gul_bara", "Gul bara", TURKISH, "Gul bara rules; also rosespring", (("tr", "gül bara"),)),
    GameNames("grasshopper", "Grasshopper", ENGLISH, "BrainKing, bkgm.com"),
    GameNames("fevga", "Fevga", GREEK, "BrainKing, bkgm.com; Wikipedia, Τάβλι", (("el", "φεύγα"),)),
    GameNames("plakoto", "Plakoto", GREEK, "BrainKing; Wikipedia, Τάβλι", (("el", "πλακωτό"), ("bg", "тапа"))),
    GameNames("backgammon_race", "Backgammon Race", ENGLISH, "BrainKing", (("ru", "долгие"),)),
    GameNames("anti_backgammon", "Anti Backgammon", ENGLISH, "BrainKing", (("ru", "поддавки"),)),
    GameNames("long_gammon", "Long Gammon", ENGLISH, "bkgm.com"),
)

NAMES: Mapping[str, GameNames] = MappingProxyType({names.game: names for names in _GAMES})
