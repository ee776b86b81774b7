import pickle
import sys
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from vision.camera.capture import Lock
from vision.camera.picamera import CONFIRMING_FRAMES, SETTLING_FRAMES, PiCamera, PiCapture
from vision.errors import CaptureError, CaptureLibraryError
from vision.frame import Pixels


@dataclass
class FakeRequest:
    """A finished picture of Picamera2: it must be released, or the camera runs out of buffers."""

    camera: "FakePicamera2"
    pixels: Pixels

    def get_metadata(self) -> dict[str, Any]:
        return dict(self.camera.values)

    def release(self) -> None:
        self.camera.held -= 1


class FakeMappedArray:
    """A request's picture without a copy."""

    def __init__(self, request: FakeRequest, stream: str) -> None:
        assert stream == "main"
        self.array = request.pixels

    def __enter__(self) -> "FakeMappedArray":
        return self

    def __exit__(self, *_: object) -> None: ...


@dataclass
class FakePicamera2:
    """Records what is asked of it; obeys controls except those that it `ignores`."""

    values: dict[str, Any] = field(
        default_factory=lambda: {"ExposureTime": 19990, "AnalogueGain": 2.0, "ColourGains": (1.9, 1.6), "Lux": 400.0}
    )
    ignores: frozenset[str] = frozenset()
    configuration: dict[str, Any] = field(default_factory=dict)
    controls: list[dict[str, Any]] = field(default_factory=list)
    held: int = 0
    taken: int = 0
    calls: list[str] = field(default_factory=list)

    def create_video_configuration(self, **settings: Any) -> dict[str, Any]:
        return settings

    def configure(self, configuration: dict[str, Any]) -> None:
        self.configuration = configuration

    def start(self) -> None:
        self.calls.append("start")

    def close(self) -> None:
        self.calls.append("close")

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.controls.append(controls)
        self.values |= {key: value for key, value in controls.items() if key not in self.ignores}

    def capture_request(self) -> FakeRequest:
        self.held += 1
        self.taken += 1
        return FakeRequest(self, np.full((48, 64, 3), self.taken % 256, np.uint8))


def installed(monkeypatch: pytest.MonkeyPatch, camera: object) -> None:
    """Makes `import picamera2` find a fake; `camera` makes its cameras."""
    module = ModuleType("picamera2")
    module.Picamera2 = camera  # type: ignore[attr-defined]  # modules have what they are given
    module.MappedArray = FakeMappedArray  # type: ignore[attr-defined]  # the same
    monkeypatch.setitem(sys.modules, "picamera2", module)


def settled(camera: FakePicamera2) -> dict[str, Lock]:
    capture = PiCapture(camera, FakeMappedArray)
    for _ in range(SETTLING_FRAMES + CONFIRMING_FRAMES - 1):
        capture.grab()
        assert capture.locks() == ()
    capture.grab()
    return {lock.control: lock for lock in capture.locks()}


def test_it_is_asked_for_bgr_of_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """The format is what libcamera calls RGB888, which is B, G, R in memory, and no frame waits in a queue."""
    numbers: list[int] = []
    camera = FakePicamera2()

    def made(number: int) -> FakePicamera2:
        numbers.append(number)
        return camera

    installed(monkeypatch, made)
    PiCamera(1, (1280, 960), 25.0).open()
    assert numbers == [1]
    assert camera.configuration == {
        "main": {"size": (1280, 960), "format": "RGB888"},
        "controls": {"FrameRate": 25.0},
        "buffer_count": 3,
        "queue": False,
    }
    assert camera.calls == ["start"]


def test_the_automatics_are_locked_after_settling() -> None:
    """Nothing is set before; then exposure and white balance are held as they were found, and confirmed later."""
    camera = FakePicamera2()
    assert settled(camera) == {
        "exposure": Lock("exposure", True, "1.999e+04"),
        "gain": Lock("gain", True, "2"),
        "white balance": Lock("white balance", True, "1.9, 1.6"),
    }
    held = {"ExposureTime": 19990, "AnalogueGain": 2.0, "ColourGains": (1.9, 1.6)}
    assert camera.controls == [{"AeEnable": False, "AwbEnable": False} | held]


def test_a_control_that_does_not_hold_is_reported() -> None:
    """Later frames have another value, or none."""
    camera = FakePicamera2({"ExposureTime": 10000, "ColourGains": (1.0, 2.0)})

    def drift(controls: dict[str, Any]) -> None:
        camera.values["ExposureTime"] = 20000

    camera.set_controls = drift  # type: ignore[method-assign]  # a camera that does what it likes
    assert settled(camera) == {
        "exposure": Lock("exposure", False, "2e+04 instead of 1e+04"),
        "gain": Lock("gain", False, "the camera does not tell it"),
        "white balance": Lock("white balance", True, "1, 2"),
    }


def test_pictures_are_copied_into_their_slot_and_requests_released() -> None:
    """Into the slot where it fits, else into a new array; never more than one request is held."""
    camera = FakePicamera2()
    capture = PiCapture(camera, FakeMappedArray)
    slot = np.zeros((48, 64, 3), np.uint8)
    capture.grab()
    first = capture.retrieve(None)
    capture.grab()
    assert capture.retrieve(slot) is slot
    capture.grab()
    other = capture.retrieve(np.zeros((10, 10, 3), np.uint8))
    for number, pixels in enumerate((first, slot, other), 1):
        assert np.unique(pixels).tolist() == [number]  # type: ignore[call-overload]  # objects, as far as the type says
    assert camera.held == 0
    capture.grab()
    capture.grab()  # the one before was not wanted
    assert camera.held == 1
    capture.release()
    assert (camera.held, camera.calls) == (0, ["close"])


def test_without_the_library_the_error_has_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Installation on a Pi, or another camera. It is an ImportError, so no new attempt follows."""
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(
        CaptureLibraryError, match=r"apt install python3-picamera2.*elsewhere take a USB camera"
    ) as caught:
        PiCamera().open()
    assert caught.value.library == "picamera2"
    assert isinstance(caught.value, ImportError)


@pytest.mark.parametrize(
    "error", [IndexError("list index out of range"), RuntimeError("Failed to acquire camera: Device or resource busy")]
)
def test_a_missing_or_busy_camera_is_an_error(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:

    def refuse(number: int) -> None:
        raise error

    installed(monkeypatch, refuse)
    with pytest.raises(CaptureError) as caught:
        PiCamera().open()
    assert str(caught.value) == (
        f"The Pi camera 0 cannot be opened ({error}); end other programs that use it, and check its ribbon cable"
        " with rpicam-hello --list-cameras."
    )


def test_the_recipe_travels() -> None:
    """It is opened in another process, so it can be pickled, and that needs no camera library."""
    recipe = PiCamera(1, (640, 480), 15.0)
    assert pickle.loads(pickle.dumps(recipe)) == recipe  # noqa: S301 - our own bytes
