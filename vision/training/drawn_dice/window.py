"""A window of an enlarged picture with the heights of its surfaces: the ground that dice are drawn on."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.projection import Projection
from vision.training.drawn_dice.ground import Ground
from vision.training.drawn_dice.shape import Array

GAMMA = 2.2
STEP_PX = 6  # step between the pixels that the estimate of exposure samples


@dataclass(frozen=True, slots=True, eq=False)
class PictureWindow:
    """`light` (h, w, 3) is linear, 0 to 1; `offset_px` is its place in the picture enlarged by `scale`."""

    light: Array
    offset_px: tuple[int, int]
    scale: float
    projection: Projection
    noise: float  # deviation of the coded values, 0 to 255

    @property
    def size_px(self) -> tuple[int, int]:
        return self.light.shape[1], self.light.shape[0]


def cut_window(
    pixels: NDArray[np.uint8], ground: Ground, scale: float, offset_px: tuple[int, int], size_px: tuple[int, int]
) -> PictureWindow:
    shift = [(value + 0.5) / scale - 0.5 for value in offset_px]
    matrix = np.array([(1 / scale, 0, shift[0]), (0, 1 / scale, shift[1])])
    flags = (cv2.INTER_CUBIC if scale > 1.05 else cv2.INTER_LINEAR) | cv2.WARP_INVERSE_MAP
    crop = cv2.warpAffine(pixels, matrix, size_px, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    projection = ground.projection.scale(scale).crop(*offset_px)
    return PictureWindow(
        to_light(crop.astype(np.uint8, copy=False)),
        offset_px,
        scale,
        projection,
        _estimate_noise(pixels, offset_px, size_px, scale),
    )


def to_light(pixels: NDArray[np.uint8]) -> Array:
    table = ((np.arange(256, dtype=np.float32) / 255) ** GAMMA).astype(np.float32)
    return np.asarray(cv2.LUT(pixels, table), np.float32)


def to_coded(light: Array) -> Array:
    """Linear light to 0..255, clipped."""
    coded: Array = cv2.pow(np.clip(light, 0, 1), 1 / GAMMA).astype(np.float32) * np.float32(255)
    return coded


def _estimate_noise(
    pixels: NDArray[np.uint8], offset_px: tuple[int, int], size_px: tuple[int, int], scale: float
) -> float:
    """From the quieter half of second differences, which edges and grain hardly affect."""
    left, top = (max(0, int(value / scale)) for value in offset_px)
    right, bottom = left + int(size_px[0] / scale), top + int(size_px[1] / scale)
    patch = pixels[top:bottom, left:right, 1]
    if patch.size < 100:
        return 1.0
    rough = np.abs(cv2.Laplacian(patch.astype(np.float32), cv2.CV_32F))
    # The Laplacian of white noise has sqrt(20) times its deviation; its 30th percentile is 0.385 of that.
    return float(np.percentile(rough, 30) / 0.385 / np.sqrt(20))


def compute_heights(window: PictureWindow, ground: Ground) -> Array:
    """(h, w) mm of the uppermost surface at each pixel; near walls' sides and unlabelled objects are left out."""
    heights, field, projection = ground.heights, ground.field, window.projection
    found = np.full(window.light.shape[:2], heights.table_mm, np.float32)
    wide = heights.rim_width_mm
    outer = field.corners_mm + np.array([(-wide, -wide), (wide, -wide), (wide, wide), (-wide, wide)])
    left, right, low = field.bar_left_mm, field.bar_right_mm, field.height_mm
    bar = np.array([(left, 0), (right, 0), (right, low), (left, low)])
    for corners, height in ((outer, heights.rim_mm), (field.corners_mm, 0.0), (bar, heights.bar_mm)):
        outline = np.clip(projection.to_picture(corners, height), -8000, 8000)
        cv2.fillPoly(found, [np.round(outline * 16).astype(np.int32)], height, cv2.LINE_8, 4)
    middles = (ground.tops_px + 0.5) * window.scale - 0.5 - window.offset_px
    radii = ground.radii_px * window.scale
    size = np.array(window.size_px)
    is_near = ((middles > -radii[:, None]) & (middles < size + radii[:, None])).all(axis=1)
    for index in np.flatnonzero(is_near)[np.argsort(ground.tops_mm[is_near], kind="stable")]:
        x, y = np.round(middles[index] * 16).astype(int).tolist()
        cv2.circle(found, (x, y), round(radii[index] * 16), float(ground.tops_mm[index]), -1, cv2.LINE_8, 4)
    return found


def estimate_exposure(pixels: NDArray[np.uint8], window: PictureWindow, rng: np.random.Generator) -> Array:
    """(3,) value of a white body on level ground, from the brightest parts of the picture and of the window."""
    whole = to_light(np.ascontiguousarray(pixels[::STEP_PX, ::STEP_PX]))
    brightness = whole.mean(axis=2)
    bright = float(np.percentile(brightness, 95))
    here = float(np.median(window.light[::3, ::3].mean(axis=2)))
    level = bright / rng.uniform(0.4, 0.78)
    level = float(np.clip(level, here / 0.8, max(here, 0.004) / 0.02)) * float(np.exp(rng.normal(0, 0.12)))
    tint = whole[brightness >= bright].mean(axis=0)
    tint = np.clip(tint / max(float(tint.mean()), 1e-4), 0.4, 1.8) ** rng.uniform(0.1, 0.6)
    return np.asarray(min(level, 1.25) * tint / tint.mean(), np.float32)
