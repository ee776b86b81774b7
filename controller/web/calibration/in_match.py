"""Calibrating beside a match that has the camera: with the frames that the loop sees, and never while a game is played."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from controller.observing.observation import Observation
from controller.refereeing.state import Phase, RefereeState
from controller.session.camera_watch import Film
from controller.web.calibration.camera import SourceKind, SourceOffered
from controller.web.calibration.desk import CalibrationDesk, Purpose, StartPosition
from controller.web.calibration.shelf import FrameShelf
from controller.web.camera_view import WatchedFilm
from vision.frame import Frame
from vision.geometry.calibration import Calibration

_FREE = frozenset({Phase.SET_UP, Phase.GAME_OVER, Phase.BLIND, Phase.PAUSED})
_NOT_NOW = "A game is being played, and is not disturbed; calibrate between games, or pause the match."


def is_undisturbed(state: RefereeState) -> bool:
    """Between games, while the match is paused, and while nothing is seen: a board that was moved, a lost camera."""
    return state.phase in _FREE or state.match_winner is not None


def why_not_now(state: RefereeState) -> str:
    """Empty while nobody is disturbed."""
    return "" if is_undisturbed(state) else _NOT_NOW


class MatchEyes:
    """Sees what the loop sees, as long as somebody looks."""

    def __init__(self, label: str) -> None:
        self.sources: tuple[SourceOffered, ...] = (SourceOffered("", SourceKind.MATCH, label),)
        self.shelf = FrameShelf(is_shared=True)
        self.chosen: int | None = 0
        self.sentence = ""
        self.is_recording = False

    def choose(self, index: int) -> None:
        """There is only one."""


@dataclass(slots=True)
class NewCalibration:
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
class CalibratedAnew:
    """A film that begins again with each new calibration: what was read by the old one is no evidence any more."""

    watched: WatchedFilm
    shelf: FrameShelf
    new: NewCalibration
    begun_with: Calibration | None = None  # of the new ones

    @property
    def calibration(self) -> Calibration:
        return self.watched.calibration

    def seen(self, frame: Frame) -> tuple["CalibratedAnew", Observation]:
        """One frame further. VisionError for a picture that the calibration does not fit."""
        self.shelf.put(frame)
        new = self.new.newest
        watched = self.watched
        if new is not None and new is not self.begun_with:
            watched = WatchedFilm(Film(new), watched.view)
        after, seen = watched.seen(frame)
        return CalibratedAnew(after, self.shelf, self.new, new), seen


class CalibrationBeside:
    """The wizard of one match. What it saves holds from the next frame on."""

    def __init__(self, label: str, file: Path, games: Mapping[str, StartPosition], game: str | None) -> None:
        self._eyes, self._new = MatchEyes(label), NewCalibration()
        self.desk = CalibrationDesk(self._eyes, file, Purpose.MATCH, games, game, taken=self._new.put)

    def watching(self, watched: WatchedFilm) -> CalibratedAnew:
        self.desk.in_use = watched.calibration
        return CalibratedAnew(watched, self._eyes.shelf, self._new)
