"""How fast match files are read and written: `python -m tests.benchmarks.match_files [--repeat N]`.

Reading includes the check of every play by the rules core, and is held to 300 turns a second. The files are the golden
matches, the ones that lie in the tests and those beside the project.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from controller.formats.exporting.mat_writer import mat_text
from controller.formats.exporting.sgf_writer import sgf_text
from controller.formats.from_events import build_match_of_record
from controller.formats.importing.import_file import read_match_text
from controller.formats.match_model import MatchHistory
from controller.formats.reports.sheet import sheet_html
from controller.match_log import create_match, read_match
from controller.match_log.export import jsonl_lines
from tests.controller.formats.match_samples import golden_files

BAR_TURNS_A_SECOND = 300


@dataclass(frozen=True, slots=True)
class Timed:
    """`turns` were handled in `seconds` of processor time."""

    name: str
    turns: int
    seconds: float

    @property
    def rate(self) -> float:
        return self.turns / self.seconds

    def row(self) -> str:
        return f"{self.name:<32} {self.turns:7,} {self.seconds:8.2f} {self.rate:12,.0f}"


def turns_in(match: MatchHistory) -> int:
    return sum(len(game.played_turns) for game in match.games)


def timed(name: str, turns: int, job: Callable[[], object], repeat: int) -> Timed:
    begun = time.process_time()
    for _ in range(repeat):
        job()
    return Timed(name, turns * repeat, time.process_time() - begun)


def measured(file: Path, folder: Path, repeat: int) -> list[Timed]:
    """Times reading a file, folding its log and writing it in every format."""
    text = file.read_text(encoding="utf-8")
    read = read_match_text(text)
    path = folder / f"{file.name}.zmatch"
    with create_match(path, read.match.game) as log:
        log.append(read.events)
    record = read_match(path)
    match, turns = build_match_of_record(record), turns_in(read.match)
    jsonl = "".join(f"{line}\n" for line in jsonl_lines(record))
    return [
        timed(f"read {file.suffix}", turns, lambda: read_match_text(text), repeat),
        timed("read JSON lines", turns, lambda: read_match_text(jsonl), repeat),
        timed("fold a log", turns, lambda: build_match_of_record(record), repeat),
        timed("write .mat", turns, lambda: mat_text(match), repeat),
        timed("write .sgf", turns, lambda: sgf_text(match), repeat),
        timed("write a sheet", turns, lambda: sheet_html(match), repeat),
    ]


def together(results: Sequence[Timed]) -> list[Timed]:
    """One row for each name, in order of first appearance."""
    names = dict.fromkeys(one.name for one in results)
    return [
        Timed(
            name,
            sum(one.turns for one in results if one.name == name),
            sum(one.seconds for one in results if one.name == name),
        )
        for name in names
    ]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="do each job N times")
    options = parser.parse_args(argv)
    results: list[Timed] = []
    with tempfile.TemporaryDirectory() as folder:
        for file in golden_files(".mat", ".sgf"):
            results += measured(file, Path(folder), options.repeat)
    print(f"{'':<32} {'turns':>7} {'seconds':>8} {'turns a second':>14}")
    rows = together(results)
    for row in rows:
        print(row.row())
    slowest = min(row.rate for row in rows if row.name.startswith("read"))
    print(
        f"bar for reading: {BAR_TURNS_A_SECOND} turns a second; {'kept' if slowest >= BAR_TURNS_A_SECOND else 'MISSED'}"
    )
    return 0 if slowest >= BAR_TURNS_A_SECOND else 1


if __name__ == "__main__":
    sys.exit(main())
