"""A small JPEG of a large one, and a JPEG of our own of one that a stranger sent: both by decoding and encoding it again."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pixels.picture_file import decode_picture
from vision.pixels.picture_header import read_picture_header

_QUALITIES = (75, 60, 45, 30)  # below 30 the pips of a die are blocks
_HALVINGS = 3


def is_jpeg_within(content: bytes, most_px: int) -> bool:
    """Whether this begins as a JPEG whose longer side has at most so many pixels. Nothing is decoded."""
    header = read_picture_header(content)
    return header is not None and header.kind == "JPEG" and max(header.width_px, header.height_px) <= most_px


def shrink_jpeg(content: bytes, longest_px: int, most_bytes: int) -> bytes | None:
    """The picture with no longer side than that, in at most `most_bytes`; what else the file held is left out. None for what is
    no JPEG, or is damaged.
    """
    header = read_picture_header(content)
    if header is None or header.kind != "JPEG":
        return None
    pixels = decode_picture(content, cv2.IMREAD_COLOR)
    return None if pixels is None else _encode(_within(pixels, longest_px), most_bytes)


def _within(pixels: NDArray[np.uint8], longest_px: int) -> NDArray[np.uint8]:
    height_px, width_px = pixels.shape[:2]
    share = longest_px / max(height_px, width_px)
    if share >= 1:
        return pixels
    size = max(1, round(width_px * share)), max(1, round(height_px * share))
    return cv2.resize(pixels, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


def _encode(pixels: NDArray[np.uint8], most_bytes: int) -> bytes | None:
    for _ in range(_HALVINGS):
        for quality in _QUALITIES:
            is_done, content = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
            if is_done and len(content) <= most_bytes:
                return content.tobytes()
        pixels = _within(pixels, max(pixels.shape[:2]) // 2 or 1)
    return None
