"""The demo on the terminal: each game refereed, told and written down, with the figures of the run at the end."""

import logging
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.lights.state_lights import render_state
from controller.match.commands import Command
from controller.match.events import GameWon, RefereeEvent
from controller.match.inputs import Peripheral, PeripheralEvent, Tick
from controller.match_log import IntactChain, MatchLog, matches_folder, new_match, verify
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.referee import begin_match
from controller.refereeing.state import RefereeState
from controller.rules import NAMES, Ruleset
from controller.session.announcer import Announcer
from controller.session.camera_watch import VideoProcessor, warm_up
from controller.session.light_sink import LightSink
from controller.session.loop import FrameProcessor, Sink, referee_match
from controller.settings.settings import WebSettings
from controller.simulation.compare import Comparison, compare
from controller.simulation.demo import LAST_TURNS, SIZE_PX, DemoGame, make_demo_game
from controller.subcommands.match.page import open_match_page, page_lines, wait_for_interrupt
from controller.web.address import Address
from controller.web.camera_view import ViewableProcessor
from controller.web.match_page import MatchPage
from firmware_bridge.boards.bglp import BglpBoard
from firmware_bridge.errors import BridgeError
from firmware_bridge.fakes.fake_board import FakeBoard, FakeBoardSpec
from firmware_bridge.fakes.pty_line import PtyLine
from firmware_bridge.layout import LedLayout, usual_plan
from firmware_bridge.serial_port import SerialPlug, monotonic_ms
from vision.frame import Frame
from vision.geometry.calibration import Refusal

_LOG = logging.getLogger("zarbiter.demo")

_LED_COUNT = 72

DemoInput = Frame | Command | Tick | PeripheralEvent


@dataclass(frozen=True, slots=True)
class DemoOptions:
    """`speed` None: as fast as this machine can. `address` is that of the page: None is any on this machine."""

    games: int
    seed: int
    has_mishaps: bool
    speed: float | None
    address: Address | None
    is_headless: bool
    stays_open: bool


@dataclass(slots=True)
class Figures:
    """What went by, as a sink."""

    frames: int = 0
    pictures: int = 0
    events: list[RefereeEvent] = field(default_factory=list)
    link: Peripheral | None = None

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        self.events += events


@dataclass(slots=True)
class LinePrinter:
    """Says lines on standard output. A reader who has gone, as `head` does, ends the demo."""

    is_heard: bool = True

    def __call__(self, line: str) -> None:
        try:
            print(line, flush=True)
        except BrokenPipeError:
            self.is_heard = False
            raise


def run_demo(name: str, rules: Ruleset | None, options: DemoOptions, data: Path | None) -> bool:
    """Whether every game was refereed to its end without a wrong ruling, and its log is intact. PageError."""
    say = LinePrinter()
    white = black = 0
    is_all_well = True
    with ExitStack() as opened:
        folder = data or Path(opened.enter_context(TemporaryDirectory(prefix="zarbiter-demo-")))
        page = open_match_page(options.address, WebSettings().port, folder, opened, in_browser=not options.is_headless)
        for number in range(options.games):
            game = make_demo_game(name, rules, options.seed + number, has_mishaps=options.has_mishaps)
            say(_heading(game, number, options.games))
            for line in page_lines(page, sys.stdout) if page and number == 0 else ():
                say(line)
            table = game.table
            table = replace(table, players=replace(table.players, white_score=white, black_score=black))
            won = _run_game(game, table, options, data=folder, say=say, page=page)
            is_all_well &= won.is_well
            white, black = won.white, won.black
        if options.games > 1:
            say(f"Score after {options.games} games: White {white}, Black {black}")
        if options.stays_open:
            wait_for_interrupt(say)
    return is_all_well


@dataclass(frozen=True, slots=True)
class _GameSummary:
    """How a game went, and the score after it."""

    is_well: bool
    white: int
    black: int


def _run_game(
    game: DemoGame, table: MatchConfig, options: DemoOptions, *, data: Path, say: LinePrinter, page: MatchPage | None
) -> _GameSummary:
    simulated = game.film()
    inputs = simulated.inputs()
    first = next(given for given in inputs if isinstance(given, Frame))
    calibration = game.calibrate(first)
    if isinstance(calibration, Refusal):
        _LOG.error("the board was not found: %s", calibration.reason)
        return _GameSummary(False, table.players.white_score, table.players.black_score)
    warm_up(calibration)  # before the light board is greeted, which does not wait longer than 2 s for a picture
    figures, began_s = Figures(), time.monotonic()
    with ExitStack() as opened, new_match(matches_folder(data), table.game) as log:
        state, begun = begin_match(table, 0)
        log.append(begun)
        watch: FrameProcessor = VideoProcessor(calibration)
        given: Iterator[DemoInput] = chain([first], inputs)
        shown: list[Sink] = []
        if page is not None:
            shown = [page.show(log.path.stem, table, state, begun, path=log.path)]
            watch, given = ViewableProcessor(VideoProcessor(calibration), page.camera), page.orders.merge_with(given)
        announcer = Announcer(say, table)
        announcer.publish(state, begun, 0)
        sinks: list[Sink] = [*_open_lights(table, opened, say), announcer, *shown, simulated, figures]
        counted = _count_inputs(_pace_inputs(given, options.speed), figures, say)
        referee_match(counted, table, log, sinks, processor=watch, state=state)
    return _print_figures(
        figures, compare(simulated.truths, figures.events), log, took_s=time.monotonic() - began_s, say=say
    )


def _open_lights(table: MatchConfig, opened: ExitStack, say: LinePrinter) -> Iterator[LightSink]:
    """A board in memory behind a real serial port, where the system has such ports."""
    try:
        line = opened.enter_context(PtyLine(FakeBoard(FakeBoardSpec(n_led=_LED_COUNT)), monotonic_ms))
        board = BglpBoard(SerialPlug(line.name), monotonic_ms)
        identity = board.open()
    except (OSError, BridgeError) as error:
        _LOG.warning("the demo goes on without lights: %s", error)
        return
    opened.callback(board.close)
    say(f"Lights: {identity.name} on {identity.port}, {_LED_COUNT} LEDs (simulated).")
    yield LightSink(board, line.name, LedLayout.from_plan(usual_plan(_LED_COUNT)), partial(render_state, table=table))


def _pace_inputs(inputs: Iterator[DemoInput], speed: float | None) -> Iterator[DemoInput]:
    """No frame before its time."""
    began_s = time.monotonic()
    for given in inputs:
        if speed is not None and isinstance(given, Frame):
            wait_s = given.taken_ms / 1000 / speed - (time.monotonic() - began_s)
            time.sleep(max(0.0, wait_s))
        yield given


def _count_inputs(inputs: Iterator[DemoInput], figures: Figures, say: LinePrinter) -> Iterator[DemoInput]:
    for given in inputs:
        if not say.is_heard:
            raise BrokenPipeError
        figures.frames += isinstance(given, Frame)
        yield given


def _print_figures(
    figures: Figures, found: Comparison, log: MatchLog, *, took_s: float, say: LinePrinter
) -> _GameSummary:
    """The figures of a game."""
    checked = verify(log.path)
    is_intact = isinstance(checked, IntactChain)
    won = next((event for event in reversed(figures.events) if isinstance(event, GameWon)), None)
    if won is None:
        _LOG.error("the game was not refereed to its end")
    say("")
    say(f"Log: {len(figures.events)} events, {'verified' if is_intact else f'damaged: {checked}'}.")
    say(
        f"{found.turns} turns, {found.throws} throws; wrong rulings {found.wrong_rulings}, "
        f"unsure turns {found.unsure_turns}, illegal plays found {found.illegal_found} of {found.illegal}."
    )
    say(f"{figures.frames} frames in {took_s:.0f} s, {figures.frames / max(took_s, 0.1):.0f} a second.")
    for one in found.differences:
        _LOG.info("%d ms: %s, %s", one.at_ms, one.kind.value, one.sentence)
    is_well = is_intact and won is not None and not found.wrong_rulings
    score = (won.white_score, won.black_score) if won else (0, 0)
    return _GameSummary(is_well, *score)


def _heading(game: DemoGame, number: int, games: int) -> str:
    display = NAMES[game.name].display if game.name in NAMES else game.name
    place = f"game {number + 1} of {games}, " if games > 1 else ""
    lines = [
        f"{display}: {place}seed {game.seed}.",
        f"The table is simulated; the referee sees nothing but its pictures, {SIZE_PX[0]}x{SIZE_PX[1]}.",
    ]
    if game.start is not None:
        lines.append(f"It begins about {LAST_TURNS} turns before the end: a whole game would take over three minutes.")
    return "\n".join(lines)
