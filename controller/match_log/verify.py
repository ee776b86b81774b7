"""Verifies a match file: the chain of events, every picture, and the integrity of the database."""

import hashlib
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from controller.match_log.connection import SQLITE_FAULTS, open_snapshot, reading_error
from controller.match_log.errors import DamagedLogError
from controller.match_log.head_note import NotedHead, read_head_note
from controller.match_log.replay import StoredRow, check_nothing_lost, read_head, read_jpeg, read_rows

_JPEGS = "SELECT count(*) FROM jpegs"


@dataclass(frozen=True, slots=True)
class IntactChain:
    """Nothing was changed. `pictures` counts the stored pictures, `pruned` those deleted to save space."""

    events: int
    pictures: int
    pruned: int
    last_hash: str


@dataclass(frozen=True, slots=True)
class BrokenChain:
    """The first fault. `sequence` is None if it concerns no single event. `problem` is part of a sentence."""

    sequence: int | None
    problem: str


def verify(path: Path) -> IntactChain | BrokenChain:
    """Raises UnreadableLogError, and NotAMatchLogError for a file of another program or version."""
    noted = read_head_note(path)
    try:
        with open_snapshot(path) as connection:
            return _verify_events(connection, path, noted)
    except DamagedLogError as error:
        return BrokenChain(error.sequence, error.problem)


def _verify_events(connection: sqlite3.Connection, path: Path, noted: NotedHead | None) -> IntactChain:
    events, kept, pruned, kept_bytes, last_hash = 0, 0, 0, 0, b""
    head = read_head(connection, path)
    for stored in read_rows(connection, path):
        try:
            kept_bytes += _verify_pictures(connection, stored, path)
        except SQLITE_FAULTS as error:
            raise reading_error(path, error, stored.row.sequence) from error
        n_pruned = sum(one.is_pruned for one in stored.pictures)
        events, last_hash = stored.row.sequence, stored.hash
        pruned, kept = pruned + n_pruned, kept + len(stored.pictures) - n_pruned
    check_nothing_lost(connection, path, noted)
    if kept_bytes != head.picture_bytes:
        raise DamagedLogError(path, None, "the size of its pictures is not the one that was noted")
    if connection.execute(_JPEGS).fetchone() != (kept,):
        raise DamagedLogError(path, None, "it holds a picture that belongs to no event")
    for (complaint,) in connection.execute("PRAGMA integrity_check(1)"):
        if complaint != b"ok":
            raise DamagedLogError(path, None, complaint.decode("utf-8", "replace").replace("\n", " "))
    return IntactChain(events, kept, pruned, last_hash.hex())


def _verify_pictures(connection: sqlite3.Connection, stored: StoredRow, path: Path) -> int:
    """Verifies the pictures of an event one at a time; returns the number of their bytes."""
    total = 0
    for number, picture in enumerate(stored.pictures):
        if picture.is_pruned:
            continue
        (content,) = read_jpeg(connection, stored.row.sequence, number) or (None,)
        if not isinstance(content, bytes) or hashlib.sha256(content).digest() != picture.digest.sha256:
            problem = f"picture {number + 1} of it is not the one that was taken"
            raise DamagedLogError(path, stored.row.sequence, problem)
        total += len(content)
    return total
