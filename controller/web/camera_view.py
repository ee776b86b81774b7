"""What the camera sees, with what was understood of it drawn over it: the newest picture only, encoded once for all.

The loop hands over a reference for each frame, and that only while somebody looks; drawing and encoding are done in a
thread of the server.
"""

from dataclasses import dataclass
from threading import Lock

from controller.match_log import PictureKind
from controller.match_log.picture import EvidencePicture, encode_jpeg
from controller.observing.observation import Observation
from controller.session.camera_watch import VideoProcessor
from vision.board.board_reading import BoardReading
from vision.board.overlay import draw_reading
from vision.frame import Frame
from vision.geometry.calibration import Calibration, scale_to_picture


@dataclass(frozen=True, slots=True, eq=False)
class InterpretedFrame:
    """A frame, and what was read from it."""

    frame: Frame
    reading: BoardReading
    calibration: Calibration

    def to_jpeg(self) -> bytes:
        """With corners, counts, dice and how sure each of them is. VisionError where the calibration does not fit."""
        height_px, width_px = self.frame.pixels.shape[:2]
        known = scale_to_picture(self.calibration, width_px, height_px)
        drawn = draw_reading(self.frame.pixels, self.reading, known.projection, known.field)
        return encode_jpeg(EvidencePicture(PictureKind.AFTER, drawn)).content


class CameraView:
    """Newest only; written by the loop, read by the server."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._watchers = 0
        self._newest: InterpretedFrame | None = None

    @property
    def newest(self) -> InterpretedFrame | None:
        with self._lock:
            return self._newest

    def put(self, interpreted: InterpretedFrame) -> None:
        """Nothing is kept while nobody looks."""
        with self._lock:
            if self._watchers:
                self._newest = interpreted

    def begin_watching(self) -> None:
        with self._lock:
            self._watchers += 1

    def end_watching(self) -> None:
        with self._lock:
            self._watchers -= 1
            if not self._watchers:
                self._newest = None


@dataclass(frozen=True, slots=True, eq=False)
class ViewableProcessor:
    """A film whose frames can be looked at on the page."""

    processor: VideoProcessor
    view: CameraView

    @property
    def calibration(self) -> Calibration:
        return self.processor.calibration

    def process(self, frame: Frame) -> tuple["ViewableProcessor", Observation]:
        """One frame further. VisionError for a picture that the calibration does not fit."""
        film, seen = self.processor.process(frame)
        if film.cached_reading is not None:
            self.view.put(InterpretedFrame(frame, film.cached_reading.reading, film.calibration))
        return ViewableProcessor(film, self.view), seen
