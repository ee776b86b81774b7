"""The power goes: what the disk had confirmed stays, of all later writes any part may be lost or torn.

The state after an append returned is what the disk has confirmed. Later writes are put on top of it in sectors, each of
them as it was before, as it should be, or as garbage, also where only its end was to be written. SQLite's order is: the write-ahead log, a sync, and sometimes
then the database, a sync; so either the log is torn or, with the log whole, the database.
"""

import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from controller.match_log import EvidencePicture, IntactChain, PictureKind, create_match, read_match, verify
from tests.controller.match_log.match_files import noise, numbered

pytestmark = pytest.mark.broad

ROOT = Path(__file__).parents[3]
SECTORS = (512, 4096)
APPENDS = 45  # enough for two checkpoints, after each of which the log begins anew
CUTS, ALL_CUTS = 1, 12  # of each append and kind


@dataclass(frozen=True)
class Confirmed:
    """What is on the disk for sure."""

    n_events: int
    database: bytes
    wal: bytes


def confirmed_states(folder: Path) -> Iterator[Confirmed]:
    """Of a match that grows, after each append."""
    path = folder / "match.zmatch"
    shot = noise(1, (240, 320))
    with create_match(path, "tavla") as log:
        yield Confirmed(0, path.read_bytes(), wal_of(path))
        for _ in range(APPENDS):
            first = log.n_events + 1
            log.append(numbered(first, first + 2), [EvidencePicture(kind, shot) for kind in PictureKind])
            yield Confirmed(log.n_events, path.read_bytes(), wal_of(path))


def wal_of(path: Path) -> bytes:
    wal = path.with_name(f"{path.name}-wal")
    return wal.read_bytes() if wal.exists() else b""


def torn(before: bytes, wanted: bytes, chance: random.Random) -> bytes:
    """Some of the sectors that were written, each whole, lost or spoiled; the file may not have grown yet."""
    length = chance.choice((len(before), len(wanted), chance.randint(*sorted((len(before), len(wanted))))))
    written, sector = chance.random(), chance.choice(SECTORS)
    out = bytearray(before[:length].ljust(length, b"\0"))
    for start in range(0, min(length, len(wanted)), sector):
        new = wanted[start : min(start + sector, length)]
        if out[start : start + len(new)] != new and chance.random() < written:
            is_spoiled = chance.random() < 0.1
            out[start : start + len(new)] = chance.randbytes(len(new)) if is_spoiled else new
    return bytes(out)


def found_after(folder: Path, database: bytes, wal: bytes) -> int:
    """How many events the next program finds; all of them are right, and the chain holds."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    path = folder / "match.zmatch"
    path.write_bytes(database)
    path.with_name(f"{path.name}-wal").write_bytes(wal)
    verdict = verify(path)
    assert isinstance(verdict, IntactChain)
    assert [event.at_ms for event in read_match(path).events] == list(range(1, verdict.events + 1))
    return verdict.events


def test_torn_and_lost_writes(tmp_path: Path, full_counts: bool) -> None:
    """Every acknowledged event is there, and the batch that was being written is there as a whole or not at all."""
    chance = random.Random(7)
    states = list(confirmed_states(tmp_path))
    checkpoints = 0
    for before, after in pairwise(states):
        for _ in range(ALL_CUTS if full_counts else CUTS):
            wal = torn(before.wal, after.wal, chance)
            found = found_after(tmp_path / "cut", before.database, wal)
            assert found in (before.n_events, after.n_events)
            if before.database == after.database:
                continue
            checkpoints += 1
            database = torn(before.database, after.database, chance)
            assert found_after(tmp_path / "cut", database, after.wal) == after.n_events
    assert checkpoints >= 2


def test_the_confirmed_states_themselves(tmp_path: Path) -> None:
    """With nothing written after it, each shows exactly what was acknowledged."""
    for state in list(confirmed_states(tmp_path))[::9]:
        assert found_after(tmp_path / "cut", state.database, state.wal) == state.n_events


TRACED = """
import os, sys, pathlib
from controller.match_log import create_match
from tests.controller.match_log.match_files import numbered
with create_match(pathlib.Path(sys.argv[1]), "tavla") as log:
    for number in range(1, 6):
        log.append(numbered(number, number))
        os.write(1, b"acknowledged")
"""


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_acknowledged_is_synced(tmp_path: Path) -> None:
    """The system saw a sync of the write-ahead log before each acknowledgement, and after it no write to what was synced.

    SQLite fills up the last sector; what is left of that filling comes after the sync, in sectors of its own.
    """
    trace, path = tmp_path / "trace", tmp_path / "match.zmatch"
    calls = "trace=write,pwrite64,fsync,fdatasync"
    command = ["strace", "-f", "-y", "-e", calls, "-o", str(trace), sys.executable, "-c", TRACED, str(path)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    if b"ptrace" in ended.stderr:
        pytest.skip("this system lets nobody be traced")
    assert ended.stdout == b"acknowledged" * 5
    acknowledged, is_synced = 0, False
    for line in trace.read_text().splitlines():
        if "pwrite64" in line and "match.zmatch-wal" in line:
            offset = int(line.rpartition(")")[0].rpartition(", ")[2])
            is_synced &= offset % max(SECTORS) == 0
        elif "sync" in line and "match.zmatch-wal" in line:
            is_synced = True
        elif '"acknowledged"' in line:
            acknowledged += 1
            assert is_synced
            is_synced = False
    assert acknowledged == 5
