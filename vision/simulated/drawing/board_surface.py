"""The playing field as a texture seen from above: ground, points, ornaments, painted bar."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulated.drawing.textures import bgr, cut_patch
from vision.simulated.scene import Board, Colour, Finish, Ornament, PointShape, PointStyle, SurfacePattern

Pixels = NDArray[Any]
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


def _mix(ground: Pixels, other: Pixels, mask: Pixels) -> Pixels:
    share = mask.astype(np.float32) * np.float32(1 / 255)
    return cv2.blendLinear(other, ground, share, 1 - share)


def _is_first(points: PointStyle, place: int) -> bool:
    if not points.alternate:
        return True
    return (place % 12 + (place >= 12) + points.start) % 2 == 0


def _paint_points(sheet: Pixels, board: Board, origin_mm: float, px_per_mm: float) -> Pixels:
    points = board.points
    height, width = sheet.shape[:2]
    for first in (True, False):
        chosen = [place for place in range(24) if _is_first(points, place) is first]
        outlines = [_to_fixed_point(point_outline_mm(board, place), origin_mm, px_per_mm) for place in chosen]
        if not outlines:
            continue
        if points.filled:
            mask = np.zeros((height, width), np.uint8)
            cv2.fillPoly(mask, outlines, 255, cv2.LINE_AA, SHIFT)
            if points.shape is PointShape.STRIPED:
                _cut_stripes(mask, board, origin_mm, px_per_mm)
            finish = points.first if first else points.second
            sheet = _mix(sheet, cut_patch(finish, width, height, px_per_mm), mask)
    if points.outline is not None:
        thick = max(1, round(points.outline_mm * px_per_mm))
        every = [_to_fixed_point(point_outline_mm(board, place), origin_mm, px_per_mm) for place in range(24)]
        cv2.polylines(sheet, every, True, bgr(points.outline).tolist(), thick, cv2.LINE_AA, SHIFT)
    if points.tip_dot is not None:
        for place in range(24):
            tip = _to_fixed_point(_tip_mm(board, place)[None], origin_mm, px_per_mm)[0]
            radius = round(board.pitch_mm * 0.12 * px_per_mm * (1 << SHIFT))
            cv2.circle(sheet, tip.tolist(), radius, bgr(points.tip_dot).tolist(), -1, cv2.LINE_AA, SHIFT)
    return sheet


def _tip_mm(board: Board, place: int) -> Pixels:
    long = board.points.gap_mm + board.points.length * board.field_mm[1]
    return np.array([board.point_x_mm(place % 12), long if place < 12 else board.field_mm[1] - long])


def _cut_stripes(mask: Pixels, board: Board, origin_mm: float, px_per_mm: float) -> None:
    """Leaves gaps across every point."""
    step = board.pitch_mm * 0.3
    middle = board.field_mm[1] / 2
    for gap in np.arange(step, board.field_mm[1], step):
        if abs(gap - middle) > board.field_mm[1] * 0.02:
            row = round((gap + origin_mm) * px_per_mm)
            mask[max(row, 0) : max(row, 0) + max(1, round(step * 0.35 * px_per_mm))] = 0


def _star_outline(centre: Pixels, radius: float, turn_deg: float, rays: int) -> Pixels:
    turn = np.radians(turn_deg) + np.arange(2 * rays) * np.pi / rays
    long = np.where(np.arange(2 * rays) % 2 == 0, radius, radius * 0.38)
    star: Pixels = centre + np.column_stack([np.cos(turn) * long, np.sin(turn) * long])
    return star


def _paint_ornament(sheet: Pixels, ornament: Ornament, origin_mm: float, px_per_mm: float) -> None:
    colour: Colour = ornament.colour
    ink = bgr(colour).tolist()
    centre = (np.array(ornament.centre_mm) + origin_mm) * px_per_mm
    middle = (round(float(centre[0])), round(float(centre[1])))
    size = ornament.size_mm * px_per_mm
    thin = max(1, round(size * 0.04))
    match ornament.kind:
        case "star":
            rays = 4 + int(ornament.size_mm) % 9
            star = np.round(_star_outline(centre, size / 2, ornament.angle_deg, rays) * 16).astype(np.int32)
            cv2.fillPoly(sheet, [star], ink, cv2.LINE_AA, SHIFT)
            cv2.circle(sheet, middle, round(size * 0.55), ink, thin, cv2.LINE_AA)
        case "circle":
            for share in (0.5, 0.4, 0.15):
                cv2.circle(sheet, middle, max(1, round(size * share)), ink, thin, cv2.LINE_AA)
        case "text":
            scale = size / 30
            box, _ = cv2.getTextSize(ornament.text, cv2.FONT_HERSHEY_COMPLEX, scale, thin)
            start = (middle[0] - box[0] // 2, middle[1] + box[1] // 2)
            cv2.putText(sheet, ornament.text, start, cv2.FONT_HERSHEY_COMPLEX, scale, ink, max(1, thin), cv2.LINE_AA)
        case "frame":
            corner = np.array([size, size * 0.6]) / 2
            thin = max(1, round(1.2 * px_per_mm))
            low, high = np.round(centre - corner).astype(int), np.round(centre + corner).astype(int)
            cv2.rectangle(sheet, low.tolist(), high.tolist(), ink, thin, cv2.LINE_AA)
        case "outline":
            long = float(ornament.text) * px_per_mm
            corner = np.array([size, long]) / 2
            low, high = np.round(centre - corner).astype(int), np.round(centre + corner).astype(int)
            cv2.rectangle(sheet, low.tolist(), high.tolist(), ink, max(1, round(1.5 * px_per_mm)), cv2.LINE_AA)
        case "screw":
            cv2.circle(sheet, middle, max(1, round(size / 2)), ink, -1, cv2.LINE_AA)
            cv2.circle(sheet, middle, max(1, round(size / 4)), (bgr(colour) * 0.4).tolist(), -1, cv2.LINE_AA)
        case "hinge":
            half = np.array([size / 4, size / 2])
            low, high = np.round(centre - half).astype(int), np.round(centre + half).astype(int)
            cv2.rectangle(sheet, low.tolist(), high.tolist(), ink, -1, cv2.LINE_AA)
            cv2.line(sheet, (middle[0], int(low[1])), (middle[0], int(high[1])), (bgr(colour) * 0.4).tolist(), 1)
        case _:
            angle = np.radians(ornament.angle_deg)
            reach = np.array([np.cos(angle), np.sin(angle)]) * size / 2
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
    for ornament in board.ornaments:
        if ornament.kind != "hinge":
            _paint_ornament(sheet, ornament, origin_mm, px_per_mm)
    _paint_bar(sheet, board, origin_mm, px_per_mm)
    for ornament in board.ornaments:
        if ornament.kind == "hinge":
            _paint_ornament(sheet, ornament, origin_mm, px_per_mm)
    if board.uneven > 0 or board.crease_mm:
        sheet = _compute_wear(sheet, board, origin_mm, px_per_mm)
    if board.border is not None:
        low = round((origin_mm - board.border_mm / 2) * px_per_mm)
        high = (
            round((board.field_mm[0] + origin_mm + board.border_mm / 2) * px_per_mm),
            round((board.field_mm[1] + origin_mm + board.border_mm / 2) * px_per_mm),
        )
        thick = max(1, round(board.border_mm * px_per_mm))
        cv2.rectangle(sheet, (low, low), high, bgr(board.border).tolist(), thick)
    return sheet
