"""Styles for windows around dice in two disjoint sets, for tests of a reader on styles it never saw.

`StyleSet.TRAINING` never draws, `StyleSet.HELD_APART` only draws:

- colours (dice, checkers, grounds, points, cubes, tables): saturated ones with a hue of 110 to 170 degrees (green) or
  265 to 310 (violet); greys and pale ones with a luma of 0.14 to 0.20, 0.40 to 0.50 or 0.80 to 0.85;
- woods: early wood with less than 0.52 of its red in green (mahogany, padauk);
- pips: gold; off-white or dark grey instead of white or black; a radius below 0.074 or above 0.112 of the edge, a
  distance below 0.228 or above 0.283;
- dice: edges rounded by less than 0.045 or more than 0.205 of the edge; gloss: roughness below 0.07 or above 0.42;
- checkers: a roughness of 0.25 to 0.30 or above 0.60;
- lamps: below 2500 K or above 9600 K, as a desk lamp, two windows face to face, or a row of spots.

Dimensions, positions, cameras and sensors are the same for both.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from typing import TypeVar

import numpy as np

from vision.training.rendered.errors import SceneError
from vision.training.rendered.layout.board_size import BoardSize
from vision.training.rendered.layout.board_style import (
    BoardStyle,
    PieceStyle,
    TurnedProfile,
    draw_board_style,
)
from vision.training.rendered.layout.lamps import (
    AreaLamp,
    LampShape,
    Lighting,
    LightingSetup,
    black_body_colour,
    draw_lighting,
    draw_small_lamps,
)
from vision.training.rendered.layout.palette import (
    Material,
    Surface,
    draw_checkers,
    draw_colour,
    draw_die,
    draw_six_rows,
    draw_table,
    luma,
)
from vision.training.rendered.random_draws import draw_bool, draw_choice, draw_log_uniform, draw_uniform
from vision.training.rendered.tracing.arrays import Colour, vector

T = TypeVar("T")

_HELD_OUT_HUES_DEG: tuple[tuple[float, float], ...] = ((110.0, 170.0), (265.0, 310.0))
_HELD_OUT_LUMAS: tuple[tuple[float, float], ...] = ((0.14, 0.20), (0.40, 0.50), (0.80, 0.85))
_HELD_OUT_WOOD_GREEN = 0.52
_GOLD_HUES_DEG = (25.0, 65.0)
_SATURATED = 0.35
_PALE_BODY = 0.45  # luma; a paler body has dark pips
_DRAWS = 20_000
_GLOSSY, _GLINT_LAMPS = (0.05, 0.18), (2, 4)  # roughness of checkers; number of lamps


class StyleSet(Enum):
    """The values stand in the labels."""

    TRAINING = "training"
    HELD_APART = "held_apart"


@dataclass(frozen=True, slots=True)
class DieMaterials:
    """The materials of one die. Lengths are shares of its edge."""

    body: Material
    pips: Colour
    rounding: float
    pip_radius: float
    pip_gap: float
    roughness: float
    six_rows: float = 1.0  # distance between the two rows of a six, as a share of the grid's


NamedLight = tuple[str, Lighting]  # the name in the labels


def saturation(colour: Colour) -> float:
    return 1 - min(colour) / max(colour)


def hue_deg(colour: Colour) -> float:
    """0 is red, 120 green, 240 blue; 0 for greys."""
    red, green, blue = colour
    high, span = max(colour), max(colour) - min(colour)
    if span < 1e-9:
        return 0.0
    if high == red:
        return 60 * ((green - blue) / span % 6)
    return 60 * ((blue - red) / span + 2) if high == green else 60 * ((red - green) / span + 4)


def is_held_out_colour(colour: Colour) -> bool:
    """Whether only `HELD_APART` has this colour."""
    value, bands = luma(colour), _HELD_OUT_LUMAS
    if saturation(colour) >= _SATURATED:
        value, bands = hue_deg(colour), _HELD_OUT_HUES_DEG
    return any(low <= value <= high for low, high in bands)


def is_held_out(material: Material) -> bool:
    """Whether only `HELD_APART` has this material."""
    if material.surface is Surface.WOOD and material.wood is not None:
        return material.wood.early[1] < _HELD_OUT_WOOD_GREEN * material.wood.early[0]
    return is_held_out_colour(material.colour)


def _draw_until(rng: np.random.Generator, draw: Callable[[np.random.Generator], T], fits: Callable[[T], bool]) -> T:
    """The first draw that fits. Raises SceneError."""
    for _ in range(_DRAWS):
        found = draw(rng)
        if fits(found):
            return found
    message = f"None of {_DRAWS} draws fits the styles."
    raise SceneError(message)


def _allows(styles: StyleSet, *materials: Material) -> bool:
    return all(is_held_out(material) is (styles is StyleSet.HELD_APART) for material in materials)


def draw_style(rng: np.random.Generator, size: BoardSize, styles: StyleSet) -> BoardStyle:
    """Board, checkers, cube and table; `draw_die_materials` draws the dice."""
    allows, draw_board = partial(_allows, styles), partial(draw_board_style, size=size)
    style = _draw_until(rng, draw_board, lambda style: allows(style.field.ground, *style.field.points))
    framed = style
    if not allows(style.frame.rim, style.frame.bar):
        framed = _draw_until(rng, draw_board, lambda style: allows(style.frame.rim, style.frame.bar))
    is_held_apart = styles is StyleSet.HELD_APART
    pieces = replace(
        style.pieces,
        checkers=_draw_until(rng, draw_checkers, lambda pair: allows(*pair)),
        cube=_draw_until(
            rng, lambda rng: draw_colour(rng, 0.15, 0.75), lambda cube: is_held_out_colour(cube) is is_held_apart
        ),
    )
    if is_held_apart:
        dull = draw_uniform(rng, 0.25, 0.30) if draw_bool(rng, 0.5) else draw_uniform(rng, 0.60, 0.75)
        pieces = replace(pieces, checker_roughness=dull)
    return BoardStyle(style.field, framed.frame, pieces, _draw_until(rng, draw_table, allows))


def make_glossy(rng: np.random.Generator, pieces: PieceStyle) -> PieceStyle:
    """The style with glossy checkers, mostly with profiles that reflect a lamp several times."""
    profile = draw_choice(
        rng, (TurnedProfile.RINGS, TurnedProfile.GROOVE, TurnedProfile.DISH, TurnedProfile.DOME), (60, 15, 15, 10)
    )
    return replace(pieces, profile=profile, checker_roughness=draw_uniform(rng, *_GLOSSY))


def draw_glints(rng: np.random.Generator) -> NamedLight:
    """Several small lamps that glossy checkers reflect as bright spots."""
    lamps, ambient = draw_small_lamps(rng, int(rng.integers(*_GLINT_LAMPS))), draw_uniform(rng, 0.15, 0.45)
    room = vector(black_body_colour(draw_uniform(rng, 3200, 6500)))
    return (LightingSetup.TWO_LAMPS.value, Lighting(LightingSetup.TWO_LAMPS, lamps, ambient, room))


def draw_die_materials(rng: np.random.Generator, styles: StyleSet) -> DieMaterials:
    body, pips = _draw_until(rng, draw_die, lambda die: _allows(styles, die[0]))
    if styles is StyleSet.HELD_APART:
        radius, gap = _draw_held_out_pips(rng)
        rounding = draw_uniform(rng, 0.02, 0.045) if draw_bool(rng, 0.5) else draw_uniform(rng, 0.205, 0.24)
        roughness = draw_uniform(rng, 0.03, 0.07) if draw_bool(rng, 0.5) else draw_uniform(rng, 0.42, 0.6)
        return DieMaterials(body, _draw_held_out_pip_colour(rng, body), rounding, radius, gap, roughness)
    if draw_bool(rng, 0.12):
        pips = _draw_coloured_pips(rng, body)
    return DieMaterials(
        body,
        pips,
        rounding=draw_uniform(rng, 0.05, 0.2),
        pip_radius=draw_uniform(rng, 0.075, 0.11),
        pip_gap=draw_uniform(rng, 0.23, 0.28),
        roughness=draw_uniform(rng, 0.08, 0.4),
        six_rows=draw_six_rows(rng),
    )


def _draw_held_out_pips(rng: np.random.Generator) -> tuple[float, float]:
    """(radius, distance): small pips close or far apart, large ones far apart."""
    if draw_bool(rng, 0.5):
        return draw_uniform(rng, 0.112, 0.125), draw_uniform(rng, 0.283, 0.295)
    return draw_uniform(rng, 0.062, 0.074), draw_uniform(rng, 0.205, 0.228) if draw_bool(rng, 0.5) else draw_uniform(
        rng, 0.283, 0.3
    )


def _draw_held_out_pip_colour(rng: np.random.Generator, body: Material) -> Colour:
    if body.luma() >= _PALE_BODY:
        return vector(draw_log_uniform(rng, 0.035, 0.07) * rng.uniform(0.85, 1.0, 3))
    if draw_bool(rng, 0.4):
        gold = draw_log_uniform(rng, 0.45, 0.7)
        return gold, gold * draw_uniform(rng, 0.58, 0.72), gold * draw_uniform(rng, 0.12, 0.3)
    return vector(draw_log_uniform(rng, 0.40, 0.55) * rng.uniform(0.9, 1.0, 3))


def _draw_coloured_pips(rng: np.random.Generator, body: Material) -> Colour:
    """Red, blue and the like, neither gold nor held apart, of another brightness than the body."""
    darkest, lightest = (0.01, 0.3) if body.luma() >= _PALE_BODY else (0.3, 0.8)
    for _ in range(_DRAWS):
        colour = draw_colour(rng, darkest, lightest)
        is_gold = _GOLD_HUES_DEG[0] <= hue_deg(colour) <= _GOLD_HUES_DEG[1] and saturation(colour) >= _SATURATED
        if not is_gold and not is_held_out_colour(colour) and abs(luma(colour) - body.luma()) > 0.3:
            return colour
    return (0.008, 0.008, 0.008) if body.luma() >= _PALE_BODY else (0.7, 0.7, 0.7)


def draw_named_light(rng: np.random.Generator, styles: StyleSet) -> NamedLight:
    if styles is StyleSet.TRAINING:
        lighting = draw_lighting(rng)
        return lighting.setup.value, lighting
    return draw_choice(rng, (_draw_desk_lamp, _draw_two_windows, _draw_spot_row))(rng)


def _draw_held_out_light(rng: np.random.Generator, power: float = 1.0, *, is_cold: bool | None = None) -> Colour:
    is_cold = draw_bool(rng, 0.5) if is_cold is None else is_cold
    warmth = draw_uniform(rng, 9600, 11000) if is_cold else draw_uniform(rng, 2200, 2500)
    return vector(black_body_colour(warmth) * power * np.exp(rng.normal(0, 0.03, 3)))


def _draw_held_out_room(rng: np.random.Generator) -> Colour:
    return vector(
        black_body_colour(draw_uniform(rng, 2700, 3100) if draw_bool(rng, 0.5) else draw_uniform(rng, 6700, 7500))
    )


def _draw_desk_lamp(rng: np.random.Generator) -> NamedLight:
    """Small and low beside the board."""
    angle, away = draw_uniform(rng, 0, 2 * np.pi), draw_uniform(rng, 300, 600)
    centre = away * float(np.cos(angle)), away * float(np.sin(angle)), draw_uniform(rng, 380, 650)
    radius = draw_uniform(rng, 30, 70)
    lamps = (AreaLamp(LampShape.DISC, centre, (radius, radius), _draw_held_out_light(rng, is_cold=False)),)
    return (
        "desk_lamp",
        Lighting(LightingSetup.CEILING_LAMP, lamps, draw_uniform(rng, 0.2, 0.6), _draw_held_out_room(rng)),
    )


def _draw_two_windows(rng: np.random.Generator) -> NamedLight:
    """Face to face, one brighter than the other."""
    angle, away = draw_uniform(rng, 0, 2 * np.pi), draw_uniform(rng, 1300, 1700)
    lamps = []
    for turn, power in ((0.0, 1.0), (np.pi, draw_uniform(rng, 0.2, 0.9))):
        x, y = away * float(np.cos(angle + turn)), away * float(np.sin(angle + turn))
        half = draw_uniform(rng, 250, 700), draw_uniform(rng, 250, 600)
        colour = _draw_held_out_light(rng, power, is_cold=True)
        lamps.append(AreaLamp(LampShape.RECTANGLE, (x, y, draw_uniform(rng, 350, 1000)), half, colour))
    lighting = Lighting(LightingSetup.WINDOW_SIDE, tuple(lamps), draw_uniform(rng, 0.15, 0.6), _draw_held_out_room(rng))
    return ("two_windows", lighting)


def _draw_spot_row(rng: np.random.Generator) -> NamedLight:
    """Three small spots along a rail."""
    angle, step, height = draw_uniform(rng, 0, np.pi), draw_uniform(rng, 350, 700), draw_uniform(rng, 1400, 2000)
    middle, radius, is_cold = rng.normal(0, 350, 2), draw_uniform(rng, 18, 40), draw_bool(rng, 0.5)
    lamps = []
    for order in (-1, 0, 1):
        x, y = middle + order * step * np.array([np.cos(angle), np.sin(angle)])
        colour = _draw_held_out_light(rng, draw_uniform(rng, 0.5, 1), is_cold=is_cold)
        lamps.append(AreaLamp(LampShape.DISC, (float(x), float(y), height), (radius, radius), colour))
    lighting = Lighting(LightingSetup.TWO_LAMPS, tuple(lamps), draw_uniform(rng, 0.15, 0.5), _draw_held_out_room(rng))
    return ("spot_row", lighting)
