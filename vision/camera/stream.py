"""Network streams: RTSP, and the HTTP of telephones and many network cameras.

No automatic control is locked; the exposure of a network camera is set in its own menu.
"""

import os
from dataclasses import dataclass
from urllib.parse import urlsplit

import cv2

from vision.camera.opencv_capture import OpenCvCapture, describe_oversize
from vision.errors import CaptureError, SourceRefusedError

SCHEMES = ("rtsp", "rtsps", "http", "https")
# Timeouts of FFmpeg, which then reports an error; the watchdog may act earlier.
OPENING_MS = 10_000
READING_MS = 5_000
# TCP, because a lost UDP packet smears the board until the next key frame; and no queue before the decoder.
_FFMPEG_OPTIONS = "rtsp_transport;tcp|fflags;nobuffer|flags;low_delay"


def public_address(url: str) -> str:
    """The URL without user name, password and query, fit for logs. Raises ValueError for a malformed URL."""
    parts = urlsplit(url)
    host = f"[{parts.hostname}]" if parts.hostname and ":" in parts.hostname else (parts.hostname or "")
    port = f":{parts.port}" if parts.port is not None else ""
    return f"{parts.scheme}://{host}{port}{parts.path}"


def parse_stream(url: str) -> "Stream":
    """Raises SourceRefusedError for a URL that cannot be a stream."""
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
    """A `CaptureRecipe`."""

    url: str  # may hold a password; no text shows it

    def __repr__(self) -> str:
        return f"Stream({public_address(self.url)!r})"

    @property
    def name(self) -> str:
        return f"The stream {public_address(self.url)}"

    def open(self) -> OpenCvCapture:
        """Sets the options of FFmpeg in the environment of this process, which reads no other stream."""
        os.environ.setdefault("OPENCV_FFMPEG_CAPTURE_OPTIONS", _FFMPEG_OPTIONS)
        limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, OPENING_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, READING_MS]
        video = cv2.VideoCapture(self.url, cv2.CAP_FFMPEG, limits)
        if not video.isOpened():
            video.release()
            remedy = "check the address, the password and the network by opening it in a video player"
            raise CaptureError(self.name, "cannot be opened", remedy)
        if (problem := describe_oversize(video)) is not None:
            video.release()
            raise CaptureError(self.name, problem, "choose a smaller picture in the settings of its camera")
        return OpenCvCapture(video, self.name, "check that its camera is on and in the network")
