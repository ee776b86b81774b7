"""Opening match files, and SQLite's complaints in our words.

Only SQLite opens the file: closing a second handle of this process would take away the locks of the first (POSIX).
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.match_log.errors import (
    DamagedLogError,
    MatchLogError,
    NotAMatchLogError,
    StorageError,
    UnreadableLogError,
)
from controller.match_log.schema import APPLICATION_ID, SCHEMA_VERSION

# A reader waits for the writer only while that one opens or closes the file, and the other way round.
_WAIT_S = 2.0
# So much of the write-ahead log may stay on the disk when its content has moved into the database.
_WAL_BYTES = 4_000_000

_REASONS = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk does not do what it is told",
    sqlite3.SQLITE_READONLY: "the file or its folder is write-protected",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened",
    sqlite3.SQLITE_BUSY: "another program holds the file",
    sqlite3.SQLITE_PERM: "the file may not be opened",
}

# A complaint that quotes a damaged file may be no text, and then Python fails on the complaint.
SQLITE_FAULTS = (sqlite3.Error, UnicodeDecodeError)


def primary_code(error: Exception) -> int:
    """SQLite's kind of error without its details; 0 for an error of Python's own."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def storage_error(path: Path, error: Exception) -> StorageError:
    problem = error.problem if isinstance(error, DamagedLogError) else str(error)
    return StorageError(path, _REASONS.get(primary_code(error), problem))


def reading_error(path: Path, error: Exception, sequence: int | None = None) -> MatchLogError:
    """`sequence`: the event at which it happened."""
    code = primary_code(error)
    if code == sqlite3.SQLITE_NOTADB:
        return NotAMatchLogError(path, "is no match file", "name one of zarbiter log list")
    if code in _REASONS:
        return UnreadableLogError(path, _REASONS[code], "see to the file and its folder")
    problem = "what it says of its tables is unreadable" if isinstance(error, UnicodeDecodeError) else str(error)
    return DamagedLogError(path, sequence, problem)


def open_for_writing(path: Path) -> sqlite3.Connection:
    """A match file that is there; raises the errors of SQLite and NotAMatchLogError."""
    # psow=0: a write that the power cuts short may spoil the whole sector, as on SD cards. SQLite then never writes
    # again to a sector that holds something confirmed.
    connection = _connect(path, "mode=rw&psow=0")
    try:
        check_is_match_log(connection, path)
        (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        if mode != b"wal":
            raise StorageError(
                path, "this file system cannot keep a write-ahead log", "keep the matches on another disk"
            )
        make_durable(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def make_durable(connection: sqlite3.Connection) -> None:
    """What is committed is on the disk before the commit returns."""
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = ON")  # macOS: through the disk's own cache; elsewhere it does nothing
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(f"PRAGMA journal_size_limit = {_WAL_BYTES}")


@contextmanager
def open_snapshot(path: Path) -> Iterator[sqlite3.Connection]:
    """One moment of a match file, however much is written meanwhile. SQLite's errors become ours."""
    connection = _open_for_reading(path)
    try:
        connection.execute("BEGIN")
        yield connection
    except SQLITE_FAULTS as error:
        raise reading_error(path, error) from error
    finally:
        connection.close()


def check_is_file(path: Path) -> None:
    """Raises UnreadableLogError."""
    try:
        if path.is_file():
            return
        reason = "it is a folder" if path.is_dir() else "there is no such file"
    except (OSError, ValueError) as error:  # a name too long, or with a null character
        reason = getattr(error, "strerror", None) or str(error)
    raise UnreadableLogError(path, reason)


def _open_for_reading(path: Path) -> sqlite3.Connection:
    check_is_file(path)
    try:
        # Opened for writing although nothing is written: only then SQLite tidies up its side files afterwards.
        return _connect_for_reading(path, "mode=rw")
    except SQLITE_FAULTS as error:
        if primary_code(error) not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise reading_error(path, error) from error
    return _open_immutable(path)


def _open_immutable(path: Path) -> sqlite3.Connection:
    """Without side files. Only right if nobody writes, and nobody does where the folder is write-protected."""
    left_over = path.with_name(f"{path.name}-wal")
    if left_over.exists() and left_over.stat().st_size:
        raise UnreadableLogError(
            path,
            "its folder is write-protected, and its last events are still in the file that ends in -wal",
            "copy both into another folder",
        )
    try:
        return _connect_for_reading(path, "mode=ro&immutable=1")
    except SQLITE_FAULTS as error:
        raise reading_error(path, error) from error


def _connect_for_reading(path: Path, open_mode: str) -> sqlite3.Connection:
    connection = _connect(path, open_mode)
    try:
        connection.execute("PRAGMA query_only = ON")
        check_is_match_log(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _connect(path: Path, open_mode: str) -> sqlite3.Connection:
    # One thread at a time uses a connection, not always the same one.
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{open_mode}",
        uri=True,
        isolation_level=None,
        timeout=_WAIT_S,
        check_same_thread=False,
    )
    connection.text_factory = bytes  # what is no text any more is told as damage by those who read it
    return connection


def check_is_match_log(connection: sqlite3.Connection, path: Path) -> None:
    """Raises NotAMatchLogError, or SQLite's error for a file that is no database."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # the pragmas ask no side file
    if application != APPLICATION_ID:
        raise NotAMatchLogError(path, "is a database of another program", "name one of zarbiter log list")
    if version != SCHEMA_VERSION:
        raise NotAMatchLogError(
            path,
            f"was written by another zarbiter (form {version}; this one knows {SCHEMA_VERSION})",
            "install that one",
        )
