"""Dice half hidden below something, with glints as large as pips, with a shadow across, or beside a lamp like an LED.

What is asked stays the true face: of two pips that are seen and may be half of a four, a network learns how often they are.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.windows import DieSpot
from vision.training.samples.die_truth import DiceCrop, DieTruth, PointPx

LightMap = NDArray[np.float32]

AUGMENTED_SHARE = 0.2  # share of samples, with a die and without one
MOST_GLINTS, MOST_LAMPS = 3, 2
OCCLUDER_EDGES = (0.35, 6.0)  # radius of what hides a die: from a fingertip to a straight edge
LEFT_EDGES = (-0.45, 0.5)  # how far from the die's middle it ends: beyond it, or on this side of it
OWN_PIXELS, BLURRED_EDGES = 0.5, 0.4  # share of things that look like what else is in the piece; the others are plain
SOFT, SHOWS_ITSELF = 0.7, 0.5  # shares of lamps whose light has no plain edge, and that are seen themselves
BESIDE_EDGES, AT_EDGES = (0.3, 3.0), (0.0, 1.0)  # how far lamps are from a die, and from where none is


@dataclass(frozen=True, slots=True, eq=False)
class _EdgeDistances:
    """How many edges of a die each pixel (h, w) lies from the middle of its upper face, or from a place without one, across and down."""

    across: LightMap
    down: LightMap

    @classmethod
    def of(cls, crop: DiceCrop, die: DieTruth) -> "_EdgeDistances":
        return cls.at(crop, die.top_px, die.size_px)

    @classmethod
    def at(cls, crop: DiceCrop, middle_px: PointPx, edge_px: float) -> "_EdgeDistances":
        rows, columns = np.mgrid[: crop.pixels.shape[0], : crop.pixels.shape[1]].astype(np.float32)
        return cls((columns - middle_px[0]) / edge_px, (rows - middle_px[1]) / edge_px)

    def along(self, turn: float) -> LightMap:
        return np.asarray(np.cos(turn) * self.across + np.sin(turn) * self.down, np.float32)


def augment_die(crop: DiceCrop, die: DieTruth, rng: np.random.Generator) -> tuple[DiceCrop, DieTruth]:
    """Mostly as it was; the die as it is labelled in the new crop."""
    if rng.random() >= AUGMENTED_SHARE:
        return crop, die
    spoil = _AUGMENTATIONS[int(rng.choice(len(_AUGMENTATIONS), p=_AUGMENTATION_WEIGHTS))]
    spoiled = spoil(crop, die, rng)
    return spoiled, spoiled.dice[crop.dice.index(die)]


def occlude(crop: DiceCrop, die: DieTruth, rng: np.random.Generator) -> DiceCrop:
    """Below something round, that darkens what is beside it; what is seen of all dice is less by as much as it covers."""
    around, radius, turn = (
        _EdgeDistances.of(crop, die),
        float(np.exp(rng.uniform(*np.log(OCCLUDER_EDGES)))),
        _draw_angle(rng),
    )
    away = radius + rng.uniform(*LEFT_EDGES)
    across, down = around.across - away * np.cos(turn), around.down - away * np.sin(turn)
    beyond = np.asarray(np.hypot(across, down) - radius, np.float32)  # edges
    thing = np.asarray(np.clip(0.5 - beyond * die.size_px / rng.uniform(0.8, 2.5), 0, 1), np.float32)
    dark = np.clip(1 - beyond / rng.uniform(0.05, 0.5), 0, 1) * rng.uniform(0, 0.6)
    share = thing[..., None]
    light = share * _make_occluder(crop, die, around, rng) + (1 - share) * crop.pixels * (1 - dark[..., None])
    hidden = [_covered_share(thing, one) for one in crop.dice]
    # What lies over a die may touch it, and may look like a checker.
    dice = [
        replace(one, visible=one.visible * (1 - less), touches_checker=None) if less > 0 else one
        for one, less in zip(crop.dice, hidden, strict=True)
    ]
    return replace(crop, pixels=_to_pixels(light), dice=tuple(dice))


def add_glints(crop: DiceCrop, die: DieTruth, rng: np.random.Generator) -> DiceCrop:
    """Lamps that mirror in the face, about as large as its pips."""
    around, light = _EdgeDistances.of(crop, die), crop.pixels.astype(np.float32)
    for _ in range(int(rng.integers(1, MOST_GLINTS + 1))):
        (x, y), turn = rng.uniform(-0.5, 0.5, 2), _draw_angle(rng)
        moved = _EdgeDistances(around.across - np.float32(x), around.down - np.float32(y))
        long, wide = np.exp(rng.uniform(np.log(0.05), np.log(0.2), 2))
        away = np.hypot(moved.along(turn) / long, moved.along(turn + np.pi / 2) / wide)
        patch = np.clip((1 - away) / rng.uniform(0.1, 1.0) + 0.5, 0, 1)
        light = light + patch[..., None] * rng.uniform(50, 350) * rng.uniform(0.85, 1, 3)
    return replace(crop, pixels=_to_pixels(light))


def add_coloured_light(crop: DiceCrop, die: DieTruth, rng: np.random.Generator) -> DiceCrop:
    """What an LED throws on board and dice: a coloured patch near the die, with a soft edge or a plain one, in the middle it burns out."""
    return _add_light(crop, _EdgeDistances.of(crop, die), BESIDE_EDGES, rng)


def augment_empty(crop: DiceCrop, spot: DieSpot, rng: np.random.Generator) -> DiceCrop:
    """A place without a die, and at times such a lamp there: it is none, however plain its ring."""
    if rng.random() >= AUGMENTED_SHARE:
        return crop
    return _add_light(crop, _EdgeDistances.at(crop, spot.centre_px, spot.size_px), AT_EDGES, rng)


def _add_light(
    crop: DiceCrop, around: _EdgeDistances, away_edges: tuple[float, float], rng: np.random.Generator
) -> DiceCrop:
    light = crop.pixels.astype(np.float32)
    for _ in range(int(rng.integers(1, MOST_LAMPS + 1))):
        turn, away, radius = (
            _draw_angle(rng),
            rng.uniform(*away_edges),
            float(np.exp(rng.uniform(np.log(0.3), np.log(2.5)))),
        )
        x, y = away * np.cos(turn), away * np.sin(turn)
        off = np.hypot(around.across - x, around.down - y)
        soft, plain = np.exp(-((off / radius) ** 2)), (1 - off / radius) / rng.uniform(0.02, 0.5) + 0.5
        halo = soft if rng.random() < SOFT else np.clip(plain, 0, 1)
        itself = np.clip((rng.uniform(0.05, 0.3) - off) / 0.05 + 0.5, 0, 1) * (rng.random() < SHOWS_ITSELF)
        colour = _colour(rng.uniform(0, 180), rng.uniform(150, 255), 255.0)
        light = light + halo[..., None] * colour * rng.uniform(0.1, 0.9) + 255 * itself[..., None]
    return replace(crop, pixels=_to_pixels(light))


def add_shadow(crop: DiceCrop, die: DieTruth, rng: np.random.Generator) -> DiceCrop:
    """Whose edge goes across it."""
    off = _EdgeDistances.of(crop, die).along(_draw_angle(rng)) - rng.uniform(-0.6, 0.6)
    dark = np.clip(off / rng.uniform(0.02, 0.5) + 0.5, 0, 1) * rng.uniform(0.3, 0.85)
    return replace(crop, pixels=_to_pixels(crop.pixels * (1 - dark[..., None])))


def _make_occluder(crop: DiceCrop, die: DieTruth, around: _EdgeDistances, rng: np.random.Generator) -> LightMap:
    """(h, w, 3) of what lies over it: a plain thing, lighter to one side, or one in the colours of another part of the crop."""
    slope = np.clip(1 + rng.uniform(0, 0.3) * around.along(_draw_angle(rng)), 0.4, 1.6)[..., None]
    if rng.random() < OWN_PIXELS:
        height, width = crop.pixels.shape[:2]
        moved = np.roll(crop.pixels[::-1, ::-1], rng.integers(0, (height, width)).tolist(), (0, 1))
        blurred = cv2.GaussianBlur(moved, (0, 0), BLURRED_EDGES * die.size_px)  # no die shall be seen there
        return np.asarray(blurred * slope, np.float32)
    return np.asarray(_colour(rng.uniform(0, 180), 255 * rng.uniform(0, 0.8), rng.uniform(20, 245)) * slope, np.float32)


def _covered_share(thing: LightMap, die: DieTruth) -> float:
    """Of its upper face, how much lies below the thing (h, w) of 0 to 1."""
    face = np.zeros(thing.shape, np.uint8)
    corners = np.clip(die.quad_px, -9999, 9999)
    cv2.fillPoly(face, [np.round(corners * 16).astype(np.int32)], 1, cv2.LINE_8, 4)
    return float(thing[face > 0].mean()) if face.any() else 0.0


def _colour(hue: float, saturation: float, value: float) -> LightMap:
    """(3,) BGR of 0 to 255, of OpenCV's HSV."""
    hsv = np.array([[[hue, saturation, value]]], np.uint8)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0], np.float32)


def _draw_angle(rng: np.random.Generator) -> float:
    return float(rng.uniform(0, 2 * np.pi))


def _to_pixels(light: NDArray[np.floating]) -> NDArray[np.uint8]:
    return np.asarray(np.clip(light + 0.5, 0, 255), np.uint8)


Augmentation = Callable[[DiceCrop, DieTruth, np.random.Generator], DiceCrop]
_AUGMENTATIONS: tuple[Augmentation, ...] = (occlude, add_glints, add_coloured_light, add_shadow)
_AUGMENTATION_WEIGHTS = (0.4, 0.25, 0.25, 0.1)
