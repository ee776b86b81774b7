"""Lens, motion blur, noise and file format: they make the drawn dice match the picture around them."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.drawn_dice.compositing import Layer, Scenery
from vision.training.drawn_dice.light import Body
from vision.training.drawn_dice.shape import Array
from vision.training.drawn_dice.truth import project_to_crop
from vision.training.drawn_dice.window import PictureWindow, to_coded, to_light


def compose_through_lens(
    rng: np.random.Generator, layers: Sequence[Layer], shadow: Array, window: PictureWindow, *, moving_px: float
) -> Array:
    """(h, w, 3) linear: the window with the layers, far ones first, as blurred as the picture is."""
    # Enlarging blurred the picture; dice get the same blur, otherwise they stand out.
    sigma = float(rng.uniform(0.35, 0.62) * max(window.scale, 0.8) ** 0.8)
    kernel = _make_motion_kernel(rng, moving_px)
    light = window.light * _blur_plane(shadow, sigma + 0.3, kernel)
    for layer in layers:
        cover = _blur_plane(layer.cover, sigma, kernel)[..., None]
        light = light * (1 - cover) + _blur_plane(layer.colour, sigma, kernel)
    return np.asarray(light, np.float32)


def _make_motion_kernel(rng: np.random.Generator, length_px: float) -> Array | None:
    """The kernel of a straight movement; None without movement."""
    if length_px <= 0:
        return None
    side = 2 * int(np.ceil(length_px / 2)) + 3
    kernel = np.zeros((side, side), np.float32)
    angle = rng.uniform(0, np.pi)
    half = np.array([np.cos(angle), np.sin(angle)]) * length_px / 2
    ends = [np.round((side // 2 + sign * half) * 16).astype(int).tolist() for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_8, 4)
    return np.asarray(kernel / kernel.sum(), np.float32)


def _blur_plane(plane: Array, sigma_px: float, kernel: Array | None) -> Array:
    soft = cv2.GaussianBlur(plane, (0, 0), sigma_px, borderType=cv2.BORDER_REPLICATE)
    if kernel is not None:
        soft = cv2.filter2D(soft, -1, kernel, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(soft, np.float32)


def make_cover_disc(
    rng: np.random.Generator, pixels: NDArray[np.uint8], scenery: Scenery, body: Body
) -> tuple[Array, Array]:
    """A checker of the same picture laid over a part of the die: its cover (h, w) and light (h, w, 3)."""
    window, ground = scenery.window, scenery.ground
    round_px = ground.radii_px[:, None]
    inside = (ground.tops_px > round_px + 1) & (ground.tops_px < np.array(ground.size_px) - round_px - 2)
    usable = np.flatnonzero(inside.all(axis=1) & ground.is_visible)
    if not len(usable):
        return np.zeros(scenery.heights.shape, np.float32), window.light
    index = int(rng.choice(usable))
    radius = float(ground.radii_px[index]) * window.scale
    at = _place_disc_beside(rng, window, body, radius)
    # The checker's middle moves to `at`.
    start = ground.tops_px[index] - at / window.scale
    matrix = np.array([(1 / window.scale, 0, start[0]), (0, 1 / window.scale, start[1])])
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    patch = cv2.warpAffine(pixels, matrix, window.size_px, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    x, y = np.round(at * 16).astype(int).tolist()
    mask = np.zeros(scenery.heights.shape, np.uint8)
    cv2.circle(mask, (x, y), round((radius - 0.3) * 16), 255, -1, cv2.LINE_AA, 4)
    soft = cv2.GaussianBlur(mask, (0, 0), 0.4 * max(window.scale, 1.0))
    return np.asarray(soft.astype(np.float32) / 255, np.float32), to_light(patch.astype(np.uint8, copy=False))


def _place_disc_beside(
    rng: np.random.Generator, window: PictureWindow, body: Body, radius_px: float
) -> NDArray[np.float64]:
    """(2,) pixels of a disc's middle such that it covers some of the body, or just does not."""
    ends = body.middle_mm[:, None] + np.array([[0, 1], [0, 0], [0, 0]]) * body.shape.half_mm
    middle, side = project_to_crop(window.projection, ends)
    angle = rng.uniform(0, 2 * np.pi)
    away = radius_px + float(np.linalg.norm(side - middle)) * rng.uniform(-0.7, 0.9)
    return np.asarray(middle + away * np.array([np.cos(angle), np.sin(angle)]))


def finish_picture(rng: np.random.Generator, light: Array, drawn: Array, window: PictureWindow) -> NDArray[np.uint8]:
    """(h, w, 3) uint8: adds the picture's noise where something was drawn, sometimes grain and JPEG over all."""
    coded = to_coded(light)
    if window.noise > 0.2:
        noise = rng.standard_normal((*coded.shape[:2], 3), dtype=np.float32)
        if window.scale > 1.2:
            # Enlarging made the picture's own noise coarser; the added noise is as coarse.
            noise = cv2.GaussianBlur(noise, (0, 0), 0.45 * window.scale).astype(np.float32, copy=False)
            noise /= np.float32(noise.std())
        coded += noise * (drawn[..., None] * np.float32(min(window.noise, 12.0)))
    picture = np.clip(np.rint(coded), 0, 255).astype(np.uint8)
    if rng.random() < 0.35:
        stored = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(55, 95))])[1]
        picture = np.asarray(cv2.imdecode(stored, cv2.IMREAD_COLOR), np.uint8)
    return picture
