"""The match that a command is about: a log by its name, or a match file of another program by its path."""

import argparse
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from controller.subcommands.log import found

if TYPE_CHECKING:
    from controller.formats.match_model import Match
    from controller.match.events import RefereeEvent

MATCH_OR_FILE = "an id of zarbiter log list, its beginning, or a file; match files of other programs too"
_SQLITE = b"SQLite format 3\0"


@dataclass(frozen=True, slots=True)
class LoadedMatch:
    """`events` are those of the log, or such as tell of the file; `log` is None for a file of another program."""

    match: "Match"
    events: "tuple[RefereeEvent, ...]"
    path: Path
    log: Path | None


def loaded(options: argparse.Namespace, log: logging.Logger) -> "Match | None":
    """None where it cannot be read, and then it was said why."""
    found_there = loaded_with_events(options, log)
    return None if found_there is None else found_there.match


def loaded_with_events(options: argparse.Namespace, log: logging.Logger) -> LoadedMatch | None:
    """The same, and what it was made from."""
    from controller.formats.from_events import match_of
    from controller.formats.importing.import_file import read_match_file
    from controller.formats.transcript import UnreadableFileError
    from controller.match_log import MatchLogError, read_match
    from controller.rules.errors import RulesError

    path = found(options.match, options)
    try:
        if is_log(path):
            record = read_match(path)
            return LoadedMatch(match_of(record), record.events, path, path)
        read = read_match_file(path)
    except (MatchLogError, RulesError) as error:
        log.error(str(error))
        return None
    except UnreadableFileError as error:
        log.error("%s cannot be read: %s", path, error)
        return None
    except OSError as error:
        log.error("%s cannot be read (%s); name another file", path, error.strerror or error)
        return None
    for problem in read.problems:
        log.warning(problem.sentence)
    return LoadedMatch(read.match, read.events, path, None)


def is_log(path: Path) -> bool:
    """By its content; what is not there is looked for as a log."""
    if not path.is_file():
        return True
    with path.open("rb") as opened:
        return opened.read(len(_SQLITE)) == _SQLITE
