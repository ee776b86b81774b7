"""Real processes with cameras that misbehave. No test waits for a fixed time, only for an event that must come."""

import gc
import os
import select
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from tests.vision.camera import fake_cameras as fakes
from tests.vision.camera.fake_cameras import Hanging, HangingHard
from vision.camera.capture import CaptureEnded, Lock
from vision.camera.capture_process import CaptureProcess
from vision.camera.live import LiveSource, open_live_source
from vision.camera.watchdog import WatchdogTimeouts
from vision.frame import Condition, Frame, SourceState, monotonic_ms

pytestmark = pytest.mark.broad

ROOT = Path(__file__).parents[3]
# No second start within a test that does not want one.
ONCE = WatchdogTimeouts(first_pause_ms=600_000, longest_pause_ms=600_000, stall_ms=400)
AGAIN = WatchdogTimeouts(first_pause_ms=1, longest_pause_ms=1, stall_ms=400)


def first_trouble(source: LiveSource) -> tuple[list[Frame], SourceState]:
    """The frames until the source is neither opening nor live, and its state then."""
    frames: list[Frame] = []
    until = time.monotonic() + 20
    while source.state.condition in (Condition.OPENING, Condition.LIVE) and time.monotonic() < until:
        frame = source.latest(100)
        if frame is not None:
            frames.append(frame)
    return frames, source.state


def has_ended(pid: int, limit_s: float = 10.0) -> bool:
    """Whether the process, a child of ours or not, ends within the time."""
    try:
        watched = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([watched], [], [], limit_s)[0])
    finally:
        os.close(watched)


def held_by_us() -> tuple[int, int]:
    """The numbers of open files and of mapped memories for pictures."""
    gc.collect()  # leftovers of other tests
    return len(list(Path("/proc/self/fd").iterdir())), Path("/proc/self/maps").read_text().count("zarbiter-frames")


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="watches processes by pidfd and /proc")


def test_frames_are_whole_and_in_order() -> None:
    """A hundred pictures of one value each: none mixes two, none changes later, times grow up to now."""
    with open_live_source(fakes.FakeCamera()) as source:
        stream = fakes.frames_of(source)
        first = next(stream)
        value = int(first.pixels[0, 0, 0])
        frames = [first, *islice(stream, 99)]
        assert source.state.condition is Condition.LIVE
    assert (first.pixels == value).all()
    assert {frame.pixels.shape for frame in frames} == {fakes.SHAPE}
    assert all(np.ptp(frame.pixels) == 0 for frame in frames)
    times = [frame.taken_ms for frame in frames]
    assert times == sorted(times)
    assert 0 <= monotonic_ms() - times[-1] < 10_000


def test_the_size_may_change() -> None:
    """Pictures of another size with every frame arrive whole."""
    with open_live_source(fakes.Resizing()) as source:
        frames = list(islice(fakes.frames_of(source), 30))
    assert len({frame.pixels.shape for frame in frames}) > 1
    assert all(np.ptp(frame.pixels) == 0 for frame in frames)


@pytest.mark.parametrize("camera", [Hanging(after=3), HangingHard(after=3)], ids=["politely", "hard"])
def test_a_hanging_camera_is_detected(camera: fakes.FakeCamera) -> None:
    """The frames before come, then the state is HANGS, and closing is quick."""
    with open_live_source(camera, ONCE) as source:
        frames, state = first_trouble(source)
        closing_s = time.monotonic()
    assert 1 <= len(frames) <= 3
    assert state.condition is Condition.HANGS
    assert "has sent no picture for 0.4 s" in state.sentence
    assert time.monotonic() - closing_s < 2


def test_a_hanging_camera_is_started_anew(tmp_path: Path) -> None:
    """The process that hangs is replaced by one that works; to the caller it is one source."""
    with open_live_source(fakes.HangingOnce(after=3, first_file=str(tmp_path / "hung")), AGAIN) as source:
        _, state = first_trouble(source)
        assert state.condition is Condition.HANGS
        assert len(list(islice(fakes.frames_of(source), 20))) == 20
        assert source.state.condition is Condition.LIVE


def test_a_crash_ends_only_its_process() -> None:
    with open_live_source(fakes.Crashing(after=3), ONCE) as source:
        _, state = first_trouble(source)
    assert state.condition is Condition.VANISHED
    assert state.sentence.startswith("The fake camera was lost, the process that reads it ended")


@pytest.mark.parametrize(
    ("camera", "condition", "sentence"),
    [
        (fakes.Unplugged(after=3), Condition.VANISHED, "The fake camera is unplugged; plug it in."),
        (
            fakes.Raising(after=3),
            Condition.VANISHED,
            "The fake camera stopped (RuntimeError: ISP timeout); check its cable and that nobody else uses it.",
        ),
        (
            fakes.WithoutLibrary(),
            Condition.FAILED,
            "The fake camera needs libfake, which is not installed; install libfake.",
        ),
        (
            fakes.Garbled(after=0),
            Condition.VANISHED,
            "The fake camera sends pictures that cannot be read; try another cable, size or format.",
        ),
    ],
    ids=["unplugged", "raising", "without library", "garbled"],
)
def test_the_sentence_of_the_camera_reaches_the_caller(
    camera: fakes.FakeCamera, condition: Condition, sentence: str
) -> None:
    with open_live_source(camera, ONCE) as source:
        _, state = first_trouble(source)
    assert (state.condition, state.sentence) == (condition, sentence)


def test_an_explained_end_is_reported_once() -> None:
    """Message and end arrive together when nobody polls for a while, as on a busy machine."""
    process = CaptureProcess(fakes.Unplugged(after=0))
    process.start()
    try:
        assert process.pid is not None
        assert has_ended(process.pid)
        ends = [event.sentence for event in process.take_events() if isinstance(event, CaptureEnded)]
        assert ends == ["The fake camera is unplugged; plug it in."]
        assert not [event for event in process.take_events() if isinstance(event, CaptureEnded)]
    finally:
        process.close()


def test_single_garbled_pictures_are_skipped() -> None:
    """Grey, float, None and text between good pictures are not returned and end nothing."""
    with open_live_source(fakes.Garbled()) as source:
        frames = list(islice(fakes.frames_of(source), 10))
        assert source.state.condition is Condition.LIVE
    assert {int(frame.pixels[0, 0, 0]) % 4 for frame in frames} == {0}


def test_locks_reach_the_caller() -> None:
    locks = (Lock("gain", True, "16"), Lock("focus", False, "the driver does not have it"))
    with open_live_source(fakes.FakeCamera(locked=locks)) as source:
        list(islice(fakes.frames_of(source), 30))
        assert source.locks == locks


def test_closing_gives_the_camera_back(tmp_path: Path) -> None:
    """A camera that works is released in order, so that it can set its controls back."""
    released = tmp_path / "released"
    with open_live_source(fakes.FakeCamera(released_file=str(released))) as source:
        next(fakes.frames_of(source))
    assert released.exists()


@on_linux
def test_nothing_is_left_of_killed_processes() -> None:
    """Kills, restarts and changes of size leave neither processes nor open files nor memory."""
    before = held_by_us()
    pids: list[int] = []
    process = CaptureProcess(fakes.Resizing())
    for _ in range(3):
        process.start()
        pids.append(process.pid or 0)
        while not any(isinstance(event, Frame) for event in process.take_events()):
            process.wait(1000)
        process.kill()
        assert has_ended(pids[-1])
        assert process.has_ended()
    process.close()
    assert held_by_us() == before


def program_with_a_source(camera: str, last_line: str) -> list[str]:
    """Opens the camera, reads a frame, prints the process that reads it, then does the last line."""
    text = f"""
from tests.vision.camera.fake_cameras import {camera}, frames_of
from vision.camera.capture_process import CaptureProcess
from vision.camera.live import LiveSource
process = CaptureProcess({camera}(after=1))
source = LiveSource(process, "it")
next(frames_of(source))
print(process.pid, flush=True)
{last_line}
"""
    return [sys.executable, "-c", text]


@on_linux
@pytest.mark.parametrize("camera", ["Hanging", "HangingHard"])
def test_a_hang_does_not_keep_the_interpreter(camera: str) -> None:
    """A program that forgets to close a hanging camera ends all the same, and so does the process that hangs."""
    program = subprocess.Popen(program_with_a_source(camera, "pass"), cwd=ROOT, stdout=subprocess.PIPE, text=True)
    said, _ = program.communicate(timeout=20)
    assert program.returncode == 0
    assert has_ended(int(said))


@on_linux
def test_no_process_outlives_a_killed_referee() -> None:
    """kill -9 of the referee: the process that reads the camera, hanging as it is, leaves too."""
    with subprocess.Popen(
        program_with_a_source("Hanging", "input()"), cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        child = int(program.stdout.readline())
        program.kill()
        assert has_ended(child)
