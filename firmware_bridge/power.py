"""How much current a picture draws, and the same picture within what the supply gives.

The board computes the same with the same whole numbers and reports what it clocked out, so both results must agree to
the last bit. With n LEDs and s the sum of all their 3·n channel bytes, in unsigned 32-bit arithmetic, // rounding down:

    estimate_mA = n · IDLE_MA + s · CHANNEL_MA // 255
    a picture is limited when estimate_mA > cap_mA; then, and only then:
    scale = 0                                                              when cap_mA <= n · IDLE_MA, else
    scale = ((cap_mA - n · IDLE_MA) · 255 · 256) // (s · CHANNEL_MA)       which is 0..256
    every byte = (byte · scale) >> 8

No step exceeds 32 bits: 65535 mA · 65280 is less than 2³², and s · 20 of 255 LEDs is less than 2²².
It is an estimate: other LEDs draw other currents, so the supply keeps its fuse.
"""

from typing import NamedTuple

from firmware_bridge.led_frame import FULL, LedFrame, Rgb

IDLE_MA = 1
"""What an LED draws that shows nothing."""
CHANNEL_MA = 20
"""What one colour of an LED draws in addition at byte 255."""
MAX_CAP_MA = 0xFFFF
"""A cap is told in 16 bits."""


class LimitedFrame(NamedTuple):
    """A picture within the cap, and whether it had to be made darker for that."""

    frame: LedFrame
    is_limited: bool


def estimate_ma(frame: LedFrame) -> int:
    """The current of the whole strip in mA, rounded down."""
    return len(frame.leds) * IDLE_MA + _sum_of_bytes(frame) * CHANNEL_MA // FULL


def limit_current(frame: LedFrame, cap_ma: int) -> LimitedFrame:
    """The picture as the strip shows it under this cap in mA.

    A cap below what the dark strip draws gives the dark strip: no picture draws less.
    """
    if not 0 <= cap_ma <= MAX_CAP_MA:
        raise ValueError(f"a cap is 0 to {MAX_CAP_MA} mA, not {cap_ma}")
    if estimate_ma(frame) <= cap_ma:
        return LimitedFrame(frame, is_limited=False)
    scale = _compute_scale(frame, cap_ma)
    return LimitedFrame(LedFrame(tuple(_scale_led(led, scale) for led in frame.leds)), is_limited=True)


def _compute_scale(frame: LedFrame, cap_ma: int) -> int:
    """0..256, where 256 would leave the picture as it is."""
    for_light_ma = cap_ma - len(frame.leds) * IDLE_MA
    if for_light_ma <= 0:
        return 0
    return (for_light_ma * FULL * 256) // (_sum_of_bytes(frame) * CHANNEL_MA)


def _scale_led(led: Rgb, scale: int) -> Rgb:
    return Rgb((led.r * scale) >> 8, (led.g * scale) >> 8, (led.b * scale) >> 8)


def _sum_of_bytes(frame: LedFrame) -> int:
    return sum(led.r + led.g + led.b for led in frame.leds)
