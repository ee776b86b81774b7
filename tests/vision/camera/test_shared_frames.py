import os
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pytest

from vision.camera.shared_frames import SLOTS, Mailbox, SlotMemory, SlotReader, SlotWriter, Token
from vision.frame import Pixels


def picture(value: int, height_px: int = 4) -> Pixels:
    return np.full((height_px, 6, 3), value, np.uint8)


@dataclass
class Ends:
    """Writer and reader in one process; announcements and returned tokens wait until they are let through."""

    mailbox: Mailbox
    announced: list[tuple[SlotMemory, int]] = field(default_factory=list)
    memories: list[SlotMemory] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.writer = SlotWriter(self.mailbox, self._announce)
        self.reader = SlotReader(self.mailbox, self.writer.returned_tokens.put)

    def _announce(self, memory: SlotMemory, fd: int) -> None:
        self.memories.append(memory)
        self.announced.append((memory, os.dup(fd)))

    def learn(self) -> None:
        for memory, fd in self.announced:
            self.reader.attach_memory(memory, fd)
            os.close(fd)
        self.announced.clear()

    def newest(self) -> tuple[int, int] | None:
        """(the one value of the picture, taken_ms)."""
        found = self.reader.take_newest(self.learn)
        if found is None:
            return None
        (value,) = set(found[0].reshape(-1).tolist())
        return value, found[1]


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    reader_fd, writer_fd = os.pipe()
    os.set_blocking(reader_fd, False)
    os.set_blocking(writer_fd, False)
    yield Mailbox(reader_fd, writer_fd)
    os.close(reader_fd)
    os.close(writer_fd)


@pytest.fixture
def ends(mailbox: Mailbox) -> Iterator[Ends]:
    both = Ends(mailbox)
    yield both
    both.learn()


def test_the_mailbox_holds_the_newest_only(mailbox: Mailbox) -> None:
    """Putting gives back what nobody took; taking gives the last one put, once."""
    first, second = Token(1, 0, 10), Token(1, 1, 20)
    assert mailbox.take() is None
    assert mailbox.put(first) is None
    assert mailbox.put(second) == first
    assert mailbox.take() == second
    assert mailbox.take() is None


def test_a_token_survives_its_bytes() -> None:
    """Times beyond 32 bits too."""
    token = Token(3, 2, 2**40)
    assert Token.from_bytes(token.to_bytes()) == token


def test_a_picture_is_given_once(ends: Ends) -> None:
    assert ends.newest() is None
    ends.writer.publish(picture(7), 100)
    assert ends.newest() == (7, 100)
    assert ends.newest() is None


def test_only_the_newest_is_given(ends: Ends) -> None:
    """The writer never waits, and the reader gets the last of any number of pictures."""
    for number in range(50):
        ends.writer.publish(picture(number), number)
    assert ends.newest() == (49, 49)


def test_a_picture_in_its_slot_is_not_copied(ends: Ends) -> None:
    assert ends.writer.next_slot() is None
    ends.writer.publish(picture(1), 1)
    slot = ends.writer.next_slot()
    assert slot is not None
    slot[:] = 9
    ends.writer.publish(slot, 2)
    assert ends.newest() == (9, 2)


def test_the_writer_spares_the_slot_of_the_reader(mailbox: Mailbox) -> None:
    """While the reader holds a token, the writer uses the other slots, however many pictures it puts."""
    ends = Ends(mailbox)
    ends.writer.publish(picture(1), 1)
    held = mailbox.take()
    assert held is not None
    for number in range(2, 20):
        slot = ends.writer.next_slot()
        assert slot is not None
        slot[:] = number
        ends.writer.publish(slot, number)
    slots = ends.memories[0].attach(ends.announced[0][1], is_writable=False)
    assert set(slots[held.slot].reshape(-1).tolist()) == {1}
    ends.learn()


def test_returned_slots_are_used_again(ends: Ends) -> None:
    """Reading every picture goes on for longer than there are slots."""
    for number in range(5 * SLOTS):
        ends.writer.publish(picture(number), number)
        assert ends.newest() == (number, number)
    assert len(ends.memories) == 1


def test_another_shape_gets_other_memory(ends: Ends) -> None:
    """A stream may change its size; tokens of the old memory are forgotten on both sides."""
    ends.writer.publish(picture(1, height_px=4), 1)
    ends.writer.publish(picture(2, height_px=8), 2)
    assert ends.newest() == (2, 2)
    ends.writer.publish(picture(3, height_px=4), 3)
    assert ends.newest() == (3, 3)
    assert [(memory.generation, memory.height_px) for memory in ends.memories] == [(1, 4), (2, 8), (3, 4)]


def test_a_token_of_unknown_memory_gives_nothing(mailbox: Mailbox) -> None:
    """The pipe may hold anything; the reader stays inside its memory."""
    ends = Ends(mailbox)
    mailbox.put(Token(5, 0, 1))
    assert ends.newest() is None


def test_the_reader_cannot_write(ends: Ends) -> None:
    """Its view of the memory is read-only, and what it hands out is a copy."""
    ends.writer.publish(picture(1), 1)
    memory, fd = ends.announced[0]
    slots = memory.attach(fd, is_writable=False)
    assert not slots.flags.writeable
    found = ends.reader.take_newest(ends.learn)
    assert found is not None
    assert not np.shares_memory(found[0], slots)
