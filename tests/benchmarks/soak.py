"""Whether endless play leaks or goes wrong: `python -m tests.benchmarks.soak [--minutes N] [--speed X]`. *Sim*, without pictures.

Games on the simulated table follow one another as in `zarbiter demo`, each with a log of its own, on one page and one
light board behind a pseudo-terminal. The observations come from simulated readings (`memory.py` measures the reading of
pictures). Ten spectators come and go on the page, the light board is unplugged every five simulated minutes, the camera
is lost every seven. Once a simulated minute descriptors, threads and memory are counted; their slopes are fitted over
the last three quarters, with their standard errors.

Bars: no slope beyond its noise that would add one descriptor, one thread or 10 MiB within an hour of play; every event is
in the log and has come to every spectator who was there; no light that nobody asked for within the last two seconds.
"""

import argparse
import gc
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np

from controller.lights.state_lights import render_state
from controller.match import GameWon, Peripheral, PeripheralEvent, RefereeEvent
from controller.match_log import IntactChain, matches_folder, new_match, read_match, verify
from controller.observing import Observation
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.referee import begin_match
from controller.refereeing.state import RefereeState
from controller.rules import RULESETS
from controller.session import LightSink, Sink, VideoProcessor, referee_match
from controller.session.loop import Input
from controller.simulation.filmed import Observer, SimulatedTable, readings
from controller.simulation.referee_run import film_game
from controller.simulation.scripts import GamePlan
from controller.web import Address, MatchPage, open_page
from firmware_bridge import LedLayout, usual_plan
from firmware_bridge.boards import BglpBoard, SteadyBoard, keep_beating
from firmware_bridge.fakes import FakeBoard, FakeBoardSpec
from firmware_bridge.fakes.pty_line import PtyLine
from firmware_bridge.led_frame import LedFrame, Rgb, Run
from firmware_bridge.power import limit_current
from firmware_bridge.protocol import wire_constants
from firmware_bridge.serial_port import SerialPlug, monotonic_ms
from tests.benchmarks.memory import resident_mib
from tests.benchmarks.spectators import Seen, spectators_beside
from tests.vision.simulated.played_tables import calibration_of, style

GAMES = ("backgammon", "tavla", "long_nardy", "plakoto")
N_LED = 72
UNASKED = (LedFrame.dark(N_LED), LedFrame.from_runs(N_LED, [Run(0, 1, Rgb(*wire_constants.MARKER_RGB))]))
"""What a strip without a host may show: nothing, or the marker."""
UNPLUGGED_EVERY_MS, LOST_EVERY_MS = 5 * 60_000, 7 * 60_000
UNPLUGGED_FOR_S = 3.0  # of real time, as the heartbeat is
LOST_FOR_MS = 10_000
STALE_AFTER_S = 2.0
SAMPLED_EVERY_S = 0.05
MOST_MORE = {"descriptors": 1.0, "threads": 1.0, "MiB": 10.0}  # within an hour
BEYOND_NOISE = 3.0  # standard errors
_BETWEEN_GAMES_MS = 2_000


@dataclass(slots=True)
class Socket:
    """A USB socket: the path of the light board, under which a new device appears after each replugging."""

    path: Path
    board: FakeBoard = field(default_factory=lambda: FakeBoard(FakeBoardSpec(n_led=N_LED)))
    line: PtyLine | None = None

    def plug_in(self) -> None:
        self.line = PtyLine(self.board, monotonic_ms)
        self.path.symlink_to(self.line.name)

    def unplug(self) -> None:
        if self.line is not None:
            self.path.unlink()
            self.line.close()
            self.line = None


@dataclass(slots=True)
class LightWatch:
    """Compares the strip with what was asked for, in a thread of its own."""

    socket: Socket
    asked: deque[tuple[float, LedFrame]] = field(default_factory=lambda: deque(maxlen=2_000))
    n_samples: int = 0
    stale: list[str] = field(default_factory=list)

    def picture(self, state: RefereeState, layout: LedLayout, now_ms: int, *, table: MatchConfig) -> LedFrame:
        frame = render_state(state, layout, now_ms, table=table)
        self.asked.append((time.monotonic(), limit_current(frame, wire_constants.CURRENT_CAP_MAX_MA)[0]))
        return frame

    def sample(self) -> None:
        now_s, lit = time.monotonic(), self.socket.board.lit
        if self.socket.line is None:
            return  # a strip without power
        self.n_samples += 1
        allowed = {frame for at_s, frame in tuple(self.asked) if now_s - at_s <= STALE_AFTER_S}
        if lit not in allowed and lit not in UNASKED:
            self.stale.append(f"{now_s:.2f} s: {lit}")


@dataclass(slots=True)
class Counts:
    """A sink that counts what the process holds once a simulated minute."""

    link: Peripheral | None = None
    rows: list[tuple[float, int, int, float]] = field(default_factory=list)  # minute, descriptors, threads, MiB
    before_ms: int = 0  # of the games before
    n_events: int = 0
    games: int = 0
    lost: dict[str, int] = field(default_factory=dict)

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        self.n_events += len(events)
        for event in events:
            self.games += isinstance(event, GameWon)
            name = type(event).__name__
            if name.endswith(("Lost", "Back")):
                self.lost[name] = self.lost.get(name, 0) + 1
        minute = (self.before_ms + now_ms) / 60_000
        if minute >= len(self.rows):
            readings._place_reading.cache_clear()  # of the simulated camera, which no real table has
            gc.collect()
            row = (minute, len([*Path("/proc/self/fd").iterdir()]), threading.active_count(), resident_mib())
            self.rows.append(row)
            print("  {:5.1f} min  {} descriptors  {} threads  {:.1f} MiB".format(*row), flush=True)


@dataclass(slots=True)
class Troubles:
    """Passes the inputs of a game on at `speed`, takes the camera away and unplugs the light board."""

    socket: Socket
    speed: float
    before_ms: int = 0
    unplugged_s: float | None = None
    next_unplugged_ms: int = UNPLUGGED_EVERY_MS
    next_lost_ms: int = LOST_EVERY_MS

    def pass_on(self, inputs: Iterator[Input]) -> Iterator[Input]:
        began_s, lost_at_ms, now_ms = time.monotonic(), None, 0
        for given in inputs:
            if isinstance(given, Observation):
                now_ms = given.taken_ms
                time.sleep(max(0.0, began_s + now_ms / 1000 / self.speed - time.monotonic()))
            self._handle_plug(self.before_ms + now_ms)
            if lost_at_ms is None and self.before_ms + now_ms >= self.next_lost_ms:
                self.next_lost_ms += LOST_EVERY_MS
                lost_at_ms = now_ms
                yield PeripheralEvent(Peripheral.CAMERA, False, now_ms, "The camera was taken away.")
            if lost_at_ms is not None and now_ms - lost_at_ms < LOST_FOR_MS and isinstance(given, Observation):
                continue
            if lost_at_ms is not None and now_ms - lost_at_ms >= LOST_FOR_MS:
                lost_at_ms = None
                yield PeripheralEvent(Peripheral.CAMERA, True, now_ms)
            yield given

    def _handle_plug(self, now_ms: int) -> None:
        if self.unplugged_s is None and now_ms >= self.next_unplugged_ms:
            self.next_unplugged_ms += UNPLUGGED_EVERY_MS
            self.socket.unplug()
            self.unplugged_s = time.monotonic()
        elif self.unplugged_s is not None and time.monotonic() - self.unplugged_s >= UNPLUGGED_FOR_S:
            self.unplugged_s = None
            self.socket.plug_in()


@dataclass(slots=True)
class Soak:
    """All parts that outlast a game, and what was found."""

    data: Path
    page: MatchPage
    board: SteadyBoard
    watch: LightWatch
    troubles: Troubles
    spectators: Seen = field(default_factory=Seen)
    counts: Counts = field(default_factory=Counts)
    faults: list[str] = field(default_factory=list)

    def play(self, number: int) -> int:
        """One game; its length in ms."""
        name = GAMES[number % len(GAMES)]
        rules, plan = RULESETS[name], GamePlan(seed=number)
        table = MatchConfig(game=name, rules=rules, seating=plan.seating)
        observer = Observer(plan.board, plan.seed, pins=name == "plakoto")
        simulated = SimulatedTable(film_game(rules, plan), plan.board, observer)
        state, begun = begin_match(table, 0)
        before = self.counts.n_events
        self.counts.n_events += len(begun)
        with new_match(matches_folder(self.data), name, begun) as log:
            shown = self.page.show(log.path.stem, table, state, begun, path=log.path)
            lights = LightSink(
                self.board,
                "light board",
                LedLayout.from_plan(usual_plan(N_LED)),
                partial(self.watch.picture, table=table),
            )
            sinks: list[Sink] = [lights, shown, simulated, self.counts]
            inputs = self.page.orders.merge_with(self.troubles.pass_on(simulated.inputs()))
            processor = VideoProcessor(calibration_of(style(1)))
            last = referee_match(inputs, table, log, sinks, processor=processor, state=state)
        self._check_log(log.path, self.counts.n_events - before)
        return last.seen.now_ms

    def _check_log(self, path: Path, n_events: int) -> None:
        if not isinstance(verify(path), IntactChain):
            self.faults.append(f"{path.name} is damaged")
        kept = len(read_match(path).events)
        if kept != n_events:
            self.faults.append(f"{path.name} has {kept} events of {n_events}")


@contextmanager
def repeated(call: Callable[[], None], every_s: float) -> Iterator[None]:
    """Calls in a thread of its own until the context ends."""
    is_over = threading.Event()

    def run() -> None:
        while not is_over.wait(every_s):
            call()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def soaked(minutes: float, speed: float) -> Soak:
    with ExitStack() as opened:
        data = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        plug = Socket(data / "light-board")
        plug.plug_in()
        opened.callback(plug.unplug)
        board = SteadyBoard(BglpBoard(SerialPlug(str(plug.path)), monotonic_ms), monotonic_ms)
        board.open()
        opened.callback(board.close)
        opened.enter_context(keep_beating(board))
        page = open_page(Address(port=0), 0, data)
        opened.callback(page.close)
        watch = LightWatch(plug)
        soak = Soak(data, page, board, watch, Troubles(plug, speed))
        opened.enter_context(repeated(watch.sample, SAMPLED_EVERY_S))
        with spectators_beside(page.spectators_link) as spectators:
            number = 0
            while soak.counts.before_ms < minutes * 60_000:
                soak.counts.before_ms += soak.play(number) + _BETWEEN_GAMES_MS
                soak.troubles.before_ms = soak.counts.before_ms
                number += 1
        soak.spectators = spectators()
        return soak


def fitted(rows: Sequence[tuple[float, int, int, float]], column: int) -> tuple[float, float]:
    """The slope per hour over the last three quarters, and its standard error."""
    kept = rows[len(rows) // 4 :]
    if len(kept) < 3:
        return 0.0, float("inf")
    hours, values = np.array([row[0] / 60 for row in kept]), np.array([row[column] for row in kept], float)
    spread = hours - hours.mean()
    slope = float(spread @ values / (spread @ spread))
    rest = values - values.mean() - slope * spread
    return slope, float(np.sqrt(rest @ rest / (len(kept) - 2) / (spread @ spread)))


def print_bars(soak: Soak, took_s: float) -> int:
    """Prints the figures; 1 when a bar is missed."""
    counts, found, faults = soak.counts, soak.spectators, [*soak.faults]
    faults += [f"a spectator missed events: {gap}" for gap in found.gaps]
    faults += [f"a stale light at {one}" for one in soak.watch.stale[:3]]
    print(
        f"  {counts.before_ms / 60_000:.0f} simulated minutes in {took_s:.0f} s: {counts.games} games, {counts.n_events} events, "
        f"{counts.lost}"
    )
    print(f"  {found.visits} visits of spectators, {found.n_events} events came to them, {len(found.gaps)} gaps")
    print(f"  {soak.watch.n_samples} samples of the strip, {len(soak.watch.stale)} of them stale")
    for column, (name, most) in enumerate(MOST_MORE.items(), 1):
        slope, error = fitted(counts.rows, column)
        is_kept = slope <= most or slope <= BEYOND_NOISE * error
        print(
            f"  {name}: {slope:+.2f} an hour, standard error {error:.2f}, bar {most:.0f}  {'kept' if is_kept else 'MISSED'}"
        )
        faults += [] if is_kept else [f"{name} grow"]
    for fault in faults:
        print(f"  MISSED: {fault}")
    return int(bool(faults) or not counts.games or not found.n_events)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.soak")
    parser.add_argument("--minutes", type=float, default=60.0, help="simulated minutes (default: 60)")
    parser.add_argument("--speed", type=float, default=5.0, help="relative to a real table (default: 5)")
    options = parser.parse_args(arguments)
    began_s = time.monotonic()
    return print_bars(soaked(options.minutes, options.speed), time.monotonic() - began_s)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
