"""USB cameras on Linux, by Video4Linux.

A path below /dev/v4l/by-id/ names the same camera after every start, whereas /dev/video0 is the camera that the kernel
finds first. The format is MJPG, because few cameras send 1280x960 uncompressed at more than 10 frames a second over
USB 2.

The automatic controls run until the picture has settled. Then they are switched off at their current values, because
the referee compares pictures and a hand over the board must not change the exposure. Each setting is read back, since
drivers ignore some of them. Controls outlive the program, so they are switched on again at the start and at the end.
"""

import os
from dataclasses import dataclass
from pathlib import Path

import cv2

from vision.camera.capture import Lock
from vision.camera.opencv_capture import OpenCvCapture
from vision.errors import CaptureError

BY_ID = Path("/dev/v4l/by-id")
# Automatic controls need 1 to 2 s after a lamp is switched on; this is 2 s at 30 frames a second.
SETTLING_FRAMES = 60
# With more than one buffer OpenCV returns old pictures.
BUFFERS = 1
_MJPG = cv2.VideoWriter.fourcc(*"MJPG")


@dataclass(frozen=True, slots=True)
class _Control:
    """An automatic control: the property that it sets, and the property that switches it, if it has one."""

    name: str
    value: int
    switch: int | None
    automatic: float = 1.0
    manual: float = 0.0


_CONTROLS = (
    # V4L2_EXPOSURE_APERTURE_PRIORITY (3) and V4L2_EXPOSURE_MANUAL (1) are the two modes of USB cameras.
    _Control("exposure", cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_AUTO_EXPOSURE, automatic=3.0, manual=1.0),
    _Control("gain", cv2.CAP_PROP_GAIN, None),  # switched together with the exposure
    _Control("white balance", cv2.CAP_PROP_WB_TEMPERATURE, cv2.CAP_PROP_AUTO_WB),
    _Control("focus", cv2.CAP_PROP_FOCUS, cv2.CAP_PROP_AUTOFOCUS),
)


def list_cameras(by_id: Path = BY_ID) -> tuple[str, ...]:
    """The permanent paths of the connected USB cameras, each with the node that gives pictures."""
    try:
        return tuple(sorted(str(node) for node in by_id.iterdir() if node.name.endswith("-video-index0")))
    except OSError:
        return ()  # no camera, or not Linux


def suggest_camera(by_id: Path = BY_ID) -> str:
    """The remedy for a missing camera."""
    found = list_cameras(by_id)
    return f"plug it in, or take {' or '.join(found)}" if found else "plug it in; no other camera is connected either"


@dataclass(frozen=True, slots=True)
class V4l2Camera:
    """A `CaptureRecipe`. The driver chooses the nearest size and rate that the camera has."""

    device: str  # /dev/v4l/by-id/… or /dev/videoN
    size_px: tuple[int, int] = (1280, 960)
    fps: float = 30.0

    @property
    def name(self) -> str:
        return f"The camera {self.device}"

    def open(self) -> "V4l2Capture":
        if not Path(self.device).exists():
            raise CaptureError(self.name, "is not there", suggest_camera())
        if not os.access(self.device, os.R_OK | os.W_OK):
            remedy = "join its group with sudo usermod -aG video $USER and log in again"
            raise CaptureError(self.name, "may not be read by you", remedy)
        video = cv2.VideoCapture(self.device, cv2.CAP_V4L2)
        if not video.isOpened():
            video.release()
            remedy = f"end the program that uses it (fuser {self.device} tells which), or give its node -video-index0"
            raise CaptureError(self.name, "cannot be opened as a camera", remedy)
        # The format determines the available sizes, and the size the available rates.
        width_px, height_px = self.size_px
        video.set(cv2.CAP_PROP_FOURCC, _MJPG)
        video.set(cv2.CAP_PROP_FRAME_WIDTH, width_px)
        video.set(cv2.CAP_PROP_FRAME_HEIGHT, height_px)
        video.set(cv2.CAP_PROP_FPS, self.fps)
        video.set(cv2.CAP_PROP_BUFFERSIZE, BUFFERS)
        return V4l2Capture(video, self.name)


class V4l2Capture(OpenCvCapture):
    """An open camera that locks its automatic controls after `SETTLING_FRAMES`."""

    def __init__(self, video: cv2.VideoCapture, name: str) -> None:
        super().__init__(video, name, "check its cable and that its port gives enough power")
        self._grab_count = 0
        self._locks: tuple[Lock, ...] = ()
        _enable_automatic_controls(video)

    def grab(self) -> None:
        super().grab()
        self._grab_count += 1
        if self._grab_count == SETTLING_FRAMES:
            self._locks = tuple(_lock_control(self._video, control) for control in _CONTROLS)

    def locks(self) -> tuple[Lock, ...]:
        return self._locks

    def release(self) -> None:
        _enable_automatic_controls(self._video)
        super().release()


def _enable_automatic_controls(video: cv2.VideoCapture) -> None:
    for control in _CONTROLS:
        if control.switch is not None:
            video.set(control.switch, control.automatic)


def _lock_control(video: cv2.VideoCapture, control: _Control) -> Lock:
    """Fixes the current value of an automatic control. A driver returns -1 for a property that it lacks."""
    value = video.get(control.value)
    if control.switch is not None:
        video.set(control.switch, control.manual)
        if video.get(control.switch) != control.manual:
            return Lock(control.name, False, "the driver does not switch it off")
    if value < 0:
        why = "the driver does not have it" if control.switch is None else "off"
        return Lock(control.name, control.switch is not None, why)
    video.set(control.value, value)
    kept = video.get(control.value)
    if kept != value:
        return Lock(control.name, False, f"the driver has {kept:g} instead of {value:g}")
    return Lock(control.name, True, f"{value:g}")
