"""Checkers: a band for the side and, above it, a texture of the top shaded by its turned profile."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.simulated.drawing.board_surface import draw_star, write_centred
from vision.simulated.drawing.lighting import Irradiance, middle_mm, side_factor
from vision.simulated.drawing.optics import View
from vision.simulated.drawing.painting import (
    PixelWindow,
    circle_mm,
    coverage,
    find_window,
    hull,
    lay,
    luma,
    stretch_to,
    window_size,
)
from vision.simulated.drawing.textures import Pixels, bgr, cut_patch, linear, mean_colour, picture_to_light
from vision.simulated.scene import Checker, CheckerProfile, CheckerSide, CheckerStyle, Print, Scene

ATLAS = 3  # the texture atlas of a side holds ATLAS x ATLAS different tops


@dataclass(frozen=True, slots=True, eq=False)
class CheckerTops:
    """What all checkers of a side share: top textures (uint8), outward slopes and darkening by radius."""

    pictures: list[Pixels]
    slope_x: Pixels
    slope_y: Pixels
    shade: Pixels
    disc: Pixels
    band: Pixels
    gloss: float


def _ridge_slope(radius: Pixels, at: float, width: float) -> Pixels:
    """Outward slope of a ridge around the checker; a negative `width` gives a groove."""
    away = (radius - at) / abs(width)
    slope: Pixels = np.sign(width) * 2 * away * np.exp(-(away**2))
    return slope


def profile_slope(profile: CheckerProfile, radius: Pixels) -> Pixels:
    """Outward slope of the top's profile."""
    edge = np.clip((radius - 0.86) / 0.14, 0, 1) ** 2 * 1.2
    match profile:
        case CheckerProfile.FLAT:
            return np.clip((radius - 0.94) / 0.06, 0, 1) ** 2
        case CheckerProfile.BEVEL:
            return edge
        case CheckerProfile.DISH:
            return edge - 0.5 * np.clip(radius / 0.8, 0, 1) * (radius < 0.8)
        case CheckerProfile.DOME:
            return 0.45 * radius**2 + edge
        case CheckerProfile.GROOVE:
            return edge + 1.1 * _ridge_slope(radius, 0.68, -0.06)
        case CheckerProfile.RINGS:
            return edge + sum(0.8 * _ridge_slope(radius, at, -0.05) for at in (0.3, 0.5, 0.72))
        case CheckerProfile.RIM:
            return edge + 1.3 * _ridge_slope(radius, 0.8, 0.07) - 0.7 * (np.abs(radius - 0.68) < 0.04)


def _draw_print(picture: Pixels, style: CheckerStyle) -> None:
    side = picture.shape[0]
    middle, ink = side // 2, bgr(style.print_colour).tolist()
    size = style.print_size * side / 2
    thin = max(1, round(side * 0.04))
    match style.print:
        case Print.STAR:
            centre = np.array([middle, middle])
            draw_star(picture, centre, ink, radius_px=size, inner=0.4, rays=5, turn_deg=0)
        case Print.LETTER:
            font = cv2.FONT_HERSHEY_DUPLEX
            write_centred(picture, style.text, (middle, middle), ink, font=font, scale=size / 13, thick=thin)
        case Print.CIRCLE:
            cv2.circle(picture, (middle, middle), round(size), ink, thin, cv2.LINE_AA)
        case Print.SPOKES:
            for turn in np.arange(6) * np.pi / 6:
                reach = np.array([np.cos(turn), np.sin(turn)]) * size
                ends = [np.round(middle + sign * reach).astype(int).tolist() for sign in (-1, 1)]
                cv2.line(picture, ends[0], ends[1], ink, 1, cv2.LINE_AA)
        case Print.DOT:
            cv2.circle(picture, (middle, middle), max(1, round(size * 0.5)), ink, -1, cv2.LINE_AA)
        case Print.NONE:
            pass


def make_tops(style: CheckerStyle, side_px: int, diameter_mm: float) -> CheckerTops:
    per_mm = side_px / diameter_mm
    sheet = cut_patch(style.finish, side_px * ATLAS, side_px * ATLAS, per_mm)
    axis = ((np.arange(side_px, dtype=np.float32) + 0.5) / side_px * 2 - 1) * (side_px / (side_px - 2))
    x, y = np.meshgrid(axis, axis)
    radius = np.sqrt(x**2 + y**2)  # 1 at the rim
    pictures = []
    for row in range(ATLAS):
        for column in range(ATLAS):
            top, left = row * side_px, column * side_px
            cut = np.ascontiguousarray(sheet[top : top + side_px, left : left + side_px])
            if style.edge is not None:
                cut[radius > 0.84] = bgr(style.edge).astype(np.uint8)
            _draw_print(cut, style)
            if style.decorate is not None:
                style.decorate(cut)
            pictures.append(cut)
    slope = profile_slope(style.profile, radius)
    safe = np.maximum(radius, 1e-3)
    disc = np.clip((1 - radius) * side_px / 2 + 0.5, 0, 1).astype(np.float32)
    shade = 1 - 0.12 * np.clip(np.abs(slope), 0, 1.5)
    band = linear(style.edge if style.edge is not None else mean_colour(style.finish))
    return CheckerTops(
        pictures, slope * x / safe, slope * y / safe, shade.astype(np.float32), disc, band, style.finish.gloss
    )


def top_luma(style: CheckerStyle) -> float:
    """Mean Rec. 709 luma 0..1 of the top with its print and edge."""
    tops = make_tops(style, 28, 30.0)
    inside = tops.disc > 0.5
    blue, green, red = (float(np.mean([picture[inside][:, c].mean() for picture in tops.pictures])) for c in range(3))
    return luma((red / 255, green / 255, blue / 255))


def _shading(
    tops: CheckerTops, scene: Scene, view: View, at_mm: Pixels, lean: tuple[float, float]
) -> tuple[Pixels, Pixels]:
    """(factor on the light of a level surface, mirrored light), both (side, side, 1 or 3)."""
    normal_x, normal_y = tops.slope_x - lean[0], tops.slope_y - lean[1]
    length = 1 / np.sqrt(normal_x**2 + normal_y**2 + 1)
    ambient = float(np.mean(scene.ambient))
    factor = np.full_like(length, ambient) * (0.6 + 0.4 * length)
    total, shine = ambient, np.zeros((*length.shape, 3), np.float32)
    towards = np.array(view.position_mm) - at_mm
    towards = towards / np.linalg.norm(towards)
    sharp = 12 + 250 * tops.gloss**2
    for lamp in scene.lamps:
        reach = np.array(lamp.at_mm) - at_mm
        reach = reach / np.linalg.norm(reach)
        level = max(float(reach[2]), 0.2)
        facing = np.maximum((normal_x * reach[0] + normal_y * reach[1] + reach[2]) * length, 0)
        factor += lamp.strength * np.minimum(facing / level, 2.2)
        total += lamp.strength
        half = (reach + towards) / np.linalg.norm(reach + towards)
        cosine = np.maximum((normal_x * half[0] + normal_y * half[1] + half[2]) * length, 0)
        peak = 0.04 * (sharp + 8) / 8 * tops.gloss * lamp.strength * min(lamp.mirrored, 1.0)
        shine += (peak * cosine**sharp)[..., None].astype(np.float32) * linear(lamp.colour)
    return (factor / max(total, 1e-6) * tops.shade)[..., None].astype(np.float32), shine


@dataclass(frozen=True, slots=True, eq=False)
class CheckerPatch:
    """One checker before lighting: the `band` of its side over a mask, and its top with coverage."""

    around: PixelWindow
    side: Pixels
    band: Pixels
    face: PixelWindow
    top: Pixels  # (rows, columns, 4)
    gloss: float
    is_high: bool  # stands on another checker: no rim throws a shadow on it


def paint_checker(
    canvas: Pixels, checker: Checker, scene: Scene, view: View, *, tops: CheckerTops, light: Irradiance, glare: Pixels
) -> None:
    patch = make_checker_patch(checker, scene, view, tops)
    if patch is not None:
        lay_patch(canvas, patch, light, glare)


def lay_patch(canvas: Pixels, checker: CheckerPatch, light: Irradiance, glare: Pixels) -> None:
    """Paints the patch on the canvas, in place."""
    level = light.free if checker.is_high else light.tops
    lay(canvas, checker.around, checker.side, checker.band * level[checker.around])
    colours = checker.top[..., :3] * level[checker.face]
    if checker.gloss > 0.02:
        colours = colours + glare[checker.face] * np.float32(checker.gloss)
    lay(canvas, checker.face, checker.top[..., 3], colours)


def make_checker_patch(checker: Checker, scene: Scene, view: View, tops: CheckerTops) -> CheckerPatch | None:
    """None when the checker is not in view."""
    x, y = checker.centre_mm
    place = [round(x * 10) & 0xFFFF, round(y * 10) & 0xFFFF] if checker.grain is None else [checker.grain]
    rng = np.random.default_rng([scene.seed, *place])
    radius, thick = scene.checker_diameter_mm / 2, scene.checker_thickness_mm
    low = circle_mm(checker.centre_mm, radius, checker.height_mm, 28)
    high = circle_mm(checker.centre_mm, radius, checker.height_mm + thick, 28)
    for ring in (low, high):
        ring[:, 2] += (ring[:, :2] - checker.centre_mm) @ np.array(checker.lean)
    outward = np.array(view.position_mm[:2]) - checker.centre_mm
    out = outward / max(float(np.linalg.norm(outward)), 1.0)
    shade = side_factor(scene, checker.centre_mm, (float(out[0]), float(out[1]))) * 0.85
    wear = scene.checker_style(checker.side).wear
    tone = 1 + rng.normal(0, wear, 3).astype(np.float32) * (0.5, 0.5, 0.5) + rng.normal(0, wear)
    tone = np.clip(tone, 0.5, 1.6).astype(np.float32)
    outline = hull(view.project(np.concatenate([low, high])))
    around = find_window(outline, view.size_px)
    at_mm = np.array([*checker.centre_mm, checker.height_mm + thick])
    factor, shine = _shading(tops, scene, view, at_mm, checker.lean)
    picture = tops.pictures[int(rng.integers(len(tops.pictures)))]
    side_px, half_px = picture.shape[0], (picture.shape[0] - 1) / 2
    turn = cv2.getRotationMatrix2D((half_px, half_px), checker.turn_deg, 1.0)
    turned = cv2.warpAffine(picture, turn, (side_px, side_px), borderMode=cv2.BORDER_REFLECT_101)
    albedo = picture_to_light(turned) * tone
    top = _warp_top(checker, scene, view, albedo * factor + shine, tops.disc)
    if around is None or top is None:
        return None
    gloss = tops.gloss * float(rng.uniform(0.3, 1.2))
    side, band = coverage([outline], around), tops.band * tone * shade
    opacity = scene.checker_style(checker.side).opacity
    if opacity < 1:
        side *= np.float32(opacity)
        top[1][..., 3] *= np.float32(opacity)
    return CheckerPatch(around, side, band, *top, gloss, checker.height_mm + thick > 1.6 * thick)


def _warp_top(
    checker: Checker, scene: Scene, view: View, colours: Pixels, disc: Pixels
) -> tuple[PixelWindow, Pixels] | None:
    """The window in which the top is visible, with its colours and coverage there."""
    side = disc.shape[0]
    radius = scene.checker_diameter_mm / 2 * side / (side - 2)
    square = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]]) * radius
    height = checker.height_mm + scene.checker_thickness_mm + square @ np.array(checker.lean)
    corners = view.project(np.column_stack([square + checker.centre_mm, height]))
    window = find_window(corners, view.size_px)
    if window is None:
        return None
    rows, columns = window
    matrix = stretch_to(corners - (columns.start, rows.start), side, side)
    both = cv2.merge([*cv2.split(colours), disc])
    return window, cv2.warpPerspective(both, matrix, window_size(window), borderMode=cv2.BORDER_REPLICATE)


def make_both_tops(scene: Scene, view: View) -> dict[CheckerSide, CheckerTops]:
    side_px = int(np.clip(scene.checker_diameter_mm * view.px_per_mm(*middle_mm(scene)) * 1.3, 20, 110))
    return {side: make_tops(scene.checker_style(side), side_px, scene.checker_diameter_mm) for side in CheckerSide}
