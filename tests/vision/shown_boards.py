"""Reduced views of boards with flat round checkers, drawn by the tests themselves."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.checkers.point_changes import POINTS, SLOTS, VIEW_SHRINK, reduce_view
from vision.geometry.top_view import BAR_PX, MARGIN_PX, PITCH_PX, VIEW_HEIGHT_PX, VIEW_WIDTH_PX

SHOWN_SHAPE = (VIEW_HEIGHT_PX // VIEW_SHRINK, VIEW_WIDTH_PX // VIEW_SHRINK, 3)
FELT, LIGHT, DARK = (70, 95, 60), (190, 205, 215), (50, 45, 55)


def shown_with(
    middles: Mapping[int, Sequence[float]], diameter: float = 0.95, colour: tuple[int, int, int] = LIGHT
) -> NDArray[np.uint8]:
    """`middles` of checkers by point (0..23), in widths of a point from the rim; so is the `diameter`."""
    view = np.full((VIEW_HEIGHT_PX, VIEW_WIDTH_PX, 3), FELT, np.uint8)
    _draw(view, middles, diameter, colour)
    return reduce_view(view)


def picture_with(
    stacks: Sequence[tuple[int, int]],
    also: Mapping[int, Sequence[float]] = MappingProxyType({}),
    bar: tuple[int, int] = (0, 0),
) -> NDArray[np.uint8]:
    """Light and dark checkers by point, the lowest layer only; `also`: middles of further light ones.

    On the `bar` light ones lie in the upper half, from the middle outwards, and dark ones in the lower.
    """
    view = np.full((VIEW_HEIGHT_PX, VIEW_WIDTH_PX, 3), FELT, np.uint8)
    for point, (light, dark) in enumerate(stacks):
        middles = [slot + 0.5 for slot in range(min(light + dark, SLOTS))]
        _draw(view, {point: middles}, 0.95, LIGHT if light else DARK)
    _draw(view, also, 0.95, LIGHT)
    for count, colour, way in zip(bar, (LIGHT, DARK), (-1, 1), strict=True):
        for number in range(count):
            away = way * (number + 0.5) * PITCH_PX
            _draw_checker(view, VIEW_WIDTH_PX / 2, VIEW_HEIGHT_PX / 2 + away, 0.95, colour)
    return reduce_view(view)


def _draw(
    view: NDArray[np.uint8], middles: Mapping[int, Sequence[float]], diameter: float, colour: tuple[int, int, int]
) -> None:
    half = POINTS // 2
    for point, along in middles.items():
        column = point % half
        x = MARGIN_PX + column * PITCH_PX + (BAR_PX if column >= half // 2 else 0) + PITCH_PX / 2
        for middle in along:
            away = MARGIN_PX + middle * PITCH_PX
            y = away if point < half else VIEW_HEIGHT_PX - away
            _draw_checker(view, x, y, diameter, colour)


def _draw_checker(
    view: NDArray[np.uint8], x_px: float, y_px: float, diameter: float, colour: tuple[int, int, int]
) -> None:
    cv2.circle(view, (round(x_px), round(y_px)), round(diameter * PITCH_PX / 2), colour, cv2.FILLED)
