"""The results of a tournament in one small file that only its owner may read, replaced as a whole."""

import json
from pathlib import Path
from typing import Any

from controller.club.hall import Hall, take_message
from controller.club.listener import Listener
from controller.club.tournament import Result, Results, Tournament, collect_results
from controller.plain_file import read_plain_file
from controller.private_files import FILE_MODE, make_private_folder
from controller.settings import open_atomically

_MOST_BYTES = 4_000_000  # a league of 128 players has 8128 results
_FIELDS = {"first": str, "second": str, "table": str, "match": str, "is_confirmed": bool}


class ResultsFileError(Exception):
    """The file cannot be read or written: one sentence without a full stop, with its remedy."""


def load_results(file: Path) -> Results:
    """No results where there is no file. Raises ResultsFileError."""
    try:
        found = json.loads(read_plain_file(file, _MOST_BYTES))
        return tuple(_read_result(one) for one in found["results"])
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise ResultsFileError(f"{file} cannot be read ({error.strerror or error}); see whose it is") from None
    except (ValueError, RecursionError, KeyError, TypeError):
        raise ResultsFileError(f"{file} holds no results; move it away, and enter them again") from None


def _read_result(record: dict[str, Any]) -> Result:
    if not all(isinstance(record[name], kind) for name, kind in _FIELDS.items()):
        raise ValueError("no result")
    first, second = record["points"]
    if not (type(first) is int and type(second) is int):
        raise ValueError("no points")
    return Result(**{name: record[name] for name in _FIELDS}, points=(first, second))


def save_results(file: Path, results: Results) -> None:
    """Raises ResultsFileError."""
    rows = [{name: getattr(one, name) for name in (*_FIELDS, "points")} for one in results]
    try:
        make_private_folder(file.parent)
        with open_atomically(file, mode=FILE_MODE) as part:
            json.dump({"results": rows}, part, indent=1)
    except OSError as error:
        raise ResultsFileError(f"{file} cannot be written ({error.strerror or error}); make room on the disk") from None


class ResultsKeeper:
    """Takes the results of matches that end at the tables of a broker into the file, beside the page."""

    def __init__(self, tournament: Tournament, file: Path, listener: Listener) -> None:
        self._tournament, self._file, self._listener = tournament, file, listener
        self._hall, self._is_due = Hall(), False

    def look(self) -> None:
        """Takes what came since the last look; the file may have been changed by a person meanwhile. Raises ResultsFileError."""
        for message in self._listener.take().messages:
            self._hall, self._is_due = take_message(self._hall, message), True
        if not self._is_due:
            return
        before = load_results(self._file)
        after = collect_results(self._tournament, before, self._hall.tables.values())
        if after != before:
            save_results(self._file, after)
        self._is_due = False
