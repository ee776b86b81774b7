"""Rhythms: how bright something is at a time, 0..255. What a rhythm means is known elsewhere.

Every rhythm is a function of a time in whole milliseconds, so everything that shows the same rhythm is in step, a
picture can be made for any moment, and nothing has to be remembered. None flashes more than three times in any second:
faster flashing can set off seizures (WCAG 2.3.1, three flashes or below threshold).
"""

from enum import Enum

FULL = 255

SLOW_PULSE_MS = 2_400
PULSE_LOW = 64  # never quite dark, or it would look like a slow blink
DOUBLE_BLINK_MS = 1_400
DOUBLE_BLINK_ON_MS = 160  # lit, dark for as long, lit again, then dark for the rest
FAST_BLINK_MS = 350
OPPOSITE_BLINK_MS = 1_000
SLOW_BLINK_MS = 2_000
SWEEP_MS = 1_800
SWEEP_TAIL = 0.25  # share of the way that glows behind the head


class Rhythm(Enum):
    """How brightness goes with time. Both halves of an opposite blink are one rhythm: alone they look the same."""

    STEADY = "steady"
    SLOW_PULSE = "slow pulse"
    DOUBLE_BLINK = "double blink"
    FAST_BLINK = "fast blink"
    OPPOSITE_BLINK = "blink in opposite phase"
    SWEEP = "sweep"
    SLOW_BLINK = "slow blink"


def brightness_at(rhythm: Rhythm, now_ms: int, *, is_second: bool = False, along_permille: int = 0) -> int:
    """0..255 at this time. `is_second` is the other half of an opposite blink, `along_permille` (0..1000) how far
    along its way a sweep meets the LED; the other rhythms pay no heed to them.
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
    """Up and down again, soft at both ends: 3x² − 2x³ of the way, in whole numbers."""
    half_ms = SLOW_PULSE_MS // 2
    rise_ms = into_ms if into_ms <= half_ms else SLOW_PULSE_MS - into_ms
    eased = (3 * half_ms - 2 * rise_ms) * rise_ms * rise_ms * (FULL - PULSE_LOW)
    return PULSE_LOW + eased // half_ms**3


def _sweep_level(into_ms: int, along_permille: int) -> int:
    """The head runs past the end until its tail has left, so that the way is dark before it begins again."""
    tail = int(1000 * SWEEP_TAIL)
    behind = into_ms * (1000 + tail + 1) // SWEEP_MS - along_permille
    return FULL * (tail - behind) // tail if 0 <= behind < tail else 0
