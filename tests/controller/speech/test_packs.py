import re
import unicodedata
from collections.abc import Iterator

import pytest

from controller.rules import Words
from controller.rules.names import GREEK, PERSIAN_ROLLS, RUSSIAN, TURKISH
from controller.speech.language import Language
from controller.speech.pack import Pack, Text, load_pack
from controller.speech.plural_rules import list_plural_categories
from controller.web.static_files import static_files

ENGLISH = load_pack(Language.ENGLISH)
OTHERS = [language for language in Language if language is not Language.ENGLISH]
HEAD = {"language.code", "language.direction", "language.name", "language.reviewed"}
SCRIPTS = {
    Language.ARABIC: "ARABIC",
    Language.GEORGIAN: "GEORGIAN",
    Language.GREEK: "GREEK",
    Language.RUSSIAN: "CYRILLIC",
}
# Words that are the same in these languages, and no oversight.
SAME_AS_ENGLISH = {
    **dict.fromkeys(
        (f"option.scoring.{name}" for name in ("usbgf", "lithuanian", "fsnr", "two")), "es fr"
    ),  # as kind.mars
    "match.crawford": "de el es fr lt tr",
    "players.pips": "es fr",
    "players.points": "fr",
    "told.points": "fr",
    "told.score": "fr",
    "told.play": "es",
    "told.play.bare": "es",
    "ruling.legal": "es",
    "kind.mars": "es fr",
    "kind.koks": "es fr",
    "order.Pause": "de fr",
    "lights.colour.violet": "fr",
    "place.bar": "tr",
    "editor.bar": "tr",
    "option.beaver": "fr",
    "setting.mode": "fr",
    "office.section.match": "de fr",
    "office.place.bar": "tr",
    "office.leds.led": "de el es fr tr",
    **dict.fromkeys(("game.tavla", "game.nackgammon", "game.hypergammon", "game.nardegammon"), "de es fr lt tr"),
    **dict.fromkeys(("game.fevga", "game.plakoto", "game.long_gammon"), "de es fr lt tr"),
    "game.backgammon": "de es fr tr",
    "game.gulbar": "es fr",
    "game.gul_bara": "es fr",
}
# Nothing but names, units and terms that players of all languages use.
ONLY_NAMES = {"match.crawford", "told.throws", "order.Beaver", "office.leds.led"}


def forms(text: Text) -> Iterator[str]:
    """Each text of an entry; `by` is none."""
    if isinstance(text, dict):
        yield from (form for category, form in text.items() if category != "by")
    else:
        yield str(text)


def blanks(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def words(text: Text) -> str:
    return re.sub(r"\{\w+\}", "", " ".join(forms(text)))


def letters(text: str) -> list[str]:
    return [unicodedata.name(letter, "") for letter in text if letter.isalpha()]


def test_every_language_has_its_pack_and_no_pack_is_left_over() -> None:
    """And the page offers the same ones."""
    packs = {name[6:-5] for name in static_files() if name.startswith("texts/") and name.endswith(".json")}
    codes = {language.value for language in Language}
    assert packs == codes == set(offered())
    assert all(load_pack(language).texts["language.name"] == offered()[language.value] for language in Language)


def offered() -> dict[str, str]:
    """What the page lets people choose: codes and names."""
    listed = static_files()["languages.js"].content.decode().partition("LANGUAGES = {")[2].partition("}")[0]
    return dict(re.findall(r'(\w\w): "([^"]+)"', listed))


@pytest.mark.parametrize("language", Language)
def test_the_head_tells_what_the_pack_is(language: Language) -> None:
    """Its code and direction; and that no native speaker has read it, until one has."""
    texts = load_pack(language).texts
    assert texts["language.code"] == language.value
    assert texts["language.direction"] == ("rtl" if language is Language.ARABIC else "ltr")
    assert texts["language.reviewed"] is (language is Language.ENGLISH)
    assert texts["language.name"]


@pytest.mark.parametrize("language", OTHERS)
def test_a_pack_has_every_text_and_no_other(language: Language) -> None:
    """In the order of the English one, so that two packs are read side by side."""
    assert list(load_pack(language).texts)[4:] == [key for key in ENGLISH.texts if key not in HEAD]


@pytest.mark.parametrize("language", Language)
def test_a_text_has_the_forms_that_numbers_need(language: Language) -> None:
    """Where English changes with a number, each language has all its plural categories, by the same value."""
    for key, text in load_pack(language).texts.items():
        english = ENGLISH.texts[key]
        assert isinstance(text, dict) == isinstance(english, dict), key
        if isinstance(text, dict) and isinstance(english, dict):
            assert set(text) == {"by", *list_plural_categories(language)}, key
            assert text["by"] == english["by"], key


@pytest.mark.parametrize("language", Language)
def test_a_text_takes_the_same_values_in_every_language(language: Language) -> None:
    """Each form of it; none is empty or has blanks around it."""
    for key, text in load_pack(language).texts.items():
        english = ENGLISH.texts[key]
        wanted = blanks(english["other"] if isinstance(english, dict) else str(english))
        counted = {english["by"]} if isinstance(english, dict) else set()  # a form may say "one" instead
        for form in forms(text):
            assert blanks(form) | counted == wanted, (key, form)
            assert form, key
            assert form == form.strip(), key


@pytest.mark.parametrize("language", OTHERS)
def test_no_text_was_left_in_english(language: Language) -> None:
    """Except names, units and words that happen to be the same; each of them is listed here."""
    left = [
        key
        for key, text in load_pack(language).texts.items()
        if key not in HEAD
        and text == ENGLISH.texts[key]
        and re.search(r"[A-Za-z]{3}", words(text))
        and language.value not in SAME_AS_ENGLISH.get(key, "").split()
    ]
    assert left == []


@pytest.mark.parametrize("language", SCRIPTS)
def test_a_text_is_written_in_the_script_of_its_language(language: Language) -> None:
    """Wherever English has words."""
    for key, text in load_pack(language).texts.items():
        if key in HEAD or not letters(words(ENGLISH.texts[key])) or key in ONLY_NAMES:
            continue
        for form in forms(text):
            assert any(name.startswith(SCRIPTS[language]) for name in letters(form)), (key, form)


@pytest.mark.parametrize("language", SCRIPTS)
def test_no_word_mixes_two_scripts(language: Language) -> None:
    """A Latin c in a Cyrillic word is read wrong by every voice."""
    for key, text in load_pack(language).texts.items():
        for word in re.findall(r"[^\W\d_]+", words(text)):
            scripts = {name.split()[0] for name in letters(word)} - {"MODIFIER"}
            assert len(scripts) <= 1, (key, word)


def test_a_listed_exception_is_one() -> None:
    """What is allowed to be as in English is; else it would hide a text that changed."""
    for key, codes in SAME_AS_ENGLISH.items():
        for code in codes.split():
            assert load_pack(Language(code)).texts[key] == ENGLISH.texts[key], (key, code)


@pytest.mark.parametrize("language", Language)
def test_each_roll_has_a_persian_name(language: Language) -> None:
    """Twenty-one rolls, by the larger number first; no two have the same name."""
    names = load_pack(language).persian
    assert set(names) == {f"{high}-{low}" for high in range(1, 7) for low in range(1, high + 1)}
    assert len(set(names.values())) == 21


def test_the_russian_names_of_rolls_are_those_of_the_rules() -> None:
    """As their source spells them."""
    assert load_pack(Language.RUSSIAN).persian == {f"{high}-{low}": name for (high, low), name in PERSIAN_ROLLS.items()}


@pytest.mark.parametrize("words_of", [RUSSIAN, TURKISH, GREEK])
def test_a_pack_uses_the_words_of_its_players(words_of: Words) -> None:
    """Checkers, rolls and wins as the tradition calls them; here a language has more than one word, any of them."""
    everything = " ".join(words(text).lower() for text in load_pack(Language(words_of.language)).texts.values())
    for word in (words_of.checker, words_of.gammon, words_of.bar, words_of.head):
        assert word is None or word[:4] in everything, word


def test_a_text_with_forms_is_filled_by_its_number() -> None:
    """Russian: one point, two points, five points, eleven points."""
    pack = load_pack(Language.RUSSIAN)
    told = [pack.text("told.points", {"points": str(points)}) for points in (1, 2, 5, 11, 21)]
    assert told == ["1 очко.", "2 очка.", "5 очков.", "11 очков.", "21 очко."]


def test_a_missing_text_is_its_key() -> None:
    """Nothing breaks for it."""
    assert Pack(Language.GERMAN, {}, {}).text("told.nothing", {}) == "told.nothing"
