"""The program is killed at any moment: every acknowledged event is stored, and no batch is stored partly."""

import os
import random
import signal
import sqlite3
import struct
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from controller.match.events import CommandRefused, RefereeEvent
from controller.match_log import IntactChain, MatchLog, MatchLogError, MatchRecord, read_match, verify
from controller.match_log.catalogue import read_listing
from tests.controller.subcommands.zygote import Zygote, busy_for

pytestmark = pytest.mark.broad

KILLS, ALL_KILLS = 20, 300
KILLS_PER_MATCH = 10  # then a new match begins
RESUME_S = 5.0


class Writers:
    """Processes that append to a match until they are killed."""

    def __init__(self) -> None:
        self._zygote = Zygote("tests.controller.match_log.appender")
        self.close = self._zygote.close

    def _receive(self) -> int:
        (number,) = struct.unpack(">I", self._zygote.said(4))
        return int(number)

    def acknowledged(self, path: Path, seed: int, *, after: int, and_us: int) -> int:
        """The last event that a writer acknowledged before it was killed; 0 if none.

        The kill comes `and_us` microseconds after its append number `after`.
        """
        self._zygote.ask(f"{path} {seed}")
        child = self._receive()
        numbers = [self._receive() for _ in range(after)]
        busy_for(and_us)
        os.kill(child, signal.SIGKILL)
        while numbers[-1:] != [0]:
            numbers.append(self._receive())
        return max(numbers)


@pytest.fixture
def writers() -> Iterator[Writers]:
    began = Writers()
    yield began
    began.close()


def resumed(path: Path) -> MatchRecord:
    """The match as a new process finds it, within the promised time."""
    began = time.perf_counter()
    with MatchLog(path) as log:
        match = log.read()
    assert time.perf_counter() - began <= RESUME_S
    return match


def numbers(events: tuple[RefereeEvent, ...]) -> list[tuple[int, int]]:
    """(own number, number of the last event in the same batch) of each event."""
    return [(event.at_ms, int(event.command)) for event in events if isinstance(event, CommandRefused)]


def test_nothing_that_was_acknowledged_is_lost(tmp_path: Path, writers: Writers, full_counts: bool) -> None:
    """After each kill all acknowledged events are stored in order, as whole batches, and the chain holds."""
    chance = random.Random(6)
    path, safe, n_acknowledged = tmp_path, 0, 0
    for kill in range(ALL_KILLS if full_counts else KILLS):
        if kill % KILLS_PER_MATCH == 0:
            path, safe = tmp_path / f"{kill}.zmatch", 0
        # The first kill of a match often hits its creation, later ones its opening or an append.
        after = chance.choice((0, 0, 1, 2, chance.randrange(40)))
        last = writers.acknowledged(path, kill, after=after, and_us=chance.randrange(12_000))
        n_acknowledged += max(0, last - safe)
        safe = max(safe, last)
        if not path.exists():
            assert safe == 0
            continue
        found = numbers(resumed(path).events)
        assert [number for number, _ in found] == list(range(1, len(found) + 1))
        assert len(found) >= safe
        assert found == [] or found[-1][0] == found[-1][1]  # the last batch is whole
        assert isinstance(verify(path), IntactChain)
        safe = len(found)
    assert n_acknowledged > KILLS


def damage_log(path: Path, chance: random.Random) -> None:
    """Loses or damages the write-ahead log, sometimes with the note of the head, as a bad disk or a bad copy does."""
    wal = path.with_name(f"{path.name}-wal")
    content = bytearray(wal.read_bytes()) if wal.exists() else bytearray()
    place = chance.randrange(len(content) or 1)
    match chance.randrange(5):
        case 0:
            wal.unlink(missing_ok=True)
        case 1:
            wal.write_bytes(content[:place])
        case 2:
            content[place : place + 1] = bytes([chance.randrange(256)])
            wal.write_bytes(content)
        case 3:
            end = place + chance.choice((512, 4096, 65536))
            content[place:end] = bytes(len(content[place:end]))
            wal.write_bytes(content)
        case _:
            wal.unlink(missing_ok=True)
            path.with_name(f"{path.name}-head").unlink(missing_ok=True)
    path.with_name(f"{path.name}-shm").unlink(missing_ok=True)


def is_told(path: Path) -> bool:
    """Whether verifying, listing, reading and resuming all say that something is missing, or none of them does."""
    found = {not isinstance(verify(path), IntactChain), bool(read_listing(path).problem)}
    for opener in (read_match, MatchLog):
        try:
            opened = opener(path)
        except MatchLogError:
            found.add(True)
        else:
            found.add(False)
            if isinstance(opened, MatchLog):
                opened.close()
    (is_missing,) = found
    return is_missing


def test_every_loss_is_told(tmp_path: Path, writers: Writers, full_counts: bool) -> None:
    """After each kill the write-ahead log is damaged; a match that lost an acknowledged event never counts as whole."""
    chance, lost, whole = random.Random(11), 0, 0
    for kill in range(ALL_KILLS if full_counts else KILLS):
        path = tmp_path / f"{kill}.zmatch"
        after = chance.choice((0, 1, 2, chance.randrange(40)))
        acknowledged = writers.acknowledged(path, kill, after=after, and_us=chance.randrange(12_000))
        if not path.exists():
            assert acknowledged == 0
            continue
        damage_log(path, chance)
        missing = is_told(path)
        with closing(sqlite3.connect(path)) as connection:
            (found,) = connection.execute("SELECT count(*) FROM events").fetchone()
        if found < acknowledged:
            lost += 1
            assert missing
        whole += not missing
    print(f"{lost} of {kill + 1} kills lost acknowledged events, all told; {whole} matches were whole")
    assert lost >= KILLS // 4
