"""Where things on the board lie in the picture, and the other way round.

Board frame: millimetres on the playing surface, origin in the upper left corner of the playing field as it becomes
when the bar is upright, x right, y down; heights go up from the surface, towards the camera. Picture frame: pixels, x
right, y down, (0, 0) in the middle of the upper left one.

A `Projection` keeps the plane's homography as it was measured and the camera's place beside it, instead of one pose:
the homography is good to a fraction of a pixel whatever the focal length, which a nearly level view hardly tells. What
stands above the plane is first slid along its line of sight down to the plane, and there a focal length that is wrong
by a tenth moves it by a tenth of a few millimetres.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import Self

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Points = NDArray[np.float64]  # (n, 2)

POINTS_A_HALF = 6
# Horizontal field of view of the usual Pi and web cameras: 54 to 75 degrees. The ratio stands for 62.
USUAL_FOCAL_PER_WIDTH = 0.83
# Height of a playing field as a share of its width; boards lie between 0.7 and 0.95.
USUAL_HEIGHT_SHARE = 0.82
TINY_RAY, LEAST_K1 = 1e-12, 1e-15  # a slope; and a bend too small for float64 to tell from none
LARGEST_SQUARED = 4.0  # of a ray's slope; beyond it the bend stays, lest far points come back into the picture


@dataclass(frozen=True, slots=True)
class Lens:
    """A pinhole with one radial coefficient, OpenCV's k1 (`r * (1 + k1 r^2)` with r in focal lengths)."""

    focal_px: float
    centre_px: tuple[float, float]
    k1: float = 0.0

    @classmethod
    def usual(cls, width_px: int, height_px: int) -> Self:
        """What a camera nobody knows is taken for."""
        return cls(USUAL_FOCAL_PER_WIDTH * max(width_px, height_px), ((width_px - 1) / 2, (height_px - 1) / 2))

    @property
    def to_ray(self) -> NDArray[np.float64]:
        """(3, 3), the inverse of the camera's matrix: pixels of a lens without distortion -> slopes of rays."""
        (x_px, y_px), focal = self.centre_px, self.focal_px
        return np.array([[1 / focal, 0, -x_px / focal], [0, 1 / focal, -y_px / focal], [0, 0, 1]])

    def straighten(self, points_px: ArrayLike) -> Points:
        """(n, 2) pixels of the picture -> pixels as a lens without distortion had given them."""
        rays = (np.asarray(points_px, np.float64) - self.centre_px) / self.focal_px
        if abs(self.k1) < LEAST_K1:
            ratio = np.ones(len(rays))
        else:
            bent = np.maximum(np.hypot(rays[:, 0], rays[:, 1]), TINY_RAY)
            # As far as straight rays still bend further out; beyond, the ratio stays what it is there.
            farthest = sqrt(min(LARGEST_SQUARED, -1 / (3 * self.k1) if self.k1 < 0 else LARGEST_SQUARED))
            within = np.minimum(bent, farthest * (1 + self.k1 * farthest**2))
            ratio = self._straighten_slopes(within) / within
        straightened: Points = rays * (ratio * self.focal_px)[:, None] + self.centre_px
        return straightened

    def _straighten_slopes(self, bent: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n,) slopes r with r (1 + k1 r^2) = bent: the root of that cubic next to 0, by the sine of a third of an angle (Viète).

        Where rays bend outwards it is the hyperbolic one.
        """
        turns_at = sqrt(1 / (3 * abs(self.k1)))
        sine = bent * (1.5 / turns_at)
        third = np.sin(np.arcsin(np.minimum(sine, 1.0)) / 3) if self.k1 < 0 else np.sinh(np.arcsinh(sine) / 3)
        return np.asarray(2 * turns_at * third, np.float64)

    def bend(self, points_px: ArrayLike) -> Points:
        """(n, 2) pixels of a lens without distortion -> pixels of the picture. Far outside, the bend stops growing."""
        rays = (np.asarray(points_px, np.float64) - self.centre_px) / self.focal_px
        squared = np.minimum((rays**2).sum(axis=1), LARGEST_SQUARED)
        bent: Points = rays * (1 + self.k1 * squared)[:, None] * self.focal_px + self.centre_px
        return bent

    def scale(self, factor: float) -> "Lens":
        """The same lens in a picture `factor` times as wide."""
        x_px, y_px = ((value + 0.5) * factor - 0.5 for value in self.centre_px)
        return Lens(self.focal_px * factor, (x_px, y_px), self.k1)


@dataclass(frozen=True, slots=True)
class FieldShape:
    """The playing field: everything inside the rims with its points and bar, trays left out.

    The points fill each half evenly. Without a bar `bar_left_mm` and `bar_right_mm` are the same line.
    """

    width_mm: float
    height_mm: float
    bar_left_mm: float
    bar_right_mm: float

    @property
    def corners_mm(self) -> Points:
        """(4, 2), clockwise from the upper left."""
        width, height = self.width_mm, self.height_mm
        return np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)

    @property
    def pitch_mm(self) -> float:
        """From the middle of a point to the middle of its neighbour, the mean of both halves."""
        return (self.width_mm - (self.bar_right_mm - self.bar_left_mm)) / (2 * POINTS_A_HALF)

    def holds(self, x_mm: float, y_mm: float) -> bool:
        """Whether a place lies in the field, its lines among it."""
        return 0 <= x_mm <= self.width_mm and 0 <= y_mm <= self.height_mm

    def outside_distance_mm(self, x_mm: float, y_mm: float) -> float:
        """How far outside the field a place lies, along the axis on which it does further; negative inside."""
        return max(-x_mm, x_mm - self.width_mm, -y_mm, y_mm - self.height_mm)

    def point_middle_mm(self, column: int) -> float:
        """x of the middle of points T and B `column`, 1 to 12 from the left."""
        if column <= POINTS_A_HALF:
            return self.bar_left_mm * (column - 0.5) / POINTS_A_HALF
        right_mm = self.width_mm - self.bar_right_mm
        return self.bar_right_mm + right_mm * (column - POINTS_A_HALF - 0.5) / POINTS_A_HALF


def transform(matrix: ArrayLike, points: ArrayLike) -> Points:
    """(n, 2) points through a (3, 3) homography."""
    through = np.asarray(matrix, np.float64)
    at = np.asarray(points, np.float64) @ through[:, :2].T + through[:, 2]
    flat: Points = at[:, :2] / at[:, 2:]
    return flat


def distances(points: Points, others: Points) -> NDArray[np.float64]:
    """(n, m): how far each of (n, 2) is from each of (m, 2)."""
    return np.asarray(np.linalg.norm(points[:, None] - others[None], axis=2))


def compute_homography(from_points: ArrayLike, to_points: ArrayLike) -> NDArray[np.float64]:
    """(3, 3) that takes four points, no three in a line, to four others. numpy.linalg.LinAlgError where three are."""
    rows, right = [], []
    for (x, y), (u, v) in zip(np.asarray(from_points, float), np.asarray(to_points, float), strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        right += [u, v]
    return np.append(np.linalg.solve(np.array(rows), np.array(right)), 1.0).reshape(3, 3)


def estimate_camera_pose(homography: ArrayLike, lens: Lens) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The rotation (3, 3) and the camera's place (3,) in board mm, the third its height over the surface.

    Zhang 2000, section 3.1: the columns of K^-1 H are two axes of the board and its origin, up to one factor; the
    nearest rotation is taken. Rows of the rotation are the camera's right, down and forward in board x, y, depth.
    """
    axes = lens.to_ray @ np.asarray(homography, np.float64)
    axes = axes * (np.sign(axes[2, 2]) * 2 / (np.linalg.norm(axes[:, 0]) + np.linalg.norm(axes[:, 1])))
    left, _, right = np.linalg.svd(np.column_stack([axes[:, 0], axes[:, 1], np.cross(axes[:, 0], axes[:, 1])]))
    rotation = left @ np.diag([1, 1, np.linalg.det(left @ right)]) @ right
    place = -rotation.T @ axes[:, 2]
    return rotation, np.array([place[0], place[1], -place[2]])


@dataclass(frozen=True, slots=True)
class Projection:
    """How the board lies before the camera."""

    lens: Lens
    homography: tuple[float, ...]  # nine, by rows: board mm on the surface -> pixels of a lens without distortion
    camera_mm: tuple[float, float, float]  # the camera's place: x, y, height over the surface

    @classmethod
    def of(cls, homography: ArrayLike, lens: Lens) -> Self:
        matrix = np.asarray(homography, np.float64).reshape(3, 3)
        x_mm, y_mm, height_mm = estimate_camera_pose(matrix, lens)[1].tolist()
        return cls(lens, tuple((matrix / matrix[2, 2]).ravel().tolist()), (x_mm, y_mm, height_mm))

    @classmethod
    def of_corners(cls, corners_px: ArrayLike, field: FieldShape, lens: Lens) -> Self:
        """From the four corners in the picture, clockwise from the one that becomes the upper left."""
        return cls.of(compute_homography(field.corners_mm, lens.straighten(corners_px)), lens)

    @property
    def matrix(self) -> NDArray[np.float64]:
        return np.array(self.homography).reshape(3, 3)

    def scale(self, factor: float) -> "Projection":
        """The same view in a picture `factor` times as wide."""
        shift = (factor - 1) / 2
        resize = np.array([(factor, 0, shift), (0, factor, shift), (0, 0, 1)])
        return Projection(self.lens.scale(factor), tuple((resize @ self.matrix).ravel().tolist()), self.camera_mm)

    def crop(self, left_px: float, top_px: float) -> "Projection":
        """The same view in a piece of the picture that begins there."""
        lens, (x_px, y_px) = self.lens, self.lens.centre_px
        moved = np.array([(1, 0, -left_px), (0, 1, -top_px), (0, 0, 1)]) @ self.matrix
        piece = Lens(lens.focal_px, (x_px - left_px, y_px - top_px), lens.k1)
        return Projection(piece, tuple(moved.ravel().tolist()), self.camera_mm)

    def to_picture(self, points_mm: ArrayLike, height_mm: float | NDArray[np.float64] = 0.0) -> Points:
        """(n, 2) board mm, at one height or a height each, -> (n, 2) pixels."""
        points = np.asarray(points_mm, np.float64)
        below = np.array(self.camera_mm[:2])
        share = np.asarray(self.camera_mm[2] / (self.camera_mm[2] - np.asarray(height_mm, np.float64)))
        return self.lens.bend(transform(self.matrix, below + (points - below) * share.reshape(-1, 1)))

    def grid_to_picture(
        self, x_mm: NDArray[np.float64], y_mm: NDArray[np.float64]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """x and y pixels, (rows, columns) each, of the surface's grid with these columns and rows. Made for speed."""
        columns, rows = x_mm.astype(np.float32), y_mm.astype(np.float32)
        u, v, w = (row[0] * columns + (row[1] * rows + row[2])[:, None] for row in self._rays())
        np.divide(u, w, out=u)
        np.divide(v, w, out=v)
        bend = u * u
        bend += v * v
        np.minimum(bend, LARGEST_SQUARED, out=bend)
        bend *= self.lens.k1 * self.lens.focal_px
        bend += self.lens.focal_px
        u *= bend
        v *= bend
        return u + np.float32(self.lens.centre_px[0]), v + np.float32(self.lens.centre_px[1])

    def _rays(self) -> NDArray[np.float32]:
        """(3, 3): board mm -> slopes of rays; float32 is good to a thousandth of a pixel in the largest pictures."""
        return np.asarray(self.lens.to_ray @ self.matrix, np.float32)

    def to_board(self, points_px: ArrayLike, height_mm: float | NDArray[np.float64] = 0.0) -> Points:
        """(n, 2) pixels that show something at these heights -> (n, 2) board mm."""
        return self.shift_to_base_mm(transform(_inverse(self.homography), self.lens.straighten(points_px)), height_mm)

    def shift_to_base_mm(self, shown_mm: Points, height_mm: float | NDArray[np.float64]) -> Points:
        """(n, 2) where things of these heights show on the surface -> (n, 2) where they stand, both in board mm."""
        below = np.array(self.camera_mm[:2])
        share = np.asarray(1 - np.asarray(height_mm, np.float64) / self.camera_mm[2])
        points_mm: Points = below + (shown_mm - below) * share.reshape(-1, 1)
        return points_mm


@lru_cache(maxsize=8)
def _inverse(homography: tuple[float, ...]) -> NDArray[np.float64]:
    """(3, 3). A board stays where it is while a picture is read, and most often for an evening."""
    inverse: NDArray[np.float64] = np.linalg.inv(np.array(homography).reshape(3, 3))
    inverse.flags.writeable = False
    return inverse


@dataclass(frozen=True, slots=True)
class KnownBoard:
    """How the board lies before the camera."""

    projection: Projection
    field: FieldShape

    @property
    def px_per_mm(self) -> float:
        """Of the whole field, a mean."""
        area_px = cv2.contourArea(self.projection.to_picture(self.field.corners_mm).astype(np.float32))
        return float(np.sqrt(max(abs(area_px), 1.0) / (self.field.width_mm * self.field.height_mm)))
