"""The cached layers of a table's picture: the bare board, the board with its checkers, and the light on them.

Layers hold light on the canvas, before the lens. `levels` says which level's light falls on each pixel.
"""

from dataclasses import dataclass, replace

import numpy as np

from vision.simulated.checker_spots import require_board
from vision.simulated.drawing.checkers import CheckerPatch, CheckerTops, lay_patch, make_both_tops, make_checker_patch
from vision.simulated.drawing.draw import checker_shadow_caster, find_shadow_casters, paint_light, painting_order
from vision.simulated.drawing.lighting import (
    Irradiance,
    LightShares,
    compute_light_shares,
    light_on_canvas,
    render_mirrored_lamps,
)
from vision.simulated.drawing.optics import View, canvas_origin, canvas_view
from vision.simulated.drawing.painting import coverage, find_window, hull, rectangle_mm
from vision.simulated.drawing.photo import lens_map, vignette
from vision.simulated.drawing.textures import Pixels
from vision.simulated.drawing.walls import outer_mm
from vision.simulated.scene import Board, Checker, CheckerSide, Lamp, Scene
from vision.simulated.scene_building import apply_bump
from vision.simulated.tabletop import Bump, TableStyle

# the level whose light falls on a pixel; shadows of pieces fall on the last three
NONE, SURFACE, TOPS, TABLE = range(4)
PATCHES_KEPT = 200
NOTHING = np.zeros((0, 0, 3), np.float32)
DARKEST = np.float32(1e-3)


@dataclass(frozen=True, slots=True, eq=False)
class BareTableLayer:
    """The bare table before one camera. `where` is the lens map (height, width, 2) into the canvas."""

    scene: Scene
    view: View
    origin_px: tuple[int, int]
    where: Pixels
    corners: Pixels  # the vignette
    bare: Pixels  # (height, width, 3)
    levels: Pixels  # uint8 (height, width)
    free: Pixels  # light without shadows
    surface: Pixels  # light on the field
    glare: Pixels
    tops: dict[CheckerSide, CheckerTops]
    patches: dict[Checker, CheckerPatch | None]  # cache of painted checkers

    def paint(self, canvas: Pixels, checker: Checker, light: Irradiance) -> None:
        """Paints a checker on the canvas, in place."""
        if checker not in self.patches:
            if len(self.patches) >= PATCHES_KEPT:
                self.patches.clear()
            self.patches[checker] = make_checker_patch(checker, self.scene, self.view, self.tops[checker.side])
        patch = self.patches[checker]
        if patch is not None:
            lay_patch(canvas, patch, light, self.glare)


@dataclass(frozen=True, slots=True, eq=False)
class CheckersLayer:
    """The bare table with all checkers that stand on places."""

    table: BareTableLayer
    checkers: tuple[Checker, ...]  # in painting order
    canvas: Pixels
    levels: Pixels
    light: Irradiance  # only the light on pieces: `free` and `tops`
    light_shares: dict[str, LightShares]


def make_table_layer(style: TableStyle, bump: Bump, lamps: tuple[Lamp, ...] | None) -> BareTableLayer:
    """The bare table before the camera after a knock, in the light of these lamps, or of the style's."""
    camera = apply_bump(style.scene.camera, bump)
    scene = replace(style.scene, camera=camera, leds=(), lamps=style.scene.lamps if lamps is None else lamps)
    view = canvas_view(camera)
    levels = compute_light_shares(scene, view, find_shadow_casters(scene))
    light = Irradiance(*(light_on_canvas(scene, view, levels[name]) for name in ("free", "surface", "tops", "table")))
    gloss = max(scene.light.finish.gloss, scene.dark.finish.gloss)
    left, top, _, _ = canvas_origin(camera)
    return BareTableLayer(
        scene,
        view,
        (left, top),
        lens_map(camera),
        vignette(*camera.size_px, scene.photo.vignette),
        paint_light(scene, view, light),
        _label_levels(require_board(style), view),
        light.free,
        light.surface,
        render_mirrored_lamps(scene, view, 0.06 * (1.1 - gloss), scene.checker_thickness_mm),
        make_both_tops(scene, view),
        {},
    )


def _label_levels(board: Board, view: View) -> Pixels:
    """Levels of the bare table: table, box, field and trays in it, and the bar above the field."""
    found = np.full((view.size_px[1], view.size_px[0]), TABLE, np.uint8)
    width, height = board.field_mm
    left, top, right, bottom = outer_mm(board)
    mark(found, view.project(rectangle_mm((left, top), (right, bottom), board.rim_height_mm)), NONE)
    mark(found, view.project(rectangle_mm((0.0, 0.0), (width, height), 0.0)), SURFACE)
    if board.trays_mm[1] > 0:
        divider = width + 0.6 * board.rim_width_mm
        tray = rectangle_mm((divider, 0.0), (divider + board.trays_mm[1], height), 0.0)
        mark(found, view.project(tray), SURFACE)
    if board.bar_height_mm > 0:
        bar = rectangle_mm((board.bar_mm[0], 0.0), (board.bar_mm[1], height), board.bar_height_mm)
        mark(found, view.project(bar), NONE)
    return found


def mark(levels: Pixels, outline_px: Pixels, level: int) -> None:
    """Says of the pixels inside an outline which level's light falls on them."""
    window = find_window(outline_px, (levels.shape[1], levels.shape[0]))
    if window is not None:
        levels[window][coverage([outline_px], window) > 0.5] = level


def make_checkers_layer(stage: BareTableLayer, checkers: tuple[Checker, ...]) -> CheckersLayer:
    scene, view = replace(stage.scene, checkers=checkers), stage.view
    parts = compute_light_shares(scene, view, find_shadow_casters(scene))
    surface, tops = light_on_canvas(scene, view, parts["surface"]), light_on_canvas(scene, view, parts["tops"])
    light = Irradiance(stage.free, NOTHING, tops, NOTHING)
    canvas, levels = stage.bare.copy(), stage.levels.copy()
    on_field = (levels == SURFACE)[..., None]
    canvas *= np.where(on_field, surface / np.maximum(stage.surface, DARKEST), np.float32(1))
    ordered = tuple(sorted(checkers, key=lambda checker: painting_order(checker, view)))
    for checker in ordered:
        stage.paint(canvas, checker, light)
        mark(levels, outline_px(checker, scene, view), TOPS)
    return CheckersLayer(stage, ordered, canvas, levels, light, parts)


def outline_px(checker: Checker, scene: Scene, view: View) -> Pixels:
    """The outline of the checker's body in the view."""
    return hull(view.project(checker_shadow_caster(checker, scene).points_mm))
