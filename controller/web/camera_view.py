"""The camera picture on the page, with the reading drawn over it: the newest one only, encoded once for all viewers.

The loop hands over a reference for each frame, and only while somebody watches. A thread of the server draws and encodes.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from threading import Lock
from typing import Self

from controller.match_log import EvidencePicture, PictureKind
from controller.match_log.picture import encode_jpeg
from controller.observing import Observation
from controller.session.camera_watch import VideoProcessor
from controller.web.limits import MOST_CAMERA_VIEWERS, ViewerSlots
from vision.board.board_reading import BoardReading
from vision.board.overlay import draw_reading
from vision.errors import VisionError
from vision.field.position_calibration import OccupancyByPlace
from vision.frame import Frame
from vision.geometry.calibration import Appearance, Calibration, scale_to_picture

BOUNDARY = "frame"
PICTURE_INTERVAL_S = 0.2
"""A knob: five pictures a second. Drawing and encoding one costs about 10 ms of a core."""


@dataclass(frozen=True, slots=True, eq=False)
class InterpretedFrame:
    """A frame and the reading of it."""

    frame: Frame
    reading: BoardReading
    calibration: Calibration

    def to_jpeg(self) -> bytes:
        """The frame with corners, counts, dice and their confidence. VisionError where the calibration does not fit."""
        height_px, width_px = self.frame.pixels.shape[:2]
        known = scale_to_picture(self.calibration, width_px, height_px)
        drawn = draw_reading(self.frame.pixels, self.reading, known.projection, known.field)
        return encode_jpeg(EvidencePicture(PictureKind.AFTER, drawn)).content


class CameraView:
    """The newest frame, kept only while somebody watches; written by the loop, read by the server."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._watchers = 0
        self._newest: InterpretedFrame | None = None

    @property
    def newest(self) -> InterpretedFrame | None:
        with self._lock:
            return self._newest

    def put(self, interpreted: InterpretedFrame) -> None:
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


class CameraStream:
    """The camera view as MJPEG (multipart/x-mixed-replace) for a limited number of viewers."""

    def __init__(self, view: CameraView) -> None:
        self.slots = ViewerSlots(MOST_CAMERA_VIEWERS)
        self._view = view
        self._encoding_lock = asyncio.Lock()
        self._encoded: tuple[InterpretedFrame | None, bytes] = (None, b"")

    async def parts(self, address: str, is_closing: asyncio.Event) -> AsyncIterator[bytes]:
        """The parts of the stream. It ends when the server closes; it is empty where no slot is free."""
        if not self.slots.acquire(address):
            return
        self._view.begin_watching()
        try:
            sent: InterpretedFrame | None = None
            while not is_closing.is_set():
                newest = self._view.newest
                if newest is not None and newest is not sent:
                    sent = newest
                    if content := await self._encode(newest):
                        yield _format_part(content)
                await asyncio.sleep(PICTURE_INTERVAL_S)
        finally:
            self._view.end_watching()
            self.slots.release(address)

    async def _encode(self, newest: InterpretedFrame) -> bytes:
        """Empty where the reading cannot be drawn over the picture; the referee reports the reason."""
        async with self._encoding_lock:
            if self._encoded[0] is not newest:
                try:
                    self._encoded = newest, await asyncio.to_thread(newest.to_jpeg)
                except VisionError:
                    self._encoded = newest, b""
            return self._encoded[1]


def _format_part(content: bytes) -> bytes:
    head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(content)}\r\n\r\n"
    return head.encode("ascii") + content + b"\r\n"


@dataclass(frozen=True, slots=True, eq=False)
class ViewableProcessor:
    """A video processor whose frames the page can show."""

    processor: VideoProcessor
    view: CameraView

    @property
    def calibration(self) -> Calibration:
        return self.processor.calibration

    @property
    def newest_reading(self) -> BoardReading | None:
        return self.processor.newest_reading

    def with_appearance(self, appearance: Appearance) -> Self:
        return replace(self, processor=self.processor.with_appearance(appearance))

    def find_moved_board(self, occupancy: OccupancyByPlace) -> Self:
        return replace(self, processor=self.processor.find_moved_board(occupancy))

    def process(self, frame: Frame) -> tuple["ViewableProcessor", Observation]:
        """Reads the next frame. VisionError for a picture that the calibration does not fit."""
        processor, observation = self.processor.process(frame)
        if processor.cached_reading is not None:
            self.view.put(InterpretedFrame(frame, processor.cached_reading.reading, processor.calibration))
        return ViewableProcessor(processor, self.view), observation
