"""`zarbiter stats`: every player's games, throws, time and errors over all matches of the data folder."""

import argparse
import json
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from controller.subcommands.log import folder_of
from controller.subcommands.options import (
    CommandFailedError,
    ProgressBar,
    SubParsers,
    UsageError,
    add_command,
    check_new_file,
    format_count,
    not_written,
    positive,
    write_csv,
)

if TYPE_CHECKING:
    from controller.formats import PlayerTotals
    from controller.statistics import FolderCounts

_LOG = logging.getLogger("zarbiter.stats")
_MOST_LOSS = 100.0  # points: more than any play costs


def add(commands: SubParsers, summary: str) -> None:
    stats = add_command(
        commands,
        "stats",
        _stats,
        summary,
        "Adds up every match of the data folder, imported ones too: matches, games and points won, throws, doubles, pips,"
        " passes, illegal plays, throws that did not count, and time. Throws are compared with what fair dice give."
        " GNU Backgammon, where it is installed, adds error rates and blunders.",
    )
    stats.add_argument("players", metavar="PLAYER", nargs="*", help="only these players; beginnings of names will do")
    stats.add_argument("--json", action="store_true", help="one JSON object a player, one a line")
    stats.add_argument("--csv", metavar="FILE", type=Path, help="write the table there, for a spreadsheet")
    stats.add_argument(
        "--errors",
        action="store_true",
        help="let GNU Backgammon analyse the matches that it has not analysed yet, some seconds a game",
    )
    stats.add_argument(
        "--blunders",
        metavar="FILE",
        type=Path,
        help="write every blunder there with position, play made and best play, for a spreadsheet; analyses as --errors does",
    )
    stats.add_argument(
        "--least-loss",
        metavar="POINTS",
        type=positive("loss", _MOST_LOSS),
        help="what a blunder loses at least (default: 0.12, GNU Backgammon's limit of a very bad play)",
    )


def _stats(options: argparse.Namespace) -> bool:
    from controller.formats import total_lines, total_records
    from controller.statistics import ErrorsReader, total_archive

    for option, file in (("--csv", options.csv), ("--blunders", options.blunders)):
        if file is not None:
            check_new_file(file, option)
    least_loss = _check_least_loss(options.least_loss)
    data = folder_of(options).parent
    counts = _count(data)
    archive = total_archive(counts, ErrorsReader(data))
    for problem in archive.problems:
        _LOG.warning("%s", problem)
    chosen, is_complete = _choose(archive.players, options.players), True
    if options.errors or options.blunders is not None:
        is_complete = _analyse(data, counts)
        archive = total_archive(counts, ErrorsReader(data))
    rates = archive.rates
    if options.csv is not None:
        write_csv(options.csv, list(total_records(chosen, rates)))
    if options.blunders is not None:
        _write_blunders(options.blunders, data, counts, chosen, least_loss)
    if options.json:
        for record in total_records(chosen, rates):
            print(json.dumps(record))
    elif options.csv is None and options.blunders is None:
        for line in total_lines(chosen, rates):
            print(line)
    return is_complete and not archive.problems


def _check_least_loss(given: float | None) -> float:
    from controller.statistics import BLUNDER_LOSS, LEAST_LOSS

    if given is not None and given < LEAST_LOSS:
        raise UsageError(f"--least-loss: {given:g} is less than any loss that is kept; give {LEAST_LOSS:g} or more")
    return BLUNDER_LOSS if given is None else given


def _count(data: Path) -> "FolderCounts":
    """The matches that can be read; the others have a problem."""
    from controller.match_log import match_files, matches_folder
    from controller.statistics import count_folder

    bar = ProgressBar("matches", len(match_files(matches_folder(data))))
    try:
        return count_folder(data, progress=bar.show)
    finally:
        bar.end()


def _analyse(data: Path, counts: "FolderCounts") -> bool:
    """Lets GNU Backgammon analyse what has no analysis; whether each match has one now."""
    from controller.match_log import MatchLogError
    from controller.statistics import NoAnalysisError, NoProgramError, analyse_match, list_pending

    pending, n_failed = list_pending(data, counts), 0
    if pending:
        matches = format_count(len(pending), "match", "matches")
        _LOG.warning("GNU Backgammon analyses %s, which takes some seconds a game", matches)
    bar = ProgressBar("matches", len(pending))
    try:
        for done, one in enumerate(pending):
            bar.show(done)
            try:
                analyse_match(data, one)
            except NoProgramError as error:
                raise CommandFailedError(str(error)) from None
            except (NoAnalysisError, MatchLogError) as error:
                n_failed += 1
                _LOG.warning("no analysis of %s: %s", one.identity.name, error)
    except OSError as error:
        raise not_written(data, error) from None
    finally:
        bar.end()
    return n_failed == 0


def _write_blunders(
    file: Path, data: Path, counts: "FolderCounts", chosen: "tuple[PlayerTotals, ...]", least_loss: float
) -> None:
    from controller.formats import player_key
    from controller.statistics import BLUNDER_COLUMNS, blunder_record, list_blunders

    wanted = {player_key(one.name) for one in chosen}
    rows = [
        blunder_record(match, mistake, name)
        for match, mistake, name in list_blunders(data, counts, least_loss)
        if player_key(name) in wanted
    ]
    write_csv(file, rows, BLUNDER_COLUMNS)


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
