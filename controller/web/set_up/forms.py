"""Forms as JSON, and the values that the page sends back: settings, set-up of a match, options of a game. Pure."""

import re
from collections.abc import Iterable, Mapping

from controller.match import PROFILES
from controller.match_log.event_json import JsonValue
from controller.rules import NAMES, Ruleset
from controller.rules.bounded_toml import KeyPath
from controller.settings.form_fields import SettingField, value_at
from controller.settings.game_options import GameOption, game_options
from controller.settings.match_set_up import ON_TURN, SET_UP_KEYS, MatchChoices
from controller.settings.settings import Mistake
from controller.settings.toml_edit import TomlScalar
from controller.speech.form_sentences import make_phrase_fields
from controller.web.bodies import Record
from controller.wording.rules_pages import list_record

LONGEST_TEXT = 500
_MOST_VALUES = 100
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class FormError(ValueError):
    """One sentence: why the input is no form."""


def settings_record(
    fields: Iterable[SettingField], values: Mapping[str, object], fixed: Mapping[KeyPath, tuple[str, object]]
) -> list[JsonValue]:
    """The fields of the settings form. `fixed` are values of the command line, which override the file, with option names."""
    return [_setting_record(field, value_at(values, field.key), fixed.get(field.key)) for field in fields]


def _setting_record(field: SettingField, value: TomlScalar, fixed: tuple[str, object] | None) -> Record:
    option, given = (None, value) if fixed is None else fixed
    shown = given if isinstance(given, int | float | None) else str(given)
    return {**_field_record(field, shown), "acts": field.effect_time.value, "fixed": option}


def set_up_record(fields: Iterable[SettingField], values: Mapping[KeyPath, TomlScalar]) -> list[JsonValue]:
    """The fields of a match in the order of the form, with `values` as their present values."""
    known = {field.key: field for field in fields}
    return [_field_record(known[key], values.get(key)) for key in SET_UP_KEYS if key in known]


def _field_record(field: SettingField, value: TomlScalar) -> Record:
    return {
        "name": field.name,
        "sort": field.field_type.value,
        "choices": list[JsonValue](field.choices),
        "limits": None if field.limits is None else list[JsonValue](field.limits),
        "default": field.default,
        "value": value,
    }


def names_record(games: Mapping[str, Ruleset | None]) -> Record:
    """The titles of games and profiles, and one sentence about each game."""
    return {
        "games": {game: _game_record(game) for game in games},
        "profiles": {profile.name: profile.title for profile in PROFILES.values()},
    }


def _game_record(game: str) -> Record:
    title = NAMES[game].display if game in NAMES else game
    return {"title": title, "special": str(list_record(game)["special"])}


def options_record(rules: Ruleset | None) -> list[JsonValue]:
    return [_option_record(option) for option in game_options(rules)]


def _option_record(option: GameOption) -> Record:
    return {
        "name": option.name,
        "sort": option.option_type.value,
        "choices": list[JsonValue](option.choices),
        "limits": None if option.limits is None else list[JsonValue](option.limits),
        "default": option.value,
        "is_cube": option.is_cube,
        "may_be_none": option.may_be_none,
    }


def mistakes_record(mistakes: Iterable[Mistake]) -> Record:
    """The mistakes, each with the name of its field, or "" where it belongs to no field."""
    return {"mistakes": [{"name": ".".join(one.key), **make_sentence_record(one.sentence)} for one in mistakes]}


def make_sentence_record(sentence: str) -> Record:
    """A mistake in English and, as `said`, its text key for pages in any language. `sentence` has no full stop."""
    return {"sentence": _strip_quotation_hints(sentence), **make_phrase_fields(sentence)}


def _strip_quotation_hints(sentence: str) -> str:
    """Hints about quotation marks concern the file, not the form."""
    return f"{sentence.replace(' in quotation marks', '').replace('; put it in quotation marks', '')}."


def parse_match_choices(sent: Record) -> MatchChoices:
    """The chosen values, not yet checked against the settings. Raises FormError."""
    return MatchChoices(_parse_values(sent, "values"), _parse_values(sent, "options"))


def parse_changes(
    sent: Record, fields: Iterable[SettingField]
) -> tuple[dict[KeyPath, TomlScalar], tuple[Mistake, ...]]:
    """The changed values by settings key, and a mistake for each unknown name. Raises FormError."""
    known = {field.name: field.key for field in fields}
    given = _parse_values(sent, "changes")
    mistakes = tuple(Mistake(name, "there is no such setting", (name,)) for name in given if name not in known)
    return {known[name]: value for name, value in given.items() if name in known}, mistakes


def parse_text(sent: Record, name: str) -> str:
    """A text field of the request. Raises FormError."""
    value = sent.get(name)
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        raise FormError(f"{name} is a text.")
    return value


def _parse_values(sent: Record, name: str) -> dict[str, TomlScalar]:
    given = sent.get(name, {})
    if not isinstance(given, dict) or len(given) > _MOST_VALUES:
        raise FormError(f"{name} are an object with a value for each name.")
    return {key: _parse_scalar(key, value) for key, value in given.items()}


def _parse_scalar(name: str, value: JsonValue) -> TomlScalar:
    if isinstance(value, list | dict):
        raise FormError(f"{name[:40]!r} is a single value.")
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        raise FormError(f"{name[:40]!r} has more than {LONGEST_TEXT} letters.")
    if isinstance(value, str) and _CONTROL.search(value):
        raise FormError(f"{name[:40]!r} has a control character.")
    return value


def select_for_next_form(values: Mapping[str, TomlScalar]) -> dict[KeyPath, TomlScalar]:
    """The choices of the last match for the next form, without the position, which belonged to that match."""
    return {tuple(name.split(".")): value for name, value in values.items() if name not in (ON_TURN, "position")}
