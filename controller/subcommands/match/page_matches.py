"""Plays the matches that are set up on the page, one after the other, until the program is stopped."""

import argparse
import logging
import os
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial

from controller.match_log import MatchLogError
from controller.refereeing.match_config import MatchConfig
from controller.settings import AgreedMatch, SettingsStore, data_folder
from controller.settings.build_match_config import build_match_config
from controller.subcommands.match.calibration_choice import resolve_calibration
from controller.subcommands.match.match_run import MatchRun
from controller.subcommands.match.page_waiting import PageWaiting, as_sentence, enter_stage
from controller.subcommands.options import UsageError
from controller.web import (
    LedMapStore,
    MatchPage,
    PendingJob,
    ProgramStage,
    ResumeMatch,
    StartMatch,
)
from firmware_bridge import BridgeError
from vision import VisionError
from vision.camera.sources import open_source

_LOG = logging.getLogger("zarbiter.play")

MATCH_ERRORS = (VisionError, BridgeError, MatchLogError)
"""Why a match ends before its time."""
_FAILURES = (*MATCH_ERRORS, OSError)
_START_ERRORS = (*_FAILURES, UsageError, ValueError)
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

    def run(self, before: MatchConfig | None = None) -> None:
        """Plays matches until Ctrl-C. Shows the empty board of `before` first, while nothing can be set up yet."""
        waiting = PageWaiting(self.options, self.page, self.keeper, self.source)
        if before is not None:
            waiting.show_empty_board(before)
        try:
            while True:
                if self._play_match(waiting.wait_for_match()):
                    return
        except KeyboardInterrupt:
            _LOG.warning("stopped")

    def _play_match(self, pending: PendingJob) -> bool:
        """Returns whether the program was stopped. A match that cannot begin fails its job with the reason."""
        enter_stage(self.page, ProgramStage.STARTING)
        try:
            with ExitStack() as opened:
                run, table = self._prepare_match(pending, opened)
                run.play(table, opened, self.page)
                return run.is_stopped
        except _START_ERRORS as error:
            if pending.answer.done() and not isinstance(error, _FAILURES):
                raise
            sentence = as_sentence(error)
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
        source = opened.enter_context(open_source(name, size_px=size_px, fps=camera.fps, phone=self.page.phone))
        resumed = pending.job.name if isinstance(pending.job, ResumeMatch) else None
        options = argparse.Namespace(**{**vars(self.options), "resume": resumed})
        on_begin = partial(self._handle_begin, pending)
        return MatchRun(options, match.settings, source, calibration, self.keeper, on_begin), match.table

    def _handle_begin(self, pending: PendingJob) -> None:
        enter_stage(self.page, ProgramStage.PLAYING)
        pending.complete()

    def _resolve_match(self, pending: PendingJob) -> AgreedMatch:
        """A new match as it was agreed. A resumed match keeps its agreement and takes camera and lights from today."""
        if isinstance(pending.job, StartMatch):
            return pending.job.match
        checked = self.keeper.load()
        return AgreedMatch(checked.settings, build_match_config(checked.settings, checked.house))
