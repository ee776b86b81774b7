"""One writer for a match: a lock on a file beside it, which the system takes away even from a killed program."""

import fcntl
import os
import time
from contextlib import suppress
from pathlib import Path

from controller.match_log.errors import LogInUseError, StorageError

# Who only asks whether a match is being written holds its lock for a moment himself.
_TRIES, _PAUSE_S = 5, 0.01


class WriterLock:
    """Held from its making to `release`. Raises LogInUseError, or StorageError where no lock can be had."""

    def __init__(self, match: Path) -> None:
        self._path = lock_path(match)
        try:
            self._handle: int | None = _acquire(self._path)
        except BlockingIOError:
            raise LogInUseError(match) from None
        except OSError as error:
            raise StorageError(match, error.strerror or str(error), "choose a folder that can be written") from error

    def release(self) -> None:
        """The file goes first: whoever opened it meanwhile finds that it is not the one of that name any more."""
        handle, self._handle = self._handle, None
        if handle is None:
            return
        with suppress(OSError):
            self._path.unlink()
        os.close(handle)


def lock_path(match: Path) -> Path:
    """Hidden, so that a folder of matches shows matches."""
    return match.with_name(f".{match.name}.lock")


def is_locked(match: Path) -> bool:
    """Whether somebody writes the match now."""
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
    """A handle that holds the lock on the file of that name; raises BlockingIOError."""
    for attempt in range(_TRIES):
        if attempt:
            time.sleep(_PAUSE_S)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        with suppress(BlockingIOError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_current_file(handle, path):  # else the one before removed it between our opening and locking
                return handle
        os.close(handle)
    raise BlockingIOError


def _is_current_file(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False
