"""The set-up of one match: its form, and chosen values checked together with the settings, which they override."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from controller.refereeing.match_config import MatchConfig
from controller.rules import Player, Ruleset, RulesetError
from controller.rules.bounded_toml import KeyPath
from controller.settings.build_match_config import (
    DEFAULT_GAME,
    HouseVariant,
    StartPositionError,
    build_match_config,
    with_game_options,
)
from controller.settings.form_fields import SettingField, setting_fields, value_at
from controller.settings.game_options import game_options
from controller.settings.settings import Mistake, Settings, SettingsError
from controller.settings.store import Options, SettingsStore, make_known_names
from controller.settings.toml_edit import TomlScalar
from controller.wording.rules_pages import list_games

SET_UP_KEYS: tuple[KeyPath, ...] = (
    ("game",),
    ("profile",),
    ("mode",),
    ("players", "white"),
    ("players", "black"),
    ("match", "length"),
    ("match", "crawford"),
    ("match", "score"),
    ("clock",),
    ("seating",),
    ("position",),
    ("bar",),
    ("monitor",),
    ("disputes",),
)
ON_TURN = "on_turn"
"""The player on turn at the given position. It is no setting, because it belongs to one game."""
OPTIONS = "options"
"""The first part of the key of a mistake about an option of the game."""
_OPTION_PREFIX = re.compile(r"(?:option )?([a-z_]+): ")
_PLAYERS: dict[TomlScalar, Player | None] = {None: None, "white": Player.WHITE, "black": Player.BLACK}
_EMPTY_VALUES: dict[KeyPath, TomlScalar] = {
    ("match", "length"): None,
    ("clock",): "none",
    ("disputes",): None,
    ("seating",): "",
    ("position",): None,
}
"""The values of empty fields that override the settings file."""


@dataclass(frozen=True, slots=True)
class MatchChoices:
    """The chosen values by the names of settings, and of options of the ruleset; None for an empty field."""

    values: Mapping[str, TomlScalar]
    options: Mapping[str, TomlScalar]


@dataclass(frozen=True, slots=True)
class AgreedMatch:
    """A match that can begin."""

    settings: Settings
    table: MatchConfig


@dataclass(frozen=True, slots=True)
class MatchForm:
    """The fields of the form with their present values, and the games by name (None for Grasshopper)."""

    fields: tuple[SettingField, ...]
    values: Mapping[KeyPath, TomlScalar]
    games: Mapping[str, Ruleset | None]


def read_match_form(store: SettingsStore) -> MatchForm:
    """The form with the values of the command line, else of the file. OSError where the file cannot be read."""
    read = store.read()
    house = store.load_house_variant(read.text)
    fields = setting_fields(make_known_names(house))
    values = {field.key: value_at(read.values, field.key) for field in fields}
    for key, _, value in reversed(store.options):
        if key in values and isinstance(value, str | int | float | bool):
            values[key] = value
    values["game",] = values["game",] or (DEFAULT_GAME if house is None else house.rules.name)
    return MatchForm(fields, values, list_games(None if house is None else house.rules))


def make_agreed_match(set_up: MatchChoices, store: SettingsStore) -> AgreedMatch:
    """The match of the form. SettingsError with every mistake, whose keys are those of the form."""
    text = store.read_usable().text
    house = store.load_house_variant(text)
    mistakes, settings = [*_find_unknown_values(set_up), *_find_option_mistakes(set_up, house)], None
    try:
        settings = store.check(text, _make_options(set_up)).settings
    except SettingsError as error:
        mistakes += error.mistakes
    if settings is None or mistakes:
        raise SettingsError(tuple(mistakes))
    game = _game_of(set_up, house)
    if set_up.options:
        house = with_game_options(game, house, set_up.options)
        game = house.rules.name
    on_turn = _PLAYERS[set_up.values.get(ON_TURN)]
    try:
        return AgreedMatch(settings, build_match_config(settings, house, on_turn, game=game))
    except StartPositionError as error:
        raise SettingsError((_make_mistake(("position",), str(error)),)) from None


def _find_unknown_values(set_up: MatchChoices) -> list[Mistake]:
    known = {".".join(key) for key in SET_UP_KEYS} | {ON_TURN}
    unknown = (name for name in set_up.values if name not in known)
    found = [_make_mistake((name,), "this is not chosen for a match") for name in unknown]
    if set_up.values.get(ON_TURN) not in _PLAYERS:
        found.append(_make_mistake((ON_TURN,), "write white or black"))
    return found


def _make_options(set_up: MatchChoices) -> Options:
    """The choices as options. An empty field keeps the value of the settings, unless `_EMPTY_VALUES` has one for it."""
    options = []
    for key in SET_UP_KEYS:
        name = ".".join(key)
        value = set_up.values.get(name)
        if value in (None, ""):
            if name not in set_up.values or key not in _EMPTY_VALUES:
                continue
            value = _EMPTY_VALUES[key]
        options.append((key, name, value))
    return tuple(options)


def _game_of(set_up: MatchChoices, house: HouseVariant | None) -> str:
    return str(set_up.values.get("game") or (DEFAULT_GAME if house is None else house.rules.name))


def _find_option_mistakes(set_up: MatchChoices, house: HouseVariant | None) -> list[Mistake]:
    """The mistakes in the options of the game; none where the game does not exist, which is a mistake of its own."""
    game = _game_of(set_up, house)
    games = list_games(None if house is None else house.rules)
    if not set_up.options or game not in games:
        return []
    offered = {option.name for option in game_options(games[game])}
    mistakes = [
        _make_mistake((OPTIONS, name), "this game has no such option") for name in set_up.options if name not in offered
    ]
    if mistakes:
        return mistakes
    try:
        with_game_options(game, house, set_up.options)
    except RulesetError as error:
        return [_make_option_mistake(problem) for problem in error.problems]
    return []


def _make_option_mistake(problem: str) -> Mistake:
    """The sentences of RulesetError begin with the name of the option."""
    found = _OPTION_PREFIX.match(problem)
    return _make_mistake((OPTIONS, found[1]) if found else (OPTIONS,), problem[found.end() :] if found else problem)


def _make_mistake(key: KeyPath, sentence: str) -> Mistake:
    return Mistake(".".join(key), sentence, key)
