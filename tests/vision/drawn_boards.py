"""Small boards drawn for the tests, with the calibration of the camera that would see them so."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.checkers.network import ViewReading
from vision.geometry.calibration import Calibration, CalibrationMethod
from vision.geometry.projection import FieldShape, Lens, Projection

Picture = NDArray[np.uint8]
Bgr = tuple[int, int, int]

FIELD = FieldShape(440, 400, 205, 235)
BROWN: Bgr = (70, 105, 150)


def exact_calibration(size_px: tuple[int, int], projection: Projection, field: FieldShape) -> Calibration:
    return Calibration(size_px, projection, field, False, CalibrationMethod.CORNERS, 0.0, "2026-01-01T00:00:00+00:00")


def calibration_for(
    width_px: int = 640, height_px: int = 480, *, corners_px: Sequence[tuple[float, float]] | None = None
) -> Calibration:
    """The field fills the middle three quarters of the picture, or has these corners."""
    x_px, y_px = width_px / 8, height_px / 8
    corners = corners_px or ((x_px, y_px), (7 * x_px, y_px), (7 * x_px, 7 * y_px), (x_px, 7 * y_px))
    projection = Projection.of_corners(corners, FIELD, Lens.usual(width_px, height_px))
    return replace(exact_calibration((width_px, height_px), projection, FIELD), scale_is_assumed=True)


def drawn_board(
    known: Calibration, checkers: Mapping[str, Sequence[Bgr]], *, noise: float = 0.0, seed: int = 1
) -> Picture:
    """A brown board with lighter and darker points; `checkers` has the colours of the checkers on each, from the rim."""
    width_px, height_px = known.image_size_px
    picture = np.full((height_px, width_px, 3), (90, 90, 90), np.uint8)
    cv2.fillPoly(picture, [_px(known, FIELD.corners_mm)], BROWN)
    for row in "TB":
        for column in range(1, 13):
            middle, base = FIELD.point_middle_mm(column), 0.0 if row == "T" else FIELD.height_mm
            tip = 170.0 if row == "T" else FIELD.height_mm - 170
            half = FIELD.pitch_mm / 2
            corners = np.array([(middle - half, base), (middle + half, base), (middle, tip)])
            shade: Bgr = (100, 140, 190) if (column + (row == "T")) % 2 else (45, 70, 110)
            cv2.fillPoly(picture, [_px(known, corners)], shade, cv2.LINE_AA)
    for name, colours in checkers.items():
        for depth, colour in enumerate(colours):
            _draw_checker(picture, known, name, depth, colour)
    if noise:
        picture = np.clip(np.rint(picture + noise * _noise(picture.shape, seed % 4)), 0, 255).astype(np.uint8)
    return picture


@lru_cache(maxsize=8)
def _noise(shape: tuple[int, ...], seed: int) -> NDArray[np.float32]:
    return np.random.default_rng(seed).standard_normal(shape, np.float32)


def _draw_checker(picture: Picture, known: Calibration, name: str, depth: int, colour: Bgr) -> None:
    x_mm, y_mm = checker_mm(name, depth)
    radius_mm = FIELD.pitch_mm * 0.47
    middle, beside = _px(known, np.array([(x_mm, y_mm), (x_mm + radius_mm, y_mm)]))
    radius_px = max(2, round(float(np.linalg.norm(beside - middle))))
    cv2.circle(picture, (int(middle[0]), int(middle[1])), radius_px, colour, cv2.FILLED, cv2.LINE_AA)


def checker_mm(name: str, depth: int) -> tuple[float, float]:
    """The middle of the checker number `depth` of a point, 0 at the rim."""
    from_rim = FIELD.pitch_mm * (depth + 0.5)
    return FIELD.point_middle_mm(int(name[1:])), from_rim if name.startswith("T") else FIELD.height_mm - from_rim


def _px(known: Calibration, points_mm: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.rint(known.projection.to_picture(points_mm)).astype(np.int32)


def said(
    points: Mapping[int, tuple[int, float]] | None = None,
    *,
    bar: tuple[int, int] = (0, 0),
    visible: Mapping[int, float] | None = None,
) -> ViewReading:
    """What the network might say: place index -> (class of 31, its probability); all others surely empty."""
    chances = np.full((24, 31), 1e-6)
    chances[:, 0] = 1.0
    for place, (kind, chance) in (points or {}).items():
        chances[place] = (1 - chance) / 30
        chances[place, kind] = chance
    log = np.log(chances / chances.sum(axis=1, keepdims=True)).astype(np.float32)
    on_bar = [np.where(np.arange(16) == count, 0.0, -12.0).astype(np.float32) for count in bar]
    seen = np.ones(25, np.float32)
    for place, share in (visible or {}).items():
        seen[place] = share
    return ViewReading(log, on_bar[0], on_bar[1], seen, ())
