"""A wooden board drawn flat with tags on its rim, and the picture a tilted camera takes of it."""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.projection import FieldShape, Lens, Projection

Picture = NDArray[np.uint8]

FIELD = FieldShape(440, 360, 200, 240)
RIM_MM = 30
TAG_MM = 22
TEXTURE_PX_PER_MM = 3
GAMMA = 2.2
SIZE_PX = (640, 480)
LENS = Lens(576.0, (319.5, 239.5), -0.04)
# From 620 mm above, 14 degrees from the front and 3 from the left, rolled by 2.
TURN_DEG = (14.0, -3.0, 2.0)
LIGHT, DARK = (205, 225, 235), (45, 40, 60)


def seen_from(lens: Lens, turn: tuple[float, float, float], *, away_mm: float = 800.0) -> Projection:
    """A camera aimed at the centre of the field, tilted about x, then y, then rolled; radians."""
    (sx, sy, sz), (cx, cy, cz) = np.sin(turn), np.cos(turn)
    about_x = np.array([(1, 0, 0), (0, cx, -sx), (0, sx, cx)])
    about_y = np.array([(cy, 0, sy), (0, 1, 0), (-sy, 0, cy)])
    about_z = np.array([(cz, -sz, 0), (sz, cz, 0), (0, 0, 1)])
    turned = about_z @ about_y @ about_x
    shift = np.array((0, 0, away_mm)) - turned @ np.array((220, 180, 0))
    camera = np.array([(lens.focal_px, 0, lens.centre_px[0]), (0, lens.focal_px, lens.centre_px[1]), (0, 0, 1)])
    return Projection.of(camera @ np.column_stack([turned[:, 0], turned[:, 1], shift]), lens)


PROJECTION = seen_from(LENS, tuple(np.radians(TURN_DEG).tolist()), away_mm=620)
CORNERS_PX = PROJECTION.to_picture(FIELD.corners_mm)


def photograph(
    *, tags: tuple[int, ...] = (0, 1, 2, 3), checkers: dict[str, int] | None = None, projection: Projection = PROJECTION
) -> Picture:
    """640x480. `checkers`: counts on points, light ones on T and dark ones on B. Blurred in light, as a lens does."""
    margin = 3 * RIM_MM
    wood = flat_board(tags, tuple((checkers or {}).items()), margin)
    places = _places(projection, margin)
    picture = cv2.remap(wood, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderValue=(70, 90, 80))
    light = cv2.GaussianBlur((picture / 255) ** GAMMA, (0, 0), 0.7)
    noise = np.random.default_rng(3).normal(0, 2, picture.shape)
    noisy: Picture = np.clip(255 * light ** (1 / GAMMA) + noise, 0, 255).astype(np.uint8)
    return noisy


@lru_cache(maxsize=16)
def _places(projection: Projection, margin: int) -> NDArray[np.float32]:
    x_px, y_px = np.meshgrid(np.arange(SIZE_PX[0]), np.arange(SIZE_PX[1]))
    mm = projection.to_board(np.column_stack([x_px.ravel(), y_px.ravel()])).reshape(SIZE_PX[1], SIZE_PX[0], 2)
    return ((mm + margin) * TEXTURE_PX_PER_MM - 0.5).astype(np.float32)


@lru_cache(maxsize=8)
def flat_board(tags: tuple[int, ...], checkers: tuple[tuple[str, int], ...], margin: int) -> Picture:
    """The board from straight above, TEXTURE_PX_PER_MM, with `margin` mm of table around the field."""
    width, height = int(FIELD.width_mm) + 2 * margin, int(FIELD.height_mm) + 2 * margin
    wood = np.full((height * TEXTURE_PX_PER_MM, width * TEXTURE_PX_PER_MM, 3), (70, 90, 80), np.uint8)
    _rectangle(wood, margin, (-RIM_MM, -RIM_MM), (440 + RIM_MM, 360 + RIM_MM), (30, 45, 75))
    _rectangle(wood, margin, (0, 0), (440, 360), (110, 160, 190))
    _rectangle(wood, margin, (200, 0), (240, 360), (35, 50, 85))
    for column in range(1, 13):
        middle, half = FIELD.point_middle_mm(column), FIELD.pitch_mm / 2
        for base, tip, shade in ((0, 150, column % 2), (360, 210, (column + 1) % 2)):
            corners = np.array([(middle - half, base), (middle + half, base), (middle, tip)]) + margin
            colour = (60, 70, 130) if shade else (150, 200, 220)
            cv2.fillPoly(wood, [np.rint(corners * TEXTURE_PX_PER_MM).astype(np.int32)], colour, cv2.LINE_AA)
    for place, count in checkers:
        for depth in range(count):
            _checker(wood, margin, place, depth)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for number in tags:
        x_mm, y_mm = ((-15, -15), (455, -15), (455, 375), (-15, 375))[number]
        _rectangle(wood, margin, (x_mm - 14, y_mm - 14), (x_mm + 14, y_mm + 14), (240, 240, 240))
        side = TAG_MM * TEXTURE_PX_PER_MM
        left, top = (round((at + margin - TAG_MM / 2) * TEXTURE_PX_PER_MM) for at in (x_mm, y_mm))
        marker = cv2.aruco.generateImageMarker(dictionary, number, side)
        wood[top : top + side, left : left + side] = marker[..., None]
    return wood


def _rectangle(
    wood: Picture, margin: int, begin: tuple[int, int], end: tuple[int, int], colour: tuple[int, int, int]
) -> None:
    (left, top), (right, bottom) = (
        ((x + margin) * TEXTURE_PX_PER_MM, (y + margin) * TEXTURE_PX_PER_MM) for x, y in (begin, end)
    )
    wood[top:bottom, left:right] = colour


def _checker(wood: Picture, margin: int, place: str, depth: int) -> None:
    x_mm, from_rim = FIELD.point_middle_mm(int(place[1:])), 31.0 * (depth + 0.5)
    y_mm = from_rim if place[0] == "T" else 360 - from_rim
    middle = (round((x_mm + margin) * TEXTURE_PX_PER_MM), round((y_mm + margin) * TEXTURE_PX_PER_MM))
    colour = LIGHT if place[0] == "T" else DARK
    cv2.circle(wood, middle, 15 * TEXTURE_PX_PER_MM, colour, cv2.FILLED, cv2.LINE_AA)
