"""How much memory a match takes, and whether it grows: `python -m tests.benchmarks.memory [--minutes N]`. *Sim*: drawn frames.

The beginning of a game on the simulated table is drawn once, with its throws, hands and plays, and kept on disk. It is
then played again and again as one long match: at its end one player resigns, and the next game begins with the first
frame. Every frame goes through the whole loop (reading, referee, log with pictures, lights), as fast as it can, with
its simulated times. Besides the match only this benchmark's list of some hundred file names needs memory.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median

import cv2

from controller.lights.state_lights import render_state
from controller.match.commands import AnswerResignation, Resign
from controller.match.events import GameWon, PlayMade, RefereeEvent
from controller.match.inputs import Peripheral
from controller.match_log import create_match
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.referee import begin_match
from controller.refereeing.state import RefereeState
from controller.rules import RULESETS, Player, ResultKind
from controller.session.camera_watch import VideoProcessor
from controller.session.light_sink import LightSink
from controller.session.loop import Input, referee_match
from controller.simulation.filmed.arrangements import plan_of
from controller.simulation.filmed.frames import FrameMaker
from controller.simulation.filmed.snapshots import FrameRates
from controller.simulation.filmed.table import SimulatedTable
from controller.simulation.referee_run import film_game
from controller.simulation.scripts.script import GamePlan
from firmware_bridge.layout import LedLayout, usual_plan
from tests.firmware_bridge.boards_on_lines import bglp_board
from tests.vision.simulated.played_tables import calibration_of
from vision.frame import Frame
from vision.pixels.picture_file import load_picture
from vision.simulated.painter import Painter
from vision.simulated.table_styles import table_style
from vision.simulated.tabletop import TableStyle

SIZE_PX = (1280, 960)
MOST_MIB = 300.0
GROWS_MIB = 10.0  # from the second quarter to the last; any leak of a frame, a reading or a turn exceeds it
_BETWEEN_GAMES_MS = 1_000
_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class KeptFrame:
    """A drawn frame on disk, and its time in the game."""

    file: Path
    at_ms: int


@dataclass(slots=True)
class Gauge:
    """A sink that counts what happened, and how much memory the process has every simulated minute."""

    link: Peripheral | None = None
    resident_mib: list[tuple[float, float]] = field(default_factory=list)  # minute, MiB
    plays: int = 0
    games: int = 0

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        self.plays += sum(isinstance(event, PlayMade) for event in events)
        self.games += sum(isinstance(event, GameWon) for event in events)
        if now_ms / 60_000 >= len(self.resident_mib):
            self.resident_mib.append((now_ms / 60_000, resident_mib()))
            print(f"  {now_ms / 60_000:5.1f} min  {self.resident_mib[-1][1]:6.1f} MiB", flush=True)


def resident_mib() -> float:
    """Resident memory of this process, as the kernel counts it."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / _MIB


def drawn(folder: Path, style: TableStyle, fps: float, turns: int, seed: int) -> list[KeptFrame]:
    """Draws the beginning of a game frame by frame."""
    board = plan_of(style)
    film = film_game(RULESETS["backgammon"], GamePlan(seed=seed, board=board, max_turns=turns))
    table = SimulatedTable(film, board, FrameMaker(Painter(style)), FrameRates(fps=fps, still_fps=fps))
    kept = []
    for frame in table.inputs():
        if isinstance(frame, Frame):
            kept.append(KeptFrame(folder / f"{frame.taken_ms:08}.jpg", frame.taken_ms))
            cv2.imwrite(str(kept[-1].file), frame.pixels, [cv2.IMWRITE_JPEG_QUALITY, 95])
    return kept


def drawn_beside(folder: Path, fps: float, turns: int, seed: int) -> list[KeptFrame]:
    """Draws the frames in another process, whose memory does not count."""
    call = [sys.executable, "-m", "tests.benchmarks.memory", "--draw", str(folder)]
    subprocess.run([*call, f"--fps={fps}", f"--turns={turns}", f"--seed={seed}"], check=True)
    return [KeptFrame(file, int(file.stem)) for file in sorted(folder.glob("*.jpg"))]


def played_on(frames: Sequence[KeptFrame], until_ms: int) -> Iterator[Input]:
    """The frames of one game again and again, with rising times."""
    begins_ms = 0
    while begins_ms < until_ms:
        for one in frames:
            yield Frame(load_picture(one.file), begins_ms + one.at_ms)
        yield Resign(Player.WHITE, ResultKind.SINGLE)
        yield AnswerResignation(Player.BLACK, accept=True)
        begins_ms += frames[-1].at_ms + _BETWEEN_GAMES_MS


def measured(frames: Sequence[KeptFrame], style: TableStyle, minutes: float, folder: Path) -> Gauge:
    table, gauge = MatchConfig(game="backgammon", rules=RULESETS["backgammon"]), Gauge()
    strip, _, _ = bglp_board()
    strip.open()
    lights = LightSink(strip, "fake", LedLayout.from_plan(usual_plan(72)), partial(render_state, table=table))
    with create_match(folder / "a.zmatch", table.game) as log:
        state, begun = begin_match(table, 0)
        log.append(begun)
        referee_match(
            played_on(frames, int(minutes * 60_000)),
            table,
            log,
            [lights, gauge],
            processor=VideoProcessor(calibration_of(style)),
            state=state,
        )
    return gauge


def print_bars(gauge: Gauge, took_s: float) -> int:
    """Prints the figures; 1 when a bar is missed or nothing was played."""
    sizes = [mib for _, mib in gauge.resident_mib]
    most, quarter = max(sizes), max(1, len(sizes) // 4)
    # medians: single samples differ by ten, by what was freed last
    grown = median(sizes[-quarter:]) - median(sizes[quarter : 2 * quarter] or sizes)
    print(f"  {gauge.games} games, {gauge.plays} plays in {took_s:.0f} s of computing time")
    print(
        f"  most {most:.1f} MiB, bar {MOST_MIB:.0f}; from the second quarter to the last {grown:+.1f} MiB, bar {GROWS_MIB:.0f}"
    )
    is_kept = most <= MOST_MIB and grown <= GROWS_MIB and gauge.plays > 0 and gauge.games > 0
    print("  kept" if is_kept else "  MISSED")
    return int(not is_kept)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.memory")
    parser.add_argument(
        "--minutes", type=float, default=30.0, help="length of the match in simulated minutes (default: 30)"
    )
    parser.add_argument("--fps", type=float, default=15.0)
    parser.add_argument("--turns", type=int, default=4, help="turns of the game that is repeated (default: 4)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--draw", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    style = table_style(options.seed, SIZE_PX)
    if options.draw is not None:
        drawn(options.draw, style, options.fps, options.turns, options.seed)
        return 0
    with tempfile.TemporaryDirectory() as kept:
        folder = Path(kept)
        (folder / "frames").mkdir()
        frames = drawn_beside(folder / "frames", options.fps, options.turns, options.seed)
        begun_s = time.process_time()
        gauge = measured(frames, style, options.minutes, folder)
    return print_bars(gauge, time.process_time() - begun_s)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
