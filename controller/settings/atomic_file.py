"""A file written whole or not at all: whoever reads it finds the old one or the new one, also after a pulled plug.

Where matches and calibrations lie when nobody says otherwise: the XDG data folder.
"""

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

_USUAL_MODE = 0o644


def write_atomically(file: Path, text: str, *, like: Path | None = None) -> None:
    """OSError when it cannot be; then the old one is still there. A link stays a link, and the mode what it was.

    A file that holds what another one held is readable to the same people: `like` is that other one.
    """
    file = file.resolve()
    model = like or file
    mode = model.stat().st_mode & 0o777 if model.exists() else _USUAL_MODE
    with open_atomically(file, mode=mode) as part:
        part.write(text)


@contextmanager
def open_atomically(file: Path, *, mode: int = _USUAL_MODE, errors: str = "strict") -> Iterator[TextIO]:
    """What is written there replaces the file at the end, or nothing does: then OSError, or what was raised within.

    A link stays a link. `errors`: what becomes of what is no Unicode, as `open` has it.
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
    """The new name is on disk too, where the system can say so."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def data_folder(option: Path | None, environment: Mapping[str, str]) -> Path:
    """The folder of --data, else the user's; it need not be there yet. `environment` is that of the process."""
    if option is not None:
        return option
    xdg = Path(environment.get("XDG_DATA_HOME", ""))
    # The XDG specification has a relative path ignored.
    return (xdg if xdg.is_absolute() else Path.home() / ".local" / "share") / "zarbiter"
