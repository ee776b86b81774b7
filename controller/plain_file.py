"""Reads small files whose names come from people: never a pipe or a device, which might never end, and never too much."""

import errno
import os
import stat
from pathlib import Path


def read_plain_file(file: Path, most_bytes: int) -> bytes:
    """The content of a file. OSError, whose `strerror` says why, also for a pipe, a device and a file that is too large.

    Raises ValueError for a name with a null character.
    """
    # A pipe is opened without waiting for its writer; a terminal does not become that of this program.
    handle = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as opened:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is no file but a pipe or a device", str(file))
        content = opened.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise OSError(errno.EFBIG, f"it has more than {format_size(most_bytes)}", str(file))
    return content


def format_size(n_bytes: int) -> str:
    """For people: 100 kB, 32 MB."""
    return f"{n_bytes // 1000} kB" if n_bytes < 1_000_000 else f"{n_bytes // 1_000_000} MB"
