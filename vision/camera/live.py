"""A camera or stream as a source of frames: its process under a watchdog. Nobody waits longer than he said.

There is no thread in here. Hearing, killing and restarting happen while the caller asks for a frame.
"""

from types import TracebackType
from typing import Protocol, Self

from vision.camera import watchdog
from vision.camera.capture import CaptureRecipe, Lock
from vision.camera.capture_messages import CaptureEnded, LocksTried
from vision.camera.capture_process import CaptureEvent, CaptureProcess
from vision.camera.watchdog import WatchdogAction, WatchdogTimeouts
from vision.frame import Clock, Condition, Frame, SourceState, monotonic_ms


class CaptureBackend(Protocol):
    """What brings the frames: `CaptureProcess`, or a fake without a process."""

    def start(self) -> None: ...

    def take_events(self) -> list[CaptureEvent]: ...

    def wait(self, timeout_ms: int) -> None: ...

    def kill(self) -> None: ...

    def has_ended(self) -> bool: ...

    def close(self) -> None: ...


class LiveSource:
    """A FrameSource that gives the newest frame only. `locks` is empty until the camera has settled."""

    def __init__(
        self,
        backend: CaptureBackend,
        name: str,
        *,
        timeouts: WatchdogTimeouts | None = None,
        clock_ms: Clock = monotonic_ms,
    ) -> None:
        self._backend = backend
        self._clock_ms = clock_ms
        self._watchdog = watchdog.begin(name, timeouts or WatchdogTimeouts(), clock_ms())
        self.locks: tuple[Lock, ...] = ()
        self._apply_due_action()

    @property
    def state(self) -> SourceState:
        return self._watchdog.state

    def latest(self, timeout_ms: int) -> Frame | None:
        """A frame that was not handed out before and is no older than the stall time."""
        deadline_ms = self._clock_ms() + timeout_ms
        while True:
            frame = self._poll()
            now_ms = self._clock_ms()
            alarm_ms = self._watchdog.alarm_ms
            if frame is not None or alarm_ms is None or now_ms >= deadline_ms:
                return frame
            self._backend.wait(min(deadline_ms, alarm_ms) - now_ms)

    def describe(self) -> str:
        """The name, and which of the camera's automatic controls were switched off."""
        held = [lock.control for lock in self.locks if lock.is_held]
        not_held = [f"{lock.control} ({lock.detail})" for lock in self.locks if not lock.is_held]
        parts = [self._watchdog.name, f"locked: {', '.join(held)}" if held else ""]
        parts.append(f"not locked: {', '.join(not_held)}" if not_held else "")
        return "; ".join(part for part in parts if part)

    def close(self) -> None:
        """Takes a second at most, also while the camera hangs."""
        if self._watchdog.state.condition is Condition.CLOSED:
            return
        if self._watchdog.state.condition is not Condition.LIVE:
            self._backend.kill()  # it would not hear us
        self._backend.close()
        self._watchdog = watchdog.record_close(self._watchdog, self._clock_ms())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _poll(self) -> Frame | None:
        """Hears what came, does what is due, and gives the frame if it is still worth looking at."""
        frame: Frame | None = None
        for sign in self._backend.take_events():
            if isinstance(sign, Frame):
                frame = sign
            self._handle_event(sign)
        self._apply_due_action()
        if frame is None or self._clock_ms() - frame.taken_ms >= self._watchdog.timeouts.stall_ms:
            return None
        return frame

    def _handle_event(self, sign: CaptureEvent) -> None:
        match sign:
            case Frame():
                self._watchdog = watchdog.record_frame(self._watchdog, sign.taken_ms)
            case LocksTried():
                self.locks = sign.locks
            case CaptureEnded():
                self._backend.kill()
                learn = watchdog.record_loss if sign.is_curable else watchdog.record_failure
                self._watchdog = learn(self._watchdog, sign.sentence, self._clock_ms())

    def _apply_due_action(self) -> None:
        self._watchdog, act = watchdog.tick(self._watchdog, self._clock_ms())
        match act:
            case WatchdogAction.KILL:
                self._backend.kill()
            case WatchdogAction.START if not self._backend.has_ended():
                self._watchdog = watchdog.record_blocked_start(self._watchdog, self._clock_ms())
            case WatchdogAction.START:
                self._start()
            case WatchdogAction.NOTHING:
                pass

    def _start(self) -> None:
        self.locks = ()
        try:
            self._backend.start()
        except OSError as error:
            sentence = f"{self._watchdog.name} cannot be read, no process starts ({error}); free memory and open files."
            self._watchdog = watchdog.record_loss(self._watchdog, sentence, self._clock_ms())


def open_live_source(recipe: CaptureRecipe, timeouts: WatchdogTimeouts | None = None) -> LiveSource:
    """The source of this camera, already starting."""
    return LiveSource(CaptureProcess(recipe), recipe.name, timeouts=timeouts)
