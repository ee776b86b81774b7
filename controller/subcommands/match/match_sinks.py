"""The sinks of a match beside the lights: voice, live settings, kept frames, and the operator's jobs from the page."""

import logging
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from controller.match import ChangeMode, Command, Peripheral, RefereeEvent
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import RefereeState
from controller.session import FrameProcessor, KeepingProcessor, KeptFrames, LightSink
from controller.settings import (
    CheckedSettings,
    LogSettings,
    Settings,
    SettingsInput,
    SettingsStore,
    SettingsWatcher,
    SpeechSettings,
)
from controller.speech.espeak import MISSING, EspeakSink, EspeakVoice, has_espeak
from controller.subcommands.match.lights import MatchLights
from controller.web import (
    EndMatch,
    PendingJob,
    PointAt,
    ProgramControl,
    ResumeMatch,
    StartAgain,
    StartMatch,
    may_calibrate,
)

_LOG = logging.getLogger("zarbiter.play")
_NOT_NOW = "A game is being played, and its lights are needed; point at LEDs between games, or pause the match."


def open_voice(settings: SpeechSettings, table: MatchConfig, opened: ExitStack) -> EspeakSink | None:
    """The voice until `opened` is closed; None if the settings want none, or, with a warning, if espeak is missing."""
    if not settings.aloud:
        return None
    if not has_espeak():
        warn(MISSING)
        return None
    sink = EspeakSink(table, EspeakVoice(settings.language, settings.words_a_minute, settings.persian_names), warn)
    opened.callback(sink.close)
    return sink


def keep_frames(processor: FrameProcessor, settings: LogSettings, match: Path, opened: ExitStack) -> FrameProcessor:
    """The processor that also keeps the last minutes of frames until `opened` is closed, if the settings want them."""
    if settings.keep_frames_minutes == 0:
        return processor
    frames = KeptFrames(match, settings.keep_frames_minutes, warn)
    opened.callback(frames.close)
    return KeepingProcessor(processor, frames)


def watch_settings(keeper: SettingsStore, before: CheckedSettings) -> SettingsWatcher:
    """Watches the settings file and the command line; a choice that the page made for one match is not among them."""
    return SettingsWatcher(SettingsInput("", keeper.file, keeper.options), before.known, before.settings, warn)


class LiveSettings:
    """Applies changed settings during a match: brightness at once, mode as a command, so that the log has it.

    `before` are the settings at the start of the match; a mode chosen for this match alone holds until the file changes.
    `order` returns False when its queue is full, and the command is tried again.
    """

    link: Peripheral | None = None

    def __init__(
        self,
        file: SettingsWatcher,
        before: Settings,
        lights: LightSink | None,
        order: Callable[[Command], bool],
    ) -> None:
        self._file = file
        self._lights = lights
        self._order = order
        self._requested = before.mode, before.monitor

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        settings = self._file.poll(now_ms)
        if self._lights is not None:
            self._lights.brightness = settings.leds.brightness
        wanted = settings.mode, settings.monitor
        if self._requested != wanted and self._order(ChangeMode(*wanted)):
            self._requested = wanted


class PageJobSink:
    """Does the operator's jobs from the page between two inputs of the loop, as far as a running match allows.

    `lights` is None in a match without lights. `is_ended` is set when the operator ends the match.
    """

    link: Peripheral | None = None

    def __init__(self, control: ProgramControl, lights: MatchLights | None) -> None:
        self._control = control
        self._lights = lights
        self.is_ended = False
        if control.led_map is not None and lights is not None:
            control.led_map.led_count = lights.led_count

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        pending = self._control.next_job()
        if pending is None:
            return
        match pending.job:
            case PointAt(led):
                self._point_at(pending, led, state, now_ms)
            case EndMatch():
                self.is_ended = True
                pending.complete()
            case StartMatch() | ResumeMatch() | StartAgain():
                pending.fail("A match is being played; end it first.")

    def _point_at(self, pending: PendingJob, led: int | None, state: RefereeState, now_ms: int) -> None:
        """Refused during a game, where one bright LED would mean a point to play to."""
        if led is not None and not may_calibrate(state):
            pending.fail(_NOT_NOW)
        elif self._lights is None:
            pending.fail("This match is played without lights.")
        elif led is not None and led >= self._lights.led_count:
            pending.fail(f"This strip has the LEDs 0 to {self._lights.led_count - 1}.")
        else:
            self._lights.picture.point_at(led, now_ms)
            pending.complete()


def warn(sentence: str) -> None:
    """Logs a warning of `zarbiter play`."""
    _LOG.warning("%s", sentence)
