"""Runs the demo: each game is refereed from its frames, shown on the page, logged, and compared with the truth."""

import logging
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
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
from controller.subcommands.demo_lights import open_demo_lights
from controller.subcommands.demo_report import Figures, GameSummary, LinePrinter, heading, print_figures
from controller.subcommands.match.page import open_match_page, page_lines, wait_for_interrupt
from controller.web import ViewableProcessor
from vision import Frame, Refusal

if TYPE_CHECKING:
    from controller.refereeing.match_config import MatchConfig
    from controller.rules import Ruleset
    from controller.web import Address, MatchPage

_LOG = logging.getLogger("zarbiter.demo")


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
    """Whether every game was refereed to its end without a wrong ruling, and its log is intact. Raises PageError."""
    from controller.settings import WebSettings

    say = LinePrinter()
    white = black = 0
    is_all_well = True
    with ExitStack() as opened:
        folder = data or Path(opened.enter_context(TemporaryDirectory(prefix="zarbiter-demo-")))
        page = open_match_page(options.address, WebSettings().port, folder, opened, in_browser=not options.is_headless)
        for number in range(options.games):
            game = make_demo_game(name, rules, options.seed + number, has_mishaps=options.has_mishaps)
            links = page_lines(page, sys.stdout) if page and number == 0 else ()
            for line in (*heading(game, number, options.games), *links):
                say(line)
            table = game.table
            table = replace(table, players=replace(table.players, white_score=white, black_score=black))
            summary = _run_game(game, table, options, data=folder, say=say, page=page)
            is_all_well &= summary.is_well
            white, black = summary.white, summary.black
        if options.games > 1:
            say(f"Score after {options.games} games: White {white}, Black {black}")
        if options.stays_open:
            wait_for_interrupt(say)
    return is_all_well


def _run_game(
    game: DemoGame,
    table: "MatchConfig",
    options: DemoOptions,
    *,
    data: Path,
    say: LinePrinter,
    page: "MatchPage | None",
) -> GameSummary:
    simulated = game.film()
    inputs = simulated.inputs()
    first = next(given for given in inputs if isinstance(given, Frame))
    calibration = game.calibrate(first)
    if isinstance(calibration, Refusal):
        _LOG.error("the board was not found: %s", calibration.reason)
        return GameSummary(False, table.players.white_score, table.players.black_score)
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
            given = page.orders.merge_with(given)
        announcer = Announcer(say, table)
        announcer.publish(state, begun, 0)
        sinks: list[Sink] = [*open_demo_lights(table, opened, say), announcer, *shown, simulated, figures]
        counted = _count_inputs(_pace_inputs(given, options.speed), figures, say)
        referee_match(counted, table, log, sinks, processor=processor, state=state)
    return print_figures(figures, simulated.truths, log, took_s=time.monotonic() - began_s, say=say)


def _pace_inputs(inputs: Iterator[LiveInput], speed: float | None) -> Iterator[LiveInput]:
    """Delays each frame until its time."""
    began_s = time.monotonic()
    for given in inputs:
        if speed is not None and isinstance(given, Frame):
            wait_s = given.taken_ms / 1000 / speed - (time.monotonic() - began_s)
            time.sleep(max(0.0, wait_s))
        yield given


def _count_inputs(inputs: Iterator[LiveInput], figures: Figures, say: LinePrinter) -> Iterator[LiveInput]:
    for given in inputs:
        if not say.is_heard:
            raise BrokenPipeError
        figures.frames += isinstance(given, Frame)
        yield given
