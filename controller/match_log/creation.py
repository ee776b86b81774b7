"""Creates a match file. The file gets its name only when it is complete, so a half-created match never has a name."""

import re
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path

from controller.match import RefereeEvent
from controller.match_log.chain import MatchFacts, first_link
from controller.match_log.connection import make_durable, storage_error
from controller.match_log.errors import LogInUseError, MatchExistsError, StorageError
from controller.match_log.head_note import SUFFIX as NOTE_SUFFIX
from controller.match_log.head_note import note_path
from controller.match_log.schema import SCHEMA_VERSION, STATEMENTS
from controller.match_log.signature import SUFFIX as SIGNATURE_SUFFIX
from controller.match_log.store import MOST_PICTURE_BYTES, MatchLog
from controller.match_log.wall_clock import utc_now, utc_text
from controller.match_log.writer_lock import WriterLock
from controller.private_files import make_private_folder, sync_to_disk, tighten_folder, write_private

SIDE_FILES = ("-wal", "-shm", NOTE_SUFFIX, SIGNATURE_SUFFIX)
MATCHES = "matches"
"""The folder of matches in a data folder: nothing else is kept in it."""
_JOURNAL = "-journal"
FRAMES_SUFFIX = ".zmatch-frames"
"""How the folder of the frames of a match in a data folder ends."""
FRAME_NAME = re.compile(r"[0-9]{1,15}\.jpg")
_NOTHING_MADE = "no match was made; see to the disk and try again"


def make_match_id(moment: datetime) -> str:
    """An id that sorts by date and is safe as a file name: `20260305-142233` (UTC)."""
    return utc_text(moment)[:19].replace("-", "").replace(":", "").replace("T", "-")


def create_match(
    path: Path,
    game: str,
    events: Sequence[RefereeEvent] = (),
    *,
    most_picture_bytes: int = MOST_PICTURE_BYTES,
    clock: Callable[[], datetime] = utc_now,
) -> MatchLog:
    """Creates a match with its first events, and its folder, and opens it for appending. Its id is the name of
    its file.

    Raises MatchExistsError, LogInUseError or StorageError; the match does not exist then.
    """
    moment = clock()
    facts = MatchFacts(_make_storable(path.stem), game, utc_text(moment))

    def fill(part: Path) -> None:
        write_schema(part, facts)
        if events:
            with MatchLog(part, clock=clock) as log:
                log.append(events)

    lock = create_file(path, fill)
    return MatchLog(path, most_picture_bytes=most_picture_bytes, clock=clock, lock=lock)


def _make_storable(name: str) -> str:
    """A name without bytes that are no Unicode."""
    return name.encode("utf-8", "replace").decode("utf-8")


def create_file(path: Path, fill: Callable[[Path], None]) -> WriterLock:
    """Lets `fill` write a match to a hidden file, and gives that file its name when it is complete and on the disk.

    Returns the lock of the match, which names it for this process alone. Raises as `create_match` does, and whatever else
    `fill` raises; nothing is left behind then.
    """
    part = path.with_name(f".{path.name}.part")
    try:
        make_private_folder(path.parent)
        if path.parent.name == MATCHES:
            tighten_folder(path.parent)
        lock = WriterLock(path)
        try:
            _create_locked(path, part, fill)
        except BaseException:
            lock.release()
            raise
    except sqlite3.Error as error:
        raise storage_error(path, error, _NOTHING_MADE) from error
    except (MatchExistsError, LogInUseError):
        raise
    except StorageError as error:
        raise error if error.path == path else StorageError(path, error.reason, _NOTHING_MADE) from error
    except OSError as error:
        raise StorageError(path, error.strerror or str(error), "choose a folder that can be written") from error
    return lock


def _create_locked(path: Path, part: Path, fill: Callable[[Path], None]) -> None:
    if path.exists():
        raise MatchExistsError(path)
    remove_match_files(part)
    remove_match_files(path)  # side files that an interrupted deletion left behind
    try:
        write_private(part, b"")  # SQLite gives its side files the mode of the file
        fill(part)
        if note_path(part).exists():
            raise StorageError(path, "the disk has not taken all of it", _NOTHING_MADE)
        sync_to_disk(part)
        part.replace(path)
    except BaseException:
        remove_match_files(part)
        raise
    sync_to_disk(path.parent)


def write_schema(path: Path, facts: MatchFacts) -> None:
    """Makes an empty match of an empty file. Raises SQLite's errors."""
    with closing(sqlite3.connect(path.absolute().as_uri(), uri=True, isolation_level=None)) as connection:
        make_durable(connection)
        connection.execute("BEGIN")
        for statement in STATEMENTS:
            connection.execute(statement)
        connection.execute("INSERT INTO facts VALUES (?, ?, ?)", (facts.match_id, facts.game, facts.created_utc))
        connection.execute("INSERT INTO head VALUES (0, ?, 0, 0)", (first_link(facts, SCHEMA_VERSION),))
        connection.execute("COMMIT")
        connection.execute("PRAGMA journal_mode = WAL")


def frames_folder(path: Path) -> Path:
    """The folder beside a match with the last minutes of frames, if `play --keep-frames` kept some."""
    return path.with_name(f"{path.name}-frames")


def frame_files(folder: Path) -> tuple[Path, ...]:
    """The frames of a folder in the order of their times, which are their names in ms. Raises OSError."""
    if not folder.is_dir():
        return ()
    files = (file for file in folder.iterdir() if FRAME_NAME.fullmatch(file.name) and not file.is_symlink())
    return tuple(sorted(files, key=_taken_ms))


def _taken_ms(file: Path) -> int:
    return int(file.stem)


def remove_frames(folder: Path) -> None:
    """Removes the frames of a folder, and the folder unless something else lies in it. Raises OSError."""
    for file in frame_files(folder):
        file.unlink(missing_ok=True)
    with suppress(OSError):
        folder.rmdir()


def remove_match_files(path: Path) -> None:
    """Removes a match file and what lies beside it, as far as it exists: frames first, since they show people's hands."""
    remove_frames(frames_folder(path))
    for suffix in ("", *SIDE_FILES, _JOURNAL):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
