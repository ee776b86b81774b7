"""A screenshot as a small PNG with 256 colours, for the documentation."""

import struct
import zlib

import cv2
import numpy as np
from numpy.typing import NDArray

_COLOURS = 256
_SAMPLES = 20_000


def small_png(content: bytes) -> bytes:
    """Converts any PNG; one with transparency keeps its pixels and is only compressed again."""
    pixels = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_UNCHANGED)
    assert pixels is not None
    if pixels.shape[2] == 4 and pixels[..., 3].min() < 255:
        return cv2.imencode(".png", pixels, [cv2.IMWRITE_PNG_COMPRESSION, 9])[1].tobytes()
    rgb = np.ascontiguousarray(pixels[..., 2::-1], dtype=np.uint8)
    palette = _palette(rgb)
    return _written(_indexed(rgb, palette), palette)


def _palette(rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(256, 3): the most frequent colours exactly, then cluster centres of the others."""
    flat = rgb.reshape(-1, 3)
    colours, counts = np.unique(flat, axis=0, return_counts=True)
    if len(colours) <= _COLOURS:
        return np.asarray(colours)
    common = colours[np.argsort(-counts)[: _COLOURS // 4]]
    chosen = np.random.default_rng(1).choice(len(flat), min(_SAMPLES, len(flat)), replace=False)
    cv2.setRNGSeed(1)
    ends = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 12, 0.5)
    samples = np.vstack([flat[chosen], colours[:: max(1, len(colours) // 4000)]]).astype(np.float32)
    centres = cv2.kmeans(samples, _COLOURS - len(common), None, ends, 1, cv2.KMEANS_RANDOM_CENTERS)[2]  # type: ignore[call-overload]
    return np.vstack([common, np.clip(np.rint(centres), 0, 255)]).astype(np.uint8)


def _indexed(rgb: NDArray[np.uint8], palette: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(height, width): the index of the nearest palette colour for each pixel."""
    flat = rgb.reshape(-1, 3)
    colours, places = np.unique(flat, axis=0, return_inverse=True)
    nearest = np.empty(len(colours), np.uint8)
    for start in range(0, len(colours), 2000):
        part = colours[start : start + 2000].astype(np.int32)
        apart = ((part[:, None] - palette[None].astype(np.int32)) ** 2).sum(axis=2)
        nearest[start : start + 2000] = apart.argmin(axis=1)
    return nearest[places.reshape(-1)].reshape(rgb.shape[:2])


def _written(indices: NDArray[np.uint8], palette: NDArray[np.uint8]) -> bytes:
    height, width = indices.shape
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    rows = np.hstack([np.zeros((height, 1), np.uint8), indices]).tobytes()
    parts = ((b"IHDR", head), (b"PLTE", palette.tobytes()), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_part(kind, data) for kind, data in parts)


def _part(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
