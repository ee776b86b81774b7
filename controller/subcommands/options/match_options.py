"""The options of commands that referee a match, and the settings and match configuration made from them."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from controller.subcommands.options.call import UsageError
from controller.subcommands.options.shared_options import load_house_rules, read_text

if TYPE_CHECKING:
    from controller.refereeing.match_config import MatchConfig
    from controller.settings import KeyPath, KnownNames, Settings, SettingsInput

_OPTION_KEYS: "dict[str, KeyPath]" = {
    "game": ("game",),
    "rules": ("rules",),
    "profile": ("profile",),
    "mode": ("mode",),
    "seating": ("seating",),
    "position": ("position",),
    "score": ("match", "score"),
    "match": ("match", "length"),
    "white": ("players", "white"),
    "black": ("players", "black"),
    "clock": ("clock",),
    "disputes": ("disputes",),
    "director": ("director",),
    "camera": ("camera", "source"),
    "calibration": ("camera", "calibration"),
    "fps": ("camera", "fps"),
    "leds": ("leds", "port"),
    "driver": ("leds", "driver"),
    "layout": ("leds", "layout"),
    "table": ("web", "table"),
    "spectator-delay": ("web", "spectator_delay"),
    "keep-frames": ("log", "keep_frames_minutes"),
}


def add_match_options(parser: Any) -> None:
    """Adds the options of everything that is agreed before a match."""
    parser.add_argument("--game", metavar="G", help="one of `zarbiter rules list` (default: backgammon)")
    parser.add_argument("--profile", metavar="P", help="the officiating profile (default: casual)")
    parser.add_argument("--mode", metavar="M", help="teach, referee, silent or tournament (default: teach)")
    parser.add_argument("--match", metavar="N", type=int, help="a match to N points (default: money games)")
    parser.add_argument("--white", metavar="NAME", help="the name of White")
    parser.add_argument("--black", metavar="NAME", help="the name of Black")
    parser.add_argument("--seating", metavar="S", help="white=light|dark,edge=bottom|top,mirrored=yes|no, any part")
    parser.add_argument("--position", metavar="TEXT", help="begin with this position instead of the game's start")
    parser.add_argument(
        "--on-turn", metavar="SIDE", choices=("white", "black"), help="who is on turn in that position: white or black"
    )
    parser.add_argument("--clock", metavar="C", help="the clock of the match (default: none)")
    parser.add_argument(
        "--disputes", metavar="N", type=int, help="the disputes each player may lose (default: any number)"
    )
    parser.add_argument("--director", metavar="NAME", help="who answers for the set-up, for the log")
    parser.add_argument("--score", metavar="A-B", help="the score at the beginning, White's points first")
    parser.add_argument("--calibration", metavar="FILE", type=Path, help="made by zarbiter calibrate")


def collect_given(options: argparse.Namespace) -> "SettingsInput":
    """The text of --config and the options that were given, not yet checked."""
    from controller.settings import SettingsInput

    text = "" if options.config is None else read_text("--config", options.config)
    chosen = tuple(
        (key, f"--{name}", value)
        for name, key in _OPTION_KEYS.items()
        if (value := getattr(options, name.replace("-", "_"), None)) is not None
    )
    return SettingsInput(text, options.config, chosen)


def known_names(options: argparse.Namespace) -> "KnownNames":
    """The valid names of games, including a house variant, and of profiles."""
    from controller.match import PROFILES
    from controller.settings import KnownNames
    from controller.wording.rules_pages import list_games

    return KnownNames(tuple(list_games(load_house_rules(options))), tuple(PROFILES))


def resolve_settings(options: argparse.Namespace) -> "Settings":
    """The settings of file and options; UsageError with every mistake at once."""
    from controller.settings import SettingsError, read_settings

    given = collect_given(options)
    _take_house_rules(given, options)
    try:
        return read_settings(given, known_names(options))
    except SettingsError as error:
        raise UsageError(*(str(mistake) for mistake in error.mistakes)) from None


def _take_house_rules(given: "SettingsInput", options: argparse.Namespace) -> None:
    """Takes over a house variant that the settings file names, because its game may be chosen in the same file."""
    from controller.rules import read_toml

    rules = read_toml(given.text).get("rules")  # check_folders has checked that it is TOML
    if options.rules is None and isinstance(rules, str) and options.config is not None:
        options.rules = options.config.parent / Path(rules).expanduser()


def resolve_table(settings: "Settings", options: argparse.Namespace) -> "MatchConfig":
    """The match configuration of the settings, with the house variant and --on-turn of the options."""
    from controller.rules import Player
    from controller.settings import build_match_config

    rules = load_house_rules(options)
    house = None if rules is None else build_match_config.HouseVariant(rules, read_text("--rules", options.rules))
    try:
        return build_match_config.build_match_config(
            settings, house, Player[options.on_turn.upper()] if options.on_turn else None
        )
    except build_match_config.StartPositionError as error:
        raise UsageError(f"--position: {error}") from None
