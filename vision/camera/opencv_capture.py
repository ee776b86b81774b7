"""A live cv2.VideoCapture, the common part of USB cameras and streams."""

import cv2

from vision.camera.capture import Lock
from vision.errors import CaptureError
from vision.frame import Pixels


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
