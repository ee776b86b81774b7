"""What OpenCV, FFmpeg and libcamera say on standard error is for their authors; people get a sentence of ours."""

import os

QUIET = {"OPENCV_LOG_LEVEL": "SILENT", "OPENCV_FFMPEG_LOGLEVEL": "-8", "LIBCAMERA_LOG_LEVELS": "*:ERROR"}


def quieten() -> None:
    """In this process, if OpenCV is not loaded yet. Who wants to hear them sets these himself."""
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
