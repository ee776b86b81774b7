"""`zarbiter import`: makes a match log from a match file of another program."""

import argparse
import json
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from controller.subcommands.log import folder_of
from controller.subcommands.options import CommandFailedError, SubParsers, add_command, format_count

if TYPE_CHECKING:
    from controller.formats import ImportedMatch

_LOG = logging.getLogger("zarbiter.import")
_MAX_REPORTED = 20


def add(commands: SubParsers, summary: str) -> None:
    from controller.formats import LIMITS

    importing = add_command(
        commands,
        "import",
        _import,
        summary,
        "Reads match text (.mat, .txt) of many programs, .sgf of GNU Backgammon, .xg and .xgp of eXtreme Gammon, and JSON"
        " lines of zarbiter export. Every play is judged; an illegal play is kept as it was made and reported.",
        epilog=f"{LIMITS} A larger file is refused. Turns are counted as in zarbiter log show, without the cube.",
    )
    importing.add_argument("file", metavar="FILE", type=Path)
    importing.add_argument("--json", action="store_true", help="the result and every problem as one JSON object")


def _import(options: argparse.Namespace) -> bool:
    from controller.formats import UnreadableFileError, read_match_file
    from controller.match_log import MatchLogError, new_match

    try:
        read = read_match_file(options.file)
        if read.is_empty:
            _print_problems(options, read)
            raise CommandFailedError(
                f"{options.file} was not imported: no turn and no result could be read in it; see whether it is a match file"
            )
        with new_match(folder_of(options), read.match.game, read.events) as log:
            name = log.path.stem
    except UnreadableFileError as error:
        raise CommandFailedError(f"{options.file} was not imported: {error}") from None
    except MatchLogError as error:
        raise CommandFailedError(f"{options.file} was not imported: {error}") from None
    except OSError as error:
        raise CommandFailedError(
            f"{options.file} cannot be read ({error.strerror or error}); name another file"
        ) from None
    _print_result(options, read, name)
    return read.is_whole


def _print_problems(options: argparse.Namespace, read: "ImportedMatch", name: str | None = None) -> None:
    """`name` None: no match was made."""
    if options.json:
        games, problems = len(read.match.games) if name else 0, [problem.record() for problem in read.problems]
        remarks = [remark.record() for remark in read.remarks]
        print(
            json.dumps({"match": name, "games": games, "turns": read.turns, "problems": problems, "remarks": remarks})
        )
        return
    for problem in read.problems[:_MAX_REPORTED]:
        _LOG.warning(problem.sentence)
    if len(read.problems) > _MAX_REPORTED:
        _LOG.warning("and %d more; --json tells all", len(read.problems) - _MAX_REPORTED)


def _print_result(options: argparse.Namespace, read: "ImportedMatch", name: str) -> None:
    from controller.formats import safe_names

    _print_problems(options, read, name)
    if not options.json:
        kept = f"{format_count(len(read.match.games), 'game')} and {format_count(read.turns, 'turn')}"
        white, black = safe_names(read.match)
        print(f"{name}: {read.match.game}, {white} - {black}, {kept}")
        if read.remarks:
            print(
                f"{format_count(len(read.remarks), 'remark')} beside the play: --json shows them, the log does not hold them"
            )
