from collections.abc import Sequence

import numpy as np
import pytest

from controller.doctor.camera import (
    CameraSample,
    calibration_findings,
    camera_findings,
    picture_findings,
    sample_camera,
)
from controller.doctor.findings import Finding, Severity
from tests.controller.fake_sources import FakeSource
from tests.vision.tagged_boards import FIELD, PROJECTION, SIZE_PX, photograph
from vision.camera.capture import Lock
from vision.camera.capture_process import CaptureEvent
from vision.camera.live import LiveSource
from vision.errors import BadPictureError
from vision.field.drift import CannotTell, DriftResult, Moved, Shifted, Steady
from vision.frame import Condition, Frame, SourceState
from vision.geometry.calibration import Calibration, CalibrationMethod

BOARD = photograph(checkers={"T1": 5, "B5": 3})
CALIBRATION = Calibration(SIZE_PX, PROJECTION, FIELD, False, CalibrationMethod.ITSELF, 0.3, "2026-01-01T12:00:00+00:00")
LIVE = SourceState(Condition.LIVE, 0)


class FakeCamera(FakeSource):
    """Gives a frame every `every_ms` of a clock that advances only while it waits."""

    def __init__(self, every_ms: int, *, frames: int = 10**6, opens_ms: int = 0, damaged: bool = False) -> None:
        self.now_ms = 0
        self.state = LIVE
        self.locks = (Lock("exposure", True, "120"),)
        self._every_ms, self._left, self._opens_ms, self._is_damaged = every_ms, frames, opens_ms, damaged

    def latest(self, timeout_ms: int) -> Frame | None:
        if self.now_ms < self._opens_ms:
            self.now_ms += timeout_ms
            return None
        if not self._left:
            self.state = SourceState(Condition.VANISHED, self.now_ms, "The camera x is gone; plug it in again.")
            self.now_ms += timeout_ms
            return None
        self._left -= 1
        self.now_ms += self._every_ms
        if self._is_damaged:
            self._is_damaged = False
            raise BadPictureError("a.jpg", "a.jpg is damaged; take it out.")
        return Frame(BOARD, self.now_ms)


def watched(camera: FakeCamera) -> CameraSample:
    return sample_camera(camera, lambda: camera.now_ms)


def one(findings: Sequence[Finding], check: str) -> Finding:
    (found,) = (finding for finding in findings if finding.check == check)
    return found


def seen(picture: object = None, *, locks: tuple[Lock, ...] | None = None) -> CameraSample:
    pixels = BOARD if picture is None else np.asarray(picture, np.uint8)
    frames = tuple(Frame(pixels, 40 * number) for number in range(30))
    return CameraSample("The camera x", LIVE, frames, 30, 29 * 40, locks)


@pytest.mark.parametrize(
    ("every_ms", "fps", "verdict"),
    [(33, "30.3", Severity.OK), (80, "12.5", Severity.WARNING), (200, "5.0", Severity.FAULT)],
)
def test_the_rate_is_measured_over_some_seconds(every_ms: int, fps: str, verdict: Severity) -> None:
    """Less than 15 frames a second is a warning, less than 10 a fault."""
    found = one(list(camera_findings(watched(FakeCamera(every_ms)))), "frames")
    assert found.severity is verdict
    assert found.sentence.startswith(f"{fps} frames a second")


def test_the_time_to_open_does_not_count() -> None:
    """The time span begins with the first picture."""
    result = watched(FakeCamera(40, opens_ms=6_000))
    assert result.fps == pytest.approx(25)
    assert result.span_ms == 4_000


def test_a_camera_without_pictures_is_a_fault() -> None:
    """The finding has the camera's own sentence where there is one, and no other finding follows."""
    silent = list(camera_findings(watched(FakeCamera(40, opens_ms=10**6))))
    assert silent == [
        Finding("camera", Severity.FAULT, "The fake camera sent no picture; check its cable and its power.")
    ]
    gone = list(camera_findings(watched(FakeCamera(40, frames=0))))
    assert gone == [Finding("camera", Severity.FAULT, "The camera x is gone; plug it in again.")]


def test_a_camera_that_vanishes_is_a_fault() -> None:
    """Earlier pictures do not change that."""
    findings = list(camera_findings(watched(FakeCamera(40, frames=20))))
    assert Finding("camera", Severity.FAULT, "The camera x is gone; plug it in again.") in findings


def test_a_damaged_picture_is_reported_and_the_next_one_is_used() -> None:
    """The check goes on."""
    findings = list(camera_findings(watched(FakeCamera(40, damaged=True))))
    assert findings[0].severity is Severity.WARNING
    assert "a.jpg is damaged" in findings[0].sentence
    assert one(findings, "frames").severity is Severity.OK


def test_one_picture_has_no_rate() -> None:
    """The check is inconclusive."""
    single = CameraSample("the picture a.jpg", LIVE, (Frame(BOARD, 0),), 1, 0)
    found = one(list(camera_findings(single)), "frames")
    assert found.severity is Severity.WARNING
    assert found.sentence == "this could not be checked: 1 picture came, and no time between them."


@pytest.mark.parametrize(
    ("width", "verdict"), [(320, Severity.FAULT), (800, Severity.WARNING), (1280, Severity.OK), (1920, Severity.OK)]
)
def test_pictures_can_be_too_small(width: int, verdict: Severity) -> None:
    """Cameras should give 1280x960."""
    findings = list(camera_findings(seen(np.zeros((width * 3 // 4, width, 3)))))
    assert one(findings, "picture size").severity is verdict


def test_a_control_that_is_not_locked_is_reported_with_its_reason() -> None:
    """Each control has a finding of its own."""
    locks = (Lock("exposure", True, "120"), Lock("white balance", False, "the driver does not switch it off"))
    findings = [each for each in camera_findings(seen(locks=locks)) if each.check == "exposure lock"]
    assert [each.severity for each in findings] == [Severity.OK, Severity.WARNING]
    assert "white balance is not held (the driver does not switch it off)" in findings[1].sentence


def test_a_camera_that_has_not_settled_is_inconclusive() -> None:
    """A recording has nothing to lock and is OK."""
    unsettled = one(list(camera_findings(seen(locks=()))), "exposure lock")
    assert unsettled.severity is Severity.WARNING
    assert unsettled.sentence.startswith("this could not be checked")
    assert one(list(camera_findings(seen())), "exposure lock").severity is Severity.OK


@pytest.mark.parametrize(
    ("picture", "check", "verdict"),
    [
        (BOARD, "light", Severity.OK),
        (BOARD, "glare", Severity.OK),
        (BOARD, "focus", Severity.OK),
        (BOARD // 12, "light", Severity.FAULT),
        (BOARD // 4, "light", Severity.WARNING),
        (np.maximum(BOARD, 215), "light", Severity.WARNING),
        (np.where(np.arange(BOARD.shape[1])[:, None] < 60, 255, BOARD), "glare", Severity.WARNING),
        (np.full(BOARD.shape, 120), "focus", Severity.WARNING),
    ],
)
def test_light_glare_and_focus(picture: object, check: str, verdict: Severity) -> None:
    """A good picture is OK; dark, dazzled and blurred ones are reported."""
    assert one(list(picture_findings(seen(picture), None)), check).severity is verdict


def test_glare_outside_a_calibrated_field_does_not_count() -> None:
    """A lamp beside the board is no glare."""
    corners_px = PROJECTION.to_picture(FIELD.corners_mm)
    pixels = BOARD.copy()
    pixels[: int(corners_px[:, 1].min()) - 2] = 255
    assert one(list(picture_findings(seen(pixels), None)), "glare").severity is Severity.WARNING
    assert one(list(picture_findings(seen(pixels), CALIBRATION)), "glare").severity is Severity.OK


def test_without_pictures_light_and_calibration_cannot_be_checked() -> None:
    """They are warnings, not OK."""
    nothing = CameraSample("The camera x", LIVE)
    findings = [*picture_findings(nothing, None), *calibration_findings(nothing, CALIBRATION)]
    assert [each.severity for each in findings] == [Severity.WARNING, Severity.WARNING]
    assert all("could not be checked" in each.sentence for each in findings)


@pytest.mark.parametrize(
    ("answer", "verdict", "words"),
    [
        (Steady(), Severity.OK, "stand as they were calibrated"),
        (Shifted(CALIBRATION, 2.3), Severity.OK, "2.3 mm"),
        (
            Moved(30.0, "The board moved by 30 mm; calibrate anew.", CALIBRATION),
            Severity.FAULT,
            "The board moved by 30 mm",
        ),
        (CannotTell("Take hands away."), Severity.WARNING, "could not be checked: Take hands away."),
    ],
)
def test_the_calibration_is_compared_with_what_the_camera_sees(
    answer: DriftResult, verdict: Severity, words: str
) -> None:
    """The comparison is the drift check that `play` uses."""
    (found,) = calibration_findings(seen(), CALIBRATION, lambda _calibration, _frames: answer)
    assert found.severity is verdict
    assert words in found.sentence


def test_a_missing_calibration_is_a_warning_with_the_way_to_make_one() -> None:
    """Without a calibration, `play` detects the board at the start."""
    (found,) = calibration_findings(seen(), None)
    assert found.severity is Severity.WARNING
    assert "zarbiter calibrate" in found.sentence


class RepeatingCamera:
    """A `CaptureBackend` that delivers one picture ten times a second."""

    def __init__(self) -> None:
        self.now_ms = 0
        self._due: list[CaptureEvent] = []

    def start(self) -> None:
        pass

    def take_events(self) -> list[CaptureEvent]:
        due, self._due = self._due, []
        return due

    def wait(self, timeout_ms: int) -> None:
        self.now_ms += timeout_ms
        self._due = [Frame(BOARD, self.now_ms)]

    def kill(self) -> None:
        self._due = []

    def has_ended(self) -> bool:
        return True

    def close(self) -> None:
        pass


def test_a_camera_that_repeats_one_picture_is_a_fault() -> None:
    """Pictures come, and yet nothing would be refereed."""
    camera = RepeatingCamera()
    source = LiveSource(camera, "The camera x", clock_ms=lambda: camera.now_ms)
    faults = [
        each
        for each in camera_findings(sample_camera(source, lambda: camera.now_ms))
        if each.severity is Severity.FAULT
    ]
    assert [each.sentence for each in faults][:1] == [
        "The camera x repeats one picture for ever and is started anew; unplug it for a moment, or restart the stream."
    ]
