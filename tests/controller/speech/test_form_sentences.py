"""Every message about a form, and every refusal, is parsed into a phrase of the packs."""

from collections.abc import Mapping
from pathlib import Path

import pytest

import controller
from controller.match.officiating import PROFILES
from controller.rules import GAMES, get_ruleset
from controller.settings.form_fields import FieldType
from controller.settings.game_options import game_options
from controller.settings.match_set_up import MatchChoices, make_agreed_match
from controller.settings.settings import SettingsError, SettingsInput, read_settings
from controller.settings.store import SettingsStore, make_known_names
from controller.speech.form_sentences import FIXED, PATTERNS, make_phrase_fields, parse_form_sentence
from controller.speech.language import Language
from controller.speech.pack import load_pack
from controller.speech.phrases import phrase
from controller.web.set_up.led_map_store import LedMapError, parse_led_places

ENGLISH = load_pack(Language.ENGLISH).texts


def mistakes_in(values: Mapping[str, object], options: Mapping[str, object], folder: Path) -> list[str]:
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
def test_a_mistake_in_a_set_up_is_parsed(
    values: Mapping[str, object], options: Mapping[str, object], key: str, tmp_path: Path
) -> None:
    (sentence,) = mistakes_in({"game": "backgammon", **values}, options, tmp_path)
    found = parse_form_sentence(sentence)
    assert found is not None
    assert found.key == key


def test_a_wrong_delay_is_parsed() -> None:
    for value in ("soon", "99m"):
        given = SettingsInput(options=((("web", "spectator_delay"), "--spectator-delay", value),))
        with pytest.raises(SettingsError) as caught:
            read_settings(given, make_known_names(None))
        assert parse_form_sentence(caught.value.mistakes[0].sentence) == phrase("mistake.delay")


def test_values_are_those_of_the_sentence() -> None:
    assert parse_form_sentence("400 is not possible; give 1 to 255") == phrase("mistake.range", least=1, most=255)
    over = parse_form_sentence("3-1 is the end of a match to 3; give fewer points")
    assert over == phrase("mistake.score-over", score="3-1", length=3)


@pytest.mark.parametrize(("places", "key"), [([], "mistake.strip"), ([None, "bar"], "mistake.no-led")])
def test_a_mistake_in_an_led_map_is_parsed(places: list[str | None], key: str) -> None:
    with pytest.raises(LedMapError) as caught:
        parse_led_places(list(places))
    found = parse_form_sentence(caught.value.mistakes[0].sentence)
    assert found is not None
    assert found.key == key


def test_every_refusal_occurs_in_the_code() -> None:
    """A refusal whose wording changes in the code only would stay in English."""
    folder = Path(controller.__file__).parent
    sources = "".join(file.read_text(encoding="utf-8") for file in folder.rglob("*.py") if "speech" not in file.parts)
    assert [sentence for sentence in FIXED if f'{sentence}."' not in sources] == []


def test_every_key_is_one_of_the_packs() -> None:
    """And every mistake and refusal of the packs has a pattern."""
    keys = {*FIXED.values(), *(key for _, key in PATTERNS)}
    assert keys <= set(ENGLISH)
    assert {key for key in ENGLISH if key.startswith(("mistake.", "refusal."))} <= keys


def test_an_unknown_sentence_stays_in_english() -> None:
    assert make_phrase_fields("The disk is full.") == {}
    assert make_phrase_fields("No match is being played.") == {"said": {"key": "refusal.no-match", "values": {}}}


@pytest.mark.parametrize("game", GAMES)
def test_every_game_and_value_of_its_options_has_a_text(game: str) -> None:
    assert f"special.{game}" in ENGLISH
    options = () if game == "grasshopper" else game_options(get_ruleset(game))
    choices = [
        f"option.{one.name}.{choice}"
        for one in options
        if one.option_type is FieldType.CHOICE
        for choice in one.choices
    ]
    assert [key for key in choices if key not in ENGLISH] == []


def test_every_profile_has_a_text() -> None:
    assert {f"profile.{name}" for name in PROFILES} <= set(ENGLISH)
