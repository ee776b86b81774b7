"""Rhythms: brightness 0..255 as a function of time. The meaning of a rhythm is defined in `controller.lights`.

A rhythm depends only on the time in whole milliseconds, so equal rhythms are in step and there is no state. None flashes
more than three times in any second, because faster flashing can trigger seizures (WCAG 2.3.1, "Three Flashes or Below
Threshold").
"""

from enum import Enum

FULL = 255

SLOW_PULSE_MS = 2_400
PULSE_LOW = 64  # above dark, or the pulse would look like a slow blink
DOUBLE_BLINK_MS = 1_400
DOUBLE_BLINK_ON_MS = 160  # lit, dark for as long, lit again, then dark for the rest
FAST_BLINK_MS = 350
OPPOSITE_BLINK_MS = 1_000
SLOW_BLINK_MS = 2_000
SWEEP_MS = 1_800
SWEEP_TAIL = 0.25  # length of the glowing tail as a share of the way


class Rhythm(Enum):
    """The shapes of brightness over time. Both halves of an opposite blink are one rhythm, as each alone looks the same."""

    STEADY = "steady"
    SLOW_PULSE = "slow pulse"
    DOUBLE_BLINK = "double blink"
    FAST_BLINK = "fast blink"
    OPPOSITE_BLINK = "blink in opposite phase"
    SWEEP = "sweep"
    SLOW_BLINK = "slow blink"


def brightness_at(rhythm: Rhythm, now_ms: int, *, is_second: bool = False, along_permille: int = 0) -> int:
    """The brightness 0..255 at a time.

    `is_second` selects the second half of an opposite blink. `along_permille` is the position of an LED, 0..1000, on the
    way of a sweep. Other rhythms ignore both.
    """
    match rhythm:
        case Rhythm.STEADY:
            return FULL
        case Rhythm.SLOW_PULSE:
            return _pulse_level(now_ms % SLOW_PULSE_MS)
        case Rhythm.DOUBLE_BLINK:
            return _on_off_level((now_ms % DOUBLE_BLINK_MS) // DOUBLE_BLINK_ON_MS in (0, 2))
        case Rhythm.FAST_BLINK:
            return _on_off_level(now_ms % FAST_BLINK_MS < FAST_BLINK_MS // 2)
        case Rhythm.OPPOSITE_BLINK:
            return _on_off_level((now_ms % OPPOSITE_BLINK_MS < OPPOSITE_BLINK_MS // 2) is not is_second)
        case Rhythm.SWEEP:
            return _sweep_level(now_ms % SWEEP_MS, along_permille)
        case Rhythm.SLOW_BLINK:
            return _on_off_level(now_ms % SLOW_BLINK_MS < SLOW_BLINK_MS // 2)


def _on_off_level(is_lit: bool) -> int:
    return FULL if is_lit else 0


def _pulse_level(into_ms: int) -> int:
    """Up and down with smooth ends: 3x² − 2x³ of the range, in integers."""
    half_ms = SLOW_PULSE_MS // 2
    rise_ms = into_ms if into_ms <= half_ms else SLOW_PULSE_MS - into_ms
    eased = (3 * half_ms - 2 * rise_ms) * rise_ms * rise_ms * (FULL - PULSE_LOW)
    return PULSE_LOW + eased // half_ms**3


def _sweep_level(into_ms: int, along_permille: int) -> int:
    """The head runs beyond the end until its tail has left, so that the way is dark before the next sweep."""
    tail = int(1000 * SWEEP_TAIL)
    behind = into_ms * (1000 + tail + 1) // SWEEP_MS - along_permille
    return FULL * (tail - behind) // tail if 0 <= behind < tail else 0
