from vision.camera import watchdog
from vision.camera.watchdog import WatchdogAction, WatchdogState, WatchdogTimeouts
from vision.frame import Condition

PATIENCE = WatchdogTimeouts(opening_ms=5000, stall_ms=1000, first_pause_ms=100, longest_pause_ms=400, steady_ms=3000)


def started() -> WatchdogState:
    """Started at 0 ms."""
    return watchdog.tick(watchdog.begin("The camera", PATIENCE, 0), 0)[0]


def live_at(taken_ms: int) -> WatchdogState:
    return watchdog.record_frame(started(), taken_ms)


def test_the_first_tick_starts() -> None:
    """A new watch is opening and wants to be started at once; then it waits for a picture."""
    watch, act = watchdog.tick(watchdog.begin("The camera", PATIENCE, 7), 7)
    assert act is WatchdogAction.START
    assert watch.state.condition is Condition.OPENING
    assert watchdog.tick(watch, 5006) == (watch, WatchdogAction.NOTHING)


def test_a_frame_makes_it_live() -> None:
    """It is live since its first frame, and stays so while frames come."""
    watch = watchdog.record_frame(live_at(200), 900)
    assert (watch.state.condition, watch.state.since_ms, watch.state.sentence) == (Condition.LIVE, 200, "")
    assert watchdog.tick(watch, 1899)[1] is WatchdogAction.NOTHING


def test_a_stall_is_a_hang() -> None:
    """A second without a frame: it is killed, and the sentence says how long and what to do."""
    watch, act = watchdog.tick(live_at(200), 1200)
    assert act is WatchdogAction.KILL
    assert watch.state.condition is Condition.HANGS
    assert watch.state.sentence == (
        "The camera has sent no picture for 1 s and is started anew; check its cable and its power."
    )


def test_an_opening_that_takes_too_long_is_a_hang() -> None:
    """Opening has its own, longer limit."""
    watch, act = watchdog.tick(started(), 5000)
    assert act is WatchdogAction.KILL
    assert "for 5 s" in watch.state.sentence


def test_it_starts_again_after_a_pause() -> None:
    """What was killed stays down for the pause, and hangs until a frame has come."""
    watch, _ = watchdog.tick(live_at(200), 1200)
    assert watchdog.tick(watch, 1299)[1] is WatchdogAction.NOTHING
    watch, act = watchdog.tick(watch, 1300)
    assert act is WatchdogAction.START
    assert watch.state.condition is Condition.HANGS
    assert watchdog.record_frame(watch, 1400).state.condition is Condition.LIVE


def test_each_pause_is_twice_the_last() -> None:
    """What fails again and again is tried less often, up to the longest pause; it vanished when it first did."""
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
    """A camera that gives one frame and fails is not started ten times a second; one that ran steadily is."""
    watch = watchdog.record_loss(started(), "gone", 0)
    watch = watchdog.record_frame(watchdog.tick(watch, 100)[0], 200)
    assert watchdog.record_frame(watch, 3199).pause_ms == 200
    assert watchdog.record_frame(watch, 3200).pause_ms == 100


def test_what_cannot_work_is_not_tried_again() -> None:
    """A missing library ends it; so does closing, and neither ever asks for anything."""
    for watch in (watchdog.record_failure(started(), "install it", 50), watchdog.record_close(started(), 50)):
        assert watch.state.condition.is_final
        assert watch.alarm_ms is None
        assert watchdog.tick(watch, 10**9) == (watch, WatchdogAction.NOTHING)
        assert watchdog.record_loss(watch, "late", 60) == watch


def test_a_frame_of_a_killed_process_changes_nothing() -> None:
    """What still lay in the pipe does not bring a source back to life."""
    watch, _ = watchdog.tick(live_at(200), 1200)
    assert watchdog.record_frame(watch, 1201) == watch


def test_a_process_that_cannot_be_killed_is_told_apart() -> None:
    """While the kernel does not let the old process go, nothing new is started and the sentence says what helps."""
    watch, act = watchdog.tick(watchdog.tick(live_at(200), 1200)[0], 1300)
    assert act is WatchdogAction.START
    watch = watchdog.record_blocked_start(watch, 1300)
    assert watch.state.condition is Condition.HANGS
    assert watch.state.sentence.endswith("unplug it for a moment, or restart the machine.")
    assert watchdog.tick(watch, 1500)[1] is WatchdogAction.START
