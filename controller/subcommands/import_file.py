"""`zarbiter import`: makes a match log from a match file of another program."""

import argparse
import json
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from controller.subcommands.log import folder_of
from controller.subcommands.options import EXIT_FAILED, EXIT_OK, CallParser

if TYPE_CHECKING:
    from controller.formats import ImportedMatch
    from controller.subcommands.options import SubParsers

_LOG = logging.getLogger("zarbiter.import")
_MAX_REPORTED = 20


def add(commands: "SubParsers", for_all: CallParser, summary: str) -> None:
    from controller.formats import LIMITS

    importing = commands.add_parser(
        "import",
        parents=[for_all],
        help=summary,
        description="Reads match text (.mat, .txt) of many programs, .sgf of GNU Backgammon, and JSON lines of zarbiter"
        " export. Every play is judged; an illegal play is kept as it was made and reported.",
        epilog=f"{LIMITS} A larger file is refused. Turns are counted as in zarbiter log show, without the cube.",
        allow_abbrev=False,
    )
    importing.add_argument("file", metavar="FILE", type=Path)
    importing.add_argument("--json", action="store_true", help="the result and every problem as one JSON object")
    importing.set_defaults(command=_import)


def _import(options: argparse.Namespace) -> int:
    from controller.formats import UnreadableFileError, read_match_file
    from controller.match_log import MatchLogError, new_match

    try:
        read = read_match_file(options.file)
        with new_match(folder_of(options), read.match.game) as log:
            log.append(read.events)
            name = log.path.stem
    except UnreadableFileError as error:
        _LOG.error("%s was not imported: %s", options.file, error)
        return EXIT_FAILED
    except MatchLogError as error:
        _LOG.error(str(error))
        return EXIT_FAILED
    except OSError as error:
        _LOG.error("%s cannot be read (%s); name another file", options.file, error.strerror or error)
        return EXIT_FAILED
    _print_result(options, read, name)
    return EXIT_OK if read.is_whole else EXIT_FAILED


def _print_result(options: argparse.Namespace, read: "ImportedMatch", name: str) -> None:
    from controller.formats import safe_names

    games = len(read.match.games)
    if options.json:
        problems = [problem.record() for problem in read.problems]
        print(json.dumps({"match": name, "games": games, "turns": read.turns, "problems": problems}))
        return
    for problem in read.problems[:_MAX_REPORTED]:
        _LOG.warning(problem.sentence)
    if len(read.problems) > _MAX_REPORTED:
        _LOG.warning("and %d more; --json tells all", len(read.problems) - _MAX_REPORTED)
    kept = f"{games} game{'' if games == 1 else 's'} and {read.turns} turn{'' if read.turns == 1 else 's'}"
    white, black = safe_names(read.match)
    print(f"{name}: {read.match.game}, {white} - {black}, {kept}")
