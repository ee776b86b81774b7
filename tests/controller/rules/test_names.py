"""The names of games and the words of their traditions."""

import pytest

from controller.rules import GAMES, NAMES


def test_every_game_has_names() -> None:
    """The eighteen games, each with a display name of its own and a source."""
    assert set(NAMES) == set(GAMES)
    assert len(NAMES) == 18
    assert len({names.display for names in NAMES.values()}) == 18
    assert all(names.source and names.words.source for names in NAMES.values())
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
    """Dice, double, raise and redouble, koks, head, home and outer board."""
    words = NAMES["long_nardy"].words
    assert (words.dice, words.doubling, words.redoubling) == ("зары", "даве", "басе")
    assert (words.backgammon, words.head, words.home, words.outer_board) == ("кокс", "голова", "дом", "двор")
    assert words.double == "дубль"
