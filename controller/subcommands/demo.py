"""`zarbiter demo`: options of the demo."""

import argparse

from controller.subcommands.match.page import ADDRESS_REMEDY, resolve_address
from controller.subcommands.options import CommandFailedError, SubParsers, add_command, positive, resolve_game


def add(commands: SubParsers, summary: str) -> None:
    demo = add_command(
        commands,
        "demo",
        _demo,
        summary,
        "Draws a table, hands and dice, referees the game from these pictures alone, prints every ruling and "
        "shows the match on a page of this machine. The lights are on a simulated light board behind a real serial port. "
        "The simulated players follow what is ordered on the page; of themselves they never double.",
    )
    demo.add_argument("--game", metavar="G", help="one of the games of `zarbiter rules list` (default: backgammon)")
    demo.add_argument("--games", metavar="N", type=_whole_above_zero, default=1, help="how many games (default: 1)")
    demo.add_argument(
        "--seed", metavar="S", type=int, default=1, help="seed of the game; equal seeds give equal games (default: 1)"
    )
    demo.add_argument("--headless", action="store_true", help="open no browser; the page's address is printed")
    demo.add_argument("--mishaps", action="store_true", help="add bad throws, illegal plays, a lost camera, …")
    demo.add_argument(
        "--speed",
        metavar="X",
        type=positive("speed", 1000),
        help="speed relative to a real table (default: as fast as possible)",
    )
    demo.add_argument(
        "--stay", action="store_true", help="keep the page after the game, until Ctrl-C, as where a browser opens"
    )
    demo.add_argument(
        "--web", metavar="HOST:PORT", help="where the page listens (default: this machine only); none: no page"
    )


def _demo(options: argparse.Namespace) -> bool:
    from controller.subcommands.demonstration.run import DemoOptions, run_demo
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
        return run_demo(name, rules, asked, options.data)
    except PageError as error:
        raise CommandFailedError(ADDRESS_REMEDY.format(error)) from None


def _whole_above_zero(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return number
