"""Procedural textures of materials, computed once a process, then cut, turned and coloured for each scene.

A pattern is a grey square, 0..255, at 2 px per mm; a finish maps it to colours by a table of 256 entries.
"""

from collections.abc import Callable
from functools import cache, lru_cache, partial
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulated.scene import Colour, Finish, SurfacePattern

Pixels = NDArray[Any]

SIDE_PX = 1024
VARIANTS = 4
PATTERN_PX_PER_MM = 2.0


def bgr(colour: Colour) -> Pixels:
    """sRGB 0..255, blue first, float."""
    return np.array(colour[::-1], np.float32) * 255


def linear(colour: Colour) -> Pixels:
    """Linear light, blue first."""
    return np.array(colour[::-1], np.float32) ** 2.2


# 8-bit sRGB value to linear light
_LIGHT_TABLE = ((np.arange(256, dtype=np.float32) / 255) ** 2.2).astype(np.float32)


def picture_to_light(picture: Pixels) -> Pixels:
    """8-bit to linear float32."""
    return cv2.LUT(picture, _LIGHT_TABLE)


def _spread_to_bytes(field: Pixels) -> Pixels:
    """Scales any values to 0..255 with a mean of 128."""
    field = field - field.mean()
    return np.asarray(np.clip(128 + 127 * (field / (2.5 * field.std() + 1e-6)), 0, 255), np.uint8)


def clouds(rng: np.random.Generator, coarse: int, octaves: int, gain: float = 0.55) -> Pixels:
    """Fractal noise; the largest blotches are SIDE_PX / `coarse` wide."""
    total = np.zeros((SIDE_PX, SIDE_PX), np.float32)
    for octave in range(octaves):
        cells = min(SIDE_PX, coarse * 2**octave)
        noise = rng.standard_normal((cells, cells)).astype(np.float32)
        total += gain**octave * cv2.resize(noise, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_CUBIC)
    return total


def _fibres(rng: np.random.Generator, long: int, thin: int) -> Pixels:
    noise = rng.standard_normal((SIDE_PX // thin, SIDE_PX // long)).astype(np.float32)
    return cv2.resize(noise, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_CUBIC)


def _wood(rng: np.random.Generator) -> Pixels:
    across = np.arange(SIDE_PX, dtype=np.float32)[:, None]
    along = np.arange(SIDE_PX, dtype=np.float32)[None, :]
    bend = cv2.resize(clouds(rng, 3, 3)[:, :256], (SIDE_PX, SIDE_PX)) * rng.uniform(10, 60)
    arch = (along - rng.uniform(0, SIDE_PX)) ** 2 * rng.uniform(0, 6e-5)
    phase = (across + bend + arch) / rng.uniform(10, 45)
    rings = np.abs(np.mod(phase, 1.0) - rng.uniform(0.3, 0.9))
    pores = _fibres(rng, 32, 1) + 0.7 * _fibres(rng, 64, 4)
    return _spread_to_bytes(rings * rng.uniform(1, 3) + 0.35 * pores + 0.25 * clouds(rng, 3, 3))


def _leather(rng: np.random.Generator) -> Pixels:
    noise = cv2.GaussianBlur(rng.standard_normal((SIDE_PX, SIDE_PX)).astype(np.float32), (0, 0), 2.0)
    other = cv2.GaussianBlur(rng.standard_normal((SIDE_PX, SIDE_PX)).astype(np.float32), (0, 0), 2.6)
    creases = np.minimum(np.abs(noise) / noise.std(), np.abs(other) / other.std())
    return _spread_to_bytes(-np.minimum(creases, 0.6) + 0.05 * clouds(rng, 4, 3))


def _speckle(rng: np.random.Generator, width: float, share: float) -> Pixels:
    noise = cv2.GaussianBlur(rng.standard_normal((SIDE_PX, SIDE_PX)).astype(np.float32), (0, 0), width)
    noise = noise / noise.std()
    grains = np.where(noise > share, 1.5, 0) - np.where(noise < -share, 1.0, 0)
    return _spread_to_bytes(grains + 0.3 * noise + 0.2 * clouds(rng, 8, 3))


def _weave_pattern(rng: np.random.Generator) -> Pixels:
    step = rng.uniform(3.0, 9.0)
    axis = np.arange(SIDE_PX, dtype=np.float32) * (2 * np.pi / step)
    threads = np.sin(axis)[None, :] * np.sin(axis)[:, None] * (0.5 + rng.random())
    return _spread_to_bytes(threads + 0.5 * (_fibres(rng, 64, 2) + _fibres(rng, 64, 2).T) + 0.3 * clouds(rng, 4, 3))


def _planks(rng: np.random.Generator) -> Pixels:
    """Boards of a floor or table, 128 px wide, each with its own tone, with joints between."""
    pattern = _wood(rng).astype(np.float32)
    width = int(rng.choice([64, 128, 256]))
    for top in range(0, SIDE_PX, width):
        shift = int(rng.integers(SIDE_PX))
        plank = np.roll(pattern[top : top + width], shift, 1) * rng.uniform(0.5, 1.0)
        joint = int(rng.integers(SIDE_PX))
        plank[:, joint : joint + 3] = 255
        plank[:2] = 255
        pattern[top : top + width] = plank
    return np.clip(pattern, 0, 255).astype(np.uint8)


def _tiles(rng: np.random.Generator) -> Pixels:
    pattern = _spread_to_bytes(clouds(rng, 4, 6)).astype(np.float32) * 0.5
    side = int(rng.choice([128, 256, 512]))
    for start in range(0, SIDE_PX, side):
        pattern[start : start + 5] = 255
        pattern[:, start : start + 5] = 255
    return pattern.astype(np.uint8)


def _stripes(rng: np.random.Generator, *, crossed: bool) -> Pixels:
    period = int(rng.choice([16, 32, 64, 128]))
    line = (np.arange(SIDE_PX) % period < period * rng.uniform(0.2, 0.7)).astype(np.float32)
    both = line[None, :] * 0.5 + line[:, None] * 0.5 if crossed else np.repeat(line[:, None], SIDE_PX, 1)
    return np.clip(both * 235 + 10 + rng.normal(0, 8, (SIDE_PX, SIDE_PX)), 0, 255).astype(np.uint8)


def _flowers(rng: np.random.Generator) -> Pixels:
    pattern = np.full((SIDE_PX, SIDE_PX), 30, np.uint8)
    for _ in range(220):
        x, y, size = (int(value) for value in rng.integers((0, 0, 8), (SIDE_PX, SIDE_PX, 40)))
        tone, petals = int(rng.integers(90, 255)), int(rng.integers(1, 7))
        for petal in range(petals):
            axes = (size, max(2, size // 3))
            cv2.ellipse(pattern, (x, y), axes, petal * 180 / petals, 0, 360, tone, -1, cv2.LINE_AA)
    return pattern


def _burl(rng: np.random.Generator) -> Pixels:
    """Root wood: figure that winds around many small eyes."""
    field = clouds(rng, 7, 4) * 1.3
    for _ in range(90):
        side = int(rng.integers(36, 96))
        eye = np.square(np.hanning(side)).astype(np.float32)
        x, y = (int(place) for place in rng.integers(0, SIDE_PX - side, 2))
        field[y : y + side, x : x + side] += eye[:, None] * eye[None, :] * np.float32(rng.uniform(1.0, 2.5))
    return _spread_to_bytes(np.sin(field * rng.uniform(4, 6)) + 0.5 * _fibres(rng, 8, 2))


def _twill(rng: np.random.Generator) -> Pixels:
    """Diagonal ribs of a cloth."""
    axis = np.arange(SIDE_PX, dtype=np.float32)
    ribs = np.sin((axis[None, :] + axis[:, None]) * (2 * np.pi / rng.uniform(5, 8)))
    return _spread_to_bytes(ribs + 0.4 * (_fibres(rng, 32, 2) + _fibres(rng, 32, 2).T) + 0.3 * clouds(rng, 5, 3))


def _terrazzo(rng: np.random.Generator) -> Pixels:
    """Angular chips in a ground: Voronoi cells, some of them lighter or darker."""
    count = 3000
    seeds = rng.uniform(0, SIDE_PX, (count, 2)).astype(np.float32)
    cells = cv2.Subdiv2D((0, 0, SIDE_PX, SIDE_PX))
    cells.insert([(float(x), float(y)) for x, y in seeds])
    pattern = np.full((SIDE_PX, SIDE_PX), 0.0, np.float32)
    for outline in cells.getVoronoiFacetList([])[0]:
        corners = np.array(outline)
        middle = corners.mean(0)
        chip = np.round((middle + (corners - middle) * 0.8) * 16).astype(np.int32)
        cv2.fillConvexPoly(pattern, chip, float(rng.choice([-2.0, 0.0, 0.0, 1.0, 2.0])), cv2.LINE_8, 4)
    return _spread_to_bytes(pattern + 0.25 * clouds(rng, 6, 4))


def _swirl(rng: np.random.Generator) -> Pixels:
    """Two colours of resin stirred once."""
    return _spread_to_bytes(np.sin(clouds(rng, 5, 2) * 3.0 + clouds(rng, 12, 2) * 0.5))


def _felt(rng: np.random.Generator) -> Pixels:
    grain = rng.standard_normal((SIDE_PX, SIDE_PX)).astype(np.float32)
    return _spread_to_bytes(cv2.GaussianBlur(grain, (0, 0), 0.7) + 0.12 * clouds(rng, 4, 5))


def _marble(rng: np.random.Generator) -> Pixels:
    veins = clouds(rng, 4, 6)
    return _spread_to_bytes(-(np.abs(veins) ** 0.5) + 0.3 * clouds(rng, 3, 4))


def _carpet(rng: np.random.Generator) -> Pixels:
    grain = rng.standard_normal((SIDE_PX // 2, SIDE_PX // 2)).astype(np.float32)
    return _spread_to_bytes(cv2.resize(grain, (SIDE_PX, SIDE_PX)) + 0.6 * clouds(rng, 6, 4))


def _plain(rng: np.random.Generator) -> Pixels:
    return _spread_to_bytes(clouds(rng, 3, 7, 0.5))


_MAKERS: dict[SurfacePattern, Callable[[np.random.Generator], Pixels]] = {
    SurfacePattern.PLAIN: _plain,
    SurfacePattern.WOOD: _wood,
    SurfacePattern.FELT: _felt,
    SurfacePattern.LEATHER: _leather,
    SurfacePattern.CORK: lambda rng: _speckle(rng, rng.uniform(1.5, 3.0), 1.0),
    SurfacePattern.MARBLE: _marble,
    SurfacePattern.WEAVE: _weave_pattern,
    SurfacePattern.CARPET: _carpet,
    SurfacePattern.SPECKLE: lambda rng: _speckle(rng, rng.uniform(0.8, 1.6), 1.6),
    SurfacePattern.PAPER: _plain,
    SurfacePattern.PLANKS: _planks,
    SurfacePattern.TILES: _tiles,
    SurfacePattern.STRIPES: partial(_stripes, crossed=False),
    SurfacePattern.CHEQUER: partial(_stripes, crossed=True),
    SurfacePattern.FLOWERS: _flowers,
    SurfacePattern.BURL: _burl,
    SurfacePattern.TWILL: _twill,
    SurfacePattern.TERRAZZO: _terrazzo,
    SurfacePattern.SWIRL: _swirl,
}


@cache
def pattern_of(material: SurfacePattern, variant: int) -> Pixels:
    """uint8 (SIDE_PX, SIDE_PX); shared, so callers must not write to it."""
    order = list(SurfacePattern).index(material)
    pattern = np.ascontiguousarray(_MAKERS[material](np.random.default_rng([order, variant])))
    pattern.setflags(write=False)
    return pattern


@lru_cache(maxsize=96)
def read_picture(path: str) -> Pixels:
    """uint8 (h, w, 3) BGR of an image file; shared, so callers must not write to it. OSError when it is none."""
    picture: Pixels | None = cv2.imread(path, cv2.IMREAD_COLOR)
    if picture is None:
        raise OSError(f"{path} is no picture that OpenCV can read.")
    picture.setflags(write=False)
    return picture


@lru_cache(maxsize=512)
def mean_of_picture(path: str) -> Colour:
    """sRGB, red first, 0..1."""
    blue, green, red = (float(value) / 255 for value in read_picture(path).mean((0, 1)))
    return red, green, blue


def source_of(finish: Finish, rng: np.random.Generator) -> Pixels:
    """What a patch is cut from: the finish's picture, else a grey pattern that `colourise` makes coloured."""
    variant = int(rng.integers(VARIANTS))
    return read_picture(finish.picture) if finish.picture else pattern_of(finish.material, variant)


def colourise(finish: Finish, cut: Pixels) -> Pixels:
    """uint8 BGR of what was cut from `source_of`."""
    return cv2.LUT(cut if finish.picture else cv2.merge([cut, cut, cut]), colour_table(finish))


def _picture_table(finish: Finish) -> Pixels:
    """(256, 1, 3) uint8 that moves the picture's mean to the finish's colour."""
    mean = np.maximum(bgr(mean_of_picture(finish.picture)), 8)
    change = 1 + finish.contrast * (np.arange(256, dtype=np.float32)[:, None] / mean - 1)
    table: Pixels = np.clip(bgr(finish.colour) * change, 0, 255).astype(np.uint8)[:, None, :]
    return table


def colour_table(finish: Finish) -> Pixels:
    """(256, 1, 3) uint8 BGR."""
    if finish.picture:
        return _picture_table(finish)
    share = np.linspace(0, 1, 256, dtype=np.float32)[:, None] * finish.contrast
    mixed = bgr(finish.colour) * (1 - share) + bgr(finish.second) * share
    return np.asarray(np.clip(mixed, 0, 255), np.uint8)[:, None, :]


def mean_colour(finish: Finish) -> Colour:
    if finish.picture:
        return finish.colour
    share = 0.5 * finish.contrast
    red, green, blue = (a * (1 - share) + b * share for a, b in zip(finish.colour, finish.second, strict=True))
    return red, green, blue


def cut_patch(finish: Finish, width_px: int, height_px: int, px_per_mm: float) -> Pixels:
    """uint8 BGR patch of that size."""
    rng = np.random.default_rng(finish.seed)
    pattern = source_of(finish, rng)
    step = PATTERN_PX_PER_MM / (px_per_mm * finish.scale)
    angle = np.radians(finish.angle_deg)
    cos, sin = step * np.cos(angle), step * np.sin(angle)
    start = rng.uniform(0, SIDE_PX, 2)
    matrix = np.array([[cos, sin, start[0]], [-sin, cos, start[1]]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    cut = cv2.warpAffine(pattern, matrix, (width_px, height_px), flags=flags, borderMode=cv2.BORDER_REFLECT_101)
    return colourise(finish, cut)
