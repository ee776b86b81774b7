"""The page between two matches: calibration and pointing at LEDs, until the operator begins or resumes a match."""

import argparse
import logging
import os
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from controller.match_log import matches_folder
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.referee import begin_match
from controller.settings import LedSettings, SettingsError, SettingsStore, data_folder
from controller.subcommands.match.led_pointer import LedPointer
from controller.subcommands.match.match_resuming import find_unfinished_listing
from controller.subcommands.match.page_calibration import open_idle_calibration
from controller.subcommands.options import UsageError
from controller.web import (
    EndMatch,
    JobFailedError,
    MatchPage,
    PendingJob,
    PointAt,
    ProgramStage,
    ResumeMatch,
    StartAgain,
    StartMatch,
    UnfinishedMatch,
)
from firmware_bridge import BridgeError

_LOG = logging.getLogger("zarbiter.play")

_POLL_EVERY_S = 0.25


@dataclass(frozen=True, slots=True)
class PageWaiting:
    """`source` is the camera that the page offers for calibration when the settings name none."""

    options: argparse.Namespace
    page: MatchPage
    keeper: SettingsStore
    source: str

    def show_empty_board(self, table: MatchConfig) -> None:
        """Shows an empty board before the first match, while nothing can be set up yet."""
        self.page.control.stage = ProgramStage.STARTING
        state, _ = begin_match(table, 0)
        self.page.show("", table, state, (), path=None)

    def wait_for_match(self) -> PendingJob:
        """The job that begins or resumes a match; the jobs before it are done here."""
        control = self.page.control
        control.unfinished = find_resumable(matches_folder(data_folder(self.options.data, os.environ)))
        with ExitStack() as opened:
            self._offer_calibration(opened)
            strip = LedPointer()
            opened.callback(strip.close)
            enter_stage(self.page, ProgramStage.WAITING)  # last, since a client may send any job at this stage
            _LOG.warning("waiting for a match to be set up on the page")
            while True:
                pending = control.next_job(_POLL_EVERY_S)
                strip.keep_alive()
                if pending is None:
                    continue
                match pending.job:
                    case PointAt(led):
                        self._point_at(pending, led, strip)
                    case EndMatch() | StartAgain():
                        pending.fail("No match is being played.")
                    case StartMatch() | ResumeMatch():
                        return pending

    def _offer_calibration(self, opened: ExitStack) -> None:
        """Lets the page calibrate with the camera, which no match uses now."""
        self.page.set_calibration_session(None)
        with suppress(SettingsError, UsageError, OSError):  # the settings page reports these
            settings = self.keeper.load().settings
            self.page.set_calibration_session(
                open_idle_calibration(self.options, settings, self.source, opened, self.page.door)
            )
            opened.callback(self.page.set_calibration_session, None)

    def _point_at(self, pending: PendingJob, led: int | None, strip: LedPointer) -> None:
        led_map = self.page.control.led_map
        try:
            led_count = strip.point_at(led, self._led_settings())
        except (BridgeError, UsageError, JobFailedError) as error:
            pending.fail(as_sentence(error))
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


def find_resumable(folder: Path) -> UnfinishedMatch | None:
    """The newest match of the folder if it is not over."""
    found = find_unfinished_listing(folder)
    if found is None or found.summary is None:
        return None
    known = found.summary
    score = known.white_score, known.black_score
    return UnfinishedMatch(found.name, known.white, known.black, score, known.created_utc)


def enter_stage(page: MatchPage, stage: ProgramStage) -> None:
    """Tells the page's clients what the program does now."""
    page.control.stage = stage
    page.wake()


def as_sentence(error: Exception) -> str:
    """The error's text with a full stop, as the page shows it."""
    text = str(error)
    return text if text.endswith(".") else f"{text}."
