"""Creates a match file. The file gets its name only when it is complete, so a half-created match never has a name."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path

from controller.match_log.chain import MatchFacts, first_link
from controller.match_log.connection import make_durable, storage_error
from controller.match_log.errors import MatchExistsError, StorageError
from controller.match_log.schema import SCHEMA_VERSION, STATEMENTS
from controller.match_log.store import MOST_PICTURE_BYTES, MatchLog
from controller.match_log.wall_clock import utc_now, utc_text
from controller.match_log.writer_lock import WriterLock

SIDE_FILES = ("-wal", "-shm")
_JOURNAL = "-journal"


def make_match_id(moment: datetime) -> str:
    """An id that sorts by date and is safe as a file name: `20260305-142233` (UTC)."""
    return utc_text(moment)[:19].replace("-", "").replace(":", "").replace("T", "-")


def create_match(
    path: Path,
    game: str,
    *,
    match_id: str | None = None,
    most_picture_bytes: int = MOST_PICTURE_BYTES,
    clock: Callable[[], datetime] = utc_now,
) -> MatchLog:
    """Creates a match without events, and its folder, and opens it for appending. The default id is the time.

    Raises MatchExistsError, LogInUseError or StorageError.
    """
    moment = clock()
    facts = MatchFacts(match_id or make_match_id(moment), game, utc_text(moment))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _create_file(path, facts)
    except sqlite3.Error as error:
        raise storage_error(path, error) from error
    except (MatchExistsError, StorageError):
        raise
    except OSError as error:
        raise StorageError(path, error.strerror or str(error), "choose a folder that can be written") from error
    return MatchLog(path, most_picture_bytes=most_picture_bytes, clock=clock)


def _create_file(path: Path, facts: MatchFacts) -> None:
    part = path.with_name(f".{path.name}.part")
    lock = WriterLock(path)
    try:
        if path.exists():
            raise MatchExistsError(path)
        remove_match_files(part)
        remove_match_files(path)  # side files that an interrupted deletion left behind
        try:
            _write_schema(part, facts)
            _sync(part)
            part.replace(path)
        except BaseException:
            remove_match_files(part)
            raise
        _sync(path.parent)
    finally:
        lock.release()


def _write_schema(path: Path, facts: MatchFacts) -> None:
    with closing(sqlite3.connect(path.absolute().as_uri(), uri=True, isolation_level=None)) as connection:
        make_durable(connection)
        connection.execute("BEGIN")
        for statement in STATEMENTS:
            connection.execute(statement)
        connection.execute("INSERT INTO facts VALUES (?, ?, ?)", (facts.match_id, facts.game, facts.created_utc))
        connection.execute("INSERT INTO head VALUES (0, ?, 0)", (first_link(facts, SCHEMA_VERSION),))
        connection.execute("COMMIT")
        connection.execute("PRAGMA journal_mode = WAL")


def remove_match_files(path: Path) -> None:
    """Removes a match file and SQLite's side files, as far as they exist."""
    for suffix in ("", *SIDE_FILES, _JOURNAL):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _sync(path: Path) -> None:
    """Syncs a file or the entries of a folder. Some file systems refuse the latter and do not need it."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with suppress(OSError):
            os.fsync(handle)
    finally:
        os.close(handle)
