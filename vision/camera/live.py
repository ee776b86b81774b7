"""A camera or stream as a source of frames: its process under a watchdog. Nobody waits longer than he said.

There is no thread in here. Hearing, killing and restarting happen while the caller asks for a frame.
"""

from types import TracebackType
from typing import Protocol, Self

from vision.camera import watchdog
from vision.camera.capture import CaptureRecipe, Lock
from vision.camera.capture_messages import CaptureEnded, LocksTried
from vision.camera.capture_process import CaptureProcess, Sign
from vision.camera.watchdog import Act, Patience
from vision.frame import Clock, Condition, Frame, SourceState, monotonic_ms


class Engine(Protocol):
    """What brings the frames: `CaptureProcess`, or a fake without a process."""

    def start(self) -> None: ...

    def signs(self) -> list[Sign]: ...

    def wait(self, timeout_ms: int) -> None: ...

    def kill(self) -> None: ...

    def has_ended(self) -> bool: ...

    def close(self) -> None: ...


class LiveSource:
    """A FrameSource that gives the newest frame only. `locks` is empty until the camera has settled."""

    def __init__(
        self, engine: Engine, name: str, *, patience: Patience | None = None, clock_ms: Clock = monotonic_ms
    ) -> None:
        self._engine = engine
        self._clock_ms = clock_ms
        self._watch = watchdog.begin(name, patience or Patience(), clock_ms())
        self.locks: tuple[Lock, ...] = ()
        self._act()

    @property
    def state(self) -> SourceState:
        return self._watch.state

    def latest(self, timeout_ms: int) -> Frame | None:
        """A frame that was not handed out before and is no older than the stall time."""
        deadline_ms = self._clock_ms() + timeout_ms
        while True:
            frame = self._look()
            now_ms = self._clock_ms()
            alarm_ms = self._watch.alarm_ms
            if frame is not None or alarm_ms is None or now_ms >= deadline_ms:
                return frame
            self._engine.wait(min(deadline_ms, alarm_ms) - now_ms)

    def describe(self) -> str:
        """The name, and which of the camera's automatic controls were switched off."""
        held = [lock.control for lock in self.locks if lock.is_held]
        not_held = [f"{lock.control} ({lock.detail})" for lock in self.locks if not lock.is_held]
        parts = [self._watch.name, f"locked: {', '.join(held)}" if held else ""]
        parts.append(f"not locked: {', '.join(not_held)}" if not_held else "")
        return "; ".join(part for part in parts if part)

    def close(self) -> None:
        """Takes a second at most, also while the camera hangs."""
        if self._watch.state.condition is Condition.CLOSED:
            return
        if self._watch.state.condition is not Condition.LIVE:
            self._engine.kill()  # it would not hear us
        self._engine.close()
        self._watch = watchdog.closed(self._watch, self._clock_ms())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _look(self) -> Frame | None:
        """Hears what came, does what is due, and gives the frame if it is still worth looking at."""
        frame: Frame | None = None
        for sign in self._engine.signs():
            if isinstance(sign, Frame):
                frame = sign
            self._learn(sign)
        self._act()
        if frame is None or self._clock_ms() - frame.taken_ms >= self._watch.patience.stall_ms:
            return None
        return frame

    def _learn(self, sign: Sign) -> None:
        match sign:
            case Frame():
                self._watch = watchdog.seen(self._watch, sign.taken_ms)
            case LocksTried():
                self.locks = sign.locks
            case CaptureEnded():
                self._engine.kill()
                learn = watchdog.gone if sign.is_curable else watchdog.failed
                self._watch = learn(self._watch, sign.sentence, self._clock_ms())

    def _act(self) -> None:
        self._watch, act = watchdog.tick(self._watch, self._clock_ms())
        match act:
            case Act.KILL:
                self._engine.kill()
            case Act.START if not self._engine.has_ended():
                self._watch = watchdog.stuck(self._watch, self._clock_ms())
            case Act.START:
                self._start()
            case Act.NOTHING:
                pass

    def _start(self) -> None:
        self.locks = ()
        try:
            self._engine.start()
        except OSError as error:
            sentence = f"{self._watch.name} cannot be read, no process starts ({error}); free memory and open files."
            self._watch = watchdog.gone(self._watch, sentence, self._clock_ms())


def live(recipe: CaptureRecipe, patience: Patience | None = None) -> LiveSource:
    """The source of this camera, already starting."""
    return LiveSource(CaptureProcess(recipe), recipe.name, patience=patience)
