"""The camera above the board: its pose, its lens, and the projection.

Projection and its inverse are in numpy, so that a label is the same with every version of OpenCV. The lens model is
OpenCV's with five coefficients (k1 k2 p1 p2 k3).
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from vision.training.rendered.errors import NoCameraFoundError
from vision.training.rendered.layout.board_shape import BoardShape, field_corners
from vision.training.rendered.layout.board_size import BoardSize
from vision.training.rendered.random_draws import draw_bool, draw_choice, draw_normal, draw_uniform
from vision.training.rendered.tracing.arrays import Flags, Floats

_DRAWN_WIDTH_PX, _DRAWN_HEIGHT_PX = 1280, 960
_TRIES = 1500
_FIELD_MARGIN_PX, _RIM_MARGIN_PX = 10, 6


@dataclass(frozen=True, slots=True, eq=False)
class TracedCamera:
    """World point p to camera coordinates: rotation @ p + shift (x right, y down, z forward)."""

    rotation: Floats  # (3, 3)
    shift_mm: Floats  # (3,)
    focal_px: float
    centre_px: tuple[float, float]
    width_px: int
    height_px: int
    lens: tuple[float, float, float, float, float]
    above_mm: float
    tilt_deg: float
    roll_deg: float
    fov_deg: float

    @property
    def eye_mm(self) -> Floats:
        return np.asarray(-self.rotation.T @ self.shift_mm)

    @property
    def matrix(self) -> Floats:
        """The K of OpenCV."""
        x, y = self.centre_px
        return np.array([[self.focal_px, 0, x], [0, self.focal_px, y], [0, 0, 1.0]])

    @property
    def traced_size_px(self) -> tuple[int, int]:
        """(width, height), even, of the undistorted picture that contains the whole distorted one."""
        x, y = np.linspace(0, self.width_px - 1, 60), np.linspace(0, self.height_px - 1, 60)
        edges = [(a, b) for a in x for b in (y[0], y[-1])] + [(a, b) for a in (x[0], x[-1]) for b in y]
        far = np.abs(self.undistort(edges)).max(axis=0) * self.focal_px
        width, height = (int(2 * np.ceil(reach + 3)) for reach in far)
        return width, height

    def project(self, points_mm: ArrayLike) -> Floats:
        """(n, 3) world points to (n, 2) pixels, lens included; (0, 0) is the centre of the top-left pixel."""
        seen = np.atleast_2d(np.asarray(points_mm, float)) @ self.rotation.T + self.shift_mm
        return _distort(seen[:, :2] / seen[:, 2:], self.lens) * self.focal_px + self.centre_px

    def project_one(self, point_mm: ArrayLike) -> tuple[float, float]:
        x, y = self.project(point_mm)[0].tolist()
        return x, y

    def undistort(self, pixels: ArrayLike) -> Floats:
        """(n, 2) pixels to (n, 2) undistorted directions x/z, y/z."""
        bent = (np.asarray(pixels, float) - self.centre_px) / self.focal_px
        straight = bent
        for _ in range(15):  # fixed-point iteration on the distortion of the current estimate
            straight = straight - (_distort(straight, self.lens) - bent)
        return straight

    def sees(self, pixels: ArrayLike) -> Flags:
        """(n,) whether each of (n, 2) pixels lies inside the picture."""
        at = np.atleast_2d(np.asarray(pixels, float))
        return np.asarray(((at >= 0) & (at < (self.width_px, self.height_px))).all(axis=1), bool)

    def resize(self, width_px: int, height_px: int) -> "TracedCamera":
        """The same view at another size with the same aspect ratio."""
        scale = width_px / self.width_px
        x, y = ((centre + 0.5) * scale - 0.5 for centre in self.centre_px)
        return replace(self, width_px=width_px, height_px=height_px, focal_px=self.focal_px * scale, centre_px=(x, y))


def _distort(straight: Floats, lens: tuple[float, float, float, float, float]) -> Floats:
    k1, k2, p1, p2, k3 = lens
    x, y = straight[..., 0], straight[..., 1]
    r2 = x * x + y * y
    radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
    return np.stack(
        [x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x), y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y],
        axis=-1,
    )


def draw_camera(rng: np.random.Generator, size: BoardSize, shape: BoardShape) -> TracedCamera:
    """60 cm to 1 m above the board (higher over a large one), tilted by up to 35 degrees, the whole field in view.

    One in twelve may cut the rim. Raises NoCameraFoundError.
    """
    may_crop_rim = draw_bool(rng, 0.08)
    outer, inner = np.array(shape.corners(size.rim_height_mm)), np.array(field_corners(size))
    for attempt in range(_TRIES):
        camera = _draw_candidate(rng, shape, higher_mm=120 if attempt > 900 else 0)
        rim, field = camera.project(outer), camera.project(inner)
        share = max(np.ptp(rim, axis=0) / (camera.width_px, camera.height_px))
        is_rim_in_view = may_crop_rim or _is_inside(camera, rim, _RIM_MARGIN_PX)
        fills = share > (0.8 if attempt < 700 else 0.6)
        if fills and is_rim_in_view and _is_inside(camera, field, _FIELD_MARGIN_PX):
            return camera
    raise NoCameraFoundError(_TRIES)


def _is_inside(camera: TracedCamera, pixels: Floats, margin_px: int) -> bool:
    far = np.array([camera.width_px, camera.height_px]) - margin_px
    return bool(((pixels > margin_px) & (pixels < far)).all())


def _draw_candidate(rng: np.random.Generator, shape: BoardShape, *, higher_mm: float) -> TracedCamera:
    above_mm = draw_uniform(rng, 600, 1000) + higher_mm
    tilt = abs(draw_normal(rng, 14)) if draw_bool(rng, 0.6) else draw_uniform(rng, 0, 35)
    tilt = float(np.radians(min(tilt, 35)))
    azimuth = draw_choice(rng, (0.0, np.pi, np.pi / 2, -np.pi / 2), (45, 15, 20, 20)) + draw_normal(rng, 0.25)
    roll = float(np.radians(draw_normal(rng, 3.5) if draw_bool(rng, 0.8) else draw_uniform(rng, -16, 16)))
    fov_deg = draw_uniform(rng, 50, 75)
    target = np.array([(shape.left_mm + shape.right_mm) / 2 + draw_normal(rng, 18), draw_normal(rng, 18), 0])
    aside = above_mm * np.tan(tilt)
    eye = target + np.array([np.sin(azimuth) * aside, -np.cos(azimuth) * aside, above_mm])
    rotation = _look_rotation(target - eye, roll)
    return TracedCamera(
        rotation=rotation,
        shift_mm=-rotation @ eye,
        focal_px=float(_DRAWN_WIDTH_PX / 2 / np.tan(np.radians(fov_deg) / 2)),
        centre_px=((_DRAWN_WIDTH_PX - 1) / 2 + draw_normal(rng, 5), (_DRAWN_HEIGHT_PX - 1) / 2 + draw_normal(rng, 5)),
        width_px=_DRAWN_WIDTH_PX,
        height_px=_DRAWN_HEIGHT_PX,
        lens=(
            draw_uniform(rng, -0.11, 0.03),
            draw_uniform(rng, -0.005, 0.01),
            draw_normal(rng, 0.0004),
            draw_normal(rng, 0.0004),
            0.0,
        ),
        above_mm=above_mm,
        tilt_deg=float(np.degrees(tilt)),
        roll_deg=float(np.degrees(roll)),
        fov_deg=fov_deg,
    )


def _look_rotation(forward: Floats, roll_rad: float) -> Floats:
    """The rotation of a camera that faces along `forward`, the far side of the board up in the picture."""
    ahead = forward / np.linalg.norm(forward)
    right = np.cross(ahead, (0.0, 1.0, 0.0))
    right /= np.linalg.norm(right)
    down = np.cross(ahead, right)
    cos, sin = np.cos(roll_rad), np.sin(roll_rad)
    return np.stack([cos * right + sin * down, -sin * right + cos * down, ahead])
