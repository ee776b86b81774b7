"""Shared-memory triple buffer: pictures pass from the capture process to its parent, copied once and never torn.

Memory that both processes map holds three slots of one picture each. A slot belongs to the holder of its token, and
tokens pass through a pipe that holds at most one, the newest. Before the writer puts a newer token it takes the old one
back, unless the reader already has it. The pipe gives each token to one side only, so no side writes a slot that the
other reads, and no lock exists that a killed process could keep. The reader copies its slot and returns the token over
the control socket.

    writer: fills one slot    pipe: at most one token    reader: at most one token, or one on its way back

The memory has no name, so it vanishes with the last process that maps it.
"""

import mmap
import os
import queue
import struct
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vision.frame import Pixels

SLOTS = 3  # one for the writer, one for the pipe, one for the reader


@dataclass(frozen=True, slots=True)
class SlotMemory:
    """The layout of the memory. `generation` counts from 1 and increases when the shape of the pictures changes."""

    generation: int
    height_px: int
    width_px: int

    @property
    def shape(self) -> tuple[int, int, int, int]:
        return SLOTS, self.height_px, self.width_px, 3

    @property
    def size_bytes(self) -> int:
        return SLOTS * self.height_px * self.width_px * 3

    def create(self) -> int:
        """A file descriptor of anonymous memory, owned by the caller."""
        if sys.platform == "linux":
            fd = os.memfd_create("zarbiter-frames", os.MFD_CLOEXEC)
        else:
            with tempfile.TemporaryFile() as file:
                fd = os.dup(file.fileno())
        os.ftruncate(fd, self.size_bytes)
        return fd

    def attach(self, fd: int, *, is_writable: bool) -> Pixels:
        """(SLOTS, height_px, width_px, 3). The memory lives as long as the array; the caller may close `fd`."""
        protection = mmap.PROT_READ | (mmap.PROT_WRITE if is_writable else 0)
        mapped = mmap.mmap(fd, self.size_bytes, mmap.MAP_SHARED, protection)
        return np.frombuffer(mapped, np.uint8).reshape(self.shape)


@dataclass(frozen=True, slots=True)
class Token:
    """The right to one slot."""

    generation: int
    slot: int
    taken_ms: int

    def to_bytes(self) -> bytes:
        return _TOKEN.pack(self.generation, self.slot, self.taken_ms)

    @classmethod
    def from_bytes(cls, data: bytes) -> "Token":
        return cls(*_TOKEN.unpack(data))


_TOKEN = struct.Struct("=IIq")
TOKEN_BYTES = _TOKEN.size


@dataclass(frozen=True, slots=True)
class Mailbox:
    """The pipe for the newest token, with two non-blocking ends. Only the writer puts."""

    reader_fd: int
    writer_fd: int = -1

    def take(self) -> Token | None:
        """None when the pipe is empty or the other process has ended."""
        try:
            data = os.read(self.reader_fd, TOKEN_BYTES)
        except BlockingIOError:
            return None
        return Token.from_bytes(data) if len(data) == TOKEN_BYTES else None

    def put(self, token: Token) -> Token | None:
        """Replaces the token in the pipe; returns the replaced token, or None if the reader has it."""
        replaced = self.take()
        os.write(self.writer_fd, token.to_bytes())
        return replaced


class SlotWriter:
    """The side that fills slots. `returned_tokens` accepts the reader's tokens from any thread."""

    def __init__(self, mailbox: Mailbox, announce: Callable[[SlotMemory, int], None]) -> None:
        self.returned_tokens: queue.SimpleQueue[Token] = queue.SimpleQueue()
        self._mailbox = mailbox
        self._announce = announce  # called with new memory before the first token of that memory
        self._memory = SlotMemory(0, 0, 0)
        self._slots: Pixels = np.empty((SLOTS, 0, 0, 3), np.uint8)
        self._free: set[int] = set()
        self._current_slot = 0

    def next_slot(self) -> Pixels | None:
        """The slot for the next picture if it has the shape of the last one; None before the first picture."""
        return self._slots[self._current_slot] if self._memory.generation else None

    def publish(self, pixels: Pixels, taken_ms: int) -> None:
        """Copies a picture unless it lies in its slot already. Waits while the reader returns the last free slot."""
        if pixels.shape != self._slots.shape[1:]:
            self._renew(pixels.shape[0], pixels.shape[1])
        slot = self._slots[self._current_slot]
        if not np.may_share_memory(pixels, slot):
            np.copyto(slot, pixels)
        self._reclaim(self._mailbox.put(Token(self._memory.generation, self._current_slot, taken_ms)))
        while not self.returned_tokens.empty():
            self._reclaim(self.returned_tokens.get())
        while not self._free:
            self._reclaim(self.returned_tokens.get())
        self._current_slot = self._free.pop()

    def _renew(self, height_px: int, width_px: int) -> None:
        self._memory = SlotMemory(self._memory.generation + 1, height_px, width_px)
        fd = self._memory.create()
        try:
            self._slots = self._memory.attach(fd, is_writable=True)
            self._announce(self._memory, fd)
        finally:
            os.close(fd)
        self._free = set(range(1, SLOTS))
        self._current_slot = 0

    def _reclaim(self, token: Token | None) -> None:
        if token is not None and token.generation == self._memory.generation:
            self._free.add(token.slot)


class SlotReader:
    """The side that copies slots and returns each token at once."""

    def __init__(self, mailbox: Mailbox, give_back: Callable[[Token], None]) -> None:
        self._mailbox = mailbox
        self._give_back = give_back
        self._generation = 0
        self._slots: Pixels = np.empty((SLOTS, 0, 0, 3), np.uint8)

    def attach_memory(self, memory: SlotMemory, fd: int) -> None:
        self._slots = memory.attach(fd, is_writable=False)
        self._generation = memory.generation

    def take_newest(self, on_unknown_memory: Callable[[], None]) -> tuple[Pixels, int] | None:
        """A copy of the newest picture that was not read yet, with its `taken_ms`; None without one.

        `on_unknown_memory` runs when the token belongs to memory that is not attached yet. The announcement of that
        memory was sent before the token.
        """
        token = self._mailbox.take()
        if token is None:
            return None
        if token.generation != self._generation:
            on_unknown_memory()
        if token.generation != self._generation or not 0 <= token.slot < SLOTS:
            return None
        pixels = self._slots[token.slot].copy()
        self._give_back(token)
        return pixels, token.taken_ms
