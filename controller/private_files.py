"""Files and folders that only their owner may read: they hold names and pictures of people, settings and keys."""

import logging
import os
import stat
from contextlib import suppress
from pathlib import Path

_LOG = logging.getLogger("zarbiter.files")

FILE_MODE = 0o600
_FOLDER_MODE = 0o700


def make_private_folder(folder: Path) -> None:
    """Makes a folder and the missing ones above it. A folder that is there keeps its mode. Raises OSError."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(mode=_FOLDER_MODE, exist_ok=True)
    folder.mkdir(exist_ok=True)  # fails if a file has the name


def tighten_folder(folder: Path) -> None:
    """Takes what others may do from a folder that only we fill, and says so. One of another owner stays as it is."""
    with suppress(OSError):  # such as a file system without modes; what lies in it has its own
        found = folder.stat()
        if stat.S_IMODE(found.st_mode) & ~_FOLDER_MODE and found.st_uid == os.geteuid():
            folder.chmod(_FOLDER_MODE)
            if not stat.S_IMODE(folder.stat().st_mode) & ~_FOLDER_MODE:
                _LOG.warning("others could read %s, which holds names and pictures of people; now only you can", folder)


def write_private(file: Path, content: bytes) -> None:
    """Creates or replaces a file of mode 0600. Raises OSError."""
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, FILE_MODE), "wb") as opened:
        os.fchmod(opened.fileno(), FILE_MODE)  # of a file that was there
        opened.write(content)


def sync_to_disk(path: Path) -> None:
    """Syncs a file, or the entries of a folder. Some file systems refuse the latter and do not need it."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with suppress(OSError):
            os.fsync(handle)
    finally:
        os.close(handle)
