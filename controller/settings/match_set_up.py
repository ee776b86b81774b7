"""A match as somebody sets it up: chosen values on top of the settings, checked all at once, and the table they make."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from controller.refereeing.match_config import MatchConfig
from controller.rules import Player, RulesetError
from controller.settings.build_match_config import (
    DEFAULT_GAME,
    HouseVariant,
    StartPositionError,
    build_match_config,
    with_game_options,
)
from controller.settings.form_fields import SettingField, TomlScalar, setting_fields
from controller.settings.game_options import game_options
from controller.settings.settings import Mistake, Settings, SettingsError
from controller.settings.store import CheckedSettings, Options, SettingsStore
from controller.settings.toml_lines import KeyPath
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
)
ON_TURN = "on_turn"
"""Who plays at the position given; no setting, for it belongs to that one game."""
OPTIONS = "options"
"""The prefix of the game's own options among mistakes."""
_OPTION_PREFIX = re.compile(r"(?:option )?([a-z_]+): ")
_PLAYERS: dict[TomlScalar, Player | None] = {None: None, "white": Player.WHITE, "black": Player.BLACK}
_EMPTY_VALUES: dict[KeyPath, TomlScalar] = {
    ("match", "length"): None,
    ("clock",): "none",
    ("seating",): "",
    ("position",): None,
}
"""What an empty field means where the settings file may say something."""


@dataclass(frozen=True, slots=True)
class MatchChoices:
    """What was chosen, by the names of settings and of options of the ruleset; None: left empty."""

    values: Mapping[str, TomlScalar]
    options: Mapping[str, TomlScalar]


@dataclass(frozen=True, slots=True)
class AgreedMatch:
    """A match that can be begun."""

    settings: Settings
    table: MatchConfig


def match_choice_fields(checked: CheckedSettings) -> tuple[SettingField, ...]:
    """The settings that are chosen anew for each match."""
    return tuple(field for field in setting_fields(checked.known) if field.key in SET_UP_KEYS)


def make_agreed_match(set_up: MatchChoices, store: SettingsStore) -> AgreedMatch:
    """SettingsError with every mistake; its keys are those of the form."""
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
    try:
        return AgreedMatch(
            settings, build_match_config(settings, house, _PLAYERS[set_up.values.get(ON_TURN)], game=game)
        )
    except StartPositionError as error:
        raise SettingsError((_make_mistake(("position",), str(error)),)) from None


def _find_unknown_values(set_up: MatchChoices) -> list[Mistake]:
    known = {".".join(key) for key in SET_UP_KEYS}
    found = [
        _make_mistake((name,), "this is not chosen for a match")
        for name in set_up.values
        if name not in known | {ON_TURN}
    ]
    if set_up.values.get(ON_TURN) not in _PLAYERS:
        found.append(_make_mistake((ON_TURN,), "write white or black"))
    return found


def _make_options(set_up: MatchChoices) -> Options:
    """What was left empty is as the settings have it, but for what may be none at all."""
    given = {key: set_up.values[".".join(key)] for key in SET_UP_KEYS if ".".join(key) in set_up.values}
    filled = {
        key: _EMPTY_VALUES[key] if value in (None, "") else value
        for key, value in given.items()
        if _is_given(key, value)
    }
    return tuple((key, ".".join(key), value) for key, value in filled.items())


def _is_given(key: KeyPath, value: TomlScalar) -> bool:
    return key in _EMPTY_VALUES or value not in (None, "")


def _game_of(set_up: MatchChoices, house: HouseVariant | None) -> str:
    return str(set_up.values.get("game") or (DEFAULT_GAME if house is None else house.rules.name))


def _find_option_mistakes(set_up: MatchChoices, house: HouseVariant | None) -> list[Mistake]:
    """What is wrong with the game's options; nothing is said of those of a game that there is not."""
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
    """The rules begin such a sentence with the option's name."""
    found = _OPTION_PREFIX.match(problem)
    return _make_mistake((OPTIONS, found[1]) if found else (OPTIONS,), problem[found.end() :] if found else problem)


def _make_mistake(key: KeyPath, sentence: str) -> Mistake:
    return Mistake(".".join(key), sentence, key)
