from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera.capture import Lock
from vision.camera.v4l2 import SETTLING_FRAMES, V4l2Camera, list_cameras, suggest_camera
from vision.errors import CaptureError
from vision.frame import Pixels

AUTOMATIC, MANUAL = 3.0, 1.0  # of the exposure, as Video4Linux numbers them
USUAL = {
    cv2.CAP_PROP_AUTO_EXPOSURE: MANUAL,  # as the program before left it
    cv2.CAP_PROP_EXPOSURE: 157.0,
    cv2.CAP_PROP_GAIN: 32.0,
    cv2.CAP_PROP_AUTO_WB: 0.0,
    cv2.CAP_PROP_WB_TEMPERATURE: 4600.0,
    cv2.CAP_PROP_AUTOFOCUS: 0.0,
    cv2.CAP_PROP_FOCUS: 30.0,
}


@dataclass
class FakeVideo:
    """A cv2.VideoCapture with the properties of the driver, and those that it refuses to change."""

    properties: dict[int, float] = field(default_factory=lambda: dict(USUAL))
    refused: frozenset[int] = frozenset()
    opens: bool = True
    frames: int = 1000
    calls: list[tuple[int, float]] = field(default_factory=list)
    opened: tuple[object, ...] = ()
    garbled: bool = False
    released: bool = False

    def __call__(self, *arguments: object) -> "FakeVideo":
        self.opened = arguments
        return self

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self.opens

    def set(self, number: int, value: float) -> bool:
        self.calls.append((number, value))
        if number in self.refused or number not in self.properties:
            return False
        self.properties[number] = value
        return True

    def get(self, number: int) -> float:
        return self.properties.get(number, -1.0)

    def grab(self) -> bool:
        self.frames -= 1
        return self.frames >= 0

    def retrieve(self, into: Pixels | None) -> tuple[bool, Pixels | None]:
        if self.garbled:
            raise cv2.error("Corrupt JPEG data")
        return True, np.zeros((960, 1280, 3), np.uint8) if into is None else into

    def release(self) -> None:
        self.released = True


def camera_of(folder: Path, video: FakeVideo, monkeypatch: pytest.MonkeyPatch) -> V4l2Camera:
    device = folder / "usb-Fake_Camera-video-index0"
    device.touch()
    monkeypatch.setattr("vision.camera.v4l2.cv2.VideoCapture", video)
    return V4l2Camera(str(device), (1280, 960), 15.0)


def locks_after_settling(camera: V4l2Camera) -> dict[str, Lock]:
    capture = camera.open()
    for _ in range(SETTLING_FRAMES - 1):
        capture.grab()
        assert capture.locks() == ()
    capture.grab()
    return {lock.control: lock for lock in capture.locks()}


def test_the_camera_is_asked_for_format_size_rate_and_one_buffer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its path and Video4Linux; MJPG goes first, since it decides which sizes there are."""
    video = FakeVideo()
    camera = camera_of(tmp_path, video, monkeypatch)
    camera.open()
    assert video.opened == (camera.device, cv2.CAP_V4L2)
    assert video.calls[:5] == [
        (cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG")),
        (cv2.CAP_PROP_FRAME_WIDTH, 1280),
        (cv2.CAP_PROP_FRAME_HEIGHT, 960),
        (cv2.CAP_PROP_FPS, 15.0),
        (cv2.CAP_PROP_BUFFERSIZE, 1),
    ]


def test_automatic_until_settled_then_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The automatic controls are switched on first, whatever the last program left, and off at their values."""
    video = FakeVideo()
    camera = camera_of(tmp_path, video, monkeypatch)
    camera.open()
    assert video.get(cv2.CAP_PROP_AUTO_EXPOSURE) == AUTOMATIC
    assert video.get(cv2.CAP_PROP_AUTO_WB) == 1.0
    assert locks_after_settling(camera) == {
        "exposure": Lock("exposure", True, "157"),
        "gain": Lock("gain", True, "32"),
        "white balance": Lock("white balance", True, "4600"),
        "focus": Lock("focus", True, "30"),
    }
    assert video.get(cv2.CAP_PROP_AUTO_EXPOSURE) == MANUAL


def test_a_control_that_the_driver_lacks_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A switch that stays on, a control that is missing: no error."""
    properties = {number: value for number, value in USUAL.items() if number != cv2.CAP_PROP_GAIN}
    properties[cv2.CAP_PROP_AUTO_EXPOSURE] = AUTOMATIC
    del properties[cv2.CAP_PROP_WB_TEMPERATURE], properties[cv2.CAP_PROP_AUTOFOCUS]
    video = FakeVideo(properties, refused=frozenset({cv2.CAP_PROP_AUTO_EXPOSURE}))
    assert locks_after_settling(camera_of(tmp_path, video, monkeypatch)) == {
        "exposure": Lock("exposure", False, "the driver does not switch it off"),
        "gain": Lock("gain", False, "the driver does not have it"),
        "white balance": Lock("white balance", True, "off"),
        "focus": Lock("focus", False, "the driver does not switch it off"),
    }


def test_a_value_that_slips_is_not_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver that changes the value when its automatic ends is detected by reading back."""

    class Slipping(FakeVideo):
        def set(self, number: int, value: float) -> bool:
            if number == cv2.CAP_PROP_EXPOSURE:
                value = 1.0
            return super().set(number, value)

    locks = locks_after_settling(camera_of(tmp_path, Slipping(), monkeypatch))
    assert locks["exposure"] == Lock("exposure", False, "the driver has 1 instead of 157")


def test_the_controls_are_given_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They outlive the program, so releasing switches the automatic controls on again."""
    video = FakeVideo()
    capture = camera_of(tmp_path, video, monkeypatch).open()
    for _ in range(SETTLING_FRAMES):
        capture.grab()
    capture.release()
    assert video.get(cv2.CAP_PROP_AUTO_EXPOSURE) == AUTOMATIC
    assert video.get(cv2.CAP_PROP_AUTOFOCUS) == 1.0
    assert video.released


def test_a_picture_is_decoded_into_its_slot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture that OpenCV cannot decode is None, and ends nothing."""
    video = FakeVideo()
    capture = camera_of(tmp_path, video, monkeypatch).open()
    slot = np.zeros((960, 1280, 3), np.uint8)
    capture.grab()
    assert capture.retrieve(slot) is slot
    video.garbled = True
    assert capture.retrieve(slot) is None


def test_an_unplugged_camera_raises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    camera = camera_of(tmp_path, FakeVideo(frames=1), monkeypatch)
    capture = camera.open()
    capture.grab()
    with pytest.raises(CaptureError) as caught:
        capture.grab()
    assert str(caught.value) == (
        f"The camera {camera.device} sends no more pictures; check its cable and that its port gives enough power."
    )


def test_a_camera_that_cannot_be_opened_raises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not there, not allowed, in use: three sentences."""
    video = FakeVideo(opens=False)
    camera = camera_of(tmp_path, video, monkeypatch)
    with pytest.raises(CaptureError, match="cannot be opened as a camera; end the program that uses it"):
        camera.open()
    assert video.released
    monkeypatch.setattr("vision.camera.v4l2.os.access", lambda *_: False)
    with pytest.raises(CaptureError, match="may not be read by you; join its group with sudo usermod -aG video"):
        camera.open()
    Path(camera.device).unlink()
    with pytest.raises(CaptureError, match="is not there; plug it in"):
        camera.open()


def test_only_nodes_with_pictures_are_listed(tmp_path: Path) -> None:
    """A USB camera has a second node for its metadata, which is no camera."""
    for name in ("usb-B-video-index0", "usb-B-video-index1", "usb-A-video-index0"):
        (tmp_path / name).touch()
    a, b = str(tmp_path / "usb-A-video-index0"), str(tmp_path / "usb-B-video-index0")
    assert list_cameras(tmp_path) == (a, b)
    assert suggest_camera(tmp_path) == f"plug it in, or take {a} or {b}"
    assert suggest_camera(tmp_path / "nothing") == "plug it in; no other camera is connected either"
