import tomllib
from typing import get_type_hints

import pytest

from controller.settings.form_fields import EffectTime, FieldType, SettingField, setting_fields, value_at
from controller.settings.settings import KnownNames, Settings, SettingsError, SettingsInput, read_settings
from controller.settings.toml_edit import with_values

KNOWN = KnownNames(("backgammon", "tavla"), ("casual", "wbgf"))
FIELDS = setting_fields(KNOWN)


def test_every_setting_is_there_once() -> None:
    """Of each section all keys, in the order of the file."""
    told = [field.key for field in FIELDS]
    assert len(set(told)) == len(told)
    assert list(dict.fromkeys(key[0] for key in told)) == list(get_type_hints(Settings))
    assert ("leds", "brightness") in told
    assert ("match", "crawford") in told


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_its_default_is_what_holds_without_it(field: SettingField) -> None:
    """Written down it changes nothing."""
    text = with_values("", {field.key: field.default})
    assert read_settings(SettingsInput(text), KNOWN).__class__ is Settings
    if field.name != "seating":  # an empty text leaves every seating open
        assert read_settings(SettingsInput(text), KNOWN) == read_settings(SettingsInput(), KNOWN)


@pytest.mark.parametrize("field", [field for field in FIELDS if field.choices], ids=lambda field: field.name)
def test_what_is_offered_can_be_chosen(field: SettingField) -> None:
    """Each choice and each suggestion is taken."""
    for choice in field.choices:
        read_settings(SettingsInput(with_values("", {field.key: choice})), KNOWN)


@pytest.mark.parametrize("field", [field for field in FIELDS if field.limits], ids=lambda field: field.name)
def test_the_limits_are_those_that_are_checked(field: SettingField) -> None:
    """The ends are taken, what lies beyond them is not."""
    assert field.field_type in (FieldType.WHOLE, FieldType.NUMBER)
    least, most = field.limits or (0, 0)
    for value in (least, most):
        read_settings(SettingsInput(with_values("", {field.key: value})), KNOWN)
    for value in (least - 1, most + 1):
        with pytest.raises(SettingsError) as raised:
            read_settings(SettingsInput(with_values("", {field.key: value})), KNOWN)
        assert [mistake.key for mistake in raised.value.mistakes] == [field.key]


def test_brightness_and_mode_act_at_once() -> None:
    """And the address of the page only with the next start."""
    acts = {field.name: field.effect_time for field in FIELDS}
    assert (acts["leds.brightness"], acts["mode"], acts["monitor"]) == (EffectTime.NOW,) * 3
    assert (acts["web.port"], acts["players.white"]) == (EffectTime.NEXT_START, EffectTime.NEXT_MATCH)


def test_what_is_no_single_value_is_shown_as_text() -> None:
    """A file may say anything, and the form still comes."""
    values = {"game": ["x"], "leds": 3, "match": {"length": 7}}
    assert [value_at(values, key) for key in (("game",), ("leds", "port"), ("match", "length"), ("mode",))] == [
        "['x']",
        None,
        7,
        None,
    ]


@pytest.mark.parametrize(
    ("value", "shown"),
    [("inf", "inf"), ("nan", "nan"), (f"0x{'F' * 5_000}", f"0x{'f' * 5_000}"), ("9" * 18, 10**18 - 1)],
)
def test_what_no_browser_can_read_is_shown_as_text(value: str, shown: object) -> None:
    """JSON has no infinity, and Python writes no number of five thousand digits."""
    assert value_at(tomllib.loads(f"fps = {value}"), ("fps",)) == shown
