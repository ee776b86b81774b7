"""Plays the matches that are set up on the page, one after the other, until the program is stopped."""

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
from controller.subcommands.match.led_pointer import LedPointer
from controller.subcommands.match.match_resuming import find_unfinished_match
from controller.subcommands.match.match_run import MatchRun
from controller.subcommands.match.page_calibration import open_idle_calibration
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
"""Why a match cannot begin; SettingsError and an invalid path are ValueErrors."""


def attach_settings(page: MatchPage, keeper: SettingsStore, options: argparse.Namespace, *, can_begin: bool) -> None:
    """Lets the page show and change settings and LED map; with `can_begin` the page can also begin matches."""
    control = page.control
    control.settings_store, control.can_begin = keeper, can_begin
    control.led_map = LedMapStore(keeper, data_folder(options.data, os.environ))


@dataclass(slots=True)
class PageMatchRunner:
    """Waits for jobs of the page and plays its matches.

    `source` is used while the settings still name `settings_source`, as at the start; otherwise their new source is.
    """

    options: argparse.Namespace
    page: MatchPage
    keeper: SettingsStore
    source: str
    settings_source: str | None = None

    def show_empty_board(self, table: MatchConfig) -> None:
        """Shows an empty board before the first match, while nothing can be set up yet."""
        self.page.control.stage = ProgramStage.STARTING
        state, _ = begin_match(table, 0)
        self.page.show("", table, state, (), path=None)

    def run(self) -> None:
        """Plays matches until Ctrl-C."""
        try:
            while True:
                if self._play_match(self._wait_for_match()):
                    return
        except KeyboardInterrupt:
            _LOG.warning("stopped")

    def _wait_for_match(self) -> PendingJob:
        control = self.page.control
        control.unfinished = find_unfinished_match(matches_folder(data_folder(self.options.data, os.environ)))
        with ExitStack() as opened:
            self._offer_calibration(opened)
            strip = LedPointer()
            opened.callback(strip.close)
            self._enter_stage(ProgramStage.WAITING)  # last, since a client may send any job at this stage
            _LOG.warning("waiting for a match to be set up on the page")
            while True:
                pending = control.next_job(_POLL_EVERY_S)
                strip.keep_alive()
                if pending is None:
                    continue
                match pending.job:
                    case PointAt(led):
                        self._point_at(pending, led, strip)
                    case EndMatch():
                        pending.fail("No match is being played.")
                    case StartMatch() | ResumeMatch():
                        return pending

    def _offer_calibration(self, opened: ExitStack) -> None:
        """Lets the page calibrate with the camera, which no match uses now."""
        self.page.set_calibration_session(None)
        with suppress(SettingsError, UsageError, OSError):  # the settings page reports these
            settings = self.keeper.load().settings
            self.page.set_calibration_session(open_idle_calibration(self.options, settings, self.source, opened))
            opened.callback(self.page.set_calibration_session, None)

    def _point_at(self, pending: PendingJob, led: int | None, strip: LedPointer) -> None:
        led_map = self.page.control.led_map
        try:
            led_count = strip.point_at(led, self._led_settings())
        except (BridgeError, UsageError, JobFailedError) as error:
            pending.fail(_sentence(error))
            return
        if led_map is not None:
            led_map.led_count = led_count
        pending.complete()

    def _led_settings(self) -> LedSettings:
        """The current LED settings; the defaults for an unusable file, which the settings page reports."""
        try:
            return self.keeper.load().settings.leds
        except (SettingsError, OSError):
            return LedSettings()

    def _play_match(self, pending: PendingJob) -> bool:
        """Returns whether the program was stopped. A match that cannot begin fails its job with the reason."""
        self._enter_stage(ProgramStage.STARTING)
        try:
            with ExitStack() as opened:
                run, table = self._prepare_match(pending, opened)
                run.play(table, opened, self.page)
                return run.is_stopped
        except _START_ERRORS as error:
            if pending.answer.done() and not isinstance(error, _MATCH_ERRORS):
                raise
            sentence = _sentence(error)
            _LOG.error("%s", sentence)
            if not pending.answer.done():
                pending.fail(sentence)
        return False

    def _prepare_match(self, pending: PendingJob, opened: ExitStack) -> tuple[MatchRun, MatchConfig]:
        match = self._resolve_match(pending)
        camera = match.settings.camera
        name = self.source if camera.source in (None, self.settings_source) else camera.source
        calibration = resolve_calibration(camera.calibration, self.options.data, source=name)
        size_px = (camera.width_px, camera.height_px)
        source = opened.enter_context(open_source(name, size_px=size_px, fps=camera.fps))
        resumed = pending.job.name if isinstance(pending.job, ResumeMatch) else None
        options = argparse.Namespace(**{**vars(self.options), "resume": resumed})
        on_begin = partial(self._handle_begin, pending)
        return MatchRun(options, match.settings, source, calibration, self.keeper, on_begin), match.table

    def _handle_begin(self, pending: PendingJob) -> None:
        self._enter_stage(ProgramStage.PLAYING)
        pending.complete()

    def _resolve_match(self, pending: PendingJob) -> AgreedMatch:
        """A new match as it was agreed. A resumed match keeps its agreement and takes camera and lights from today."""
        if isinstance(pending.job, StartMatch):
            return pending.job.match
        checked = self.keeper.load()
        return AgreedMatch(checked.settings, build_match_config(checked.settings, checked.house))

    def _enter_stage(self, stage: ProgramStage) -> None:
        self.page.control.stage = stage
        self.page.wake()


def _sentence(error: Exception) -> str:
    text = str(error)
    return text if text.endswith(".") else f"{text}."
