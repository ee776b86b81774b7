"""Atomic file writing, and the data folder (XDG Base Directory Specification).

A reader finds either the old file or the new one, also after a power failure.
"""

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

_USUAL_MODE = 0o644


def write_atomically(file: Path, text: str, *, like: Path | None = None, mode: int = _USUAL_MODE) -> None:
    """Replaces the content of a file. OSError where that fails; the old file then stays.

    A symbolic link stays a link. The mode is that of `like` where given, else that of the old file, else `mode`.
    """
    file = file.resolve()
    model = like or file
    mode = model.stat().st_mode & 0o777 if model.exists() else mode
    with open_atomically(file, mode=mode) as part:
        part.write(text)


@contextmanager
def open_atomically(file: Path, *, mode: int = _USUAL_MODE, errors: str = "strict") -> Iterator[TextIO]:
    """A text file that replaces `file` when the block ends without an exception. OSError where that fails.

    A symbolic link stays a link. `errors` is that of `open`.
    """
    file = file.resolve()
    handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors=errors, newline="\n") as part:
            yield part
            part.flush()
            os.fsync(part.fileno())
        Path(temporary).chmod(mode)
        Path(temporary).replace(file)
    except BaseException:
        with suppress(OSError):
            Path(temporary).unlink()
        raise
    _sync_folder(file.parent)


def _sync_folder(folder: Path) -> None:
    """Makes the new directory entry durable, where the system supports that."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def data_folder(option: Path | None, environment: Mapping[str, str]) -> Path:
    """The folder of --data, else the user's data folder; it need not exist. `environment` is that of the process."""
    if option is not None:
        return option
    xdg = Path(environment.get("XDG_DATA_HOME", ""))
    # The specification says that a relative path is to be ignored.
    return (xdg if xdg.is_absolute() else Path.home() / ".local" / "share") / "zarbiter"
