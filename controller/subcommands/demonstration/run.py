"""Runs the demo: each game is refereed from its frames, shown on the page, logged, and compared with the truth."""

import logging
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from controller.match_log import matches_folder, new_match
from controller.refereeing.referee import begin_match
from controller.session import (
    Announcer,
    FrameProcessor,
    LiveInput,
    Sink,
    VideoProcessor,
    referee_match,
    warm_up,
)
from controller.simulation.demo import DemoGame, make_demo_game
from controller.subcommands.demonstration.lights import open_demo_lights
from controller.subcommands.demonstration.pace import Pace
from controller.subcommands.demonstration.report import Figures, GameSummary, LinePrinter, heading, print_figures
from controller.subcommands.match.page import open_match_page, page_lines
from controller.web import ViewableProcessor
from vision import Frame, Refusal

if TYPE_CHECKING:
    from controller.rules import Ruleset
    from controller.web import Address, MatchPage

_LOG = logging.getLogger("zarbiter.demo")
_POLL_EVERY_S = 0.25


@dataclass(frozen=True, slots=True)
class DemoOptions:
    """`speed` None: as fast as possible. `address` is that of the page; None: any on this machine."""

    games: int
    seed: int
    has_mishaps: bool
    speed: float | None
    address: "Address | None"
    is_headless: bool
    stays_open: bool


def run_demo(name: str, rules: "Ruleset | None", options: DemoOptions, data: Path | None) -> bool:
    """Whether every game was refereed to its end without a wrong ruling, and its log is intact. Raises PageError.

    A page that is looked at stays after the games, which can be started again on it with other seeds.
    """
    from controller.settings import WebSettings

    say = LinePrinter()
    with ExitStack() as opened:
        folder = data or Path(opened.enter_context(TemporaryDirectory(prefix="zarbiter-demo-")))
        page = open_match_page(options.address, WebSettings().port, folder, opened, in_browser=not options.is_headless)
        is_all_well = _play_games(name, rules, options, data=folder, say=say, page=page)
        while page is not None and (options.stays_open or page.is_in_browser) and _wait_for_start(page, say):
            options = replace(options, seed=options.seed + options.games)
            is_all_well &= _play_games(name, rules, options, data=folder, say=say, page=page)
    return is_all_well


def _play_games(
    name: str,
    rules: "Ruleset | None",
    options: DemoOptions,
    *,
    data: Path,
    say: LinePrinter,
    page: "MatchPage | None",
) -> bool:
    white = black = 0
    is_all_well = True
    for number in range(options.games):
        game = make_demo_game(name, rules, options.seed + number, has_mishaps=options.has_mishaps)
        links = page_lines(page, sys.stdout) if page and number == 0 else ()
        for line in (*heading(game, number, options.games), *links):
            say(line)
        summary = _run_game(game, (white, black), options, data=data, say=say, page=page)
        is_all_well &= summary.is_well
        white, black = summary.white, summary.black
    if options.games > 1:
        say(f"Score after {options.games} games: White {white}, Black {black}")
    return is_all_well


def _wait_for_start(page: "MatchPage", say: LinePrinter) -> bool:
    """Waits until the page starts the demo again; False: Ctrl-C, which may come while `say` still writes."""
    from controller.web import ProgramStage, StartAgain

    control = page.control
    with suppress(KeyboardInterrupt):
        control.stage, control.slow_speed = ProgramStage.DEMO_OVER, None
        page.wake()
        say("The demo is over; the page can start it again. The page stays until Ctrl-C.")
        while True:
            pending = control.next_job(_POLL_EVERY_S)
            if pending is None:
                continue
            if isinstance(pending.job, StartAgain):
                control.stage = ProgramStage.PLAYING
                pending.complete()
                return True
            pending.fail("The demo is over.")
    return False


def _run_game(
    game: DemoGame,
    score: tuple[int, int],
    options: DemoOptions,
    *,
    data: Path,
    say: LinePrinter,
    page: "MatchPage | None",
) -> GameSummary:
    table = game.table
    table = replace(table, players=replace(table.players, white_score=score[0], black_score=score[1]))
    simulated = game.film()
    inputs = simulated.inputs()
    first = next(given for given in inputs if isinstance(given, Frame))
    calibration = game.calibrate(first)
    if isinstance(calibration, Refusal):
        _LOG.error("the board was not found: %s", calibration.reason)
        return GameSummary(False, *score)
    warm_up(calibration)  # before the light board is opened: it waits at most 2 s for a picture
    figures, began_s = Figures(), time.monotonic()
    state, begun = begin_match(table, 0)
    with ExitStack() as opened, new_match(matches_folder(data), table.game, begun) as log:
        processor: FrameProcessor = VideoProcessor(calibration, calibration.reference)
        given: Iterator[LiveInput] = chain([first], inputs)
        shown: list[Sink] = []
        if page is not None:
            shown = [page.show(log.path.stem, table, state, begun, path=log.path)]
            processor = ViewableProcessor(VideoProcessor(calibration, calibration.reference), page.camera)
            simulated.orders = page.orders
        announcer = Announcer(say, table)
        announcer.publish(state, begun, 0)
        sinks: list[Sink] = [*open_demo_lights(table, opened, say), announcer, *shown, simulated, figures]
        pace = Pace(options.speed, SpeedTeller(say, page))
        counted = _count_inputs(pace.delay(given), figures, say)
        referee_match(counted, table, log, sinks, processor=processor, state=state)
    return print_figures(figures, simulated.truths, log, took_s=time.monotonic() - began_s, say=say)


@dataclass(slots=True)
class SpeedTeller:
    """Says that this computer is too slow for the speed that was asked for, once until it is not; the page shows how slow."""

    say: LinePrinter
    page: "MatchPage | None"
    is_slow: bool = False

    def __call__(self, reached: float | None) -> None:
        if self.page is not None:
            self.page.control.slow_speed = reached
            self.page.wake()
        if reached is None:
            self.say("The table runs at its speed again.")
        elif not self.is_slow:
            self.say(f"This computer is busy: the table runs at {reached:g} times the real speed.")
        self.is_slow = reached is not None


def _count_inputs(inputs: Iterator[LiveInput], figures: Figures, say: LinePrinter) -> Iterator[LiveInput]:
    for given in inputs:
        if not say.is_heard:
            raise BrokenPipeError
        figures.frames += isinstance(given, Frame)
        yield given
