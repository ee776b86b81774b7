"""Locks that the system releases even when a process is killed: one writer for a match, and one process for a folder."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from controller.match_log.errors import LogInUseError, StorageError
from controller.private_files import FILE_MODE, make_private_folder

# `is_locked` itself holds the lock for a moment, so a writer tries again.
_TRIES, _PAUSE_S = 5, 0.01


class WriterLock:
    """Held from construction to `release`. Raises LogInUseError, or StorageError if locking fails."""

    def __init__(self, match: Path) -> None:
        self._path = lock_path(match)
        try:
            self._handle: int | None = _acquire(self._path)
        except BlockingIOError:
            raise LogInUseError(match) from None
        except OSError as error:
            raise StorageError(match, error.strerror or str(error), "choose a folder that can be written") from error

    def release(self) -> None:
        """Unlinks the file before unlocking it: a process that opened it meanwhile detects that it is stale."""
        handle, self._handle = self._handle, None
        if handle is None:
            return
        with suppress(OSError):
            self._path.unlink()
        os.close(handle)


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Held by one process after another: others wait. A folder that does not exist yet is made.

    A folder that cannot be locked, as on some network drives, or cannot be made is not; whoever writes into it says why.
    """
    handle: int | None = None
    with suppress(OSError):
        make_private_folder(folder)
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)


def lock_path(match: Path) -> Path:
    """The lock file of a match; hidden, so that a folder shows only matches."""
    return match.with_name(f".{match.name}.lock")


def is_locked(match: Path) -> bool:
    """Whether the match is being written."""
    try:
        handle = os.open(lock_path(match), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def _acquire(path: Path) -> int:
    """A handle that holds the lock on the file at `path`. Raises BlockingIOError."""
    for attempt in range(_TRIES):
        if attempt:
            time.sleep(_PAUSE_S)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
        with suppress(BlockingIOError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_current_file(handle, path):  # else the last owner unlinked it between our opening and locking
                return handle
        os.close(handle)
    raise BlockingIOError


def _is_current_file(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False
