from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.brightness import BOUNDS, HYSTERESIS, RAMP_PER_S, STEPS, Brightness

LIGHTS = st.lists(st.integers(-50, 1_100), min_size=1, max_size=60)


def after(state: Brightness, light: int, for_ms: int, *, every_ms: int = 100) -> Brightness:
    for now_ms in range(state.at_ms + every_ms, state.at_ms + for_ms + 1, every_ms):
        state = state.with_light(light, now_ms)
    return state


def test_it_begins_with_the_light_there_is() -> None:
    assert [Brightness.from_light(light, 0).factor for light in (0, 79, 80, 300, 500, 1000)] == [
        40,
        40,
        75,
        120,
        180,
        255,
    ]


def test_after_a_while_it_fits_the_new_light() -> None:
    """A minute in the sun is full brightness, a minute of dusk the least."""
    bright = after(Brightness.from_light(0, 0), 1_000, 60_000)
    assert bright.factor == 255
    assert after(bright, 0, 60_000).factor == 40


def test_a_hand_does_not_matter() -> None:
    day = Brightness.from_light(600, 0)
    assert after(after(day, 0, 500), 600, 2_000).factor == day.factor


def test_it_does_not_waver_at_a_bound() -> None:
    """Light that goes to and fro a little around a bound keeps the step it came with."""
    bound = BOUNDS[1]
    state = Brightness.from_light(bound - 1, 0)
    factors = set()
    for number in range(1, 2_000):
        state = state.with_light(bound + (HYSTERESIS - 1) * (-1) ** (number // 100), number * 100)
        factors.add(state.factor)
    assert factors == {STEPS[1]}


@given(LIGHTS, st.integers(1, 2_000))
def test_it_never_jumps(lights: list[int], every_ms: int) -> None:
    state = Brightness.from_light(lights[0], 0)
    for number, light in enumerate(lights, 1):
        new = state.with_light(light, number * every_ms)
        assert abs(new.factor_millis - state.factor_millis) <= RAMP_PER_S * every_ms
        assert STEPS[0] <= new.factor <= STEPS[-1]
        state = new


@given(LIGHTS)
def test_time_that_goes_back_is_no_time(lights: list[int]) -> None:
    state = Brightness.from_light(lights[0], 10_000)
    for light in lights:
        assert state.with_light(light, 5_000) == state
