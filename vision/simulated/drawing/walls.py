"""Rims, bar and tray dividers: upright boxes around and across the playing field."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.simulated.drawing.board_surface import paint_surface
from vision.simulated.drawing.lighting import Irradiance, middle_mm, render_mirrored_lamps, side_factor
from vision.simulated.drawing.optics import View
from vision.simulated.drawing.painting import coverage, fill, find_window, lay, lay_sheet, rectangle_mm
from vision.simulated.drawing.textures import Pixels, cut_patch, linear, mean_colour
from vision.simulated.drawing.things import render_table
from vision.simulated.scene import Board, Finish, Ornament, Scene

SURFACE_MARGIN_MM = 3.0
UNDER_RIM_MM = 1.5
FLAT_MM = 0.3  # mm; lower sides are not drawn


@dataclass(frozen=True, slots=True)
class Wall:
    """With `upright` its grain runs along y."""

    low_mm: tuple[float, float]
    high_mm: tuple[float, float]
    bottom_mm: float
    top_mm: float
    finish: Finish
    upright: bool
    is_bar: bool = False


def outer_mm(board: Board) -> tuple[float, float, float, float]:
    """Left, top, right, bottom of the whole box, or of the printed sheet."""
    width, height = board.field_mm
    if board.rim_width_mm <= 0:
        return -board.sheet_mm, -board.sheet_mm, width + board.sheet_mm, height + board.sheet_mm
    rim, divider = board.rim_width_mm, 0.6 * board.rim_width_mm
    left, right = (tray + divider if tray > 0 else 0.0 for tray in board.trays_mm)
    return -rim - left, -rim, width + rim + right, height + rim


def build_walls(board: Board) -> list[Wall]:
    found: list[Wall] = []
    width, height = board.field_mm
    rim, top, floor = board.rim_width_mm, board.rim_height_mm, -board.depth_mm
    if rim > 0:
        left, up, right, down = outer_mm(board)
        found.append(Wall((left, up), (right, up + rim), floor, top, board.rim, upright=False))
        found.append(Wall((left, down - rim), (right, down), floor, top, board.rim, upright=False))
        found.append(Wall((left, up + rim), (left + rim, down - rim), floor, top, board.rim, upright=True))
        found.append(Wall((right - rim, up + rim), (right, down - rim), floor, top, board.rim, upright=True))
        divider = 0.6 * rim
        if board.trays_mm[0] > 0:
            found.append(Wall((-divider, 0), (0, height), 0, top, board.rim, upright=True))
        if board.trays_mm[1] > 0:
            found.append(Wall((width, 0), (width + divider, height), 0, top, board.rim, upright=True))
        found += _build_tray_cells(board, left + rim, -divider)
        found += _build_tray_cells(board, width + divider, right - rim)
    if board.bar_height_mm > 0 and board.bar_mm[1] > board.bar_mm[0]:
        low, high = (board.bar_mm[0], 0.0), (board.bar_mm[1], height)
        found.append(Wall(low, high, 0, board.bar_height_mm, board.bar, upright=True, is_bar=True))
    return found


def _build_tray_cells(board: Board, left_mm: float, right_mm: float) -> list[Wall]:
    """The dividers of a tray; none without a tray."""
    if right_mm - left_mm < 1:
        return []
    height, half = board.field_mm[1], 0.25 * board.rim_width_mm
    middles = [height * part / board.tray_cells for part in range(1, board.tray_cells)]
    return [
        Wall((left_mm, y - half), (right_mm, y + half), 0, board.rim_height_mm, board.rim, upright=False)
        for y in middles
    ]


def is_near(box: Wall, board: Board, view: View) -> bool:
    """Whether the wall stands between camera and field and so hides a part of the field."""
    x, y, _ = view.position_mm
    _, height = board.field_mm
    if box.is_bar:
        return True
    if box.high_mm[1] <= 0:
        return y < box.high_mm[1]
    if box.low_mm[1] >= height:
        return y > box.low_mm[1]
    return x < box.high_mm[0] if box.high_mm[0] <= 0 else x > box.low_mm[0]


def _visible_faces(box: Wall, view: View) -> list[tuple[tuple[float, float], Pixels]]:
    """(outward direction, corners) of the sides that face the camera."""
    (x0, y0), (x1, y1), low, high = box.low_mm, box.high_mm, box.bottom_mm, box.top_mm
    x, y, _ = view.position_mm
    sides = [
        (x < x0, (-1.0, 0.0), (x0, y0), (x0, y1)),
        (x > x1, (1.0, 0.0), (x1, y0), (x1, y1)),
        (y < y0, (0.0, -1.0), (x0, y0), (x1, y0)),
        (y > y1, (0.0, 1.0), (x0, y1), (x1, y1)),
    ]
    return [(out, np.array([[*a, low], [*b, low], [*b, high], [*a, high]])) for seen, out, a, b in sides if seen]


def _is_inside(box: Wall, out: tuple[float, float], board: Board) -> bool:
    """Whether a side faces the field."""
    width, height = board.field_mm
    if out[0]:
        edge = box.high_mm[0] if out[0] > 0 else box.low_mm[0]
        return -1 < edge < width + 1
    edge = box.high_mm[1] if out[1] > 0 else box.low_mm[1]
    return -1 < edge < height + 1


def paint_sides(canvas: Pixels, box: Wall, scene: Scene, view: View, light: Irradiance) -> None:
    board = scene.board
    if board is None or box.top_mm < FLAT_MM:
        return
    for out, corners in _visible_faces(box, view):
        inside = _is_inside(box, out, board) and not box.is_bar
        if inside:
            corners[:2, 2] = 0
        finish = board.inner if inside else box.finish
        middle = corners.mean(0)
        shade = side_factor(scene, (float(middle[0]), float(middle[1])), out)
        colour = linear(mean_colour(finish)) * shade * (0.75 if inside else 0.9)
        fill(canvas, view.project(corners), colour, light.free)
        if inside:
            corners[2:, 2] = corners[2:, 2] * 0.35
            fill(canvas, view.project(corners), colour * 0.72, light.free)


def top_layer(board: Board, view: View, px_per_mm: float) -> Pixels:
    """Light of the rim's upper side at rim height, on the whole canvas; valid only where a rim is."""
    left, up, right, down = outer_mm(board)
    sheet = np.zeros((max(2, round((down - up) * px_per_mm)), max(2, round((right - left) * px_per_mm)), 3), np.uint8)
    for number, box in enumerate(build_walls(board)):
        if box.is_bar:
            continue
        x0, x1 = (round((x - left) * px_per_mm) for x in (box.low_mm[0], box.high_mm[0]))
        y0, y1 = (round((y - up) * px_per_mm) for y in (box.low_mm[1], box.high_mm[1]))
        grain = _paint_grain(box, number, max(1, x1 - x0), max(1, y1 - y0), px_per_mm)
        sheet[y0:y1, x0:x1] = grain[: y1 - y0, : x1 - x0]
    if board.corner is not None:
        rows, columns = sheet.shape[:2]
        reach = round(1.6 * board.rim_width_mm * px_per_mm)
        colour = [255 * value for value in board.corner[::-1]]
        for x, across in ((0, reach), (columns - 1, -reach)):
            for y, below in ((0, reach), (rows - 1, -reach)):
                cap = np.array([[x, y], [x + across, y], [x, y + below]], np.int32)
                cv2.fillPoly(sheet, [cap], colour, cv2.LINE_AA)
    if board.decorate_rim is not None:
        board.decorate_rim(sheet, px_per_mm, (-left, -up))
    return _lay_level(sheet, rectangle_mm((left, up), (right, down), board.rim_height_mm), view, px_per_mm)


def _lay_level(sheet: Pixels, corners_mm: Pixels, view: View, px_per_mm: float) -> Pixels:
    """A sheet as light within its level rectangle, on the whole canvas."""
    left, up, height = corners_mm[0]
    to_mm = np.array([[1 / px_per_mm, 0, left + 0.5 / px_per_mm], [0, 1 / px_per_mm, up + 0.5 / px_per_mm], [0, 0, 1]])
    layer = np.zeros((view.size_px[1], view.size_px[0], 3), np.float32)
    lay_sheet(layer, sheet, view.homography(height) @ to_mm, view.project(corners_mm))
    return layer


def _paint_grain(box: Wall, number: int, width: int, height: int, px_per_mm: float) -> Pixels:
    finish = box.finish
    own = replace(finish, angle_deg=finish.angle_deg + (90 if box.upright else 0), seed=finish.seed + number)
    return cut_patch(own, width, height, px_per_mm)


def paint_top(canvas: Pixels, box: Wall, view: View, *, light: Pixels, layer: Pixels, glare: Pixels) -> None:
    outline = view.project(rectangle_mm(box.low_mm, box.high_mm, box.top_mm))
    window = find_window(outline, view.size_px)
    if window is None:
        return
    mask = coverage([outline], window)
    lay(canvas, window, mask, layer[window] * light[window] + glare[window] * np.float32(box.finish.gloss))
    # The rounded edges of wood and leather: a dark line outside and a bright one within, when the edge is wide enough.
    if min(box.high_mm[0] - box.low_mm[0], box.high_mm[1] - box.low_mm[1]) * view.px_per_mm(*box.low_mm) < 6:
        return
    rows, columns = window
    middle = outline.mean(0)
    factor = np.ones(mask.shape, np.float32)
    for inset, change in ((0.6, -0.22), (1.6, 0.10 + 0.35 * box.finish.gloss)):
        edges = np.zeros(mask.shape, np.uint8)
        inner = outline + inset * np.sign(middle - outline)
        fixed = np.round((inner - (columns.start, rows.start)) * 16).astype(np.int32)
        cv2.polylines(edges, [fixed], True, 255, 1, cv2.LINE_AA, 4)
        factor += edges * np.float32(change / 255)
    canvas[window] *= cv2.merge([factor, factor, factor])


def bar_layer(board: Board, view: View, px_per_mm: float) -> Pixels:
    """Light of the bar's upper side at bar height, on the whole canvas; valid only where the bar is."""
    box = next(box for box in build_walls(board) if box.is_bar)
    width = max(2, round((box.high_mm[0] - box.low_mm[0]) * px_per_mm))
    height = max(2, round(board.field_mm[1] * px_per_mm))
    sheet = _paint_grain(box, 9, width, height, px_per_mm)
    if board.bar_seam:
        sheet[:, width // 2] = (sheet[:, width // 2] * 0.3).astype(np.uint8)
        for ornament in board.ornaments:
            if ornament.kind == "hinge":
                _paint_hinge(sheet, ornament, px_per_mm)
    return _lay_level(sheet, rectangle_mm(box.low_mm, box.high_mm, box.top_mm), view, px_per_mm)


def _paint_hinge(sheet: Pixels, hinge: Ornament, px_per_mm: float) -> None:
    middle, half = sheet.shape[1] / 2, hinge.size_mm * px_per_mm / 2
    row = hinge.centre_mm[1] * px_per_mm
    wide = min(middle * 0.8, half * 0.6)
    colour = [255 * value for value in hinge.colour[::-1]]
    low, high = (round(middle - wide), round(row - half)), (round(middle + wide), round(row + half))
    cv2.rectangle(sheet, low, high, colour, -1)
    cv2.line(sheet, (round(middle), low[1]), (round(middle), high[1]), [value * 0.4 for value in colour], 1)


def paint_floor(canvas: Pixels, scene: Scene, board: Board, view: View, light: Irradiance) -> None:
    """Paints playing surface and trays, or the printed sheet."""
    per_mm = float(np.clip(view.px_per_mm(*middle_mm(scene)) * 1.2, 0.5, 2.6))
    glare = render_mirrored_lamps(scene, view, 0.12 * (1.1 - board.field.gloss)) * np.float32(board.field.gloss)
    origin = board.sheet_mm if board.rim_width_mm <= 0 else SURFACE_MARGIN_MM
    sheet = paint_surface(board, per_mm, origin)
    to_mm = np.array([[1 / per_mm, 0, 0.5 / per_mm - origin], [0, 1 / per_mm, 0.5 / per_mm - origin], [0, 0, 1]])
    if board.rim_width_mm > 0 and board.tray is not None and max(board.trays_mm) > 0:
        left, top, right, bottom = outer_mm(board)
        tray = render_table(board.tray, view, 0.0) * light.surface
        outline = view.project(rectangle_mm((left, top), (right, bottom), 0.0))
        window = find_window(outline, view.size_px)
        if window is not None:
            lay(canvas, window, coverage([outline], window), tray[window])
    # The top layer reaches a little under the rim; otherwise two soft edges let the ground shine through.
    spill = board.sheet_mm if board.rim_width_mm <= 0 else UNDER_RIM_MM
    low, high = (-spill, -spill), (board.field_mm[0] + spill, board.field_mm[1] + spill)
    outline = view.project(rectangle_mm(low, high, 0.0))
    layer = np.zeros_like(canvas)
    window = lay_sheet(layer, sheet, view.homography(0) @ to_mm, outline)
    if window is not None:
        colours = layer[window] * light.surface[window] + glare[window]
        lay(canvas, window, coverage([outline], window), colours)
