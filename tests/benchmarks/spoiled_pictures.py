"""Spoils pictures where their dice lie: a face that cannot be seen any more must be unsure and never read as another face.

Each kind takes a picture (h, w, 3) BGR with its label and gives a new picture. The strength is random, from hardly visible
to unreadable. The label of a half covered die stays: its value may be answered rightly or not at all.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import cast
from zlib import crc32

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.benchmarks.dice_labels import DiceLabel, DieLabel

Pixels = NDArray[np.uint8]
Light = NDArray[np.float32]
Spoil = Callable[[Pixels, DiceLabel, np.random.Generator], Pixels]

AROUND = 4.0  # edges of a die: how far around it the picture is changed
USUAL_PX = 20.0  # size of a die when the picture has none
SKIN_BGR = (120, 155, 205)
LEDS_BGR = ((0, 255, 0), (255, 60, 0), (0, 0, 255), (0, 120, 255), (255, 255, 255))
CHECKERS_BGR = ((200, 215, 225), (45, 45, 50), (40, 50, 120), (110, 140, 175), (60, 75, 105))


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """The pixels around a die (h, w, 3), and their offsets from its middle in edges, across and down (h, w)."""

    left: int
    top: int
    pixels: Light
    across: Light
    down: Light

    @classmethod
    def around(cls, pixels: Pixels, die: DieLabel) -> "Piece":
        (x_px, y_px), edge_px = die.places_px[0], max(die.size_px, 2.0)
        height, width = pixels.shape[:2]
        left, right = np.clip((x_px - AROUND * edge_px, x_px + AROUND * edge_px), 0, width).astype(int).tolist()
        top, bottom = np.clip((y_px - AROUND * edge_px, y_px + AROUND * edge_px), 0, height).astype(int).tolist()
        rows, columns = np.mgrid[top:bottom, left:right].astype(np.float32)
        light = pixels[top:bottom, left:right].astype(np.float32)
        return cls(left, top, light, (columns - x_px) / edge_px, (rows - y_px) / edge_px)

    def along(self, turn: float) -> Light:
        """(h, w): offsets from the middle in the direction `turn`, in edges."""
        return np.asarray(np.cos(turn) * self.across + np.sin(turn) * self.down, np.float32)


Change = Callable[[Piece, np.random.Generator], Light]


def spoiled(kind: str, pixels: Pixels, label: DiceLabel, order: int) -> Pixels:
    """Spoils a picture in one way of SPOILS; `order` seeds the chance."""
    return SPOILS[kind](pixels, label, np.random.default_rng([crc32(kind.encode()), order]))


def _at_each_die(change: Change) -> Spoil:
    return lambda pixels, label, rng: _changed_at(pixels, label.dice, change, rng)


def _at_one_die(change: Change) -> Spoil:
    """Changes one random die only, as a cover over all dice tests nothing about a die."""
    return lambda pixels, label, rng: _changed_at(
        pixels, [label.dice[number] for number in rng.permutation(len(label.dice))[:1]], change, rng
    )


def _changed_at(pixels: Pixels, dice: Sequence[DieLabel], change: Change, rng: np.random.Generator) -> Pixels:
    spoilt = pixels.copy()
    for die in dice:
        piece = Piece.around(spoilt, die)
        if piece.pixels.size:
            height, width = piece.across.shape
            here = spoilt[piece.top : piece.top + height, piece.left : piece.left + width]
            here[:] = _as_pixels(change(piece, rng))
    return spoilt


def _patch(piece: Piece, rng: np.random.Generator, *, radii: tuple[float, float], off: float) -> Light:
    """(h, w) 0..1: an ellipse with a soft edge, its middle at most `off` edges from that of the die each way."""
    x, y = rng.uniform(-off, off, 2)
    moved = replace(piece, across=piece.across - x, down=piece.down - y)
    turn, soft = rng.uniform(0, np.pi), rng.uniform(0.025, 0.25)
    least, most = np.log(radii).tolist()
    long, wide = np.exp(rng.uniform(least, most, 2)).tolist()
    away = np.hypot(moved.along(turn) / long, moved.along(turn + np.pi / 2) / wide)
    return _step((1 - away) / soft)


def _step(values: Light) -> Light:
    """A smooth step from 0 to 1 around 0."""
    return np.asarray(1 / (1 + np.exp(-np.clip(values, -30, 30))), np.float32)


def _glare(piece: Piece, rng: np.random.Generator) -> Light:
    """Mirrors a lamp in a part of the upper face or all of it."""
    return piece.pixels + np.float32(rng.uniform(60, 400)) * _patch(piece, rng, radii=(0.25, 1.2), off=0.6)[..., None]


def _glint(piece: Piece, rng: np.random.Generator) -> Light:
    """Adds a bright spot as large as a pip."""
    return piece.pixels + np.float32(rng.uniform(100, 400)) * _patch(piece, rng, radii=(0.06, 0.2), off=0.45)[..., None]


def _shadow(piece: Piece, rng: np.random.Generator) -> Light:
    """Darkens the die on one side of a sharp edge."""
    off, soft = rng.uniform(-0.5, 0.5), rng.uniform(0.01, 0.2)
    dark = _step((piece.along(rng.uniform(0, 2 * np.pi)) - off) / soft)
    return piece.pixels * (1 - np.float32(rng.uniform(0.4, 0.9)) * dark)[..., None]


def _lit(piece: Piece, rng: np.random.Generator) -> Light:
    """Adds an LED beside the die, which is overexposed and lights board and die in its colour."""
    turn, away_edges = rng.uniform(0, 2 * np.pi), rng.uniform(0.8, 1.8)
    reach_edges = np.float32(rng.uniform(away_edges, AROUND - away_edges))
    x, y = np.float32(away_edges * np.cos(turn)), np.float32(away_edges * np.sin(turn))
    off_edges = np.hypot(piece.across - x, piece.down - y)
    colour = np.asarray(LEDS_BGR[int(rng.integers(len(LEDS_BGR)))], np.float32)
    falls = np.float32(rng.uniform(0.1, 0.7)) * np.clip(1 - (off_edges / reach_edges) ** 2, 0, 1) ** 2
    lamp = _step((np.float32(rng.uniform(0.1, 0.2)) - off_edges) / 0.02)
    return np.asarray(piece.pixels + falls[..., None] * colour + 255 * lamp[..., None], np.float32)


def _covered(piece: Piece, beyond: Light, colour: Light, rng: np.random.Generator) -> Light:
    """Covers pixels where `beyond` (h, w), in edges, is positive; the cover is lighter to one side and has a shadow."""
    share = np.clip(0.5 - 20 * beyond, 0, 1)[..., None]
    light = np.clip(1 + 0.1 * piece.along(rng.uniform(0, 2 * np.pi)), 0.5, 1.5)
    shade = 1 - 0.4 * np.clip(1 - np.abs(beyond) / 0.25, 0, 1)[..., None]
    return np.asarray(share * colour * light[..., None] + (1 - share) * piece.pixels * shade, np.float32)


def _under_checker(piece: Piece, rng: np.random.Generator) -> Light:
    """Covers up to two thirds of the die with a checker of two to three edges."""
    radius, turn, reach = rng.uniform(1.0, 1.6), rng.uniform(0, 2 * np.pi), rng.uniform(-0.5, 0.2)
    x, y = (radius - reach) * np.cos(turn), (radius - reach) * np.sin(turn)
    colour = np.asarray(CHECKERS_BGR[int(rng.integers(len(CHECKERS_BGR)))], np.float32) * np.float32(
        rng.uniform(0.7, 1.1)
    )
    return _covered(piece, np.hypot(piece.across - x, piece.down - y) - np.float32(radius), colour, rng)


def _under_finger(piece: Piece, rng: np.random.Generator) -> Light:
    """Covers the die from one side to beyond its middle."""
    turn, reach, beside, width = rng.uniform(0, 2 * np.pi), rng.uniform(-0.5, 0.3), rng.uniform(-0.5, 0.5), 0.55
    along, aside = piece.along(turn) + reach, piece.along(turn + np.pi / 2) - beside
    beyond = np.hypot(np.maximum(width - along, 0), aside) - np.float32(width)
    return _covered(piece, beyond, np.asarray(SKIN_BGR, np.float32) * np.float32(rng.uniform(0.5, 1.1)), rng)


def _shaken(pixels: Pixels, label: DiceLabel, rng: np.random.Generator) -> Pixels:
    """Blurs the whole picture by a movement of up to half an edge."""
    length_px, turn = rng.uniform(0.05, 0.5) * _edge_px(label), rng.uniform(0, np.pi)
    half = int(np.ceil(length_px / 2)) + 1
    columns, rows = np.meshgrid(*[np.arange(-half, half + 1, dtype=np.float32)] * 2)
    along = np.abs(np.cos(turn) * columns + np.sin(turn) * rows)
    aside = np.abs(np.cos(turn) * rows - np.sin(turn) * columns)
    kernel = np.clip(length_px / 2 + 0.5 - along, 0, 1) * np.clip(1 - aside, 0, 1)
    moved = cv2.filter2D(pixels.astype(np.float32), -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE)
    return _as_pixels(cast(Light, moved))


def _out_of_focus(pixels: Pixels, label: DiceLabel, rng: np.random.Generator) -> Pixels:
    sigma_px = rng.uniform(0.03, 0.2) * _edge_px(label)
    return _as_pixels(cast(Light, cv2.GaussianBlur(pixels.astype(np.float32), (0, 0), sigma_px)))


def _over_exposed(pixels: Pixels, label: DiceLabel, rng: np.random.Generator) -> Pixels:
    return _as_pixels(pixels * np.float32(rng.uniform(1.2, 3.0)))


def _dark_and_noisy(pixels: Pixels, label: DiceLabel, rng: np.random.Generator) -> Pixels:
    """Adds the noise of a camera with high gain."""
    noise = rng.standard_normal(pixels.shape, np.float32) * np.float32(rng.uniform(1, 8))
    dark = np.clip(pixels * np.float32(rng.uniform(0.08, 0.5)) + noise, 0, 255)
    return _as_pixels(dark * np.float32(rng.uniform(1, 2)))


def _few_pixels(pixels: Pixels, label: DiceLabel, rng: np.random.Generator) -> Pixels:
    height, width = pixels.shape[:2]
    share = rng.uniform(0.3, 0.8)
    small = cv2.resize(pixels, (round(width * share), round(height * share)), interpolation=cv2.INTER_AREA)
    return cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC).astype(np.uint8, copy=False)


def _packed(pixels: Pixels, label: DiceLabel, rng: np.random.Generator) -> Pixels:
    """Encodes the picture as JPEG of low quality."""
    stored = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(8, 40))])[1]
    return np.asarray(cv2.imdecode(stored, cv2.IMREAD_COLOR), np.uint8)


def _edge_px(label: DiceLabel) -> float:
    return float(np.median([die.size_px for die in label.dice])) if label.dice else USUAL_PX


def _as_pixels(light: Light) -> Pixels:
    return np.asarray(np.clip(light + 0.5, 0, 255), np.uint8)


SPOILS: dict[str, Spoil] = {
    "glare": _at_each_die(_glare),
    "glint": _at_each_die(_glint),
    "shadow": _at_each_die(_shadow),
    "beside an LED": _at_each_die(_lit),
    "under a checker": _at_one_die(_under_checker),
    "under a finger": _at_one_die(_under_finger),
    "shaken": _shaken,
    "out of focus": _out_of_focus,
    "over-exposed": _over_exposed,
    "dark and noisy": _dark_and_noisy,
    "few pixels": _few_pixels,
    "packed": _packed,
}
