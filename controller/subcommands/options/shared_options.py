"""The options of every sub-command (--config, --data, --rules), their checks and the files that they name."""

import argparse
import os
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from controller.plain_file import read_plain_file
from controller.private_files import make_private_folder
from controller.subcommands.options.call import CallParser, SubParsers, UsageError

if TYPE_CHECKING:
    from controller.pictures.overlays import OverlayFolder
    from controller.rules import Ruleset


def add_command(
    commands: SubParsers,
    name: str,
    run: Callable[[argparse.Namespace], bool],
    summary: str,
    description: str | None = None,
    *,
    epilog: str | None = None,
) -> CallParser:
    """The parser of a command with the options of every command; `run` says whether every part of the job was done."""
    options = CallParser(add_help=False)
    options.add_argument("--config", metavar="FILE", type=Path, help="settings in TOML")
    options.add_argument(
        "--data", metavar="DIR", type=Path, help="the folder of matches and calibrations (default: the XDG data folder)"
    )
    options.add_argument("--rules", metavar="FILE", type=Path, help="a house variant in TOML, added to the games")
    parser = commands.add_parser(name, parents=[options], help=summary, description=description, epilog=epilog)
    parser.set_defaults(command=run)
    return parser


def check_folders(options: argparse.Namespace) -> None:
    """Raises UsageError for a --config that is no TOML and a --data that is no folder; a missing folder is made later."""
    if options.config is not None:
        from controller.rules import TomlTextError, read_toml

        text = read_text("--config", options.config)
        try:
            read_toml(text)
        except TomlTextError as error:
            raise UsageError(f"{options.config}: {error}") from None
    if options.data is not None:
        _check_data_folder(options.data)


def _check_data_folder(folder: Path) -> None:
    try:
        if not stat.S_ISDIR(folder.stat().st_mode):
            raise UsageError(f"--data: {folder} is no folder; name one, or leave the option out")
        (folder / ".").stat()
        os.scandir(folder).close()
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        reason = getattr(error, "strerror", None) or error
        raise UsageError(
            f"--data: {folder} cannot be read ({reason}); name a folder of yours, or leave the option out"
        ) from None


def resolve_game(options: argparse.Namespace, *, default: str | None) -> "tuple[str, Ruleset | None]":
    """The game of --game, by default the house variant if one is given, and its ruleset; Grasshopper has None."""
    from controller.rules.errors import quote_value, suggest
    from controller.wording.rules_pages import list_games

    house = load_house_rules(options)
    games = list_games(house)
    game: str | None = options.game or (default if house is None else house.name)
    if game is None:
        raise UsageError(f"name a game: {', '.join(games)}")
    if game not in games:
        raise UsageError(f"unknown game {quote_value(game)}; {suggest(game, games)}")
    return game, games[game]


def load_house_rules(options: argparse.Namespace) -> "Ruleset | None":
    """The house variant of --rules; UsageError with the file's name for each mistake in it."""
    if options.rules is None:
        return None
    from controller.rules import RulesetError, parse_house_variant
    from controller.rules.house_rules import place_problems

    text = read_text("--rules", options.rules)
    try:
        return parse_house_variant(text)
    except RulesetError as error:
        raise UsageError(*map(": ".join, place_problems(error, options.rules, text))) from None


def read_text(option: str, file: Path) -> str:
    """The text of a TOML file. Raises UsageError."""
    from controller.rules import MOST_TOML_BYTES

    try:
        return read_plain_file(file, MOST_TOML_BYTES).decode("utf-8")
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(f"{option}: cannot read {file} ({reason}); name a file that can be read") from None
    except ValueError:  # UnicodeDecodeError, or a file name with a null character
        raise UsageError(f"{option}: {file} is no UTF-8 text; save it as UTF-8") from None


def make_overlay_folder(folder: Path | None, images: Sequence[str]) -> "OverlayFolder | None":
    """Makes the folder of --overlay at once: a call that cannot save its pictures must fail before it reads `images`."""
    if folder is None:
        return None
    from controller.pictures.overlays import OverlayFolder

    try:
        make_private_folder(folder)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(f"--overlay: cannot make the folder {folder} ({reason}); name another one") from None
    return OverlayFolder(folder, images)
