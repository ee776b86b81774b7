"""The camera on the ribbon cable of a Raspberry Pi, by Picamera2.

Picamera2 exists only on Raspberry Pi OS, so only the process that reads a camera imports it, when it opens the camera.
Automatic exposure and white balance run until the picture has settled. Then their values are set as fixed values, and
the metadata of later frames shows whether the camera keeps them.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from vision.camera.capture import Lock
from vision.errors import CaptureError, CaptureLibraryError
from vision.frame import Pixels

# The automatic controls of libcamera settle within 1 s at 30 frames a second; the rest is for a lamp that warms up.
SETTLING_FRAMES = 60
# A control takes effect after 2 to 3 frames, and up to 4 requests are in flight.
CONFIRMING_FRAMES = 10
# The sensor counts exposure in lines and gain in steps of its own, so a set value is kept only approximately.
LOCK_TOLERANCE = 0.05
_BUFFERS = 3  # one to fill, one to wait, one to copy

Values = dict[str, Any]  # libcamera's metadata of a frame: numbers and tuples under its own names


@dataclass(frozen=True, slots=True)
class PiCamera:
    """A `CaptureRecipe`."""

    number: int = 0  # a Pi 5 has two connectors
    size_px: tuple[int, int] = (1280, 960)
    fps: float = 30.0

    @property
    def name(self) -> str:
        return f"The Pi camera {self.number}"

    def open(self) -> "PiCapture":
        try:
            from picamera2 import MappedArray, Picamera2
        except ImportError as error:
            remedy = (
                "on a Raspberry Pi install it with sudo apt install python3-picamera2 and let the virtual environment"
                " see it (--system-site-packages), elsewhere take a USB camera"
            )
            raise CaptureLibraryError("picamera2", self.name, remedy) from error
        try:
            camera = Picamera2(self.number)
            camera.configure(
                camera.create_video_configuration(
                    main={"size": self.size_px, "format": "RGB888"},  # libcamera's name for B, G, R in memory
                    controls={"FrameRate": self.fps},
                    buffer_count=_BUFFERS,
                    queue=False,  # a frame that was complete before the request is not the newest
                )
            )
            camera.start()
        except (IndexError, RuntimeError, OSError) as error:
            remedy = "end other programs that use it, and check its ribbon cable with rpicam-hello --list-cameras"
            raise CaptureError(self.name, f"cannot be opened ({error})", remedy) from error
        return PiCapture(camera, MappedArray)


class PiCapture:
    """A `Capture`. `camera` is a started Picamera2 and `mapped_array` the class MappedArray."""

    def __init__(self, camera: Any, mapped_array: Any) -> None:
        self._camera = camera
        self._mapped_array = mapped_array
        self._request: Any = None
        self._grab_count = 0
        self._locked_values: Values = {}
        self._locks: tuple[Lock, ...] = ()

    def grab(self) -> None:
        self._release_request()
        self._request = self._camera.capture_request()
        self._grab_count += 1
        if self._grab_count == SETTLING_FRAMES:
            self._locked_values = _select_controls(self._request.get_metadata())
            self._camera.set_controls({"AeEnable": False, "AwbEnable": False} | self._locked_values)
        elif self._grab_count == SETTLING_FRAMES + CONFIRMING_FRAMES:
            self._locks = _check_locks(self._locked_values, self._request.get_metadata())

    def retrieve(self, into: Pixels | None) -> object:
        try:
            with self._mapped_array(self._request, "main") as mapped:
                if into is None or into.shape != mapped.array.shape:
                    return np.array(mapped.array)
                np.copyto(into, mapped.array)
                return into
        finally:
            self._release_request()

    def locks(self) -> tuple[Lock, ...]:
        return self._locks

    def release(self) -> None:
        self._release_request()
        self._camera.close()

    def _release_request(self) -> None:
        if self._request is not None:
            self._request.release()
            self._request = None


_NAMES = {"ExposureTime": "exposure", "AnalogueGain": "gain", "ColourGains": "white balance"}


def _select_controls(values: Values) -> Values:
    return {key: values[key] for key in _NAMES if key in values}


def _check_locks(wanted: Values, values: Values) -> tuple[Lock, ...]:
    locks: list[Lock] = []
    for key, control in _NAMES.items():
        if key not in wanted or key not in values:
            locks.append(Lock(control, False, "the camera does not tell it"))
            continue
        is_held = bool(np.allclose(values[key], wanted[key], rtol=LOCK_TOLERANCE, atol=0.0))
        detail = _format_value(wanted[key])
        locks.append(Lock(control, is_held, detail if is_held else f"{_format_value(values[key])} instead of {detail}"))
    return tuple(locks)


def _format_value(value: Any) -> str:
    return ", ".join(f"{part:.4g}" for part in np.atleast_1d(value).tolist())
