"""Random colours and materials of dice. Colours are linear light, blue first."""

from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from vision.training.drawn_dice.faces import Pips
from vision.training.drawn_dice.shape import Array, Form, Shape


class Grain(Enum):
    """The pattern in the body."""

    PLAIN = "plain"
    MARBLE = "marble"
    SPECKLE = "speckle"
    WOOD = "wood"


@dataclass(frozen=True, slots=True, eq=False)
class DrawnAppearance:
    """`clear` 0..1 is the body's transparency; `special_value` is the value whose pip has `special` colour, 0 for none."""

    body: Array  # (3,)
    second: Array  # (3,) of the grain
    grain: Grain
    grain_per_mm: float
    pip: Array  # (3,)
    clear: float
    gloss: float  # 0..1
    sharpness: float  # of highlights
    special_value: int
    special_pip: Array
    has_pips: bool = True


def linear_colour(red: float, green: float, blue: float) -> Array:
    """From sRGB 0..1 to linear, blue first."""
    return (np.array([blue, green, red], np.float32) ** 2.2).astype(np.float32)


# (sRGB of the body, colours of its pips, weight).
_STYLES = (
    ((0.95, 0.95, 0.94), "dark", 8.0),
    ((0.90, 0.86, 0.74), "dark", 4.0),
    ((0.98, 0.96, 0.90), "any", 1.0),
    ((0.10, 0.10, 0.11), "light", 5.0),
    ((0.17, 0.14, 0.13), "light", 1.0),
    ((0.72, 0.07, 0.09), "light", 5.0),
    ((0.50, 0.05, 0.08), "light", 2.0),
    ((0.12, 0.22, 0.58), "light", 3.0),
    ((0.30, 0.52, 0.80), "any", 1.0),
    ((0.08, 0.42, 0.22), "light", 2.5),
    ((0.90, 0.75, 0.20), "dark", 1.0),
    ((0.85, 0.42, 0.12), "any", 1.0),
    ((0.42, 0.18, 0.52), "light", 1.0),
    ((0.62, 0.62, 0.63), "any", 1.5),
    ((0.90, 0.58, 0.66), "any", 0.7),
)
_WOODS = ((0.80, 0.63, 0.42), (0.70, 0.50, 0.30), (0.88, 0.76, 0.58), (0.48, 0.30, 0.18), (0.34, 0.21, 0.13))

# Share of the dice whose six has its rows nearer to each other, and the least distance as a share of the grid's. Knobs: so do
# two of four makes on photographs.
NEAR_SIX_SHARE, LEAST_SIX_ROWS = 0.5, 0.62


def _vary(rng: np.random.Generator, srgb: tuple[float, float, float], spread: float = 0.045) -> Array:
    red, green, blue = np.clip(np.array(srgb) * np.exp(rng.normal(0, spread)) + rng.normal(0, spread, 3), 0.03, 0.985)
    return linear_colour(float(red), float(green), float(blue))


def _pip_colour(rng: np.random.Generator, kind: str, body: Array) -> Array:
    if kind == "any":
        kind = "dark" if body.mean() > 0.22 else "light"
    if rng.random() < 0.1:
        bold = ((0.75, 0.08, 0.1), (0.1, 0.2, 0.6), (0.05, 0.4, 0.2), (0.8, 0.65, 0.3), (0.95, 0.85, 0.2))
        chosen = _vary(rng, bold[int(rng.integers(len(bold)))], 0.04)
        if abs(np.log((chosen.mean() + 0.02) / (body.mean() + 0.02))) > 0.9:
            return chosen
    return _vary(rng, (0.08, 0.08, 0.09) if kind == "dark" else (0.95, 0.95, 0.93), 0.03)


def random_appearance(rng: np.random.Generator) -> DrawnAppearance:
    wooden = rng.random() < 0.1
    if wooden:
        body = _vary(rng, _WOODS[int(rng.integers(len(_WOODS)))], 0.03)
        pip = _pip_colour(rng, "dark" if body.mean() > 0.1 else "light", body)
        grain, clear = Grain.WOOD, 0.0
        second = body * np.float32(rng.uniform(0.5, 0.85))
    else:
        weights = np.array([style[2] for style in _STYLES])
        srgb, kind, _ = _STYLES[int(rng.choice(len(_STYLES), p=weights / weights.sum()))]
        body = _vary(rng, srgb)
        pip = _pip_colour(rng, kind, body)
        grain = Grain(rng.choice(["plain", "marble", "speckle"], p=[0.8, 0.14, 0.06]))
        second = body * np.float32(np.exp(rng.normal(0, 0.35))) + np.float32(0.02)
        clear = float(rng.uniform(0.35, 0.85)) if rng.random() < 0.15 else float(rng.uniform(0, 0.08))
    special = int(rng.choice([0, 1, 4], p=[0.86, 0.12, 0.02]))
    return DrawnAppearance(
        body=body,
        second=np.clip(second, 0.005, 0.95).astype(np.float32),
        grain=grain,
        grain_per_mm=float(rng.uniform(0.6, 2.2)),
        pip=pip,
        clear=clear,
        gloss=float(rng.uniform(0, 0.25) if wooden else rng.beta(1.6, 1.6)),
        sharpness=float(np.exp(rng.uniform(np.log(12), np.log(400)))),
        special_value=special,
        special_pip=_vary(rng, (0.75, 0.06, 0.08)) if pip.mean() < 0.3 else pip,
    )


def random_pips(rng: np.random.Generator) -> Pips:
    spread = float(rng.uniform(0.44, 0.6))
    six_rows = float(rng.uniform(LEAST_SIX_ROWS, 1.0)) if rng.random() < NEAR_SIX_SHARE else 1.0
    radius = float(min(rng.uniform(0.13, 0.235), spread * 0.46, spread * six_rows * 0.8))
    ace = radius * float(rng.uniform(1.3, 1.9) if rng.random() < 0.12 else 1.0)
    kind = rng.random()
    depth = float(rng.uniform(0.2, 0.9) if kind < 0.6 else 0.0 if kind < 0.92 else -rng.uniform(0.1, 0.4))
    two, three, six = (bool(value) for value in rng.random(3) < 0.5)
    return Pips(spread, radius, ace, depth, (False, two, three, False, False, six), six_rows)


def random_shape(rng: np.random.Generator, size_mm: float | None = None) -> Shape:
    size = float(rng.uniform(9, 16)) if size_mm is None else size_mm
    if rng.random() < 0.35:
        return Shape(size, size * float(rng.uniform(0.03, 0.09)), size * float(rng.uniform(0.68, 0.8)))
    edge = rng.uniform(0.02, 0.06) if rng.random() < 0.25 else rng.uniform(0.06, 0.2)
    return Shape(size, size * float(edge))


def random_distractor(rng: np.random.Generator) -> tuple[Shape, DrawnAppearance]:
    """An object without pips: a plain cube, a round counter, a bead."""
    kind = rng.random()
    size = float(rng.uniform(8, 18))
    plain = replace(random_appearance(rng), special_value=0, has_pips=False)
    shape = random_shape(rng, size)
    if kind > 0.75:
        shape = Shape(size, size / 2, form=Form.BALL)
    elif kind > 0.4:
        shape = Shape(size, 0.6, form=Form.DISC, thick_mm=float(rng.uniform(2, 5)))
    return shape, plain
