"""Brushes: shapes with anti-aliased edges on a canvas of linear light (float32, blue first)."""

from collections.abc import Iterable

import cv2
import numpy as np

from vision.simulated.drawing.textures import Pixels, picture_to_light
from vision.simulated.scene import Colour

PixelWindow = tuple[slice, slice]

FINE_BELOW_PX = 300  # px; shapes below this size are drawn four times as large for their edges, others twice


def find_window(points_px: Pixels, size_px: tuple[int, int], border: int = 2) -> PixelWindow | None:
    """Rows and columns around the points; None when they are outside the canvas or not finite."""
    if not np.isfinite(points_px).all() or np.abs(points_px).max() > 30_000:
        return None
    low = np.maximum(np.floor(points_px.min(0)).astype(int) - border, 0)
    high = np.minimum(np.ceil(points_px.max(0)).astype(int) + border + 1, np.array(size_px))
    if (high <= low).any():
        return None
    return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))


def window_size(window: PixelWindow) -> tuple[int, int]:
    """(width, height)."""
    rows, columns = window
    return columns.stop - columns.start, rows.stop - rows.start


def shift_into_window(window: PixelWindow) -> Pixels:
    """(3, 3) homography from pixels of the canvas to those of the window."""
    rows, columns = window
    return np.array([[1, 0, -columns.start], [0, 1, -rows.start], [0, 0, 1]], np.float64)


def stretch_to(quad_px: Pixels, width: int, height: int) -> Pixels:
    """(3, 3) homography that takes the outer corners of a picture of that size to the four corners."""
    right, below = width - 0.5, height - 0.5
    source = np.array([[-0.5, -0.5], [right, -0.5], [right, below], [-0.5, below]], np.float32)
    return cv2.getPerspectiveTransform(source, quad_px.astype(np.float32))


def _shrink(outline: Pixels, by: float) -> Pixels:
    """A convex outline with every edge moved inward."""
    after = np.concatenate((outline[1:], outline[:1]))
    edge = after - outline
    long = np.sqrt(edge[:, 0] ** 2 + edge[:, 1] ** 2) + 1e-9
    area = float(outline[:, 0] @ after[:, 1] - outline[:, 1] @ after[:, 0])
    inward = np.empty_like(edge)
    inward[:, 0], inward[:, 1] = -edge[:, 1] / long, edge[:, 0] / long
    both = inward + np.concatenate((inward[-1:], inward[:-1]))
    square = np.maximum(both[:, 0] ** 2 + both[:, 1] ** 2, 1.0)
    moved: Pixels = outline + both * ((2 * by if area > 0 else -2 * by) / square)[:, None]
    return moved


def coverage(outlines_px: Iterable[Pixels], window: PixelWindow) -> Pixels:
    """float32 0..1 over the window: share of each pixel that the convex outlines cover together."""
    rows, columns = window
    width, height = window_size(window)
    fine = 4 if max(height, width) < FINE_BELOW_PX else 2
    mask = np.zeros((height * fine, width * fine), np.uint8)
    for outline in outlines_px:
        # `fillPoly` includes the border pixels and so grows a shape by half a fine pixel.
        fixed = _shrink((outline - (columns.start, rows.start) + 0.5) * fine - 0.5, 0.5) * 16
        cv2.fillPoly(mask, [np.round(fixed).astype(np.int32)], 255, cv2.LINE_8, 4)
    small = cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA)
    return small.astype(np.float32) * np.float32(1 / 255)


def lay(canvas: Pixels, window: PixelWindow, mask: Pixels, colours: Pixels) -> None:
    """Blends `colours` (one, or a window of them) over the canvas, in place."""
    part = canvas[window]
    part += (colours - part) * cv2.merge([mask, mask, mask])


def fill(canvas: Pixels, outline_px: Pixels, colours: Pixels, light: Pixels) -> None:
    """Fills an outline with one colour, times `light` (as large as the canvas)."""
    window = find_window(outline_px, (canvas.shape[1], canvas.shape[0]))
    if window is not None:
        lay(canvas, window, coverage([outline_px], window), colours * light[window])


def lay_sheet(canvas: Pixels, sheet: Pixels, to_canvas: Pixels, outline_px: Pixels) -> PixelWindow | None:
    """Warps 8-bit sRGB as light into the part of the canvas inside the outline; the sheet continues beyond its edge.

    Returns that part, or None when nothing of it is on the canvas.
    """
    window = find_window(outline_px, (canvas.shape[1], canvas.shape[0]))
    if window is None:
        return None
    matrix = shift_into_window(window) @ to_canvas
    canvas[window] = picture_to_light(
        cv2.warpPerspective(sheet, matrix, window_size(window), borderMode=cv2.BORDER_REPLICATE)
    )
    return window


def lay_picture(canvas: Pixels, picture: Pixels, to_canvas: Pixels, *, mask: Pixels, light: Pixels) -> None:
    """Warps a small linear picture with its mask (float32) onto the canvas by a homography of picture pixels."""
    height, width = mask.shape
    corners = np.array([[[-0.5, -0.5], [width - 0.5, -0.5], [width - 0.5, height - 0.5], [-0.5, height - 0.5]]])
    outline = cv2.perspectiveTransform(corners, to_canvas)[0]
    window = find_window(outline, (canvas.shape[1], canvas.shape[0]))
    if window is None:
        return
    bent = cv2.warpPerspective(
        np.dstack([picture, mask]), shift_into_window(window) @ to_canvas, window_size(window), flags=cv2.INTER_LINEAR
    )
    share = bent[..., 3]
    colours = bent[..., :3] / np.maximum(share, 1e-3)[..., None]
    lay(canvas, window, share, colours * light[window])


def soften(mask: Pixels, sigma_px: float) -> Pixels:
    """Gaussian blur of uint8 or float32; a wide blur runs on a smaller copy."""
    shrink = int(sigma_px / 2.5)
    if shrink < 2:
        return cv2.GaussianBlur(mask, (0, 0), max(sigma_px, 0.3))
    height, width = mask.shape[:2]
    small = cv2.resize(mask, (-(-width // shrink), -(-height // shrink)), interpolation=cv2.INTER_AREA)
    return cv2.resize(cv2.GaussianBlur(small, (0, 0), sigma_px / shrink), (width, height))


def circle_mm(centre_mm: tuple[float, float], radius_mm: float, height_mm: float, count: int = 40) -> Pixels:
    """(count, 3) points around a level circle."""
    turn, (x, y) = np.arange(count) * (2 * np.pi / count), centre_mm
    return np.column_stack([x + radius_mm * np.cos(turn), y + radius_mm * np.sin(turn), np.full(count, height_mm)])


def rectangle_mm(low: tuple[float, float], high: tuple[float, float], height_mm: float) -> Pixels:
    (x0, y0), (x1, y1) = low, high
    return np.array([[x0, y0, height_mm], [x1, y0, height_mm], [x1, y1, height_mm], [x0, y1, height_mm]])


def rotated_rectangle_mm(centre_mm: tuple[float, float], size_mm: tuple[float, float], angle_deg: float) -> Pixels:
    """(4, 2) corners of a rectangle turned about its middle."""
    angle = np.radians(angle_deg)
    along = np.array([np.cos(angle), np.sin(angle)]) * size_mm[0] / 2
    across = np.array([-np.sin(angle), np.cos(angle)]) * size_mm[1] / 2
    left, right = np.array(centre_mm) - along, np.array(centre_mm) + along
    return np.array([left - across, right - across, right + across, left + across])


def lift_to_height(outline_mm: Pixels, height_mm: float) -> Pixels:
    """(n, 2) to (n, 3)."""
    return np.column_stack([outline_mm, np.full(len(outline_mm), height_mm)])


def hull(points_px: Pixels) -> Pixels:
    """Convex outline, (m, 2) float."""
    found = cv2.convexHull(np.ascontiguousarray(points_px, np.float32))
    return found.reshape(-1, 2).astype(np.float64)


def luma(colour: Colour) -> float:
    """Rec. 709 luma of coded values."""
    red, green, blue = colour
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
