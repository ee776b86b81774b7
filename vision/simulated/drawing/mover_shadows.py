"""The shadows of moving bodies on a finished picture of the table, computed only where they fall."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.simulated.drawing.lighting import (
    HALF,
    ShadowCaster,
    compute_contact_shadow,
    compute_transmission,
    project_to_level,
)
from vision.simulated.drawing.optics import View
from vision.simulated.drawing.painting import PixelWindow, find_window, shift_into_window, window_size
from vision.simulated.drawing.textures import Pixels, linear
from vision.simulated.scene import Scene
from vision.simulated.table_layers import SURFACE, TABLE, TOPS, CheckersLayer

LEVELS = ((SURFACE, "surface"), (TOPS, "tops"), (TABLE, "table"))
DARKEST = np.float32(1e-3)
SOFT_PX = 80  # margin; soft edges of shadows are at most 25 px wide on the half-size canvas


def level_mm(level: int, scene: Scene) -> float:
    if level == TABLE:
        return scene.table_height_mm
    return 0.0 if level == SURFACE else scene.checker_thickness_mm + 0.2


def align_to_even(window: PixelWindow, size_px: tuple[int, int], border: int = 0) -> PixelWindow:
    """Grows the window by the border to even pixels, or to the canvas's edge."""
    rows, columns = window
    top, left = max(rows.start - border, 0) // 2 * 2, max(columns.start - border, 0) // 2 * 2
    bottom, right = (-(-(part.stop + border) // 2) * 2 for part in (rows, columns))
    return slice(top, min(bottom, size_px[1])), slice(left, min(right, size_px[0]))


def find_shadow_window(solids: Sequence[ShadowCaster], scene: Scene, view: View) -> PixelWindow | None:
    """The window in which the bodies or their shadows may be visible."""
    points = np.concatenate([solid.points_mm for solid in solids])
    levels_mm = [level_mm(level, scene) for level, _ in LEVELS]
    shadows = [project_to_level(points, lamp, level) for lamp in scene.lamps for level in levels_mm]
    pixels = np.clip(np.concatenate([view.project(part) for part in (points, *shadows)]), -20_000, 20_000)
    window = find_window(pixels, view.size_px)
    low = min(float(solid.points_mm[:, 2].min()) for solid in solids)
    up = float(np.median([solid.up_mm for solid in solids])) - min(low, 0.0)
    widest = max((lamp.spread for lamp in scene.lamps), default=0.0)
    softest_px = float(min(2.5 * 1.3 * widest * up * view.px_per_mm(250, 200), SOFT_PX))
    return None if window is None else align_to_even(window, view.size_px, round(softest_px) + 4)


def compute_dimming(solids: Sequence[ShadowCaster], standing: CheckersLayer, window: PixelWindow) -> dict[int, Pixels]:
    """For each shadowed level: (rows, columns, 3) of the even window, share of the light that remains."""
    stage = standing.table
    scene = stage.scene
    rows, columns = (slice(part.start // 2, -(-part.stop // 2)) for part in window)
    half, small = (rows, columns), stage.view.scale(HALF)
    view = View(shift_into_window(half) @ small.matrix, small.position_mm, window_size(half))
    seen = np.unique(standing.levels[window][::2, ::2])
    found: dict[int, Pixels] = {}
    for level, name in LEVELS:
        height = level_mm(level, scene)
        tall = [solid for solid in solids if solid.points_mm[:, 2].max() > height + 0.1]
        if level not in seen or not tall:
            continue
        parts = standing.light_shares[name]
        ambient = parts.ambient[half]
        darker = ambient
        if level == SURFACE:
            darker = ambient * (1 - compute_contact_shadow(tall, height, view, 2.5) * np.float32(scene.occlusion))
        before, after = (part[..., None] * np.array(scene.ambient[::-1], np.float32) for part in (ambient, darker))
        for lamp, plane in zip(scene.lamps, parts.lamps, strict=True):
            colour = linear(lamp.colour) * np.float32(lamp.strength)
            light = plane[half]
            left = light * compute_transmission([tall], lamp, height, view)
            before += light[..., None] * colour
            after += left[..., None] * colour
        factor = (after / np.maximum(before, DARKEST)).astype(np.float32)
        doubled = (factor.shape[1] * 2, factor.shape[0] * 2)
        # where the canvas has an odd length its last pixel stands alone
        large = cv2.resize(factor, doubled, interpolation=cv2.INTER_LINEAR)
        found[level] = large[: window_size(window)[1], : window_size(window)[0]]
    return found


def darken(canvas: Pixels, levels: Pixels, window: PixelWindow, left: dict[int, Pixels]) -> None:
    """Multiplies the canvas by the remaining light of each level, in place."""
    if not left:
        return
    part, where = canvas[window], levels[window]
    every = np.ones(part.shape, np.float32)
    for level, factor in left.items():
        cv2.copyTo(factor, (where == level).astype(np.uint8), every)
    part *= every
