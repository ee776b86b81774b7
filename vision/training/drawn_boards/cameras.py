"""Random cameras: overhead webcams and hand-held telephones."""

import numpy as np
from numpy.typing import NDArray

from vision.simulated.drawing.optics import distort, pinhole_view
from vision.simulated.scene import Camera
from vision.training.drawn_boards.finishes import draw_bool

NEAREST_MM = 100.0  # physical: telephones focus from about here; no corner of a board is nearer along the line of sight
Floats = NDArray[np.float64]
Rows = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]


def _rotation_about(axis: Floats, angle_deg: float) -> Floats:
    """Rotation matrix by Rodrigues' formula."""
    x, y, z = axis / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    angle = np.radians(angle_deg)
    turned: Floats = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return turned


def _turn_deg(rng: np.random.Generator) -> float:
    """In (-90, 90]: a board turned further is labelled as the board upside down, with its corners renamed."""
    kind = rng.random()
    if kind < 0.76:
        return float(rng.normal(0, 6) if draw_bool(rng, 0.4) else rng.normal(0, 1.5))
    if kind < 0.9:
        return float(np.clip(90 - abs(rng.normal(0, 5)), -90, 90) * rng.choice([-1, 1]))
    return float(rng.uniform(-89, 89))


def _tilt_deg(rng: np.random.Generator, *, is_low: bool) -> float:
    """Away from straight down; the low views of hand-held telephones go to 57 degrees."""
    kind = rng.random()
    if is_low and kind > 0.4:
        return float(rng.uniform(8, 32) if kind < 0.8 else rng.uniform(20, 57))
    if kind < 0.3:
        return float(abs(rng.normal(0, 3)))
    return float(min(abs(rng.normal(0, 14)), 35)) if kind < 0.85 else float(rng.uniform(18, 40))


def _camera(
    size_px: tuple[int, int],
    lens: tuple[float, tuple[float, float], float],
    rotation: Floats,
    target: Floats,
    distance_mm: float,
) -> Camera:
    shift = np.array([0, 0, distance_mm]) - rotation @ np.array([target[0], target[1], 0.0])
    rows = [(float(row[0]), float(row[1]), float(row[2])) for row in rotation]
    turned: Rows = (rows[0], rows[1], rows[2])
    move = (float(shift[0]), float(shift[1]), float(shift[2]))
    return Camera(size_px, lens[0], lens[1], turned, move, k1=lens[2])


def random_camera(
    rng: np.random.Generator,
    size_px: tuple[int, int],
    outer_mm: tuple[float, float, float, float],
    height_mm: float,
    *,
    is_low: bool = False,
) -> Camera:
    """A camera that nearly always sees the whole rectangle left, top, right, bottom at `height_mm`.

    With `is_low` as photographs are taken by hand: nearer, and at times from a low place.
    """
    width, height = size_px
    field_of_view = np.radians(rng.uniform(45, 80))
    focal = float(max(size_px) / 2 / np.tan(field_of_view / 2))
    centre = ((width - 1) / 2 + rng.normal(0, 0.01) * width, (height - 1) / 2 + rng.normal(0, 0.01) * height)
    corner = (width**2 + height**2) / 4 / focal**2
    k1 = float(max(rng.uniform(-0.15, 0.05), -0.10 / corner)) if draw_bool(rng, 0.75) else 0.0
    lens = (focal, (float(centre[0]), float(centre[1])), k1)
    azimuth = rng.normal(0, 12) if draw_bool(rng, 0.65) else rng.uniform(0, 360)
    if is_low and draw_bool(rng, 0.3):
        azimuth += 180  # from behind the upper rim
    axis = np.array([np.cos(np.radians(azimuth)), np.sin(np.radians(azimuth)), 0])
    rotation = _rotation_about(axis, _tilt_deg(rng, is_low=is_low)) @ _rotation_about(
        np.array([0.0, 0, 1]), _turn_deg(rng)
    )
    left, top, right, bottom = outer_mm
    corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    around = np.column_stack([corners, np.full(4, height_mm)])
    wanted = rng.uniform(0.62, 0.97) if draw_bool(rng, 0.85) else rng.uniform(0.35, 0.7)
    if is_low:
        wanted = rng.uniform(0.75, 1.02) if draw_bool(rng, 0.85) else rng.uniform(0.45, 0.8)
    part_out = draw_bool(rng, 0.08)
    place, lost, axis_out = rng.uniform(0, 1, 2), rng.uniform(0.03, 0.25), int(rng.integers(2))
    if draw_bool(rng, 0.5):
        place = 0.5 + (place - 0.5) * 0.3
    target, distance = corners.mean(0), 900.0
    for _ in range(6):
        camera = _camera(size_px, lens, rotation, target, distance)
        seen = distort(camera, pinhole_view(camera).project(around))
        low, high = seen.min(0), seen.max(0)
        share = float(((high - low) / np.array(size_px)).max())
        distance = float(np.clip(distance * share / wanted, 220, 2500))
        spare = np.array(size_px) - (high - low)
        start = np.where(spare > 0, spare * place, spare / 2)
        if part_out:
            beyond = lost * (high - low)[axis_out]
            start[axis_out] = -beyond if place[axis_out] < 0.5 else spare[axis_out] + beyond
        aim = low - start
        here = rotation[:2, :2].T @ aim * (distance / focal)
        target = target + here * 0.8
        nearest = rotation[2] @ (around - (target[0], target[1], 0.0)).T
        distance = max(distance, NEAREST_MM - float(nearest.min()))
    return _camera(size_px, lens, rotation, target, distance)
