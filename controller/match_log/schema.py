"""The schema of a match file: five tables, and triggers that allow events only to be added.

The file is an SQLite database with our application id. `head` has the number of events and the last hash; it changes in
the same transaction as the events, so that events missing at the end are detected. `is_open` in it stands in the match
file itself as long as events may lie in the write-ahead log beside it. The triggers prevent mistakes by
this program and by people with a database browser. The hash chain detects changes that bypass the triggers.
"""

import sqlite3

from controller.match_log.chain import ChainRow, PictureDigest

SCHEMA_VERSION = 1
APPLICATION_ID = 0x5A415242  # "ZARB"

# Earlier files have no such column; without it a match counts as closed.
ADD_OPEN_MARK = "ALTER TABLE head ADD COLUMN is_open INTEGER NOT NULL DEFAULT 0"

STATEMENTS = (
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
    """
    CREATE TABLE facts (
        match_id TEXT NOT NULL,
        game TEXT NOT NULL,
        created_utc TEXT NOT NULL
    )""",
    """
    CREATE TABLE head (
        n_events INTEGER NOT NULL,
        hash BLOB NOT NULL,
        picture_bytes INTEGER NOT NULL,  -- of the pictures that are kept
        is_open INTEGER NOT NULL DEFAULT 0  -- 1 while a program writes the match
    )""",
    """
    CREATE TABLE events (
        sequence INTEGER PRIMARY KEY,  -- 1, 2, 3 ...
        written_utc TEXT NOT NULL,
        at_ms INTEGER NOT NULL,
        event TEXT NOT NULL,  -- canonical JSON
        hash BLOB NOT NULL
    )""",
    """
    CREATE TABLE pictures (
        id INTEGER PRIMARY KEY,  -- rises with the events
        sequence INTEGER NOT NULL REFERENCES events,
        number INTEGER NOT NULL,  -- 0, 1 ... of the event
        kind TEXT NOT NULL,
        width_px INTEGER NOT NULL,
        height_px INTEGER NOT NULL,
        n_bytes INTEGER NOT NULL,
        sha256 BLOB NOT NULL,
        pruned_utc TEXT,  -- when it was thrown away to save room
        UNIQUE (sequence, number)
    )""",
    # A table of its own, because only deleting whole rows frees space.
    """
    CREATE TABLE jpegs (
        id INTEGER PRIMARY KEY REFERENCES pictures,
        jpeg BLOB NOT NULL
    )""",
    "CREATE TRIGGER facts_stay BEFORE UPDATE ON facts BEGIN SELECT RAISE(ABORT, 'facts never change'); END",
    "CREATE TRIGGER facts_are_kept BEFORE DELETE ON facts BEGIN SELECT RAISE(ABORT, 'facts are kept'); END",
    "CREATE TRIGGER head_is_kept BEFORE DELETE ON head BEGIN SELECT RAISE(ABORT, 'the head is kept'); END",
    "CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events never change'); END",
    "CREATE TRIGGER events_are_kept BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are kept'); END",
    # Also prevents INSERT OR REPLACE, which deletes without firing the trigger above.
    """
    CREATE TRIGGER events_follow BEFORE INSERT ON events
    WHEN NEW.sequence IS NOT (SELECT coalesce(max(sequence), 0) + 1 FROM events)
    BEGIN SELECT RAISE(ABORT, 'events are only added at the end'); END""",
    "CREATE TRIGGER pictures_are_kept BEFORE DELETE ON pictures BEGIN SELECT RAISE(ABORT, 'pictures are kept'); END",
    """
    CREATE TRIGGER pictures_stay BEFORE UPDATE ON pictures
    WHEN NEW.pruned_utc IS NULL OR OLD.pruned_utc IS NOT NULL
        OR (NEW.id, NEW.sequence, NEW.number, NEW.kind, NEW.width_px, NEW.height_px, NEW.n_bytes, NEW.sha256)
        IS NOT (OLD.id, OLD.sequence, OLD.number, OLD.kind, OLD.width_px, OLD.height_px, OLD.n_bytes, OLD.sha256)
    BEGIN SELECT RAISE(ABORT, 'pictures are only thrown away'); END""",
    "CREATE TRIGGER jpegs_stay BEFORE UPDATE ON jpegs BEGIN SELECT RAISE(ABORT, 'pictures never change'); END",
    """
    CREATE TRIGGER jpegs_are_kept BEFORE DELETE ON jpegs
    WHEN (SELECT pruned_utc FROM pictures WHERE id = OLD.id) IS NULL
    BEGIN SELECT RAISE(ABORT, 'a picture that is thrown away is marked first'); END""",
)

_ADD_EVENT = "INSERT INTO events (sequence, written_utc, at_ms, event, hash) VALUES (?, ?, ?, ?, ?)"
_ADD_PICTURE = """
    INSERT INTO pictures (sequence, number, kind, width_px, height_px, n_bytes, sha256) VALUES (?, ?, ?, ?, ?, ?, ?)"""
ADD_JPEG = "INSERT INTO jpegs (id, jpeg) VALUES (?, ?)"
SET_HEAD = "UPDATE head SET n_events = ?, hash = ?, picture_bytes = ?"
MARK_PRUNED = "UPDATE pictures SET pruned_utc = ? WHERE id = ?"


def add_event(connection: sqlite3.Connection, row: ChainRow, row_hash: bytes) -> None:
    """Inserts an event."""
    connection.execute(_ADD_EVENT, (row.sequence, row.written_utc, row.at_ms, row.text, row_hash))


def add_picture(connection: sqlite3.Connection, sequence: int, number: int, digest: PictureDigest) -> int | None:
    """Inserts the description of a picture of an event, without its content; returns its id."""
    sizes = (digest.width_px, digest.height_px, digest.n_bytes)
    return connection.execute(_ADD_PICTURE, (sequence, number, digest.kind, *sizes, digest.sha256)).lastrowid
