"""Matches that are set up on the page: waited for, played one after the other, until somebody stops the program."""

import argparse
import logging
import os
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial

from controller.match_log import MatchLogError, matches_folder
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.referee import begin_match
from controller.settings.atomic_file import data_folder
from controller.settings.build_match_config import build_match_config
from controller.settings.match_set_up import AgreedMatch
from controller.settings.settings import LedSettings, SettingsError
from controller.settings.store import SettingsStore
from controller.subcommands.match.calibration_choice import resolve_calibration
from controller.subcommands.match.calibration_page import open_idle_calibration
from controller.subcommands.match.led_pointer import LedPointer
from controller.subcommands.match.match_opening import find_unfinished_match
from controller.subcommands.match.match_run import MatchRun
from controller.subcommands.options.call import UsageError
from controller.web.match_page import MatchPage
from controller.web.set_up.led_map_store import LedMapStore
from controller.web.set_up.program_control import (
    EndMatch,
    JobFailedError,
    PendingJob,
    PointAt,
    ProgramStage,
    ResumeMatch,
    StartMatch,
)
from firmware_bridge.errors import BridgeError
from vision.camera.sources import open_source
from vision.errors import VisionError

_LOG = logging.getLogger("zarbiter.play")

_POLL_EVERY_S = 0.25
_MATCH_ERRORS = (VisionError, BridgeError, MatchLogError, OSError)
_START_ERRORS = (*_MATCH_ERRORS, UsageError, ValueError)
"""Why a match cannot begin; SettingsError and a path that is none are ValueErrors."""


def attach_settings(page: MatchPage, keeper: SettingsStore, options: argparse.Namespace, *, can_begin: bool) -> None:
    """Settings and LED map can be seen and changed on the page from now on; `can_begin`: matches can be begun there."""
    office = page.control
    office.settings_store, office.can_begin = keeper, can_begin
    office.led_map = LedMapStore(keeper, data_folder(options.data, os.environ))


@dataclass(slots=True)
class PageMatchRunner:
    """`source` is what matches are watched by as long as the settings name `named`, as they did at the start."""

    options: argparse.Namespace
    page: MatchPage
    keeper: SettingsStore
    source: str
    settings_source: str | None = None

    def show_empty_board(self, table: MatchConfig) -> None:
        """Before the first match the page has its board and nothing on it, and nothing can be set up yet."""
        self.page.control.stage = ProgramStage.STARTING
        state, _ = begin_match(table, 0)
        self.page.show("", table, state, (), path=None)

    def run(self) -> None:
        """Until Ctrl-C."""
        try:
            while True:
                if self._play_match(self._wait_for_match()):
                    return
        except KeyboardInterrupt:
            _LOG.warning("stopped")

    def _wait_for_match(self) -> PendingJob:
        office = self.page.control
        office.unfinished = find_unfinished_match(matches_folder(data_folder(self.options.data, os.environ)))
        with ExitStack() as opened:
            self._offer_calibration(opened)
            strip = LedPointer()
            opened.callback(strip.close)
            self._enter_stage(
                ProgramStage.WAITING
            )  # whoever sees that can do everything that is done while no match is played
            _LOG.warning("waiting for a match to be set up on the page")
            while True:
                asked = office.next_job(_POLL_EVERY_S)
                strip.keep_alive()
                if asked is None:
                    continue
                match asked.job:
                    case PointAt(led):
                        self._point_at(asked, led, strip)
                    case EndMatch():
                        asked.fail("No match is being played.")
                    case StartMatch() | ResumeMatch():
                        return asked

    def _offer_calibration(self, opened: ExitStack) -> None:
        """The camera, which no match has now."""
        self.page.set_calibration_session(None)
        with suppress(SettingsError, UsageError, OSError):  # told where settings are shown
            settings = self.keeper.load().settings
            self.page.set_calibration_session(open_idle_calibration(self.options, settings, self.source, opened))
            opened.callback(self.page.set_calibration_session, None)

    def _point_at(self, asked: PendingJob, led: int | None, strip: LedPointer) -> None:
        led_map = self.page.control.led_map
        try:
            led_count = strip.point_at(led, self._led_settings())
        except (BridgeError, UsageError, JobFailedError) as error:
            asked.fail(_sentence(error))
            return
        if led_map is not None:
            led_map.led_count = led_count
        asked.complete()

    def _led_settings(self) -> LedSettings:
        """As they are now; a file that cannot be used is told where it is shown."""
        try:
            return self.keeper.load().settings.leds
        except (SettingsError, OSError):
            return LedSettings()

    def _play_match(self, asked: PendingJob) -> bool:
        """Whether somebody stopped the program. A match that cannot begin is told to whoever wanted it."""
        self._enter_stage(ProgramStage.STARTING)
        try:
            with ExitStack() as opened:
                playing, table = self._prepare_match(asked, opened)
                playing.play(table, opened, self.page)
                return playing.is_stopped
        except _START_ERRORS as error:
            if asked.answer.done() and not isinstance(error, _MATCH_ERRORS):
                raise
            sentence = _sentence(error)
            _LOG.error("%s", sentence)
            if not asked.answer.done():
                asked.fail(sentence)
        return False

    def _prepare_match(self, asked: PendingJob, opened: ExitStack) -> tuple[MatchRun, MatchConfig]:
        match = self._resolve_match(asked)
        camera = match.settings.camera
        name = self.source if camera.source in (None, self.settings_source) else camera.source
        calibration = resolve_calibration(camera.calibration, self.options.data, source=name)
        size_px = (camera.width_px, camera.height_px)
        source = opened.enter_context(open_source(name, size_px=size_px, fps=camera.fps))
        resumed = asked.job.name if isinstance(asked.job, ResumeMatch) else None
        options = argparse.Namespace(**{**vars(self.options), "resume": resumed})
        begun = partial(self._handle_begin, asked)
        return MatchRun(options, match.settings, source, calibration, self.keeper, begun), match.table

    def _handle_begin(self, asked: PendingJob) -> None:
        self._enter_stage(ProgramStage.PLAYING)
        asked.complete()

    def _resolve_match(self, asked: PendingJob) -> AgreedMatch:
        """What was agreed stays in a match that goes on; the settings tell how it is seen and shown today."""
        if isinstance(asked.job, StartMatch):
            return asked.job.match
        checked = self.keeper.load()
        return AgreedMatch(checked.settings, build_match_config(checked.settings, checked.house))

    def _enter_stage(self, stage: ProgramStage) -> None:
        self.page.control.stage = stage
        self.page.wake()


def _sentence(error: Exception) -> str:
    text = str(error)
    return text if text.endswith(".") else f"{text}."
