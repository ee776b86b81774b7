"""A recording to be transcribed: opened as often as it is looked at, its faults told once, its progress shown."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from controller.adjudication.board_view import start_occupancy
from controller.pictures.calibrate import MOST_PICTURES, WhatIsKnown, calibrate_source
from controller.refereeing.table import Table
from controller.session.live_inputs import RecordedInputs, no_commands
from controller.settings.settings import Settings
from controller.subcommands.match.calibration_used import loaded
from controller.subcommands.options.call import UsageError
from controller.subcommands.options.progress_shown import ProgressShown
from vision.camera.recorded import Pictures, Video
from vision.camera.sources import open_source
from vision.errors import SourceMissingError, SourceRefusedError, TimestampsError
from vision.frame import Frame
from vision.geometry.calibration import Calibration, Refusal

_LOG = logging.getLogger("zarbiter.transcribe")


def opened(name: str, settings: Settings) -> Pictures | Video:
    """UsageError for what is no recording."""
    try:
        source = open_source(name, fps=settings.camera.fps)
    except (SourceMissingError, SourceRefusedError, TimestampsError) as error:
        raise UsageError(str(error)) from None
    if not isinstance(source, Pictures | Video):
        source.close()
        raise UsageError(f"{name} is no recording; a camera is watched by zarbiter play")
    return source


def calibration_for(name: str, settings: Settings, table: Table) -> Calibration | Refusal:
    """The one given, or one made from the first pictures."""
    if settings.camera.calibration is not None:
        return loaded(settings.camera.calibration)
    start = None if table.is_grasshopper else start_occupancy(table.dice_rules)
    with opened(name, settings) as source:
        looked_at = min(MOST_PICTURES, source.length or MOST_PICTURES)
        progress = ProgressShown("pictures, to find the board", looked_at)
        found = calibrate_source(source, WhatIsKnown(start=start), tell=_LOG.debug, show=progress.show)
        progress.end()
    return found if isinstance(found, Refusal) else found.calibration


@dataclass(slots=True)
class Recording:
    """`complaints`: a sentence for each picture that could not be used; each is told once."""

    name: str
    settings: Settings
    calibration: Calibration
    complaints: list[str] = field(default_factory=list)

    @contextmanager
    def frames(self, doing: str) -> Iterator[Iterator[Frame]]:
        """All of them, from the beginning. `doing` is what is counted, in the plural."""
        with opened(self.name, self.settings) as source:
            progress = ProgressShown(doing, source.length)
            try:
                yield self._counted(source, progress)
            finally:
                progress.end()

    def _counted(self, source: Pictures | Video, progress: ProgressShown) -> Iterator[Frame]:
        inputs = RecordedInputs(source, self.calibration, no_commands, self._complain)
        frames = (given for given in inputs if isinstance(given, Frame))
        for number, frame in enumerate(frames, 1):
            progress.show(number)
            yield frame
        if not source.is_complete:
            self._complain(source.state.sentence)

    def _complain(self, sentence: str) -> None:
        if sentence not in self.complaints:
            self.complaints.append(sentence)
            _LOG.warning("%s", sentence)
