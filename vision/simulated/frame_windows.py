"""Windows of the canvas and of the picture, and the mapping between them."""

import numpy as np

from vision.simulated.drawing.optics import distort
from vision.simulated.drawing.painting import PixelWindow, find_window
from vision.simulated.drawing.textures import Pixels
from vision.simulated.table_layers import BareTableLayer

BLUR_PX = 4  # margin for the blur of the lens


def widen(part: slice, length: int) -> slice:
    return slice(max(part.start - BLUR_PX, 0), min(part.stop + BLUR_PX, length))


def canvas_window(where: Pixels, shape: tuple[int, ...]) -> PixelWindow:
    """The part of the canvas that these picture pixels sample."""
    edge = np.concatenate([where[0], where[-1], where[:, 0], where[:, -1]])
    low, high = np.floor(edge.min(0)).astype(int) - 1, np.ceil(edge.max(0)).astype(int) + 2
    rows = slice(max(int(low[1]), 0), min(int(high[1]), shape[0]))
    return rows, slice(max(int(low[0]), 0), min(int(high[0]), shape[1]))


def to_picture_window(window: PixelWindow, stage: BareTableLayer) -> PixelWindow | None:
    """The part of the picture that shows this part of the canvas."""
    rows, columns = window
    along = np.linspace(0, 1, 9)
    x, y = columns.start + along * (columns.stop - columns.start), rows.start + along * (rows.stop - rows.start)
    edge = np.concatenate(
        [np.dstack(np.meshgrid(x, y[[0, -1]])), np.dstack(np.meshgrid(x[[0, -1]], y)).reshape(2, 9, 2)]
    )
    seen = distort(stage.scene.camera, edge.reshape(-1, 2) + stage.origin_px)
    return find_window(seen, stage.scene.camera.size_px, BLUR_PX)


def merge_windows(windows: list[PixelWindow]) -> list[PixelWindow]:
    """Joins overlapping windows until none overlap."""
    found: list[PixelWindow] = []
    for window in windows:
        rows, columns = window
        apart = []
        for other in found:
            if intersect(other, (rows, columns)) is not None:
                pairs = zip(other, (rows, columns), strict=True)
                rows, columns = (slice(min(a.start, b.start), max(a.stop, b.stop)) for a, b in pairs)
            else:
                apart.append(other)
        found = [*apart, (rows, columns)]
    return found if len(found) == len(windows) else merge_windows(found)


def intersect(first: PixelWindow, second: PixelWindow) -> PixelWindow | None:
    """The common part; None when it is empty."""
    rows, columns = (slice(max(a.start, b.start), min(a.stop, b.stop)) for a, b in zip(first, second, strict=True))
    return (rows, columns) if rows.start < rows.stop and columns.start < columns.stop else None


def shift_into(window: PixelWindow, whole: PixelWindow) -> PixelWindow:
    """The window relative to the first pixel of another window that contains it."""
    rows, columns = (slice(own.start - of.start, own.stop - of.start) for own, of in zip(window, whole, strict=True))
    return rows, columns
