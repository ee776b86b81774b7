"""`draw` renders a scene: light is laid on a canvas from the table upward, then photographed."""

import numpy as np
from numpy.typing import NDArray

from vision.simulated.drawing import dice, hand, things, walls
from vision.simulated.drawing.checkers import make_both_tops, paint_checker
from vision.simulated.drawing.led_light import make_glow, project_face
from vision.simulated.drawing.lighting import (
    Irradiance,
    ShadowCaster,
    compute_irradiance,
    middle_mm,
    render_mirrored_lamps,
)
from vision.simulated.drawing.optics import View, canvas_view
from vision.simulated.drawing.painting import circle_mm, coverage, find_window, lay, rectangle_mm
from vision.simulated.drawing.photo import apply_lens, develop, meter_exposure
from vision.simulated.drawing.textures import Pixels, linear
from vision.simulated.scene import Board, Checker, Die, Scene

LEAST_GLOSS = 0.02  # below this gloss a surface shows no reflection
LEANING_MM = 5.0


def draw(scene: Scene, exposure: float | None = None) -> NDArray[np.uint8]:
    """(height, width, 3) uint8 BGR. The same scene gives the same pixels. Without `exposure` the camera meters itself."""
    view = canvas_view(scene.camera)
    canvas = paint_light(scene, view, compute_irradiance(scene, view, find_shadow_casters(scene)))
    if exposure is None:
        exposure = meter_exposure(canvas, scene.photo)
    _light_leds(canvas, scene, view, exposure)
    bent = apply_lens(canvas, scene.camera)
    picture: NDArray[np.uint8] = develop(bent, scene.photo, exposure, scene.seed)
    return picture


def paint_light(scene: Scene, view: View, light: Irradiance) -> Pixels:
    """Float32 (height, width, 3) linear light on the canvas of that view, blue first, without LEDs."""
    depth = scene.table_height_mm
    canvas = things.render_table(scene.table, view, depth)
    canvas *= light.table
    if scene.table.gloss > LEAST_GLOSS:
        gloss = scene.table.gloss
        canvas += render_mirrored_lamps(scene, view, 0.10 * (1.2 - gloss), depth) * np.float32(gloss)
    for thing in scene.things:
        if thing.height_mm <= depth + 0.5:
            level = light.free if things.thing_shadow_caster(thing) is not None else light.table
            things.paint_thing(canvas, thing, scene, view, level)
    if scene.board is not None:
        _paint_board(canvas, scene, scene.board, view, light)
    else:
        _paint_pieces(canvas, _sort_pieces(scene, view), scene, view, light)
    for one in scene.hands:
        hand.paint_hand(canvas, one, scene, view, light.free)
    return canvas


def checker_shadow_caster(checker: Checker, scene: Scene) -> ShadowCaster:
    radius, thick = scene.checker_diameter_mm / 2, scene.checker_thickness_mm
    heights = (checker.height_mm, checker.height_mm + thick)
    rings = [circle_mm(checker.centre_mm, radius, height, 20) for height in heights]
    return ShadowCaster(np.concatenate(rings), heights[1])


def find_shadow_casters(scene: Scene) -> dict[str, list[ShadowCaster]]:
    """The shadow casters by the group of levels that they throw shadows on."""
    found: dict[str, list[ShadowCaster]] = {
        name: [] for name in ("walls", "checkers", "upper", "hands", "case", "things", "dice")
    }
    depth = scene.table_height_mm
    if scene.board is not None:
        for box in walls.build_walls(scene.board):
            low = rectangle_mm(box.low_mm, box.high_mm, 0.0)
            found["walls"].append(ShadowCaster(np.concatenate([low, low + np.array([0, 0, box.top_mm])]), box.top_mm))
        left, top, right, bottom = walls.outer_mm(scene.board)
        case = rectangle_mm((left, top), (right, bottom), depth)
        up = scene.board.rim_height_mm if scene.board.rim_width_mm > 0 else 0.5
        found["case"].append(ShadowCaster(np.concatenate([case, case + np.array([0, 0, up - depth])]), up))
    for checker in scene.checkers:
        is_low = checker.height_mm < 0.6 * scene.checker_thickness_mm
        found["checkers" if is_low else "upper"].append(checker_shadow_caster(checker, scene))
    found["dice"] = [ShadowCaster(dice.corners_mm(die), die.height_mm + die.size_mm) for die in scene.dice]
    for thing in scene.things:
        solid = things.thing_shadow_caster(thing)
        if solid is not None:
            found["things" if thing.height_mm <= depth + 0.5 else "dice"].append(solid)
    for one in scene.hands:
        found["hands"] += hand.hand_shadow_casters(one)
    return found


def _paint_board(canvas: Pixels, scene: Scene, board: Board, view: View, light: Irradiance) -> None:
    per_mm = float(np.clip(view.px_per_mm(*middle_mm(scene)) * 1.2, 0.5, 2.6))
    every = walls.build_walls(board)
    glare = render_mirrored_lamps(scene, view, 0.1, board.rim_height_mm)
    rim = walls.top_layer(board, view, per_mm) if board.rim_width_mm > 0 else canvas
    for box in every:
        if not box.is_bar:
            walls.paint_sides(canvas, box, scene, view, light)
    walls.paint_floor(canvas, scene, board, view, light)
    near = [box for box in every if walls.is_near(box, board, view)]
    for box in every:
        if box not in near:
            walls.paint_sides(canvas, box, scene, view, light)
            walls.paint_top(canvas, box, view, light=light.free, layer=rim, glare=glare)
    pieces = _sort_pieces(scene, view)
    bar_box = next((box for box in every if box.is_bar), None)
    if bar_box is not None:
        hidden = [piece for piece in pieces if _is_behind_bar(piece, bar_box, view)]
        _paint_pieces(canvas, hidden, scene, view, light)
        walls.paint_sides(canvas, bar_box, scene, view, light)
        walls.paint_top(
            canvas, bar_box, view, light=light.free, layer=walls.bar_layer(board, view, per_mm), glare=glare
        )
        pieces = [piece for piece in pieces if piece not in hidden]
    _paint_pieces(canvas, pieces, scene, view, light)
    for box in near:
        if not box.is_bar:
            walls.paint_sides(canvas, box, scene, view, light)
            walls.paint_top(canvas, box, view, light=light.free, layer=rim, glare=glare)


Piece = Checker | Die


def _sort_pieces(scene: Scene, view: View) -> list[Piece]:
    """From low and far to high and near."""
    return sorted([*scene.checkers, *scene.dice], key=lambda piece: painting_order(piece, view))


def painting_order(piece: Piece, view: View) -> tuple[int, float]:
    """Sort key: height first, then nearness. A tilted die hangs over what it leans on."""
    x, y, _ = view.position_mm
    up = LEANING_MM if isinstance(piece, Die) and piece.tilt_deg else 0.0
    away = np.hypot(piece.centre_mm[0] - x, piece.centre_mm[1] - y)
    return round(piece.height_mm + up), -float(away)


def _is_behind_bar(piece: Piece, bar: walls.Wall, view: View) -> bool:
    """Whether the bar may hide the piece, and not the piece the bar."""
    x = view.position_mm[0]
    if piece.centre_mm[0] < bar.low_mm[0]:
        return x > bar.low_mm[0]
    return piece.centre_mm[0] > bar.high_mm[0] and x < bar.high_mm[0]


def _paint_pieces(canvas: Pixels, pieces: list[Piece], scene: Scene, view: View, light: Irradiance) -> None:
    if not pieces and scene.board is None:
        return
    tops = make_both_tops(scene, view)
    gloss = max(scene.light.finish.gloss, scene.dark.finish.gloss)
    glare = render_mirrored_lamps(scene, view, 0.06 * (1.1 - gloss), scene.checker_thickness_mm)
    for piece in pieces:
        if isinstance(piece, Die):
            dice.paint_die(canvas, piece, scene, view, light)
        else:
            paint_checker(canvas, piece, scene, view, tops=tops[piece.side], light=light, glare=glare)
    for thing in scene.things:
        if thing.height_mm > scene.table_height_mm + 0.5:
            things.paint_thing(canvas, thing, scene, view, light.tops)


def _light_leds(canvas: Pixels, scene: Scene, view: View, exposure: float) -> None:
    """Dark LEDs are small pale squares; a lit LED adds a glow that falls off with distance."""
    for led in scene.leds:
        corners = project_face(led, view)
        body = find_window(corners, view.size_px)
        if body is None:
            continue
        if led.colour is None:
            pale = np.array([0.55, 0.6, 0.6], np.float32) / np.float32(exposure) * 0.5
            lay(canvas, body, coverage([corners], body), pale)
            continue
        window, glow = make_glow(led, view)
        colour = linear(led.colour) / np.float32(exposure)
        part = canvas[window]
        part += (part * np.float32(exposure) * 2 + 0.05) * glow[..., None] * colour
        lay(canvas, body, coverage([corners], body), colour * 3 + np.float32(0.6 / exposure))
