"""How bright the strip should be in this light: enough to be seen in the sun, not dazzling at a lamp.

The light is a number from 0 (as good as dark) to 1000 (as bright as it gets), from whatever tells it. It is smoothed,
so that a hand or a cloud does not matter; a new step is only taken when the light has clearly left the old one, so that
it does not waver between two; and the way to the new brightness is slow enough not to draw the eye.
"""

from dataclasses import dataclass

STEPS = (40, 75, 120, 180, 255)
"""Brightness 0..255 of each step; the eye sees about the same distance between neighbours."""
BOUNDS = (80, 220, 420, 680)
"""Light (0..1000) between a step and the next."""
HYSTERESIS = 40
"""How far the light must be beyond a bound before the step changes."""
SMOOTHING_MS = 3_000
"""After this time the smoothed light has gone some two thirds of the way."""
RAMP_PER_S = 80
"""How much the brightness moves in a second."""
MAX_LIGHT = 1000


@dataclass(frozen=True, slots=True)
class Brightness:
    """What is remembered from one look to the next. `factor` (0..255) is what pictures are dimmed with."""

    smoothed_millis: int  # thousandths of a unit of light, so that slow changes are not rounded away
    step: int
    factor_millis: int
    at_ms: int

    @classmethod
    def from_light(cls, light: int, now_ms: int) -> "Brightness":
        """At the beginning there is nothing to be smooth with: the step of this light, at once."""
        light = _clamp_light(light)
        step = sum(light >= bound for bound in BOUNDS)
        return cls(light * 1000, step, STEPS[step] * 1000, now_ms)

    @property
    def factor(self) -> int:
        return self.factor_millis // 1000

    def with_light(self, light: int, now_ms: int) -> "Brightness":
        """After a look at `now_ms` that told this light. A time that goes back counts as no time."""
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
