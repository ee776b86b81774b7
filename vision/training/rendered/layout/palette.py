"""Random materials: woods, paints, cloths, pairs of checkers, dice, skin.

The light one of two checkers is the one with the higher Rec. 709 luma, so that pairs of similar brightness (blue and
red) have one right answer too: the one that a viewer calls brighter.
"""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from vision.training.rendered.random_draws import draw_bool, draw_choice, draw_log_uniform, draw_uniform
from vision.training.rendered.tracing.arrays import Colour, vector

DARKEST, LIGHTEST = 0.004, 0.82  # range of reflectance of real surfaces short of fresh snow


class Surface(Enum):
    """The kind of texture; the values stand in the labels."""

    WOOD = "wood"
    STAIN = "stain"  # wood under a coloured stain
    PLAIN = "plain"  # plastic, paint, print, laminate
    MARBLE = "marble"
    CLEAR = "clear"
    FELT = "felt"
    CLOTH = "cloth"
    LEATHER = "leather"
    CORK = "cork"
    SLATE = "slate"
    CHECKED = "checked"  # a table cloth in two colours


@dataclass(frozen=True, slots=True)
class Wood:
    """A timber: colours of early and late wood, distance of the rings, and the strength 0..1 of each trait."""

    early: Colour
    late: Colour
    ring_mm: float
    contrast: float
    pores: float
    fibre: float
    is_burl: bool

    def mean(self) -> Colour:
        """The mean colour."""
        return vector(0.6 * np.array(self.early) + 0.4 * np.array(self.late))


@dataclass(frozen=True, slots=True)
class Material:
    """A surface and its colour; `wood` carries the grain under WOOD and STAIN."""

    surface: Surface
    colour: Colour
    wood: Wood | None = None

    def luma(self) -> float:
        return luma(self.colour)


def luma(colour: Colour) -> float:
    """Rec. 709 luma 0..1 of a linear colour: of the coded channels."""
    light = np.array(colour)
    coded = np.where(light < 0.018, 4.5 * light, 1.099 * np.maximum(light, 1e-9) ** 0.45 - 0.099)
    return float(coded @ (0.2126, 0.7152, 0.0722))


def draw_colour(rng: np.random.Generator, darkest: float, lightest: float) -> Colour:
    """Any hue; the brightest channel lies between the two limits. A third of the draws is nearly grey."""
    hue = rng.uniform(0.05, 1, 3) ** rng.uniform(0.3, 1.6)
    hue /= hue.max()
    if draw_bool(rng, 0.35):
        hue = 1 - (1 - hue) * rng.uniform(0, 0.25)
    return vector(np.clip(draw_log_uniform(rng, darkest, lightest) * hue, DARKEST, LIGHTEST))


def draw_wood(rng: np.random.Generator, *, is_light: bool) -> Material:
    """Mostly brown; any colour for painted or stained boards."""
    red = draw_log_uniform(rng, 0.22, 0.72) if is_light else draw_log_uniform(rng, 0.02, 0.24)
    green, blue = rng.uniform(0.42, 0.86), rng.uniform(0.38, 0.85)
    early = red * np.array([1, green, green * blue])
    if draw_bool(rng, 0.12):
        early = red * rng.uniform(0.15, 1, 3)
    late = early * rng.uniform(0.35, 0.92) * rng.uniform(0.9, 1.1, 3)
    wood = Wood(
        early=vector(np.clip(early, 0.006, LIGHTEST)),
        late=vector(np.clip(late, DARKEST, LIGHTEST)),
        ring_mm=draw_uniform(rng, 2.5, 13),
        contrast=draw_uniform(rng, 0.1, 0.95),
        pores=draw_uniform(rng, 0, 0.95),
        fibre=draw_uniform(rng, 0.05, 0.4),
        is_burl=draw_bool(rng, 0.1),
    )
    return Material(Surface.WOOD, wood.mean(), wood)


def draw_any_wood(rng: np.random.Generator) -> Material:
    return draw_wood(rng, is_light=draw_bool(rng, 0.5))


def _draw_checker(rng: np.random.Generator, *, is_light: bool) -> Material:
    surface = draw_choice(rng, (Surface.WOOD, Surface.PLAIN, Surface.MARBLE, Surface.STAIN), (35, 40, 12, 13))
    if surface is Surface.WOOD:
        return draw_wood(rng, is_light=is_light)
    colour = draw_colour(rng, 0.18, 0.8) if is_light else draw_colour(rng, 0.005, 0.25)
    return Material(surface, colour, draw_wood(rng, is_light=True).wood if surface is Surface.STAIN else None)


def _make_saturated_colour(rng: np.random.Generator, hue_deg: float) -> Colour:
    """A strong colour; 0 degrees is red, 120 green, 240 blue."""
    distance = np.abs((hue_deg - np.array([0.0, 120.0, 240.0]) + 180) % 360 - 180)
    hue = np.clip(2 - distance / 60, 0, 1)
    grey = rng.uniform(0.01, 0.16)
    return vector(np.clip(draw_log_uniform(rng, 0.1, 0.75) * (grey + (1 - grey) * hue), DARKEST, LIGHTEST))


def _scale_to_luma(colour: Colour, wanted: float) -> Colour:
    """The same hue, brighter or darker, within the reflectance of real surfaces."""
    low, high = 0.02, LIGHTEST / max(colour)
    for _ in range(30):
        middle = (low + high) / 2
        if luma(vector(np.array(colour) * middle)) < wanted:
            low = middle
        else:
            high = middle
    return vector(np.clip(np.array(colour) * low, DARKEST, LIGHTEST))


def _draw_saturated_checkers(rng: np.random.Generator) -> tuple[Material, Material]:
    """Two hues at least 75 degrees apart, such as blue and red; half of the pairs have similar brightness."""
    hue_deg = draw_choice(rng, (0.0, 120.0, 240.0, 40.0, 280.0)) + draw_uniform(rng, -18, 18)
    first = _make_saturated_colour(rng, hue_deg)
    second = _make_saturated_colour(rng, hue_deg + draw_uniform(rng, 75, 285))
    if draw_bool(rng, 0.5):
        second = _scale_to_luma(second, luma(first) * draw_uniform(rng, 0.72, 0.94))
    surface = draw_choice(rng, (Surface.PLAIN, Surface.PLAIN, Surface.PLAIN, Surface.MARBLE))
    return Material(surface, first), Material(surface, second)


def draw_checkers(rng: np.random.Generator) -> tuple[Material, Material]:
    """(light, dark). The light luma is at least a twentieth higher, far more except in saturated pairs."""
    while True:
        if draw_bool(rng, 0.25):
            pair, contrast = _draw_saturated_checkers(rng), 1.05
        else:
            pair, contrast = (_draw_checker(rng, is_light=True), _draw_checker(rng, is_light=False)), 1.3
        light, dark = sorted(pair, key=Material.luma, reverse=True)
        if light.luma() > contrast * dark.luma():
            return light, dark


def draw_die(rng: np.random.Generator) -> tuple[Material, Colour]:
    """The colours of body and pips: light on dark or dark on light."""
    surface = draw_choice(rng, (Surface.PLAIN, Surface.WOOD, Surface.MARBLE, Surface.CLEAR), (55, 14, 17, 14))
    body = draw_any_wood(rng) if surface is Surface.WOOD else Material(surface, draw_colour(rng, 0.012, 0.8))
    pip = draw_log_uniform(rng, 0.6, 0.8) if body.luma() < 0.45 else draw_log_uniform(rng, 0.006, 0.03)
    return body, vector(np.clip(pip * rng.uniform(0.9, 1.02, 3), DARKEST, LIGHTEST))


def draw_six_rows(rng: np.random.Generator) -> float:
    """Distance between the two rows of a six, as a share of the grid's: on many dice they lie nearer to each other."""
    return draw_uniform(rng, 0.62, 1.0) if draw_bool(rng, 0.5) else 1.0


def draw_point_colours(rng: np.random.Generator) -> tuple[Colour, Colour]:
    """Alternating colours of the points: mostly light and dark, sometimes both similar."""
    light_and_dark, stark = ((0.10, 0.75), (0.006, 0.40)), ((0.60, LIGHTEST), (DARKEST, 0.025))
    both_pale, both_dark = ((0.35, LIGHTEST), (0.25, 0.70)), ((0.006, 0.10), (DARKEST, 0.06))
    limits = draw_choice(rng, (light_and_dark, stark, both_pale, both_dark), (55, 20, 13, 12))
    first, second = (draw_colour(rng, *limit) for limit in limits)
    return (first, second) if draw_bool(rng, 0.5) else (second, first)


def draw_table(rng: np.random.Generator) -> Material:
    """The table's surface."""
    kinds = (Surface.WOOD, Surface.PLAIN, Surface.FELT, Surface.SLATE, Surface.CHECKED)
    surface = draw_choice(rng, kinds, (40, 20, 25, 6, 9))
    return draw_any_wood(rng) if surface is Surface.WOOD else Material(surface, draw_colour(rng, 0.015, 0.7))


def draw_skin(rng: np.random.Generator) -> Colour:
    red = draw_log_uniform(rng, 0.08, 0.62)
    return red, red * draw_uniform(rng, 0.42, 0.62), red * draw_uniform(rng, 0.24, 0.45)
