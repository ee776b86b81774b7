"""The projection between board and picture, in both directions.

Board frame: millimetres on the playing surface, origin in the upper left corner of the playing field with the bar
upright, x to the right, y down; heights point up from the surface towards the camera. Picture frame: pixels, x to the
right, y down, (0, 0) in the centre of the upper left pixel.

A `Projection` holds the measured homography of the surface and, separately, the camera's position, instead of one
pose. The homography is exact to a fraction of a pixel for any focal length, and a nearly level view hardly constrains
the focal length. A point above the surface first moves along its line of sight down to the surface; there a focal
length that is wrong by a tenth shifts the point by a tenth of a few millimetres.
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
# Common Pi and web cameras have a horizontal field of view of 54 to 75 degrees; this ratio corresponds to 62.
USUAL_FOCAL_PER_WIDTH = 0.83
# Height of a playing field as a share of its width; real boards lie between 0.7 and 0.95.
USUAL_HEIGHT_SHARE = 0.82
# Least width of a bar, in widths of a point. The bars of photographed boards measure 0.37 and more, of hinges only too;
# a field without one is off by up to 0.12, the error of corners that are good to 1 % of the width.
LEAST_BAR = 0.25
# A ray slope near zero, and the smallest distortion that float64 can distinguish from none.
TINY_RAY, LEAST_K1 = 1e-12, 1e-15
# Squared slope of a ray above which the distortion stays constant, so that far points do not fold back into the picture.
LARGEST_SQUARED = 4.0


@dataclass(frozen=True, slots=True)
class Lens:
    """A pinhole camera with one radial coefficient, OpenCV's k1: `r * (1 + k1 r^2)` with r in focal lengths."""

    focal_px: float
    centre_px: tuple[float, float]
    k1: float = 0.0

    @classmethod
    def usual(cls, width_px: int, height_px: int) -> Self:
        """The prior for an unknown camera."""
        return cls(USUAL_FOCAL_PER_WIDTH * max(width_px, height_px), ((width_px - 1) / 2, (height_px - 1) / 2))

    @property
    def to_ray(self) -> NDArray[np.float64]:
        """(3, 3), the inverse camera matrix: undistorted pixels -> ray slopes."""
        (x_px, y_px), focal = self.centre_px, self.focal_px
        return np.array([[1 / focal, 0, -x_px / focal], [0, 1 / focal, -y_px / focal], [0, 0, 1]])

    def straighten(self, points_px: ArrayLike) -> Points:
        """(n, 2) pixels of the picture -> (n, 2) undistorted pixels."""
        rays = (np.asarray(points_px, np.float64) - self.centre_px) / self.focal_px
        if abs(self.k1) < LEAST_K1:
            ratio = np.ones(len(rays))
        else:
            bent = np.maximum(np.hypot(rays[:, 0], rays[:, 1]), TINY_RAY)
            # Distortion is monotonic up to `farthest`; beyond it the ratio stays constant.
            farthest = sqrt(min(LARGEST_SQUARED, -1 / (3 * self.k1) if self.k1 < 0 else LARGEST_SQUARED))
            within = np.minimum(bent, farthest * (1 + self.k1 * farthest**2))
            ratio = self._straighten_slopes(within) / within
        return rays * (ratio * self.focal_px)[:, None] + self.centre_px

    def _straighten_slopes(self, bent: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n,) slopes r with r (1 + k1 r^2) = bent.

        Viète's trigonometric solution gives the root of the cubic next to 0; positive k1 needs the hyperbolic form.
        """
        turns_at = sqrt(1 / (3 * abs(self.k1)))
        sine = bent * (1.5 / turns_at)
        third = np.sin(np.arcsin(np.minimum(sine, 1.0)) / 3) if self.k1 < 0 else np.sinh(np.arcsinh(sine) / 3)
        return np.asarray(2 * turns_at * third, np.float64)

    def bend(self, points_px: ArrayLike) -> Points:
        """(n, 2) undistorted pixels -> (n, 2) pixels of the picture."""
        rays = (np.asarray(points_px, np.float64) - self.centre_px) / self.focal_px
        squared = np.minimum((rays**2).sum(axis=1), LARGEST_SQUARED)
        return np.asarray(rays * (1 + self.k1 * squared)[:, None] * self.focal_px + self.centre_px)

    def scale(self, factor: float) -> "Lens":
        """The lens for a picture that is `factor` times as wide."""
        x_px, y_px = ((value + 0.5) * factor - 0.5 for value in self.centre_px)
        return Lens(self.focal_px * factor, (x_px, y_px), self.k1)


@dataclass(frozen=True, slots=True)
class FieldShape:
    """The playing field: the surface inside the rims with points and bar, without trays.

    The points divide each half evenly. Without a bar, `bar_left_mm` and `bar_right_mm` are equal, or nearly so; the right
    one is never the smaller.
    """

    width_mm: float
    height_mm: float
    bar_left_mm: float
    bar_right_mm: float

    @classmethod
    def of_measured(cls, width_mm: float, height_mm: float, bar_left_mm: float, bar_right_mm: float) -> "FieldShape":
        """The field whose bar was measured: where its sides have changed places there is none, and both are their middle."""
        if bar_right_mm < bar_left_mm:
            bar_left_mm = bar_right_mm = (bar_left_mm + bar_right_mm) / 2
        return cls(width_mm, height_mm, bar_left_mm, bar_right_mm)

    @property
    def corners_mm(self) -> Points:
        """(4, 2) board mm, clockwise from the upper left."""
        width, height = self.width_mm, self.height_mm
        return np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)

    @property
    def pitch_mm(self) -> float:
        """Distance between the centres of two neighbouring points, as the mean of both halves."""
        return (self.width_mm - (self.bar_right_mm - self.bar_left_mm)) / (2 * POINTS_A_HALF)

    @property
    def has_bar(self) -> bool:
        """Whether there is a bar between the halves, on which checkers, dice and the cube can lie."""
        return self.bar_right_mm - self.bar_left_mm >= LEAST_BAR * self.pitch_mm

    def holds(self, x_mm: float, y_mm: float) -> bool:
        """Whether a point of the board frame lies in the field or on its border."""
        return 0 <= x_mm <= self.width_mm and 0 <= y_mm <= self.height_mm

    def outside_distance_mm(self, x_mm: float, y_mm: float) -> float:
        """Distance from the field along the axis on which it is larger; negative inside the field."""
        return max(-x_mm, x_mm - self.width_mm, -y_mm, y_mm - self.height_mm)

    def point_middle_mm(self, column: int) -> float:
        """x in board mm of the centre of the points T and B of a column, 1 to 12 from the left."""
        if column <= POINTS_A_HALF:
            return self.bar_left_mm * (column - 0.5) / POINTS_A_HALF
        right_mm = self.width_mm - self.bar_right_mm
        return self.bar_right_mm + right_mm * (column - POINTS_A_HALF - 0.5) / POINTS_A_HALF


def transform(matrix: ArrayLike, points: ArrayLike) -> Points:
    """Applies a (3, 3) homography to (n, 2) points."""
    through = np.asarray(matrix, np.float64)
    at = np.asarray(points, np.float64) @ through[:, :2].T + through[:, 2]
    return at[:, :2] / at[:, 2:]


def distances(points: Points, others: Points) -> NDArray[np.float64]:
    """(n, m) distances between (n, 2) and (m, 2) points."""
    return np.asarray(np.linalg.norm(points[:, None] - others[None], axis=2))


def compute_homography(from_points: ArrayLike, to_points: ArrayLike) -> NDArray[np.float64]:
    """(3, 3) homography that maps four points to four others.

    Raises numpy.linalg.LinAlgError when three of the points are collinear.
    """
    rows, right = [], []
    for (x, y), (u, v) in zip(np.asarray(from_points, float), np.asarray(to_points, float), strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        right += [u, v]
    return np.append(np.linalg.solve(np.array(rows), np.array(right)), 1.0).reshape(3, 3)


def estimate_camera_pose(homography: ArrayLike, lens: Lens) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Rotation (3, 3) and camera position (3,): x, y and height over the surface, in board mm.

    The columns of K^-1 H are two axes of the board and its origin, up to one factor, and the result uses the nearest
    rotation (Zhang, "A flexible new technique for camera calibration", 2000, section 3.1). The rows of the rotation are
    the camera's right, down and forward directions in board x, y and depth.
    """
    axes = lens.to_ray @ np.asarray(homography, np.float64)
    axes = axes * (np.sign(axes[2, 2]) * 2 / (np.linalg.norm(axes[:, 0]) + np.linalg.norm(axes[:, 1])))
    left, _, right = np.linalg.svd(np.column_stack([axes[:, 0], axes[:, 1], np.cross(axes[:, 0], axes[:, 1])]))
    rotation = left @ np.diag([1, 1, np.linalg.det(left @ right)]) @ right
    place = -rotation.T @ axes[:, 2]
    return rotation, np.array([place[0], place[1], -place[2]])


@dataclass(frozen=True, slots=True)
class Projection:
    """The mapping between board mm and pixels."""

    lens: Lens
    homography: tuple[float, ...]  # nine numbers by rows: board mm on the surface -> undistorted pixels
    camera_mm: tuple[float, float, float]  # camera position: x, y, height over the surface

    @classmethod
    def of(cls, homography: ArrayLike, lens: Lens) -> Self:
        matrix = np.asarray(homography, np.float64).reshape(3, 3)
        x_mm, y_mm, height_mm = estimate_camera_pose(matrix, lens)[1].tolist()
        return cls(lens, tuple((matrix / matrix[2, 2]).ravel().tolist()), (x_mm, y_mm, height_mm))

    @classmethod
    def of_corners(cls, corners_px: ArrayLike, field: FieldShape, lens: Lens) -> Self:
        """`corners_px` (4, 2): the corners of the field in the picture, clockwise from the upper left corner."""
        return cls.of(compute_homography(field.corners_mm, lens.straighten(corners_px)), lens)

    @property
    def matrix(self) -> NDArray[np.float64]:
        return np.array(self.homography).reshape(3, 3)

    def scale(self, factor: float) -> "Projection":
        """The projection of the same view for a picture that is `factor` times as wide."""
        shift = (factor - 1) / 2
        resize = np.array([(factor, 0, shift), (0, factor, shift), (0, 0, 1)])
        return Projection(self.lens.scale(factor), tuple((resize @ self.matrix).ravel().tolist()), self.camera_mm)

    def crop(self, left_px: float, top_px: float) -> "Projection":
        """The projection for a crop of the picture with this upper left pixel."""
        lens, (x_px, y_px) = self.lens, self.lens.centre_px
        moved = np.array([(1, 0, -left_px), (0, 1, -top_px), (0, 0, 1)]) @ self.matrix
        piece = Lens(lens.focal_px, (x_px - left_px, y_px - top_px), lens.k1)
        return Projection(piece, tuple(moved.ravel().tolist()), self.camera_mm)

    def to_picture(self, points_mm: ArrayLike, height_mm: float | NDArray[np.float64] = 0.0) -> Points:
        """(n, 2) board mm, at one common height or at (n,) heights -> (n, 2) pixels."""
        points = np.asarray(points_mm, np.float64)
        below = np.array(self.camera_mm[:2])
        share = np.asarray(self.camera_mm[2] / (self.camera_mm[2] - np.asarray(height_mm, np.float64)))
        return self.lens.bend(transform(self.matrix, below + (points - below) * share.reshape(-1, 1)))

    def grid_to_picture(
        self, x_mm: NDArray[np.float64], y_mm: NDArray[np.float64]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """x and y pixels, each (rows, columns), of a grid on the surface.

        A float32 version of `to_picture` for whole views; it works in place for speed.
        """
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
        """(3, 3): board mm -> ray slopes. float32 is exact to a thousandth of a pixel in the largest pictures."""
        return np.asarray(self.lens.to_ray @ self.matrix, np.float32)

    def to_board(self, points_px: ArrayLike, height_mm: float | NDArray[np.float64] = 0.0) -> Points:
        """(n, 2) pixels of points at these heights -> (n, 2) board mm."""
        return self.shift_to_base_mm(transform(_inverse(self.homography), self.lens.straighten(points_px)), height_mm)

    def shift_to_base_mm(self, shown_mm: Points, height_mm: float | NDArray[np.float64]) -> Points:
        """(n, 2) intersections of lines of sight with the surface -> (n, 2) points at these heights, in board mm."""
        below = np.array(self.camera_mm[:2])
        share = np.asarray(1 - np.asarray(height_mm, np.float64) / self.camera_mm[2])
        return np.asarray(below + (shown_mm - below) * share.reshape(-1, 1))


@lru_cache(maxsize=8)
def _inverse(homography: tuple[float, ...]) -> NDArray[np.float64]:
    """The inverse homography (3, 3), cached because a board rarely moves."""
    inverse: NDArray[np.float64] = np.linalg.inv(np.array(homography).reshape(3, 3))
    inverse.flags.writeable = False
    return inverse


@dataclass(frozen=True, slots=True)
class KnownBoard:
    """A projection together with the shape of the field."""

    projection: Projection
    field: FieldShape

    @property
    def px_per_mm(self) -> float:
        """Mean over the whole field."""
        area_px = cv2.contourArea(self.projection.to_picture(self.field.corners_mm).astype(np.float32))
        return float(np.sqrt(max(abs(area_px), 1.0) / (self.field.width_mm * self.field.height_mm)))
