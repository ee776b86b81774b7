import tomllib
from typing import get_type_hints

import pytest

from controller.settings.form_fields import EffectTime, FieldType, SettingField, setting_fields, value_at
from controller.settings.settings import KnownNames, Settings, SettingsError, SettingsInput, read_settings
from controller.settings.toml_edit import with_values

KNOWN = KnownNames(("backgammon", "tavla"), ("casual", "wbgf"))
FIELDS = setting_fields(KNOWN)


def test_every_setting_has_one_field() -> None:
    """The fields are in the order of the file. Where events are sent is no matter of the page."""
    keys = [field.key for field in FIELDS]
    assert len(set(keys)) == len(keys)
    assert [*dict.fromkeys(key[0] for key in keys), "mqtt", "webhook", "obs"] == list(get_type_hints(Settings))
    assert ("leds", "brightness") in keys
    assert ("match", "crawford") in keys


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_the_default_holds_without_a_value(field: SettingField) -> None:
    text = with_values("", {field.key: field.default})
    assert read_settings(SettingsInput(text), KNOWN).__class__ is Settings
    if field.name != "seating":  # an empty text leaves every seating open
        assert read_settings(SettingsInput(text), KNOWN) == read_settings(SettingsInput(), KNOWN)


@pytest.mark.parametrize("field", [field for field in FIELDS if field.choices], ids=lambda field: field.name)
def test_every_choice_is_valid(field: SettingField) -> None:
    for choice in field.choices:
        read_settings(SettingsInput(with_values("", {field.key: choice})), KNOWN)


@pytest.mark.parametrize("field", [field for field in FIELDS if field.limits], ids=lambda field: field.name)
def test_the_limits_of_the_field_are_checked(field: SettingField) -> None:
    """Both ends are valid; values beyond them are not."""
    assert field.field_type in (FieldType.WHOLE, FieldType.NUMBER)
    least, most = field.limits or (0, 0)
    for value in (least, most):
        read_settings(SettingsInput(with_values("", {field.key: value})), KNOWN)
    for value in (least - 1, most + 1):
        with pytest.raises(SettingsError) as raised:
            read_settings(SettingsInput(with_values("", {field.key: value})), KNOWN)
        assert [mistake.key for mistake in raised.value.mistakes] == [field.key]


def test_brightness_and_mode_take_effect_at_once() -> None:
    """The address of the page takes effect at the next start, other values with the next match."""
    acts = {field.name: field.effect_time for field in FIELDS}
    assert (acts["leds.brightness"], acts["mode"], acts["monitor"]) == (EffectTime.NOW,) * 3
    assert (acts["web.port"], acts["players.white"]) == (EffectTime.NEXT_START, EffectTime.NEXT_MATCH)


def test_a_value_that_is_not_single_is_shown_as_text() -> None:
    values = {"game": ["x"], "leds": 3, "match": {"length": 7}}
    keys = (("game",), ("leds", "port"), ("match", "length"), ("mode",))
    assert [value_at(values, key) for key in keys] == ["['x']", None, 7, None]


@pytest.mark.parametrize(
    ("value", "shown"),
    [("inf", "inf"), ("nan", "nan"), (f"0x{'F' * 5_000}", f"0x{'f' * 5_000}"), ("9" * 18, 10**18 - 1)],
)
def test_a_value_that_json_cannot_hold_is_shown_as_text(value: str, shown: object) -> None:
    """JSON has no infinity, and Python writes no number of five thousand digits."""
    assert value_at(tomllib.loads(f"fps = {value}"), ("fps",)) == shown
