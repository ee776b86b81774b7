"""Recordings to be transcribed: each is opened for each pass, each fault is reported once, and progress is shown."""

import hashlib
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from statistics import median

from controller.match import RecordingUsed
from controller.pictures.calibrate import MOST_PICTURES, CalibrationPriors, calibrate_source
from controller.pictures.supposed_start import suppose_start, without_unconfirmed_lesson
from controller.refereeing.match_config import MatchConfig
from controller.session import RecordedInputs, no_commands
from controller.settings import Settings
from controller.subcommands.match.calibration_choice import read_calibration
from controller.subcommands.options import Bar, CommandFailedError, MakeBar, ProgressBar, UsageError
from vision import Calibration, Frame, Refusal, VisionError
from vision.camera.recorded import Pictures, Video
from vision.camera.sources import open_source
from vision.errors import SourceMissingError, SourceRefusedError, TimestampsError

_LOG = logging.getLogger("zarbiter.transcribe")

MOST_FPS = 10.0
"""Pictures a second that are read of a video; a knob. Dice that rest for a second are seen ten times, and a film of 60
pictures a second takes no longer than one of 10."""
SETTLED_APART_MS = 1_500
"""Pictures that are further apart were taken one by one: a camera that sends none for so long counts as lost."""
BETWEEN_MS = 60_000
"""From the end of one recording to the next in the time of the match; how long it was in truth nobody knows."""
_HASHED_BYTES = 1 << 20  # of the first and the last file: some pictures of a video
_SPAN_MS = 1_000


@dataclass(frozen=True, slots=True)
class KnownRecording:
    """What is known of a recording before its pictures are read. `are_settled`: they were taken one by one."""

    source: str
    used: RecordingUsed
    end_ms: int
    are_settled: bool


def open_recording(name: str, settings: Settings) -> Pictures | Video:
    """Raises UsageError for a source that is no recording."""
    try:
        source = open_source(name, fps=settings.camera.fps, most_fps=MOST_FPS)
    except (SourceMissingError, SourceRefusedError, TimestampsError) as error:
        raise UsageError(str(error)) from None
    if not isinstance(source, Pictures | Video):
        source.close()
        raise UsageError(f"{name} is no recording; a camera is watched by zarbiter play")
    return source


def list_recordings(names: Sequence[str], settings: Settings) -> tuple[KnownRecording, ...]:
    """The recordings in their order in the match. Raises UsageError, and CommandFailedError for a file that is no video."""
    found: list[KnownRecording] = []
    begins_ms = 0
    for name in names:
        try:
            with open_recording(name, settings) as source:
                used = RecordingUsed(Path(name).resolve().name, _count_bytes(source), _digest(source), begins_ms)
                found.append(KnownRecording(name, used, source.end_ms, _are_settled(source)))
                is_endless = isinstance(source, Video) and source.end_ms == 0
        except VisionError as error:
            raise CommandFailedError(str(error)) from None
        except OSError as error:
            raise UsageError(f"{name} cannot be read ({error.strerror or error}); name one that you may read") from None
        if is_endless and len(found) < len(names):
            raise UsageError(f"{name} does not say how long it is, so none can follow; convert it to MP4 (H.264)")
        begins_ms += -(-(source.end_ms + BETWEEN_MS) // _SPAN_MS) * _SPAN_MS
    if len({one.used.digest for one in found}) < len(found):
        raise UsageError("a recording is named twice; name each once")
    return tuple(found)


def _count_bytes(source: Pictures | Video) -> int:
    return sum(file.stat().st_size for file in source.files)


def _digest(source: Pictures | Video) -> str:
    """A hash of the number of files, their sizes, the times, and the beginning of the first file and end of the last one."""
    sizes = [file.stat().st_size for file in source.files]
    digest = hashlib.sha256(f"{sizes} {source.times} ".encode())
    if sizes:
        with source.files[0].open("rb") as first:
            digest.update(first.read(_HASHED_BYTES))
        with source.files[-1].open("rb") as last:
            last.seek(max(0, sizes[-1] - _HASHED_BYTES))
            digest.update(last.read(_HASHED_BYTES))
    return digest.hexdigest()


def _are_settled(source: Pictures | Video) -> bool:
    """Whether the times of a folder, else those of its files, are so far apart that each picture shows a settled scene."""
    if isinstance(source, Video) or len(source.files) < 2:
        return False
    if source.has_times:
        times_ms = list(source.times_ms)
    else:
        times_ms = [file.stat().st_mtime_ns // 1_000_000 for file in source.files]
    return median(after - before for before, after in pairwise(times_ms)) >= SETTLED_APART_MS


def calibrate_recording(
    name: str, settings: Settings, table: MatchConfig, make_bar: MakeBar = ProgressBar
) -> Calibration | Refusal:
    """The calibration of the settings, or one made from the first pictures."""
    if settings.camera.calibration is not None:
        return read_calibration(settings.camera.calibration)
    with open_recording(name, settings) as source:
        progress = make_bar("pictures, to find the board", min(MOST_PICTURES, source.length or MOST_PICTURES))
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
    that could not be used; `span_ms`: the times of the first and the last picture that was used, in the match. Pictures
    before `from_ms` and from `until_ms` on are left out.
    """

    known: KnownRecording
    settings: Settings
    calibration: Calibration
    from_ms: int = 0
    until_ms: int | None = None
    make_bar: MakeBar = ProgressBar
    picture_errors: list[str] = field(default_factory=list)
    unread: int = 0
    span_ms: tuple[int, int] | None = None

    def pass_over(self) -> None:
        """An earlier run has read all of it."""
        begins_ms = self.known.used.begins_ms
        self.span_ms = begins_ms, begins_ms + self.known.end_ms

    @contextmanager
    def frames(self, doing: str) -> Iterator[Iterator[Frame]]:
        """One pass over all frames, in the time of the match. `doing` names what the progress bar counts, in the plural."""
        with open_recording(self.known.source, self.settings) as source:
            progress = self.make_bar(doing, source.length)
            try:
                yield self._count_frames(source, progress)
            finally:
                progress.end()

    def _count_frames(self, source: Pictures | Video, progress: Bar) -> Iterator[Frame]:
        self.unread = 0
        inputs = RecordedInputs(source, self.calibration, no_commands, self._count_unread)
        frames = (given for given in inputs if isinstance(given, Frame))
        for frame in frames:
            progress.show(source.read_count)
            if frame.taken_ms < self.from_ms:
                continue
            if self.until_ms is not None and frame.taken_ms >= self.until_ms:
                return
            moved = replace(frame, taken_ms=frame.taken_ms + self.known.used.begins_ms)
            self.span_ms = (self.span_ms or (moved.taken_ms,))[0], moved.taken_ms
            yield moved
        if not source.is_complete:
            self._report_picture_error(source.state.sentence)

    def _count_unread(self, sentence: str) -> None:
        self.unread += 1
        self._report_picture_error(sentence)

    def _report_picture_error(self, sentence: str) -> None:
        if sentence not in self.picture_errors:
            self.picture_errors.append(sentence)
            _LOG.warning("%s", sentence)
