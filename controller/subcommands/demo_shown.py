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

from controller.lights.state_lights import light
from controller.match.commands import Command
from controller.match.events import GameWon, RefereeEvent
from controller.match.inputs import Link, LinkEvent, Tick
from controller.match_log import Intact, MatchLog, matches_folder, new_match, verify
from controller.refereeing.referee import begin
from controller.refereeing.state import RefereeState
from controller.refereeing.table import Table
from controller.rules.names import NAMES
from controller.rules.ruleset import Ruleset
from controller.session.announcer import Announcer
from controller.session.camera_watch import Film, get_ready
from controller.session.light_sink import LightSink
from controller.session.loop import Sink, Watch, referee_match
from controller.settings.settings import WebSettings
from controller.simulation.compare import Comparison, compare
from controller.simulation.demo import LAST_TURNS, SIZE_PX, DemoGame, demo_game
from controller.subcommands.match.page import opened_page, stay
from controller.subcommands.match.page_told import page_lines
from controller.web.address import Address
from controller.web.camera_view import WatchedFilm
from controller.web.page_of_match import MatchPage
from firmware_bridge.boards.bglp import BglpBoard
from firmware_bridge.errors import BridgeError
from firmware_bridge.fakes.fake_board import BoardMake, FakeBoard
from firmware_bridge.fakes.pty_line import PtyLine
from firmware_bridge.layout import LedLayout, usual_plan
from firmware_bridge.serial_port import SerialPlug, monotonic_ms
from vision.frame import Frame
from vision.geometry.calibration import Refusal

_LOG = logging.getLogger("zarbiter.demo")

_LEDS = 72

DemoInput = Frame | Command | Tick | LinkEvent


@dataclass(frozen=True, slots=True)
class DemoOptions:
    """`speed` None: as fast as this machine can. `address` is that of the page: None is any on this machine."""

    games: int
    seed: int
    has_mishaps: bool
    speed: float | None
    address: Address | None
    is_headless: bool
    stays: bool


@dataclass(slots=True)
class Figures:
    """What went by, as a sink."""

    frames: int = 0
    pictures: int = 0
    events: list[RefereeEvent] = field(default_factory=list)
    link: Link | None = None

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        self.events += events


@dataclass(slots=True)
class Voice:
    """Says lines on standard output. A reader who has gone, as `head` does, ends the demo."""

    is_heard: bool = True

    def __call__(self, line: str) -> None:
        try:
            print(line, flush=True)
        except BrokenPipeError:
            self.is_heard = False
            raise


def show_demo(name: str, rules: Ruleset | None, asked: DemoOptions, data: Path | None) -> bool:
    """Whether every game was refereed to its end without a wrong ruling, and its log is intact. PageError."""
    say = Voice()
    white = black = 0
    is_all_well = True
    with ExitStack() as opened:
        folder = data or Path(opened.enter_context(TemporaryDirectory(prefix="zarbiter-demo-")))
        page = opened_page(asked.address, WebSettings().port, folder, opened, in_browser=not asked.is_headless)
        for number in range(asked.games):
            game = demo_game(name, rules, asked.seed + number, has_mishaps=asked.has_mishaps)
            say(_heading(game, number, asked.games))
            for line in page_lines(page, sys.stdout) if page and number == 0 else ():
                say(line)
            table = replace(game.table, white_score=white, black_score=black)
            won = _show_game(game, table, asked, data=folder, say=say, page=page)
            is_all_well &= won.is_well
            white, black = won.white, won.black
        if asked.games > 1:
            say(f"Score after {asked.games} games: White {white}, Black {black}")
        if asked.stays:
            stay(say)
    return is_all_well


@dataclass(frozen=True, slots=True)
class _Shown:
    """How a game went, and the score after it."""

    is_well: bool
    white: int
    black: int


def _show_game(
    game: DemoGame, table: Table, asked: DemoOptions, *, data: Path, say: Voice, page: MatchPage | None
) -> _Shown:
    simulated = game.filmed()
    inputs = simulated.inputs()
    first = next(given for given in inputs if isinstance(given, Frame))
    calibration = game.calibrated(first)
    if isinstance(calibration, Refusal):
        _LOG.error("the board was not found: %s", calibration.reason)
        return _Shown(False, table.white_score, table.black_score)
    get_ready(calibration)  # before the light board is greeted, which does not wait longer than 2 s for a picture
    figures, began_s = Figures(), time.monotonic()
    with ExitStack() as opened, new_match(matches_folder(data), table.game) as log:
        state, begun = begin(table, 0)
        log.append(begun)
        watch: Watch = Film(calibration)
        given: Iterator[DemoInput] = chain([first], inputs)
        shown: list[Sink] = []
        if page is not None:
            shown = [page.show(log.path.stem, table, state, begun, path=log.path)]
            watch, given = WatchedFilm(Film(calibration), page.camera), page.orders.between(given)
        announcer = Announcer(say, table)
        announcer.publish(state, begun, 0)
        sinks: list[Sink] = [*_lights(table, opened, say), announcer, *shown, simulated, figures]
        counted = _counted(_paced(given, asked.speed), figures, say)
        referee_match(counted, table, log, sinks, watch=watch, state=state)
    return _told(figures, compare(simulated.truths, figures.events), log, took_s=time.monotonic() - began_s, say=say)


def _lights(table: Table, opened: ExitStack, say: Voice) -> Iterator[LightSink]:
    """A board in memory behind a real serial port, where the system has such ports."""
    try:
        line = opened.enter_context(PtyLine(FakeBoard(BoardMake(n_led=_LEDS)), monotonic_ms))
        board = BglpBoard(SerialPlug(line.name), monotonic_ms)
        identity = board.open()
    except (OSError, BridgeError) as error:
        _LOG.warning("the demo goes on without lights: %s", error)
        return
    opened.callback(board.close)
    say(f"Lights: {identity.name} on {identity.port}, {_LEDS} LEDs (simulated).")
    yield LightSink(board, line.name, LedLayout.of_plan(usual_plan(_LEDS)), partial(light, table=table))


def _paced(inputs: Iterator[DemoInput], speed: float | None) -> Iterator[DemoInput]:
    """No frame before its time."""
    began_s = time.monotonic()
    for given in inputs:
        if speed is not None and isinstance(given, Frame):
            wait_s = given.taken_ms / 1000 / speed - (time.monotonic() - began_s)
            time.sleep(max(0.0, wait_s))
        yield given


def _counted(inputs: Iterator[DemoInput], figures: Figures, say: Voice) -> Iterator[DemoInput]:
    for given in inputs:
        if not say.is_heard:
            raise BrokenPipeError
        figures.frames += isinstance(given, Frame)
        yield given


def _told(figures: Figures, found: Comparison, log: MatchLog, *, took_s: float, say: Voice) -> _Shown:
    """The figures of a game."""
    checked = verify(log.path)
    is_intact = isinstance(checked, Intact)
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
        _LOG.info("%d ms: %s, %s", one.at_ms, one.miss.value, one.sentence)
    is_well = is_intact and won is not None and not found.wrong_rulings
    score = (won.white_score, won.black_score) if won else (0, 0)
    return _Shown(is_well, *score)


def _heading(game: DemoGame, number: int, games: int) -> str:
    display = NAMES[game.name].display if game.name in NAMES else game.name
    place = f"game {number + 1} of {games}, " if games > 1 else ""
    lines = [
        f"{display}: {place}seed {game.seed}.",
        f"The table is simulated; the referee sees nothing but its pictures, {SIZE_PX[0]}x{SIZE_PX[1]}.",
    ]
    if game.standing is not None:
        lines.append(f"It begins about {LAST_TURNS} turns before the end: a whole game would take over three minutes.")
    return "\n".join(lines)
