"""When a live source counts as hanging or gone, and when it is started again. Time is an argument; nothing happens here.

A watch is a value. Each of the functions below takes what was learnt and the time, and gives the new watch; `tick`
also says what has to be done now. A source that fails again and again is tried less and less often.
"""

from dataclasses import dataclass, replace
from enum import Enum

from vision.frame import Condition, SourceState


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchdogTimeouts:
    """How long to wait for what."""

    # A Pi 4 takes 3 s to load numpy and OpenCV and 2 s to open its camera; a stream may ask three servers.
    opening_ms: int = 20_000
    # Forty frames at 15 a second: no exposure lasts as long. Frames older than this are not handed out either.
    stall_ms: int = 2_500
    first_pause_ms: int = 500
    longest_pause_ms: int = 8_000
    steady_ms: int = 10_000  # after so long without trouble the pauses begin anew


class WatchdogAction(Enum):
    """What the holder of a watch has to do."""

    NOTHING = "nothing"
    START = "start"
    KILL = "kill"


@dataclass(frozen=True, slots=True)
class WatchdogState:
    """What is known of one live source."""

    name: str
    timeouts: WatchdogTimeouts
    state: SourceState
    is_running: bool
    alarm_ms: int | None  # when something has to be done if nothing comes; None: never again
    pause_ms: int  # before the next start


def begin(name: str, timeouts: WatchdogTimeouts, now_ms: int) -> WatchdogState:
    """Nothing runs yet; the first tick starts it."""
    opening = SourceState(Condition.OPENING, now_ms)
    return WatchdogState(name, timeouts, opening, False, now_ms, timeouts.first_pause_ms)


def record_frame(watch: WatchdogState, taken_ms: int) -> WatchdogState:
    """A frame came."""
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
    """It said that it cannot go on, or its process ended; it is tried again after a pause."""
    return _pause(watch, Condition.VANISHED, sentence, now_ms)


def record_failure(watch: WatchdogState, sentence: str, now_ms: int) -> WatchdogState:
    """Trying again would not help."""
    return _finish(watch, Condition.FAILED, sentence, now_ms)


def record_close(watch: WatchdogState, now_ms: int) -> WatchdogState:
    return _finish(watch, Condition.CLOSED, "", now_ms)


def record_blocked_start(watch: WatchdogState, now_ms: int) -> WatchdogState:
    """It was to be started, but the killed process has not let go of the camera yet."""
    sentence = f"{watch.name} hangs inside its driver; unplug it for a moment, or restart the machine."
    return _pause(watch, Condition.HANGS, sentence, now_ms)


def tick(watch: WatchdogState, now_ms: int) -> tuple[WatchdogState, WatchdogAction]:
    """What the time alone brings about."""
    if watch.alarm_ms is None or now_ms < watch.alarm_ms:
        return watch, WatchdogAction.NOTHING
    if not watch.is_running:
        return replace(watch, is_running=True, alarm_ms=now_ms + watch.timeouts.opening_ms), WatchdogAction.START
    return _pause(watch, Condition.HANGS, _hang_sentence(watch), now_ms), WatchdogAction.KILL


def _hang_sentence(watch: WatchdogState) -> str:
    is_live = watch.state.condition is Condition.LIVE
    waited_s = (watch.timeouts.stall_ms if is_live else watch.timeouts.opening_ms) / 1000
    return f"{watch.name} has sent no picture for {waited_s:g} s and is started anew; check its cable and its power."


def _pause(watch: WatchdogState, condition: Condition, sentence: str, now_ms: int) -> WatchdogState:
    """Down until the alarm; `since_ms` stays that of the first of several failures of one kind."""
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
