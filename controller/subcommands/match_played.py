"""The parts of a match that is played, joined: camera, log, lights, buttons, terminal; until it is over."""

import argparse
import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import chain, takewhile

from controller.announcer import Announcer
from controller.buzzer_sink import BuzzerSink
from controller.commands import Command
from controller.events import RefereeEvent
from controller.film import Film, get_ready
from controller.inputs import Link
from controller.last_state import LastState
from controller.light_sink import LightSink
from controller.live_inputs import LiveInput, RecordedInputs, live_inputs
from controller.loop import Sink, Watch, referee_match
from controller.referee_state import RefereeState
from controller.settings import Settings
from controller.settings_file import SettingsFile
from controller.subcommands.match_lights import lights_of
from controller.subcommands.match_opened import match_opened
from controller.subcommands.match_options import given_by, known_names
from controller.subcommands.match_page import stay
from controller.subcommands.table_buttons import TableButtons, buttons_of
from controller.subcommands.typed_lines import TypedCommands
from controller.table import Table
from controller.web.camera_view import WatchedFilm
from controller.web.page_of_match import MatchPage
from vision.calibration import Calibration
from vision.frame import Condition, FrameSource, monotonic_ms
from vision.recorded import Pictures, Video

_LOG = logging.getLogger("zarbiter.play")


@dataclass(slots=True)
class Playing:
    """One call of `play`. `complaints` counts the pictures of a recording that could not be used."""

    options: argparse.Namespace
    settings: Settings
    source: FrameSource
    calibration: Calibration
    complaints: int = field(default=0, init=False)

    def play(self, table: Table, opened: ExitStack, page: MatchPage | None) -> bool:
        """Whether all went well: the match is over, or somebody stopped it, or the recording ended. PageError."""
        match = match_opened(self.options, self.settings, table, self._now_ms, opened)
        last = LastState(match.state)
        get_ready(self.calibration)  # before the light board is greeted: it does not wait longer than 2 s for a picture
        lights = lights_of(self.settings.leds, match.table, opened)
        buttons = buttons_of(last, self._now_ms, opened)
        sinks: list[Sink] = [] if lights is None else [lights, self._brightness(lights)]
        sinks += [] if buttons is None else [BuzzerSink(buttons.buzz, match.table)]
        announcer = Announcer(_say, match.table, as_json=self.options.json)
        announcer.publish(match.state, match.events, self._now_ms())
        watch: Watch = Film(self.calibration)
        inputs = self._inputs(buttons)
        if page is not None:
            history = match.log.read().events
            sinks.append(page.show(match.log.path.stem, match.table, match.state, history, path=match.log.path))
            watch, inputs = WatchedFilm(Film(self.calibration), page.camera), page.orders.between(inputs)
        sinks += [announcer, last]
        inputs = takewhile(lambda _: not last.is_over(), inputs)
        try:
            referee_match(inputs, match.table, match.log, sinks, watch=watch, state=match.state)
            if self.options.stay:
                _LOG.warning("the page stays until Ctrl-C")
                stay()
        except KeyboardInterrupt:
            _LOG.warning("stopped; zarbiter play --resume %s goes on with the match", match.log.path.stem)
        return self._is_well()

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

    def _brightness(self, lights: LightSink) -> "BrightnessSink":
        file = SettingsFile(given_by(self.options), known_names(self.options), self.settings, _tell)
        return BrightnessSink(file, lights)

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


@dataclass(slots=True)
class BrightnessSink:
    """Not shown anything: it only goes with the time, and dims the lights as the settings file says by then."""

    file: SettingsFile
    lights: LightSink
    link: Link | None = None

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        self.lights.brightness = self.file.now(now_ms).leds.brightness


def _say(line: str) -> None:
    print(line, flush=True)


def _tell(sentence: str) -> None:
    _LOG.warning("%s", sentence)
