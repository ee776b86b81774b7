"""Bodies of dice and distractors as signed distance fields, and ray casting against them.

A body lies in its own frame: millimetres, origin in its middle, +z towards its upper face. Points are (3, n), float32.
"""

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Vector = NDArray[np.float64]  # (3,)

STEPS = 9  # steps of sphere tracing; on flat faces the first one suffices
HIT_MM = 0.04
SOFT_MM = 0.5  # rounding of the crease between cube and ball


class Form(Enum):
    """What is cut out of the body's cube."""

    BOX = "box"
    DISC = "disc"
    BALL = "ball"


@dataclass(frozen=True, slots=True)
class Shape:
    """A cube with rounded edges; with `ball_mm` > 0 a ball of that radius cuts its corners, as on cheap dice."""

    size_mm: float
    edge_mm: float
    ball_mm: float = 0.0
    form: Form = Form.BOX
    thick_mm: float = 0.0  # of a disc

    @property
    def half_mm(self) -> float:
        return self.size_mm / 2

    @property
    def half_height_mm(self) -> float:
        return self.thick_mm / 2 if self.form is Form.DISC else self.half_mm

    @property
    def flat_mm(self) -> float:
        """Half the width of the flat part of a face."""
        flat = self.half_mm - self.edge_mm
        if self.ball_mm:
            flat = min(flat, np.sqrt(max(self.ball_mm**2 - self.half_mm**2, 0.0)) * 0.71)
        return float(flat)


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """`places` and `normals` (3, n) hold the rays that hit, in the body's frame."""

    is_hit: NDArray[np.bool_]  # (rays,)
    places: Array
    normals: Array


def distance(shape: Shape, points: Array) -> Array:
    """(n,) signed distance in mm, negative inside; never larger than the true distance."""
    if shape.form is Form.BALL:
        return np.asarray(np.sqrt(np.einsum("ij,ij->j", points, points)) - np.float32(shape.half_mm))
    edge = np.float32(shape.edge_mm)
    if shape.form is Form.DISC:
        flat = np.hypot(points[0], points[1])
        over = np.stack([flat - np.float32(shape.half_mm), np.abs(points[2]) - np.float32(shape.thick_mm / 2)]) + edge
    else:
        over = np.abs(points)
        over -= np.float32(shape.half_mm - shape.edge_mm)
    inside = np.minimum(_max_of_rows(over), 0)
    np.maximum(over, 0, out=over)
    found: Array = np.sqrt(np.einsum("ij,ij->j", over, over)) + inside - edge
    if shape.ball_mm:
        ball = np.sqrt(np.einsum("ij,ij->j", points, points)) - np.float32(shape.ball_mm)
        blend = np.maximum(np.float32(SOFT_MM) - np.abs(found - ball), 0)
        found = np.maximum(found, ball) + blend * blend * np.float32(0.25 / SOFT_MM)
    return found


def _max_of_rows(rows: Array) -> Array:
    """(n,) maximum of a few rows; several times as fast as `max(axis=0)`."""
    most = np.maximum(rows[0], rows[1])
    return most if len(rows) == 2 else np.asarray(np.maximum(most, rows[2], out=most), np.float32)


def normals(shape: Shape, points: Array) -> Array:
    """(3, n) outward unit vectors, by four distances around each point."""
    step = np.float32(0.03)
    total = np.zeros_like(points)
    for corner in ((1, -1, -1), (-1, -1, 1), (-1, 1, -1), (1, 1, 1)):
        way = np.array(corner, np.float32)[:, None]
        total += way * distance(shape, points + step * way)
    total /= np.sqrt(np.einsum("ij,ij->j", total, total)) + np.float32(1e-9)
    return total


def trace(shape: Shape, origin: Vector, ways: Array) -> Hits:
    """Casts rays from one place along unit vectors `ways` (3, n)."""
    near, is_near = _enter_cube(shape, origin, ways)
    start = origin.astype(np.float32)[:, None] + near * ways[:, is_near]
    going = ways[:, is_near]
    left = np.zeros(start.shape[1], np.float32)
    for _ in range(STEPS):
        left = distance(shape, start)
        start += left * going
    is_met = left < HIT_MM
    is_hit = is_near.copy()
    is_hit[is_near] = is_met
    places = np.ascontiguousarray(start[:, is_met])
    return Hits(is_hit, places, normals(shape, places))


def _enter_cube(shape: Shape, origin: Vector, ways: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Length to the cube around the body for the rays that meet it, and the indices of these rays."""
    low = np.full(ways.shape[1], -np.inf, np.float32)
    high = np.full(ways.shape[1], np.inf, np.float32)
    for axis in range(3):
        half = shape.half_height_mm if axis == 2 else shape.half_mm
        with np.errstate(divide="ignore"):
            one_by = np.float32(1) / ways[axis]
        a = np.float32(-half - origin[axis]) * one_by
        b = np.float32(half - origin[axis]) * one_by
        np.maximum(low, np.minimum(a, b), out=low)
        np.minimum(high, np.maximum(a, b), out=high)
    is_near = low < high
    return low[is_near], is_near


def reach_mm(shape: Shape, way: Vector) -> float:
    """Largest extent of the body from its middle along the unit vector `way`, in its own frame."""
    if shape.form is Form.BALL:
        return shape.half_mm
    if shape.form is Form.DISC:
        edge = shape.edge_mm
        across = float(np.hypot(way[0], way[1]))
        return (shape.half_mm - edge) * across + (shape.thick_mm / 2 - edge) * abs(float(way[2])) + edge
    box = (shape.half_mm - shape.edge_mm) * float(np.abs(way).sum()) + shape.edge_mm
    if not shape.ball_mm or np.sqrt(3) * shape.half_mm <= shape.ball_mm:
        return box
    # Farthest point of cube and ball: the direction itself, clipped at the faces, as long as the ball allows.
    low, high = shape.half_mm, 60 * shape.half_mm
    for _ in range(40):
        middle = (low + high) / 2
        place = np.clip(middle * way, -shape.half_mm, shape.half_mm)
        low, high = (middle, high) if np.linalg.norm(place) < shape.ball_mm else (low, middle)
    place = np.clip(low * way, -shape.half_mm, shape.half_mm)
    return min(box, float(place @ way))
