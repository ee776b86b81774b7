"""What the referee pays for all that listens to it: `python -m tests.benchmarks.everything`. *Sim*: drawn frames, real programs.

`zarbiter play` referees one filmed game again and again, alternately alone and with everything: events and pictures to a
mosquitto that the club's page reads, a webhook, OBS, and the page with spectators and an overlay that see it later. The
frames come as a camera gives them, at their own times. Timed is what `latency.py` times: from a frame's hand-over to the
moment the loop asks for the next one. The processor time is that of the whole process with all its threads, without
reading the film. What listens runs in processes beside it. Memory is compared in fresh processes, with a longer film.

Only the ratio counts: both kinds of runs share the machine. On a busy one give the call a higher priority.
"""

import argparse
import io
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import mean, median
from typing import Any
from unittest.mock import patch

import cv2

from controller import cli
from controller.session import referee_match
from tests.benchmarks.hall import resident_mb
from tests.benchmarks.memory import SIZE_PX, drawn_beside
from tests.benchmarks.receivers import Arrived, Ports, receivers_beside, viewers_beside
from tests.controller.publishing.broker import free_port
from tests.vision.simulated.played_tables import calibration_of
from vision.field.calibration_file import save_calibration
from vision.frame import Frame
from vision.simulated.table_styles import table_style

RATIO_BAR, MEMORY_BAR_MB = 1.05, 40.0
FPS, SEED = 15.0, 1
_SETTLES_S = 0.5  # viewers connect


@dataclass(frozen=True, slots=True)
class Run:
    """One match. `wall_ms`, `thread_ms`: of each frame, the latter of the loop's thread; `own_ms`: of the process, a frame.

    `resident_mb`: at the end of the match.
    """

    wall_ms: tuple[float, ...]
    thread_ms: tuple[float, ...]
    own_ms: float
    resident_mb: float


@dataclass(slots=True)
class Meter:
    """Stands in for the loop of `play`: gives it the frames at their times, and measures it."""

    link: str = ""  # of the page, for viewers; empty: nobody looks
    wall_ms: list[float] = field(default_factory=list)
    thread_ms: list[float] = field(default_factory=list)
    own_s: float = 0.0
    seen: Arrived | None = None
    run: Run | None = None

    def referee(self, inputs: Iterable[Any], *given: Any, **how: Any) -> Any:
        with ExitStack() as opened:
            if self.link:
                self.seen = opened.enter_context(viewers_beside(self.link))
                time.sleep(_SETTLES_S)
            state = referee_match(self.timed(inputs), *given, **how)
            n_frames, mb = len(self.wall_ms), resident_mb(os.getpid())
            self.run = Run(tuple(self.wall_ms), tuple(self.thread_ms), 1000 * self.own_s / n_frames, mb)
        return state

    def timed(self, inputs: Iterable[Any]) -> Iterator[Any]:
        """The inputs, each frame not before its time."""
        coming, begun_s, all_s, read_s = iter(inputs), time.monotonic(), time.process_time(), 0.0
        try:
            while True:
                reading_s = time.thread_time()
                try:
                    given = next(coming)
                except StopIteration:
                    return
                if isinstance(given, Frame):
                    time.sleep(max(0.0, begun_s + given.taken_ms / 1000 - time.monotonic()))
                read_s += time.thread_time() - reading_s
                wall_s, thread_s = time.perf_counter(), time.thread_time()
                yield given
                if isinstance(given, Frame):
                    self.wall_ms.append(1000 * (time.perf_counter() - wall_s))
                    self.thread_ms.append(1000 * (time.thread_time() - thread_s))
        finally:
            self.own_s = time.process_time() - all_s - read_s


@dataclass(frozen=True, slots=True)
class Film:
    """A drawn game on disk, its calibration, and a folder for the matches of it."""

    folder: Path
    calibration: Path
    data: Path

    def call(self, *more: str) -> list[str]:
        return [
            *("play", "--game", "backgammon", "--camera", str(self.folder), "--calibration", str(self.calibration)),
            *("--data", str(self.data), "--leds", "fake", "--headless", "--json", *more),
        ]


def draw_film(folder: Path, turns: int, fps: float = FPS) -> Film:
    """Draws the beginning of a game in another process."""
    frames = folder / "film"
    frames.mkdir()
    kept = drawn_beside(frames, fps, turns, SEED)
    times = (f"{one.file.name},{one.at_ms}\n" for one in kept)
    (frames / "timestamps.csv").write_text("".join(times), encoding="ascii")
    save_calibration(calibration_of(table_style(SEED, SIZE_PX)), folder / "calibration.json")
    (folder / "data").mkdir()
    return Film(frames, folder / "calibration.json", folder / "data")


def play_alone(film: Film) -> Run:
    """Without page and receivers."""
    return _play(film.call("--web", "none"), Meter())


def play_with_everything(film: Film, ports: Ports, delay_s: float) -> Run:
    config, port = film.data / "everything.toml", free_port()
    config.write_text(ports.settings(film.data), encoding="utf-8")
    meter = Meter(link=f"http://127.0.0.1:{port}/")
    more = ("--config", str(config), "--web", f"127.0.0.1:{port}", "--table", "Table 1")
    found = _play(film.call(*more, "--spectator-delay", f"{delay_s:g}s"), meter)
    assert meter.seen is not None
    assert not meter.seen.missing(), meter.seen.counts
    return found


def _play(call: Sequence[str], meter: Meter) -> Run:
    """Calls the program; it prints nothing here, and does not stay for spectators who are to see the end."""
    said = io.StringIO()
    with ExitStack() as opened:
        opened.enter_context(patch("controller.subcommands.match.match_run.referee_match", meter.referee))
        opened.enter_context(patch("controller.subcommands.play.stay_until_shown", lambda _page: None))
        opened.enter_context(redirect_stdout(io.StringIO()))
        opened.enter_context(redirect_stderr(said))
        status = cli.main(call)
    assert status == 0, said.getvalue()
    assert meter.run is not None
    return meter.run


Pair = tuple[Run, Run]
"""Alone, and with everything; one after the other."""


def measure_pairs(film: Film, ports: Ports, pairs: int, delay_s: float) -> list[Pair]:
    """After a run that is not counted, in which caches and networks become warm."""
    play_alone(film)
    return [(play_alone(film), play_with_everything(film, ports, delay_s)) for _ in range(pairs)]


def measure_memory(film: Film, ports: Ports | None, delay_s: float) -> float:
    """Megabytes of a fresh process at the end of its match; alone without `ports`."""
    call = [sys.executable, "-m", "tests.benchmarks.everything", "--once", str(film.folder.parent)]
    call += [] if ports is None else ["--ports", json.dumps(asdict(ports)), "--delay", str(delay_s)]
    return float(subprocess.run(call, check=True, stdout=subprocess.PIPE, text=True).stdout)


def once(folder: Path, ports: str | None, delay_s: float) -> float:
    """The memory after one match; in the process that `measure_memory` starts."""
    film = Film(folder / "film", folder / "calibration.json", folder / "data")
    found = play_alone(film) if ports is None else play_with_everything(film, Ports(**json.loads(ports)), delay_s)
    return found.resident_mb


def quantile_95(values: Sequence[float]) -> float:
    return sorted(values)[min(int(0.95 * len(values)), len(values) - 1)]


def typical(runs: Sequence[Run]) -> Run:
    """The median of the runs for each frame: another program that takes the processor for a moment decides nothing."""
    walls, threads = ([run.wall_ms for run in runs], [run.thread_ms for run in runs])
    return Run(
        tuple(median(frame) for frame in zip(*walls, strict=True)),
        tuple(median(frame) for frame in zip(*threads, strict=True)),
        median(run.own_ms for run in runs),
        median(run.resident_mb for run in runs),
    )


FIGURES: dict[str, tuple[Callable[[Run], float], float | None]] = {
    "wall time of a frame, mean": (lambda run: mean(run.wall_ms), RATIO_BAR),
    "wall time of a frame, 95 %": (lambda run: quantile_95(run.wall_ms), RATIO_BAR),
    "wall time of a frame, median": (lambda run: median(run.wall_ms), None),  # a frame that shows nothing new
    "own time of the loop, mean": (lambda run: mean(run.thread_ms), None),
    "own time of the loop, median": (lambda run: median(run.thread_ms), None),
    "own time of all threads, mean": (lambda run: run.own_ms, None),
}
"""Each with the most that the ratio may be; None: it is only printed."""


def print_pairs(pairs: Sequence[Pair]) -> bool:
    """Prints each figure of both kinds of runs and their ratio; whether the bars are kept."""
    alone, everything = (typical([pair[at] for pair in pairs]) for at in (0, 1))
    print(f"  {f'{len(pairs)} pairs of {len(alone.wall_ms)} frames':32}  alone       with   ratio  (of single pairs)")
    is_kept = True
    for name, (figure, bar) in FIGURES.items():
        ratio, single = figure(everything) / figure(alone), sorted(figure(two) / figure(one) for one, two in pairs)
        is_missed = bar is not None and ratio > bar
        is_kept &= not is_missed
        verdict = "" if bar is None else f"  bar {bar}: {'MISSED' if is_missed else 'kept'}"
        print(f"  {name:30} {figure(alone):6.2f} ms  {figure(everything):6.2f} ms  {ratio:.3f}  "
              f"({single[0]:.3f} to {single[-1]:.3f}){verdict}")  # fmt: skip
    return is_kept


def print_memory(alone: Sequence[float], everything: Sequence[float]) -> bool:
    more = median(everything) - median(alone)
    both = " and ".join("/".join(f"{mb:.0f}" for mb in values) for values in (alone, everything))
    print(f"  memory alone and with everything: {both} MB: {more:+.0f} MB, bar {MEMORY_BAR_MB:.0f}")
    print("  kept" if more <= MEMORY_BAR_MB else "  MISSED")
    return more <= MEMORY_BAR_MB


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.everything")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--turns", type=int, default=3, help="of the film that is timed (default: 3)")
    parser.add_argument("--memory-turns", type=int, default=10, help="of the film for the memory; 0: leave it out")
    parser.add_argument("--memory-runs", type=int, default=2, help="fresh processes of each kind (default: 2)")
    parser.add_argument("--delay", type=float, default=10.0, help="of spectators while times are measured, in seconds")
    parser.add_argument("--memory-delay", type=float, default=60.0, help="of spectators in the runs for the memory")
    parser.add_argument("--once", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--ports", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    if options.once is not None:
        print(once(options.once, options.ports, options.delay))
        return 0
    is_kept = True
    with tempfile.TemporaryDirectory() as kept:
        for name in ("short", "long"):
            (Path(kept) / name).mkdir()
        short = draw_film(Path(kept) / "short", options.turns)
        with receivers_beside() as (ports, arrived):
            if options.pairs:
                is_kept &= print_pairs(measure_pairs(short, ports, options.pairs, options.delay))
            if options.memory_turns:
                long = draw_film(Path(kept) / "long", options.memory_turns)
                both = [
                    (measure_memory(long, None, 0), measure_memory(long, ports, options.memory_delay))
                    for _ in range(options.memory_runs)
                ]
                is_kept &= print_memory(*zip(*both, strict=True))
    print("  arrived:", ", ".join(f"{count} {name}" for name, count in arrived.counts.items()))
    is_kept &= not arrived.missing()
    return int(not is_kept)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
