"""Up to which event of each match a receiver has confirmed everything: one small file for each table and receiver.

The file is written after the receiver has confirmed, so after a crash the last events are sent once more and never left
out; their numbers tell.
"""

import fcntl
import json
import logging
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import ClassVar, Protocol

from controller.plain_file import read_plain_file
from controller.private_files import FILE_MODE, make_private_folder, write_private
from controller.publishing.errors import SendingError
from controller.settings.atomic_file import write_atomically

_LOG = logging.getLogger("zarbiter.publishing")

_MOST_BYTES = 1_000_000
_MOST_MATCHES = 200
"""A knob: matches of which everything is sent and which may go on. Older ones would be sent anew if they did."""


class Positions(Protocol):
    """How far one receiver is. A match is known by its file, relative to the folder of all matches. `meanwhile`: what becomes
    of the match while the receiver is away.
    """

    meanwhile: ClassVar[str]

    @property
    def matches(self) -> tuple[str, ...]:
        """Every match that is known, the oldest entry first."""

    def get(self, match: str) -> int:
        """The number of the last confirmed event; 0 before the first."""

    def put(self, match: str, number: int) -> None:
        """In memory; `save` keeps it."""

    def forget(self, match: str) -> None: ...

    def save(self) -> None: ...

    def close(self) -> None: ...


class NoEvents:
    """The positions of a receiver of states alone: it has every event already."""

    meanwhile: ClassVar[str] = "its scene stays as it is meanwhile"
    matches: tuple[str, ...] = ()

    def get(self, match: str) -> int:
        del match
        return sys.maxsize

    def put(self, match: str, number: int) -> None: ...

    def forget(self, match: str) -> None: ...

    def save(self) -> None: ...

    def close(self) -> None: ...


class SentPositions:
    """The positions in `file`, which this object alone may change until `close`. Raises SendingError."""

    meanwhile: ClassVar[str] = "events wait in the log and are sent later"

    def __init__(self, file: Path) -> None:
        self._file = file
        try:
            make_private_folder(file.parent)
            handle = os.open(f"{file}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
        except OSError as error:
            raise _not_kept(file, error) from None
        self._lock = os.fdopen(handle, "rb")
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.close()
            sentence = "another zarbiter sends the events of this table; give each table a name of its own with --table"
            raise SendingError(sentence, is_lasting=True) from None
        self._numbers = _read(file)

    @property
    def matches(self) -> tuple[str, ...]:
        return tuple(self._numbers)

    def get(self, match: str) -> int:
        return self._numbers.get(match, 0)

    def put(self, match: str, number: int) -> None:
        self._numbers[match] = number
        while len(self._numbers) > _MOST_MATCHES:
            del self._numbers[next(iter(self._numbers))]

    def forget(self, match: str) -> None:
        self._numbers.pop(match, None)

    def save(self) -> None:
        """Raises SendingError."""
        try:
            write_atomically(self._file, json.dumps(self._numbers), mode=FILE_MODE)
        except OSError as error:
            raise _not_kept(self._file, error) from None

    def close(self) -> None:
        """Another program may send now; a second call does nothing."""
        self._lock.close()


def load_or_create_owner(file: Path, make: str) -> str:
    """The name of this installation at a broker, kept in `file`; `make` where there is none. Raises SendingError."""
    with suppress(OSError, UnicodeDecodeError):
        found = read_plain_file(file, 100).decode("ascii").strip()
        if found.isalnum():
            return found
    try:
        write_private(file, f"{make}\n".encode("ascii"))
    except OSError as error:
        raise _not_kept(file, error) from None
    return make


def _read(file: Path) -> dict[str, int]:
    """A file that cannot be read, or holds something else, counts as empty: a match that goes on is then sent once more, and
    earlier ones are not.
    """
    try:
        found = json.loads(read_plain_file(file, _MOST_BYTES))
        if isinstance(found, dict) and all(type(number) is int and number >= 0 for number in found.values()):
            return found
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):
        pass
    _LOG.warning(
        "%s is damaged, and what waited of earlier matches is not sent; see the logs of the last matches", file
    )
    return {}


def _not_kept(file: Path, error: OSError) -> SendingError:
    return SendingError(f"{file} cannot be written ({error.strerror or error}); see to the disk and its folder")
