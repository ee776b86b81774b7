"""Calibrating beside a match that has the camera: with the frames that the loop sees, and never while a game is played."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from controller.observing.observation import Observation
from controller.refereeing.state import Phase, RefereeState
from controller.session.camera_watch import VideoProcessor
from controller.web.calibration.camera import SourceKind, SourceOption
from controller.web.calibration.frame_buffer import FrameBuffer
from controller.web.calibration.session import CalibrationSession, Purpose, StartPosition
from controller.web.camera_view import ViewableProcessor
from vision.frame import Frame
from vision.geometry.calibration import Calibration

_CALIBRATABLE_PHASES = frozenset({Phase.SET_UP, Phase.GAME_OVER, Phase.BLIND, Phase.PAUSED})
_NOT_NOW = "A game is being played, and is not disturbed; calibrate between games, or pause the match."


def may_calibrate(state: RefereeState) -> bool:
    """Between games, while the match is paused, and while nothing is seen: a board that was moved, a lost camera."""
    return state.phase in _CALIBRATABLE_PHASES or state.match_winner is not None


def explain_block(state: RefereeState) -> str:
    """Empty while nobody is disturbed."""
    return "" if may_calibrate(state) else _NOT_NOW


class MatchFrameProvider:
    """Sees what the loop sees, as long as somebody looks."""

    def __init__(self, label: str) -> None:
        self.sources: tuple[SourceOption, ...] = (SourceOption("", SourceKind.MATCH, label),)
        self.buffer = FrameBuffer(is_shared=True)
        self.source_index: int | None = 0
        self.sentence = ""
        self.is_recording = False

    def choose(self, index: int) -> None:
        """There is only one."""


@dataclass(slots=True)
class CalibrationHandover:
    """The way of one that was saved from the server's thread to the loop; only the last counts."""

    _lock: Lock = field(default_factory=Lock)
    _newest: Calibration | None = None

    def put(self, calibration: Calibration) -> None:
        with self._lock:
            self._newest = calibration

    @property
    def newest(self) -> Calibration | None:
        """None where none was saved during this match."""
        with self._lock:
            return self._newest


@dataclass(frozen=True, slots=True, eq=False)
class RecalibratingProcessor:
    """A film that begins again with each new calibration: what was read by the old one is no evidence any more."""

    processor: ViewableProcessor
    buffer: FrameBuffer
    handover: CalibrationHandover
    applied_calibration: Calibration | None = None  # of the new ones

    @property
    def calibration(self) -> Calibration:
        return self.processor.calibration

    def process(self, frame: Frame) -> tuple["RecalibratingProcessor", Observation]:
        """One frame further. VisionError for a picture that the calibration does not fit."""
        self.buffer.put(frame)
        new = self.handover.newest
        watched = self.processor
        if new is not None and new is not self.applied_calibration:
            watched = ViewableProcessor(VideoProcessor(new), watched.view)
        after, seen = watched.process(frame)
        return RecalibratingProcessor(after, self.buffer, self.handover, new), seen


class InMatchCalibration:
    """The wizard of one match. What it saves holds from the next frame on."""

    def __init__(self, label: str, file: Path, games: Mapping[str, StartPosition], game: str | None) -> None:
        self._provider, self._handover = MatchFrameProvider(label), CalibrationHandover()
        self.session = CalibrationSession(self._provider, file, Purpose.MATCH, games, game, on_saved=self._handover.put)

    def wrap_processor(self, processor: ViewableProcessor) -> RecalibratingProcessor:
        self.session.in_use = processor.calibration
        return RecalibratingProcessor(processor, self._provider.buffer, self._handover)
