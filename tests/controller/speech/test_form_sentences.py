"""Every sentence about a form, and every refusal, is read back as one of the packs."""

from collections.abc import Mapping
from pathlib import Path

import pytest

import controller
from controller.match.officiating import PROFILES
from controller.rules import GAMES, get_ruleset
from controller.settings.form_fields import FieldType
from controller.settings.game_options import game_options
from controller.settings.match_set_up import MatchChoices, make_agreed_match
from controller.settings.settings import SettingsError
from controller.settings.store import SettingsStore
from controller.speech.form_sentences import FIXED, PATTERNS, make_phrase_fields, parse_form_sentence
from controller.speech.language import Language
from controller.speech.pack import load_pack
from controller.speech.phrases import phrase
from controller.web.set_up.led_map_store import LedMapError, parse_led_places

ENGLISH = load_pack(Language.ENGLISH).texts


def mistakes_in(values: Mapping[str, object], options: Mapping[str, object], folder: Path) -> list[str]:
    """Of a set-up."""
    with pytest.raises(SettingsError) as caught:
        make_agreed_match(MatchChoices(dict(values), dict(options)), SettingsStore(folder / "settings.toml"))  # type: ignore[arg-type]
    return [mistake.sentence for mistake in caught.value.mistakes]


@pytest.mark.parametrize(
    ("values", "options", "key"),
    [
        ({"match.length": "seven"}, {}, "mistake.whole"),
        ({"match.length": 1000}, {}, "mistake.range"),
        ({"match.score": "a lot"}, {}, "mistake.score"),
        ({"match.length": 3, "match.score": "3-1"}, {}, "mistake.score-over"),
        ({"clock": "sand"}, {}, "mistake.clock"),
        ({"clock": "0+12"}, {}, "mistake.clock-empty"),
        ({"seating": "on the roof"}, {}, "mistake.seating"),
        ({"seating": "white=green"}, {}, "mistake.seating"),
        ({"profile": "nobody's"}, {}, "mistake.none-such"),
        ({"mode": "cruel"}, {}, "mistake.none-such"),
        ({}, {"cap": -1}, "mistake.range"),
    ],
)
def test_what_is_wrong_with_a_match_is_read_back(
    values: Mapping[str, object], options: Mapping[str, object], key: str, tmp_path: Path
) -> None:
    """As the form of the set-up gets it."""
    (sentence,) = mistakes_in({"game": "backgammon", **values}, options, tmp_path)
    found = parse_form_sentence(sentence)
    assert found is not None
    assert found.key == key


def test_values_are_those_of_the_sentence() -> None:
    """The limits, and the score with the length."""
    assert parse_form_sentence("400 is not possible; give 1 to 255") == phrase("mistake.range", least=1, most=255)
    over = parse_form_sentence("3-1 is the end of a match to 3; give fewer points")
    assert over == phrase("mistake.score-over", score="3-1", length=3)


def test_a_map_of_leds() -> None:
    """Without any, and with none at a point."""
    for places, key in (([], "mistake.strip"), ([None, "bar"], "mistake.no-led")):
        with pytest.raises(LedMapError) as caught:
            parse_led_places(list(places))
        found = parse_form_sentence(caught.value.mistakes[0].sentence)
        assert found is not None
        assert found.key == key


def test_every_refusal_is_said_somewhere() -> None:
    """As it stands here: one that was worded anew would stay in English."""
    folder = Path(controller.__file__).parent
    sources = "".join(file.read_text(encoding="utf-8") for file in folder.rglob("*.py") if "speech" not in file.parts)
    assert [sentence for sentence in FIXED if f'{sentence}."' not in sources] == []


def test_every_key_is_one_of_the_packs() -> None:
    """And none of the packs' own waits in vain."""
    keys = {*FIXED.values(), *(key for _, key in PATTERNS)}
    assert keys <= set(ENGLISH)
    assert {key for key in ENGLISH if key.startswith(("mistake.", "refusal."))} <= keys


def test_what_nobody_translated_stays_as_it_is() -> None:
    """Without words of the packs."""
    assert make_phrase_fields("The disk is full.") == {}
    assert make_phrase_fields("No match is being played.") == {"said": {"key": "refusal.no-match", "values": {}}}


@pytest.mark.parametrize("game", GAMES)
def test_every_game_and_choice_has_its_word(game: str) -> None:
    """What is special about it, and all values of its options."""
    assert f"special.{game}" in ENGLISH
    options = () if game == "grasshopper" else game_options(get_ruleset(game))
    choices = [
        f"option.{one.name}.{choice}"
        for one in options
        if one.option_type is FieldType.CHOICE
        for choice in one.choices
    ]
    assert [key for key in choices if key not in ENGLISH] == []


def test_the_profiles_have_their_words() -> None:
    """Those of the form."""
    assert {f"profile.{name}" for name in PROFILES} <= set(ENGLISH)
