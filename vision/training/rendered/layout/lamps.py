"""The light on the table: lamps and windows in six set-ups, and the room's ambient light."""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from vision.training.rendered.random_draws import draw_choice, draw_normal, draw_uniform
from vision.training.rendered.tracing.arrays import Colour, Floats, Vector, vector

# Linear RGB of a black body with green = 1, by temperature.
_KELVIN = (2200, 2700, 3200, 4000, 5000, 6500, 8000, 11000)
_RED = (1.95, 1.62, 1.42, 1.20, 1.05, 0.95, 0.86, 0.78)
_BLUE = (0.18, 0.32, 0.46, 0.66, 0.86, 1.09, 1.28, 1.52)


class LampShape(Enum):
    """A lamp faces the middle of the field; a ring surrounds the lens."""

    DISC = "disc"
    RECTANGLE = "rectangle"
    RING = "ring"


class LightingSetup(Enum):
    """The values stand in the labels."""

    CEILING_LAMP = "ceiling_lamp"
    WINDOW_SIDE = "window_side"
    CAMERA_RING = "camera_ring"
    CEILING_TUBE = "ceiling_tube"
    OVERCAST_ROOM = "overcast_room"
    TWO_LAMPS = "two_lamps"


@dataclass(frozen=True, slots=True)
class AreaLamp:
    """`half_mm`: radius twice for a disc, half edges for a rectangle, mean radius and width for a ring."""

    shape: LampShape
    centre_mm: Vector
    half_mm: tuple[float, float]
    colour: Colour  # times its power
    spin_rad: float = 0.0

    def light_per_radiance(self, eye_mm: Floats) -> float:
        """Rough irradiance of the middle of the field from unit radiance."""
        at = eye_mm if self.shape is LampShape.RING else np.array(self.centre_mm)
        distance = float(np.linalg.norm(at))
        first, second = self.half_mm
        factor = {LampShape.DISC: np.pi, LampShape.RECTANGLE: 4.0, LampShape.RING: 2 * np.pi}[self.shape]
        return max(1e-9, factor * first * second * float(at[2]) / distance**3)


@dataclass(frozen=True, slots=True)
class Lighting:
    """`ambient` is the room's share of the light; the lamps have 1."""

    setup: LightingSetup
    lamps: tuple[AreaLamp, ...]
    ambient: float
    ambient_colour: Colour

    @property
    def lamp_power(self) -> float:
        return sum(lamp.colour[1] for lamp in self.lamps)

    @property
    def room_power(self) -> float:
        return self.ambient * max(self.lamp_power, 0.4)

    @property
    def mean_colour(self) -> Colour:
        """The sum of all light on the board: what a perfect white balance removes."""
        lamps = np.sum([lamp.colour for lamp in self.lamps], axis=0)
        return vector(lamps + np.array(self.ambient_colour) * self.ambient * max(float(lamps[1]), 0.4))


def black_body_colour(temperature: float) -> Floats:
    """(3,) linear RGB of a black body, green = 1."""
    return np.array([np.interp(temperature, _KELVIN, _RED), 1.0, np.interp(temperature, _KELVIN, _BLUE)])


def draw_lighting(rng: np.random.Generator) -> Lighting:
    setup = draw_choice(rng, tuple(LightingSetup), (20, 20, 12, 17, 15, 16))
    ambient, room = draw_uniform(rng, 0.25, 0.8), draw_uniform(rng, 3200, 6500)
    lamps: tuple[AreaLamp, ...]
    match setup:
        case LightingSetup.CEILING_LAMP:
            centre, radius = _draw_place_above(rng, 600, (900, 2100)), draw_uniform(rng, 40, 300)
            lamps = (AreaLamp(LampShape.DISC, centre, (radius, radius), _draw_glow(rng, 2600, 4400)),)
            ambient *= 0.7
        case LightingSetup.WINDOW_SIDE:
            half = draw_uniform(rng, 200, 800), draw_uniform(rng, 200, 700)
            centre = _draw_place_at_wall(rng, 1500, (250, 950))
            lamps = (AreaLamp(LampShape.RECTANGLE, centre, half, _draw_glow(rng, 5300, 8200)),)
            ambient, room = ambient * draw_uniform(rng, 0.3, 0.9), 5500
        case LightingSetup.CAMERA_RING:
            ring = draw_uniform(rng, 35, 60), draw_uniform(rng, 5, 14)
            lamps = (AreaLamp(LampShape.RING, (0.0, 0.0, 0.0), ring, _draw_glow(rng, 3800, 6200)),)
            ambient *= draw_uniform(rng, 0.5, 1.2)
        case LightingSetup.CEILING_TUBE:
            half, spin = (draw_uniform(rng, 450, 800), draw_uniform(rng, 20, 60)), draw_uniform(rng, 0, np.pi)
            centre = _draw_place_above(rng, 300, (1300, 2000))
            lamps = (AreaLamp(LampShape.RECTANGLE, centre, half, _draw_glow(rng, 3600, 5700), spin),)
            ambient *= 0.8
        case LightingSetup.OVERCAST_ROOM:
            half = draw_uniform(rng, 700, 1000), draw_uniform(rng, 500, 800)
            centre = _draw_place_at_wall(rng, 1400, (700, 1100))
            lamps = (AreaLamp(LampShape.RECTANGLE, centre, half, _draw_glow(rng, 6000, 9500, power=0.55)),)
            ambient, room = ambient * 2.2, 6500
        case LightingSetup.TWO_LAMPS:
            lamps = draw_small_lamps(rng, 2)
            ambient *= 0.6
    return Lighting(setup, lamps, ambient, vector(black_body_colour(room)))


def draw_small_lamps(rng: np.random.Generator, count: int) -> tuple[AreaLamp, ...]:
    lamps = []
    for _ in range(count):
        radius, power = draw_uniform(rng, 50, 140), draw_uniform(rng, 0.5, 1)
        centre = _draw_place_above(rng, 700, (900, 1500))
        lamps.append(AreaLamp(LampShape.DISC, centre, (radius, radius), _draw_glow(rng, 2600, 5200, power=power)))
    return tuple(lamps)


def _draw_place_above(rng: np.random.Generator, spread_mm: float, height_mm: tuple[float, float]) -> Vector:
    return draw_normal(rng, spread_mm), draw_normal(rng, spread_mm), draw_uniform(rng, *height_mm)


def _draw_place_at_wall(rng: np.random.Generator, away_mm: float, height_mm: tuple[float, float]) -> Vector:
    angle = draw_uniform(rng, 0, 2 * np.pi)
    return away_mm * float(np.cos(angle)), away_mm * float(np.sin(angle)), draw_uniform(rng, *height_mm)


def _draw_glow(rng: np.random.Generator, low: float, high: float, *, power: float = 1.0) -> Colour:
    """A black body of random temperature, with a green or pink cast of a few per cent."""
    return vector(black_body_colour(draw_uniform(rng, low, high)) * power * np.exp(rng.normal(0, 0.03, 3)))
