"""Random lamps, and the light that bodies block.

All light on level ground sums to 1, so one factor sets a picture's exposure. Colours are linear, blue first.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.training.drawn_dice.shape import Array, Shape, Vector, distance

SHADOW_STEPS = 9
LOWEST_LAMP_DEG = 32.0


@dataclass(frozen=True, slots=True, eq=False)
class DirectionalLamp:
    """`power` (3,) is its irradiance on level ground; `softness` is the lamp's radius over its distance."""

    way: Array  # (3,) unit vector towards the lamp: x right, y down, z up
    power: Array
    softness: float
    glare: float  # brightness of its reflection


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """`sky` (3,) comes from the upper hemisphere, with a gradient `slope` (2,)."""

    lamps: tuple[DirectionalLamp, ...]
    sky: Array
    slope: Array
    occlusion: float  # 0..1, strength of ambient occlusion


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A shape with its pose: `rotation` maps its own frame to the board's, `middle_mm` is x, y, height."""

    shape: Shape
    rotation: NDArray[np.float64]
    middle_mm: Vector

    def to_own(self, points: Array) -> Array:
        turned: Array = self.rotation.T.astype(np.float32) @ (points - self.middle_mm.astype(np.float32)[:, None])
        return turned


def random_light(rng: np.random.Generator) -> Light:
    """From flat daylight to one hard lamp."""
    count = int(rng.choice([1, 2, 3], p=[0.55, 0.3, 0.15]))
    share = rng.dirichlet(np.full(count, 1.5)) * rng.uniform(0.12, 0.75)
    warmth = rng.normal(0, 0.05)
    lamps = []
    for power in share:
        high = np.radians(rng.uniform(LOWEST_LAMP_DEG, 88))
        round_ = rng.uniform(0, 2 * np.pi)
        way = np.array([np.cos(round_) * np.cos(high), np.sin(round_) * np.cos(high), np.sin(high)], np.float32)
        tint = _tint(warmth + rng.normal(0, 0.04))
        softness = float(np.exp(rng.uniform(np.log(0.03), np.log(0.5))))
        lamps.append(DirectionalLamp(way, (power * tint).astype(np.float32), softness, float(rng.uniform(0.3, 1.6))))
    sky = ((1 - share.sum()) * _tint(rng.normal(0, 0.06))).astype(np.float32)
    slope = (rng.normal(0, 0.35, 2)).astype(np.float32)
    return Light(tuple(lamps), sky, slope, float(rng.uniform(0.25, 0.85)))


def _tint(warmth: float) -> Vector:
    colour = np.exp(np.array([-warmth, 0.0, warmth]))
    return np.asarray(colour / colour.mean())


def compute_sky_light(light: Light, normals: Array) -> Array:
    """(3, n) sky light on surfaces with these normals; level ground gets `sky`."""
    share = 0.5 + 0.5 * normals[2] + 0.5 * (light.slope[0] * normals[0] + light.slope[1] * normals[1])
    return np.asarray(light.sky[:, None] * np.maximum(share, 0.05), np.float32)


def compute_transmission(body: Body, points: Array, lamp: DirectionalLamp) -> Array:
    """(n,) share of the lamp's light that passes the body; points far from the body get 1."""
    own = body.to_own(points)
    way = (body.rotation.T @ lamp.way).astype(np.float32)
    along = -(way @ own)  # ray parameter of the point nearest to the body's middle
    beside = np.sqrt(np.maximum(np.einsum("ij,ij->j", own, own) - along * along, 0))
    round_mm = body.shape.size_mm * 0.87
    wide = round_mm + np.maximum(along, 0) * lamp.softness
    is_near = (beside < wide) & (along > -round_mm)
    share = np.ones(points.shape[1], np.float32)
    if is_near.any():
        near = np.ascontiguousarray(own[:, is_near])
        share[is_near] = _march(body.shape, near, way, (along[is_near], lamp.softness))
    return share


def _march(shape: Shape, points: Array, way: Array, reach: tuple[Array, float]) -> Array:
    """Soft shadows by Quilez' method: the smallest ratio of a ray's distance from the body to its length so far."""
    along, softness = reach
    last = along + np.float32(shape.size_mm * 0.87)
    gone = np.maximum(along - np.float32(shape.size_mm * 0.87), np.float32(0.15))
    least = np.full(points.shape[1], 1, np.float32)
    way = way[:, None]
    for _ in range(SHADOW_STEPS):
        left = distance(shape, points + gone * way)
        np.minimum(least, left / (gone * np.float32(softness)), out=least)
        gone = np.minimum(gone + np.maximum(left, np.float32(0.35)), last)
    # -1: the lamp is hidden; 1: the lamp is visible
    share = np.clip(0.5 + 0.5 * least, 0, 1)
    return np.asarray(share * share * (3 - 2 * share), np.float32)


def compute_openness(bodies: Sequence[Body], points: Array, light: Light) -> Array:
    """(n,) share of the sky that is visible from points beside these bodies."""
    share = np.ones(points.shape[1], np.float32)
    for body in bodies:
        away = np.maximum(distance(body.shape, body.to_own(points)), 0)
        share *= 1 - np.float32(light.occlusion) * np.exp(away * np.float32(-4.0 / body.shape.size_mm))
    return share
