"""Calibration with the frames of a running match, allowed only while no game is played."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from controller.observing import Observation
from controller.refereeing.state import Phase, RefereeState
from controller.session.camera_watch import VideoProcessor
from controller.session.loop import AroundProcessor
from controller.web.calibration.camera import SourceKind, SourceOption
from controller.web.calibration.frame_buffer import FrameBuffer
from controller.web.calibration.session import CalibrationSession, Purpose, StartPosition
from controller.web.camera_view import ViewableProcessor
from vision.frame import Frame
from vision.geometry.calibration import Calibration

_CALIBRATABLE_PHASES = frozenset({Phase.SET_UP, Phase.GAME_OVER, Phase.BLIND, Phase.PAUSED})
_NOT_NOW = "A game is being played, and is not disturbed; calibrate between games, or pause the match."


def may_calibrate(state: RefereeState) -> bool:
    """Whether no game is disturbed: between games, in a pause, and while the board has moved or the camera is lost."""
    return state.phase in _CALIBRATABLE_PHASES or state.match_winner is not None


def explain_block(state: RefereeState) -> str:
    """Why calibration is not allowed now; empty while it is allowed."""
    return "" if may_calibrate(state) else _NOT_NOW


def explain_block_of_session(session: CalibrationSession | None, state: RefereeState) -> str:
    """Why this camera may not be calibrated now: a match uses it, and a game is being played. Empty while it may."""
    return explain_block(state) if session is not None and session.purpose is Purpose.MATCH else ""


class MatchFrameProvider:
    """The frames of the running match, kept while somebody requests them."""

    def __init__(self, label: str) -> None:
        self.sources: tuple[SourceOption, ...] = (SourceOption("", SourceKind.MATCH, label),)
        self.buffer = FrameBuffer(is_shared=True)
        self.source_index: int | None = 0
        self.sentence = ""
        self.is_recording = False

    def choose(self, index: int) -> None:
        """Does nothing: the match has only one source."""


@dataclass(frozen=True, slots=True, eq=False)
class RecalibratingProcessor(AroundProcessor[ViewableProcessor]):
    """Restarts the video processor with each new calibration, because readings by the old one are no longer evidence.

    The server's thread saves a calibration in the session; the loop takes the reference from there.
    """

    session: CalibrationSession
    applied_calibration: Calibration | None = None  # the last saved calibration that is in use

    def process(self, frame: Frame) -> tuple["RecalibratingProcessor", Observation]:
        """Reads the next frame. VisionError for a picture that the calibration does not fit."""
        self.session.provider.buffer.put(frame)
        saved = self.session.saved
        new = None if saved is None else saved.calibration
        processor = self.processor
        if new is not None and new is not self.applied_calibration:
            processor = ViewableProcessor(VideoProcessor(new, processor.processor.before_play), processor.view)
        after, observation = processor.process(frame)
        return RecalibratingProcessor(after, self.session, new), observation


class InMatchCalibration:
    """The calibration wizard of one match. A saved calibration is used from the next frame on."""

    def __init__(self, label: str, file: Path, games: Mapping[str, StartPosition], game: str | None) -> None:
        self.session = CalibrationSession(MatchFrameProvider(label), file, Purpose.MATCH, games, game)

    def wrap_processor(self, processor: ViewableProcessor) -> RecalibratingProcessor:
        self.session.in_use = processor.calibration
        return RecalibratingProcessor(processor, self.session)
