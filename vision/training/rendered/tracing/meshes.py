"""Triangle meshes (boxes with rounded edges, surfaces of revolution, flat pieces) and their PLY files."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from vision.training.rendered.tracing.arrays import Floats, Indices


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """Corners (n, 3), normals (n, 3) and texture coordinates (n, 2); faces (m, 3) anticlockwise from outside."""

    corners: Floats
    normals: Floats
    texture: Floats
    faces: Indices

    def move(
        self, rotation: ArrayLike | None = None, shift: ArrayLike = (0, 0, 0), texture_shift: ArrayLike = (0, 0)
    ) -> "Mesh":
        turn = np.eye(3) if rotation is None else np.asarray(rotation, float)
        return Mesh(
            self.corners @ turn.T + np.asarray(shift, float),
            self.normals @ turn.T,
            self.texture + np.asarray(texture_shift, float),
            self.faces,
        )

    def scale_texture(self, factors: ArrayLike) -> "Mesh":
        return Mesh(self.corners, self.normals, self.texture * np.asarray(factors, float), self.faces)

    def with_image_rows(self) -> "Mesh":
        """Flips texture coordinates for pictures whose first row is at the far edge."""
        return Mesh(self.corners, self.normals, self.texture * (1, -1) + (0, 1), self.faces)

    def face_towards(self, direction: ArrayLike) -> "Mesh":
        """Flips all faces if the first faces away from `direction`."""
        a, b, c = self.corners[self.faces[0]]
        is_away = float(np.cross(b - a, c - a) @ np.asarray(direction, float)) < 0
        return Mesh(self.corners, self.normals, self.texture, self.faces[:, ::-1]) if is_away else self

    def write_ply(self, path: Path) -> None:
        fields = ("x", "y", "z", "nx", "ny", "nz", "u", "v")
        vertices = np.column_stack([self.corners, self.normals, self.texture]).astype("<f4")
        faces = np.zeros(len(self.faces), dtype=[("count", "u1"), ("corners", "<i4", 3)])
        faces["count"], faces["corners"] = 3, self.faces
        header = [
            "ply\nformat binary_little_endian 1.0",
            f"element vertex {len(vertices)}",
            *(f"property float {name}" for name in fields),
            f"element face {len(faces)}",
            "property list uchar int vertex_indices\nend_header\n",
        ]
        path.write_bytes("\n".join(header).encode() + vertices.tobytes() + faces.tobytes())


def merge_meshes(parts: Sequence[Mesh]) -> Mesh:
    offsets = np.cumsum([0, *(len(part.corners) for part in parts[:-1])])
    return Mesh(
        np.concatenate([part.corners for part in parts]),
        np.concatenate([part.normals for part in parts]),
        np.concatenate([part.texture for part in parts]),
        np.concatenate([part.faces + offset for part, offset in zip(parts, offsets, strict=True)]),
    )


def grid_faces(rows: int, columns: int) -> Indices:
    """(m, 3) faces that join a grid of rows * columns corners, row by row."""
    index = np.arange(rows * columns).reshape(rows, columns)
    a, b = index[:-1, :-1].ravel(), index[:-1, 1:].ravel()
    c, d = index[1:, 1:].ravel(), index[1:, :-1].ravel()
    return np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])


def fan_faces(corners: int) -> Indices:
    """(m, 3) faces that join corner 0 with a closed ring of `corners` after it."""
    step = np.arange(corners)
    return np.stack([np.zeros(corners, int), step + 1, (step + 1) % corners + 1], axis=1)


def rounded_box(
    edges_mm: ArrayLike, radius_mm: float, *, steps: int = 3, texture_mm: float = 300.0, centre: ArrayLike = (0, 0, 0)
) -> Mesh:
    """Texture coordinates lie flat on each side, the longest edge along u."""
    edges = np.asarray(edges_mm, float)
    radius = min(radius_mm, edges.min() / 2 * 0.999)
    inner = edges / 2 - radius
    bend = radius * np.tan(np.linspace(np.pi / 4, 0, steps + 1))
    grain = int(np.argmax(edges))
    sides = []
    for axis in range(3):
        first, second = ((1, 2), (2, 0), (0, 1))[axis]
        ticks = [np.concatenate([-(inner[k] + bend), (inner[k] + bend)[::-1]]) for k in (first, second)]
        grid = np.meshgrid(*ticks, indexing="ij")
        for sign in (-1, 1):
            outer = np.zeros((*grid[0].shape, 3))
            outer[..., first], outer[..., second], outer[..., axis] = grid[0], grid[1], sign * (inner[axis] + radius)
            core = np.clip(outer, -inner, inner)
            normals = (outer - core) / np.linalg.norm(outer - core, axis=-1, keepdims=True)
            corners = (core + radius * normals).reshape(-1, 3)
            faces = grid_faces(*grid[0].shape)[:, ::-1]
            u, v = (k for k in range(3) if k != axis)
            u, v = (v, u) if grain == v else (u, v)
            texture = corners[:, [u, v]] / texture_mm + 0.37 * axis
            sides.append(Mesh(corners, normals.reshape(-1, 3), texture, faces if sign > 0 else faces[:, ::-1]))
    return merge_meshes(sides).move(shift=centre)


def revolve(profile: Sequence[tuple[float, float]], *, segments: int = 64, texture_mm: float = 60.0) -> Mesh:
    """A surface of revolution of (radius, height), from the bottom centre outwards, up and to the top centre.

    A repeated point makes a sharp edge.
    """
    points = np.array(profile, float)
    normals = _profile_normals(points)
    angles = np.linspace(0, 2 * np.pi, segments + 1)
    cos, sin = np.cos(angles), np.sin(angles)

    corners, around = (
        np.stack([rz[:, :1] * cos, rz[:, :1] * sin, np.repeat(rz[:, 1:], segments + 1, axis=1)], axis=-1)
        for rz in (points, normals)
    )
    texture = np.stack([corners[..., 0], corners[..., 1] + 0.8 * corners[..., 2]], axis=-1) / texture_mm
    faces = grid_faces(len(points), segments + 1)
    return Mesh(corners.reshape(-1, 3), around.reshape(-1, 3), texture.reshape(-1, 2), faces)


def _profile_normals(points: Floats) -> Floats:
    """(n, 2): at each point the mean normal of its two adjacent segments of non-zero length."""
    along = np.diff(points, axis=0)
    length = np.linalg.norm(along, axis=1, keepdims=True)
    unit = np.where(length > 1e-9, np.column_stack([along[:, 1], -along[:, 0]]) / np.maximum(length, 1e-9), 0)
    total = np.zeros_like(points)
    total[:-1] += unit
    total[1:] += unit
    return np.asarray(total / (np.linalg.norm(total, axis=1, keepdims=True) + 1e-12))


def rectangle(centre: ArrayLike, half_x: ArrayLike, half_y: ArrayLike, normal: ArrayLike = (0, 0, 1)) -> Mesh:
    """From its half edges; u runs 0..1 along the first, v along the second."""
    middle, x, y = (np.asarray(values, float) for values in (centre, half_x, half_y))
    corners = np.array([middle - x - y, middle + x - y, middle + x + y, middle - x + y])
    texture = np.array([(0, 0), (1, 0), (1, 1), (0, 1.0)])
    normals = np.tile(np.asarray(normal, float), (4, 1))
    return Mesh(corners, normals, texture, np.array([(0, 1, 2), (0, 2, 3)])).face_towards(normal)


def disc(centre: ArrayLike, x: ArrayLike, y: ArrayLike, normal: ArrayLike = (0, 0, 1), *, segments: int = 20) -> Mesh:
    """From two radii at right angles, facing `normal`."""
    angles = np.linspace(0, 2 * np.pi, segments, endpoint=False)[:, None]
    middle = np.asarray(centre, float)
    ring = middle + np.cos(angles) * np.asarray(x, float) + np.sin(angles) * np.asarray(y, float)
    corners = np.vstack([middle, ring])
    normals = np.tile(np.asarray(normal, float), (segments + 1, 1))
    return Mesh(corners, normals, corners[:, :2] / 50, fan_faces(segments)).face_towards(normal)


def flat_disc(centre: ArrayLike, radius_mm: float, *, segments: int = 20) -> Mesh:
    return disc(centre, (radius_mm, 0, 0), (0, radius_mm, 0), segments=segments)
