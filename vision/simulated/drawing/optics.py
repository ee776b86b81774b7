"""Projection of table points into the picture.

A scene is painted on a canvas without lens distortion that is slightly larger than the picture; the lens then warps the
canvas into the picture. So straight edges are painted straight, and every plane by one homography.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.simulated.scene import Camera

Floats = NDArray[np.float64]
Matrix = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]


def to_rows(matrix: NDArray[Any]) -> Matrix:
    """A (3, 3) array as plain tuples."""
    first, second, third = ((float(row[0]), float(row[1]), float(row[2])) for row in matrix)
    return first, second, third


def axis_rotations(x_rad: float, y_rad: float, z_rad: float) -> tuple[Floats, Floats, Floats]:
    """(3, 3) rotations about the x, the y and the z axis."""
    x, y, z = x_rad, y_rad, z_rad
    about_x = np.array([[1, 0, 0], [0, np.cos(x), -np.sin(x)], [0, np.sin(x), np.cos(x)]])
    about_y = np.array([[np.cos(y), 0, np.sin(y)], [0, 1, 0], [-np.sin(y), 0, np.cos(y)]])
    return about_x, about_y, np.array([[np.cos(z), -np.sin(z), 0], [np.sin(z), np.cos(z), 0], [0, 0, 1]])


def camera_matrix(camera: Camera) -> Floats:
    x, y = camera.centre_px
    return np.array([[camera.focal_px, 0, x], [0, camera.focal_px, y], [0, 0, 1]], np.float64)


def distort(camera: Camera, undistorted_px: NDArray[Any]) -> Floats:
    """Undistorted to distorted pixels, (..., 2) to (..., 2)."""
    centre = np.array(camera.centre_px)
    ray = (np.asarray(undistorted_px, np.float64) - centre) / camera.focal_px
    square = (ray**2).sum(-1, keepdims=True)
    bent: Floats = ray * (1 + camera.k1 * square + camera.k2 * square**2) * camera.focal_px + centre
    return bent


def undistort(camera: Camera, distorted_px: NDArray[Any]) -> Floats:
    """Distorted to undistorted pixels, (..., 2) to (..., 2). Converges for every lens whose picture does not fold over."""
    centre = np.array(camera.centre_px)
    bent = (np.asarray(distorted_px, np.float64) - centre) / camera.focal_px
    ray = bent.copy()
    for _ in range(25):
        square = (ray**2).sum(-1, keepdims=True)
        ray = bent / (1 + camera.k1 * square + camera.k2 * square**2)
    straight: Floats = ray * camera.focal_px + centre
    return straight


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A pinhole camera: `matrix` maps (x, y, -height, 1) to homogeneous pixels."""

    matrix: Floats
    position_mm: tuple[float, float, float]
    size_px: tuple[int, int]

    def project(self, points_mm: NDArray[Any]) -> Floats:
        """(n, 3) of x, y, height to (n, 2) pixels."""
        points = np.asarray(points_mm, np.float64)
        flipped = points * np.array([1.0, 1.0, -1.0])
        mapped = flipped @ self.matrix[:, :3].T + self.matrix[:, 3]
        pixels: Floats = mapped[:, :2] / np.maximum(mapped[:, 2:], 1e-6)
        return pixels

    def homography(self, height_mm: float) -> Floats:
        """Board mm on the plane at that height to pixels."""
        moved: Floats = self.matrix[:, 3] - height_mm * self.matrix[:, 2]
        return np.column_stack([self.matrix[:, 0], self.matrix[:, 1], moved])

    def px_per_mm(self, x_mm: float, y_mm: float, height_mm: float = 0.0) -> float:
        three = np.array([[x_mm, y_mm, height_mm], [x_mm + 1, y_mm, height_mm], [x_mm, y_mm + 1, height_mm]])
        pixels = self.project(three)
        a, b = pixels[1] - pixels[0], pixels[2] - pixels[0]
        return float(np.sqrt(abs(a[0] * b[1] - a[1] * b[0])))

    def scale(self, factor: float) -> "View":
        """The same view with `factor` times as many pixels along each side."""
        shift = (factor - 1) / 2
        change = np.array([[factor, 0, shift], [0, factor, shift], [0, 0, 1]])
        width, height = self.size_px
        size = (int(np.ceil(width * factor)), int(np.ceil(height * factor)))
        return View(change @ self.matrix, self.position_mm, size)


def pinhole_view(camera: Camera) -> View:
    """The view of the picture itself, without lens distortion."""
    rotation = np.array(camera.rotation, np.float64)
    translation = np.array(camera.translation_mm, np.float64)
    x, y, depth = -rotation.T @ translation
    matrix = camera_matrix(camera) @ np.column_stack([rotation, translation])
    return View(matrix, (float(x), float(y), float(-depth)), camera.size_px)


def canvas_origin(camera: Camera) -> tuple[int, int, int, int]:
    """x, y, width, height in undistorted pixels of the visible area, with a border of three pixels."""
    width, height = camera.size_px
    along = np.linspace(0, 1, 9)
    edge = np.concatenate([np.column_stack([along, along * 0 + side]) for side in (0, 1)])
    border = np.concatenate([edge, edge[:, ::-1]]) * np.array([width - 1, height - 1])
    shown = undistort(camera, border)
    low = np.floor(shown.min(0)).astype(int) - 3
    high = np.ceil(shown.max(0)).astype(int) + 4
    return int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1])


def canvas_view(camera: Camera) -> View:
    left, top, width, height = canvas_origin(camera)
    view = pinhole_view(camera)
    shift = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]], np.float64)
    return View(shift @ view.matrix, view.position_mm, (width, height))
