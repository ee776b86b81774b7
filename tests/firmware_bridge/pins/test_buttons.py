from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.pins.buttons import (
    DEBOUNCE_MS,
    Button,
    ButtonEvent,
    Buttons,
    Held,
    Level,
    Pressed,
    PressedAgain,
    PressedTogether,
    step,
)

pytestmark = pytest.mark.broad

ONE, TWO, UNDO = Button.END_TURN_1, Button.END_TURN_2, Button.UNDO


def reported(levels: list[Level], until_ms: int, *, every_ms: int = 10) -> list[ButtonEvent]:
    """All events when the levels are handed over at regular ticks."""
    buttons = Buttons()
    events: list[ButtonEvent] = []
    for now_ms in range(0, until_ms + every_ms, every_ms):
        due = [level for level in levels if now_ms - every_ms < level.at_ms <= now_ms]
        buttons, more = step(buttons, due, now_ms)
        events += more
    return events


def press(button: Button, down_ms: int, up_ms: int) -> list[Level]:
    return [Level(button, True, down_ms), Level(button, False, up_ms)]


class TestOnePress:
    def test_it_is_reported_once_with_its_time(self) -> None:
        """The time is that of the first contact, though it is reported later."""
        assert reported(press(UNDO, 100, 250), 500) == [Pressed(UNDO, 100)]

    def test_not_before_the_contact_is_still(self) -> None:
        buttons, _ = step(Buttons(), [Level(UNDO, True, 100)], 100)
        buttons, early = step(buttons, [], 100 + DEBOUNCE_MS - 1)
        _, due = step(buttons, [], 100 + DEBOUNCE_MS)
        assert (early, due) == ((), (Pressed(UNDO, 100),))

    def test_bouncing_is_one_press(self) -> None:
        bounces = [Level(UNDO, number % 2 == 0, 100 + number) for number in range(11)]
        bounces += [Level(UNDO, number % 2 == 1, 300 + number) for number in range(11)]
        assert reported(bounces, 600) == [Pressed(UNDO, 110)]

    def test_a_spark_is_none(self) -> None:
        assert reported(press(UNDO, 100, 100 + DEBOUNCE_MS - 1), 500) == []

    def test_a_loop_that_was_late_loses_nothing(self) -> None:
        """Contact and release arrive together, half a second after."""
        _, events = step(Buttons(), press(UNDO, 100, 250), 700)
        assert events == (Pressed(UNDO, 100),)

    def test_the_same_level_again_changes_nothing(self) -> None:
        """A pin that is polled reports the same level many times."""
        levels = [Level(UNDO, True, at_ms) for at_ms in range(100, 200, 10)] + [Level(UNDO, False, 200)]
        assert reported(levels, 500) == [Pressed(UNDO, 100)]


@pytest.mark.parametrize(
    ("levels", "until_ms", "events"),
    [
        (press(UNDO, 100, 5_000), 6_000, [Pressed(UNDO, 100), Held(UNDO, 100)]),
        (press(UNDO, 100, 1_050), 3_000, [Pressed(UNDO, 100)]),
        (press(UNDO, 100, 200) + press(UNDO, 500, 600), 1_000, [Pressed(UNDO, 100), PressedAgain(UNDO, 500)]),
        (press(UNDO, 100, 200) + press(UNDO, 501, 600), 1_000, [Pressed(UNDO, 100), Pressed(UNDO, 501)]),
        (
            press(UNDO, 100, 150) + press(UNDO, 300, 350) + press(UNDO, 500, 550),
            1_000,
            [Pressed(UNDO, 100), PressedAgain(UNDO, 300), Pressed(UNDO, 500)],
        ),
        (
            [Level(ONE, True, 100), Level(TWO, True, 130), Level(ONE, False, 250), Level(TWO, False, 260)],
            500,
            [Pressed(ONE, 100), PressedTogether(TWO, 130)],
        ),
        (press(ONE, 100, 250) + press(TWO, 300, 400), 800, [Pressed(ONE, 100), Pressed(TWO, 300)]),
        (
            press(ONE, 100, 150) + press(TWO, 200, 250) + press(ONE, 350, 400) + press(TWO, 450, 500),
            1_000,
            [Pressed(ONE, 100), Pressed(TWO, 200), PressedAgain(ONE, 350), PressedAgain(TWO, 450)],
        ),
        (
            [Level(ONE, True, 100), Level(UNDO, True, 110), Level(ONE, False, 200), Level(UNDO, False, 200)],
            500,
            [Pressed(ONE, 100), Pressed(UNDO, 110)],
        ),
    ],
    ids=[
        "a long press is also held",
        "a short press is not held",
        "a second press soon after the first",
        "a second press later",
        "a third press begins anew",
        "both players at the same moment",
        "both players one after the other",
        "each player twice",
        "undo belongs to no player",
    ],
)
def test_what_presses_mean(levels: list[Level], until_ms: int, events: list[ButtonEvent]) -> None:
    assert reported(levels, until_ms) == events


LEVELS = st.lists(
    st.builds(Level, st.sampled_from((ONE, TWO, UNDO)), st.booleans(), st.integers(0, 600)), max_size=40
).map(lambda levels: sorted(levels, key=lambda level: level.at_ms))


@given(LEVELS, st.integers(5, 200))
def test_no_press_is_invented(levels: list[Level], every_ms: int) -> None:
    presses = [event for event in reported(levels, 1_800, every_ms=every_ms) if not isinstance(event, Held)]
    named = [(event.button, event.at_ms) for event in presses]
    contacts = {(level.button, level.at_ms) for level in levels if level.is_down}
    assert len(named) == len(set(named))
    assert set(named) <= contacts
    for button, at_ms in named:
        within = [one for one in levels if one.button is button and at_ms < one.at_ms < at_ms + DEBOUNCE_MS]
        assert all(one.is_down for one in within)


@given(LEVELS, st.integers(5, 200))
def test_how_often_one_looks_does_not_matter(levels: list[Level], every_ms: int) -> None:
    fast = reported(levels, 1_800, every_ms=3)
    slow = reported(levels, 1_800, every_ms=every_ms)
    assert {(e.button, e.at_ms) for e in fast if not isinstance(e, Held)} == {
        (e.button, e.at_ms) for e in slow if not isinstance(e, Held)
    }


@dataclass(frozen=True)
class Push:
    """A press of a finger with the bounces of its contact."""

    pause_ms: int
    lasts_ms: int
    bounces: tuple[int, ...]  # ms between them, at both ends


PUSHES = st.lists(
    st.builds(
        Push,
        st.integers(100, 500),
        st.integers(40, 300),
        st.lists(st.integers(1, DEBOUNCE_MS - 1), max_size=8).map(lambda gaps: tuple(gaps[: len(gaps) // 2 * 2])),
    ),
    max_size=4,
)


@given(PUSHES, st.integers(5, 60))
def test_every_press_is_reported_however_it_bounces(pushes: list[Push], every_ms: int) -> None:
    levels, now_ms = [], 0
    for push in pushes:
        now_ms += push.pause_ms
        for is_down, stands_ms in ((True, push.lasts_ms), (False, DEBOUNCE_MS)):
            for number, gap_ms in enumerate((*push.bounces, stands_ms)):
                levels.append(Level(UNDO, is_down is (number % 2 == 0), now_ms))
                now_ms += gap_ms
    events = reported(levels, now_ms + 200, every_ms=every_ms)
    assert sum(not isinstance(event, Held) for event in events) == len(pushes)


@pytest.mark.parametrize("earlier_ms", [0, 99])
def test_time_does_not_go_back(earlier_ms: int) -> None:
    buttons, _ = step(Buttons(), [], 100)
    buttons, _ = step(buttons, [Level(UNDO, True, earlier_ms)], 100)
    assert buttons.now_ms == 100
    _, events = step(buttons, [], 100 + DEBOUNCE_MS)
    assert events == (Pressed(UNDO, 100),)
