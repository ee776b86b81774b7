"""Lens and sensor: from linear light to the picture that a small camera stores."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.training.rendered.layout.camera import TracedCamera
from vision.training.rendered.random_draws import draw_bool, draw_normal, draw_uniform
from vision.training.rendered.tracing.arrays import Bytes, Colour, Floats

_LUMINANCE = np.array([0.2126, 0.7152, 0.0722], np.float32)
_METER_MARGIN_PX = 20
_MEAN_GREY, _WHITE = 0.19, 1.05  # targets of automatic exposure: the mean, and a bound for the brightest 1.5 %


@dataclass(frozen=True, slots=True)
class SensorSettings:
    """Camera settings of one picture. Lengths in pixels refer to a picture 1280 wide."""

    ev: float  # exposure compensation in stops
    red_gain: float  # error of the white balance
    blue_gain: float
    white_balance: float  # 0..1: how much of the lamps' colour the camera removes
    noise: float  # standard deviation at full light, as a share of it
    blur_px: float
    vignette: float  # loss in the corners, 0..1
    sharpening: float
    contrast: float
    saturation: float
    jpeg_quality: int


def draw_sensor_settings(rng: np.random.Generator) -> SensorSettings:
    return SensorSettings(
        ev=draw_uniform(rng, -0.5, 0.45) if draw_bool(rng, 0.7) else draw_uniform(rng, -1.4, 1.0),
        red_gain=float(np.exp(draw_normal(rng, 0.05))),
        blue_gain=float(np.exp(draw_normal(rng, 0.06))),
        white_balance=draw_uniform(rng, 0.5, 0.98),
        noise=float(np.exp(rng.normal(-4.6, 0.55))),
        blur_px=draw_uniform(rng, 0.35, 0.9) if draw_bool(rng, 0.85) else draw_uniform(rng, 0.9, 1.7),
        vignette=draw_uniform(rng, 0.05, 0.4),
        sharpening=draw_uniform(rng, 0.0, 0.9),
        contrast=draw_uniform(rng, 0.0, 0.6),
        saturation=draw_uniform(rng, 0.95, 1.25),
        jpeg_quality=int(rng.integers(78, 96)),
    )


def distort(light: Floats, camera: TracedCamera) -> Floats:
    """(h, w, 3) picture with lens distortion, from the larger undistorted one that was traced."""
    rows, columns = np.mgrid[0 : camera.height_px, 0 : camera.width_px]
    straight = camera.undistort(np.stack([columns, rows], axis=-1)) * camera.focal_px
    middle = (np.array([light.shape[1], light.shape[0]]) - 1) / 2
    source = (straight + middle).astype(np.float32)
    return np.asarray(cv2.remap(np.asarray(light, np.float32), source[..., 0], source[..., 1], cv2.INTER_LINEAR))


def develop(
    light: Floats, photo: SensorSettings, rng: np.random.Generator, *, metered: tuple[slice, slice], lamp_colour: Colour
) -> Bytes:
    """(h, w, 3) linear RGB to stored BGR. `metered` is the window for automatic exposure."""
    image = np.asarray(light, np.float32)
    gain = exposure_gain(np.maximum(image[metered], 0), photo, lamp_colour)
    height, width = image.shape[:2]
    return develop_part(image, photo, rng, gain=gain, full_px=(width, height))


def develop_part(
    light: Floats,
    photo: SensorSettings,
    rng: np.random.Generator,
    *,
    gain: Floats,
    full_px: tuple[int, int],
    corner_px: tuple[int, int] = (0, 0),
) -> Bytes:
    """As `develop`, for a part with its top-left pixel at `corner_px` of a picture `full_px`."""
    image = _with_bloom(np.maximum(light, 0) * gain, full_px[0])
    image = image * (1 - photo.vignette * _squared_radius(image.shape, full_px, corner_px))[..., None]
    image = blur(image, photo.blur_px * full_px[0] / 1280)
    image = _with_noise(image, photo, rng)
    image = _apply_tone_curve(image, photo)
    if photo.sharpening > 0:
        image = image + photo.sharpening * 0.7 * (image - blur(image, 1.1))
    return np.ascontiguousarray(np.clip(np.round(image * 255), 0, 255).astype(np.uint8)[..., ::-1])


def _squared_radius(shape: tuple[int, ...], full_px: tuple[int, int], corner_px: tuple[int, int]) -> Floats:
    """(h, w) float32: squared distance from the middle of the whole picture, 1 in its corners."""
    width, height = full_px
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    x, y = x + np.float32(corner_px[0]), y + np.float32(corner_px[1])
    return np.asarray(((x - width / 2) ** 2 + (y - height / 2) ** 2) / ((width**2 + height**2) / 4))


def blur(image: Floats, sigma_px: float) -> Floats:
    return np.asarray(cv2.GaussianBlur(np.asarray(image, np.float32), (0, 0), sigma_px))


def metering_window(field_px: Floats, full_px: tuple[int, int], cell_px: int = 1) -> tuple[slice, slice]:
    """The rectangle around the visible field, slightly enlarged, in cells of `step_px` of a picture `full_px`.

    `field_px` are the field's corners (4, 2).
    """
    size = np.array(full_px)
    low = np.clip(field_px.min(axis=0) - _METER_MARGIN_PX, 0, size - cell_px) // cell_px
    high = np.clip(field_px.max(axis=0) + _METER_MARGIN_PX, cell_px, size) // cell_px
    (left, top), (right, bottom) = low.astype(int).tolist(), high.astype(int).tolist()
    return slice(top, max(bottom, top + 1)), slice(left, max(right, left + 1))


def exposure_gain(metered: Floats, photo: SensorSettings, lamp_colour: Colour) -> Floats:
    """(3,) float32 gain of automatic exposure and white balance for the metered light (..., 3)."""
    luminance = metered @ _LUMINANCE
    brightest = float(np.percentile(luminance, 98.5))
    gain = min(_MEAN_GREY / max(float(luminance.mean()), 1e-6), _WHITE / max(brightest, 1e-6)) * 2**photo.ev
    balance = np.clip(lamp_colour[1] / np.array(lamp_colour), 0.35, 3.2) ** photo.white_balance
    return np.asarray((gain * balance * (photo.red_gain, 1.0, photo.blue_gain)).astype(np.float32))


def _with_bloom(image: Floats, full_width_px: int) -> Floats:
    """Light beyond white spills over its surroundings."""
    hot = np.clip(image - 1.0, 0, 12)
    if not hot.any():
        return image
    wide, wider = full_width_px / 260, full_width_px / 55
    return np.asarray(image + 0.045 * blur(hot, wide) + 0.012 * blur(hot, wider))


def _with_noise(image: Floats, photo: SensorSettings, rng: np.random.Generator) -> Floats:
    """Photon and read noise, partly smoothed as by demosaicing."""
    noise = rng.standard_normal(image.shape).astype(np.float32)
    noise = 1.2 * blur(noise, 0.6) + 0.5 * noise
    return np.maximum(image + noise * photo.noise * np.sqrt(np.maximum(image, 0) + 0.02), 0)


def _apply_tone_curve(image: Floats, photo: SensorSettings) -> Floats:
    """Saturation, soft shoulder, sRGB, contrast: 0..1."""
    grey = (image @ _LUMINANCE)[..., None]
    image = np.maximum(grey + (image - grey) * photo.saturation, 0)
    image = np.where(image < 0.8, image, 0.8 + 0.2 * (1 - np.exp(-(image - 0.8) / 0.2)))
    image = np.where(image <= 0.0031308, 12.92 * image, 1.055 * np.maximum(image, 1e-9) ** (1 / 2.4) - 0.055)
    contrast = photo.contrast * 0.5
    image = image * (1 - contrast) + contrast * (image * image * (3 - 2 * image))
    return np.clip(image, 0, 1)
