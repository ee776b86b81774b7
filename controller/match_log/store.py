"""The single writer of a match. When `append` returns, the events are on the disk and survive a crash or a power cut.

A batch of events and its pictures is one transaction: all of it is stored or nothing. When the disk refuses, nothing of
the batch counts, and the caller appends the same batch again until it succeeds. One case needs care: a commit that
failed at its very end (the disk wrote but did not confirm) may turn out to be complete when the file is reopened. The
batch is then recognised by its hashes and not written twice.
"""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from controller.match import RefereeEvent
from controller.match_log.chain import ChainRow, MatchFacts, next_link
from controller.match_log.connection import (
    SQLITE_FAULTS,
    check_is_file,
    open_for_writing,
    primary_code,
    reading_error,
    set_open_mark,
    storage_error,
)
from controller.match_log.errors import DamagedLogError, MatchLogError, StorageError
from controller.match_log.event_json import event_text
from controller.match_log.head_note import HeadNote, NotedHead, read_head_note
from controller.match_log.picture import EvidencePicture, Jpeg, encode_jpeg
from controller.match_log.pruning import prune_oldest
from controller.match_log.replay import Head, MatchRecord, check_nothing_lost, read_facts, read_head, read_match
from controller.match_log.schema import ADD_JPEG, SET_HEAD, add_event, add_picture
from controller.match_log.wall_clock import utc_now, utc_text
from controller.match_log.writer_lock import WriterLock

# About 900 turns with two crops of a board (35 kB each); an SD card of 32 GB holds 400 such matches.
MOST_PICTURE_BYTES = 64_000_000

# After these errors the connection stays usable; after any other error the file is reopened.
_RETRYABLE_CODES = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY)


@dataclass(frozen=True, slots=True)
class _BatchEntry:
    """One event of a batch, ready to be stored."""

    row: ChainRow
    jpegs: tuple[Jpeg, ...]
    hash: bytes


_Batch = tuple[_BatchEntry, ...]  # the events of one transaction, in the order of the chain


def _list_content(batch: _Batch) -> list[ChainRow]:
    """The events and pictures of a batch, without the time of writing."""
    return [replace(entry.row, written_utc="") for entry in batch]


class MatchLog:
    """An existing match file, opened for appending; `create_match` makes a new one.

    Raises LogInUseError, StorageError, NotAMatchLogError, UnreadableLogError, or DamagedLogError, also where confirmed
    events are missing at the end. Beyond `most_picture_bytes` the oldest pictures of the match are deleted, never
    events. `lock` is that of the match if the caller holds it; it is released at the end, also after an error.
    """

    def __init__(
        self,
        path: Path,
        *,
        most_picture_bytes: int = MOST_PICTURE_BYTES,
        clock: Callable[[], datetime] = utc_now,
        lock: WriterLock | None = None,
    ) -> None:
        self.path = path
        self._most_picture_bytes = most_picture_bytes
        self._clock = clock
        if lock is None:
            check_is_file(path)
        self._lock = lock or WriterLock(path)
        self._connection: sqlite3.Connection | None = None
        self._note: HeadNote | None = None  # while the match is marked as open
        self._failed_batch: _Batch | None = None  # the disk refused it
        try:
            noted = read_head_note(path)
            self._connection = open_for_writing(path)
            self.facts: MatchFacts = read_facts(self._connection, path)
            self._head = read_head(self._connection, path)
            check_nothing_lost(self._connection, path, noted)
            self._inode = path.stat().st_ino
            self._note = self._mark_open(self._connection)
        except BaseException as error:
            self.close()
            if isinstance(error, SQLITE_FAULTS):
                raise reading_error(path, error) from error
            raise

    @property
    def n_events(self) -> int:
        """The number of events on the disk."""
        return self._head.n_events

    def read(self) -> MatchRecord:
        """Everything so far, verified by the chain."""
        return read_match(self.path)

    def append(self, events: Sequence[RefereeEvent], pictures: Sequence[EvidencePicture] = ()) -> int:
        """Stores a batch; returns the sequence number of its last event.

        Raises StorageError if the disk refuses; append the same batch again then, until it succeeds. EventTextError
        and BadPictureError are mistakes of the caller. After an error nothing was written.
        """
        if not events:
            return self._head.n_events
        batch = self._make_batch(events, pictures)
        if self._failed_batch is not None and _list_content(batch) == _list_content(self._failed_batch):
            batch = self._failed_batch  # its hashes identify it in the file
        try:
            self._commit_batch(batch)
        except (*SQLITE_FAULTS, DamagedLogError) as error:
            self._failed_batch = batch
            if primary_code(error) not in _RETRYABLE_CODES:
                self._close_connection()
            raise storage_error(self.path, error) from error
        self._failed_batch = None
        if self._note is not None:
            self._note.write(self._noted_head())
        return self._head.n_events

    def close(self) -> None:
        is_complete = self._note is not None and self._mark_closed()
        self._close_connection()
        note, self._note = self._note, None
        if note is not None:
            if is_complete:
                note.remove()
            else:  # it guards the write-ahead log that stays behind
                note.close()
        self._lock.release()

    def __enter__(self) -> "MatchLog":
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _mark_open(self, connection: sqlite3.Connection) -> HeadNote:
        """The note comes first, since a match that is marked as open and has none counts as damaged."""
        try:
            note = HeadNote(self.path, self._noted_head())
        except OSError as error:
            raise StorageError(self.path, error.strerror or str(error), "see to the disk and its folder") from error
        try:
            set_open_mark(connection, True)
        except BaseException as error:
            note.close()
            if isinstance(error, SQLITE_FAULTS):
                raise storage_error(self.path, error, "see to the disk") from error
            raise
        return note

    def _mark_closed(self) -> bool:
        """Whether the match file now holds everything and says so."""
        try:
            if self._connection is None:
                return False
            self._check_file()
            return set_open_mark(self._connection, False)
        except (*SQLITE_FAULTS, MatchLogError):
            return False

    def _noted_head(self) -> NotedHead:
        return NotedHead(self._head.n_events, self._head.hash)

    def _close_connection(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()

    def _make_batch(self, events: Sequence[RefereeEvent], pictures: Sequence[EvidencePicture]) -> _Batch:
        written_utc, link = utc_text(self._clock()), self._head.hash
        belongs = [range(len(events))[picture.of_event] for picture in pictures]
        entries = []
        for place, event in enumerate(events):
            jpegs = tuple(encode_jpeg(one) for one, owner in zip(pictures, belongs, strict=True) if owner == place)
            sequence, digests = self._head.n_events + 1 + place, tuple(one.digest for one in jpegs)
            text = event_text(event)  # also rejects anything that is no event
            row = ChainRow(sequence, written_utc, event.at_ms, text, digests)
            link = next_link(link, row)
            entries.append(_BatchEntry(row, jpegs, link))
        return tuple(entries)

    def _commit_batch(self, batch: _Batch) -> None:
        """Writes the batch in one transaction. Raises SQLite's errors; nothing has changed then."""
        self._check_file()
        if self._connection is None:
            self._connection = self._reopen()
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            found = read_head(connection, self.path)
            if found.hash == batch[-1].hash:  # the commit failed, and yet the batch is stored
                connection.execute("ROLLBACK")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # confirms it on the disk
                self._head = found
                return
            if found != self._head:
                reason = "it holds other events than this program knows of"
                raise StorageError(self.path, reason, "start zarbiter anew to read them")
            head = self._write_batch(connection, batch)
            connection.execute("COMMIT")
        except BaseException as error:
            self._roll_back(connection)
            if not isinstance(error, (*SQLITE_FAULTS, MatchLogError)):  # Ctrl-C may arrive just after the commit
                self._head = read_head(connection, self.path)
            raise
        self._head = head

    def _roll_back(self, connection: sqlite3.Connection) -> None:
        if connection.in_transaction:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")

    def _check_file(self) -> None:
        """Raises StorageError if the file was removed or replaced; SQLite would go on writing to the unlinked file."""
        try:
            is_ours = self.path.stat().st_ino == self._inode
        except OSError as error:
            reason = error.strerror or str(error)
            raise StorageError(self.path, reason, "bring the disk or the file back") from error
        if not is_ours:
            raise StorageError(self.path, "the file was replaced by another", "bring the first one back")

    def _reopen(self) -> sqlite3.Connection:
        try:
            return open_for_writing(self.path)
        except MatchLogError as error:
            raise StorageError(self.path, str(error).rstrip(".")) from error

    def _write_batch(self, connection: sqlite3.Connection, batch: _Batch) -> Head:
        picture_bytes = self._head.picture_bytes
        for entry in batch:
            row = entry.row
            add_event(connection, row, entry.hash)
            for number, jpeg in enumerate(entry.jpegs):
                added = add_picture(connection, row.sequence, number, jpeg.digest)
                connection.execute(ADD_JPEG, (added, jpeg.content))
                picture_bytes += jpeg.digest.n_bytes
        picture_bytes -= prune_oldest(connection, picture_bytes - self._most_picture_bytes, batch[-1].row.written_utc)
        head = Head(batch[-1].row.sequence, batch[-1].hash, picture_bytes)
        connection.execute(SET_HEAD, (head.n_events, head.hash, head.picture_bytes))
        return head
