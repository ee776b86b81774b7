"""Occlusion and glare augmentation: dice half hidden, with glints as large as pips, across a shadow, or beside a lit
LED.

The label stays the true face: where two visible pips may be half of a four, the network learns how often they are.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.windows import DieSpot
from vision.training.samples.die_truth import DiceCrop, DieTruth, PointPx

LightMap = NDArray[np.float32]

AUGMENTED_SHARE = 0.2  # share of samples, with and without a die
MOST_GLINTS, MOST_LAMPS = 3, 2
OCCLUDER_EDGES = (0.35, 6.0)  # radius of an occluder: from a fingertip to a straight edge
LEFT_EDGES = (-0.45, 0.5)  # signed distance of the occluder's edge from the die's middle
OWN_PIXELS, BLURRED_EDGES = 0.5, 0.4  # share of occluders textured by the crop itself, and their blur
SOFT, SHOWS_ITSELF = 0.7, 0.5  # shares of lights with a soft edge, and of lights whose LED is visible
BESIDE_EDGES, AT_EDGES = (0.3, 3.0), (0.0, 1.0)  # distance of LEDs from a die, and from the middle of an empty window


@dataclass(frozen=True, slots=True, eq=False)
class _EdgeDistances:
    """Distance of each pixel (h, w) from a place, across and down, in edges of a die."""

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
    """Mostly returns its input; otherwise the augmented crop and the die's label in it."""
    if rng.random() >= AUGMENTED_SHARE:
        return crop, die
    augment = _AUGMENTATIONS[int(rng.choice(len(_AUGMENTATIONS), p=_AUGMENTATION_WEIGHTS))]
    augmented = augment(crop, die, rng)
    return augmented, augmented.dice[crop.dice.index(die)]


def occlude(crop: DiceCrop, die: DieTruth, rng: np.random.Generator) -> DiceCrop:
    """Covers the die with a round object that shades its surroundings; reduces `visible` of all dice by the covered
    share.
    """
    around = _EdgeDistances.of(crop, die)
    radius, turn = float(np.exp(rng.uniform(*np.log(OCCLUDER_EDGES)))), _draw_angle(rng)
    away = radius + rng.uniform(*LEFT_EDGES)
    across, down = around.across - away * np.cos(turn), around.down - away * np.sin(turn)
    beyond = np.asarray(np.hypot(across, down) - radius, np.float32)  # edges
    thing = np.asarray(np.clip(0.5 - beyond * die.size_px / rng.uniform(0.8, 2.5), 0, 1), np.float32)
    dark = np.clip(1 - beyond / rng.uniform(0.05, 0.5), 0, 1) * rng.uniform(0, 0.6)
    share = thing[..., None]
    light = share * _make_occluder(crop, die, around, rng) + (1 - share) * crop.pixels * (1 - dark[..., None])
    hidden = [_covered_share(thing, one) for one in crop.dice]
    # An occluder may touch the die and may resemble a checker.
    dice = [
        replace(one, visible=one.visible * (1 - less), touches_checker=None) if less > 0 else one
        for one, less in zip(crop.dice, hidden, strict=True)
    ]
    return replace(crop, pixels=_to_pixels(light), dice=tuple(dice))


def add_glints(crop: DiceCrop, die: DieTruth, rng: np.random.Generator) -> DiceCrop:
    """Reflections of lamps in the face, about as large as its pips."""
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
    """The light of an LED on board and dice: coloured patches with a soft or a sharp edge, burnt out in the middle."""
    return _add_light(crop, _EdgeDistances.of(crop, die), BESIDE_EDGES, rng)


def augment_empty(crop: DiceCrop, spot: DieSpot, rng: np.random.Generator) -> DiceCrop:
    """At times puts LED light on a place without a die, so that its ring does not pass for one."""
    if rng.random() >= AUGMENTED_SHARE:
        return crop
    return _add_light(crop, _EdgeDistances.at(crop, spot.centre_px, spot.size_px), AT_EDGES, rng)


def _add_light(
    crop: DiceCrop, around: _EdgeDistances, away_edges: tuple[float, float], rng: np.random.Generator
) -> DiceCrop:
    light = crop.pixels.astype(np.float32)
    for _ in range(int(rng.integers(1, MOST_LAMPS + 1))):
        turn, away = _draw_angle(rng), rng.uniform(*away_edges)
        radius = float(np.exp(rng.uniform(np.log(0.3), np.log(2.5))))
        x, y = away * np.cos(turn), away * np.sin(turn)
        off = np.hypot(around.across - x, around.down - y)
        soft, plain = np.exp(-((off / radius) ** 2)), (1 - off / radius) / rng.uniform(0.02, 0.5) + 0.5
        halo = soft if rng.random() < SOFT else np.clip(plain, 0, 1)
        itself = np.clip((rng.uniform(0.05, 0.3) - off) / 0.05 + 0.5, 0, 1) * (rng.random() < SHOWS_ITSELF)
        colour = _colour(rng.uniform(0, 180), rng.uniform(150, 255), 255.0)
        light = light + halo[..., None] * colour * rng.uniform(0.1, 0.9) + 255 * itself[..., None]
    return replace(crop, pixels=_to_pixels(light))


def add_shadow(crop: DiceCrop, die: DieTruth, rng: np.random.Generator) -> DiceCrop:
    """A shadow whose edge crosses the die."""
    off = _EdgeDistances.of(crop, die).along(_draw_angle(rng)) - rng.uniform(-0.6, 0.6)
    dark = np.clip(off / rng.uniform(0.02, 0.5) + 0.5, 0, 1) * rng.uniform(0.3, 0.85)
    return replace(crop, pixels=_to_pixels(crop.pixels * (1 - dark[..., None])))


def _make_occluder(crop: DiceCrop, die: DieTruth, around: _EdgeDistances, rng: np.random.Generator) -> LightMap:
    """(h, w, 3) colours of the occluder: plain with a gradient, or those of another part of the crop."""
    slope = np.clip(1 + rng.uniform(0, 0.3) * around.along(_draw_angle(rng)), 0.4, 1.6)[..., None]
    if rng.random() < OWN_PIXELS:
        height, width = crop.pixels.shape[:2]
        moved = np.roll(crop.pixels[::-1, ::-1], rng.integers(0, (height, width)).tolist(), (0, 1))
        # blurred, so that no die is visible in it
        blurred = cv2.GaussianBlur(moved, (0, 0), BLURRED_EDGES * die.size_px)
        return np.asarray(blurred * slope, np.float32)
    return np.asarray(_colour(rng.uniform(0, 180), 255 * rng.uniform(0, 0.8), rng.uniform(20, 245)) * slope, np.float32)


def _covered_share(thing: LightMap, die: DieTruth) -> float:
    """Share of the die's upper face below the occluder (h, w) of 0 to 1."""
    face = np.zeros(thing.shape, np.uint8)
    corners = np.clip(die.quad_px, -9999, 9999)
    cv2.fillPoly(face, [np.round(corners * 16).astype(np.int32)], 1, cv2.LINE_8, 4)
    return float(thing[face > 0].mean()) if face.any() else 0.0


def _colour(hue: float, saturation: float, value: float) -> LightMap:
    """(3,) BGR of 0 to 255, from OpenCV's HSV."""
    hsv = np.array([[[hue, saturation, value]]], np.uint8)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0], np.float32)


def _draw_angle(rng: np.random.Generator) -> float:
    return float(rng.uniform(0, 2 * np.pi))


def _to_pixels(light: NDArray[np.floating]) -> NDArray[np.uint8]:
    return np.asarray(np.clip(light + 0.5, 0, 255), np.uint8)


Augmentation = Callable[[DiceCrop, DieTruth, np.random.Generator], DiceCrop]
_AUGMENTATIONS: tuple[Augmentation, ...] = (occlude, add_glints, add_coloured_light, add_shadow)
_AUGMENTATION_WEIGHTS = (0.4, 0.25, 0.25, 0.1)
