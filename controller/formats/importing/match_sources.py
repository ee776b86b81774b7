"""The match files that a person means: a file, the files below a folder, or those in a zip archive."""

import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from controller.formats.importing.file_text import check_size, read_content
from controller.formats.limits import MOST_JSONL_BYTES, MOST_XG_BYTES
from controller.formats.transcript import UnreadableFileError

# Jellyfish and most services write .mat or .txt, GamesGrid .sgg, Snowie .txt, JSON lines are ours.
SUFFIXES = (".mat", ".txt", ".sgf", ".xg", ".xgp", ".jsonl", ".sgg", ".gam", ".bgf", ".bkg")
# What reading a damaged or locked archive raises; each method of compression has an error of its own.
ZIP_ERRORS = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, ValueError),
    RuntimeError,  # a password; NotImplementedError for an unknown method is one too
)
MOST_FILES = 100_000
"""A knob: what was read of each file is kept until all are imported."""
_MOST_BYTES = max(MOST_JSONL_BYTES, MOST_XG_BYTES)


@dataclass(frozen=True, slots=True)
class MatchSource:
    """`name` is for people. `read` gives the content; it raises UnreadableFileError, or OSError."""

    name: str
    read: Callable[[], bytes]


def list_sources(path: Path) -> tuple[MatchSource, ...]:
    """In the order of their names. A single file is taken whatever it is called. OSError for a folder that is closed.

    Raises UnreadableFileError for a damaged archive, and for a folder or an archive without match files or with too many.
    """
    if path.is_dir():
        files = [file for file in sorted(path.rglob("*")) if _is_match(file.name) and file.is_file()]
        sources = tuple(MatchSource(str(file), partial(read_content, file)) for file in files)
        what = "folder"
    elif path.suffix.lower() == ".zip" and path.is_file():
        sources, what = tuple(_list_archive(path)), "archive"
    else:
        return (MatchSource(str(path), partial(read_content, path)),)
    if not sources:
        raise UnreadableFileError(f"the {what} has no match files; they end in {', '.join(SUFFIXES)}")
    if len(sources) > MOST_FILES:
        raise UnreadableFileError(
            f"the {what} has {len(sources):,} match files, and {MOST_FILES:,} are the most at a time; import its parts one by one"
        )
    return sources


def _is_match(name: str) -> bool:
    return name.lower().endswith(SUFFIXES) and not name.startswith(".")


def _list_archive(path: Path) -> Iterator[MatchSource]:
    try:
        with zipfile.ZipFile(path) as archive:
            entries = [one for one in archive.infolist() if _is_match(Path(one.filename).name)]
    except ZIP_ERRORS:
        raise UnreadableFileError("it is no whole zip archive; copy it anew") from None
    for entry in sorted(entries, key=lambda one: one.filename):
        yield MatchSource(f"{path}: {entry.filename}", partial(_read_entry, path, entry))


def _read_entry(path: Path, entry: zipfile.ZipInfo) -> bytes:
    """At most the size of the largest match file, whatever the archive says."""
    try:
        with zipfile.ZipFile(path) as archive, archive.open(entry) as opened:
            content = opened.read(_MOST_BYTES + 1)
    except ZIP_ERRORS as error:
        reason = "it has a password" if type(error) is RuntimeError else "it is damaged"
        raise UnreadableFileError(f"{reason}; unpack the archive and import the folder") from None
    return check_size(content)
