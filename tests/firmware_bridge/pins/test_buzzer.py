import pytest

from firmware_bridge.pins.buzzer import SOUNDS_MS, Beep, length_ms, sounds


@pytest.mark.parametrize("beep", Beep)
def test_a_beep_begins_and_ends_with_a_tone(beep: Beep) -> None:
    assert [sounds(beep, ms) for ms in (-1, 0, length_ms(beep) - 1, length_ms(beep))] == [False, True, True, False]


@pytest.mark.parametrize("beep", Beep)
def test_a_tone_lasts_as_long_as_it_says(beep: Beep) -> None:
    assert sum(sounds(beep, ms) for ms in range(3_000)) == sum(SOUNDS_MS[beep][::2])


def test_two_short_ones() -> None:
    changes = [ms for ms in range(1, 400) if sounds(Beep.TWO_SHORT, ms) is not sounds(Beep.TWO_SHORT, ms - 1)]
    assert changes == [80, 200, 280]


def test_no_two_sound_alike() -> None:
    assert len(set(SOUNDS_MS.values())) == len(Beep)
