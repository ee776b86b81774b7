"""`timestamps.csv` of a folder of pictures: lines `file,ms` in the order in which the pictures were taken."""

import csv
import unicodedata
from collections.abc import Mapping
from pathlib import Path

from vision.errors import TimestampsError

FILE_NAME = "timestamps.csv"
_HEADING = ["file", "ms"]


def read_timestamps(file: Path, pictures: Mapping[str, Path]) -> list[tuple[Path, int]]:
    """The pictures it names and their milliseconds, strictly growing. `pictures`: by name, all that may be named.

    Raises TimestampsError with the first line that cannot be followed. A heading `file,ms` is passed over.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise TimestampsError(str(file), line, "this is not UTF-8; save the file as UTF-8") from error
    same = {_composed(name): path for name, path in pictures.items()}
    found: list[tuple[Path, int]] = []
    named: set[str] = set()
    rows = csv.reader(text.splitlines(), strict=True)
    try:
        for row in rows:
            if not row or (rows.line_num == 1 and [cell.strip() for cell in row] == _HEADING):
                continue
            name, ms, problem = _understood(row)
            name = _composed(name)
            if not problem and name in named:
                problem = f"{name} was named before; give each picture one line"
            elif not problem and name not in same:
                problem = f"there is no picture {name} in this folder; take the line out or put the picture in"
            elif not problem and found and ms <= found[-1][1]:
                problem = f"{ms} ms is not after the {found[-1][1]} ms before it; put the lines in order of time"
            if problem:
                raise TimestampsError(str(file), rows.line_num, problem)
            named.add(name)
            found.append((same[name], ms))
    except csv.Error as error:
        raise TimestampsError(str(file), rows.line_num, f"{error}; write it as file,ms") from error
    return found


def _understood(row: list[str]) -> tuple[str, int, str]:
    """Name, milliseconds, and what is wrong with the line."""
    if len(row) != 2:
        return "", 0, f"{len(row)} values instead of two; write it as file,ms"
    name, ms = row[0].strip(), row[1].strip()
    if not (ms.isascii() and ms.isdigit()):
        return name, 0, f"{ms!r} is no whole number of milliseconds; write it as file,ms"
    return name, int(ms), ""


def _composed(name: str) -> str:
    """macOS writes é as two characters where others write one."""
    return unicodedata.normalize("NFC", name)
