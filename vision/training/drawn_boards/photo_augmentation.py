"""Photometric augmentation: random effects of cameras, lamps and file formats on a picture.

Pictures are float32 BGR, 0 to 255. Every function returns a new picture.
"""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.float32]
WATERMARKS = ("Photo Archive", "stock", "SAMPLE", "pictures 2019", "preview")
HUE_SHARE = 0.15  # share of samples


def augment_photo(picture: Picture, rng: np.random.Generator, *, degrade_share: float) -> Picture:
    """Changes the light always, the hue sometimes, and degrades the camera in `degrade_share` of the calls."""
    picture = augment_lighting(picture, rng)
    if rng.random() < HUE_SHARE:
        picture = rotate_hue(picture, rng)
    return degrade_camera(picture, rng) if rng.random() < degrade_share else picture


def augment_lighting(picture: Picture, rng: np.random.Generator) -> Picture:
    """Changes exposure, white balance, gamma and saturation, adds a side light and sometimes burnt-out glare."""
    height, width = picture.shape[:2]
    if rng.random() < 0.8:
        gains = np.exp(rng.normal(0, 0.22) + rng.normal(0, 0.09, 3)).astype(np.float32)
        power = float(np.exp(rng.normal(0, 0.22)))
        picture = 255 * cv2.pow(np.clip(picture * (gains / 255), 0, 1), power).astype(np.float32)
    if rng.random() < 0.5:
        grey = picture.mean(axis=2, keepdims=True)
        picture = grey + (picture - grey) * np.float32(rng.uniform(0.4, 1.5))
    if rng.random() < 0.4:
        angle, strength = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.5)
        x, y = np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32)[:, None]
        slope = np.float32(np.cos(angle)) * x + np.float32(np.sin(angle)) * y
        picture = picture * (1 + np.float32(strength) * slope)[..., None]
    if rng.random() < 0.12:
        picture = picture + make_glare(width, height, rng)[..., None]
    return np.asarray(np.clip(picture, 0, 255), np.float32)


def make_glare(width: int, height: int, rng: np.random.Generator) -> Picture:
    """(height, width) soft patch of light that may burn out the pixels below."""
    patch = np.zeros((height // 8, width // 8), np.float32)
    middle = (int(rng.integers(patch.shape[1])), int(rng.integers(patch.shape[0])))
    axes = (int(rng.integers(1, 12)), int(rng.integers(1, 12)))
    cv2.ellipse(patch, middle, axes, float(rng.uniform(0, 180)), 0, 360, float(rng.uniform(40, 260)), -1)
    patch = cv2.GaussianBlur(patch, (0, 0), float(rng.uniform(0.6, 3.0))).astype(np.float32)
    return cv2.resize(patch, (width, height), interpolation=cv2.INTER_LINEAR).astype(np.float32)


def add_watermark(pixels: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The words of an archive across the whole picture, half transparent."""
    height, width = pixels.shape[:2]
    side = int(np.hypot(height, width)) + 2
    stamp = np.zeros((side, side), np.uint8)
    scale, words = float(rng.uniform(0.4, 1.6)), WATERMARKS[int(rng.integers(len(WATERMARKS)))]
    step = int(rng.uniform(60, 170) * scale)
    for row in range(step, side, step):
        for column in range(-(row % (3 * step)), side, int(25 * scale * len(words))):
            cv2.putText(
                stamp, words, (column, row), cv2.FONT_HERSHEY_SIMPLEX, scale, 255, 1 + round(scale), cv2.LINE_AA
            )
    turn = cv2.getRotationMatrix2D((side / 2, side / 2), float(rng.uniform(0, 360)), 1.0)
    turn[:, 2] += ((width - side) / 2, (height - side) / 2)
    share = cv2.warpAffine(stamp, turn, (width, height))[..., None] * np.float32(rng.uniform(0.1, 0.45) / 255)
    tone = np.float32(255 if rng.random() < 0.7 else 60)
    return np.asarray(pixels + (tone - pixels) * share, np.uint8)


def degrade_camera(picture: Picture, rng: np.random.Generator) -> Picture:
    """Reduces resolution, blurs, adds noise, sharpens and codes as JPEG."""
    height, width = picture.shape[:2]
    if rng.random() < 0.3:
        factor = float(rng.uniform(0.4, 0.9))
        small = cv2.resize(picture, (int(width * factor), int(height * factor)), interpolation=cv2.INTER_AREA)
        picture = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR).astype(np.float32)
    if rng.random() < 0.3:
        picture = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.4, 1.4))).astype(np.float32)
    if rng.random() < 0.5:
        noise = _cut_noise(height, width, rng, coarse=rng.random() < 0.5)
        picture = picture + noise * np.float32(np.exp(rng.uniform(np.log(0.8), np.log(11))))
    if rng.random() < 0.25:
        soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
        picture = (picture + (picture - soft) * np.float32(rng.uniform(0.3, 1.5))).astype(np.float32)
    picture = np.clip(picture, 0, 255)
    if rng.random() < 0.3:
        quality = int(rng.integers(30, 90))
        stored = cv2.imencode(".jpg", picture.astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        picture = cv2.imdecode(stored, cv2.IMREAD_COLOR).astype(np.float32)  # type: ignore[union-attr]
    return picture.astype(np.float32)


@lru_cache(maxsize=2)
def _noise_bank(coarse: bool) -> Picture:
    noise = np.random.default_rng(7).standard_normal((1400, 1400, 3), dtype=np.float32)
    return cv2.GaussianBlur(noise, (0, 0), 0.8).astype(np.float32) * np.float32(2.2) if coarse else noise


def _cut_noise(height: int, width: int, rng: np.random.Generator, *, coarse: bool) -> Picture:
    """A window of precomputed noise: fresh noise takes longer than all other effects."""
    bank = _noise_bank(coarse)
    top, left = int(rng.integers(1400 - height)), int(rng.integers(1400 - width))
    window = bank[top : top + height, left : left + width]
    return np.asarray(window[:, ::-1] if rng.random() < 0.5 else window, np.float32)


def rotate_hue(picture: Picture, rng: np.random.Generator) -> Picture:
    """Rotates all hues about the grey axis; the mean of the channels stays the same."""
    angle = rng.uniform(0, 2 * np.pi)
    axis = np.full(3, 1 / np.sqrt(3))
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    turn = np.cos(angle) * np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * np.outer(axis, axis)
    return np.asarray(np.clip(picture @ turn.T.astype(np.float32), 0, 255), np.float32)
