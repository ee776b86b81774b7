"""Matches that are set up on the page: waited for, played one after the other, until somebody stops the program."""

import argparse
import logging
import os
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial

from controller.match_log import MatchLogError, matches_folder
from controller.refereeing.referee import begin
from controller.refereeing.table import Table
from controller.settings.agreed_table import table_agreed
from controller.settings.atomic_file import data_folder
from controller.settings.match_set_up import AgreedMatch
from controller.settings.settings import LedSettings, SettingsError
from controller.settings.store import SettingsKeeper
from controller.subcommands.match.calibration_page import desk_while_waiting
from controller.subcommands.match.calibration_used import calibration_asked_for
from controller.subcommands.match.opened import unfinished_match
from controller.subcommands.match.played import Playing
from controller.subcommands.match.pointed_strip import PointedStrip
from controller.subcommands.options.call import UsageError
from controller.web.page_of_match import MatchPage
from controller.web.set_up.led_map_kept import LedMapKeeper
from controller.web.set_up.office import Asked, EndMatch, NotDoneError, PointAt, ResumeMatch, Stage, StartMatch
from firmware_bridge.errors import BridgeError
from vision.camera.sources import open_source
from vision.errors import VisionError

_LOG = logging.getLogger("zarbiter.play")

_LOOK_EVERY_S = 0.25
_ENDS_A_MATCH = (VisionError, BridgeError, MatchLogError, OSError)
_NOT_BEGUN = (*_ENDS_A_MATCH, UsageError, ValueError)
"""Why a match cannot begin; SettingsError and a path that is none are ValueErrors."""


def furnish(page: MatchPage, keeper: SettingsKeeper, options: argparse.Namespace, *, can_begin: bool) -> None:
    """Settings and LED map can be seen and changed on the page from now on; `can_begin`: matches can be begun there."""
    office = page.office
    office.keeper, office.can_begin = keeper, can_begin
    office.led_map = LedMapKeeper(keeper, data_folder(options.data, os.environ))


@dataclass(slots=True)
class MatchOffice:
    """`source` is what matches are watched by as long as the settings name `named`, as they did at the start."""

    options: argparse.Namespace
    page: MatchPage
    keeper: SettingsKeeper
    source: str
    named: str | None = None

    def show_nothing_yet(self, table: Table) -> None:
        """Before the first match the page has its board and nothing on it, and nothing can be set up yet."""
        self.page.office.stage = Stage.STARTING
        state, _ = begin(table, 0)
        self.page.show("", table, state, (), path=None)

    def open(self) -> None:
        """Until Ctrl-C."""
        try:
            while True:
                if self._played(self._next_match()):
                    return
        except KeyboardInterrupt:
            _LOG.warning("stopped")

    def _next_match(self) -> Asked:
        office = self.page.office
        office.unfinished = unfinished_match(matches_folder(data_folder(self.options.data, os.environ)))
        with ExitStack() as opened:
            self._let_calibrate(opened)
            strip = PointedStrip()
            opened.callback(strip.close)
            self._enter(Stage.WAITING)  # whoever sees that can do everything that is done while no match is played
            _LOG.warning("waiting for a match to be set up on the page")
            while True:
                asked = office.next(_LOOK_EVERY_S)
                strip.keep()
                if asked is None:
                    continue
                match asked.job:
                    case PointAt(led):
                        self._point_at(asked, led, strip)
                    case EndMatch():
                        asked.not_done("No match is being played.")
                    case StartMatch() | ResumeMatch():
                        return asked

    def _let_calibrate(self, opened: ExitStack) -> None:
        """The camera, which no match has now."""
        self.page.let_calibrate(None)
        with suppress(SettingsError, UsageError, OSError):  # told where settings are shown
            settings = self.keeper.now().settings
            self.page.let_calibrate(desk_while_waiting(self.options, settings, self.source, opened))
            opened.callback(self.page.let_calibrate, None)

    def _point_at(self, asked: Asked, led: int | None, strip: PointedStrip) -> None:
        led_map = self.page.office.led_map
        try:
            led_count = strip.point_at(led, self._leds())
        except (BridgeError, UsageError, NotDoneError) as error:
            asked.not_done(_sentence(error))
            return
        if led_map is not None:
            led_map.led_count = led_count
        asked.done()

    def _leds(self) -> LedSettings:
        """As they are now; a file that cannot be used is told where it is shown."""
        try:
            return self.keeper.now().settings.leds
        except (SettingsError, OSError):
            return LedSettings()

    def _played(self, asked: Asked) -> bool:
        """Whether somebody stopped the program. A match that cannot begin is told to whoever wanted it."""
        self._enter(Stage.STARTING)
        try:
            with ExitStack() as opened:
                playing, table = self._playing(asked, opened)
                playing.play(table, opened, self.page)
                return playing.is_stopped
        except _NOT_BEGUN as error:
            if asked.answer.done() and not isinstance(error, _ENDS_A_MATCH):
                raise
            sentence = _sentence(error)
            _LOG.error("%s", sentence)
            if not asked.answer.done():
                asked.not_done(sentence)
        return False

    def _playing(self, asked: Asked, opened: ExitStack) -> tuple[Playing, Table]:
        match = self._match_of(asked)
        camera = match.settings.camera
        name = self.source if camera.source in (None, self.named) else camera.source
        calibration = calibration_asked_for(camera.calibration, self.options.data, source=name)
        size_px = (camera.width_px, camera.height_px)
        source = opened.enter_context(open_source(name, size_px=size_px, fps=camera.fps))
        resumed = asked.job.name if isinstance(asked.job, ResumeMatch) else None
        options = argparse.Namespace(**{**vars(self.options), "resume": resumed})
        begun = partial(self._begun, asked)
        return Playing(options, match.settings, source, calibration, self.keeper, begun), match.table

    def _begun(self, asked: Asked) -> None:
        self._enter(Stage.PLAYING)
        asked.done()

    def _match_of(self, asked: Asked) -> AgreedMatch:
        """What was agreed stays in a match that goes on; the settings tell how it is seen and shown today."""
        if isinstance(asked.job, StartMatch):
            return asked.job.match
        checked = self.keeper.now()
        return AgreedMatch(checked.settings, table_agreed(checked.settings, checked.house))

    def _enter(self, stage: Stage) -> None:
        self.page.office.stage = stage
        self.page.wake()


def _sentence(error: Exception) -> str:
    text = str(error)
    return text if text.endswith(".") else f"{text}."
