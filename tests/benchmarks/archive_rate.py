"""How many films an hour `transcribe FOLDER --jobs N` reads: `python -m tests.benchmarks.archive_rate`. *Sim*: drawn films.

Short games with hands and rolling dice at one table are drawn as films of 1280x960. The whole folder is then transcribed
as people call it, once for each number of jobs, each time into an empty data folder. Processor time is that of the call
with its workers. On a machine with other work only the processor time says what more jobs cost.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.memory import SIZE_PX, drawn
from tests.vision.simulated.played_tables import calibration_of
from vision.field.calibration_file import save_calibration
from vision.simulated.table_styles import table_style

FPS, SEED = 10.0, 1
_ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Rate:
    """What one call took. `film_s`: the length of all films; `peak_mb`: the most that the process of a film held."""

    jobs: int
    films: int
    film_s: float
    wall_s: float
    own_s: float
    peak_mb: int

    @property
    def films_an_hour(self) -> float:
        return 3600 * self.films / self.wall_s


def draw_films(folder: Path, films: int, turns: int) -> float:
    """Draws a film for each seed, all at one table; returns the seconds of all of them."""
    style, length_s = table_style(SEED, SIZE_PX), 0.0
    for seed in range(1, films + 1):
        pictures = folder / f"film-{seed}"
        pictures.mkdir(parents=True)
        kept = drawn(pictures, style, FPS, turns, seed)
        times = (f"{one.file.name},{one.at_ms}\n" for one in kept)
        (pictures / "timestamps.csv").write_text("".join(times), encoding="ascii")
        length_s += kept[-1].at_ms / 1000
    return length_s


def measured(folder: Path, film_s: float, jobs: int) -> Rate:
    """One call over all films of `folder`, which holds the calibration too."""
    with tempfile.TemporaryDirectory() as data:
        call = [sys.executable, "-m", "controller", "transcribe", str(folder / "films"), "--jobs", str(jobs), "--json"]
        call += ["--game", "backgammon", "--calibration", str(folder / "calibration.json"), "--data", data]
        before, begun_s = _children_s(), time.monotonic()
        said = subprocess.run(call, cwd=_ROOT, check=False, stdout=subprocess.PIPE, text=True).stdout
        wall_s, own_s = time.monotonic() - begun_s, _children_s() - before
    films = json.loads(said)["films"]
    return Rate(jobs, len(films), film_s, wall_s, own_s, max(film["peak_mb"] for film in films))


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def rate_lines(rates: Sequence[Rate]) -> list[str]:
    """One line for each call, and the growth from the first one."""
    first = rates[0]
    return [
        f"{rate.jobs} jobs: {rate.films} films of {rate.film_s:.0f} s in {rate.wall_s:.0f} s, {rate.films_an_hour:.0f} films an hour, "
        f"{rate.films_an_hour / first.films_an_hour:.2f} times; {rate.own_s:.0f} s of processors, "
        f"{rate.film_s / rate.own_s:.2f} s of film a second; {rate.peak_mb} MB a worker"
        for rate in rates
    ]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.archive_rate")
    parser.add_argument("--films", type=int, default=4)
    parser.add_argument("--turns", type=int, default=2, help="turns of each film (default: 2)")
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2])
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as kept:
        folder = Path(kept)
        film_s = draw_films(folder / "films", options.films, options.turns)
        save_calibration(calibration_of(table_style(SEED, SIZE_PX)), folder / "calibration.json")
        rates = [measured(folder, film_s, jobs) for jobs in options.jobs]
    print(f"  {os.cpu_count()} processors")
    for line in rate_lines(rates):
        print(f"  {line}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
