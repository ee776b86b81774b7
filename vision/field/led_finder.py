"""Locates a lit LED from three pictures: one with the LED lit, and one before and one after with the strip dark.

Light that is only in the middle picture comes from the LED, or from an object that appeared for that moment. An LED is
a small spot close to the rim of the field. A hand is larger, a reflection on varnish is weaker or lies inside the field,
and noise is as large as the difference of the two dark pictures. When two spots qualify the result is None, because a
missed LED does no harm, but an LED at the wrong point does.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.geometry.calibration import Calibration
from vision.geometry.projection import FieldShape, Projection

Grey = NDArray[np.float32]  # (height_px, width_px)


@dataclass(frozen=True, slots=True)
class LedLimits:
    """Conditions for a spot of light to be an LED on the rim."""

    rim_height_mm: float = 15.0  # of the LEDs over the playing surface; an error of 10 shifts them by about 5 mm
    outside_mm: float = 45.0  # largest distance outside the edge of the field
    inside_mm: float = 12.0  # largest distance inside the edge; further in, light is a reflection
    least_rise: float = 20.0  # grey levels of 255 that an LED adds at its peak
    noise_times: float = 8.0  # the same threshold as a multiple of the noise; the larger one applies
    widest_mm: float = 40.0  # width of the spot at half its peak; a hand is wider
    rival_share: float = 0.6  # a second spot with this share of the light makes the result ambiguous
    rival_mm: float = 15.0  # spots closer than this are one spot


USUAL_LIMITS = LedLimits()


@dataclass(frozen=True, slots=True)
class LedDetection:
    """The position and brightness of an LED."""

    at_px: tuple[float, float]
    at_mm: tuple[float, float]  # board mm
    light: float  # sum of the grey levels that the LED adds to its spot


@dataclass(frozen=True, slots=True)
class LedPictures:
    """One LED lit, and the strip dark before and after; BGR, all of one size."""

    before: Pixels
    lit: Pixels
    after: Pixels


def find_led(pictures: LedPictures, calibration: Calibration, limits: LedLimits = USUAL_LIMITS) -> LedDetection | None:
    """The lit LED; None when it is hidden or ambiguous. The calibration must have the size of the pictures."""
    before, lit, after = (_to_grey(picture) for picture in (pictures.before, pictures.lit, pictures.after))
    near_rim = rim_mask((lit.shape[1], lit.shape[0]), calibration.projection, calibration.field, limits)
    rise = lit - np.maximum(before, after)
    rise -= max(0.0, float(np.median(rise)))  # removes flicker of lamps and adaptation of the camera
    least = max(limits.least_rise, limits.noise_times * _estimate_noise(before, after, near_rim))
    spots = [spot for spot in _find_spots(rise, least, near_rim, calibration, limits) if spot is not None]
    return _select_spot(spots, limits)


def rim_mask(
    size_px: tuple[int, int], projection: Projection, field: FieldShape, limits: LedLimits = USUAL_LIMITS
) -> NDArray[np.bool_]:
    """(height_px, width_px): True where an LED on one of the four rims can appear."""
    mask = np.zeros((size_px[1], size_px[0]), np.uint8)
    for grow_mm, value in ((limits.outside_mm, 1), (-limits.inside_mm, 0)):
        outline_px = projection.to_picture(_outline_mm(field, grow_mm), limits.rim_height_mm)
        cv2.fillPoly(mask, [np.rint(np.clip(outline_px, -30_000, 30_000)).astype(np.int32)], value)
    return mask > 0


def _outline_mm(field: FieldShape, grow_mm: float) -> NDArray[np.float64]:
    """(n, 2): the outline of the field, larger by `grow_mm` on all sides, in short pieces for the lens distortion."""
    low, width, height = -grow_mm, field.width_mm + grow_mm, field.height_mm + grow_mm
    corners = np.array([(low, low), (width, low), (width, height), (low, height)])
    share = np.linspace(0, 1, 12, endpoint=False)[:, None]
    sides = [corners[i] + share * (corners[(i + 1) % 4] - corners[i]) for i in range(4)]
    return np.concatenate(sides)


def _to_grey(picture: Pixels) -> Grey:
    """A grey picture, slightly blurred so that a single noisy pixel is no spot."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return cv2.GaussianBlur(grey, (5, 5), 1.0).astype(np.float32)


def _estimate_noise(before: Grey, after: Grey, where: NDArray[np.bool_]) -> float:
    """The standard deviation of the difference of two dark pictures, from its median, which a hand does not affect."""
    if not where.any():
        return 0.0
    return 1.4826 * float(np.median(np.abs(before[where] - after[where])))


def _find_spots(
    rise: Grey, least: float, where: NDArray[np.bool_], calibration: Calibration, limits: LedLimits
) -> list[LedDetection | None]:
    """One entry for each connected area that is brighter by `least`; None for an area too large for an LED."""
    bright = ((rise >= least) & where).astype(np.uint8)
    count, labels, boxes, _ = cv2.connectedComponentsWithStats(bright, connectivity=8)
    found = []
    for number in range(1, count):
        x, y, width, height = (int(value) for value in boxes[number, :4])
        window = (slice(y, y + height), slice(x, x + width))
        part = np.where(labels[window] == number, rise[window], 0)
        found.append(_measure_spot(part, (x, y), calibration, limits))
    return found


def _measure_spot(
    part: Grey, corner_px: tuple[int, int], calibration: Calibration, limits: LedLimits
) -> LedDetection | None:
    """`part` is a crop with its upper left pixel at `corner_px`, and 0 around the spot."""
    core = np.where(part >= part.max() / 2, part, 0)
    rows, columns = np.nonzero(core)
    x_px, y_px = columns + corner_px[0], rows + corner_px[1]
    ends = np.array([(x_px.min(), y_px.min()), (x_px.max(), y_px.max()), (x_px.min(), y_px.max())], np.float64)
    ends_mm = calibration.projection.to_board(ends, limits.rim_height_mm)
    if max(np.linalg.norm(ends_mm[0] - ends_mm[1]), np.linalg.norm(ends_mm[1] - ends_mm[2])) > limits.widest_mm:
        return None
    weights = core[rows, columns]
    at_px = float(np.average(x_px, weights=weights)), float(np.average(y_px, weights=weights))
    at_mm = calibration.projection.to_board([at_px], limits.rim_height_mm)[0]
    return LedDetection(at_px, (float(at_mm[0]), float(at_mm[1])), float(weights.sum()))


def _select_spot(spots: list[LedDetection], limits: LedLimits) -> LedDetection | None:
    """The brightest spot, unless a distant one has nearly as much light."""
    if not spots:
        return None
    best = max(spots, key=lambda spot: spot.light)
    for spot in spots:
        away_mm = np.hypot(spot.at_mm[0] - best.at_mm[0], spot.at_mm[1] - best.at_mm[1])
        if away_mm > limits.rival_mm and spot.light >= limits.rival_share * best.light:
            return None
    return best
