"""`zarbiter stats`: every player's games, throws and time over all matches of the data folder."""

import argparse
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from controller.subcommands.log import folder_of
from controller.subcommands.options import (
    CommandFailedError,
    ProgressBar,
    SubParsers,
    add_command,
    check_new_file,
    write_csv,
)

if TYPE_CHECKING:
    from controller.formats import MatchHistory, PlayerTotals

_LOG = logging.getLogger("zarbiter.stats")


def add(commands: SubParsers, summary: str) -> None:
    stats = add_command(
        commands,
        "stats",
        _stats,
        summary,
        "Adds up every match of the data folder, imported ones too: matches, games and points won, throws, doubles, pips,"
        " passes, illegal plays, throws that did not count, and time. Throws are compared with what fair dice give.",
    )
    stats.add_argument("players", metavar="PLAYER", nargs="*", help="only these players; beginnings of names will do")
    stats.add_argument("--json", action="store_true", help="one JSON object a player, one a line")
    stats.add_argument("--csv", metavar="FILE", type=Path, help="write the table there, for a spreadsheet")


def _stats(options: argparse.Namespace) -> bool:
    from controller.formats import total_lines, total_players, total_records

    if options.csv is not None:
        check_new_file(options.csv, "--csv")
    problems: list[str] = []
    totals = _choose(total_players(_read_matches(folder_of(options), problems)), options.players)
    for problem in problems:
        _LOG.warning("%s", problem)
    if options.csv is not None:
        write_csv(options.csv, list(total_records(totals)))
    if options.json:
        for record in total_records(totals):
            print(json.dumps(record))
    elif options.csv is None:
        for line in total_lines(totals):
            print(line)
    return not problems


def _read_matches(folder: Path, problems: list[str]) -> "Iterator[MatchHistory]":
    """The matches that can be read; a sentence for each other one goes to `problems`."""
    from controller.formats import build_match_of_record
    from controller.match_log import MatchLogError, match_files, read_match
    from controller.rules import RulesError

    files = match_files(folder)
    progress = ProgressBar("matches", len(files))
    for done, file in enumerate(files):
        progress.show(done)
        try:
            yield build_match_of_record(read_match(file))
        except MatchLogError as error:
            problems.append(str(error))
        except RulesError as error:
            problems.append(f"{file} cannot be counted: {error}")
    progress.end()


def _choose(totals: "tuple[PlayerTotals, ...]", names: list[str]) -> "tuple[PlayerTotals, ...]":
    if not totals:
        raise CommandFailedError("there is no match with players yet; zarbiter play or zarbiter import makes one")
    chosen = tuple(
        one for one in totals if not names or one.name.casefold().startswith(tuple(map(str.casefold, names)))
    )
    if not chosen:
        known = ", ".join(one.name for one in totals[:10])
        raise CommandFailedError(f"nobody here is called {' or '.join(names)}; there are {known}")
    return chosen
