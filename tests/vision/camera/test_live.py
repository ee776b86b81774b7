from dataclasses import dataclass, field

import numpy as np
import pytest

from vision.camera.capture import CaptureEnded, Lock, LocksTried
from vision.camera.capture_process import CaptureEvent
from vision.camera.live import LiveSource
from vision.camera.watchdog import WatchdogTimeouts
from vision.frame import Condition, Frame, SourceState

PATIENCE = WatchdogTimeouts(opening_ms=5000, stall_ms=1000, first_pause_ms=100, longest_pause_ms=400, steady_ms=3000)


def frame(taken_ms: int) -> Frame:
    return Frame(np.zeros((4, 4, 3), np.uint8), taken_ms)


@dataclass
class FakeEngine:
    """Events at their times, on a clock that only waiting moves."""

    plan: list[tuple[int, CaptureEvent]]
    now_ms: int = 0
    done: list[tuple[str, int]] = field(default_factory=list)
    runs: bool = False
    cannot_die: bool = False
    cannot_start: bool = False

    def clock_ms(self) -> int:
        return self.now_ms

    def start(self) -> None:
        self.done.append(("start", self.now_ms))
        if self.cannot_start:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        self.runs = True

    def take_events(self) -> list[CaptureEvent]:
        due = [event for at_ms, event in self.plan if at_ms <= self.now_ms]
        self.plan = [entry for entry in self.plan if entry[0] > self.now_ms]
        return due if self.runs else []

    def wait(self, timeout_ms: int) -> None:
        assert timeout_ms > 0, "a source must not spin"
        ends_ms = self.now_ms + timeout_ms
        self.now_ms = min([at_ms for at_ms, _ in self.plan if self.runs and at_ms > self.now_ms] + [ends_ms])

    def kill(self) -> None:
        self.done.append(("kill", self.now_ms))
        self.runs = False

    def has_ended(self) -> bool:
        return not self.runs and not self.cannot_die

    def close(self) -> None:
        self.done.append(("close", self.now_ms))
        self.runs = False


def source_with(plan: list[tuple[int, CaptureEvent]], *, cannot_start: bool = False) -> tuple[FakeEngine, LiveSource]:
    engine = FakeEngine(plan, cannot_start=cannot_start)
    return engine, LiveSource(engine, "The camera", timeouts=PATIENCE, clock_ms=engine.clock_ms)


def next_ms(source: LiveSource, timeout_ms: int) -> int | None:
    """The time of the frame that comes within the timeout."""
    found = source.latest(timeout_ms)
    return None if found is None else found.taken_ms


def test_the_caller_waits_until_the_frame() -> None:
    """The camera starts to open at once, while the caller does other things."""
    engine, source = source_with([(40, frame(40))])
    assert (source.state.condition, engine.done) == (Condition.OPENING, [("start", 0)])
    assert next_ms(source, 500) == 40
    assert (source.state.condition, engine.now_ms) == (Condition.LIVE, 40)


@pytest.mark.parametrize("timeout_ms", [0, 1, 30])
def test_a_timeout_without_a_frame_is_no_failure(timeout_ms: int) -> None:
    """None after exactly the timeout, and the source is still live."""
    engine, source = source_with([(0, frame(0)), (40, frame(40))])
    assert (next_ms(source, 0), next_ms(source, timeout_ms)) == (0, None)
    assert (source.state.condition, engine.now_ms) == (Condition.LIVE, timeout_ms)


def test_a_hang_is_detected_killed_and_restarted() -> None:
    """Stall, kill, pause, start, and the frame of the new process."""
    engine, source = source_with([(0, frame(0)), (1300, frame(1300))])
    source.latest(0)
    assert source.latest(1050) is None
    assert source.state.condition is Condition.HANGS
    assert next_ms(source, 5000) == 1300
    assert engine.done == [("start", 0), ("kill", 1000), ("start", 1100)]


def test_a_vanished_camera_is_tried_again() -> None:
    """The child's sentence is the state's, and the pauses grow."""
    unplugged = CaptureEnded("The camera is unplugged; plug it in.", is_curable=True)
    engine, source = source_with([(10, unplugged), (150, unplugged), (400, frame(400))])
    assert source.latest(200) is None
    assert source.state == SourceState(Condition.VANISHED, 10, "The camera is unplugged; plug it in.")
    assert next_ms(source, 500) == 400
    assert [entry for entry in engine.done if entry[0] == "start"] == [("start", 0), ("start", 110), ("start", 350)]


def test_a_failed_source_answers_at_once() -> None:
    """Without its library a camera is given up: None without waiting, and no new start."""
    engine, source = source_with([(10, CaptureEnded("install it.", is_curable=False))])
    for _ in range(2):
        assert source.latest(10_000) is None
        assert (source.state.condition, engine.now_ms) == (Condition.FAILED, 10)


def test_an_old_frame_is_not_returned() -> None:
    """A caller who was away for long gets no picture from before the hang."""
    engine, source = source_with([(0, frame(0)), (500, frame(500))])
    source.latest(0)
    engine.now_ms = 4000
    assert source.latest(0) is None
    assert source.state.condition is Condition.HANGS


def test_the_last_frame_before_the_end_is_returned() -> None:
    _engine, source = source_with([(20, frame(20)), (20, CaptureEnded("gone.", is_curable=True))])
    assert next_ms(source, 100) == 20
    assert source.state.condition is Condition.VANISHED


def test_nothing_starts_while_the_old_process_holds_the_camera() -> None:
    """A process stuck in the kernel blocks nobody, and no second one joins it."""
    engine, source = source_with([(0, frame(0))])
    source.latest(0)
    engine.cannot_die = True
    assert source.latest(3000) is None
    assert "inside its driver" in source.state.sentence
    assert engine.done == [("start", 0), ("kill", 1000)]
    engine.cannot_die = False
    source.latest(500)
    assert engine.done[-1][0] == "start"


def test_a_machine_without_room_is_a_state() -> None:
    engine, source = source_with([], cannot_start=True)
    assert source.latest(150) is None
    assert source.state.condition is Condition.VANISHED
    assert "Resource temporarily unavailable" in source.state.sentence
    assert engine.done == [("start", 0), ("start", 100)]


def test_it_describes_its_locks() -> None:
    """Held ones, and the others with the reason; after a new start none is known."""
    locks = (Lock("exposure", True, "120"), Lock("focus", False, "the driver does not switch it off"))
    _engine, source = source_with([(0, frame(0)), (0, LocksTried(locks))])
    assert source.describe() == "The camera"
    source.latest(0)
    assert source.locks == locks
    assert source.describe() == ("The camera; locked: exposure; not locked: focus (the driver does not switch it off)")
    source.latest(2000)
    assert not source.locks


def test_closing_ends_it() -> None:
    """A live process is asked to exit, a hanging one is killed first; afterwards no frame comes and no call waits."""
    engine, source = source_with([(0, frame(0))])
    with source:
        source.latest(0)
    assert engine.done == [("start", 0), ("close", 0)]
    source.close()
    assert source.latest(1000) is None
    assert (source.state.condition, engine.now_ms) == (Condition.CLOSED, 0)
    hanging, source = source_with([])
    source.close()
    assert hanging.done == [("start", 0), ("kill", 0), ("close", 0)]


def test_a_frozen_camera_hangs_until_its_picture_changes() -> None:
    """It is started anew with growing pauses; the picture it keeps sending is told as before, not as a recovery."""
    board = np.random.default_rng(1).integers(30, 220, (64, 64, 3), np.uint8)
    frozen = [(at_ms, Frame(board, at_ms)) for at_ms in range(0, 6000, 100)]
    changing = [(at_ms, Frame(np.roll(board, at_ms // 100, axis=1), at_ms)) for at_ms in range(6000, 8000, 100)]
    engine, source = source_with([*frozen, *changing])
    got = []
    while (taken_ms := next_ms(source, 300)) is not None:
        got.append(taken_ms)
    assert got == list(range(0, 1200, 100))
    assert source.state.condition is Condition.HANGS
    assert source.state.sentence.startswith("The camera repeats one picture for ever and is started anew; unplug it")
    assert (source.state.since_ms, engine.done[1]) == (1200, ("kill", 1200))
    while engine.now_ms < 5900:
        assert source.latest(100) is None
        assert (source.state.condition, source.state.since_ms) == (Condition.HANGS, 1200)
    assert 3 <= [what for what, _ in engine.done].count("kill") <= 4
    got_ms = next_ms(source, 1000)
    assert got_ms is not None
    assert 6000 <= got_ms <= 6500
    assert [source.state.condition] == [Condition.LIVE]
