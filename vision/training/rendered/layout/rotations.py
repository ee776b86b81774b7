"""Rotation matrices, (3, 3)."""

import numpy as np
from numpy.typing import ArrayLike

from vision.training.rendered.tracing.arrays import Floats


def about_z(angle_rad: float) -> Floats:
    cos, sin = np.cos(angle_rad), np.sin(angle_rad)
    return np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]])


def about(axis: ArrayLike, angle_rad: float) -> Floats:
    """Rotation about any axis of any length, by the right-hand rule."""
    x, y, z = np.asarray(axis, float) / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle_rad) * cross + (1 - np.cos(angle_rad)) * cross @ cross)


def from_upright(axis: ArrayLike) -> Floats:
    """The shortest rotation that takes the z axis to `axis`."""
    x, y, z = np.asarray(axis, float) / np.linalg.norm(axis)
    if z > 0.99999:
        return np.eye(3)
    return about((-y, x, 0.0) if abs(z) < 0.99999 else (1.0, 0.0, 0.0), float(np.arccos(np.clip(z, -1, 1))))


def quaternion(rotation: Floats) -> Floats:
    """(4,) of (3, 3), real part first."""
    (a, b, c), (d, e, f), (g, h, i) = rotation.tolist()
    products = np.array(
        [
            [1 + a + e + i, h - f, c - g, d - b],
            [h - f, 1 + a - e - i, d + b, c + g],
            [c - g, d + b, 1 - a + e - i, h + f],
            [d - b, c + g, h + f, 1 - a - e + i],
        ]
    )
    longest = products[int(np.argmax(np.diag(products)))]
    return np.asarray(longest / np.linalg.norm(longest))
