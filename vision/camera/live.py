"""A camera or stream as a source of frames: a capture process under a watchdog.

The module has no thread. It receives events, kills and restarts the process while the caller requests a frame, and it
never exceeds the caller's timeout.
"""

from typing import Protocol

from vision.camera import watchdog
from vision.camera.capture import CaptureEnded, CaptureRecipe, Lock, LocksTried
from vision.camera.capture_process import CaptureEvent, CaptureProcess
from vision.camera.repeats import RepeatWatch, update_repeat_watch
from vision.camera.watchdog import WatchdogAction, WatchdogTimeouts
from vision.frame import Clock, Condition, Frame, FrameSource, SourceState, monotonic_ms


class CaptureBackend(Protocol):
    """The supplier of events: `CaptureProcess`, or a fake without a process."""

    def start(self) -> None: ...

    def take_events(self) -> list[CaptureEvent]: ...

    def wait(self, timeout_ms: int) -> None: ...

    def kill(self) -> None: ...

    def has_ended(self) -> bool: ...

    def close(self) -> None: ...


class LiveSource(FrameSource):
    """A source that returns only the newest frame. `locks` is empty until the camera has settled.

    `remedy`: what people try when it sends nothing, where it is no camera with a cable that a new start helps.
    A camera that repeats one picture hangs: it is started anew, and its frames are not returned until they change.
    """

    def __init__(
        self,
        backend: CaptureBackend,
        name: str,
        *,
        timeouts: WatchdogTimeouts | None = None,
        clock_ms: Clock = monotonic_ms,
        remedy: str = "",
    ) -> None:
        self._backend = backend
        self._clock_ms = clock_ms
        self._watchdog = watchdog.begin(name, timeouts or WatchdogTimeouts(), clock_ms(), remedy)
        self._remedy = remedy
        self._repeats = RepeatWatch()
        self.locks: tuple[Lock, ...] = ()
        self._apply_due_action()

    @property
    def state(self) -> SourceState:
        return self._watchdog.state

    @property
    def silence_remedy(self) -> str:
        return self._remedy or super().silence_remedy

    def latest(self, timeout_ms: int) -> Frame | None:
        """A frame that was not returned before and is younger than the stall time."""
        deadline_ms = self._clock_ms() + timeout_ms
        while True:
            frame = self._poll()
            now_ms = self._clock_ms()
            alarm_ms = self._watchdog.alarm_ms
            if frame is not None or alarm_ms is None or now_ms >= deadline_ms:
                return frame
            self._backend.wait(min(deadline_ms, alarm_ms) - now_ms)

    def describe(self) -> str:
        """The name, with the automatic controls that are off and those that are not."""
        held = [lock.control for lock in self.locks if lock.is_held]
        not_held = [f"{lock.control} ({lock.detail})" for lock in self.locks if not lock.is_held]
        parts = [self._watchdog.name, f"locked: {', '.join(held)}" if held else ""]
        parts.append(f"not locked: {', '.join(not_held)}" if not_held else "")
        return "; ".join(part for part in parts if part)

    def close(self) -> None:
        """Takes at most a second, also while the camera hangs."""
        if self.state.condition is Condition.CLOSED:
            return
        if self.state.condition is not Condition.LIVE:
            self._backend.kill()  # a process that is not live does not respond to a request
        self._backend.close()
        self._watchdog = watchdog.record_close(self._watchdog, self._clock_ms())

    def _poll(self) -> Frame | None:
        """Handles pending events and the due action; returns the newest frame unless it is too old."""
        frame: Frame | None = None
        for event in self._backend.take_events():
            self._handle_event(event)
            if isinstance(event, Frame):
                frame = None if self._repeats.is_frozen else event
        self._apply_due_action()
        if frame is None or self._clock_ms() - frame.taken_ms >= self._watchdog.timeouts.stall_ms:
            return None
        return frame

    def _handle_event(self, event: CaptureEvent) -> None:
        match event:
            case Frame():
                self._handle_frame(event)
            case LocksTried():
                self.locks = event.locks
            case CaptureEnded():
                self._backend.kill()
                record = watchdog.record_loss if event.is_curable else watchdog.record_failure
                self._watchdog = record(self._watchdog, event.sentence, self._clock_ms())

    def _handle_frame(self, frame: Frame) -> None:
        """A frame that repeats after the camera was found frozen counts only when it repeats for too long again."""
        was_frozen = self._repeats.is_frozen
        self._repeats = update_repeat_watch(self._repeats, frame)
        if not self._repeats.is_frozen:
            self._watchdog = watchdog.record_frame(self._watchdog, frame.taken_ms)
        elif not was_frozen or self._repeats.has_lasted(frame.taken_ms):
            self._backend.kill()
            self._watchdog = watchdog.record_standstill(self._watchdog, self._clock_ms())

    def _apply_due_action(self) -> None:
        self._watchdog, action = watchdog.tick(self._watchdog, self._clock_ms())
        match action:
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
        self._repeats = self._repeats.restart()
        try:
            self._backend.start()
        except OSError as error:
            sentence = f"{self._watchdog.name} cannot be read, no process starts ({error}); free memory and open files."
            self._watchdog = watchdog.record_loss(self._watchdog, sentence, self._clock_ms())


def open_live_source(recipe: CaptureRecipe, timeouts: WatchdogTimeouts | None = None) -> LiveSource:
    """Starts the process of this camera and returns its source."""
    return LiveSource(CaptureProcess(recipe), recipe.name, timeouts=timeouts)
