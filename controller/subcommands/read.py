"""`zarbiter read`: reads checkers, dice and the cube in single pictures."""

import argparse
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from controller.pictures.picture_options import add_corners_option
from controller.subcommands.match.calibration_choice import read_calibration
from controller.subcommands.options import (
    SubParsers,
    UsageError,
    add_command,
    announce_when_slow,
    make_overlay_folder,
    resolve_game,
)

if TYPE_CHECKING:
    from controller.pictures.read_pictures import BoardReadOptions

_LOG = logging.getLogger("zarbiter.read")


def add(commands: SubParsers, summary: str) -> None:
    read = add_command(
        commands,
        "read",
        _read,
        summary,
        "Reads each picture independently. Without --calibration and --corners the board is located in each.",
    )
    read.add_argument("images", metavar="IMAGE", nargs="+", help="JPEG, PNG, WebP and others")
    read.add_argument(
        "--calibration",
        metavar="FILE",
        type=Path,
        help="made by zarbiter calibrate; with --corners only what it knows of the board is taken, for a moved camera",
    )
    add_corners_option(read)
    read.add_argument("--dice-only", action="store_true", help="find dice in pictures without a board")
    read.add_argument("--json", action="store_true", help="one JSON object a line")
    read.add_argument("--overlay", metavar="DIR", type=Path, help="write pictures with the readings drawn in there")
    read.add_argument(
        "--explain", action="store_true", help="list the weak places, what they resemble and why, and what was learned"
    )
    read.add_argument("--game", metavar="G", help="the game whose throws are judged (default: backgammon)")
    read.add_argument("--profile", metavar="P", help="the officiating profile that judges throws (default: casual)")


def _read(options: argparse.Namespace) -> bool:
    import json

    from controller.pictures.read_pictures import read_files
    from controller.wording.reading_text import reading_lines, reading_record

    sought = _resolve_board(options)
    is_all_well = True
    reads = read_files(options.images, sought, make_overlay_folder(options.overlay, options.images))
    for number, image in enumerate(options.images, 1):
        with announce_when_slow(f"reading {image}, picture {number} of {len(options.images)}"):
            read = next(reads)
        lines = [json.dumps(reading_record(read.outcome))] if options.json else reading_lines(read.outcome)
        for line in lines:
            print(line, flush=True)
        if read.complaint:
            _LOG.error(read.complaint)
        is_all_well &= read.is_ok
    return is_all_well


def _resolve_board(options: argparse.Namespace) -> "BoardReadOptions | None":
    """None with --dice-only. A wrong game or profile raises UsageError in either case."""
    from controller.match import PROFILES
    from controller.pictures.find_board import BoardLocation
    from controller.pictures.read_pictures import BoardReadOptions
    from controller.rules.errors import quote_value, suggest

    if options.config is not None:
        _take_game_and_profile(options)
    profile = options.profile or "casual"
    rules = resolve_game(options, default="backgammon")[1]
    if profile not in PROFILES:
        raise UsageError(f"unknown profile {quote_value(profile)}; {suggest(profile, PROFILES)}")
    if options.dice_only:
        if options.calibration is not None or options.corners is not None:
            raise UsageError("--dice-only needs no board; leave out --calibration and --corners")
        if options.explain:
            raise UsageError("--explain is about the checkers on a board; leave out --dice-only")
        return None
    calibration = None if options.calibration is None else read_calibration(options.calibration)
    where = BoardLocation(calibration, options.corners)
    throw_rules = None if rules is None else PROFILES[profile].throw_rules(rules)
    return BoardReadOptions(where, throw_rules, options.explain)


def _take_game_and_profile(options: argparse.Namespace) -> None:
    """Takes game and profile from the settings file where no option names them."""
    from controller.subcommands.options import resolve_settings

    settings = resolve_settings(options)
    options.game, options.profile = settings.game, settings.profile
