"""A power cut: confirmed data stays, and any part of later writes may be lost or torn.

The state after an append returned is confirmed. Later writes are applied to it sector by sector: a sector is old, new
or garbage, even if only its end was to be written. SQLite writes the log and syncs it, and sometimes writes the database
afterwards and syncs that; so either the log is torn or, with a complete log, the database.
"""

import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from controller.match_log import EvidencePicture, IntactChain, PictureKind, create_match, read_match, verify
from tests.controller.match_log.match_files import noise, numbered

pytestmark = pytest.mark.broad

ROOT = Path(__file__).parents[3]
SECTORS = (512, 4096)
APPENDS = 45  # enough for two checkpoints, each of which restarts the log
WAL_HEADER_BYTES = 32
CUTS, ALL_CUTS = 1, 12  # for each append and kind of tear


@dataclass(frozen=True)
class Confirmed:
    """The data that is certainly on the disk."""

    n_events: int
    database: bytes
    wal: bytes
    note: bytes  # of the head; written last and not synced, so any older one may be found


def confirmed_states(folder: Path) -> Iterator[Confirmed]:
    """The confirmed state of a growing match after each append."""
    path = folder / "match.zmatch"
    shot = noise(1, (240, 320))
    with create_match(path, "tavla") as log:
        yield state_of(path, 0)
        for _ in range(APPENDS):
            first = log.n_events + 1
            log.append(numbered(first, first + 2), [EvidencePicture(kind, shot) for kind in PictureKind])
            yield state_of(path, log.n_events)


def state_of(path: Path, n_events: int) -> Confirmed:
    database, wal, note = (path.with_name(path.name + suffix).read_bytes() for suffix in ("", "-wal", "-head"))
    return Confirmed(n_events, database, wal, note)


def torn(before: bytes, wanted: bytes, chance: random.Random) -> bytes:
    """A random mix of old, new and spoiled sectors; the file may not have grown yet."""
    length = chance.choice((len(before), len(wanted), chance.randint(*sorted((len(before), len(wanted))))))
    written, sector = chance.random(), chance.choice(SECTORS)
    out = bytearray(before[:length].ljust(length, b"\0"))
    for start in range(0, min(length, len(wanted)), sector):
        new = wanted[start : min(start + sector, length)]
        if out[start : start + len(new)] != new and chance.random() < written:
            is_spoiled = chance.random() < 0.1
            out[start : start + len(new)] = chance.randbytes(len(new)) if is_spoiled else new
    return bytes(out)


def begun_log(before: bytes, after: bytes) -> bytes:
    """The log before any of its frames is written: where it begins anew, SQLite first syncs the new header."""
    return after[:WAL_HEADER_BYTES] + before[WAL_HEADER_BYTES:]


def found_after(folder: Path, database: bytes, wal: bytes, note: bytes) -> int:
    """The number of events that the next process finds; all are correct, and the chain holds."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    path = folder / "match.zmatch"
    path.write_bytes(database)
    path.with_name(f"{path.name}-wal").write_bytes(wal)
    path.with_name(f"{path.name}-head").write_bytes(note)
    verdict = verify(path)
    assert isinstance(verdict, IntactChain)
    assert [event.at_ms for event in read_match(path).events] == list(range(1, verdict.events + 1))
    return verdict.events


def test_torn_and_lost_writes(tmp_path: Path, full_counts: bool) -> None:
    """Every acknowledged event is stored, and the batch being written is stored completely or not at all."""
    chance = random.Random(7)
    states = list(confirmed_states(tmp_path))
    checkpoints = 0
    for earlier, before, after in zip([states[0], *states], states, states[1:], strict=False):
        for _ in range(ALL_CUTS if full_counts else CUTS):
            wal = torn(begun_log(before.wal, after.wal), after.wal, chance)
            note = torn(earlier.note, before.note, chance)
            found = found_after(tmp_path / "cut", before.database, wal, note)
            assert found in (before.n_events, after.n_events)
            if before.database == after.database:
                continue
            checkpoints += 1
            database = torn(before.database, after.database, chance)
            note = torn(before.note, after.note, chance)
            assert found_after(tmp_path / "cut", database, after.wal, note) == after.n_events
    assert checkpoints >= 2


def test_the_confirmed_states_themselves(tmp_path: Path) -> None:
    """Each shows exactly the acknowledged events."""
    for state in list(confirmed_states(tmp_path))[::9]:
        assert found_after(tmp_path / "cut", state.database, state.wal, state.note) == state.n_events


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
    """The system syncs the log before each acknowledgement and never rewrites a synced sector.

    SQLite pads the last sector; the rest of the padding follows the sync, in sectors of its own.
    """
    trace, path = tmp_path / "trace", tmp_path / "match.zmatch"
    calls = "trace=write,pwrite64,fsync,fdatasync"
    command = ["strace", "-f", "-y", "-e", calls, "-o", str(trace), sys.executable, "-c", TRACED, str(path)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    if b"ptrace" in ended.stderr:
        pytest.skip("this system forbids tracing")
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
