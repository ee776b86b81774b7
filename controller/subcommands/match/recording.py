"""A recording to be transcribed: it is opened for each pass, each fault is reported once, and progress is shown."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from controller.pictures.calibrate import MOST_PICTURES, CalibrationPriors, calibrate_source
from controller.pictures.supposed_start import suppose_start, without_unconfirmed_lesson
from controller.refereeing.match_config import MatchConfig
from controller.session import RecordedInputs, no_commands
from controller.settings import Settings
from controller.subcommands.match.calibration_choice import read_calibration
from controller.subcommands.options import ProgressBar, UsageError
from vision import Calibration, Frame, Refusal
from vision.camera.recorded import Pictures, Video
from vision.camera.sources import open_source
from vision.errors import SourceMissingError, SourceRefusedError, TimestampsError

_LOG = logging.getLogger("zarbiter.transcribe")


def open_recording(name: str, settings: Settings) -> Pictures | Video:
    """Raises UsageError for a source that is no recording."""
    try:
        source = open_source(name, fps=settings.camera.fps)
    except (SourceMissingError, SourceRefusedError, TimestampsError) as error:
        raise UsageError(str(error)) from None
    if not isinstance(source, Pictures | Video):
        source.close()
        raise UsageError(f"{name} is no recording; a camera is watched by zarbiter play")
    return source


def calibrate_recording(name: str, settings: Settings, table: MatchConfig) -> Calibration | Refusal:
    """The calibration of the settings, or one made from the first pictures."""
    if settings.camera.calibration is not None:
        return read_calibration(settings.camera.calibration)
    with open_recording(name, settings) as source:
        progress = ProgressBar("pictures, to find the board", min(MOST_PICTURES, source.length or MOST_PICTURES))
        known = CalibrationPriors(start=None if table.is_grasshopper else suppose_start(table.dice_rules))
        found = calibrate_source(source, known, report=_LOG.debug, progress=progress.show)
        progress.end()
    if isinstance(found, Refusal):
        return found
    if known.start is None or found.picture is None:
        return found.calibration
    return without_unconfirmed_lesson(found.calibration, found.picture, known.start)


@dataclass(slots=True)
class Recording:
    """`picture_errors`: one sentence for each distinct fault of a picture. `unread` counts the pictures of the last pass
    that could not be used; `span_ms`: the times of the first and the last picture that was used. Pictures before `from_ms`
    and from `until_ms` on are left out.
    """

    name: str
    settings: Settings
    calibration: Calibration
    from_ms: int = 0
    until_ms: int | None = None
    picture_errors: list[str] = field(default_factory=list)
    unread: int = 0
    span_ms: tuple[int, int] | None = None

    @contextmanager
    def frames(self, doing: str) -> Iterator[Iterator[Frame]]:
        """One pass over all frames. `doing` names what the progress bar counts, in the plural."""
        with open_recording(self.name, self.settings) as source:
            progress = ProgressBar(doing, source.length)
            try:
                yield self._count_frames(source, progress)
            finally:
                progress.end()

    def _count_frames(self, source: Pictures | Video, progress: ProgressBar) -> Iterator[Frame]:
        self.unread = 0
        inputs = RecordedInputs(source, self.calibration, no_commands, self._count_unread)
        frames = (given for given in inputs if isinstance(given, Frame))
        for number, frame in enumerate(frames, 1):
            progress.show(number)
            if frame.taken_ms < self.from_ms:
                continue
            if self.until_ms is not None and frame.taken_ms >= self.until_ms:
                return
            self.span_ms = (self.span_ms or (frame.taken_ms,))[0], frame.taken_ms
            yield frame
        if not source.is_complete:
            self._report_picture_error(source.state.sentence)

    def _count_unread(self, sentence: str) -> None:
        self.unread += 1
        self._report_picture_error(sentence)

    def _report_picture_error(self, sentence: str) -> None:
        if sentence not in self.picture_errors:
            self.picture_errors.append(sentence)
            _LOG.warning("%s", sentence)
