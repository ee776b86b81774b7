"""Beeps as data: alternating durations of tone and silence."""

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType


class Beep(Enum):
    """A sequence of tones; `controller.session.buzzer_sink` gives it a meaning."""

    ONE_SHORT = "one short"
    TWO_SHORT = "two short"
    THREE_SHORT = "three short"
    ONE_LONG = "one long"
    LONG_SHORT_SHORT = "one long, two short"


SHORT_MS, LONG_MS, PAUSE_MS = 80, 400, 120

SOUNDS_MS: Mapping[Beep, tuple[int, ...]] = MappingProxyType(
    {
        Beep.ONE_SHORT: (SHORT_MS,),
        Beep.TWO_SHORT: (SHORT_MS, PAUSE_MS, SHORT_MS),
        Beep.THREE_SHORT: (SHORT_MS, PAUSE_MS, SHORT_MS, PAUSE_MS, SHORT_MS),
        Beep.ONE_LONG: (LONG_MS,),
        Beep.LONG_SHORT_SHORT: (LONG_MS, PAUSE_MS, SHORT_MS, PAUSE_MS, SHORT_MS),
    }
)
"""Tone, silence, tone, …; always from tone to tone."""


def sounds(beep: Beep, since_ms: int) -> bool:
    """Whether the buzzer sounds this long after the beep began."""
    if since_ms < 0:
        return False
    end_ms = 0
    for number, part_ms in enumerate(SOUNDS_MS[beep]):
        end_ms += part_ms
        if since_ms < end_ms:
            return number % 2 == 0
    return False


def length_ms(beep: Beep) -> int:
    """The duration of a beep."""
    return sum(SOUNDS_MS[beep])
