"""Irradiance on each height of the table with shadows, and the reflections of lamps.

The model has three levels: the playing surface (all shadows), the tops of the checkers (shadows of walls and hands) and
the table under the board. A shadow is the outline of a body projected from the lamp onto the level, filled and blurred.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.simulated.drawing.optics import View
from vision.simulated.drawing.painting import soften
from vision.simulated.drawing.textures import Pixels, linear
from vision.simulated.scene import Lamp, Scene

HALF = 0.5  # shadows are computed on a canvas of half the size
GLARE = 0.25
FARTHEST_PX = 20_000  # largest coordinate: OpenCV's fixed-point format overflows beyond
STRONGEST = 2.5  # cap on a lamp's falloff close above one side


@dataclass(frozen=True, slots=True, eq=False)
class ShadowCaster:
    """A convex body that throws shadows: the hull of (n, 3) points, and the height of its upper edge."""

    points_mm: Pixels
    up_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class LightShares:
    """Light on one level as float32 planes of the small canvas: the shares of ambient light and of each lamp."""

    ambient: Pixels
    lamps: tuple[Pixels, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Irradiance:
    """Float32 (height, width, 3) light on each level of the canvas; `free` is without shadows."""

    free: Pixels
    surface: Pixels
    tops: Pixels
    table: Pixels


def falloff(lamp: Lamp, x_mm: Pixels, y_mm: Pixels, centre_mm: tuple[float, float]) -> Pixels:
    """Irradiance relative to the middle of the field."""
    x, y, height = lamp.at_mm
    here = ((x_mm - x) ** 2 + (y_mm - y) ** 2 + height**2) ** -1.5
    there = ((centre_mm[0] - x) ** 2 + (centre_mm[1] - y) ** 2 + height**2) ** -1.5
    return np.asarray(np.clip(here / there, 0, STRONGEST), np.float32)


def middle_mm(scene: Scene) -> tuple[float, float]:
    if scene.board is None:
        return 250.0, 200.0
    return scene.board.field_mm[0] / 2, scene.board.field_mm[1] / 2


def side_factor(scene: Scene, at_mm: tuple[float, float], out: tuple[float, float]) -> float:
    """Brightness of an upright face with normal `out` relative to a level face, both unshadowed."""
    ambient = float(np.mean(scene.ambient))
    level = upright = 0.0
    for lamp in scene.lamps:
        reach = np.array([lamp.at_mm[0] - at_mm[0], lamp.at_mm[1] - at_mm[1], lamp.at_mm[2]])
        reach = reach / np.linalg.norm(reach)
        level += lamp.strength
        facing = max(0.0, float(reach[0] * out[0] + reach[1] * out[1]))
        upright += lamp.strength * min(facing / max(float(reach[2]), 0.25), 2.0)
    return (0.55 * ambient + upright) / max(ambient + level, 1e-6)


def facing_factor(scene: Scene, at_mm: tuple[float, float], out: tuple[float, float, float]) -> float:
    """Brightness of a face with normal (x, y, up) relative to a level face, both unshadowed."""
    ambient = float(np.mean(scene.ambient))
    level = facing = 0.0
    for lamp in scene.lamps:
        reach = np.array([lamp.at_mm[0] - at_mm[0], lamp.at_mm[1] - at_mm[1], lamp.at_mm[2]])
        reach = reach / np.linalg.norm(reach)
        level += lamp.strength
        facing += lamp.strength * min(max(0.0, float(reach @ np.array(out))) / max(float(reach[2]), 0.25), 2.0)
    return ((0.55 + 0.45 * max(out[2], 0.0)) * ambient + facing) / max(ambient + level, 1e-6)


def project_to_level(points_mm: Pixels, lamp: Lamp, level_mm: float) -> Pixels:
    """(n, 3): where the lamp's rays through the points meet the level."""
    at = np.array(lamp.at_mm)
    reach = (at[2] - level_mm) / np.maximum(at[2] - np.maximum(points_mm[:, 2], level_mm), 30.0)
    flat = at[:2] + (points_mm[:, :2] - at[:2]) * reach[:, None]
    return np.column_stack([flat, np.full(len(flat), level_mm)])


def cast_shadows(solids: Sequence[ShadowCaster], lamp: Lamp, level_mm: float, view: View) -> Pixels:
    """uint8 mask of the shadows on a level; a body that does not rise above the level throws none."""
    mask = np.zeros((view.size_px[1], view.size_px[0]), np.uint8)
    tall = [solid.points_mm for solid in solids if solid.points_mm[:, 2].max() > level_mm + 0.1]
    if not tall:
        return mask
    pixels = view.project(project_to_level(np.concatenate(tall), lamp, level_mm))
    fixed = np.round(np.clip(pixels, -FARTHEST_PX, FARTHEST_PX) * 16).astype(np.int32)
    ends = np.cumsum([len(part) for part in tall])
    for outline in np.split(fixed, ends[:-1]):
        cv2.fillConvexPoly(mask, cv2.convexHull(outline), 255, cv2.LINE_8, 4)
    return mask


def _fill_outlines(outlines: Iterable[Pixels], view: View) -> Pixels:
    mask = np.zeros((view.size_px[1], view.size_px[0]), np.uint8)
    for outline in outlines:
        pixels = view.project(outline)
        if np.abs(pixels).max() < FARTHEST_PX:
            cv2.fillPoly(mask, [np.round(pixels * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
    return mask


def compute_transmission(groups: Sequence[Sequence[ShadowCaster]], lamp: Lamp, level_mm: float, view: View) -> Pixels:
    """Share 0..1 of the lamp's light that reaches the level."""
    reaching = np.ones((view.size_px[1], view.size_px[0]), np.float32)
    scale = view.px_per_mm(*(0.5 * value for value in (500.0, 400.0)))
    for group in groups:
        if not group:
            continue
        mask = cast_shadows(group, lamp, level_mm, view)
        up = max(1.0, float(np.median([solid.up_mm for solid in group])) - level_mm)
        sigma = max(0.5, lamp.spread * up * scale * 1.3)
        soft = soften(mask, min(sigma, 25.0))
        reaching *= 1 - soft.astype(np.float32) * np.float32(1 / 255)
    return reaching


def compute_contact_shadow(solids: Sequence[ShadowCaster], level_mm: float, view: View, reach_mm: float) -> Pixels:
    """Ambient occlusion 0..1, high close to where bodies touch the level."""
    feet = [solid.points_mm[np.abs(solid.points_mm[:, 2] - level_mm) < 1.5] for solid in solids]
    mask = _fill_outlines([foot for foot in feet if len(foot) >= 3], view)
    sigma = max(0.7, reach_mm * view.px_per_mm(250, 200))
    return soften(mask, min(sigma, 30.0)).astype(np.float32) / 255


def _board_mm(view: View, level_mm: float) -> tuple[Pixels, Pixels]:
    """Board x and y at every pixel of a small view."""
    width, height = view.size_px
    columns, rows = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    back = np.linalg.inv(view.homography(level_mm))
    depth = back[2, 0] * columns + back[2, 1] * rows + back[2, 2]
    x = (back[0, 0] * columns + back[0, 1] * rows + back[0, 2]) / depth
    y = (back[1, 0] * columns + back[1, 1] * rows + back[1, 2]) / depth
    return x.astype(np.float32), y.astype(np.float32)


def _resize(picture: Pixels, view: View) -> Pixels:
    return cv2.resize(picture, view.size_px, interpolation=cv2.INTER_LINEAR)


def compute_irradiance(scene: Scene, view: View, solids: dict[str, list[ShadowCaster]]) -> Irradiance:
    """`solids` maps walls, checkers, upper, hands, case and things to their shadow casters."""
    levels = compute_light_shares(scene, view, solids)
    return Irradiance(*(light_on_canvas(scene, view, levels[name]) for name in ("free", "surface", "tops", "table")))


def compute_light_shares(scene: Scene, view: View, solids: dict[str, list[ShadowCaster]]) -> dict[str, LightShares]:
    """The shares of the levels free, surface, tops and table, on a canvas `HALF` the size."""
    small, tiny = view.scale(HALF), view.scale(GLARE)
    x, y = _board_mm(tiny, 0.0)
    centre = middle_mm(scene)
    level = scene.checker_thickness_mm + 0.2
    depth = scene.table_height_mm
    grounded = solids["checkers"] + solids["dice"]
    dim = np.float32(scene.occlusion)
    edge = _edge_contact_shadow(scene, small) * dim
    near = np.maximum(compute_contact_shadow(grounded, 0.0, small, 2.5) * dim, edge)
    under = compute_contact_shadow(solids["case"] + solids["things"], depth, small, 10.0) * dim
    ambient = {"free": np.ones_like(edge), "surface": 1 - near, "tops": 1 - 0.4 * edge, "table": 1 - under}
    above = [solids["walls"], solids["upper"], solids["hands"]]
    beside = [solids["case"], solids["things"], solids["hands"]]
    lamps: dict[str, list[Pixels]] = {name: [] for name in ambient}
    for lamp in scene.lamps:
        even = falloff(lamp, x, y, centre)
        even = cv2.resize(even if lamp.patches is None else even * _bands(lamp.patches, x, y), small.size_px)
        lamps["free"].append(even)
        lamps["surface"].append(even * compute_transmission([*above, grounded], lamp, 0.0, small))
        lamps["tops"].append(even * compute_transmission(above, lamp, level, small))
        lamps["table"].append(even * compute_transmission(beside, lamp, depth, small))
    return {name: LightShares(ambient[name], tuple(lamps[name])) for name in ambient}


def light_on_canvas(scene: Scene, view: View, level: LightShares) -> Pixels:
    """(height, width, 3) light on a level, blue first, on the whole canvas."""
    planes = [np.ascontiguousarray(level.ambient * value) for value in np.array(scene.ambient[::-1], np.float32)]
    for lamp, even in zip(scene.lamps, level.lamps, strict=True):
        # plane by plane, several times faster than all three planes at once
        for plane, value in zip(planes, linear(lamp.colour) * np.float32(lamp.strength), strict=True):
            plane += even * value
    return _resize(cv2.merge(planes), view)


def _bands(patches: tuple[float, float, float], x_mm: Pixels, y_mm: Pixels) -> Pixels:
    """Bands of light: 0.15 in the dark, 1 in the light, with soft transitions."""
    angle, period, lit = patches
    along = x_mm * np.cos(np.radians(angle)) + y_mm * np.sin(np.radians(angle))
    phase = np.abs(np.mod(along / period, 1.0) - 0.5) * 2
    return np.asarray(0.15 + 0.85 * np.clip((lit - phase) * min(period / 25, 12) + 0.5, 0, 1))


def _edge_contact_shadow(scene: Scene, view: View) -> Pixels:
    """Darkening along the foot of the walls."""
    width, height = view.size_px
    board = scene.board
    if board is None or board.rim_width_mm <= 0:
        return np.zeros((height, width), np.float32)
    corners = np.array([[0, 0, 0], [board.field_mm[0], 0, 0], [*board.field_mm, 0], [0, board.field_mm[1], 0]])
    mask = 255 - _fill_outlines([corners], view)
    if board.bar_height_mm > 0:
        (left, right), bottom = board.bar_mm, board.field_mm[1]
        bar = np.array([[left, 0, 0], [right, 0, 0], [right, bottom, 0], [left, bottom, 0]])
        mask = np.maximum(mask, _fill_outlines([bar], view))
    sigma = max(0.7, 0.45 * board.rim_height_mm * view.px_per_mm(250, 200))
    return soften(mask, min(sigma, 25.0)).astype(np.float32) / 255


def render_mirrored_lamps(scene: Scene, view: View, roughness: float, height_mm: float = 0.0) -> Pixels:
    """What a mirror at that height shows of lamps and windows, blurred by its roughness (radians)."""
    if all(lamp.mirrored <= 0 for lamp in scene.lamps):
        return np.zeros((view.size_px[1], view.size_px[0], 3), np.float32)
    small = view.scale(GLARE)
    image = np.zeros((small.size_px[1], small.size_px[0], 3), np.float32)
    for lamp in scene.lamps:
        if lamp.mirrored <= 0:
            continue
        x, y, up = lamp.at_mm
        far = float(np.linalg.norm(np.array(lamp.at_mm) - (*middle_mm(scene), 0)))
        half = far * lamp.spread
        panes = []
        for column in range(lamp.panes[0]):
            for row in range(lamp.panes[1]):
                low = np.array([column / lamp.panes[0], row / lamp.panes[1]]) * 2 - 1
                high = low + 1.84 / np.array(lamp.panes)
                a, b = np.array([x, y]) + low * half, np.array([x, y]) + high * half
                panes.append(np.array([[a[0], a[1]], [b[0], a[1]], [b[0], b[1]], [a[0], b[1]]]))
        outlines = [np.column_stack([pane, np.full(4, 2 * height_mm - up)]) for pane in panes]
        mask = _fill_outlines(outlines, small).astype(np.float32) / 255
        level = 0.04 * lamp.strength * lamp.mirrored / max(4 * lamp.spread**2, 1e-3)
        image += mask[..., None] * linear(lamp.colour) * np.float32(level)
    sigma = max(0.6, roughness * view.position_mm[2] * small.px_per_mm(250, 200))
    return _resize(soften(image, min(sigma, 60.0)), view)
