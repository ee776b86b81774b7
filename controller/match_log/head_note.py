"""The head note `<match>-head`: how many events of a match that is being written are confirmed, and the last hash.

SQLite keeps the newest events in the file that ends in `-wal`, and drops without a word what is missing or torn there. The
note reveals it, as does the mark `is_open` in the match file itself if the note is gone too. The note never runs ahead
of the disk: it is written when a commit has returned. It may lag, by one batch after a kill, and after a power cut by what
the system had not yet written.

A note is two blocks that are written in turn, each with a checksum, so a torn write leaves the other one.
"""

import hashlib
import os
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from controller.private_files import FILE_MODE, sync_to_disk

SUFFIX = "-head"
# Whole pages are written without reading first, and no sector of a disk is larger.
_BLOCK_BYTES = 4096
_BLOCK = re.compile(rb"zarbiter head 1 (\d{1,18}) ([0-9a-f]{64}) ([0-9a-f]{16})\n")


@dataclass(frozen=True, slots=True)
class NotedHead:
    """The confirmed length of a match and the hash of its last event."""

    n_events: int
    hash: bytes


def note_path(match: Path) -> Path:
    return match.with_name(f"{match.name}{SUFFIX}")


def read_head_note(match: Path) -> NotedHead | None:
    """The newest intact block; None without any. Read it before the match, which may grow meanwhile."""
    try:
        with note_path(match).open("rb") as opened:
            content = opened.read(2 * _BLOCK_BYTES)
    except (OSError, ValueError):  # ValueError: a name with a null character
        return None
    blocks = (_parse_block(content[start : start + _BLOCK_BYTES]) for start in (0, _BLOCK_BYTES))
    return max((block for block in blocks if block is not None), key=lambda block: block.n_events, default=None)


class HeadNote:
    """The note of a match that is being written. Creating it replaces an older one durably; OSError where it cannot."""

    def __init__(self, match: Path, head: NotedHead) -> None:
        self._path = note_path(match)
        part = match.with_name(f".{self._path.name}.part")
        flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
        self._handle: int | None = os.open(part, flags, FILE_MODE)
        self._next_block = 0
        try:
            os.pwrite(self._handle, 2 * _make_block(head), 0)
            os.fsync(self._handle)
            part.replace(self._path)
        except BaseException:
            self.close()
            part.unlink(missing_ok=True)
            raise
        sync_to_disk(self._path.parent)

    def write(self, head: NotedHead) -> None:
        """Notes what the disk has confirmed. It costs no sync: the page is handed to the disk, which does not wait.

        Where the write fails, the older block stays; it is still true.
        """
        if self._handle is None:
            return
        start = self._next_block * _BLOCK_BYTES
        self._next_block = 1 - self._next_block
        with suppress(OSError):
            os.pwrite(self._handle, _make_block(head), start)
            if hasattr(os, "posix_fadvise"):  # begins to write the page now, not half a minute later
                os.posix_fadvise(self._handle, start, _BLOCK_BYTES, os.POSIX_FADV_DONTNEED)

    def close(self) -> None:
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)

    def remove(self) -> None:
        """Closes and deletes the note, of a match that is complete in its own file."""
        self.close()
        with suppress(OSError):
            self._path.unlink()


def _make_block(head: NotedHead) -> bytes:
    text = f"{head.n_events} {head.hash.hex()}"
    return f"zarbiter head 1 {text} {_checksum(text)}\n".encode("ascii").ljust(_BLOCK_BYTES, b"\0")


def _parse_block(block: bytes) -> NotedHead | None:
    found = _BLOCK.match(block)
    if found is None:
        return None
    n_events, digest, checksum = (part.decode("ascii") for part in found.groups())
    is_whole = checksum == _checksum(f"{n_events} {digest}")
    return NotedHead(int(n_events), bytes.fromhex(digest)) if is_whole else None


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]
