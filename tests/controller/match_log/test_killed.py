"""The program is killed at any moment: what it had acknowledged is there, and nothing is there by half."""

import os
import random
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

from controller.events import CommandRefused, RefereeEvent
from controller.match_log import Intact, MatchLog, MatchRecord, verify

pytestmark = pytest.mark.broad

ROOT = Path(__file__).parents[3]
KILLS, ALL_KILLS = 20, 300
KILLS_PER_MATCH = 10  # one match after another is gone on with so often
RESUME_S = 5.0


class Writers:
    """Processes that append to a match until they are killed."""

    def __init__(self) -> None:
        self._zygote = subprocess.Popen(
            [sys.executable, "-m", "tests.controller.match_log.appender"],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
        )

    @property
    def _answers(self) -> IO[bytes]:
        assert self._zygote.stdout is not None
        return self._zygote.stdout

    def _told(self) -> int:
        answer = self._answers.read(4)
        assert len(answer) == 4, "the writer ended by itself"
        (number,) = struct.unpack(">I", answer)
        return int(number)

    def acknowledged(self, path: Path, seed: int, *, after: int, and_us: int) -> int:
        """What a writer had acknowledged when it was killed, so many appends and microseconds after it began; 0: none."""
        assert self._zygote.stdin is not None
        self._zygote.stdin.write(f"{path} {seed}\n".encode())
        child = self._told()
        told = [self._told() for _ in range(after)]
        until = time.perf_counter() + and_us / 1e6
        while time.perf_counter() < until:  # a sleep would end on the scheduler's beat
            pass
        os.kill(child, signal.SIGKILL)
        while told[-1:] != [0]:
            told.append(self._told())
        return max(told)

    def close(self) -> None:
        for pipe in (self._zygote.stdin, self._zygote.stdout):
            assert pipe is not None
            pipe.close()
        self._zygote.wait(10)


@pytest.fixture
def writers() -> Iterator[Writers]:
    began = Writers()
    yield began
    began.close()


def resumed(path: Path) -> MatchRecord:
    """The match as a new program finds it, within the promised time."""
    began = time.perf_counter()
    with MatchLog(path) as log:
        match = log.read()
    assert time.perf_counter() - began <= RESUME_S
    return match


def numbers(events: tuple[RefereeEvent, ...]) -> list[tuple[int, int]]:
    """(own number, number of the last event in the same batch) of each event."""
    return [(event.at_ms, int(event.command)) for event in events if isinstance(event, CommandRefused)]


def test_nothing_that_was_acknowledged_is_lost(tmp_path: Path, writers: Writers, full_counts: bool) -> None:
    """20 kills, 300 with --slow: all acknowledged events are there in order, whole batches only, and the chain holds."""
    chance = random.Random(6)
    path, safe, n_acknowledged = tmp_path, 0, 0
    for kill in range(ALL_KILLS if full_counts else KILLS):
        if kill % KILLS_PER_MATCH == 0:
            path, safe = tmp_path / f"{kill}.zmatch", 0
        # The first kill of a match often hits it while it is created, the others while it is opened or appended to.
        after = chance.choice((0, 0, 1, 2, chance.randrange(40)))
        told = writers.acknowledged(path, kill, after=after, and_us=chance.randrange(12_000))
        n_acknowledged += max(0, told - safe)
        safe = max(safe, told)
        if not path.exists():
            assert safe == 0
            continue
        found = numbers(resumed(path).events)
        assert [number for number, _ in found] == list(range(1, len(found) + 1))
        assert len(found) >= safe
        assert found == [] or found[-1][0] == found[-1][1]  # the last batch is whole
        assert isinstance(verify(path), Intact)
        safe = len(found)
    assert n_acknowledged > KILLS
