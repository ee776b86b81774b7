"""A live cv2.VideoCapture, the common part of USB cameras and streams."""

import cv2

from vision.camera.capture import Lock
from vision.errors import CaptureError
from vision.frame import Pixels
from vision.pixels.picture_header import MOST_PIXELS


def describe_oversize(video: cv2.VideoCapture) -> str | None:
    """What is wrong with the size that an open video, camera or stream announces, before any picture is decoded."""
    width_px, height_px = (int(video.get(side)) for side in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT))
    if width_px * height_px <= MOST_PIXELS:
        return None
    return f"has pictures of {width_px}x{height_px} pixels, and at most {MOST_PIXELS // 1_000_000} million can be read"


class OpenCvCapture:
    """A `Capture` without automatic controls."""

    def __init__(self, video: cv2.VideoCapture, name: str, remedy: str) -> None:
        self._video = video
        self._name = name
        self._remedy = remedy  # the advice when no more pictures come

    def grab(self) -> None:
        if not self._video.grab():
            raise CaptureError(self._name, "sends no more pictures", self._remedy)

    def retrieve(self, into: Pixels | None) -> object:
        try:
            is_whole, pixels = self._video.retrieve(into)
        except cv2.error:
            return None
        return pixels if is_whole else None

    def locks(self) -> tuple[Lock, ...]:
        return ()

    def release(self) -> None:
        self._video.release()
