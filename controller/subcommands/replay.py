"""`zarbiter replay`: steps through a match in the terminal or on a page, or referees it again on the simulated table."""

import argparse
import logging
import sys
from typing import TYPE_CHECKING

from controller.subcommands.options import CommandFailedError, SubParsers, UsageError, add_command
from controller.subcommands.replaying.match_loading import MATCH_OR_FILE, load_match

if TYPE_CHECKING:
    from controller.formats import MatchHistory, ReplayStep
    from controller.wording.board_text import Glyphs

_LOG = logging.getLogger("zarbiter.replay")
_OPTIONS_OF_MODE = {"table": ("readings", "turns", "seed"), "page": ("web", "headless")}
_KEYS = "[Enter] next, b back, a number goes to that turn, q ends: "


def add(commands: SubParsers, summary: str) -> None:
    replay = add_command(
        commands,
        "replay",
        _replay,
        summary,
        "Shows a match turn by turn. Without a terminal, or with --all, everything is printed at once. "
        "With --table every game is played again on the simulated table and refereed from its pictures, in casual play; "
        "rulings that differ from the record are printed, and the exit status is then 1. With --page the match is shown "
        "in a browser, with the rulings and pictures of a log, and the operator puts turns right there that nobody could tell.",
    )
    replay.add_argument("match", metavar="MATCH", help=MATCH_OR_FILE)
    replay.add_argument("--at", metavar="TURN", type=int, default=0, help="begin with this turn")
    replay.add_argument("--all", action="store_true", help="print everything at once")
    replay.add_argument("--table", action="store_true", help="referee the match again on the simulated table")
    replay.add_argument("--page", action="store_true", help="show the match on a page of this machine, until Ctrl-C")
    for_page = replay.add_argument_group("with --page")
    for_page.add_argument("--web", metavar="HOST:PORT", help="where the page listens (default: this machine only)")
    for_page.add_argument("--headless", action="store_true", help="open no browser; the page's address is printed")
    for_table = replay.add_argument_group("with --table")
    for_table.add_argument(
        "--readings", action="store_true", help="use ideal readings instead of pictures; much faster"
    )
    for_table.add_argument("--turns", metavar="N", type=int, help="the number of turns of each game (default: all)")
    for_table.add_argument(
        "--seed", metavar="S", type=int, help="seed of the board's look and of where dice lie (default: 1)"
    )
    replay.set_defaults(stay=False)


def _replay(options: argparse.Namespace) -> bool:
    from controller.formats import list_replay_steps
    from controller.wording.board_text import select_glyphs

    _check_options(options)
    found = load_match(options, _LOG)
    match = found.match
    scenes = list_replay_steps(match)
    if not scenes:
        raise CommandFailedError("no game has begun in this match; choose another one of zarbiter log list")
    if options.table:
        from controller.subcommands.replaying.table import replay_on_table

        return replay_on_table(match, options)
    start = _find_scene(scenes, options.at) if options.at else 0
    if start is None:
        raise UsageError(f"--at: there is no turn {options.at} in this match; zarbiter log show lists them")
    if options.page:
        from controller.subcommands.replaying.page import replay_on_page

        replay_on_page(found, options)
        return True
    glyphs = select_glyphs(sys.stdout.encoding)
    if options.all or not sys.stdin.isatty():
        for scene in scenes[start:]:
            _show(scene, match, glyphs)
    else:
        _step(scenes, start, match, glyphs)
    return True


def _check_options(options: argparse.Namespace) -> None:
    for mode, names in _OPTIONS_OF_MODE.items():
        for name in names:
            given = getattr(options, name)
            if given is not None and given is not False and not getattr(options, mode):
                raise UsageError(f"--{name} goes with --{mode}; add that, or leave it out")
    if options.page and options.web == "none":
        raise UsageError("--page shows a page, and --web none is without one; leave one of them out")
    if options.page and (options.all or options.table):
        raise UsageError("--page goes with neither --all nor --table; leave out one of them")
    if options.table and (options.all or options.at):
        raise UsageError("--table shows no single turns; leave out --all and --at")
    if options.turns is not None and options.turns < 1:
        raise UsageError(f"--turns: {options.turns} is not 1 or more")
    if options.seed is not None and options.seed < 0:
        raise UsageError(f"--seed: {options.seed} is not 0 or more")


def _step(scenes: "tuple[ReplayStep, ...]", at: int, match: "MatchHistory", glyphs: "Glyphs") -> None:
    _show(scenes[at], match, glyphs)
    while True:
        try:
            key = input(_KEYS).strip().lower()
        except EOFError:
            return
        if key.startswith("q"):
            return
        wanted: int | None = at - 1 if key.startswith("b") else at + 1
        if key.isascii() and key.isdigit():
            wanted = _find_scene(scenes, int(key[:9]))
        if wanted is None or not 0 <= wanted < len(scenes):
            print("there is nothing further that way")
            continue
        at = wanted
        _show(scenes[at], match, glyphs)


def _show(scene: "ReplayStep", match: "MatchHistory", glyphs: "Glyphs") -> None:
    from controller.formats import format_board

    print(scene.words)
    for remark in scene.remarks:
        print(f"  {remark}")
    for line in format_board(scene, match, glyphs).splitlines():
        print(line)
    print()


def _find_scene(scenes: "tuple[ReplayStep, ...]", turn: int) -> int | None:
    return next((at for at, scene in enumerate(scenes) if scene.turn == turn), None)
