import os
import sys
from pathlib import Path

import pytest

from tests.vision.camera.test_recorded import write_picture, write_video
from vision.camera.capture import CaptureRecipe
from vision.camera.picamera import PiCamera
from vision.camera.recorded import Pictures, Video
from vision.camera.sources import open_source
from vision.camera.stream import Stream
from vision.camera.v4l2 import V4l2Camera
from vision.camera.watchdog import WatchdogTimeouts
from vision.errors import SourceMissingError, SourceRefusedError, VisionError
from vision.frame import Condition, FrameSource


@pytest.fixture
def chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[CaptureRecipe]:
    """The recipes of live sources that would be opened; none is."""
    recipes: list[CaptureRecipe] = []

    def note(recipe: CaptureRecipe, _timeouts: WatchdogTimeouts | None) -> FrameSource:
        recipes.append(recipe)
        return Pictures([], "nothing")

    monkeypatch.setattr("vision.camera.sources.open_live_source", note)
    return recipes


def test_files_are_distinguished(tmp_path: Path) -> None:
    """A picture, a folder and a video by kind and suffix, in any case."""
    picture = write_picture(tmp_path / "a.PNG", 50)
    with open_source(str(picture)) as source:
        assert source.describe() == f"the picture {picture}"
    with open_source(str(tmp_path)) as source:
        assert source.describe() == f"1 of 1 pictures in {tmp_path}"
    with open_source(str(write_video(tmp_path / "a.avi", [50, 60])), fps=2.0) as source:
        assert isinstance(source, Video)
        source.latest(0)
        frame = source.latest(0)
    assert frame is not None
    assert frame.taken_ms == 500


def test_a_pi_camera_and_a_url(chosen: list[CaptureRecipe]) -> None:
    open_source("picamera", size_px=(640, 480), fps=15.0)
    open_source("picamera")
    open_source("rtsp://10.0.0.7/stream1")
    assert chosen == [PiCamera(0, (640, 480), 15.0), PiCamera(0, (1280, 960), 30.0), Stream("rtsp://10.0.0.7/stream1")]


@pytest.mark.skipif(sys.platform != "linux", reason="Video4Linux")
def test_cameras_go_by_path_or_number(chosen: list[CaptureRecipe], monkeypatch: pytest.MonkeyPatch) -> None:
    """A device is a camera; a number is that of /dev/videoN."""
    monkeypatch.setattr("vision.camera.sources.Path.is_char_device", lambda path: True)
    monkeypatch.setattr("vision.camera.sources.Path.exists", lambda path: True)
    open_source("/dev/v4l/by-id/usb-Fake-video-index0", size_px=(1920, 1080))
    open_source("02")
    assert chosen == [
        V4l2Camera("/dev/v4l/by-id/usb-Fake-video-index0", (1920, 1080), 30.0),
        V4l2Camera("/dev/video2", (1280, 960), 30.0),
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="Video4Linux")
def test_a_camera_that_is_not_there_is_refused_at_once() -> None:
    """A wrong number raises, instead of a source that tries for ever."""
    with pytest.raises(SourceMissingError, match=r"^/dev/video987 is not there; plug it in") as caught:
        open_source("987")
    assert isinstance(caught.value, FileNotFoundError)
    with pytest.raises(SourceRefusedError, match=r"^/dev/shm: this is no camera"):
        open_source("/dev/shm")  # noqa: S108 - any folder there


def test_without_linux_there_are_no_cameras(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Mac gets a sentence instead of a source that never opens."""
    monkeypatch.setattr("vision.camera.sources.sys.platform", "darwin")
    with pytest.raises(SourceRefusedError, match="use Linux, or give a stream or a video"):
        open_source("0")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "'': this names no source of pictures; give a picture"),
        (" \n", "this names no source of pictures"),
        ("a\0b", "this names no source of pictures"),
        ("nowhere.mp4", "nowhere.mp4 is not there; give a picture, a folder, a video"),
        ("notes.txt", "notes.txt: its name is not that of a picture or video; convert it to .jpg, .png or .mp4."),
        ("pipe", "pipe: this is no plain file; give a picture"),
        ("empty", "empty: there is no picture in this folder"),
        ("notes.txt/a.jpg", "notes.txt/a.jpg: Not a directory"),
        ("x" * 300, "File name too long"),
        ("ftp://host/a", "streams come by RTSP or HTTP"),
        ("file:///a.mp4", "streams come by RTSP or HTTP"),
    ],
)
def test_refusals_name_the_thing_and_the_remedy(
    text: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notes.txt").touch()
    (tmp_path / "empty").mkdir()
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(VisionError) as caught:
        open_source(text)
    assert sentence in str(caught.value)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize("fps", [0.0, -1.0, float("nan"), float("inf"), 1e9])
def test_an_impossible_rate_is_refused(fps: float) -> None:
    with pytest.raises(SourceRefusedError, match="frames a second are not possible"):
        open_source("picamera", fps=fps)


def test_a_pi_camera_without_a_pi_fails_with_a_sentence() -> None:
    """The whole way: open_source, its process, the missing library, the state. It opens without waiting."""
    if "picamera2" in sys.modules or Path("/proc/device-tree/model").exists():
        pytest.skip("this may be a Pi")
    with open_source("picamera") as source:
        opening = source.state
        assert source.latest(20_000) is None
        failed = source.state
    assert (opening.condition, failed.condition) == (Condition.OPENING, Condition.FAILED)
    assert "python3-picamera2" in failed.sentence
