"""`zarbiter demo`."""

import argparse
from typing import TYPE_CHECKING

from controller.subcommands.call import CallParser, UsageError
from controller.subcommands.shared_options import game_asked_for

if TYPE_CHECKING:
    from controller.subcommands.call import SubParsers


def add(commands: "SubParsers", for_all: CallParser) -> None:
    demo = commands.add_parser(
        "demo",
        parents=[for_all],
        help="play a seeded game in the terminal",
        description="Plays seeded games in the terminal; the judge checks every turn. Nobody doubles in the demo.",
        epilog="--mishaps, --speed X and --stay come with the referee.",
        allow_abbrev=False,
    )
    demo.add_argument("--game", metavar="G", help="one of the games of `zarbiter rules list` (default: backgammon)")
    demo.add_argument("--games", metavar="N", type=_whole_above_zero, default=1, help="how many games (default: 1)")
    demo.add_argument("--seed", metavar="S", type=int, default=1, help="the same seed is the same game (default: 1)")
    demo.add_argument("--headless", action="store_true", help="open no page; this version has none to open")
    demo.add_argument("--mishaps", action="store_true", help=argparse.SUPPRESS)
    demo.add_argument("--speed", metavar="X", help=argparse.SUPPRESS)
    demo.add_argument("--stay", action="store_true", help=argparse.SUPPRESS)
    demo.set_defaults(command=_demo)


def _demo(options: argparse.Namespace) -> int:
    for option, is_given in (
        ("--mishaps", options.mishaps),
        ("--speed", options.speed is not None),
        ("--stay", options.stay),
    ):
        if is_given:
            raise UsageError(f"{option} comes with the referee and is not yet part of this version; leave it out")
    from controller.demo import play_demo

    _, rules = game_asked_for(options, default="backgammon")
    return play_demo(rules, games=options.games, seed=options.seed)


def _whole_above_zero(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return number
