"""Loads the match of a command: a log by its name, or a match file of another program by its path."""

import argparse
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from controller.subcommands.log import find_match_file
from controller.subcommands.options import CommandFailedError

if TYPE_CHECKING:
    from controller.formats import MatchHistory
    from controller.match import RefereeEvent

MATCH_OR_FILE = "a name of zarbiter log list, its beginning, a player, or a file; match files of other programs too"
_SQLITE = b"SQLite format 3\0"


@dataclass(frozen=True, slots=True)
class LoadedMatch:
    """`events` come from the log or are made from the file; `log` is None for a file of another program."""

    match: "MatchHistory"
    events: "tuple[RefereeEvent, ...]"
    path: Path
    log: Path | None


def load_match(options: argparse.Namespace, log: logging.Logger) -> LoadedMatch:
    """The match with its events and files; what is doubtful in a file is logged."""
    from controller.formats import UnreadableFileError, build_match_of_record, read_match_file
    from controller.match_log import MatchLogError, read_match
    from controller.rules import RulesError

    path = find_match_file(options.match, options)
    try:
        if is_log(path):
            record = read_match(path)
            return LoadedMatch(build_match_of_record(record), record.events, path, path)
        read = read_match_file(path)
    except MatchLogError as error:
        raise CommandFailedError(str(error)) from None
    except RulesError as error:
        raise CommandFailedError(f"{path} cannot be read: {error}") from None
    except UnreadableFileError as error:
        raise CommandFailedError(f"{path} cannot be read: {error}") from None
    except OSError as error:
        raise CommandFailedError(f"{path} cannot be read ({error.strerror or error}); name another file") from None
    for problem in read.problems:
        log.warning(problem.sentence)
    return LoadedMatch(read.match, read.events, path, None)


def is_log(path: Path) -> bool:
    """Whether the file's content is that of a log; a missing file counts as a log."""
    if not path.is_file():
        return True
    with path.open("rb") as opened:
        return opened.read(len(_SQLITE)) == _SQLITE
