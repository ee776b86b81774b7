"""The parts of a match that is played, joined: camera, log, lights, buttons, terminal; until it is over."""

import argparse
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import chain, takewhile

from controller.match.commands import Command
from controller.refereeing.table import Table
from controller.session.announcer import Announcer
from controller.session.buzzer_sink import BuzzerSink
from controller.session.camera_watch import Film, get_ready
from controller.session.last_state import LastState
from controller.session.light_sink import LightSink
from controller.session.live_inputs import LiveInput, RecordedInputs, live_inputs
from controller.session.loop import Sink, Watch, referee_match
from controller.settings.settings import Given, Settings
from controller.settings.store import Checked, SettingsFile, SettingsKeeper
from controller.subcommands.match.calibration_page import start_positions
from controller.subcommands.match.calibration_used import usual_file
from controller.subcommands.match.lights import lights_of
from controller.subcommands.match.live_settings import LiveSettings
from controller.subcommands.match.office_sink import OfficeSink
from controller.subcommands.match.opened import match_opened
from controller.subcommands.match.table_buttons import TableButtons, buttons_of
from controller.subcommands.match.typed_lines import TypedCommands
from controller.subcommands.match.voice import voice_of
from controller.web.calibration.desk import StartPosition
from controller.web.calibration.in_match import CalibrationBeside
from controller.web.camera_view import WatchedFilm
from controller.web.match.order_box import OrderBox
from controller.web.page_of_match import MatchPage
from vision.camera.recorded import Pictures, Video
from vision.frame import Condition, FrameSource, monotonic_ms
from vision.geometry.calibration import Calibration

_LOG = logging.getLogger("zarbiter.play")


def _nobody() -> None:
    """Nobody waits for the match to begin."""


@dataclass(slots=True)
class Playing:
    """One match of `play`. `keeper` keeps the settings file; `begun` is called when the match can be watched.

    `complaints` counts the pictures of a recording that could not be used; `is_stopped`: somebody wants the program to
    end.
    """

    options: argparse.Namespace
    settings: Settings
    source: FrameSource
    calibration: Calibration
    keeper: SettingsKeeper
    begun: Callable[[], None] = _nobody
    complaints: int = field(default=0, init=False)
    is_stopped: bool = field(default=False, init=False)

    def play(self, table: Table, opened: ExitStack, page: MatchPage | None) -> bool:
        """Whether all went well: the match is over, or somebody stopped it, or the recording ended.

        SettingsError, UsageError, BridgeError, MatchLogError before the match is in its log; PageError.
        """
        now, games = self.keeper.now(), start_positions(self.options)
        get_ready(self.calibration)  # before the light board is greeted: it does not wait longer than 2 s for a picture
        lights = lights_of(self.settings.leds, table, opened)
        match = match_opened(self.options, self.settings, table, self._now_ms, opened)  # nothing else can fail then
        if lights is not None:
            lights.picture.table = match.table
        last = LastState(match.state)
        buttons = buttons_of(last, self._now_ms, opened)
        orders = OrderBox() if page is None else page.orders
        tuple(orders())  # what was meant for the match before this one is forgotten
        strip = None if lights is None else lights.sink
        sinks: list[Sink] = [*([] if strip is None else [strip]), self._live_settings(now, strip, orders)]
        sinks += [] if buttons is None else [BuzzerSink(buttons.buzz, match.table)]
        voice = voice_of(self.settings.speech, match.table, opened)
        sinks += [] if voice is None else [voice]
        announcer = Announcer(_say, match.table, as_json=self.options.json)
        announcer.publish(match.state, match.events, self._now_ms())
        watch: Watch = Film(self.calibration)
        inputs: Iterable[LiveInput] = orders.between(self._inputs(buttons))
        if page is not None:
            history = match.log.read().events
            watch = self._watched(page, games)
            sinks.append(page.show(match.log.path.stem, match.table, match.state, history, path=match.log.path))
            office = OfficeSink(page.office, lights)
            sinks.append(office)
            inputs = takewhile(lambda _: not office.is_ended, inputs)
        sinks += [announcer, last]
        inputs = takewhile(lambda _: not last.is_over(), inputs)
        self.begun()
        try:
            referee_match(inputs, match.table, match.log, sinks, watch=watch, state=match.state)
        except KeyboardInterrupt:
            self.is_stopped = True
            _LOG.warning("stopped; zarbiter play --resume %s goes on with the match", match.log.path.stem)
        return self._is_well()

    def _watched(self, page: MatchPage, games: Mapping[str, StartPosition]) -> Watch:
        """What the page may look at; a camera, whose pictures go on, may be calibrated there between games."""
        watched = WatchedFilm(Film(self.calibration), page.camera)
        if self._is_recording:
            return watched
        beside = CalibrationBeside(
            self.source.describe(),
            usual_file(self.settings.camera.calibration, self.options.data),
            games,
            self.settings.game,
        )
        page.let_calibrate(beside.desk)
        return beside.watching(watched)

    def _now_ms(self) -> int:
        """A recording has its own time, which begins at 0."""
        return 0 if self._is_recording else monotonic_ms()

    @property
    def _is_recording(self) -> bool:
        return isinstance(self.source, Pictures | Video)

    def _inputs(self, buttons: TableButtons | None) -> Iterable[LiveInput]:
        typed = TypedCommands(_tell)
        commands: Callable[[], Iterator[Command]] = typed if buttons is None else _Both(typed, buttons)
        if self._is_recording:
            return RecordedInputs(self.source, self.calibration, commands, self._complain)
        return live_inputs(self.source, commands, monotonic_ms)

    def _complain(self, sentence: str) -> None:
        self.complaints += 1
        _LOG.warning("%s", sentence)

    def _live_settings(self, now: Checked, lights: LightSink | None, orders: OrderBox) -> LiveSettings:
        """As the file and the command line have them; what was chosen on the page for this match is no part of it."""
        given = Given("", self.keeper.file, self.keeper.options)
        file = SettingsFile(given, now.known, now.settings, _tell)
        return LiveSettings(file, now.settings, lights, orders.put)

    def _is_well(self) -> bool:
        state = self.source.state
        if state.condition is Condition.FAILED:
            _LOG.error("%s", state.sentence)
        return state.condition is not Condition.FAILED and not self.complaints


@dataclass(frozen=True, slots=True)
class _Both:
    """Two ways to give orders."""

    typed: Callable[[], Iterator[Command]]
    pressed: Callable[[], Iterator[Command]]

    def __call__(self) -> Iterator[Command]:
        return chain(self.typed(), self.pressed())


def _say(line: str) -> None:
    print(line, flush=True)


def _tell(sentence: str) -> None:
    _LOG.warning("%s", sentence)
