"""The shadows of moving bodies on a finished picture of the table, computed only where they fall."""

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulated.drawing.lighting import HALF, ShadowCaster, compute_contact_shadow, compute_transmission
from vision.simulated.drawing.optics import View
from vision.simulated.drawing.painting import PixelWindow, find_window
from vision.simulated.drawing.textures import linear
from vision.simulated.scene import Lamp, Scene
from vision.simulated.table_layers import SURFACE, TABLE, TOPS, CheckersLayer

Pixels = NDArray[Any]
LEVELS = ((SURFACE, "surface"), (TOPS, "tops"), (TABLE, "table"))
DARKEST = np.float32(1e-3)
SOFT_PX = 80  # margin; soft edges of shadows are at most 25 px wide on the half-size canvas


def level_mm(level: int, scene: Scene) -> float:
    if level == TABLE:
        return -scene.board.depth_mm if scene.board is not None else 0.0
    return 0.0 if level == SURFACE else scene.checker_thickness_mm + 0.2


def crop_view(view: View, window: PixelWindow) -> View:
    """The same view of a part of the canvas."""
    rows, columns = window
    shift = np.array([[1, 0, -columns.start], [0, 1, -rows.start], [0, 0, 1]], np.float64)
    return View(shift @ view.matrix, view.position_mm, (columns.stop - columns.start, rows.stop - rows.start))


def align_to_even(window: PixelWindow, size_px: tuple[int, int], border: int = 0) -> PixelWindow:
    """Grows the window by the border to even pixels, or to the canvas's edge."""
    rows, columns = window
    top, left = max(rows.start - border, 0) // 2 * 2, max(columns.start - border, 0) // 2 * 2
    bottom, right = (-(-(part.stop + border) // 2) * 2 for part in (rows, columns))
    return slice(top, min(bottom, size_px[1])), slice(left, min(right, size_px[0]))


def find_shadow_window(solids: Sequence[ShadowCaster], scene: Scene, view: View) -> PixelWindow | None:
    """The window in which the bodies or their shadows may be visible."""
    points = np.concatenate([solid.points_mm for solid in solids])
    found = [view.project(points)]
    for lamp in scene.lamps:
        for level, _ in LEVELS:
            found.append(view.project(_project_to_level(points, lamp, level_mm(level, scene))))
    pixels = np.clip(np.concatenate(found), -20_000, 20_000)
    window = find_window(pixels, view.size_px)
    border = round(_max_softness_px(solids, scene, view)) + 4
    return None if window is None else align_to_even(window, view.size_px, border)


def _max_softness_px(solids: Sequence[ShadowCaster], scene: Scene, view: View) -> float:
    low = min(float(solid.points_mm[:, 2].min()) for solid in solids)
    up = float(np.median([solid.up_mm for solid in solids])) - min(low, 0.0)
    widest = max((lamp.spread for lamp in scene.lamps), default=0.0)
    return float(min(2.5 * 1.3 * widest * up * view.px_per_mm(250, 200), SOFT_PX))


def _project_to_level(points_mm: Pixels, lamp: Lamp, height_mm: float) -> Pixels:
    at = np.array(lamp.at_mm)
    reach = (at[2] - height_mm) / np.maximum(at[2] - np.maximum(points_mm[:, 2], height_mm), 30.0)
    flat = at[:2] + (points_mm[:, :2] - at[:2]) * reach[:, None]
    return np.column_stack([flat, np.full(len(flat), height_mm)])


def compute_dimming(solids: Sequence[ShadowCaster], standing: CheckersLayer, window: PixelWindow) -> dict[int, Pixels]:
    """For each shadowed level: (rows, columns, 3) of the even window, share of the light that remains."""
    stage = standing.table
    scene = stage.scene
    half = tuple(slice(part.start // 2, -(-part.stop // 2)) for part in window)
    view = crop_view(stage.view.scale(HALF), (half[0], half[1]))
    seen = np.unique(standing.levels[window][::2, ::2])
    found: dict[int, Pixels] = {}
    for level, name in LEVELS:
        height = level_mm(level, scene)
        tall = [solid for solid in solids if solid.points_mm[:, 2].max() > height + 0.1]
        if level not in seen or not tall:
            continue
        parts = standing.light_shares[name]
        ambient = parts.ambient[half]
        darker = ambient * (1 - _contact_shadow(tall, level, scene, view)) if level == SURFACE else ambient
        before, after = _ambient_planes(ambient, scene), _ambient_planes(darker, scene)
        for lamp, plane in zip(scene.lamps, parts.lamps, strict=True):
            colour = linear(lamp.colour) * np.float32(lamp.strength)
            light = plane[half]
            left = light * compute_transmission([tall], lamp, height, view)
            before += light[..., None] * colour
            after += left[..., None] * colour
        rows, columns = window
        size = (columns.stop - columns.start, rows.stop - rows.start)
        found[level] = _stretch(after / np.maximum(before, DARKEST), size)
    return found


def _ambient_planes(ambient: Pixels, scene: Scene) -> Pixels:
    planes: Pixels = ambient[..., None] * np.array(scene.ambient[::-1], np.float32)
    return planes


def _contact_shadow(solids: Sequence[ShadowCaster], level: int, scene: Scene, view: View) -> Pixels:
    return compute_contact_shadow(solids, level_mm(level, scene), view, 2.5) * np.float32(scene.occlusion)


def _stretch(factor: Pixels, size_px: tuple[int, int]) -> Pixels:
    """Enlarges a half-size map to the window; where the canvas has an odd length its last pixel stands alone."""
    doubled = (factor.shape[1] * 2, factor.shape[0] * 2)
    large = cv2.resize(factor.astype(np.float32), doubled, interpolation=cv2.INTER_LINEAR)
    return large[: size_px[1], : size_px[0]]


def darken(canvas: Pixels, levels: Pixels, window: PixelWindow, left: dict[int, Pixels]) -> None:
    """Multiplies the canvas by the remaining light of each level, in place."""
    if not left:
        return
    part, where = canvas[window], levels[window]
    every = np.ones(part.shape, np.float32)
    for level, factor in left.items():
        cv2.copyTo(factor, (where == level).astype(np.uint8), every)
    part *= every
