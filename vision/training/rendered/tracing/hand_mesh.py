"""A hand with forearm and sleeve, from blended distance fields of capsules.

Frame: fingers along +x, z up, the fingertips of a pinch near the origin; right hand. Millimetres.
"""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

import numpy as np
from skimage.measure import marching_cubes

from vision.training.rendered.layout.hand import HandGesture
from vision.training.rendered.tracing.arrays import Floats, Vector
from vision.training.rendered.tracing.meshes import Mesh, grid_faces

_STEP_MM = 2.2  # spacing of the grid; a finer one shows no difference
_LOW, _HIGH = np.array([-330.0, -90.0, -10.0]), np.array([40.0, 100.0, 120.0])
_FINGER_RADII = ((10.5, 9.6, 7.8), (10.8, 10.0, 8.0), (10.2, 9.4, 7.5), (9.2, 8.2, 6.6))
_THUMB_RADII = (15.0, 11.5, 8.5)

Digit = tuple[Vector, Vector, Vector]  # base, knuckle, tip


# index to little finger, and the thumb
_POSES: dict[HandGesture, tuple[tuple[Digit, Digit, Digit, Digit], Digit]] = {
    HandGesture.PINCH: (
        (
            ((-72, 27, 34), (-38, 30, 44), (-4, 9, 8)),
            ((-70, 8, 37), (-30, 10, 45), (2, 2, 8)),
            ((-74, -11, 35), (-38, -14, 40), (-12, -12, 10)),
            ((-80, -28, 31), (-50, -34, 32), (-28, -30, 8)),
        ),
        ((-118, 34, 22), (-66, 52, 20), (-8, 20, 6)),
    ),
    HandGesture.FLAT: (
        (
            ((-72, 27, 26), (-32, 33, 26), (8, 37, 12)),
            ((-70, 8, 28), (-24, 10, 30), (20, 11, 12)),
            ((-74, -11, 27), (-32, -15, 27), (8, -18, 12)),
            ((-80, -28, 24), (-48, -37, 22), (-16, -43, 12)),
        ),
        ((-118, 34, 18), (-80, 60, 16), (-48, 74, 12)),
    ),
    HandGesture.POINT: (
        (
            ((-72, 27, 34), (-35, 27, 36), (2, 24, 12)),
            ((-70, 8, 37), (-42, 8, 40), (-52, 8, 12)),
            ((-74, -11, 35), (-48, -12, 38), (-58, -12, 12)),
            ((-80, -28, 31), (-56, -30, 32), (-66, -28, 12)),
        ),
        ((-118, 34, 22), (-80, 46, 16), (-48, 26, 10)),
    ),
}


@cache
def _make_grid() -> Floats:
    """(x, y, z, 3) corners at which distances are computed."""
    ticks = [np.arange(low, high, _STEP_MM) for low, high in zip(_LOW, _HIGH, strict=True)]
    return np.stack(np.meshgrid(*ticks, indexing="ij"), axis=-1).astype(np.float32)


def _capsule_distance(at: Floats, ends: tuple[Vector, Vector], radii: tuple[float, float]) -> Floats:
    """Distance to a capsule with a radius at each end."""
    start, along = np.array(ends[0], np.float32), np.subtract(ends[1], ends[0]).astype(np.float32)
    share = np.clip((at - start) @ along / float(along @ along), 0, 1)
    away = at - start - share[..., None] * along
    distance: Floats = np.sqrt(np.einsum("...k,...k", away, away)) - (radii[0] + (radii[1] - radii[0]) * share)
    return distance


def _blend_distances(first: Floats, second: Floats, width_mm: float) -> Floats:
    """The smaller of two distances, with a fillet where they are similar."""
    share = np.clip(0.5 + 0.5 * (second - first) / width_mm, 0, 1)
    return second * (1 - share) + first * share - width_mm * share * (1 - share)


def build_hand_mesh(rng: np.random.Generator, pose: HandGesture) -> tuple[Mesh, Mesh]:
    """(skin, sleeve)."""
    return _build_skin(rng, *_POSES[pose]), _build_sleeve(rng)


def _build_skin(rng: np.random.Generator, fingers: Sequence[Digit], thumb: Digit) -> Mesh:
    at = _make_grid()
    distance = _palm_and_arm_distance(at)
    for digit, radii in zip(fingers, _FINGER_RADII, strict=True):
        distance = _blend_distances(distance, _finger_distance(rng, at, digit, radii), 5)
    lower, upper = (
        _capsule_distance(at, ends, radii) for ends, radii in zip(pairwise(thumb), pairwise(_THUMB_RADII), strict=True)
    )
    distance = _blend_distances(distance, _blend_distances(lower, upper, 5), 12)
    corners, faces, normals, _ = marching_cubes(distance, 0.0, spacing=(_STEP_MM,) * 3)
    corners = corners + _LOW
    texture = corners[:, :2] / 160.0 + corners[:, 2:] / 400.0
    return Mesh(corners, normals, texture, faces).face_towards(normals[faces[0, 0]])


def _palm_and_arm_distance(at: Floats) -> Floats:
    palm = _capsule_distance(at, ((-78, 20, 32), (-125, 14, 38)), (14, 17))
    for ends in (((-76.0, 2.0, 34.0), (-125.0, 0.0, 40.0)), ((-80.0, -18.0, 30.0), (-125.0, -12.0, 37.0))):
        palm = _blend_distances(palm, _capsule_distance(at, ends, (14, 17)), 14)
    wrist = _capsule_distance(at * np.array([1, 0.86, 1.12], np.float32), ((-125, 0, 44), (-165, 0, 54)), (22, 23))
    arm = _capsule_distance(at * np.array([1, 0.92, 1.0], np.float32), ((-165, 0, 50), (-330, 0, 78)), (24, 38))
    return _blend_distances(palm, _blend_distances(wrist, arm, 20), 22)


def _finger_distance(rng: np.random.Generator, at: Floats, digit: Digit, radii: tuple[float, float, float]) -> Floats:
    """Two joints; knuckle and tip vary from hand to hand."""
    base = digit[0]
    knuckle, tip = (
        (x + dx, y + dy, z + dz)
        for (x, y, z), (dx, dy, dz) in zip(digit[1:], (rng.normal(0, 2.0, 3), rng.normal(0, 1.2, 3)), strict=True)
    )
    joint = ((knuckle[0] + tip[0]) / 2 + 4, (knuckle[1] + tip[1]) / 2, (knuckle[2] + tip[2]) / 2 + 5)
    middle = (radii[1] + radii[2]) / 2
    upper = _capsule_distance(at, (base, knuckle), (radii[0], radii[1]))
    lower = _capsule_distance(at, (knuckle, joint), (radii[1], middle))
    end = _capsule_distance(at, (joint, tip), (middle, radii[2]))
    return _blend_distances(upper, _blend_distances(lower, end, 3), 3)


def _build_sleeve(rng: np.random.Generator) -> Mesh:
    """An open tube with folds, from the middle of the forearm to outside the picture."""
    cuff = rng.uniform(-320, -190)
    along, around = np.meshgrid(np.linspace(cuff, -900, 90), np.linspace(0, 2 * np.pi, 65), indexing="ij")
    height = np.where(along > -330, 50 + (-165 - along) * 0.17, 78 + (-330 - along) * 0.17)
    folds = 2.6 * np.sin(along / 11 + 1.5 * np.sin(around + along / 60)) + 1.6 * np.sin(along / 5.1 + 2 * around)
    radius = 44 + (cuff - along) * 0.02 + folds
    radius = np.where(along > cuff - 8, radius - (along - cuff + 8) * 0.3, radius)
    corners = np.stack([along, radius * np.cos(around), height + 0.9 * radius * np.sin(around)], axis=-1)
    normals = np.cross(np.gradient(corners, axis=1), np.gradient(corners, axis=0))
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True) + 1e-9
    outwards = np.stack([0 * along, np.cos(around), np.sin(around)], axis=-1)
    if np.mean(np.sum(normals * outwards, axis=-1)) < 0:
        normals = -normals
    texture = np.stack([along.ravel() / 200, around.ravel() * 45 / 200], axis=1)
    tube = Mesh(corners.reshape(-1, 3), normals.reshape(-1, 3), texture, grid_faces(*along.shape))
    return tube.face_towards(normals[0, 0])
