"""Silences OpenCV, FFmpeg and libcamera on standard error; the user reads the sentences of `vision.errors` instead."""

import os

QUIET = {"OPENCV_LOG_LEVEL": "SILENT", "OPENCV_FFMPEG_LOGLEVEL": "-8", "LIBCAMERA_LOG_LEVELS": "*:ERROR"}


def quieten() -> None:
    """Works only before OpenCV is loaded. A variable that is already set keeps its value."""
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
