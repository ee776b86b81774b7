"""Plays one match: joins camera, log, lights, page, buttons and terminal, and runs the loop until the match is over."""

import argparse
import logging
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import takewhile

from controller.refereeing.match_config import MatchConfig, with_bar_of_board
from controller.session import (
    Announcer,
    Asker,
    BuzzerSink,
    FrameProcessor,
    LastState,
    LiveInput,
    Sink,
    referee_match,
    restore_appearance,
    warm_up,
)
from controller.settings import Settings, SettingsStore
from controller.subcommands.match.calibration_choice import describe_unused_appearance, describe_unused_lessons
from controller.subcommands.match.lights import open_match_lights
from controller.subcommands.match.match_inputs import MatchSource, open_buttons
from controller.subcommands.match.match_opening import SetUpCertificate, match_file, open_match
from controller.subcommands.match.match_sinks import LiveSettings, PageJobSink, keep_frames, open_voice, watch_settings
from controller.subcommands.match.page_calibration import make_page_processor, start_positions
from controller.web import MatchPage, OrderQueue
from vision import Calibration
from vision.frame import Condition, FrameSource

__all__ = ["MatchRun", "match_file"]

_LOG = logging.getLogger("zarbiter.play")


def _do_nothing() -> None:
    pass


@dataclass(slots=True)
class MatchRun:
    """One match of `zarbiter play`. `on_begin` is called when spectators can see the match.

    `is_stopped` is set when the operator wants the whole program to end, not just this match.
    """

    options: argparse.Namespace
    settings: Settings
    source: FrameSource
    calibration: Calibration
    keeper: SettingsStore
    on_begin: Callable[[], None] = _do_nothing
    is_stopped: bool = field(default=False, init=False)

    def play(self, table: MatchConfig, opened: ExitStack, page: MatchPage | None) -> bool:
        """False if the source failed or pictures of a recording could not be used; True otherwise.

        Before the match is in its log it may raise SettingsError, UsageError, BridgeError or MatchLogError; PageError.
        """
        source = MatchSource(self.source, self.calibration, is_resumed=self.options.resume is not None)
        table = with_bar_of_board(table, has_bar=self.calibration.field.has_bar)
        checked, games = self.keeper.load(), start_positions(self.options)
        warm_up(self.calibration)  # before the light board is opened: it waits at most 2 s for a picture
        lights = open_match_lights(self.settings.leds, table, opened)
        certificate = SetUpCertificate(self.settings.director, self.calibration, self.keeper)
        match = open_match(self.options, self.settings, table, source.now_ms, opened, certificate=certificate)
        if lights is not None:
            lights.picture.table = match.table
        last = LastState(match.state)
        strip_picture = None if lights is None else lights.picture
        asker = Asker(match.table, None if self.options.json else _print_line, strip_picture, in_background=True)
        buttons = open_buttons(last, asker, source.now_ms, opened)
        orders = OrderQueue() if page is None else page.orders
        tuple(orders())  # drops what was meant for an earlier match
        strip = None if lights is None else lights.sink
        live_settings = LiveSettings(watch_settings(self.keeper, checked), checked.settings, strip, orders.put)
        sinks: list[Sink] = [*([] if strip is None else [strip]), live_settings]
        sinks += [] if buttons is None else [BuzzerSink(buttons.buzz, match.table)]
        voice = open_voice(self.settings.speech, match.table, opened)
        sinks += [] if voice is None else [voice]
        announcer = Announcer(_print_line, match.table, as_json=self.options.json)
        announcer.publish(match.state, match.events, source.now_ms())
        processor: FrameProcessor = source.make_processor()
        inputs: Iterable[LiveInput] = orders.merge_with(source.inputs(buttons, asker, opened))
        history = match.log.read().events
        lessons_unused = describe_unused_lessons(self.calibration, history)
        if lessons_unused:
            _LOG.warning("%s", lessons_unused)
        if page is not None:
            warning = describe_unused_appearance(self.calibration) or lessons_unused
            processor = make_page_processor(page, source, games, self.settings, self.options, warning=warning)
            path = match.log.path
            sinks.append(page.show(path.stem, match.table, match.state, history, path=path, questions=asker.questions))
            jobs = PageJobSink(page.control, lights)
            sinks.append(jobs)
            inputs = takewhile(lambda _: not jobs.is_ended, inputs)
        learned = restore_appearance(self.calibration.appearance, history)
        processor = processor if learned is None else processor.with_appearance(learned)
        processor = keep_frames(processor, self.settings.log, match.log.path, opened)
        now_ms, n_events = source.now_ms(), match.log.n_events
        sinks += [self.options.publisher.show(match.log.path, match.table, match.state, n_events, now_ms)]
        sinks += [announcer, asker, last, self.options.service]
        inputs = takewhile(lambda _: not last.is_over(), inputs)
        self.on_begin()
        try:
            referee_match(inputs, match.table, match.log, sinks, processor=processor, state=match.state)
        except KeyboardInterrupt:
            self.is_stopped = True
            _LOG.warning("stopped; zarbiter play --resume %s goes on with the match", match.log.path.stem)
        else:
            if source.is_recording and last.state.match_winner is None:
                name = match.log.path.stem
                _LOG.warning("the recording is over, the match is not; zarbiter play --resume %s goes on with it", name)
        return self._source_is_well() and not source.picture_errors

    def _source_is_well(self) -> bool:
        state = self.source.state
        if state.condition is Condition.FAILED:
            _LOG.error("%s", state.sentence)
        return state.condition is not Condition.FAILED


def _print_line(line: str) -> None:
    print(line, flush=True)
