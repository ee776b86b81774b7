from collections.abc import Iterator
from pathlib import Path

import numpy as np

from controller.match.commands import Command, EndTurn, Pause
from controller.match.inputs import Peripheral, PeripheralEvent, Tick
from controller.session.live_inputs import (
    CAMERA_LOST_AFTER_MS,
    FIRST_PICTURE_AFTER_MS,
    CameraStatus,
    LiveInput,
    RecordedInputs,
    live_inputs,
    no_commands,
    report_jumps,
    update_camera_status,
)
from tests.controller.board_pictures import written
from tests.controller.fake_sources import FakeSource
from tests.vision.drawn_boards import calibration_for
from vision.camera.recorded import open_picture_folder
from vision.frame import Condition, Frame, SourceState


class ScriptedCamera(FakeSource):
    """Frames at given times; asking takes as long as it may, and moves the clock. After `ends_ms` it is closed."""

    def __init__(self, frames_ms: list[int], troubles: dict[int, Condition], ends_ms: int) -> None:
        self.now_ms = 0
        self._frames_ms = frames_ms
        self._troubles = troubles
        self._ends_ms = ends_ms

    def clock(self) -> int:
        return self.now_ms

    @property
    def state(self) -> SourceState:
        if self.now_ms >= self._ends_ms:
            return SourceState(Condition.CLOSED, self.now_ms)
        past = [at_ms for at_ms in self._troubles if at_ms <= self.now_ms]
        condition = self._troubles[max(past)] if past else Condition.LIVE
        return SourceState(condition, 0, f"it is {condition.value}" if condition is not Condition.LIVE else "")

    def latest(self, timeout_ms: int) -> Frame | None:
        due = [at_ms for at_ms in self._frames_ms if self.now_ms < at_ms <= self.now_ms + timeout_ms]
        if not due:
            self.now_ms += timeout_ms
            return None
        self.now_ms = due[0]
        return Frame(np.zeros((8, 8, 3), np.uint8), due[0])

    def close(self) -> None:
        self._ends_ms = 0


def given_by(camera: ScriptedCamera) -> list[LiveInput]:
    return list(live_inputs(camera, no_commands, camera.clock))


def links(inputs: list[LiveInput]) -> list[PeripheralEvent]:
    return [given for given in inputs if isinstance(given, PeripheralEvent)]


def test_frames_and_ticks() -> None:
    """Between two frames 200 ms apart the time is reported every 40 ms."""
    camera = ScriptedCamera([100, 300], {}, 320)
    assert [given.now_ms if isinstance(given, Tick) else "frame" for given in given_by(camera)] == [
        *(40, 80, "frame", 140, 180, 220, 260, "frame", 340)
    ]


def test_a_silent_camera_is_lost_within_two_seconds() -> None:
    """No frame for 1.5 s: lost, with a sentence; the next frame: back. Each is reported once."""
    camera = ScriptedCamera([40, 80, 5_000, 5_040], {}, 6_000)
    lost, back = links(given_by(camera))
    assert (lost.peripheral, lost.is_up) == (Peripheral.CAMERA, False)
    assert lost.now_ms <= 80 + CAMERA_LOST_AFTER_MS + 40 <= 80 + 2_000
    assert lost.sentence == "The fake camera sends no pictures; check its cable."
    assert (back.is_up, back.now_ms) == (True, 5_000)


def test_an_unplugged_camera_is_lost_at_once() -> None:
    camera = ScriptedCamera([40, 80], {200: Condition.VANISHED}, 400)
    (lost,) = links(given_by(camera))
    assert (lost.now_ms, lost.sentence) == (200, "it is vanished")


def test_a_camera_that_opens_slowly_is_not_lost() -> None:
    assert links(given_by(ScriptedCamera([4_000], {}, 4_100))) == []


def test_a_camera_that_sends_nothing_is_named_within_five_seconds() -> None:
    """Once; a first picture that comes later is reported too."""
    silent, back = links(given_by(ScriptedCamera([9_000, 9_040], {}, 9_100)))
    assert silent.now_ms < 5_000
    assert silent.sentence == "The fake camera has sent no picture yet; wait a moment, or check its cable."
    assert (back.is_up, back.now_ms) == (True, 9_000)


def test_a_clock_may_begin_with_zero() -> None:
    camera = ScriptedCamera([], {}, 9_000)
    begun, _ = update_camera_status(CameraStatus(), None, camera, 0)
    _, silent = update_camera_status(begun, None, camera, FIRST_PICTURE_AFTER_MS)
    assert [event.is_up for event in silent] == [False]


def test_commands_come_after_the_time_they_were_given_at() -> None:
    """The referee knows what time it is before he hears an order."""
    orders: Iterator[tuple[Command, ...]] = iter([(), (EndTurn(),), (), (Pause(),)])
    camera = ScriptedCamera([], {}, 160)
    inputs = list(live_inputs(camera, lambda: next(orders, ()), camera.clock))
    assert inputs == [Tick(40), Tick(80), EndTurn(), Tick(120), Tick(160), Pause()]


def test_a_recording_passes_over_what_it_cannot_use(tmp_path: Path) -> None:
    """A damaged file and a picture of another shape: the others come, and each fault is reported."""
    for name in ("a", "c"):
        written(tmp_path / f"{name}.png")
    (tmp_path / "b.png").write_bytes(b"no picture")
    written(tmp_path / "d.png", np.zeros((480, 480, 3), np.uint8))
    complaints: list[str] = []
    inputs = RecordedInputs(open_picture_folder(tmp_path, fps=1), calibration_for(), no_commands, complaints.append)
    assert [given.taken_ms for given in inputs if isinstance(given, Frame)] == [0, 2_000]
    assert "b.png" in complaints[0]
    assert "480x480" in complaints[1]
    assert len(complaints) == 2


def frames_at(*times_ms: int) -> list[LiveInput]:
    return [Frame(np.zeros((8, 8, 3), np.uint8), at_ms) for at_ms in times_ms]


def test_where_a_recording_jumps_nobody_looked() -> None:
    """Five seconds are missing: the camera was lost 1.5 s after the last picture before, and is back with the next."""
    reported = list(report_jumps(frames_at(0, 100, 200, 5_200, 5_300)))
    assert [(event.is_up, event.now_ms) for event in links(reported)] == [
        (False, 200 + CAMERA_LOST_AFTER_MS),
        (True, 5_200),
    ]
    assert links(reported)[0].sentence == "The recording has no picture for 5.0 s."
    assert reported.index(links(reported)[1]) == 4  # before the picture that came after the jump


def test_a_recording_of_few_pictures_does_not_jump() -> None:
    assert links(list(report_jumps(frames_at(*range(0, 40_000, 2_000))))) == []
    assert len(links(list(report_jumps(frames_at(0, 2_000, 4_000, 6_000, 30_000, 32_000))))) == 2
