"""From light on the canvas to the 8-bit picture of a camera or telephone."""

from collections.abc import Iterator
from functools import lru_cache

import cv2
import numpy as np

from vision.simulated.drawing.optics import canvas_origin, undistort
from vision.simulated.drawing.painting import soften
from vision.simulated.drawing.textures import Pixels
from vision.simulated.scene import Camera, Photo

LENS_GRID = 8  # px between the nodes of the lens map; the map is interpolated linearly between them
POOL_PX = 1024
BRIGHTEST = 1.1  # light level that the brighter parts of the middle stay below, as telephones meter
GRAIN_STEPS_PX = (0.0, 0.5, 0.85, 1.3)
TARGET = 0.42  # the mean tone that metering aims at, before `exposure`


def apply_lens(canvas: Pixels, camera: Camera) -> Pixels:
    """The canvas warped by the lens and cut to the size of the picture."""
    left, top, _, _ = canvas_origin(camera)
    width, height = camera.size_px
    if camera.k1 == 0 and camera.k2 == 0:
        return np.ascontiguousarray(canvas[-top : height - top, -left : width - left])
    where = lens_map(camera)
    return cv2.remap(canvas, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def lens_map(camera: Camera) -> Pixels:
    """float32 (height, width, 2): the canvas position of each picture pixel."""
    left, top, _, _ = canvas_origin(camera)
    width, height = camera.size_px
    columns = np.arange(0, width + LENS_GRID, LENS_GRID, dtype=np.float64)
    rows = np.arange(0, height + LENS_GRID, LENS_GRID, dtype=np.float64)
    grid = np.dstack(np.meshgrid(columns, rows))
    straight = (undistort(camera, grid) - (left, top)).astype(np.float32)
    # Grid node (i, j) belongs to pixel (8i, 8j): an affine stretch of the grid, not a resize about pixel corners.
    stretch = np.array([[1 / LENS_GRID, 0, 0], [0, 1 / LENS_GRID, 0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(straight, stretch, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE)


def meter_exposure(canvas: Pixels, photo: Photo) -> float:
    """The factor on light that a centre-weighted automatic exposure chooses."""
    height, width = canvas.shape[:2]
    middle = canvas[height // 5 : height - height // 5 : 8, width // 5 : width - width // 5 : 8].mean(2)
    sample = np.concatenate([canvas[::8, ::8].mean(2).ravel(), *[middle.ravel()] * 2])
    bright = float(np.mean(np.minimum(sample, np.percentile(sample, 97)) ** (1 / 2.2)))
    gain = (TARGET / max(bright, 1e-3)) ** 2.2
    return float(photo.exposure * min(gain, BRIGHTEST / max(float(np.percentile(middle, 93)), 1e-3)))


def _tone_table(photo: Photo) -> Pixels:
    """4096 entries: light 0..1.5 to tone 0..255."""
    light = np.linspace(0, 1.5, 4096)
    shoulder = np.where(light > 0.7, 0.7 + 0.3 * np.tanh((light - 0.7) / 0.3 * 0.8), light)
    tone = shoulder ** (1 / photo.gamma)
    curved = tone + photo.contrast * (tone - 0.5) * tone * (1 - tone) * 2.0
    curved = photo.black + (1 - photo.black) * curved
    return np.clip(curved * 255, 0, 255).astype(np.float32)


def vignette(width: int, height: int, strength: float) -> Pixels:
    x = (np.arange(width, dtype=np.float32) / width - 0.5) * 2
    y = (np.arange(height, dtype=np.float32) / height - 0.5) * 2
    square = (x**2)[None, :] + (y**2)[:, None]
    return ((1 - strength * 0.5 * square) ** 2).astype(np.float32)


def _blur(light: Pixels, photo: Photo) -> Pixels:
    if photo.defocus_px > 0.25:
        light = cv2.GaussianBlur(light, (0, 0), photo.defocus_px)
    if photo.motion_px > 1:
        long = int(np.ceil(photo.motion_px)) | 1
        kernel = np.zeros((long, long), np.float32)
        reach = np.array([np.cos(np.radians(photo.motion_deg)), np.sin(np.radians(photo.motion_deg))]) * (long // 2)
        ends = [np.round(long // 2 + sign * reach).astype(int).tolist() for sign in (-1, 1)]
        cv2.line(kernel, ends[0], ends[1], 1.0, 1)
        light = cv2.filter2D(light, -1, kernel / kernel.sum())
    return light


@lru_cache(maxsize=4)
def _make_grains(step: int) -> Pixels:
    """int8 (POOL_PX, POOL_PX, 4) of noise with deviation 24: three colours and grey; coarser with each step."""
    noise = np.random.default_rng([step, 5]).standard_normal((POOL_PX, POOL_PX, 4)).astype(np.float32)
    if step:
        blurred: Pixels = cv2.GaussianBlur(noise, (0, 0), GRAIN_STEPS_PX[step])
        noise = (blurred / blurred.std()).astype(np.float32)
    return np.clip(np.round(noise * 24), -127, 127).astype(np.int8)


@lru_cache(maxsize=2)
def _mix_grains(step: int, chroma: float) -> Pixels:
    """float32 (POOL_PX, POOL_PX, 3), read-only: blue, green, red noise, each with the grey noise added."""
    mix = np.column_stack([np.eye(3) * chroma, np.ones(3)]) * (255 / 24)
    mixed: Pixels = cv2.transform(_make_grains(step).astype(np.float32), mix.astype(np.float32))
    mixed.flags.writeable = False
    return mixed


def _add_noise(tone: Pixels, photo: Photo, rng: np.random.Generator) -> Pixels:
    """Tones with noise, 0..255 float; the noise is stronger in the shadows, where the tone curve is steep."""
    height, width = tone.shape[:2]
    step = int(np.argmin([abs(photo.noise_grain_px - px) for px in GRAIN_STEPS_PX]))
    grains = _mix_grains(step, photo.chroma_noise)
    first_row, first_column = (int(rng.integers(POOL_PX)) for _ in range(2))
    low = photo.read_noise + 0.35 * photo.shot_noise
    noisy: Pixels = np.float32(low + 0.75 * photo.shot_noise) - tone * np.float32(0.75 * photo.shot_noise / 255)
    for rows, pool_rows in _tile_axis(height, first_row):
        for columns, pool_columns in _tile_axis(width, first_column):
            noisy[rows, columns] *= grains[pool_rows, pool_columns]
    noisy += tone
    return noisy


def _tile_axis(length: int, first: int) -> Iterator[tuple[slice, slice]]:
    """Parts of an axis, each with its position in the periodic pool."""
    done = 0
    while done < length:
        part = min(length - done, POOL_PX - first)
        yield slice(done, done + part), slice(first, first + part)
        done, first = done + part, 0


def develop(light: Pixels, photo: Photo, exposure: float, seed: int) -> Pixels:
    """uint8 BGR from light of the picture's size."""
    corners = vignette(light.shape[1], light.shape[0], photo.vignette)
    return record_picture(apply_tone_curve(light, photo, exposure, corners), photo, seed)


def apply_tone_curve(light: Pixels, photo: Photo, exposure: float, corners: Pixels) -> Pixels:
    """Tones 0..255 (float) without noise; `corners` is the vignette of that part of the picture."""
    height, width = light.shape[:2]
    gain = np.array(photo.white_balance[::-1], np.float32) * np.float32(exposure)
    light = _blur(light, photo) * cv2.merge([corners * value for value in gain])
    if photo.haze > 0:
        haze = cv2.resize(cv2.resize(light, (8, 6), interpolation=cv2.INTER_AREA), (width, height))
        light += np.float32(photo.haze) * haze
    tone = np.take(_tone_table(photo), np.clip(light * np.float32(4095 / 1.5), 0, 4095).astype(np.int32))
    if photo.saturation != 1:
        grey = np.array([0.114, 0.587, 0.299]) * (1 - photo.saturation)
        tone = cv2.transform(tone, (np.eye(3) * photo.saturation + grey).astype(np.float32))
    if photo.clarity > 0:
        tone += (tone - soften(tone, 0.03 * width)) * np.float32(photo.clarity)
    return tone


def record_picture(tone: Pixels, photo: Photo, seed: int) -> Pixels:
    """uint8 from tones: noise of that seed, sharpening and coding as the photograph says."""
    height, width = tone.shape[:2]
    tone = _add_noise(tone, photo, np.random.default_rng([seed, 77]))
    if photo.sharpen > 0:
        tone = tone + (tone - cv2.GaussianBlur(tone, (0, 0), 1.2)) * np.float32(photo.sharpen)
    picture = np.clip(tone + 0.5, 0, 255).astype(np.uint8)
    if photo.resample < 1:
        small = cv2.resize(picture, None, fx=photo.resample, fy=photo.resample, interpolation=cv2.INTER_AREA)
        picture = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR).astype(np.uint8)
    if photo.jpeg > 100:
        return picture
    _, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, photo.jpeg])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR))
