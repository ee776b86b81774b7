"""`zarbiter analyse`: statistics of a match, and error rates from GNU Backgammon where it is installed."""

import argparse
import json
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from controller.subcommands.options import CommandFailedError, SubParsers, add_command, check_new_file, not_written
from controller.subcommands.replaying.match_loading import MATCH_OR_FILE, load_match

if TYPE_CHECKING:
    from controller.formats import MatchHistory
    from controller.statistics import ErrorRate

_LOG = logging.getLogger("zarbiter.analyse")


def add(commands: SubParsers, summary: str) -> None:
    analyse = add_command(
        commands,
        "analyse",
        _analyse,
        summary,
        "Counts rolls, doubles, pips, passes, illegal plays and time. If GNU Backgammon is installed, it"
        " also computes the error rates of both players, which takes a while.",
    )
    analyse.add_argument("match", metavar="MATCH", help=MATCH_OR_FILE)
    analyse.add_argument("--json", action="store_true", help="one JSON object on one line")
    analyse.add_argument("--svg", metavar="FILE", type=Path, help="write plots of the dice and of the race there")
    analyse.add_argument("--no-gnubg", action="store_true", help="do not run GNU Backgammon")


def _analyse(options: argparse.Namespace) -> bool:
    from controller.formats import compute_statistics, statistics_lines, statistics_record, statistics_svg
    from controller.rules import RulesError
    from controller.settings import write_atomically

    if options.svg is not None:
        check_new_file(options.svg, "--svg")
    loaded = load_match(options, _LOG)
    match = loaded.match
    try:
        facts = compute_statistics(match)
    except RulesError as error:  # a log holds its boards as they were written; only the chain vouches for them
        raise CommandFailedError(f"{loaded.path} cannot be counted: {error}") from None
    if not options.json:
        for line in statistics_lines(match, facts):
            print(line, flush=True)
    if options.svg is not None:
        try:
            # "replace": a player's name may hold bytes that are no Unicode
            write_atomically(options.svg, statistics_svg(match, facts).encode("utf-8", "replace").decode("utf-8"))
        except OSError as error:
            raise not_written(options.svg, error) from None
    rates = () if options.no_gnubg else _compute_rates(match)
    if options.json:
        print(json.dumps({**statistics_record(match, facts), "error_rates": [_record(rate) for rate in rates] or None}))
    elif rates:
        print()
        for line in _rate_lines(match, rates):
            print(line)
    return True


def _compute_rates(match: "MatchHistory") -> "tuple[ErrorRate, ...]":
    """The error rates; empty, after a logged reason, where there are none."""
    from controller.statistics import NoAnalysisError, find_gnubg, run_analysis

    if find_gnubg() is not None:
        _LOG.warning("GNU Backgammon analyses the match, which takes some seconds a game")
    try:
        rates = run_analysis(match).rates
    except NoAnalysisError as error:
        _LOG.warning("no error rates: %s", error)
        return ()
    if not rates:
        _LOG.warning("no error rates: GNU Backgammon found no decision in it")
    return rates


def _record(rate: "ErrorRate") -> dict[str, object]:
    return {
        "what": rate.what,
        "white": rate.white,
        "black": rate.black,
        "white_rating": rate.white_rating,
        "black_rating": rate.black_rating,
    }


def _rate_lines(match: "MatchHistory", rates: "tuple[ErrorRate, ...]") -> list[str]:
    lines = ["error rates by GNU Backgammon, in thousandths of a point a decision (0 is perfect)"]
    for rate in rates:
        lines.append(f"{rate.what:<24}{rate.white:>18.1f}{rate.black:>18.1f}")
        if rate.white_rating or rate.black_rating:
            lines.append(f"{'':<24}{rate.white_rating:>18}{rate.black_rating:>18}")
    return lines
