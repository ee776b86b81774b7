"""The promised figures, measured with --slow: counts are asserted, times are printed."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest

from controller.rules import GAMES
from controller.simulation.compare import Comparison, Difference, DifferenceKind
from tests.benchmarks import latency, simulated_turns
from tests.benchmarks.sequences import BOARDS

ROOT = Path(__file__).parents[2]

TURNS, SIZE, FPS, SEED = 2_000, "960x720", 10.0, 1
"""Of all games in turn, 40 of each at a table of its own, at `FPS` frames a second while something happens and half of
it while nothing does: some three hours on one core."""
SIMULATED_MINUTES = 30.0
TIMED_TURNS = 6

FAULTLESS = Comparison(turns=100, throws=100, invalid_throws=5, invalid_refused=5, illegal=200, illegal_found=200,
                       illegal_named=200)  # fmt: skip


def code_of(benchmark: str, *options: str) -> int:
    """Runs a benchmark in its own process; 1 when a bar is missed."""
    command = [sys.executable, "-m", f"tests.benchmarks.{benchmark}", *options]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


@pytest.fixture
def one_core() -> Iterator[None]:
    """Uses one core, as on the machine that the bars are meant for."""
    threads, cores = cv2.getNumThreads(), os.sched_getaffinity(0) if hasattr(os, "sched_setaffinity") else set[int]()
    cv2.setNumThreads(1)
    if cores:
        os.sched_setaffinity(0, {min(cores)})
    yield
    cv2.setNumThreads(threads)
    if cores:
        os.sched_setaffinity(0, cores)


@pytest.mark.parametrize(
    ("total", "code"),
    [
        (FAULTLESS, 0),
        (FAULTLESS + Comparison(differences=(Difference(0, DifferenceKind.WRONG_PLAY, ""),)), 1),
        (FAULTLESS + Comparison(differences=(Difference(0, DifferenceKind.FALSE_ACCUSATION, ""),)), 1),
        (FAULTLESS + Comparison(differences=(Difference(0, DifferenceKind.INVALID_ACCEPTED, ""),)), 1),
        (FAULTLESS + Comparison(illegal=1, illegal_found=1), 0),
        (FAULTLESS + Comparison(illegal=2), 1),
        (FAULTLESS + Comparison(illegal=5, illegal_found=5), 1),
        (FAULTLESS + Comparison(unsure_turns=2), 0),
        (FAULTLESS + Comparison(unsure_turns=3), 1),
        (FAULTLESS + Comparison(differences=(Difference(0, DifferenceKind.VALID_REFUSED, ""),) * 2), 1),
    ],
)
def test_a_missed_bar_is_reported(total: Comparison, code: int) -> None:
    """No wrong ruling at all; 99.5 % of the illegal plays found, 98 % under the right name; 2 % of the turns unsure."""
    assert simulated_turns.print_bars(total, 1.0) == code


@pytest.mark.slow
def test_two_thousand_turns_of_all_games() -> None:
    how = ("--size", SIZE, "--fps", str(FPS), "--seed", str(SEED), "--games", *GAMES)
    assert code_of("simulated_turns", "--turns", str(TURNS), *how) == 0


@pytest.mark.slow
@pytest.mark.skipif(not list(BOARDS.glob("sequence_*/index.json")), reason="no rendered sequences beside the project")
def test_the_rendered_sequences() -> None:
    """No roll and no ruling is wrong, and at most one turn a sequence is unsure."""
    assert code_of("sequences") == 0


@pytest.mark.slow
def test_memory_stays_flat_over_half_an_hour() -> None:
    """300 MiB at most, and no more at the end than after the first quarter."""
    assert code_of("memory", "--minutes", str(SIMULATED_MINUTES)) == 0


@pytest.mark.slow
@pytest.mark.usefixtures("one_core")
def test_every_throw_and_every_lifted_checker_is_timed() -> None:
    """The times are only printed, as they depend on the machine's other work too."""
    found = latency.measured(TIMED_TURNS, SEED)
    latency.print_bars(found)
    assert len(found.thrown) >= TIMED_TURNS
    assert len(found.lifted) > 0
    assert len(found.every) > len(found.thrown) + len(found.lifted)
