"""`zarbiter demo`: options of the demo."""

import argparse
import logging
from typing import TYPE_CHECKING

from controller.subcommands.match.page import ADDRESS_REMEDY, resolve_address
from controller.subcommands.options import EXIT_FAILED, EXIT_OK, CallParser, resolve_game

if TYPE_CHECKING:
    from controller.subcommands.options import SubParsers

_LOG = logging.getLogger("zarbiter.demo")


def add(commands: "SubParsers", for_all: CallParser, summary: str) -> None:
    demo = commands.add_parser(
        "demo",
        parents=[for_all],
        help=summary,
        description="Draws a table, hands and dice, referees the game from these pictures alone, prints every ruling and "
        "shows the match on a page of this machine. The lights are on a simulated light board behind a real serial port. "
        "The demo never doubles.",
        allow_abbrev=False,
    )
    demo.add_argument("--game", metavar="G", help="one of the games of `zarbiter rules list` (default: backgammon)")
    demo.add_argument("--games", metavar="N", type=_whole_above_zero, default=1, help="how many games (default: 1)")
    demo.add_argument(
        "--seed", metavar="S", type=int, default=1, help="seed of the game; equal seeds give equal games (default: 1)"
    )
    demo.add_argument("--headless", action="store_true", help="open no browser; the page's address is printed")
    demo.add_argument("--mishaps", action="store_true", help="add bad throws, illegal plays, a lost camera, …")
    demo.add_argument(
        "--speed", metavar="X", type=_speed, help="speed relative to a real table (default: as fast as possible)"
    )
    demo.add_argument("--stay", action="store_true", help="keep the page after the game, until Ctrl-C")
    demo.add_argument(
        "--web", metavar="HOST:PORT", help="where the page listens (default: this machine only); none: no page"
    )
    demo.set_defaults(command=_demo)


def _demo(options: argparse.Namespace) -> int:
    from controller.subcommands.demo_run import DemoOptions, run_demo
    from controller.web import PageError

    address = resolve_address(options)
    name, rules = resolve_game(options, default="backgammon")
    asked = DemoOptions(
        options.games,
        options.seed,
        has_mishaps=options.mishaps,
        speed=options.speed,
        address=address,
        is_headless=options.headless,
        stays_open=options.stay,
    )
    try:
        return EXIT_OK if run_demo(name, rules, asked, options.data) else EXIT_FAILED
    except PageError as error:
        _LOG.error(ADDRESS_REMEDY, error)
        return EXIT_FAILED


def _whole_above_zero(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return number


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not 0 < speed <= 1000:
        raise argparse.ArgumentTypeError(f"{text} is no speed; give more than 0 and at most 1000")
    return speed
