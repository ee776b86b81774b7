"""Dice, carried checkers and hands, painted with their shadows over a finished picture of the table."""

from dataclasses import replace

import cv2
import numpy as np

from vision.simulated.drawing import dice, hand
from vision.simulated.drawing.checkers import paint_checker
from vision.simulated.drawing.draw import Piece, checker_shadow_caster, painting_order
from vision.simulated.drawing.lighting import Irradiance, ShadowCaster
from vision.simulated.drawing.mover_shadows import compute_dimming, darken, find_shadow_window
from vision.simulated.drawing.painting import PixelWindow, hull
from vision.simulated.drawing.textures import Pixels
from vision.simulated.scene import Checker, Die, Hand
from vision.simulated.table_layers import TOPS, CheckersLayer, mark, outline_px


def with_pieces(standing: CheckersLayer, pieces: list[Piece]) -> tuple[CheckersLayer, list[PixelWindow]]:
    """The table with these pieces on it, and the windows in which it has changed."""
    if not pieces:
        return standing, []
    layer = replace(standing, canvas=standing.canvas.copy(), levels=standing.levels.copy())
    windows = []
    for piece in pieces:
        if isinstance(piece, Die):
            corners = dice.corners_mm(piece)
            solid = ShadowCaster(corners, float(corners[:, 2].max()))
        else:
            solid = checker_shadow_caster(piece, standing.table.scene)
        windows += _shade(layer, [solid], None)
    _paint_pieces(layer, pieces, standing.light)
    return layer, windows


def with_movers(
    standing: CheckersLayer, pieces: list[Piece], hands: list[Hand]
) -> tuple[CheckersLayer, list[PixelWindow]]:
    """The table with pieces and, above them, hands, and the windows in which it has changed."""
    over = [solid for one in hands for solid in hand.hand_shadow_casters(one)]
    if not over:
        return with_pieces(standing, pieces)
    tops = standing.light.tops.copy()
    shaded = replace(standing, canvas=standing.canvas.copy(), light=replace(standing.light, tops=tops))
    windows = _shade(shaded, over, tops)
    layer, more = with_pieces(shaded, pieces)
    for one in hands:
        hand.paint_hand(layer.canvas, one, standing.table.scene, standing.table.view, standing.light.free)
    return layer, windows + more


def _shade(layer: CheckersLayer, solids: list[ShadowCaster], tops: Pixels | None) -> list[PixelWindow]:
    """Darkens the canvas (and the light on the tops, if given) by the bodies' shadows. Returns the changed windows."""
    window = find_shadow_window(solids, layer.table.scene, layer.table.view)
    if window is None:
        return []
    left = compute_dimming(solids, layer, window)
    darken(layer.canvas, layer.levels, window, left)
    if tops is not None and TOPS in left:
        tops[window] *= left[TOPS]
    return [window]


def _paint_pieces(layer: CheckersLayer, pieces: list[Piece], light: Irradiance) -> None:
    """Paints from low and far to high and near; repaints the standing checkers in front of each piece."""
    stage = layer.table
    scene, view = stage.scene, stage.view
    for piece in sorted(pieces, key=lambda piece: painting_order(piece, view)):
        if isinstance(piece, Die):
            dice.paint_die(layer.canvas, piece, scene, view, light)
            outline = hull(view.project(dice.corners_mm(piece)))
        else:
            tops = stage.tops[piece.side]
            paint_checker(layer.canvas, piece, scene, view, tops=tops, light=light, glare=stage.glare)
            outline = outline_px(piece, scene, view)
        mark(layer.levels, outline, TOPS)
        for checker in _in_front_of(piece, outline, layer):
            stage.paint(layer.canvas, checker, light)


def _in_front_of(piece: Piece, outline: Pixels, standing: CheckersLayer) -> list[Checker]:
    view, scene = standing.table.view, standing.table.scene
    mine = painting_order(piece, view)
    reach = 1.5 * scene.checker_diameter_mm
    near = [
        checker
        for checker in standing.checkers
        if painting_order(checker, view) > mine
        and np.hypot(checker.centre_mm[0] - piece.centre_mm[0], checker.centre_mm[1] - piece.centre_mm[1]) < reach
    ]
    shape, own = outline.astype(np.float32), (outline_px(checker, scene, view).astype(np.float32) for checker in near)
    return [checker for checker, other in zip(near, own, strict=True) if cv2.intersectConvexConvex(other, shape)[0] > 0]
