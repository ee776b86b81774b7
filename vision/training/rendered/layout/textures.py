"""Textures made from noise: linear RGB albedo and a height map for the relief.

Each kind is a function of a `Sheet`, which knows its size and draws noise with feature sizes in millimetres.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.training.rendered.layout.palette import DARKEST, Material, Surface, Wood, draw_colour
from vision.training.rendered.tracing.arrays import Colour, Floats

_BRIGHTEST = 0.92  # largest albedo of a texture; noise may exceed the palette


@dataclass(frozen=True, slots=True, eq=False)
class Swatch:
    """A piece of a material: albedo (h, w, 3) float32, height (h, w) float32 without unit."""

    albedo: Floats
    height: Floats

    def turn(self) -> "Swatch":
        return Swatch(np.transpose(self.albedo, (1, 0, 2)), self.height.T)


@dataclass(frozen=True, slots=True)
class Sheet:
    """The area of a swatch; pixels are square."""

    rng: np.random.Generator
    rows: int
    columns: int
    px_per_mm: float

    def noise(self, tall_mm: float, wide_mm: float, octaves: int) -> Floats:
        """Smooth noise, mostly within -1..1, whose coarsest features have that size."""
        return noise(
            self.rng, (self.rows, self.columns), (tall_mm * self.px_per_mm, wide_mm * self.px_per_mm), octaves=octaves
        )

    def grid_mm(self) -> tuple[Floats, Floats]:
        """(y, x) of each pixel."""
        y, x = np.mgrid[0 : self.rows, 0 : self.columns].astype(np.float32) / self.px_per_mm
        return y, x


def noise(rng: np.random.Generator, shape: tuple[int, int], feature_px: tuple[float, float], *, octaves: int) -> Floats:
    """float32 of `shape`; each octave has half the feature size and half the amplitude of the one before."""
    rows, columns = shape
    total = np.zeros(shape, np.float32)
    power = 0.0
    for octave in range(octaves):
        gain = 0.5**octave
        knots = [
            min(max(2, int(np.ceil(length / max(feature * gain, 1.0))) + 3), length + 3)
            for length, feature in zip(shape, feature_px, strict=True)
        ]
        coarse = rng.standard_normal(knots).astype(np.float32)
        total += gain * np.asarray(cv2.resize(coarse, (columns, rows), interpolation=cv2.INTER_CUBIC))
        power += gain**2
    return total / np.float32(np.sqrt(power) * 1.6)


def make_swatch(
    rng: np.random.Generator, material: Material, *, width_mm: float, height_mm: float, px_per_mm: float
) -> Swatch:
    """A swatch of any material; the grain of wood runs along the width."""
    sheet = Sheet(rng, int(height_mm * px_per_mm), int(width_mm * px_per_mm), px_per_mm)
    if material.surface in _PAINTERS:
        albedo, height = _PAINTERS[material.surface](sheet, material.colour)
    else:
        albedo, height = _wood(sheet, material)
    return Swatch(np.clip(albedo, DARKEST / 2, _BRIGHTEST).astype(np.float32), height.astype(np.float32))


def _shade(colour: Colour, factor: Floats) -> Floats:
    return np.array(colour, np.float32) * factor[..., None]


def _wood(sheet: Sheet, material: Material) -> tuple[Floats, Floats]:
    """Rings cut lengthwise, fibres, pores."""
    wood = material.wood
    if wood is None:
        return _plain(sheet, material.colour)
    rings, eyes = _burl_rings(sheet, wood) if wood.is_burl else _straight_rings(sheet, wood)
    phase = np.mod(rings, 1.0)
    ring = np.clip(phase**2.2 * (1 - np.clip((phase - 0.93) / 0.07, 0, 1)), 0, 1)
    of_year = sheet.rng.uniform(0.5, 1.0, 512).astype(np.float32)[np.clip(np.abs(rings).astype(int), 0, 511)]
    fibre = sheet.noise(max(0.45, 1 / sheet.px_per_mm), 22, 2)
    late = wood.contrast * ring * of_year + 0.5 * eyes + 0.16 * sheet.noise(40, 260, 3)
    late = np.clip(late + wood.fibre * 0.35 * fibre, 0, 1.25)[..., None]
    colour = np.array(wood.early, np.float32) * (1 - late) + np.array(wood.late, np.float32) * late
    height = 0.3 * fibre
    if wood.pores > 0.03:
        pores = sheet.noise(max(0.5, 1 / sheet.px_per_mm), 6, 1)
        pores = np.clip((pores - (1.25 - 0.5 * wood.pores)) * 3, 0, 1) * (0.35 + 0.65 * ring)
        colour, height = colour * (1 - 0.55 * pores[..., None]), height - pores
    colour = colour * (1 + 0.05 * sheet.noise(90, 120, 2))[..., None]
    if material.surface is Surface.STAIN:
        grey = colour.mean(axis=2)
        colour = _shade(material.colour, (grey / grey.mean()) ** 0.8)
    return colour, height


def _straight_rings(sheet: Sheet, wood: Wood) -> tuple[Floats, Floats]:
    """(ring number, eyes) of a trunk whose axis lies `depth` below the plank."""
    rng = sheet.rng
    y, x = sheet.grid_mm()
    depth = rng.uniform(25, 90) * rng.choice([-1, 1])
    axis_y = sheet.rows / sheet.px_per_mm * rng.uniform(-0.3, 1.3)
    warp = sheet.noise(60, 240, 3) * wood.ring_mm * 1.6
    sunk = depth + rng.uniform(-0.12, 0.12) * x + sheet.noise(50, 200, 2) * 9
    rings = np.hypot(y - axis_y + warp, sunk) / wood.ring_mm
    return rings + sheet.noise(1.6, 60, 2) * 0.06, np.zeros_like(rings)


def _burl_rings(sheet: Sheet, wood: Wood) -> tuple[Floats, Floats]:
    y, x = sheet.grid_mm()
    shift_x, shift_y = sheet.noise(60, 60, 4) * 40, sheet.noise(60, 60, 4) * 56
    middle = sheet.columns / sheet.px_per_mm * 0.3
    eyes = np.clip(sheet.noise(9, 9, 2) - 0.75, 0, 1) * 1.6
    return np.hypot(x + shift_x - middle, y + shift_y) / wood.ring_mm + eyes * 2, eyes


def _felt(sheet: Sheet, colour: Colour) -> tuple[Floats, Floats]:
    fuzz = sheet.noise(1, 1, 2) + 0.7 * sheet.noise(0.6, 3, 1)
    return _shade(colour, 1 + 0.09 * fuzz + 0.06 * sheet.noise(120, 120, 3)), fuzz * 0.7


def _cloth(sheet: Sheet, colour: Colour) -> tuple[Floats, Floats]:
    y, x = sheet.grid_mm()
    thread = 2 * np.pi / 0.9  # threads 0.9 mm apart
    weave = np.sin(thread * x + sheet.noise(30, 30, 2)) * np.sin(thread * y + sheet.noise(30, 30, 2))
    weave = weave + 0.9 * sheet.noise(1, 14, 1) + 0.9 * sheet.noise(14, 1, 1)
    return _shade(colour, 1 + 0.10 * weave + 0.05 * sheet.noise(120, 120, 3)), weave * 0.5


def _leather(sheet: Sheet, colour: Colour) -> tuple[Floats, Floats]:
    cells = np.abs(sheet.noise(2, 2.6, 1)) ** 0.6
    shade = 1 + 0.16 * (cells - 0.5) + 0.10 * sheet.noise(120, 120, 3) + 0.03 * sheet.noise(2.2, 2.2, 2)
    return _shade(colour, shade), cells * 1.2


def _cork(sheet: Sheet, colour: Colour) -> tuple[Floats, Floats]:
    grains = sheet.noise(3.2, 3.2, 2)
    holes = np.clip(sheet.noise(2.4, 3.4, 2) - 0.55, 0, 1)
    shade = (1 + 0.22 * grains + 0.06 * sheet.noise(120, 120, 3)) * (1 - 0.75 * holes)
    return _shade(colour, shade), grains * 0.4 - holes


def _marble(sheet: Sheet, colour: Colour) -> tuple[Floats, Floats]:
    """Light veins in a dark stone, dark veins in a light stone."""
    veins = 1 - np.clip(np.abs(sheet.noise(14, 14, 4) + 0.5 * sheet.noise(7, 7, 3)) * 2.2, 0, 1)
    strength = 0.55 if np.mean(colour) < 0.2 else -0.22
    return _shade(colour, (1 + strength * veins) * (1 + 0.12 * sheet.noise(120, 120, 3))), np.zeros_like(veins)


def _slate(sheet: Sheet, colour: Colour) -> tuple[Floats, Floats]:
    layers = sheet.noise(8, 8, 5)
    return _shade(colour, 1 + 0.22 * layers + 0.1 * sheet.noise(120, 120, 3)), layers * 0.8


def _plain(sheet: Sheet, colour: Colour) -> tuple[Floats, Floats]:
    uneven = sheet.noise(2, 2, 2)
    return _shade(colour, 1 + 0.015 * uneven + 0.02 * sheet.noise(120, 120, 3)), uneven * 0.05


def _checked(sheet: Sheet, colour: Colour) -> tuple[Floats, Floats]:
    """Stripes of a second colour in both directions, darker where they cross."""
    albedo, height = _felt(sheet, colour)
    second = np.array(draw_colour(sheet.rng, 0.02, 0.6), np.float32)
    y, x = sheet.grid_mm()
    period = sheet.rng.uniform(28, 60)
    stripes = ((x % period) < period / 2).astype(np.float32) + ((y % period) < period / 2)
    share = np.asarray(cv2.GaussianBlur(stripes, (0, 0), 0.8))[..., None] / 2
    shade = albedo.mean(axis=2, keepdims=True) / max(float(np.mean(colour)), DARKEST)
    return albedo * (1 - share) + second * shade * share, height


_PAINTERS = {  # of all but wood
    Surface.FELT: _felt,
    Surface.CLOTH: _cloth,
    Surface.LEATHER: _leather,
    Surface.CORK: _cork,
    Surface.MARBLE: _marble,
    Surface.SLATE: _slate,
    Surface.CHECKED: _checked,
    Surface.PLAIN: _plain,
    Surface.CLEAR: _plain,
}
