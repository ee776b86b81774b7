"""Deletes old pictures, so that they never fill an SD card. Events and the hashes of the pictures stay."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path

from controller.match_log.connection import SQLITE_FAULTS, open_for_writing, open_snapshot, storage_error
from controller.match_log.errors import MatchLogError
from controller.match_log.replay import read_head
from controller.match_log.schema import MARK_PRUNED
from controller.match_log.wall_clock import utc_now, utc_text
from controller.match_log.writer_lock import WriterLock

_SELECT_KEPT = "SELECT id, n_bytes FROM jpegs JOIN pictures USING (id) ORDER BY id"
_DELETE_JPEG = "DELETE FROM jpegs WHERE id = ?"


def prune_oldest(connection: sqlite3.Connection, n_bytes: int, now_utc: str) -> int:
    """Deletes the oldest pictures until `n_bytes` are freed or none is left; returns the number of bytes freed.

    Runs in the transaction of the caller, who also writes the new sum into the head.
    """
    oldest: list[int] = []
    pruned = 0
    if n_bytes > 0:
        for picture, size in connection.execute(_SELECT_KEPT):
            oldest.append(picture)
            pruned += size
            if pruned >= n_bytes:
                break
    for picture in oldest:
        connection.execute(MARK_PRUNED, (now_utc, picture))
        connection.execute(_DELETE_JPEG, (picture,))
    return pruned


def prune_matches(
    matches: Sequence[Path], most_bytes: int, clock: Callable[[], datetime] = utc_now
) -> tuple[Path, ...]:
    """Prunes the first matches until the pictures of all matches are below the limit; returns the matches pruned.

    A match that is being written or cannot be read is not pruned, but its pictures count as far as they can be counted.
    """
    sizes = {path: _read_picture_bytes(path) for path in matches}
    surplus, thinned = sum(sizes.values()) - most_bytes, []
    for path, size in sizes.items():
        if surplus <= 0:
            break
        try:
            pruned = _prune_match(path, min(surplus, size), utc_text(clock()))
        except MatchLogError:
            continue
        surplus -= pruned
        if pruned:
            thinned.append(path)
    return tuple(thinned)


def _read_picture_bytes(path: Path) -> int:
    try:
        with open_snapshot(path) as connection:
            return read_head(connection, path).picture_bytes
    except MatchLogError:
        return 0


def _prune_match(path: Path, n_bytes: int, now_utc: str) -> int:
    """Prunes one match and shrinks its file; returns the number of bytes freed."""
    lock = WriterLock(path)
    try:
        with closing(open_for_writing(path)) as connection, connection:
            connection.execute("BEGIN IMMEDIATE")
            pruned = prune_oldest(connection, n_bytes, now_utc)
            connection.execute("UPDATE head SET picture_bytes = picture_bytes - ?", (pruned,))
            connection.execute("COMMIT")
            if pruned:
                connection.execute("VACUUM")
            return pruned
    except SQLITE_FAULTS as error:
        raise storage_error(path, error) from error
    finally:
        lock.release()
