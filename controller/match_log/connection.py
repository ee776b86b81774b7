"""Opens match files, and translates SQLite's errors.

Only SQLite may open the file: under POSIX, closing another handle of the same process would release SQLite's locks.
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
from controller.match_log.schema import ADD_OPEN_MARK, APPLICATION_ID, SCHEMA_VERSION

# Reader and writer block each other only while one of them opens or closes the file.
_WAIT_S = 2.0
# Size to which the write-ahead log is truncated after a checkpoint.
_WAL_BYTES = 4_000_000

_HAS_OPEN_MARK = "SELECT count(*) FROM pragma_table_info('head') WHERE name = 'is_open'"

_REASONS = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk reports an error",
    sqlite3.SQLITE_READONLY: "the file or its folder is write-protected",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened",
    sqlite3.SQLITE_BUSY: "another program holds the file",
    sqlite3.SQLITE_PERM: "the file may not be opened",
}

# An error message that quotes a damaged file may be invalid UTF-8, and then Python fails to decode it.
SQLITE_FAULTS = (sqlite3.Error, UnicodeDecodeError)


def primary_code(error: Exception) -> int:
    """SQLite's primary result code; 0 for an error that is not SQLite's."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def storage_error(path: Path, error: Exception, remedy: str | None = None) -> StorageError:
    """Without `remedy`, the error says that saving is tried again."""
    problem = error.problem if isinstance(error, DamagedLogError) else str(error)
    reason = _REASONS.get(primary_code(error), problem)
    return StorageError(path, reason) if remedy is None else StorageError(path, reason, remedy)


def reading_error(path: Path, error: Exception, sequence: int | None = None) -> MatchLogError:
    """The error of ours for an error while reading; `sequence` is the event at which it occurred."""
    code = primary_code(error)
    if code == sqlite3.SQLITE_NOTADB:
        return NotAMatchLogError(path, "is no match file", "name one of zarbiter log list")
    if code in _REASONS:
        return UnreadableLogError(path, _REASONS[code], "see to the file and its folder")
    problem = "what it says of its tables is unreadable" if isinstance(error, UnicodeDecodeError) else str(error)
    return DamagedLogError(path, sequence, problem)


def open_for_writing(path: Path) -> sqlite3.Connection:
    """Opens an existing match file. Raises SQLite's errors, NotAMatchLogError and StorageError."""
    # psow=0: a power cut during a write may destroy the whole sector, as on SD cards. SQLite then never rewrites a
    # sector that contains confirmed data.
    connection = _connect(path, "mode=rw&psow=0")
    try:
        check_is_match_log(connection, path)
        (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        if mode != b"wal":
            reason = "this file system cannot keep a write-ahead log"
            raise StorageError(path, reason, "keep the matches on another disk")
        make_durable(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def make_durable(connection: sqlite3.Connection) -> None:
    """Makes every commit return only after its data is on the disk."""
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = ON")  # flushes the disk's own cache on macOS; no effect elsewhere
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(f"PRAGMA journal_size_limit = {_WAL_BYTES}")


def is_marked_open(connection: sqlite3.Connection) -> bool:
    """Whether the last writer of the match has not closed it."""
    if not _has_open_mark(connection):
        return False
    (is_open,) = connection.execute("SELECT max(is_open) FROM head").fetchone()
    return bool(is_open)


def set_open_mark(connection: sqlite3.Connection, is_open: bool) -> bool:
    """Marks a match, and moves the mark with all events from the write-ahead log into the match file.

    False if a reader prevents the latter. Raises SQLite's errors.
    """
    if not _has_open_mark(connection):
        connection.execute(ADD_OPEN_MARK)
    connection.execute("UPDATE head SET is_open = ?", (int(is_open),))
    (is_busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not is_busy


def _has_open_mark(connection: sqlite3.Connection) -> bool:
    (count,) = connection.execute(_HAS_OPEN_MARK).fetchone()
    return bool(count)


@contextmanager
def open_snapshot(path: Path, *, is_cut_off: bool = False) -> Iterator[sqlite3.Connection]:
    """A consistent snapshot of a match file, even while it is being written. Translates SQLite's errors.

    With `is_cut_off` a file is also opened whose last pages are missing; reading these gives an error.
    """
    connection = _open_for_reading(path, is_cut_off)
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
        is_other = path.exists()
        reason = "it is a folder" if path.is_dir() else "it is no file" if is_other else "there is no such file"
    except (OSError, ValueError) as error:  # a name that is too long or contains a null character
        reason = getattr(error, "strerror", None) or str(error)
    raise UnreadableLogError(path, reason)


def _open_for_reading(path: Path, is_cut_off: bool) -> sqlite3.Connection:
    check_is_file(path)
    try:
        # Only a connection in write mode removes SQLite's side files when it closes.
        return _connect_for_reading(path, "mode=rw", is_cut_off)
    except SQLITE_FAULTS as error:
        if primary_code(error) not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise reading_error(path, error) from error
    return _open_immutable(path, is_cut_off)


def _open_immutable(path: Path, is_cut_off: bool) -> sqlite3.Connection:
    """Opens without side files. Safe only if nobody writes, which holds in a write-protected folder."""
    left_over = path.with_name(f"{path.name}-wal")
    if left_over.exists() and left_over.stat().st_size:
        raise UnreadableLogError(
            path,
            "its folder is write-protected, and its last events are still in the file that ends in -wal",
            "copy both into another folder",
        )
    try:
        return _connect_for_reading(path, "mode=ro&immutable=1", is_cut_off)
    except SQLITE_FAULTS as error:
        raise reading_error(path, error) from error


def _connect_for_reading(path: Path, open_mode: str, is_cut_off: bool) -> sqlite3.Connection:
    connection = _connect(path, open_mode)
    try:
        connection.execute("PRAGMA query_only = ON")
        if is_cut_off:  # SQLite then does not compare the size of the file with the size that its header tells
            connection.execute("PRAGMA writable_schema = ON")
        check_is_match_log(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _connect(path: Path, open_mode: str) -> sqlite3.Connection:
    # Different threads use a connection, but only one at a time.
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{open_mode}",
        uri=True,
        isolation_level=None,
        timeout=_WAIT_S,
        check_same_thread=False,
    )
    connection.text_factory = bytes  # the readers report invalid UTF-8 as damage
    return connection


def check_is_match_log(connection: sqlite3.Connection, path: Path) -> None:
    """Raises NotAMatchLogError, or SQLite's error for a file that is no database."""
    if not path.stat().st_size:
        remedy = "take a copy of it from before, or remove it with zarbiter log delete"
        raise NotAMatchLogError(path, "is empty (0 bytes): nothing of a match is in it", remedy)
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # the pragmas do not read the side files
    if application != APPLICATION_ID:
        raise NotAMatchLogError(path, "is a database of another program", "name one of zarbiter log list")
    if version > SCHEMA_VERSION:
        problem = f"was written by a newer zarbiter (form {version}; this one knows {SCHEMA_VERSION})"
        raise NotAMatchLogError(path, problem, "install that version")
    if version != SCHEMA_VERSION:
        raise NotAMatchLogError(
            path, f"has the form {version}, which no zarbiter writes", "take a copy of it from before"
        )
