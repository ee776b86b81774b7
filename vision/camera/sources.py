"""Opens a source of pictures from its name on the command line (SRC)."""

import math
import sys
from importlib.util import find_spec
from pathlib import Path

from vision.camera.live import open_live_source
from vision.camera.phone import SOURCE as PHONE
from vision.camera.phone import PhoneInbox, open_phone
from vision.camera.picamera import PiCamera
from vision.camera.recorded import (
    FOREIGN_SUFFIXES,
    PICTURE_SUFFIXES,
    VIDEO_SUFFIXES,
    Video,
    open_picture,
    open_picture_folder,
)
from vision.camera.stream import parse_stream, public_address
from vision.camera.v4l2 import V4l2Camera, list_cameras, suggest_camera
from vision.camera.watchdog import WatchdogTimeouts
from vision.errors import SourceMissingError, SourceRefusedError
from vision.frame import FrameSource

USUAL_SIZE_PX = (1280, 960)
USUAL_FPS = 30.0
_FORMS = "give a picture, a folder, a video, /dev/v4l/by-id/…, a camera's number, picamera, phone or an rtsp:// or http:// URL"


def open_source(
    source: str,
    *,
    size_px: tuple[int, int] = USUAL_SIZE_PX,
    fps: float | None = None,
    most_fps: float | None = None,
    timeouts: WatchdogTimeouts | None = None,
    phone: PhoneInbox | None = None,
) -> FrameSource:
    """Opens a source; a camera or stream is still in the condition OPENING afterwards.

    `size_px` and `fps` are requests to a camera; `fps` also replaces the times of videos and of pictures without
    timestamps. Of a video with more than `most_fps` frames a second, the others are left out. A file with the name of a camera needs a path, such as ./picamera.
    `phone` takes the pictures that a phone sends to the page of this command; None: there is no page.
    Raises SourceRefusedError, SourceMissingError, VideoFileError and TimestampsError.
    """
    if not source.strip() or "\0" in source:
        raise SourceRefusedError(repr(source), "this names no source of pictures", _FORMS)
    if fps is not None and not (math.isfinite(fps) and 0 < fps <= 1000):
        raise SourceRefusedError(
            source, f"{fps:g} frames a second are not possible", "give more than 0 and at most 1000"
        )
    if "://" in source:
        return open_live_source(parse_stream(source), timeouts)
    if source == PHONE:
        if phone is None:
            raise SourceRefusedError(
                source,
                "a phone sends its pictures to a page, and none is open here",
                "use it with play or calibrate --page",
            )
        return open_phone(phone, timeouts)
    if source == "picamera":
        return open_live_source(PiCamera(size_px=size_px, fps=fps or USUAL_FPS), timeouts)
    if source.isascii() and source.isdigit():
        source = f"/dev/video{int(source)}"
    if source.startswith("/dev/"):
        return open_live_source(_camera(source, size_px, fps or USUAL_FPS), timeouts)
    return _file_source(Path(source), fps, most_fps)


def list_usb_cameras() -> tuple[str, ...]:
    """The connected USB cameras by permanent path."""
    return list_cameras()


def list_available_cameras() -> tuple[str, ...]:
    """The connected cameras: USB cameras by permanent path, else number 0 if it exists; and a Pi camera."""
    usb = list_cameras() or (("0",) if Path("/dev/video0").exists() else ())
    return (*usb, "picamera") if find_spec("picamera2") else usb


def public_name(source: str) -> str:
    """The name of a source, without the password of a stream."""
    try:
        return public_address(source) if "://" in source else source
    except ValueError:
        return "a stream"


def _camera(device: str, size_px: tuple[int, int], fps: float) -> V4l2Camera:
    if sys.platform != "linux":
        raise SourceRefusedError(device, "cameras are read by Video4Linux", "use Linux, or give a stream or a video")
    try:
        is_device = Path(device).is_char_device()
        is_there = Path(device).exists()
    except OSError as error:
        raise SourceRefusedError(device, error.strerror or str(error), _FORMS) from error
    if not is_there:
        raise SourceMissingError(device, suggest_camera())
    if not is_device:
        raise SourceRefusedError(device, "this is no camera", suggest_camera())
    return V4l2Camera(device, size_px, fps)


def _file_source(path: Path, fps: float | None, most_fps: float | None) -> FrameSource:
    try:
        path.stat()
        if path.is_dir():
            return open_picture_folder(path, fps)
        if not path.is_file():
            raise SourceRefusedError(str(path), "this is no plain file", _FORMS)
        with path.open("rb"):
            pass  # OpenCV gives no reason when it cannot open a file
    except FileNotFoundError as error:
        raise SourceMissingError(str(path), _FORMS) from error
    except OSError as error:
        raise SourceRefusedError(str(path), error.strerror or str(error), "name a file that you may read") from error
    suffix = path.suffix.lower()
    if suffix in PICTURE_SUFFIXES or suffix in FOREIGN_SUFFIXES:
        return open_picture(path)  # a foreign one is refused by its name, with the remedy
    if suffix in VIDEO_SUFFIXES:
        return Video(path, fps, most_fps)
    raise SourceRefusedError(
        str(path), "its name is not that of a picture or video", "convert it to .jpg, .png or .mp4"
    )
