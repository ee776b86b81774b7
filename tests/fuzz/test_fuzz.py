"""Whatever strangers send is read or refused in one sentence and in time, never answered by a traceback.

Each kind begins with its kept inputs (`corpus/`), then changes them: for one and a half seconds with inputs that are the same in every
run, for five minutes with others each time with `--slow`. An input that fails is printed; shorten it and keep it.
"""

import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from controller.cli import main
from tests.fuzz import machines, texts
from tests.fuzz.fuzzed import Kind, Reader
from tests.fuzz.logs import whole_matches, write_changed_log
from tests.fuzz.mutations import LONG_S

pytestmark = [pytest.mark.broad, pytest.mark.timeout(400)]

FOR_S = 1.5  # eleven kinds here and three at the page stay within half a minute
WITHIN_S = 2.0  # of this process, for one input of at most 20 kB
KINDS = {kind.name: kind for kind in (*texts.KINDS, *machines.KINDS)}


@pytest.fixture
def turns(request: pytest.FixtureRequest) -> Iterator[Random]:
    """One source of chance, asked until the time is over."""

    def until_the_end() -> Iterator[Random]:
        is_slow = bool(request.config.getoption("--slow"))
        rng = Random() if is_slow else Random(request.node.name)
        end_s = time.monotonic() + (LONG_S if is_slow else FOR_S)
        while time.monotonic() < end_s:
            yield rng

    return until_the_end()


def try_input(read: Reader, content: bytes) -> None:
    begun_s = time.process_time()
    try:
        read(content)
    except Exception as error:
        error.add_note(f"input: {content!r}")
        raise
    assert time.process_time() - begun_s < WITHIN_S, f"it took too long: {content!r}"


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_kinds(kind: Kind, turns: Iterator[Random], tmp_path: Path) -> None:
    with kind.open(tmp_path) as read:
        for seed in kind.seeds:
            try_input(read, seed)
        for rng in turns:
            try_input(read, kind.draw(rng))


COMMANDS = (
    "log show {log}",
    "log show {log} --json",
    "log verify {log}",
    "log list",
    "replay {log} --all",
    "analyse {log} --no-gnubg --svg {out}",
    *(
        f"export {{log}} --format {name} -o {{out}}"
        for name in ("mat", "sgf", "xg", "xgp", "snowie", "sheet", "jsonl", "xgid", "gnubgid")
    ),
)


@pytest.mark.parametrize("what", ["events", "pages"])
def test_logs(what: str, turns: Iterator[Random], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Events that the chain vouches for, and a file whose bytes are damaged: every command reads it, or says why not."""
    matches = whole_matches()
    (tmp_path / "matches").mkdir()
    path = tmp_path / "matches" / "changed.zmatch"
    for rng in turns:
        game = rng.choice(list(matches))
        if not write_changed_log(path, game, matches[game], rng):
            continue
        if what == "pages":
            _damage_pages(path, rng)
        for command in rng.sample(COMMANDS, 3):
            words = [word.format(log=path, out=tmp_path / "out") for word in command.split()]
            status = main([*words, "--data", str(tmp_path)])
            printed = capsys.readouterr()
            assert status in (0, 1, 2), command
            assert "Traceback" not in printed.err
            assert all(line.startswith("zarbiter: ") for line in printed.err.splitlines()), printed.err
            assert status == 0 or printed.err or re.search("broken|damaged", printed.out), command


def _damage_pages(path: Path, rng: Random) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(path.read_bytes())
    for _ in range(rng.randint(1, 8)):
        at = rng.randrange(rng.choice((100, len(content))))
        content[at : at + rng.choice((1, 4, 64))] = rng.randbytes(rng.choice((1, 4, 64)))
    path.write_bytes(bytes(content[: rng.choice((len(content), rng.randrange(len(content)))) or 1]))
