"""`zarbiter demo`."""

import argparse
import logging
from typing import TYPE_CHECKING

from controller.subcommands.call import EXIT_FAILED, EXIT_OK, CallParser, UsageError
from controller.subcommands.shared_options import game_asked_for

if TYPE_CHECKING:
    from contextlib import ExitStack
    from pathlib import Path

    from controller.demo import DemoGame
    from controller.rules.ruleset import Ruleset
    from controller.subcommands.call import SubParsers
    from controller.subcommands.demo_shown import DemoOptions, Voice, _Shown
    from controller.table import Table
    from controller.web.address import Address
    from controller.web.page_of_match import MatchPage

_LOG = logging.getLogger("zarbiter.demo")


def add(commands: "SubParsers", for_all: CallParser) -> None:
    demo = commands.add_parser(
        "demo",
        parents=[for_all],
        help="referee a seeded game on a simulated table",
        description="Draws a table, hands and dice, referees the game from these pictures alone, prints every ruling and "
        "shows the match on a page of this machine. Lights go to a light board in memory behind a real serial port. "
        "Nobody doubles in the demo.",
        allow_abbrev=False,
    )
    demo.add_argument("--game", metavar="G", help="one of the games of `zarbiter rules list` (default: backgammon)")
    demo.add_argument("--games", metavar="N", type=_whole_above_zero, default=1, help="how many games (default: 1)")
    demo.add_argument("--seed", metavar="S", type=int, default=1, help="the same seed is the same game (default: 1)")
    demo.add_argument("--headless", action="store_true", help="open no browser; the page's address is printed")
    demo.add_argument("--mishaps", action="store_true", help="bad throws, illegal plays, a camera that is gone, …")
    demo.add_argument(
        "--speed", metavar="X", type=_speed, help="times as fast as at a real table (default: all it can)"
    )
    demo.add_argument("--stay", action="store_true", help="keep the page when the game is over, until Ctrl-C")
    demo.add_argument(
        "--web", metavar="HOST:PORT", help="where the page listens (default: this machine only); none: no page"
    )
    demo.set_defaults(command=_demo)


def _demo(options: argparse.Namespace) -> int:
    from controller.subcommands.demo_shown import DemoOptions, show_demo
    from controller.web.page_of_match import NO_PAGE, address_asked_for
    from controller.web.server import PageError

    try:
        address = address_asked_for(options.web)
    except ValueError as error:
        raise UsageError(f"--web: {error}") from None
    name, rules = game_asked_for(options, default="backgammon")
    asked = DemoOptions(options.games, options.seed, has_mishaps=options.mishaps, speed=options.speed)
    if address is NO_PAGE:
        if options.stay:
            raise UsageError("--stay keeps the page, and --web none is without one; leave one of them out")
        return EXIT_OK if show_demo(name, rules, asked, options.data) else EXIT_FAILED
    try:
        return EXIT_OK if _show_on_page(name, rules, asked, options, address) else EXIT_FAILED
    except PageError as error:
        _LOG.error("%s; choose another with --web HOST:PORT, or --web none", error)
        return EXIT_FAILED


def _show_on_page(
    game_name: str,
    rules: "Ruleset | None",
    asked: "DemoOptions",
    options: argparse.Namespace,
    address: "Address | None",
) -> bool:
    """As `show_demo`, and on the page."""
    import threading
    from contextlib import ExitStack, suppress
    from dataclasses import replace
    from pathlib import Path
    from tempfile import TemporaryDirectory

    from controller.demo import demo_game
    from controller.subcommands import demo_shown

    say, white, black, is_all_well = demo_shown.Voice(), 0, 0, True
    with ExitStack() as opened:
        folder = options.data or Path(opened.enter_context(TemporaryDirectory(prefix="zarbiter-demo-")))
        page = _page(address, folder, opened, is_headless=options.headless)
        for number in range(asked.games):
            game = demo_game(game_name, rules, asked.seed + number, has_mishaps=asked.has_mishaps)
            say(demo_shown._heading(game, number, asked.games))
            for line in page.lines if number == 0 else ():
                say(line)
            table = replace(game.table, white_score=white, black_score=black)
            won = _show_game(game, table, asked, data=folder, say=say, page=page)
            is_all_well &= won.is_well
            white, black = won.white, won.black
        if asked.games > 1:
            say(f"Score after {asked.games} games: White {white}, Black {black}")
        if options.stay:
            say("The page stays until Ctrl-C.")
            with suppress(KeyboardInterrupt):
                threading.Event().wait()
    return is_all_well


def _page(address: "Address | None", data: "Path", opened: "ExitStack", *, is_headless: bool) -> "MatchPage":
    """Open, and in a browser where somebody sits before one. PageError when it cannot be served."""
    from controller.settings import WebSettings
    from controller.web.page_of_match import open_in_browser, open_page

    page = open_page(address, WebSettings().port, data)
    opened.callback(page.close)
    if not is_headless:
        open_in_browser(page.operators_link)
    return page


def _show_game(
    game: "DemoGame", table: "Table", asked: "DemoOptions", *, data: "Path", say: "Voice", page: "MatchPage"
) -> "_Shown":
    import time
    from contextlib import ExitStack
    from itertools import chain

    from controller.announcer import Announcer
    from controller.film import Film, get_ready
    from controller.loop import Sink, referee_match
    from controller.match_log import matches_folder, new_match
    from controller.referee import begin
    from controller.simulation.compare import compare
    from controller.subcommands import demo_shown
    from controller.web.camera_view import WatchedFilm
    from vision.calibration import Refusal
    from vision.frame import Frame

    simulated = game.filmed()
    inputs = simulated.inputs()
    first = next(given for given in inputs if isinstance(given, Frame))
    calibration = game.calibrated(first)
    if isinstance(calibration, Refusal):
        demo_shown._LOG.error("the board was not found: %s", calibration.reason)
        return demo_shown._Shown(False, table.white_score, table.black_score)
    get_ready(calibration)  # before the light board is greeted, which does not wait longer than 2 s for a picture
    figures, began_s = demo_shown.Figures(), time.monotonic()
    with ExitStack() as opened, new_match(matches_folder(data), table.game) as log:
        state, begun = begin(table, 0)
        log.append(begun)
        on_page = page.show(log.path.stem, table, state, begun, path=log.path)
        announcer = Announcer(say, table)
        announcer.publish(state, begun, 0)
        sinks: list[Sink] = [*demo_shown._lights(table, opened, say), announcer, on_page, simulated, figures]
        paced = demo_shown._paced(page.orders.between(chain([first], inputs)), asked.speed)
        counted = demo_shown._counted(paced, figures, say)
        referee_match(counted, table, log, sinks, watch=WatchedFilm(Film(calibration), page.camera), state=state)
    found = compare(simulated.truths, figures.events)
    return demo_shown._told(figures, found, log, took_s=time.monotonic() - began_s, say=say)


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
