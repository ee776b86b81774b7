"""The state machine that decides when a live source hangs or has vanished, and when it restarts.

The state is a value, and time is an argument; the module performs no action. Each function takes a state, an
observation and the time and returns the next state; `tick` also returns the action that is due. Repeated failures
lengthen the pause before the next start.
"""

from dataclasses import dataclass, replace
from enum import Enum

from vision.frame import Condition, SourceState


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchdogTimeouts:
    """The limits of a live source."""

    # A Pi 4 takes 3 s to load numpy and OpenCV and 2 s to open its camera; a stream may involve three servers.
    opening_ms: int = 20_000
    # 37 frames at 15 a second, longer than any exposure. A frame older than this is not returned.
    stall_ms: int = 2_500
    first_pause_ms: int = 500
    longest_pause_ms: int = 8_000
    steady_ms: int = 10_000  # time without a failure after which the pause is reset


class WatchdogAction(Enum):
    """The action that the owner of the state must perform."""

    NOTHING = "nothing"
    START = "start"
    KILL = "kill"


@dataclass(frozen=True, slots=True)
class WatchdogState:
    """The state of one live source."""

    name: str
    timeouts: WatchdogTimeouts
    state: SourceState
    is_running: bool
    alarm_ms: int | None  # the time of the next action unless a frame arrives; None: no further action
    pause_ms: int  # before the next start
    remedy: str = ""  # what people try when it sends nothing; "": it is started anew, and its cable checked


def begin(name: str, timeouts: WatchdogTimeouts, now_ms: int, remedy: str = "") -> WatchdogState:
    """The state before the first start; the first tick requests the start."""
    opening = SourceState(Condition.OPENING, now_ms)
    return WatchdogState(name, timeouts, opening, False, now_ms, timeouts.first_pause_ms, remedy)


def record_frame(watch: WatchdogState, taken_ms: int) -> WatchdogState:
    if not watch.is_running:
        return watch
    state = watch.state
    if state.condition is not Condition.LIVE:
        state = SourceState(Condition.LIVE, taken_ms)
    is_steady = taken_ms - state.since_ms >= watch.timeouts.steady_ms
    return replace(
        watch,
        state=state,
        alarm_ms=taken_ms + watch.timeouts.stall_ms,
        pause_ms=watch.timeouts.first_pause_ms if is_steady else watch.pause_ms,
    )


def record_loss(watch: WatchdogState, sentence: str, now_ms: int) -> WatchdogState:
    """The source reported an error or its process ended; the next start follows after a pause."""
    return _pause(watch, Condition.VANISHED, sentence, now_ms)


def record_failure(watch: WatchdogState, sentence: str, now_ms: int) -> WatchdogState:
    """The source cannot work; no further start follows."""
    return _finish(watch, Condition.FAILED, sentence, now_ms)


def record_standstill(watch: WatchdogState, now_ms: int) -> WatchdogState:
    """The source repeats one picture, and its process was ended."""
    what = (
        f"; {watch.remedy}" if watch.remedy else " and is started anew; unplug it for a moment, or restart the stream"
    )
    sentence = f"{watch.name} repeats one picture for ever{what}."
    return _pause(watch, Condition.HANGS, sentence, now_ms)


def record_close(watch: WatchdogState, now_ms: int) -> WatchdogState:
    return _finish(watch, Condition.CLOSED, "", now_ms)


def record_blocked_start(watch: WatchdogState, now_ms: int) -> WatchdogState:
    """A start was due, but the killed process still holds the camera."""
    sentence = f"{watch.name} hangs inside its driver; unplug it for a moment, or restart the machine."
    return _pause(watch, Condition.HANGS, sentence, now_ms)


def tick(watch: WatchdogState, now_ms: int) -> tuple[WatchdogState, WatchdogAction]:
    """Advances the time."""
    if watch.alarm_ms is None or now_ms < watch.alarm_ms:
        return watch, WatchdogAction.NOTHING
    if not watch.is_running:
        return replace(watch, is_running=True, alarm_ms=now_ms + watch.timeouts.opening_ms), WatchdogAction.START
    return _pause(watch, Condition.HANGS, _hang_sentence(watch), now_ms), WatchdogAction.KILL


def _hang_sentence(watch: WatchdogState) -> str:
    is_live = watch.state.condition is Condition.LIVE
    what = f"; {watch.remedy}" if watch.remedy else " and is started anew; check its cable and its power"
    waited_s = (watch.timeouts.stall_ms if is_live else watch.timeouts.opening_ms) / 1000
    return f"{watch.name} has sent no picture for {waited_s:g} s{what}."


def _pause(watch: WatchdogState, condition: Condition, sentence: str, now_ms: int) -> WatchdogState:
    """Stops until the alarm. `since_ms` is the time of the first of several failures of one kind."""
    if watch.state.condition.is_final:
        return watch
    since_ms = watch.state.since_ms if watch.state.condition is condition else now_ms
    return replace(
        watch,
        state=SourceState(condition, since_ms, sentence),
        is_running=False,
        alarm_ms=now_ms + watch.pause_ms,
        pause_ms=min(2 * watch.pause_ms, watch.timeouts.longest_pause_ms),
    )


def _finish(watch: WatchdogState, condition: Condition, sentence: str, now_ms: int) -> WatchdogState:
    return replace(watch, state=SourceState(condition, now_ms, sentence), is_running=False, alarm_ms=None)
