"""What the page costs: `python -m tests.benchmarks.page [--minutes M] [--spectators N] [--loads N]`.

*First paint*: a phone's browser with a processor four times slower loads the live page anew each time; the median counts.

*A crowd*: a game is refereed with ten frames a second while the page is served. By turns nobody watches, and 50
spectators and an operator in another process do. One run compares how long an input takes with and without them, what
the page's threads compute, and how the memory grows. Other programs lengthen the wall time but hardly the own time.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import cv2

from controller.session.camera_watch import VideoProcessor
from controller.web.address import LOOPBACK, Address
from controller.web.match.live_match import LiveMatch, PageSink
from controller.web.server import PageServer
from tests.benchmarks.page_paint import PAINT_BAR_MS, painted
from tests.controller.table_pictures import SEED, SIZE_PX, start_pictures
from tests.controller.web.browsing import BROWSER, DRIVER
from tests.controller.web.shown_match import TOKEN
from tests.controller.web.simulated_game import Published, one_point_match, refereed_game
from tests.vision.simulated.played_tables import calibration_of, style
from vision.frame import Frame

ROOT = Path(__file__).parents[2]
GAME, INPUTS_PER_S, ROUNDS = "hypergammon", 10.0, 5
LATENCY_BAR, SHARE_BAR, GROWTH_BAR_MB = 1.10, 0.15, 4.0


@dataclass(slots=True)
class Span:
    """A time with or without the crowd: of each input the wall time and what the game computed."""

    wall_ms: list[float] = field(default_factory=list)
    own_ms: list[float] = field(default_factory=list)
    passed_s: float = 0.0
    page_s: float = 0.0
    growth_mb: float = 0.0

    def add(self, other: "Span") -> None:
        self.wall_ms += other.wall_ms
        self.own_ms += other.own_ms
        self.passed_s += other.passed_s
        self.page_s += other.page_s
        self.growth_mb += other.growth_mb

    @property
    def share(self) -> float:
        """The share of one core that all threads but that of the game computed."""
        return self.page_s / self.passed_s


class RefereedGames:
    """Shows one game after another on the page; each input is a frame to read, then the referee's events."""

    def __init__(self, server: PageServer) -> None:
        self._server = server
        self._film = VideoProcessor(calibration_of(style(SEED, SIZE_PX)))
        self._pictures = start_pictures(4)
        self._inputs = self._all_inputs()
        self._numbers = count()

    def _all_inputs(self) -> Iterator[tuple[PageSink, Published]]:
        table = one_point_match(GAME)
        for seed in count(1):
            game = refereed_game(table, seed)
            begun = next(game)
            sink = self._server.show_match(LiveMatch(f"{GAME} {seed}", table, begun.state, begun.events))
            for one in game:
                yield sink, one

    def play(self, for_s: float) -> Span:
        """Plays inputs at a steady pace. The work of the simulated table does not count as the page's."""
        span, began_s, own_s = Span(), time.monotonic(), time.thread_time()
        process_s, before_mb = time.process_time(), rss_mb()
        for tick in range(round(for_s * INPUTS_PER_S)):
            number = next(self._numbers)
            sink, reported = next(self._inputs)
            frame = Frame(self._pictures[number % len(self._pictures)], 100 * number)
            time.sleep(max(0.0, began_s + tick / INPUTS_PER_S - time.monotonic()))
            wall, own = time.perf_counter(), time.thread_time()
            self._film, _ = self._film.process(frame)
            sink.publish(reported.state, reported.events, reported.now_ms)
            span.own_ms.append((time.thread_time() - own) * 1000)
            span.wall_ms.append((time.perf_counter() - wall) * 1000)
        span.passed_s = time.monotonic() - began_s
        span.page_s = time.process_time() - process_s - (time.thread_time() - own_s)
        span.growth_mb = rss_mb() - before_mb
        return span


@dataclass(slots=True)
class Crowd:
    """What the spectators heard, and this process with and without them."""

    alone: Span = field(default_factory=Span)
    watched: Span = field(default_factory=Span)
    heard: dict[str, int] = field(default_factory=dict)


def crowd_measured(minutes: float, spectators: int) -> Crowd:
    """Measures by turns without and with spectators, half as long without them."""
    found, round_s = Crowd(), minutes * 60 / ROUNDS
    with closing(PageServer(Address(LOOPBACK, 0), TOKEN)) as server:
        games = RefereedGames(server)
        games.play(5)  # until everything has been used once
        _watched(games, server, spectators, 5, Crowd())
        for number in range(ROUNDS):
            found.alone.add(games.play(round_s / 2))
            found.watched.add(_watched(games, server, spectators, round_s, found))
            print(f"  round {number + 1} of {ROUNDS}: {rss_mb():.1f} MB", file=sys.stderr, flush=True)
    return found


def _watched(games: RefereedGames, server: PageServer, spectators: int, for_s: float, found: Crowd) -> Span:
    command = [sys.executable, "-m", "tests.benchmarks.page_crowd", str(server.address.port), TOKEN, str(spectators)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as crowd:
        assert crowd.stdin is not None
        crowd.stdin.write("begin\n")
        crowd.stdin.flush()
        span = games.play(for_s)
        reported, _ = crowd.communicate("end\n")
    for name, value in json.loads(reported).items():
        found.heard[name] = found.heard.get(name, 0) + value
    return span


def rss_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def print_crowd(found: Crowd, spectators: int) -> bool:
    """Prints the figures of the crowd. Whether every bar is kept."""
    print(
        f"A crowd of {spectators} and an operator, {found.watched.passed_s:.0f} s, beside {found.alone.passed_s:.0f} s without"
    )
    print(f"  {'':26} median ms   95 % ms   own median ms   page, of one core")
    for name, span in (("nobody looks", found.alone), ("the crowd looks", found.watched)):
        late = sorted(span.wall_ms)[int(0.95 * len(span.wall_ms))]
        median, own = statistics.median(span.wall_ms), statistics.median(span.own_ms)
        print(f"  {name:26} {median:9.2f} {late:9.2f} {own:15.2f} {span.share:18.1%}")
    wall = statistics.median(found.watched.wall_ms) / statistics.median(found.alone.wall_ms)
    own = statistics.median(found.watched.own_ms) / statistics.median(found.alone.own_ms)
    growth_mb = found.watched.growth_mb
    rows = (
        ("an input takes, times", wall, LATENCY_BAR, f"{wall:.3f} (own time {own:.3f})", min(wall, own)),
        ("the page computes", found.watched.share, SHARE_BAR, f"{found.watched.share:.1%} of one core", None),
        (
            "growth while they look",
            growth_mb,
            GROWTH_BAR_MB,
            f"{growth_mb:+.1f} MB (alone {found.alone.growth_mb:+.1f})",
            None,
        ),
        ("events that were missing", found.heard["gaps"], 0, str(found.heard["gaps"]), None),
    )
    is_kept = True
    for name, value, bar, words, own_value in rows:
        is_met = value <= bar
        is_own = own_value is not None and own_value <= bar
        is_kept &= is_met or is_own
        verdict = "kept" if is_met else "kept by own time" if is_own else "MISSED"
        print(f"  {name:30} {words:26} bar {bar:g}: {verdict}")
    heard = found.heard
    print(f"  heard: {heard['states']} states, {heard['events']} events, {heard['bytes'] / 1e6:.1f} MB in all")
    return is_kept


def print_paint(loads: int) -> bool:
    """Prints the times of the first paint. Whether the bar is kept; true without a browser."""
    if BROWSER is None or DRIVER is None:
        print("First paint: skipped, there is no Chromium with chromedriver")
        return True
    found = painted(loads)
    first, board = statistics.median(found.first_ms), statistics.median(found.board_ms)
    is_kept = first <= PAINT_BAR_MS
    print(f"First paint at a quarter of the speed, median of {loads} loads (all of them: {_whole(found.first_ms)})")
    print(f"  first contentful paint {first:7.0f} ms    bar {PAINT_BAR_MS:.0f}: {'kept' if is_kept else 'MISSED'}")
    print(f"  the board is there     {board:7.0f} ms")
    return is_kept


def _whole(values: Sequence[float]) -> str:
    return ", ".join(f"{value:.0f}" for value in sorted(values))


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--minutes", type=float, default=5.0, help="minutes with the crowd; 0 leaves it out (default: 5)"
    )
    parser.add_argument("--spectators", type=int, default=50)
    parser.add_argument(
        "--loads", type=int, default=7, help="loads of the page; 0 leaves the first paint out (default: 7)"
    )
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    is_kept = print_paint(options.loads) if options.loads else True
    if options.minutes:
        is_kept &= print_crowd(crowd_measured(options.minutes, options.spectators), options.spectators)
    return 0 if is_kept else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
