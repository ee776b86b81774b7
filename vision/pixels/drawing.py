"""Lines, plates, notes and remarks on a picture, in pixels. Each mark has a dark edge or ground and is visible on any wood."""

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Picture = NDArray[np.uint8]
Bgr = tuple[int, int, int]

SURE, LIKELY = 0.99, 0.9  # least confidence for a thick line, and for a thin one
FINE_BITS = 4  # lines have coordinates in sixteenths of a pixel, because slanted lines show steps otherwise
LIGHT: Bgr = (240, 240, 240)
DARK: Bgr = (24, 24, 24)
LINE: Bgr = (255, 200, 60)  # a light blue, which colour-blind people distinguish from wood
DOUBT: Bgr = (0, 210, 255)


def draw_sides(picture: Picture, sides: Iterable[NDArray[np.int32]], *, confidence: float, thin_px: int) -> None:
    """Draws an outline thick, thin or dashed by its confidence.

    Each side is (n, 2) points along it, in parts of a pixel (FINE_BITS).
    """
    if confidence < LIKELY:
        dashes = [line[start : start + 2] for line in sides for start in range(0, len(line) - 1, 2)]
        _draw_lines(picture, dashes, DOUBT, thin_px)
    else:
        _draw_lines(picture, list(sides), LINE, thin_px * (3 if confidence >= SURE else 1))


def _draw_lines(picture: Picture, lines: list[NDArray[np.int32]], colour: Bgr, width_px: int) -> None:
    for ink, width in ((DARK, width_px + 2), (colour, width_px)):
        cv2.polylines(picture, lines, False, ink, width, cv2.LINE_AA, shift=FINE_BITS)


def draw_plate(picture: Picture, text: str, at_px: ArrayLike, *, size: float, ink: Bgr, plate: Bgr) -> None:
    """Draws a text plate centred at `at_px`, moved so that it lies inside the picture."""
    weight = max(1, round(size * 1.6))
    (width, height), below = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, weight)
    pad = max(2, height // 3)
    half = np.array([width // 2 + pad, (height + below) // 2 + pad])
    most = np.maximum(np.array(picture.shape[1::-1]) - 1 - half, half)
    x_px, y_px = np.clip(np.asarray(at_px), half, most).astype(int).tolist()
    upper, lower = (x_px - int(half[0]), y_px - int(half[1])), (x_px + int(half[0]), y_px + int(half[1]))
    cv2.rectangle(picture, upper, lower, plate, cv2.FILLED)
    cv2.rectangle(picture, upper, lower, ink, 1)
    foot = (x_px - width // 2, y_px + (height + below) // 2 - below + 1)
    cv2.putText(picture, text, foot, cv2.FONT_HERSHEY_SIMPLEX, size, ink, weight, cv2.LINE_AA)


def draw_note(picture: Picture, text: str) -> None:
    """Draws one line of text on a plate at the lower edge, as large as fits."""
    height_px, width_px = picture.shape[:2]
    (width, _), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 1.0, 1)
    size = min(0.6, 0.96 * width_px / width)
    (width, height), below = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    top_px = height_px - height - 2 * below
    cv2.rectangle(picture, (0, top_px), (width + 2 * below, height_px), DARK, cv2.FILLED)
    foot = (below, height_px - below)
    cv2.putText(picture, text, foot, cv2.FONT_HERSHEY_SIMPLEX, size, LIGHT, 1, cv2.LINE_AA)


def append_remarks(picture: Picture, lines: Sequence[str]) -> Picture:
    """The picture with a strip below it that holds lines of text, as large as the longest one fits."""
    if not lines:
        return picture
    width_px = picture.shape[1]
    longest = max(cv2.getTextSize(line, cv2.FONT_HERSHEY_SIMPLEX, 1.0, 1)[0][0] for line in lines)
    size = min(0.6, 0.96 * width_px / longest)
    (_, height), below = cv2.getTextSize("T", cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    line_px = height + 2 * below
    strip: Picture = np.full((line_px * len(lines) + below, width_px, 3), DARK, np.uint8)
    for number, line in enumerate(lines, 1):
        foot = (below, number * line_px - below // 2)
        cv2.putText(strip, line, foot, cv2.FONT_HERSHEY_SIMPLEX, size, LIGHT, 1, cv2.LINE_AA)
    return np.vstack([picture, strip])
