import re
import unicodedata
from collections.abc import Iterator

import pytest

from controller.rules import Words
from controller.rules.names import GREEK, RUSSIAN, TURKISH
from controller.speech.language import Language, list_plural_categories
from controller.speech.pack import Pack, Text, load_pack
from controller.web.static_files import static_files

PERSIAN_ROLLS = {
    "6-6": "ду-шеш", "6-5": "шеш-беш", "6-4": "шеш-чар", "6-3": "шеш-сэ", "6-2": "шеш-ду", "6-1": "шеш-як",
    "5-5": "ду-беш", "5-4": "пянджи-чар", "5-3": "пянджи-сэ", "5-2": "пянджи-ду", "5-1": "пянджи-як",
    "4-4": "дур-чар", "4-3": "чари-сэ", "4-2": "чари-ду", "4-1": "чари-як",
    "3-3": "ду-сэ", "3-2": "сэ бай ду", "3-1": "сэ-як",
    "2-2": "ду-бара", "2-1": "ду-як",
    "1-1": "яган",
}  # fmt: skip
ENGLISH = load_pack(Language.ENGLISH)
OTHERS = [language for language in Language if language is not Language.ENGLISH]
HEAD = {"language.code", "language.direction", "language.name", "language.reviewed"}
SCRIPTS = {
    Language.ARABIC: "ARABIC",
    Language.GEORGIAN: "GEORGIAN",
    Language.GREEK: "GREEK",
    Language.RUSSIAN: "CYRILLIC",
}
# Texts that are rightly the same as in English, with the languages.
SAME_AS_ENGLISH = {
    # "gammon", as in kind.mars
    **dict.fromkeys((f"option.scoring.{name}" for name in ("usbgf", "lithuanian", "fsnr", "two")), "es fr"),
    "match.crawford": "de el es fr lt tr",
    "players.pips": "es fr",
    **dict.fromkeys(
        ("players.points", "event.points", "event.score", "lights.colour.violet", "statistics.label.doubles"), "fr"
    ),
    **dict.fromkeys(("option.beaver", "setting.mode"), "fr"),
    **dict.fromkeys(("event.play", "event.play.bare", "ruling.legal"), "es"),
    **dict.fromkeys(("kind.mars", "kind.koks", "game.gulbar", "game.gul_bara"), "es fr"),
    **dict.fromkeys(("order.Pause", "office.section.match"), "de fr"),
    **dict.fromkeys(("place.bar", "editor.bar", "office.place.bar"), "tr"),
    "office.leds.led": "de el es fr tr",
    "stream.at.centre": "lt",
    **dict.fromkeys(("game.tavla", "game.nackgammon", "game.hypergammon", "game.nardegammon"), "de es fr lt tr"),
    **dict.fromkeys(("game.fevga", "game.plakoto", "game.long_gammon"), "de es fr lt tr"),
    "game.backgammon": "de es fr tr",
    "receivers.obs": "ar de el es fr ka lt ru tr",
    "receivers.webhook": "ar de el es fr ka lt tr",
}
# Only names, units and terms that players of all languages use.
ONLY_NAMES = {"match.crawford", "event.throws", "order.Beaver", "office.leds.led", "receivers.obs", "receivers.webhook"}


def forms(text: Text) -> Iterator[str]:
    """Each form of a text."""
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
    """And the page offers the same languages."""
    packs = {name[6:-5] for name in static_files() if name.startswith("texts/") and name.endswith(".json")}
    codes = {language.value for language in Language}
    assert packs == codes == set(offered())
    assert all(load_pack(language).texts["language.name"] == offered()[language.value] for language in Language)


def offered() -> dict[str, str]:
    """The languages of the page: codes and names."""
    listed = static_files()["languages.js"].content.decode().partition("LANGUAGES = {")[2].partition("}")[0]
    return dict(re.findall(r'(\w\w): "([^"]+)"', listed))


@pytest.mark.parametrize("language", Language)
def test_the_head_of_a_pack(language: Language) -> None:
    """Code, direction, name, and whether a native speaker has reviewed it."""
    texts = load_pack(language).texts
    assert texts["language.code"] == language.value
    assert texts["language.direction"] == ("rtl" if language is Language.ARABIC else "ltr")
    assert texts["language.reviewed"] is (language is Language.ENGLISH)
    assert texts["language.name"]


@pytest.mark.parametrize("language", OTHERS)
def test_a_pack_has_every_text_and_no_other(language: Language) -> None:
    """In the order of the English pack, so that two packs can be compared side by side."""
    assert list(load_pack(language).texts)[4:] == [key for key in ENGLISH.texts if key not in HEAD]


@pytest.mark.parametrize("language", Language)
def test_a_text_has_the_forms_that_numbers_need(language: Language) -> None:
    """Where English has plural forms, each language has all its plural categories for the same value."""
    for key, text in load_pack(language).texts.items():
        english = ENGLISH.texts[key]
        assert isinstance(text, dict) == isinstance(english, dict), key
        if isinstance(text, dict) and isinstance(english, dict):
            assert set(text) == {"by", *list_plural_categories(language)}, key
            assert text["by"] == english["by"], key


@pytest.mark.parametrize("language", Language)
def test_a_text_takes_the_same_values_in_every_language(language: Language) -> None:
    """In each form; no form is empty or has blanks around it."""
    for key, text in load_pack(language).texts.items():
        english = ENGLISH.texts[key]
        wanted = blanks(english["other"] if isinstance(english, dict) else str(english))
        # A form may have a word instead of the number.
        counted = {english["by"]} if isinstance(english, dict) else set()
        for form in forms(text):
            assert blanks(form) | counted == wanted, (key, form)
            assert form, key
            assert form == form.strip(), key


@pytest.mark.parametrize("language", OTHERS)
def test_no_text_was_left_in_english(language: Language) -> None:
    """Except the names, units and words that `SAME_AS_ENGLISH` lists."""
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
    for key, text in load_pack(language).texts.items():
        if key in HEAD or not letters(words(ENGLISH.texts[key])) or key in ONLY_NAMES:
            continue
        for form in forms(text):
            assert any(name.startswith(SCRIPTS[language]) for name in letters(form)), (key, form)


@pytest.mark.parametrize("language", SCRIPTS)
def test_no_word_mixes_two_scripts(language: Language) -> None:
    """A voice misreads a Latin letter in a Cyrillic word."""
    for key, text in load_pack(language).texts.items():
        for word in re.findall(r"[^\W\d_]+", words(text)):
            scripts = {name.split()[0] for name in letters(word)} - {"MODIFIER"}
            assert len(scripts) <= 1, (key, word)


def test_a_listed_exception_is_one() -> None:
    """A stale entry of `SAME_AS_ENGLISH` would hide an untranslated text."""
    for key, codes in SAME_AS_ENGLISH.items():
        for code in codes.split():
            assert load_pack(Language(code)).texts[key] == ENGLISH.texts[key], (key, code)


@pytest.mark.parametrize("language", Language)
def test_each_roll_has_a_persian_name(language: Language) -> None:
    """Twenty-one rolls with different names."""
    names = load_pack(language).persian
    assert set(names) == {f"{high}-{low}" for high in range(1, 7) for low in range(1, high + 1)}
    assert len(set(names.values())) == 21


def test_the_russian_names_of_rolls_are_those_of_the_rules() -> None:
    assert load_pack(Language.RUSSIAN).persian == PERSIAN_ROLLS


@pytest.mark.parametrize("words_of", [RUSSIAN, TURKISH, GREEK])
def test_a_pack_uses_the_words_of_its_players(words_of: Words) -> None:
    """Checker, gammon, bar and head as the tradition calls them."""
    everything = " ".join(words(text).lower() for text in load_pack(Language(words_of.language)).texts.values())
    for word in (words_of.checker, words_of.gammon, words_of.bar, words_of.head):
        assert word is None or word[:4] in everything, word


def test_a_text_with_forms_is_filled_by_its_number() -> None:
    pack = load_pack(Language.RUSSIAN)
    texts = [pack.text("event.points", {"points": str(points)}) for points in (1, 2, 5, 11, 21)]
    assert texts == ["1 очко.", "2 очка.", "5 очков.", "11 очков.", "21 очко."]


def test_a_missing_text_is_its_key() -> None:
    assert Pack(Language.GERMAN, {}, {}).text("event.nothing", {}) == "event.nothing"
