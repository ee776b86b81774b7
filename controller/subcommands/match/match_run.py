"""The parts of a match that is played, joined: camera, log, lights, buttons, terminal; until it is over."""

import argparse
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import chain, takewhile

from controller.match.commands import Command
from controller.refereeing.match_config import MatchConfig
from controller.session.announcer import Announcer
from controller.session.buzzer_sink import BuzzerSink
from controller.session.camera_watch import VideoProcessor, warm_up
from controller.session.last_state import LastState
from controller.session.light_sink import LightSink
from controller.session.live_inputs import LiveInput, RecordedInputs, live_inputs
from controller.session.loop import FrameProcessor, Sink, referee_match
from controller.settings.settings import Settings, SettingsInput
from controller.settings.store import CheckedSettings, SettingsStore, SettingsWatcher
from controller.subcommands.match.calibration_choice import calibration_path
from controller.subcommands.match.calibration_page import start_positions
from controller.subcommands.match.lights import open_match_lights
from controller.subcommands.match.live_settings import LiveSettings
from controller.subcommands.match.match_opening import open_match
from controller.subcommands.match.page_job_sink import PageJobSink
from controller.subcommands.match.table_buttons import TableButtons, open_buttons
from controller.subcommands.match.typed_lines import TypedCommands
from controller.subcommands.match.voice import open_voice
from controller.web.calibration.in_match import InMatchCalibration
from controller.web.calibration.session import StartPosition
from controller.web.camera_view import ViewableProcessor
from controller.web.match.order_queue import OrderQueue
from controller.web.match_page import MatchPage
from vision.camera.recorded import Pictures, Video
from vision.frame import Condition, FrameSource, monotonic_ms
from vision.geometry.calibration import Calibration

_LOG = logging.getLogger("zarbiter.play")


def _do_nothing() -> None:
    """Nobody waits for the match to begin."""


@dataclass(slots=True)
class MatchRun:
    """One match of `play`. `keeper` keeps the settings file; `begun` is called when the match can be watched.

    `complaints` counts the pictures of a recording that could not be used; `is_stopped`: somebody wants the program to
    end.
    """

    options: argparse.Namespace
    settings: Settings
    source: FrameSource
    calibration: Calibration
    keeper: SettingsStore
    on_begin: Callable[[], None] = _do_nothing
    picture_errors: int = field(default=0, init=False)
    is_stopped: bool = field(default=False, init=False)

    def play(self, table: MatchConfig, opened: ExitStack, page: MatchPage | None) -> bool:
        """Whether all went well: the match is over, or somebody stopped it, or the recording ended.

        SettingsError, UsageError, BridgeError, MatchLogError before the match is in its log; PageError.
        """
        now, games = self.keeper.load(), start_positions(self.options)
        warm_up(self.calibration)  # before the light board is greeted: it does not wait longer than 2 s for a picture
        lights = open_match_lights(self.settings.leds, table, opened)
        match = open_match(self.options, self.settings, table, self._now_ms, opened)  # nothing else can fail then
        if lights is not None:
            lights.picture.table = match.table
        last = LastState(match.state)
        buttons = open_buttons(last, self._now_ms, opened)
        orders = OrderQueue() if page is None else page.orders
        tuple(orders())  # what was meant for the match before this one is forgotten
        strip = None if lights is None else lights.sink
        sinks: list[Sink] = [*([] if strip is None else [strip]), self._make_live_settings(now, strip, orders)]
        sinks += [] if buttons is None else [BuzzerSink(buttons.buzz, match.table)]
        voice = open_voice(self.settings.speech, match.table, opened)
        sinks += [] if voice is None else [voice]
        announcer = Announcer(_say, match.table, as_json=self.options.json)
        announcer.publish(match.state, match.events, self._now_ms())
        watch: FrameProcessor = VideoProcessor(self.calibration)
        inputs: Iterable[LiveInput] = orders.merge_with(self._make_inputs(buttons))
        if page is not None:
            history = match.log.read().events
            watch = self._make_page_processor(page, games)
            sinks.append(page.show(match.log.path.stem, match.table, match.state, history, path=match.log.path))
            office = PageJobSink(page.control, lights)
            sinks.append(office)
            inputs = takewhile(lambda _: not office.is_ended, inputs)
        sinks += [announcer, last]
        inputs = takewhile(lambda _: not last.is_over(), inputs)
        self.on_begin()
        try:
            referee_match(inputs, match.table, match.log, sinks, processor=watch, state=match.state)
        except KeyboardInterrupt:
            self.is_stopped = True
            _LOG.warning("stopped; zarbiter play --resume %s goes on with the match", match.log.path.stem)
        return self._is_well()

    def _make_page_processor(self, page: MatchPage, games: Mapping[str, StartPosition]) -> FrameProcessor:
        """What the page may look at; a camera, whose pictures go on, may be calibrated there between games."""
        watched = ViewableProcessor(VideoProcessor(self.calibration), page.camera)
        if self._is_recording:
            return watched
        beside = InMatchCalibration(
            self.source.describe(),
            calibration_path(self.settings.camera.calibration, self.options.data),
            games,
            self.settings.game,
        )
        page.set_calibration_session(beside.session)
        return beside.wrap_processor(watched)

    def _now_ms(self) -> int:
        """A recording has its own time, which begins at 0."""
        return 0 if self._is_recording else monotonic_ms()

    @property
    def _is_recording(self) -> bool:
        return isinstance(self.source, Pictures | Video)

    def _make_inputs(self, buttons: TableButtons | None) -> Iterable[LiveInput]:
        typed = TypedCommands(_warn)
        commands: Callable[[], Iterator[Command]] = typed if buttons is None else _MergedOrders(typed, buttons)
        if self._is_recording:
            return RecordedInputs(self.source, self.calibration, commands, self._report_picture_error)
        return live_inputs(self.source, commands, monotonic_ms)

    def _report_picture_error(self, sentence: str) -> None:
        self.picture_errors += 1
        _LOG.warning("%s", sentence)

    def _make_live_settings(self, now: CheckedSettings, lights: LightSink | None, orders: OrderQueue) -> LiveSettings:
        """As the file and the command line have them; what was chosen on the page for this match is no part of it."""
        given = SettingsInput("", self.keeper.file, self.keeper.options)
        file = SettingsWatcher(given, now.known, now.settings, _warn)
        return LiveSettings(file, now.settings, lights, orders.put)

    def _is_well(self) -> bool:
        state = self.source.state
        if state.condition is Condition.FAILED:
            _LOG.error("%s", state.sentence)
        return state.condition is not Condition.FAILED and not self.picture_errors


@dataclass(frozen=True, slots=True)
class _MergedOrders:
    """Two ways to give orders."""

    typed: Callable[[], Iterator[Command]]
    pressed: Callable[[], Iterator[Command]]

    def __call__(self) -> Iterator[Command]:
        return chain(self.typed(), self.pressed())


def _say(line: str) -> None:
    print(line, flush=True)


def _warn(sentence: str) -> None:
    _LOG.warning("%s", sentence)
