"""Random colours and materials: woods, felts, leathers, plastics, prints."""

import colorsys
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from vision.simulated.scene import Colour, Finish, SurfacePattern

Choice = TypeVar("Choice")

# (ground, vein) in sRGB 0..255 of common timbers; each draw varies them.
WOODS = (
    ((222, 190, 145), (190, 150, 105)),  # maple
    ((205, 165, 110), (165, 120, 70)),  # oak
    ((180, 125, 70), (130, 80, 40)),  # teak
    ((150, 95, 60), (95, 55, 35)),  # cherry
    ((125, 60, 40), (80, 35, 25)),  # mahogany
    ((95, 65, 45), (55, 38, 28)),  # walnut
    ((60, 45, 38), (30, 22, 20)),  # wenge
    ((45, 38, 36), (20, 18, 18)),  # ebony
    ((235, 215, 180), (205, 175, 130)),  # ash
    ((215, 170, 100), (185, 135, 70)),  # pine
    ((190, 90, 55), (130, 50, 30)),  # padauk
    ((160, 140, 115), (120, 100, 80)),  # grey oak
)


def draw_choice(rng: np.random.Generator, choices: Sequence[Choice], weights: Sequence[float] | None = None) -> Choice:
    shares = None if weights is None else np.array(weights) / sum(weights)
    return choices[int(rng.choice(len(choices), p=shares))]


def draw_bool(rng: np.random.Generator, share: float) -> bool:
    return bool(rng.random() < share)


def hsv_colour(hue: float, saturation: float, value: float) -> Colour:
    """A tenth of grey is mixed in, because no dye is pure."""
    value = min(max(value, 0), 1)
    red, green, blue = (
        0.92 * c + 0.04 * value for c in colorsys.hsv_to_rgb(hue % 1.0, min(max(saturation, 0), 1), value)
    )
    return red, green, blue


def vary_colour(rng: np.random.Generator, colour: Colour, spread: float) -> Colour:
    """A colour near `colour`: mostly lighter or darker, with a slight change of hue."""
    shade = rng.normal(0, spread)
    red, green, blue = (float(np.clip(c * (1 + shade) + rng.normal(0, spread * 0.35), 0.01, 0.99)) for c in colour)
    return red, green, blue


def random_colour(rng: np.random.Generator) -> Colour:
    kind = rng.random()
    if kind < 0.2:
        grey = rng.uniform(0.02, 0.98)
        return vary_colour(rng, (grey, grey, grey), 0.03)
    if kind < 0.4:
        return hsv_colour(rng.random(), rng.uniform(0.5, 0.95), rng.uniform(0.2, 0.9))
    if kind < 0.75:
        return hsv_colour(rng.random(), rng.uniform(0.2, 0.7), rng.uniform(0.1, 0.95))
    warm = hsv_colour(rng.uniform(0.02, 0.14), rng.uniform(0.15, 0.8), rng.uniform(0.15, 0.95))
    return vary_colour(rng, warm, 0.05)


def random_muted_colour(rng: np.random.Generator) -> Colour:
    """Colours of rooms: greys, beiges, browns, pale blues."""
    kind = rng.random()
    if kind < 0.4:
        grey = rng.uniform(0.05, 0.95)
        return vary_colour(rng, (grey, grey * rng.uniform(0.96, 1.0), grey * rng.uniform(0.9, 1.02)), 0.03)
    if kind < 0.8:
        return hsv_colour(rng.uniform(0.03, 0.13), rng.uniform(0.1, 0.55), rng.uniform(0.2, 0.95))
    return hsv_colour(rng.random(), rng.uniform(0.05, 0.4), rng.uniform(0.15, 0.9))


def random_vivid_colour(rng: np.random.Generator) -> Colour:
    """Colours of plastics and felts."""
    hue = draw_choice(rng, (0.0, 0.02, 0.33, 0.38, 0.6, 0.65, 0.13, 0.08, 0.8, rng.random()))
    return hsv_colour(hue + rng.normal(0, 0.02), rng.uniform(0.55, 1.0), rng.uniform(0.3, 0.95))


def random_black(rng: np.random.Generator) -> Colour:
    grey = rng.uniform(0.02, 0.17)
    return vary_colour(rng, (grey, grey, grey), 0.08)


def random_white(rng: np.random.Generator) -> Colour:
    grey = rng.uniform(0.78, 0.97)
    return vary_colour(rng, (grey, grey * rng.uniform(0.93, 1.0), grey * rng.uniform(0.75, 1.0)), 0.02)


def draw_seed(rng: np.random.Generator) -> int:
    return int(rng.integers(1 << 30))


def random_wood_colour(rng: np.random.Generator) -> Colour:
    ground, _ = draw_choice(rng, WOODS)
    return vary_colour(rng, (ground[0] / 255, ground[1] / 255, ground[2] / 255), 0.12)


def random_wood(rng: np.random.Generator, colour: Colour | None = None) -> Finish:
    ground, vein = draw_choice(rng, WOODS)
    shade = rng.normal(1, 0.12)
    first, second = (
        vary_colour(rng, (c[0] / 255 * shade, c[1] / 255 * shade, c[2] / 255 * shade), 0.04) for c in (ground, vein)
    )
    if colour is not None:
        dark = rng.uniform(0.55, 0.85)
        first, second = colour, (colour[0] * dark, colour[1] * dark * 0.95, colour[2] * dark * 0.9)
    angle = draw_choice(rng, (0.0, 90.0)) + rng.normal(0, 2)
    return Finish(
        SurfacePattern.WOOD,
        first,
        second,
        rng.uniform(0.2, 1.0),
        rng.uniform(0.35, 1.6),
        angle,
        rng.uniform(0.0, 0.8) ** 2,
        draw_seed(rng),
    )


def make_coating(
    rng: np.random.Generator, material: SurfacePattern, colour: Colour, gloss: tuple[float, float]
) -> Finish:
    """Any material but wood in a colour; its pattern is a shade of the same colour."""
    shade = rng.uniform(0.55, 0.9) if draw_bool(rng, 0.7) else rng.uniform(1.1, 1.5)
    second = (min(colour[0] * shade, 1), min(colour[1] * shade, 1), min(colour[2] * shade, 1))
    return Finish(
        material,
        colour,
        second,
        rng.uniform(0.15, 0.9),
        rng.uniform(0.5, 1.8),
        rng.uniform(0, 360),
        rng.uniform(*gloss),
        draw_seed(rng),
    )


def make_plain(rng: np.random.Generator, colour: Colour, gloss: tuple[float, float] = (0.05, 0.6)) -> Finish:
    finish = make_coating(rng, SurfacePattern.PLAIN, colour, gloss)
    return Finish(
        finish.material, finish.colour, finish.second, rng.uniform(0, 0.2), 1.0, 0.0, finish.gloss, finish.seed
    )


def make_felt(rng: np.random.Generator, colour: Colour) -> Finish:
    material = draw_choice(
        rng, (SurfacePattern.FELT, SurfacePattern.WEAVE, SurfacePattern.CARPET, SurfacePattern.PLAIN), (6, 2, 1, 2)
    )
    finish = make_coating(rng, material, colour, (0.0, 0.08))
    return replace(finish, contrast=float(rng.uniform(0.03, 0.5)))


def make_leather(rng: np.random.Generator, colour: Colour) -> Finish:
    return make_coating(rng, SurfacePattern.LEATHER, colour, (0.05, 0.5))


def random_finish(rng: np.random.Generator) -> Finish:
    kind = rng.random()
    if kind < 0.25:
        return random_wood(rng)
    if kind < 0.4:
        return make_felt(rng, random_colour(rng))
    if kind < 0.55:
        return make_leather(rng, random_colour(rng))
    if kind < 0.62:
        return make_coating(rng, SurfacePattern.CORK, vary_colour(rng, (0.75, 0.55, 0.35), 0.15), (0, 0.1))
    if kind < 0.7:
        return make_coating(rng, SurfacePattern.MARBLE, random_colour(rng), (0.1, 0.8))
    if kind < 0.76:
        return make_coating(rng, SurfacePattern.SPECKLE, random_colour(rng), (0.0, 0.6))
    return make_plain(rng, random_colour(rng))
