from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.patterns import PULSE_LOW, Rhythm, brightness_at

TIMES = st.integers(0, 10**9)
BLINKS = (Rhythm.DOUBLE_BLINK, Rhythm.FAST_BLINK, Rhythm.OPPOSITE_BLINK, Rhythm.SLOW_BLINK)


def changes(rhythm: Rhythm, until_ms: int) -> list[tuple[int, int]]:
    """(time, brightness) at the beginning and wherever the brightness is another than a millisecond before."""
    levels = [brightness_at(rhythm, now_ms) for now_ms in range(until_ms)]
    return [(at, level) for at, level in enumerate(levels) if at == 0 or level != levels[at - 1]]


def brightest_ms(along_permille: int) -> int:
    """When the sweep passes there for the first time."""
    levels = [brightness_at(Rhythm.SWEEP, now_ms, along_permille=along_permille) for now_ms in range(1_800)]
    return levels.index(max(levels))


@given(st.sampled_from(Rhythm), TIMES, st.booleans(), st.integers(0, 1000))
def test_every_brightness_is_a_byte(rhythm: Rhythm, now_ms: int, is_second: bool, along: int) -> None:
    assert 0 <= brightness_at(rhythm, now_ms, is_second=is_second, along_permille=along) <= 255
    assert 0 <= brightness_at(rhythm, -now_ms, is_second=is_second, along_permille=along) <= 255


@pytest.mark.parametrize(
    ("rhythm", "expected"),
    [
        (Rhythm.STEADY, [(0, 255)]),
        (Rhythm.DOUBLE_BLINK, [(0, 255), (160, 0), (320, 255), (480, 0), (1400, 255), (1560, 0)]),
        (Rhythm.SLOW_BLINK, [(0, 255), (1000, 0)]),
        (Rhythm.OPPOSITE_BLINK, [(0, 255), (500, 0), (1000, 255), (1500, 0)]),
    ],
)
def test_when_a_rhythm_is_lit(rhythm: Rhythm, expected: list[tuple[int, int]]) -> None:
    assert changes(rhythm, 1_700) == expected


@given(TIMES)
def test_the_halves_of_an_opposite_blink_take_turns(now_ms: int) -> None:
    first, second = (brightness_at(Rhythm.OPPOSITE_BLINK, now_ms, is_second=half) for half in (False, True))
    assert {first, second} == {0, 255}


@pytest.mark.parametrize("rhythm", BLINKS)
def test_nothing_flashes_more_than_three_times_a_second(rhythm: Rhythm) -> None:
    rises = [at for at, level in changes(rhythm, 10_000) if level > 0]
    assert max(sum(start <= at < start + 1_000 for at in rises) for start in range(9_000)) <= 3


@pytest.mark.parametrize("rhythm", BLINKS)
def test_no_light_is_too_short_for_25_pictures_a_second(rhythm: Rhythm) -> None:
    """A strip that gets a picture every 40 ms shows every blink and every pause."""
    times = [at for at, _ in changes(rhythm, 10_000)]
    assert min(b - a for a, b in pairwise(times)) >= 120


def test_a_pulse_is_soft() -> None:
    """Between its low and full, back again in 2.4 s, and never a jump."""
    levels = [brightness_at(Rhythm.SLOW_PULSE, now_ms) for now_ms in range(2_401)]
    assert (levels[0], max(levels), levels[1_200], levels[2_400]) == (PULSE_LOW, 255, 255, PULSE_LOW)
    assert levels[:1_201] == sorted(levels[:1_201])
    assert max(abs(a - b) for a, b in pairwise(levels)) <= 1


class TestSweep:
    def test_it_runs_from_the_beginning_to_the_end(self) -> None:
        peaks = [brightest_ms(along) for along in range(0, 1_001, 100)]
        assert peaks == sorted(set(peaks))

    def test_all_is_dark_before_it_begins_again(self) -> None:
        assert not any(brightness_at(Rhythm.SWEEP, 1_799, along_permille=along) for along in range(0, 1_001, 10))

    def test_only_a_part_is_lit(self) -> None:
        lit = [along for along in range(1_001) if brightness_at(Rhythm.SWEEP, 900, along_permille=along) > 0]
        assert (min(lit), max(lit)) == (376, 625)
