"""What rolls and games are called."""

import pytest

from controller.rules import GAMES, NAMES
from controller.rules.names import PERSIAN_ROLLS, RUSSIAN_WORDS_FOR_DOUBLES, TRADITIONS, persian_name

PERSIAN = {
    "66": "ду-шеш",
    "65": "шеш-беш",
    "64": "шеш-чар",
    "63": "шеш-сэ",
    "62": "шеш-ду",
    "61": "шеш-як",
    "55": "ду-беш",
    "54": "пянджи-чар",
    "53": "пянджи-сэ",
    "52": "пянджи-ду",
    "51": "пянджи-як",
    "44": "дур-чар",
    "43": "чари-сэ",
    "42": "чари-ду",
    "41": "чари-як",
    "33": "ду-сэ",
    "32": "сэ бай ду",
    "31": "сэ-як",
    "22": "ду-бара",
    "21": "ду-як",
    "11": "яган",
}


@pytest.mark.parametrize(("roll", "name"), PERSIAN.items())
def test_a_roll_has_its_persian_name_in_both_orders(roll: str, name: str) -> None:
    """The table of S002; which die is called first does not matter."""
    first, second = map(int, roll)
    assert persian_name(first, second) == name
    assert persian_name(second, first) == name


def test_all_rolls_are_named_differently() -> None:
    """21 rolls, 21 names; a throw that no dice show has none."""
    assert len(set(PERSIAN_ROLLS.values())) == len(PERSIAN_ROLLS) == 21
    with pytest.raises(KeyError):
        persian_name(7, 1)


def test_every_game_has_names() -> None:
    """The eighteen games, each with a display name of its own and a source."""
    assert set(NAMES) == set(GAMES)
    assert len(NAMES) == 18
    assert len({names.display for names in NAMES.values()}) == 18
    assert all(names.source and names.words in TRADITIONS for names in NAMES.values())
    assert all(key == names.game for key, names in NAMES.items())


@pytest.mark.parametrize(
    ("game", "language", "native", "gammon"),
    [
        ("long_nardy", "ru", (("ru", "длинные нарды"),), "марс"),
        ("crazy_gulbar", "ru", (("ru", "бешеный гюльбар"),), "марс"),
        ("tavla", "tr", (("tr", "tavla"),), "mars"),
        ("fevga", "el", (("el", "φεύγα"),), "διπλό"),
        ("grasshopper", "en", (), "gammon"),
    ],
)
def test_games_speak_their_tradition(
    game: str, language: str, native: tuple[tuple[str, str], ...], gammon: str
) -> None:
    """Native name and words of where the game is at home."""
    names = NAMES[game]
    assert (names.words.language, names.native, names.words.gammon) == (language, native, gammon)


def test_the_words_of_the_russian_texts() -> None:
    """rules.md 7: zary, dave, basse, mars, koks, head, home and yard."""
    words = NAMES["long_nardy"].words
    assert (words.dice, words.doubling, words.redoubling) == ("зары", "даве", "басе")
    assert (words.backgammon, words.head, words.home, words.outer_board) == ("кокс", "голова", "дом", "двор")
    assert words.double in RUSSIAN_WORDS_FOR_DOUBLES
    assert RUSSIAN_WORDS_FOR_DOUBLES == ("дубль", "паш", "куш", "куча", "кошка")
