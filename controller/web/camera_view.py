"""The camera picture on the page, with the reading drawn over it, encoded once for all viewers.

The loop hands over a reference for each frame, and only while somebody watches. A thread of the server draws and encodes. The
operator sees the newest picture; where spectators see everything later, their pictures wait as small JPEGs.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock

from controller.match_log import EvidencePicture, PictureKind
from controller.match_log.picture import encode_jpeg
from controller.observing import Observation
from controller.session.camera_watch import VideoProcessor
from controller.session.loop import AroundProcessor
from controller.web.limits import MOST_CAMERA_VIEWERS, ViewerSlots
from vision.board.board_reading import BoardReading
from vision.board.overlay import draw_reading
from vision.errors import VisionError
from vision.frame import Frame
from vision.geometry.calibration import Calibration, scale_to_picture
from vision.pixels.resize import reduce_picture

BOUNDARY = "frame"
PICTURE_INTERVAL_S = 0.2
"""A knob: five pictures a second. Drawing and encoding one costs about 10 ms of a core."""
_DELAYED_WIDTH_PX = 640
"""A knob: enough for a picture in the corner of a stream; such a JPEG has about 50 kB."""
_MOST_DELAYED = 300  # a minute at `PICTURE_INTERVAL_S`; a longer delay shows fewer pictures a second
_MOST_DELAYED_BYTES = 16_000_000


@dataclass(frozen=True, slots=True, eq=False)
class InterpretedFrame:
    """A frame and the reading of it."""

    frame: Frame
    reading: BoardReading
    calibration: Calibration

    def to_jpeg(self, most_width_px: int | None = None) -> bytes:
        """The frame with corners, counts, dice and their confidence, reduced to a width if one is given.

        VisionError where the calibration does not fit.
        """
        height_px, width_px = self.frame.pixels.shape[:2]
        known = scale_to_picture(self.calibration, width_px, height_px)
        drawn = draw_reading(self.frame.pixels, self.reading, known.projection, known.field)
        if most_width_px is not None and width_px > most_width_px:
            drawn = reduce_picture(drawn, -(-width_px // most_width_px))
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


class DelayedCameraStream:
    """The camera view as it was `delay_s` ago, as MJPEG for a limited number of viewers.

    Pictures are kept while somebody watches, and for `delay_s` more, so that a browser that comes back goes on at once; the first
    one comes after the delay. `_MOST_DELAYED_BYTES` of them are kept at most: more are left out, not shown earlier.
    """

    def __init__(self, view: CameraView, delay_s: float, clock_s: Callable[[], float]) -> None:
        self.slots = ViewerSlots(MOST_CAMERA_VIEWERS)
        self._view, self._delay_s, self._clock_s = view, delay_s, clock_s
        self._interval_s = max(PICTURE_INTERVAL_S, delay_s / _MOST_DELAYED)
        self._kept: deque[tuple[float, bytes]] = deque()
        self._kept_bytes = 0
        self._watchers = 0
        self._watched_until_s = 0.0
        self._recorder: asyncio.Task[None] | None = None

    async def parts(self, address: str, is_closing: asyncio.Event) -> AsyncIterator[bytes]:
        """The parts of the stream, as those of `CameraStream`."""
        if not self.slots.acquire(address):
            return
        self._watchers += 1
        try:
            if self._recorder is None or self._recorder.done():
                self._recorder = asyncio.create_task(self._record(is_closing))
            sent = float("-inf")
            while not is_closing.is_set():
                taken_s, content = self._find_due()
                if taken_s > sent:
                    sent = taken_s
                    yield _format_part(content)
                await asyncio.sleep(PICTURE_INTERVAL_S)
        finally:
            self._watchers -= 1
            self._watched_until_s = self._clock_s() + self._delay_s
            self.slots.release(address)

    async def _record(self, is_closing: asyncio.Event) -> None:
        self._view.begin_watching()
        try:
            last: InterpretedFrame | None = None
            while not is_closing.is_set() and (self._watchers or self._clock_s() < self._watched_until_s):
                newest, now_s = self._view.newest, self._clock_s()
                if newest is not None and newest is not last:
                    last = newest
                    with suppress(VisionError):  # the referee reports the reason
                        self._keep(now_s, await asyncio.to_thread(newest.to_jpeg, _DELAYED_WIDTH_PX))
                await asyncio.sleep(self._interval_s)
        finally:
            self._view.end_watching()
            self._kept.clear()
            self._kept_bytes = 0

    def _keep(self, now_s: float, content: bytes) -> None:
        self._find_due()
        if self._kept_bytes + len(content) <= _MOST_DELAYED_BYTES:
            self._kept.append((now_s, content))
            self._kept_bytes += len(content)

    def _find_due(self) -> tuple[float, bytes]:
        """The newest picture that is old enough, with its time; the older ones are dropped. Never, where none is."""
        until_s = self._clock_s() - self._delay_s
        while len(self._kept) > 1 and self._kept[1][0] <= until_s:
            self._kept_bytes -= len(self._kept.popleft()[1])
        return self._kept[0] if self._kept and self._kept[0][0] <= until_s else (float("-inf"), b"")


def _format_part(content: bytes) -> bytes:
    head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(content)}\r\n\r\n"
    return head.encode("ascii") + content + b"\r\n"


@dataclass(frozen=True, slots=True, eq=False)
class ViewableProcessor(AroundProcessor[VideoProcessor]):
    """A video processor whose frames the page can show."""

    view: CameraView

    def process(self, frame: Frame) -> tuple["ViewableProcessor", Observation]:
        """Reads the next frame. VisionError for a picture that the calibration does not fit."""
        processor, observation = self.processor.process(frame)
        if processor.cached_reading is not None:
            self.view.put(InterpretedFrame(frame, processor.cached_reading.reading, processor.calibration))
        return ViewableProcessor(processor, self.view), observation
