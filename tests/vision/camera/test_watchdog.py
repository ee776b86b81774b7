import pytest

from vision.camera import watchdog
from vision.camera.watchdog import WatchdogAction, WatchdogState, WatchdogTimeouts
from vision.frame import Condition

PATIENCE = WatchdogTimeouts(opening_ms=5000, stall_ms=1000, first_pause_ms=100, longest_pause_ms=400, steady_ms=3000)


def started() -> WatchdogState:
    return watchdog.tick(watchdog.begin("The camera", PATIENCE, 0), 0)[0]


def live_at(taken_ms: int) -> WatchdogState:
    return watchdog.record_frame(started(), taken_ms)


def test_the_first_tick_starts() -> None:
    """A new source is opening and starts at once; then it waits for a picture."""
    watch, action = watchdog.tick(watchdog.begin("The camera", PATIENCE, 7), 7)
    assert (action, watch.state.condition) == (WatchdogAction.START, Condition.OPENING)
    assert watchdog.tick(watch, 5006) == (watch, WatchdogAction.NOTHING)


def test_a_frame_makes_it_live() -> None:
    watch = watchdog.record_frame(live_at(200), 900)
    assert (watch.state.condition, watch.state.since_ms, watch.state.sentence) == (Condition.LIVE, 200, "")
    assert watchdog.tick(watch, 1899)[1] is WatchdogAction.NOTHING


@pytest.mark.parametrize(("watch", "now_ms", "limit"), [(live_at(200), 1200, "1 s"), (started(), 5000, "5 s")])
def test_a_time_without_a_frame_is_a_hang(watch: WatchdogState, now_ms: int, limit: str) -> None:
    """A second for a live source, five for one that opens: it is killed, and the sentence has limit and remedy."""
    watch, action = watchdog.tick(watch, now_ms)
    assert (action, watch.state.condition) == (WatchdogAction.KILL, Condition.HANGS)
    assert watch.state.sentence == (
        f"The camera has sent no picture for {limit} and is started anew; check its cable and its power."
    )


def test_it_starts_again_after_a_pause() -> None:
    """A killed source stays down for the pause, and hangs until a frame comes."""
    watch, _ = watchdog.tick(live_at(200), 1200)
    assert watchdog.tick(watch, 1299)[1] is WatchdogAction.NOTHING
    watch, action = watchdog.tick(watch, 1300)
    assert (action, watch.state.condition) == (WatchdogAction.START, Condition.HANGS)
    assert watchdog.record_frame(watch, 1400).state.condition is Condition.LIVE


def test_each_pause_is_twice_the_last() -> None:
    """Up to the longest pause; the time of the state is that of the first failure."""
    watch, now_ms, pauses = started(), 0, []
    for _ in range(5):
        watch = watchdog.record_loss(watch, "gone", now_ms)
        assert watch.alarm_ms is not None
        pauses.append(watch.alarm_ms - now_ms)
        now_ms = watch.alarm_ms
        watch, _ = watchdog.tick(watch, now_ms)
    assert pauses == [100, 200, 400, 400, 400]
    assert watch.state.since_ms == 0


def test_a_short_life_does_not_shorten_the_pause() -> None:
    """A camera that gives one frame and fails keeps its pause; one that ran steadily does not."""
    watch = watchdog.record_loss(started(), "gone", 0)
    watch = watchdog.record_frame(watchdog.tick(watch, 100)[0], 200)
    assert watchdog.record_frame(watch, 3199).pause_ms == 200
    assert watchdog.record_frame(watch, 3200).pause_ms == 100


def test_a_final_state_asks_for_nothing() -> None:
    """A missing library, or closing."""
    for watch in (watchdog.record_failure(started(), "install it", 50), watchdog.record_close(started(), 50)):
        assert watch.state.condition.is_final
        assert watch.alarm_ms is None
        assert watchdog.tick(watch, 10**9) == (watch, WatchdogAction.NOTHING)
        assert watchdog.record_loss(watch, "late", 60) == watch


def test_a_frame_of_a_killed_process_changes_nothing() -> None:
    """A frame that is still in the pipe does not make a source live."""
    watch, _ = watchdog.tick(live_at(200), 1200)
    assert watchdog.record_frame(watch, 1201) == watch


def test_a_process_that_cannot_be_killed_blocks_the_start() -> None:
    """While the kernel holds the old process no new one starts, and the sentence has the remedy."""
    watch, action = watchdog.tick(watchdog.tick(live_at(200), 1200)[0], 1300)
    assert action is WatchdogAction.START
    watch = watchdog.record_blocked_start(watch, 1300)
    assert watch.state.condition is Condition.HANGS
    assert watch.state.sentence.endswith("unplug it for a moment, or restart the machine.")
    assert watchdog.tick(watch, 1500)[1] is WatchdogAction.START
