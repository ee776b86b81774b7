"""The options that every sub-command takes, and what stands behind them."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from controller.subcommands.options.call import CallParser, UsageError

if TYPE_CHECKING:
    from controller.rules import Ruleset


def make_common_parser() -> CallParser:
    """A parent of each sub-command's parser."""
    options = CallParser(add_help=False)
    options.add_argument("--config", metavar="FILE", type=Path, help="settings in TOML")
    options.add_argument(
        "--data", metavar="DIR", type=Path, help="where matches and calibrations lie (default: the XDG data folder)"
    )
    options.add_argument("--rules", metavar="FILE", type=Path, help="a house variant in TOML, as one more game")
    return options


def check_folders(options: argparse.Namespace) -> None:
    """Refuses what can never work; the data folder is made by the first command that stores something."""
    if options.config is not None:
        import tomllib

        text = read_text("--config", options.config)
        try:
            tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise UsageError(f"{options.config}: this is no TOML: {error}; correct that place") from None
    if options.data is not None and options.data.exists() and not options.data.is_dir():
        raise UsageError(f"--data: {options.data} is no folder; name one, or leave the option out")


def resolve_game(options: argparse.Namespace, *, default: str | None) -> "tuple[str, Ruleset | None]":
    """The game of --game and its ruleset, which Grasshopper lacks; a house variant is the default when it is given."""
    from controller.wording.rules_pages import list_games

    house = load_house_rules(options)
    games = list_games(house)
    game: str | None = options.game or (default if house is None else house.name)
    if game is None:
        raise UsageError(f"name a game: {', '.join(games)}")
    if game not in games:
        raise UsageError(f"unknown game {game!r}; choose one of {', '.join(games)}")
    return game, games[game]


def load_house_rules(options: argparse.Namespace) -> "Ruleset | None":
    """The house variant of --rules; every mistake in it is told, with the file's name."""
    if options.rules is None:
        return None
    from controller.rules import RulesetError, parse_house_variant

    text = read_text("--rules", options.rules)
    try:
        return parse_house_variant(text)
    except RulesetError as error:
        raise UsageError(*(f"{options.rules}: {problem}" for problem in error.problems)) from None


def read_text(option: str, file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(f"{option}: cannot read {file} ({reason}); name a file that can be read") from None
    except ValueError:  # UnicodeDecodeError, or a file name with a null character
        raise UsageError(f"{option}: {file} is no UTF-8 text; save it as UTF-8") from None
