"""How long a frame takes from the camera to the strip: `python -m tests.benchmarks.latency`. *Sim*: drawn frames, one core.

A game on the simulated table is filmed at a steady rate and refereed by the loop with a log on disk and a light board
behind a line in memory. Timed is what happens between the moment a frame is handed over and the moment the loop asks
for the next one: reading, ruling, saving, and the bytes to the board. Drawing is not timed. The rest rule of the dice
is met by a frame, so the time from there to the light is the time of that frame. For a lifted checker it is the frame in
which the lights change while a hand is over the board. Reading the dice is also timed separately: a picture that shows
nothing new is not read, and unchanged parts of a picture are not classified again.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import cv2

from controller.lights.state_lights import render_state
from controller.match.events import DiceRolled, OpeningThrown, RefereeEvent, ThrowRefused, ThrowUnclear
from controller.match.inputs import Peripheral
from controller.match_log import create_match
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.referee import begin_match
from controller.refereeing.state import Phase, RefereeState
from controller.rules import RULESETS
from controller.session.camera_watch import VideoProcessor
from controller.session.light_sink import LightSink
from controller.session.loop import Input, Sink, referee_match
from controller.simulation.filmed.arrangements import plan_of
from controller.simulation.filmed.frames import FrameMaker
from controller.simulation.filmed.snapshots import FrameRates
from controller.simulation.filmed.table import SimulatedTable
from controller.simulation.referee_run import film_game
from controller.simulation.scripts.script import GamePlan
from firmware_bridge.layout import LedLayout, usual_plan
from firmware_bridge.led_frame import LedFrame
from tests.firmware_bridge.boards_on_lines import bglp_board
from tests.vision.simulated.played_tables import calibration_of
from vision.board import read_board
from vision.dice.detect import DiceInView, read_dice
from vision.frame import Frame
from vision.simulated.painter import Painter
from vision.simulated.table_styles import table_style

SIZE_PX, FPS = (1280, 960), 15.0
ROLL_BAR_MS, LIFT_BAR_MS, RATE_BAR, DICE_BAR_MS = 100.0, 150.0, 15.0, 15.0
THROWN = (DiceRolled, OpeningThrown, ThrowRefused, ThrowUnclear)


@dataclass(frozen=True, slots=True)
class Elapsed:
    """The wall time of one frame and the processor time of this process; the rest is the disk and other programs."""

    wall_ms: float
    own_ms: float

    @classmethod
    def since(cls, begun: "Elapsed") -> "Elapsed":
        """The time on both clocks since `begun`."""
        now = clocks()
        return cls(now.wall_ms - begun.wall_ms, now.own_ms - begun.own_ms)


def clocks() -> Elapsed:
    """The wall clock and the processor clock now."""
    return Elapsed(time.perf_counter() * 1000, time.process_time() * 1000)


@dataclass
class Stopwatch:
    """A sink around the inputs: the time of each frame, and what the frame led to."""

    link: Peripheral | None = None
    every: list[Elapsed] = field(default_factory=list)
    thrown: list[Elapsed] = field(default_factory=list)
    lifted: list[Elapsed] = field(default_factory=list)
    dice: list[Elapsed] = field(default_factory=list)  # one entry a reading
    lit: LedFrame | None = None
    is_thrown: bool = False
    is_lifted: bool = False

    def picture(self, state: RefereeState, layout: LedLayout, now_ms: int, *, table: MatchConfig) -> LedFrame:
        """Renders the lights, and notes whether help for the player changed them."""
        frame = render_state(state, layout, now_ms, table=table)
        is_help = state.phase is Phase.PLAYING and state.seen.view.hand_in_view
        self.is_lifted = is_help and self.lit is not None and frame != self.lit
        self.lit = frame
        return frame

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        self.is_thrown = any(isinstance(event, THROWN) for event in events)

    def timed(self, inputs: Iterator[Input]) -> Iterator[Input]:
        """Times each input: the loop asks for the next one when it has finished the one before."""
        for given in inputs:
            begun = clocks()
            yield given
            took = Elapsed.since(begun)
            if isinstance(given, Frame):
                self.every.append(took)
                self.thrown += [took] if self.is_thrown else []
                self.lifted += [took] if self.is_lifted else []
            self.is_thrown = self.is_lifted = False

    @contextmanager
    def at_dice(self) -> Iterator[None]:
        """Inside this context each reading of dice is timed."""

        def read(*given: Any, **how: Any) -> DiceInView:
            begun = clocks()
            found = read_dice(*given, **how)
            self.dice.append(Elapsed.since(begun))
            return found

        with patch.dict(read_board.read_frame.__kwdefaults__, detect_dice=read):
            yield


def measured(turns: int, seed: int) -> Stopwatch:
    rules = RULESETS["backgammon"]
    style = table_style(seed, SIZE_PX)
    board = plan_of(style)
    film = film_game(rules, GamePlan(seed=seed, board=board, max_turns=turns))
    simulated = SimulatedTable(film, board, FrameMaker(Painter(style)), FrameRates(fps=FPS, still_fps=FPS))
    table, stopwatch = MatchConfig(game="backgammon", rules=rules), Stopwatch()
    strip, _, _ = bglp_board()
    strip.open()
    lights = LightSink(strip, "fake", LedLayout.from_plan(usual_plan(72)), partial(stopwatch.picture, table=table))
    with tempfile.TemporaryDirectory() as folder, create_match(Path(folder) / "a.zmatch", table.game) as log:
        state, begun = begin_match(table, 0)
        log.append(begun)
        sinks: list[Sink] = [lights, simulated, stopwatch]
        with stopwatch.at_dice():
            referee_match(
                stopwatch.timed(simulated.inputs()),
                table,
                log,
                sinks,
                processor=VideoProcessor(calibration_of(style)),
                state=state,
            )
    return stopwatch


def print_bars(found: Stopwatch) -> int:
    """Prints each figure beside its bar; 1 when a bar is missed."""
    rows = (
        ("dice at rest to light, 95 %", quantile_95(found.thrown), ROLL_BAR_MS, "ms"),
        ("checker lifted to destinations, 95 %", quantile_95(found.lifted), LIFT_BAR_MS, "ms"),
        ("a frame, mean", mean(found.every), 1000 / RATE_BAR, "ms"),
        ("of which its dice", mean(found.dice, len(found.every)), DICE_BAR_MS, "ms"),
    )
    is_missed = False
    print(f"  {'':38}    wall     own     bar")
    for name, took, bar, unit in rows:
        is_kept = took.wall_ms <= bar
        is_missed |= not is_kept
        verdict = "kept" if is_kept else "kept on an idle core" if took.own_ms <= bar else "MISSED"
        print(f"  {name:38} {took.wall_ms:7.1f} {took.own_ms:7.1f} {bar:7.1f} {unit}  {verdict}")
    rate = mean(found.every)
    print(f"  {len(found.every)} frames at {SIZE_PX[0]}x{SIZE_PX[1]}: {1000 / rate.wall_ms:.1f} a second, "
          f"{1000 / rate.own_ms:.1f} by own time; {len(found.thrown)} throws, {len(found.lifted)} changes of help; "
          f"dice read {len(found.dice)} times, in {mean(found.dice).own_ms:.1f} ms of own time")  # fmt: skip
    return int(is_missed)


def quantile_95(found: Sequence[Elapsed]) -> Elapsed:
    """The quantile 0.95 of both times; nan when nothing was measured, which misses every bar."""
    if not found:
        return Elapsed(float("nan"), float("nan"))
    at = min(int(0.95 * len(found)), len(found) - 1)
    return Elapsed(sorted(one.wall_ms for one in found)[at], sorted(one.own_ms for one in found)[at])


def mean(found: Sequence[Elapsed], of: int | None = None) -> Elapsed:
    """The mean over `of` frames, in some of which nothing was timed; by default over all times."""
    number = len(found) if of is None else of
    return Elapsed(sum(one.wall_ms for one in found) / number, sum(one.own_ms for one in found) / number)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    return print_bars(measured(options.turns, options.seed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
