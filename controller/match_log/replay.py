"""Reads a match file back into events and verifies the chain on the way."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import cast

from controller.match import RefereeEvent
from controller.match_log.chain import ChainRow, MatchFacts, PictureDigest, first_link, next_link
from controller.match_log.connection import SQLITE_FAULTS, is_marked_open, open_snapshot, reading_error
from controller.match_log.errors import DamagedLogError, EventTextError, NotAMatchLogError, UnreadableLogError
from controller.match_log.event_json import parse_event
from controller.match_log.head_note import NotedHead, read_head_note
from controller.match_log.schema import SCHEMA_VERSION

_FACTS = "SELECT match_id, game, created_utc FROM facts"
_HEAD = "SELECT n_events, hash, picture_bytes FROM head"
_EVENTS = "SELECT sequence, written_utc, at_ms, event, hash FROM events ORDER BY sequence"
_PICTURES = """
    SELECT sequence, number, kind, width_px, height_px, n_bytes, sha256, pruned_utc IS NOT NULL, jpegs.id IS NULL
    FROM pictures LEFT JOIN jpegs USING (id) ORDER BY pictures.id"""
_PICTURES_ALONE = """
    SELECT sequence, number, kind, width_px, height_px, n_bytes, sha256, pruned_utc IS NOT NULL, pruned_utc IS NOT NULL
    FROM pictures ORDER BY id"""
_EVENTS_AFTER = (
    "SELECT sequence, written_utc, at_ms, event, hash FROM events WHERE sequence > ? ORDER BY sequence LIMIT ?"
)
_EVENT_OF_HASH = "SELECT sequence FROM events WHERE hex(hash) LIKE ? || '%'"
_CONTENT = "SELECT jpeg FROM pictures LEFT JOIN jpegs USING (id) WHERE sequence = ? AND number = ?"

_NEAR_CONTENT = """
    SELECT jpeg FROM pictures JOIN jpegs USING (id) WHERE sequence BETWEEN ? AND ?
    ORDER BY sequence DESC, number DESC LIMIT 1"""
_NEAR_EVENTS = 6  # a dispute or a pass comes within so many events of the picture of its turn

Column = None | int | float | bytes  # text arrives as bytes


@dataclass(frozen=True, slots=True)
class StoredPicture:
    """A picture of an event without its content. `is_pruned`: the content was deleted to save space."""

    digest: PictureDigest
    is_pruned: bool


@dataclass(frozen=True, slots=True)
class StoredRow:
    """An event as it is stored, verified by the chain."""

    row: ChainRow
    pictures: tuple[StoredPicture, ...]
    hash: bytes


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event, its stored text, and the time it was written (UTC, ISO 8601)."""

    sequence: int
    written_utc: str
    event: RefereeEvent
    text: str
    pictures: tuple[StoredPicture, ...]
    hash: bytes


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A whole match: its facts and its events."""

    facts: MatchFacts
    logged: tuple[LoggedEvent, ...]

    @property
    def events(self) -> tuple[RefereeEvent, ...]:
        return tuple(one.event for one in self.logged)


@dataclass(frozen=True, slots=True)
class Head:
    """The length of a match file as the file itself records it, which reveals events missing at the end."""

    n_events: int
    hash: bytes
    picture_bytes: int


def read_match(path: Path) -> MatchRecord:
    """All events. Raises DamagedLogError at the first event that differs from what was written.

    Also raises NotAMatchLogError and UnreadableLogError.
    """
    noted = read_head_note(path)
    with open_snapshot(path) as connection:
        facts = read_facts(connection, path)
        logged = tuple(_parse_logged_event(one, path) for one in read_rows(connection, path))
        check_nothing_lost(connection, path, noted)
        return MatchRecord(facts, logged)


def read_events_after(path: Path, number: int, most: int) -> tuple[LoggedEvent, ...]:
    """Up to `most` events after that number, quickly: the chain is not verified, and pictures are left out.

    Also of a match that is being written. Raises the errors of `read_match`.
    """
    with open_snapshot(path) as connection:
        rows = connection.execute(_EVENTS_AFTER, (number, most)).fetchall()
        return tuple(_parse_logged_event(_parse_row(columns, (), path), path) for columns in rows)


def _parse_logged_event(stored: StoredRow, path: Path) -> LoggedEvent:
    row = stored.row
    try:
        event = parse_event(row.text)
    except EventTextError as error:  # the chain holds, so this is no damage
        raise NotAMatchLogError(
            path,
            f"holds at event {row.sequence} what this version cannot read ({str(error).rstrip('.')})",
            "use the zarbiter that wrote it",
        ) from error
    return LoggedEvent(row.sequence, row.written_utc, event, row.text, stored.pictures, stored.hash)


def read_picture(path: Path, sequence: int, number: int) -> bytes | None:
    """The JPEG of a picture of an event (numbered from 0); None if it was pruned. Its hash is not verified."""
    with open_snapshot(path) as connection:
        found = read_jpeg(connection, sequence, number)
    if found is None:
        raise UnreadableLogError(path, f"event {sequence} has no picture {number}", "name one that it has")
    (content,) = found
    return content


def read_near_picture(path: Path, sequence: int) -> bytes | None:
    """The JPEG of the last picture of an event; where it has none of its own, of the last event shortly before it that has one.

    None where there is none, or it was pruned. Its hash is not verified. Raises the errors of `read_match`.
    """
    with open_snapshot(path) as connection:
        found = connection.execute(_NEAR_CONTENT, (sequence - _NEAR_EVENTS, sequence)).fetchone()
    return None if found is None else bytes(found[0])


def read_jpeg(connection: sqlite3.Connection, sequence: int, number: int) -> tuple[bytes | None] | None:
    """A tuple of the content (None if it was pruned), or None if there is no such picture."""
    found = connection.execute(_CONTENT, (sequence, number)).fetchone()
    return cast("tuple[bytes | None] | None", found)


def read_facts(connection: sqlite3.Connection, path: Path) -> MatchFacts:
    rows = connection.execute(_FACTS).fetchall()
    if len(rows) != 1:
        raise DamagedLogError(path, None, "what it says of the match as a whole is lost")
    return MatchFacts(*(_require_text(column, path, None) for column in rows[0]))


def read_head(connection: sqlite3.Connection, path: Path) -> Head:
    rows = connection.execute(_HEAD).fetchall()
    if len(rows) != 1:
        raise DamagedLogError(path, None, "the count of its events is lost")
    n_events, digest, picture_bytes = rows[0]
    return Head(
        _require_int(n_events, path, None), _require_bytes(digest, path, None), _require_int(picture_bytes, path, None)
    )


def check_nothing_lost(connection: sqlite3.Connection, path: Path, noted: NotedHead | None) -> None:
    """Raises DamagedLogError if confirmed events are missing at the end, or nothing tells whether they are.

    SQLite gives no error for a write-ahead log that is lost or damaged. `noted` was read before the snapshot began.
    """
    head = read_head(connection, path)
    if noted is None:
        # A writer may have begun since, and then there is a note now.
        if is_marked_open(connection) and read_head_note(path) is None:
            problem = (
                "the match was not closed, and the file that ends in -head, which tells how long it is, is gone, so"
                " this event and later ones may be missing"
            )
            raise DamagedLogError(path, head.n_events + 1, problem)
        return
    if noted.n_events > head.n_events:
        missing = (
            f"it and all after it, up to {noted.n_events}, are missing"
            if noted.n_events > head.n_events + 1
            else ("it is missing")
        )
        raise DamagedLogError(path, head.n_events + 1, f"{missing}; the file that ends in -wal was lost or damaged")
    if _read_hash(connection, path, noted.n_events) != noted.hash:
        raise DamagedLogError(
            path, noted.n_events or None, "the match is not the one that the file ending in -head notes"
        )


def find_event_of_hash(path: Path, beginning: str) -> int | None:
    """The event whose hash begins with these hexadecimal digits; None if no event has it."""
    with open_snapshot(path) as connection:
        found = connection.execute(_EVENT_OF_HASH, (beginning.upper(),)).fetchone()
    return None if found is None else cast(int, found[0])


def _read_hash(connection: sqlite3.Connection, path: Path, sequence: int) -> object:
    if sequence == 0:
        return first_link(read_facts(connection, path), SCHEMA_VERSION)
    (digest,) = connection.execute("SELECT hash FROM events WHERE sequence = ?", (sequence,)).fetchone() or (None,)
    return digest


def read_rows(connection: sqlite3.Connection, path: Path) -> Iterator[StoredRow]:
    """The events one after another, each verified. Raises DamagedLogError at the first fault, also at the end."""
    head, link = read_head(connection, path), first_link(read_facts(connection, path), SCHEMA_VERSION)
    sequence = 0
    for stored in read_chained_rows(connection, path):
        sequence, link = stored.row.sequence, stored.hash
        yield stored
    _check_end(head, sequence, link, path)


def read_chained_rows(
    connection: sqlite3.Connection, path: Path, *, are_contents_there: bool = True
) -> Iterator[StoredRow]:
    """The events one after another, each verified; not whether the last one is the end of the match.

    With `are_contents_there` False, the contents of pictures are not looked for.
    """
    link = first_link(read_facts(connection, path), SCHEMA_VERSION)
    pictures = _read_pictures_by_event(connection, path, _PICTURES if are_contents_there else _PICTURES_ALONE)
    sequence = 0
    try:
        following = next(pictures, None)
        for columns in connection.execute(_EVENTS):
            sequence += 1
            found = _require_int(columns[0], path, sequence)
            if found != sequence:
                raise DamagedLogError(path, sequence, f"this event is missing, and event {found} comes next")
            own: tuple[StoredPicture, ...] = ()
            if following is not None and following[0] == sequence:
                own, following = following[1], next(pictures, None)
            stored = _parse_row(columns, own, path)
            link = next_link(link, stored.row)
            if link != stored.hash:
                raise DamagedLogError(path, sequence, "its text, time, pictures or hash differ from what was written")
            yield stored
    except SQLITE_FAULTS as error:
        raise reading_error(path, error, sequence + 1) from error
    if following is not None:
        raise DamagedLogError(path, following[0], "there are pictures of it, but it is missing")


def _check_end(head: Head, n_events: int, link: bytes, path: Path) -> None:
    if n_events < head.n_events:
        raise DamagedLogError(path, n_events + 1, f"it and all after it, up to {head.n_events}, are missing")
    if n_events > head.n_events:
        raise DamagedLogError(path, head.n_events + 1, "it was added by another program")
    if link != head.hash:
        raise DamagedLogError(path, None, "the last hash is not the one that was noted")


def _parse_row(columns: tuple[Column, ...], pictures: tuple[StoredPicture, ...], path: Path) -> StoredRow:
    sequence = cast(int, columns[0])
    row = ChainRow(
        sequence=sequence,
        written_utc=_require_text(columns[1], path, sequence),
        at_ms=_require_int(columns[2], path, sequence),
        text=_require_text(columns[3], path, sequence),
        pictures=tuple(one.digest for one in pictures),
    )
    return StoredRow(row, pictures, _require_bytes(columns[4], path, sequence))


def _read_pictures_by_event(
    connection: sqlite3.Connection, path: Path, query: str
) -> Iterator[tuple[int, tuple[StoredPicture, ...]]]:
    for sequence, rows in groupby(connection.execute(query), key=itemgetter(0)):
        number = _require_int(sequence, path, None)
        yield number, tuple(_parse_picture(columns, place, path) for place, columns in enumerate(rows))


def _parse_picture(columns: tuple[Column, ...], place: int, path: Path) -> StoredPicture:
    sequence, number, kind, width_px, height_px, n_bytes, sha256, is_pruned, has_no_content = columns
    event = cast(int, sequence)
    if number != place:
        raise DamagedLogError(path, event, f"picture {place + 1} of it is missing")
    if is_pruned != has_no_content:
        problem = "is marked as pruned and is there" if is_pruned else "is gone, and was not pruned to save space"
        raise DamagedLogError(path, event, f"picture {place + 1} of it {problem}")
    digest = PictureDigest(
        _require_text(kind, path, event),
        _require_int(width_px, path, event),
        _require_int(height_px, path, event),
        _require_int(n_bytes, path, event),
        _require_bytes(sha256, path, event),
    )
    return StoredPicture(digest, bool(is_pruned))


def _require_text(column: Column, path: Path, sequence: int | None) -> str:
    try:
        return _require_bytes(column, path, sequence).decode("utf-8")
    except UnicodeDecodeError:
        raise DamagedLogError(path, sequence, "a text in it is unreadable") from None


def _require_int(column: Column, path: Path, sequence: int | None) -> int:
    if not isinstance(column, int):
        raise DamagedLogError(path, sequence, "a number in it is unreadable")
    return column


def _require_bytes(column: Column, path: Path, sequence: int | None) -> bytes:
    if not isinstance(column, bytes):
        raise DamagedLogError(path, sequence, "a text in it is unreadable")
    return column
