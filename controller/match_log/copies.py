"""Copies a match, also one that is being written; and salvages what is intact of a damaged one.

Both keep facts, texts, times and hashes, so the copy has the chain of the original: a head or a signature that was noted for
it holds for the copy too.
"""

import glob
import hashlib
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from controller.match_log.connection import (
    SQLITE_FAULTS,
    make_durable,
    open_snapshot,
    set_open_mark,
    storage_error,
)
from controller.match_log.creation import create_file, write_schema
from controller.match_log.errors import DamagedLogError, MatchLogError, NotAMatchLogError, StorageError
from controller.match_log.head_note import NotedHead, read_head_note
from controller.match_log.replay import (
    StoredRow,
    check_nothing_lost,
    read_chained_rows,
    read_facts,
    read_head,
    read_jpeg,
)
from controller.match_log.schema import ADD_JPEG, MARK_PRUNED, SET_HEAD, add_event, add_picture
from controller.match_log.signature import signature_path
from controller.match_log.store import MatchLog
from controller.match_log.verify import BrokenChain, IntactChain, verify
from controller.match_log.wall_clock import utc_now, utc_text
from controller.private_files import make_private_folder, sync_to_disk, write_private

_LAST_EVENT = "SELECT max(sequence) FROM events"


@dataclass(frozen=True, slots=True)
class Salvaged:
    """What was kept: events 1 to `n_events`.

    `n_expected` is the number of events that the match is known to have had. `problem`, part of a sentence, is empty if
    nothing is known to be missing. `lost_pictures` counts the pictures of kept events whose content was damaged.
    """

    n_events: int
    n_expected: int
    n_pictures: int
    lost_pictures: int
    problem: str

    @property
    def is_whole(self) -> bool:
        return not self.problem and not self.lost_pictures


def copy_match(source: Path, target: Path) -> IntactChain:
    """Copies one moment of a match; the verdict is that of the copy.

    Raises MatchLogError, also for a damaged match; there is no copy then.
    """
    verdicts: list[IntactChain] = []

    def fill(part: Path) -> None:
        noted = read_head_note(source)
        with open_snapshot(source) as connection:
            check_nothing_lost(connection, source, noted)
            _back_up(connection, part)
        verdict = verify(part)
        if isinstance(verdict, BrokenChain):
            raise DamagedLogError(source, verdict.sequence, verdict.problem)
        verdicts.append(verdict)

    create_file(target, fill).release()
    _copy_signature(source, target)
    return verdicts[0]


def replace_match(target: Path, content: bytes) -> None:
    """Puts a later copy of a match, as `copy_match` makes it, in the place of the one that is there, if any.

    Raises LogInUseError while that one is being written, DamagedLogError for a copy that is not whole, and StorageError;
    the old one stays then.
    """
    part = target.with_name(f".{target.name}.part")
    try:
        make_private_folder(target.parent)
        write_private(part, content)
        sync_to_disk(part)
        verdict = verify(part)
        if isinstance(verdict, BrokenChain):
            raise DamagedLogError(part, verdict.sequence, verdict.problem)
        if target.exists():
            MatchLog(target).close()  # takes in what lies beside the file; it would be applied to the new one
        part.replace(target)
        sync_to_disk(target.parent)
    except OSError as error:
        if isinstance(error, MatchLogError):
            raise
        raise StorageError(target, error.strerror or str(error), "see that the disk has room") from error
    finally:
        with suppress(OSError):
            for file in part.parent.glob(f"{glob.escape(part.name)}*"):
                file.unlink(missing_ok=True)


def salvage_match(source: Path, target: Path, clock: Callable[[], datetime] = utc_now) -> Salvaged:
    """Makes a match of the events before the first damage. The source is only read.

    Raises MatchLogError, also if not one event is intact; there is no new match then.
    """
    results: list[Salvaged] = []

    def fill(part: Path) -> None:
        noted = read_head_note(source)
        try:
            with open_snapshot(source, is_cut_off=True) as connection:
                results.append(_salvage_rows(connection, source, part, noted, utc_text(clock())))
        except DamagedLogError as error:
            problem = f"holds no event that is intact ({error.problem})"
            raise NotAMatchLogError(source, problem, "take a copy of it from before") from error

    create_file(target, fill).release()
    _copy_signature(source, target)
    return results[0]


def _back_up(connection: sqlite3.Connection, part: Path) -> None:
    try:
        with closing(sqlite3.connect(part.absolute().as_uri(), uri=True, isolation_level=None)) as copy:
            connection.backup(copy)
            make_durable(copy)
            set_open_mark(copy, False)
    except sqlite3.Error as error:
        raise storage_error(part, error) from error


def _salvage_rows(
    connection: sqlite3.Connection, source: Path, part: Path, noted: NotedHead | None, now_utc: str
) -> Salvaged:
    facts = read_facts(connection, source)
    rows, problem = _read_intact_rows(connection, source, noted)
    if not rows:
        raise DamagedLogError(source, 1, problem)
    write_schema(part, facts)
    try:
        with closing(sqlite3.connect(part.absolute().as_uri(), uri=True, isolation_level=None)) as kept:
            make_durable(kept)
            kept.execute("BEGIN")
            n_pictures, n_lost = _write_rows(kept, rows, connection, now_utc)
            kept.execute("COMMIT")
    except sqlite3.Error as error:
        raise storage_error(part, error) from error
    expected = max(len(rows), _count_expected(connection, source, noted))
    return Salvaged(len(rows), expected, n_pictures, n_lost, problem)


def _read_intact_rows(
    connection: sqlite3.Connection, source: Path, noted: NotedHead | None
) -> tuple[list[StoredRow], str]:
    """The events before the first damage, and what the damage is; empty if there is none."""
    rows: list[StoredRow] = []
    try:
        for stored in read_chained_rows(connection, source, are_contents_there=False):
            rows.append(stored)  # the rows before an error stay
        check_nothing_lost(connection, source, noted)
        head = read_head(connection, source)
    except DamagedLogError as error:
        return rows, error.problem
    except SQLITE_FAULTS as error:
        return rows, str(error)
    is_end = rows and (head.n_events, head.hash) == (len(rows), rows[-1].hash)
    return rows, "" if is_end else f"the match file notes {head.n_events} events and another last hash"


def _write_rows(
    kept: sqlite3.Connection, rows: list[StoredRow], connection: sqlite3.Connection, now_utc: str
) -> tuple[int, int]:
    """Writes events with their pictures; returns how many contents of pictures are kept, and how many were damaged.

    A picture without its content is marked as pruned, as the chain allows.
    """
    n_pictures = n_lost = n_bytes = 0
    for stored in rows:
        row = stored.row
        add_event(kept, row, stored.hash)
        for number, picture in enumerate(stored.pictures):
            digest = picture.digest
            added = add_picture(kept, row.sequence, number, digest)
            content = None if picture.is_pruned else _read_intact_jpeg(connection, row.sequence, number, digest.sha256)
            if content is None:
                kept.execute(MARK_PRUNED, (now_utc, added))
                n_lost += not picture.is_pruned
            else:
                kept.execute(ADD_JPEG, (added, content))
                n_pictures, n_bytes = n_pictures + 1, n_bytes + len(content)
    kept.execute(SET_HEAD, (len(rows), rows[-1].hash, n_bytes))
    return n_pictures, n_lost


def _read_intact_jpeg(connection: sqlite3.Connection, sequence: int, number: int, sha256: bytes) -> bytes | None:
    try:
        (content,) = read_jpeg(connection, sequence, number) or (None,)
    except SQLITE_FAULTS:
        return None
    is_intact = isinstance(content, bytes) and hashlib.sha256(content).digest() == sha256
    return content if is_intact else None


def _count_expected(connection: sqlite3.Connection, source: Path, noted: NotedHead | None) -> int:
    """The most events that anything readable mentions."""
    counts = [0 if noted is None else noted.n_events]
    with suppress(DamagedLogError, *SQLITE_FAULTS):
        counts.append(read_head(connection, source).n_events)
    with suppress(*SQLITE_FAULTS):
        (last,) = connection.execute(_LAST_EVENT).fetchone()
        counts.append(last if isinstance(last, int) else 0)
    return max(counts)


def _copy_signature(source: Path, target: Path) -> None:
    """A match that is signed stays so. It is evidence also where the signed events are not all there."""
    try:
        content = signature_path(source).read_bytes()
    except OSError:
        return
    try:
        write_private(signature_path(target), content)
    except OSError as error:
        raise StorageError(target, f"its signature: {error.strerror or error}", "sign the copy anew") from error
