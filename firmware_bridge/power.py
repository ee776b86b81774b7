"""Estimates the current of a picture and limits it to what the supply can give.

The board computes the same in integers and reports a digest of what it clocked out, so both results must agree to the
last bit. With n LEDs and s the sum of all 3·n channel bytes, in unsigned 32-bit arithmetic, // rounding down:

    estimate_mA = n · IDLE_MA + s · CHANNEL_MA // 255
    a picture is limited when estimate_mA > cap_mA; then, and only then:
    scale = 0                                                              when cap_mA <= n · IDLE_MA, else
    scale = ((cap_mA - n · IDLE_MA) · 255 · 256) // (s · CHANNEL_MA)       which is 0..256
    every byte = (byte · scale) >> 8

No step exceeds 32 bits: 65535 mA · 65280 < 2³², and s · 20 for 255 LEDs < 2²². LEDs differ, so the estimate does not
replace the fuse of the supply.
"""

from typing import NamedTuple

from firmware_bridge.led_frame import FULL, LedFrame, Rgb

IDLE_MA = 1
"""Current of a dark LED."""
CHANNEL_MA = 20
"""Additional current of one channel at byte 255."""
MAX_CAP_MA = 0xFFFF
"""A cap has 16 bits on the wire."""


class LimitedFrame(NamedTuple):
    """A picture within the cap, and whether it was dimmed."""

    frame: LedFrame
    is_limited: bool


def estimate_ma(frame: LedFrame) -> int:
    """The current of the whole strip in mA, rounded down."""
    return len(frame.leds) * IDLE_MA + _sum_of_bytes(frame) * CHANNEL_MA // FULL


def limit_current(frame: LedFrame, cap_ma: int) -> LimitedFrame:
    """The picture within a cap in mA; dark if the cap is below the current of the dark strip."""
    if not 0 <= cap_ma <= MAX_CAP_MA:
        raise ValueError(f"a cap is 0 to {MAX_CAP_MA} mA, not {cap_ma}")
    if estimate_ma(frame) <= cap_ma:
        return LimitedFrame(frame, is_limited=False)
    scale = _compute_scale(frame, cap_ma)
    return LimitedFrame(LedFrame(tuple(_scale_led(led, scale) for led in frame.leds)), is_limited=True)


def _compute_scale(frame: LedFrame, cap_ma: int) -> int:
    """The scale 0..256; 256 leaves the picture unchanged."""
    for_light_ma = cap_ma - len(frame.leds) * IDLE_MA
    if for_light_ma <= 0:
        return 0
    return (for_light_ma * FULL * 256) // (_sum_of_bytes(frame) * CHANNEL_MA)


def _scale_led(led: Rgb, scale: int) -> Rgb:
    return Rgb((led.r * scale) >> 8, (led.g * scale) >> 8, (led.b * scale) >> 8)


def _sum_of_bytes(frame: LedFrame) -> int:
    return sum(led.r + led.g + led.b for led in frame.leds)
