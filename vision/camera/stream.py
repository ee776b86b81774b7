"""Streams from the network: RTSP, and HTTP as telephones and many cameras give it.

Nothing is locked: what a network camera does with its exposure is set in its own menu.
"""

import os
from dataclasses import dataclass
from urllib.parse import urlsplit

import cv2

from vision.camera.opencv_capture import OpenCvCapture
from vision.errors import CaptureError, SourceRefusedError

SCHEMES = ("rtsp", "rtsps", "http", "https")
# Beyond these FFmpeg gives up by itself and says so; the watchdog may be quicker.
OPENING_MS = 10_000
READING_MS = 5_000
# TCP, for a lost packet smears the board until the next key frame; and no queue before the decoder.
_FFMPEG_OPTIONS = "rtsp_transport;tcp|fflags;nobuffer|flags;low_delay"


def public_address(url: str) -> str:
    """The URL without name, password and query, so that it may be shown and logged. ValueError when it is none."""
    parts = urlsplit(url)
    host = f"[{parts.hostname}]" if parts.hostname and ":" in parts.hostname else (parts.hostname or "")
    port = f":{parts.port}" if parts.port is not None else ""
    return f"{parts.scheme}://{host}{port}{parts.path}"


def parse_stream(url: str) -> "Stream":
    """Raises SourceRefusedError when no stream can be there."""
    try:
        shown = public_address(url)
        has_host = bool(urlsplit(url).hostname)
    except ValueError:
        raise SourceRefusedError(
            "the URL", "its host or port is malformed", "write it as rtsp://HOST:PORT/PATH"
        ) from None
    if urlsplit(url).scheme.lower() not in SCHEMES:
        raise SourceRefusedError(shown, "streams come by RTSP or HTTP", "begin it with rtsp://, http:// or https://")
    if not has_host:
        raise SourceRefusedError(shown, "it names no host", "write it as rtsp://HOST:PORT/PATH")
    return Stream(url)


@dataclass(frozen=True, slots=True)
class Stream:
    """A CaptureRecipe."""

    url: str  # may hold a password; never shown

    def __repr__(self) -> str:
        return f"Stream({public_address(self.url)!r})"

    @property
    def name(self) -> str:
        return f"The stream {public_address(self.url)}"

    def open(self) -> OpenCvCapture:
        """Sets FFmpeg's options in the environment of this process, which reads nothing else."""
        os.environ.setdefault("OPENCV_FFMPEG_CAPTURE_OPTIONS", _FFMPEG_OPTIONS)
        limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, OPENING_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, READING_MS]
        video = cv2.VideoCapture(self.url, cv2.CAP_FFMPEG, limits)
        if not video.isOpened():
            video.release()
            remedy = "check the address, the password and the network by opening it in a video player"
            raise CaptureError(self.name, "cannot be opened", remedy)
        return OpenCvCapture(video, self.name, "check that its camera is on and in the network")
