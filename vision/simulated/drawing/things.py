"""The table below the board and objects on it: papers, telephones, cups, cables, other boards."""

import cv2
import numpy as np

from vision.simulated.drawing.board_surface import paint_surface
from vision.simulated.drawing.lighting import ShadowCaster, side_factor
from vision.simulated.drawing.optics import View
from vision.simulated.drawing.painting import (
    circle_mm,
    coverage,
    fill,
    find_window,
    hull,
    lay,
    lift_to_height,
    rotated_rectangle_mm,
    stretch_to,
    window_size,
)
from vision.simulated.drawing.textures import (
    PATTERN_PX_PER_MM,
    SIDE_PX,
    Pixels,
    bgr,
    colourise,
    cut_patch,
    linear,
    mean_colour,
    picture_to_light,
    source_of,
)
from vision.simulated.scene import Board, Finish, PointShape, PointStyle, Scene, SmallThing, ThingKind

ROUND = {ThingKind.COIN, ThingKind.RING, ThingKind.CUP, ThingKind.GLASS}


def render_table(finish: Finish, view: View, height_mm: float) -> Pixels:
    """The endless table as linear colours on the whole canvas."""
    rng = np.random.default_rng(finish.seed)
    pattern = source_of(finish, rng)
    step = PATTERN_PX_PER_MM / finish.scale
    angle = np.radians(finish.angle_deg)
    x, y = rng.uniform(2 * SIDE_PX, 3 * SIDE_PX, 2)
    cos, sin = step * np.cos(angle), step * np.sin(angle)
    place = np.array([[cos, sin, x], [-sin, cos, y], [0, 0, 1]])
    matrix = place @ np.linalg.inv(view.homography(height_mm))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    border = cv2.BORDER_REFLECT_101 if finish.picture else cv2.BORDER_WRAP
    cut = cv2.warpPerspective(pattern, matrix, view.size_px, flags=flags, borderMode=border)
    return picture_to_light(colourise(finish, cut))


def thing_shadow_caster(thing: SmallThing) -> ShadowCaster | None:
    """The shadow caster of an object; flat objects have none."""
    if thing.tall_mm < 1.5 or thing.thing is ThingKind.CABLE:
        return None
    low, high = thing.height_mm, thing.height_mm + thing.tall_mm
    if thing.thing in ROUND:
        radius = thing.size_mm[0] / 2
        rings = [circle_mm(thing.centre_mm, radius, height, 20) for height in (low, high)]
        return ShadowCaster(np.concatenate(rings), high)
    corners = rotated_rectangle_mm(thing.centre_mm, thing.size_mm, thing.angle_deg)
    return ShadowCaster(np.concatenate([lift_to_height(corners, low), lift_to_height(corners, high)]), high)


def _paint_page(thing: SmallThing, width: int, height: int, rng: np.random.Generator) -> Pixels:
    picture = cut_patch(thing.finish, width, height, 1.0)
    ink = bgr(thing.finish.second).tolist() if rng.random() < 0.3 else [40, 40, 40]
    row, style = 12, rng.random()
    while row < height - 10 and style < 0.8:
        if rng.random() < 0.85:
            end = int(width * rng.uniform(0.5, 0.93))
            if style < 0.3:
                cv2.putText(picture, "Lorem ipsum dolor sit amet", (8, row), 0, 0.4, ink, 1, cv2.LINE_AA)
            else:
                for start in range(8, end, 14):
                    cv2.line(picture, (start, row), (start + int(rng.integers(4, 12)), row), ink, 2)
        row += int(rng.integers(7, 12))
    if rng.random() < 0.3:
        low = rng.integers(0, (max(width // 2, 1), max(height // 2, 1)))
        tint = rng.integers(0, 255, 3).tolist()
        cv2.rectangle(picture, low.tolist(), (low + rng.integers(20, 120, 2)).tolist(), tint, -1)
    return picture


def _paint_grid(thing: SmallThing, width: int, height: int, rng: np.random.Generator) -> Pixels:
    """Rows of squares: chessboards and keyboards."""
    picture = cut_patch(thing.finish, width, height, 1.0)
    keys = thing.thing is ThingKind.KEYBOARD
    columns, rows = (15, 5) if keys else (8, 8)
    other = bgr(thing.finish.second)
    edge = 0.03 * min(width, height) if keys else rng.uniform(0, 0.08) * min(width, height)
    x = np.linspace(edge, width - edge, columns + 1)
    y = np.linspace(edge, height - edge, rows + 1)
    gap = 2 if keys else 0
    for row in range(rows):
        for column in range(columns):
            if keys or (row + column) % 2:
                low = (round(x[column]) + gap, round(y[row]) + gap)
                high = (round(x[column + 1]) - gap - 1, round(y[row + 1]) - gap - 1)
                cv2.rectangle(picture, low, high, other.tolist(), -1)
                if keys:
                    letter, at = chr(65 + (row * 15 + column) % 26), (low[0] + 3, high[1] - 4)
                    cv2.putText(picture, letter, at, 0, 0.3, (255 - other).tolist(), 1, cv2.LINE_AA)
            if not keys and rng.random() < 0.3:
                middle = (round((x[column] + x[column + 1]) / 2), round((y[row] + y[row + 1]) / 2))
                tone = [int(rng.choice([25, 225]))] * 3
                cv2.circle(picture, middle, max(2, round((x[1] - x[0]) * 0.33)), tone, -1, cv2.LINE_AA)
    return picture


def _paint_other_board(thing: SmallThing, rng: np.random.Generator) -> Pixels:
    """A backgammon board that is a distractor, at 0.8 px per mm."""
    plain = [Finish(colour=(float(r), float(g), float(b))) for r, g, b in rng.uniform(0.1, 0.95, (3, 3))]
    points = PointStyle(PointShape.STRAIGHT, 0.95, 0.4, plain[0], plain[1])
    width, height = thing.size_mm
    field_mm, bar_mm, wood = (width - 50, height - 50), (width / 2 - 40, width / 2 - 10), plain[2]
    board = Board(field_mm, bar_mm, thing.finish, points, wood, wood, wood, border=wood.colour, border_mm=25)
    picture = paint_surface(board, 0.8, 25)
    for _ in range(int(rng.integers(4, 20))):
        place = (rng.uniform(30, width - 30), rng.choice([rng.uniform(30, 130), height - rng.uniform(30, 130)]))
        tone = plain[int(rng.integers(2))].colour
        centre = (round(place[0] * 0.8), round(float(place[1]) * 0.8))
        cv2.circle(picture, centre, 14, (bgr(tone) * 0.5).tolist(), -1, cv2.LINE_AA)
        cv2.circle(picture, centre, 12, (bgr(tone) * 0.9).tolist(), -1, cv2.LINE_AA)
    return picture


def paint_upper_side(thing: SmallThing) -> Pixels:
    """uint8 BGR of the object's upper side, at 1 px per mm or coarser."""
    rng = np.random.default_rng(thing.seed)
    width, height = (max(6, round(side)) for side in thing.size_mm)
    match thing.thing:
        case ThingKind.PAPER | ThingKind.BOOK:
            return _paint_page(thing, width, height, rng)
        case ThingKind.CHESSBOARD | ThingKind.KEYBOARD:
            return _paint_grid(thing, width, height, rng)
        case ThingKind.BOARD:
            return _paint_other_board(thing, rng)
        case ThingKind.PHONE:
            picture = cut_patch(thing.finish, width, height, 1.0)
            dark = rng.integers(5, 40, 3) if rng.random() < 0.6 else rng.integers(60, 255, 3)
            cv2.rectangle(picture, (3, 3), (width - 4, height - 4), dark.tolist(), -1)
            return picture
        case _:
            return cut_patch(thing.finish, width, height, 1.0)


def paint_thing(canvas: Pixels, thing: SmallThing, scene: Scene, view: View, level: Pixels) -> None:
    if thing.thing is ThingKind.CABLE:
        _paint_cable(canvas, thing, view, level)
        return
    if thing.thing in ROUND:
        _paint_round(canvas, thing, scene, view, level)
        return
    low, high = thing.height_mm, thing.height_mm + thing.tall_mm
    flat = rotated_rectangle_mm(thing.centre_mm, thing.size_mm, thing.angle_deg)
    base, top = view.project(lift_to_height(flat, low)), view.project(lift_to_height(flat, high))
    if thing.tall_mm > 1:
        fill(canvas, hull(np.concatenate([base, top])), linear(mean_colour(thing.finish)) * 0.6, level)
    window = find_window(top, (canvas.shape[1], canvas.shape[0]))
    if window is None:
        return
    rows, columns = window
    picture = paint_upper_side(thing)
    matrix = stretch_to(top - (columns.start, rows.start), picture.shape[1], picture.shape[0])
    bent = cv2.warpPerspective(picture, matrix, window_size(window), borderMode=cv2.BORDER_REPLICATE)
    lay(canvas, window, coverage([top], window), picture_to_light(bent) * level[window])


def _paint_round(canvas: Pixels, thing: SmallThing, scene: Scene, view: View, level: Pixels) -> None:
    radius = thing.size_mm[0] / 2
    colour = linear(mean_colour(thing.finish))
    low, high = thing.height_mm, thing.height_mm + thing.tall_mm
    top = view.project(circle_mm(thing.centre_mm, radius, high))
    around = hull(np.concatenate([view.project(circle_mm(thing.centre_mm, radius, low)), top]))
    shade = side_factor(scene, thing.centre_mm, (0.0, 1.0))
    if thing.thing is ThingKind.RING:
        band = np.round(top).astype(np.int32)
        size = (canvas.shape[1], canvas.shape[0])
        if (np.abs(top) < 4 * max(size)).all():
            cv2.polylines(canvas, [band], True, (colour * level.mean((0, 1))).tolist(), 2, cv2.LINE_8)
        return
    fill(canvas, around, colour * min(shade, 1.2), level)
    fill(canvas, top, colour * 1.05, level)
    if thing.thing in (ThingKind.CUP, ThingKind.GLASS):
        wall = view.project(circle_mm(thing.centre_mm, radius * 0.88, high))
        fill(canvas, wall, colour * 0.45, level)
        drink = linear(thing.finish.second)
        fill(canvas, view.project(circle_mm(thing.centre_mm, radius * 0.84, high - 0.2 * thing.tall_mm)), drink, level)
    else:
        fill(canvas, view.project(circle_mm(thing.centre_mm, radius * 0.8, high)), colour * 0.9, level)


def _paint_cable(canvas: Pixels, thing: SmallThing, view: View, level: Pixels) -> None:
    rng = np.random.default_rng(thing.seed)
    knots = np.cumsum(rng.normal(0, thing.size_mm[0] / 3, (6, 2)), 0) + thing.centre_mm
    share = np.linspace(0, 5, 60)
    smooth = np.column_stack([np.interp(share, np.arange(6), knots[:, axis]) for axis in (0, 1)])
    kernel = np.ones(13) / 13
    smooth = np.column_stack([np.convolve(smooth[:, axis], kernel, "valid") for axis in (0, 1)])
    pixels = view.project(lift_to_height(smooth, thing.height_mm))
    if np.abs(pixels).max() > 20_000:
        return
    thick = max(1, round(thing.size_mm[1] * view.px_per_mm(*thing.centre_mm)))
    colour = linear(thing.finish.colour)
    fixed = [np.round(pixels + shift).astype(np.int32) for shift in ((thick * 0.6, thick * 0.6), (0, 0))]
    mean = level[::16, ::16].mean((0, 1))
    cv2.polylines(canvas, [fixed[0]], False, (mean * 0.03).tolist(), thick, cv2.LINE_8)
    cv2.polylines(canvas, [fixed[1]], False, (mean * colour).tolist(), thick, cv2.LINE_8)
