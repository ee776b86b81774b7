"""The playing field as a texture seen from above: ground, points, ornaments, painted bar."""

import cv2
import numpy as np

from vision.simulated.drawing.textures import Pixels, bgr, cut_patch
from vision.simulated.scene import Board, Finish, Ornament, PointShape, SurfacePattern

SHIFT = 4


def _half_width(shape: PointShape, share: Pixels) -> Pixels:
    """Relative half width of a point (1 at the base, 0 at the tip) at share 0..1 of its length."""
    match shape:
        case PointShape.LANCET:
            return np.where(share < 0.15, 0.72 + share * 1.87, np.cos((share - 0.15) / 0.85 * np.pi / 2) ** 0.8)
        case PointShape.CURVED:
            return (1 - share) ** 1.7
        case PointShape.ROUNDED:
            return np.sqrt(np.maximum(1 - share**2.5, 0))
        case PointShape.TRUNCATED:
            return 1 - 0.8 * share
        case PointShape.BOTTLE:
            return np.interp(share, (0.0, 0.3, 0.55, 0.85, 1.0), (1.0, 1.0, 0.45, 0.35, 0.0))
        case PointShape.STEPPED:
            return np.select([share < 0.34, share < 0.67, share < 0.9], [1.0, 0.68, 0.36], 0.08)
        case _:
            return 1 - share


def point_outline_mm(board: Board, place: int) -> Pixels:
    """(n, 2) outline of point 0..23 (T1..T12, B1..B12)."""
    points = board.points
    _, height = board.field_mm
    half = points.base * board.pitch_mm / 2
    long = points.length * height
    share = np.linspace(0, 1, 2 if points.shape in (PointShape.STRAIGHT, PointShape.TRUNCATED) else 14)
    reach = half * _half_width(points.shape, share)
    across = np.concatenate([-reach, reach[::-1]]) + board.point_x_mm(place % 12)
    along = np.concatenate([share, share[::-1]]) * long + points.gap_mm
    return np.column_stack([across, along if place < 12 else height - along])


def _to_fixed_point(outline_mm: Pixels, origin_mm: float, px_per_mm: float) -> Pixels:
    moved = (outline_mm + origin_mm) * px_per_mm - 0.5
    return np.round(moved * (1 << SHIFT)).astype(np.int32)


def _paint_points(sheet: Pixels, board: Board, origin_mm: float, px_per_mm: float) -> Pixels:
    points = board.points
    height, width = sheet.shape[:2]
    outlines = [_to_fixed_point(point_outline_mm(board, place), origin_mm, px_per_mm) for place in range(24)]
    is_second = [points.alternate and (place % 12 + (place >= 12) + points.start) % 2 for place in range(24)]
    for second, finish in enumerate((points.first, points.second)):
        chosen = [outline for outline, other in zip(outlines, is_second, strict=True) if other == second]
        if chosen and points.filled:
            mask = np.zeros((height, width), np.uint8)
            cv2.fillPoly(mask, chosen, 255, cv2.LINE_AA, SHIFT)
            if points.shape is PointShape.STRIPED:
                _cut_stripes(mask, board, origin_mm, px_per_mm)
            share = mask.astype(np.float32) * np.float32(1 / 255)
            sheet = cv2.blendLinear(cut_patch(finish, width, height, px_per_mm), sheet, share, 1 - share)
    if points.outline is not None:
        thick = max(1, round(points.outline_mm * px_per_mm))
        cv2.polylines(sheet, outlines, True, bgr(points.outline).tolist(), thick, cv2.LINE_AA, SHIFT)
    if points.tip_dot is not None:
        long = points.gap_mm + points.length * board.field_mm[1]
        radius = round(board.pitch_mm * 0.12 * px_per_mm * (1 << SHIFT))
        for place in range(24):
            tip_mm = np.array([board.point_x_mm(place % 12), long if place < 12 else board.field_mm[1] - long])
            tip = _to_fixed_point(tip_mm, origin_mm, px_per_mm)
            cv2.circle(sheet, tip.tolist(), radius, bgr(points.tip_dot).tolist(), -1, cv2.LINE_AA, SHIFT)
    return sheet


def _cut_stripes(mask: Pixels, board: Board, origin_mm: float, px_per_mm: float) -> None:
    """Leaves gaps across every point."""
    step = board.pitch_mm * 0.3
    middle = board.field_mm[1] / 2
    for gap in np.arange(step, board.field_mm[1], step):
        if abs(gap - middle) > board.field_mm[1] * 0.02:
            row = round((gap + origin_mm) * px_per_mm)
            mask[max(row, 0) : max(row, 0) + max(1, round(step * 0.35 * px_per_mm))] = 0


def draw_star(
    picture: Pixels, centre_px: Pixels, ink: list[float], *, radius_px: float, inner: float, rays: int, turn_deg: float
) -> None:
    """`inner` is the radius between the rays as a share of `radius_px`."""
    number = np.arange(2 * rays)
    turn = np.radians(turn_deg) + number * np.pi / rays
    long = np.where(number % 2 == 0, radius_px, radius_px * inner)
    star = centre_px + np.column_stack([np.cos(turn) * long, np.sin(turn) * long])
    cv2.fillPoly(picture, [np.round(star * 16).astype(np.int32)], ink, cv2.LINE_AA, SHIFT)


def write_centred(
    picture: Pixels, text: str, middle_px: tuple[int, int], ink: list[float], *, font: int, scale: float, thick: int
) -> None:
    box, _ = cv2.getTextSize(text, font, scale, thick)
    start = (middle_px[0] - box[0] // 2, middle_px[1] + box[1] // 2)
    cv2.putText(picture, text, start, font, scale, ink, thick, cv2.LINE_AA)


def _box_corners(centre: Pixels, width: float, height: float) -> tuple[list[int], list[int]]:
    half = np.array([width, height]) / 2
    return np.round(centre - half).astype(int).tolist(), np.round(centre + half).astype(int).tolist()


def _paint_ornament(sheet: Pixels, ornament: Ornament, origin_mm: float, px_per_mm: float) -> None:
    ink, dark = bgr(ornament.colour).tolist(), (bgr(ornament.colour) * 0.4).tolist()
    centre = (np.array(ornament.centre_mm) + origin_mm) * px_per_mm
    middle = (round(float(centre[0])), round(float(centre[1])))
    size, turn = ornament.size_mm * px_per_mm, ornament.angle_deg
    thin = max(1, round(size * 0.04))
    match ornament.kind:
        case "star":
            rays = 4 + int(ornament.size_mm) % 9
            draw_star(sheet, centre, ink, radius_px=size / 2, inner=0.38, rays=rays, turn_deg=turn)
            cv2.circle(sheet, middle, round(size * 0.55), ink, thin, cv2.LINE_AA)
        case "circle":
            for share in (0.5, 0.4, 0.15):
                cv2.circle(sheet, middle, max(1, round(size * share)), ink, thin, cv2.LINE_AA)
        case "text":
            font = cv2.FONT_HERSHEY_COMPLEX
            write_centred(sheet, ornament.text, middle, ink, font=font, scale=size / 30, thick=thin)
        case "frame":
            low, high = _box_corners(centre, size, size * 0.6)
            cv2.rectangle(sheet, low, high, ink, max(1, round(1.2 * px_per_mm)), cv2.LINE_AA)
        case "outline":
            low, high = _box_corners(centre, size, float(ornament.text) * px_per_mm)
            cv2.rectangle(sheet, low, high, ink, max(1, round(1.5 * px_per_mm)), cv2.LINE_AA)
        case "screw":
            cv2.circle(sheet, middle, max(1, round(size / 2)), ink, -1, cv2.LINE_AA)
            cv2.circle(sheet, middle, max(1, round(size / 4)), dark, -1, cv2.LINE_AA)
        case "hinge":
            low, high = _box_corners(centre, size / 2, size)
            cv2.rectangle(sheet, low, high, ink, -1, cv2.LINE_AA)
            cv2.line(sheet, (middle[0], low[1]), (middle[0], high[1]), dark, 1)
        case _:
            reach = np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))]) * size / 2
            ends = [np.round(centre + sign * reach).astype(int).tolist() for sign in (-1, 1)]
            cv2.line(sheet, ends[0], ends[1], ink, thin, cv2.LINE_AA)


def _paint_bar(sheet: Pixels, board: Board, origin_mm: float, px_per_mm: float) -> None:
    """A bar without height is paint only: a narrow bar is a line, and a seam may split a wide one."""
    left, right = ((edge + origin_mm) * px_per_mm for edge in board.bar_mm)
    top, bottom = round(origin_mm * px_per_mm), round((board.field_mm[1] + origin_mm) * px_per_mm)
    first, last = round(left), max(round(right), round(left) + 1)
    if board.bar_mm[1] > board.bar_mm[0]:
        part = sheet[top:bottom, first:last]
        part[:] = cut_patch(board.bar, part.shape[1], part.shape[0], px_per_mm)
    if board.bar_seam:
        middle = round((left + right) / 2)
        sheet[top:bottom, middle : middle + 1] = (sheet[top:bottom, middle : middle + 1] * 0.35).astype(np.uint8)


def _compute_wear(sheet: Pixels, board: Board, origin_mm: float, px_per_mm: float) -> Pixels:
    """Relative change of brightness by waves and stains of the ground and by the folds of a sheet."""
    height, width = sheet.shape[:2]
    bright = np.ones((height, width), np.float32)
    if board.uneven > 0:
        blotches = Finish(SurfacePattern.PLAIN, (0.0, 0.0, 0.0), (1.0, 1.0, 1.0), 1.0, 0.8, 0.0, 0.0, board.field.seed)
        grey = cut_patch(blotches, width // 4 + 1, height // 4 + 1, px_per_mm / 4)[..., 0]
        bright += (cv2.resize(grey, (width, height)).astype(np.float32) / 128 - 1) * np.float32(board.uneven)
    away = np.arange(width, dtype=np.float32) / px_per_mm - origin_mm
    for fold in board.crease_mm:
        near = (away - fold) / 4
        bright += (0.35 * near * np.exp(-(near**2)))[None, :].astype(np.float32)
    bright = np.clip(bright, 0.3, 1.6)
    return cv2.multiply(sheet, cv2.merge([bright, bright, bright]), dtype=cv2.CV_8U)


def paint_surface(board: Board, px_per_mm: float, origin_mm: float) -> Pixels:
    """uint8 BGR texture; board point (0, 0) mm lies at pixel `origin_mm` * `px_per_mm` - 0.5 in both directions."""
    width, height = (round((side + 2 * origin_mm) * px_per_mm) for side in board.field_mm)
    sheet = cut_patch(board.field, width, height, px_per_mm)
    sheet = _paint_points(sheet, board, origin_mm, px_per_mm)
    hinges = [ornament for ornament in board.ornaments if ornament.kind == "hinge"]
    for ornament in board.ornaments:
        if ornament not in hinges:
            _paint_ornament(sheet, ornament, origin_mm, px_per_mm)
    if board.decorate is not None:
        board.decorate(sheet, px_per_mm, (origin_mm, origin_mm))
    _paint_bar(sheet, board, origin_mm, px_per_mm)
    for hinge in hinges:
        _paint_ornament(sheet, hinge, origin_mm, px_per_mm)
    if board.uneven > 0 or board.crease_mm:
        sheet = _compute_wear(sheet, board, origin_mm, px_per_mm)
    if board.border is not None:
        low = round((origin_mm - board.border_mm / 2) * px_per_mm)
        high = [round((side + origin_mm + board.border_mm / 2) * px_per_mm) for side in board.field_mm]
        thick = max(1, round(board.border_mm * px_per_mm))
        cv2.rectangle(sheet, (low, low), high, bgr(board.border).tolist(), thick)
    return sheet
