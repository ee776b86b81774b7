"""The brightness of the strip for the ambient light: visible in sunlight, not dazzling by a lamp.

Ambient light is a number from 0 (nearly dark) to 1000 (brightest), from any sensor. It is smoothed against hands and
clouds. Steps have hysteresis, so that the brightness does not oscillate, and the change is slow enough not to be noticed.
"""

from dataclasses import dataclass

STEPS = (40, 75, 120, 180, 255)
"""Brightness 0..255 of each step; neighbours differ about equally to the eye."""
BOUNDS = (80, 220, 420, 680)
"""Light (0..1000) at the bound between two steps."""
HYSTERESIS = 40
"""Distance beyond a bound at which the step changes."""
SMOOTHING_MS = 3_000
"""Time constant of the smoothing."""
RAMP_PER_S = 80
"""Largest change of the brightness per second."""
MAX_LIGHT = 1000


@dataclass(frozen=True, slots=True)
class Brightness:
    """The state between two measurements. Pictures are dimmed by `factor`, 0..255."""

    smoothed_millis: int  # thousandths, so that slow changes are not rounded away
    step: int
    factor_millis: int
    at_ms: int

    @classmethod
    def from_light(cls, light: int, now_ms: int) -> "Brightness":
        """The first state: the step of this light, without smoothing."""
        light = _clamp_light(light)
        step = sum(light >= bound for bound in BOUNDS)
        return cls(light * 1000, step, STEPS[step] * 1000, now_ms)

    @property
    def factor(self) -> int:
        return self.factor_millis // 1000

    def with_light(self, light: int, now_ms: int) -> "Brightness":
        """The state after a measurement. A time that goes back counts as no time."""
        passed_ms = max(0, now_ms - self.at_ms)
        towards = _clamp_light(light) * 1000 - self.smoothed_millis
        smoothed = self.smoothed_millis + towards * passed_ms // (passed_ms + SMOOTHING_MS)
        step = _choose_step(self.step, smoothed // 1000)
        most = RAMP_PER_S * passed_ms
        missing = STEPS[step] * 1000 - self.factor_millis
        factor = self.factor_millis + max(-most, min(most, missing))
        return Brightness(smoothed, step, factor, max(now_ms, self.at_ms))


def _clamp_light(light: int) -> int:
    return max(0, min(MAX_LIGHT, light))


def _choose_step(step: int, light: int) -> int:
    while step < len(BOUNDS) and light >= BOUNDS[step] + HYSTERESIS:
        step += 1
    while step > 0 and light < BOUNDS[step - 1] - HYSTERESIS:
        step -= 1
    return step
