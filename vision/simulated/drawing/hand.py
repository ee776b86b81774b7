"""Hands with forearm and sleeve: chains of capsule-shaped limbs, shaded by their height map."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.simulated.drawing.lighting import ShadowCaster
from vision.simulated.drawing.optics import View
from vision.simulated.drawing.painting import circle_mm, find_window, hull, window_size
from vision.simulated.drawing.textures import Pixels, cut_patch, linear, picture_to_light
from vision.simulated.scene import Hand, Scene

NOWHERE = np.float32(-1e4)  # height of a pixel without a hand


@dataclass(frozen=True, slots=True)
class Limb:
    """A capsule between two points (x, y, height), with a radius at each end."""

    start_mm: tuple[float, float, float]
    end_mm: tuple[float, float, float]
    start_radius_mm: float
    end_radius_mm: float
    kind: str  # skin, nail or sleeve


def build_limbs(hand: Hand) -> list[Limb]:
    """Ordered from the far end of the sleeve to the finger tips."""
    angle = np.radians(hand.from_deg)
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-np.sin(angle), np.cos(angle)]) * (-1 if hand.left else 1)
    rng = np.random.default_rng(hand.seed)
    size, tip = hand.size, np.array(hand.tip_mm)

    def place(u: float, v: float, up: float) -> tuple[float, float, float]:
        x, y = tip + (along * u + across * v) * size
        return float(x), float(y), float(max(up * size + hand.height_mm - 25, 3))

    found = [Limb(place(150, 0, 45), place(480, 20, 90), 27 * size, 42 * size, "skin")]
    for number, side in enumerate((-30.0, -10.0, 10.0, 29.0)):
        reach = (8.0, 0.0, 5.0, 22.0)[number] + rng.normal(0, 6) + hand.curl * 30 * (number / 3)
        spread = side * (1 + hand.spread * rng.uniform(0.3, 1.0))
        knuckle, joint = place(88, side, 45), place(48 + reach * 0.6, side * 0.5 + spread * 0.5, 48 - 14 * hand.curl)
        middle, end = place(20 + reach, spread * 0.9, 25), place(reach, spread * 0.8, 10)
        found.append(Limb(place(150, side * 0.45, 42), knuckle, 19 * size, 13 * size, "skin"))
        found.append(Limb(knuckle, joint, 11.5 * size, 10 * size, "skin"))
        found.append(Limb(joint, middle, 10 * size, 8.8 * size, "skin"))
        found.append(Limb(middle, end, 8.8 * size, 7.2 * size, "skin"))
        found.append(Limb(place(4 + reach, spread * 0.82, 16), end, 5.4 * size, 5 * size, "nail"))
    thumb = rng.uniform(-52, -30)
    base, joint = place(78, -48, 32), place(42, (thumb - 48) / 2, 20)
    found.append(Limb(place(128, -24, 38), base, 19 * size, 12 * size, "skin"))
    found.append(Limb(base, joint, 12 * size, 10 * size, "skin"))
    found.append(Limb(joint, place(18, thumb * 0.8, 11), 10 * size, 8 * size, "skin"))
    far = hand.sleeve_from_mm
    found.append(Limb(place(far, 4, 45 + far * 0.08), place(far + 700, 40, 160), 46 * size, 72 * size, "sleeve"))
    return found


def hand_shadow_casters(hand: Hand) -> list[ShadowCaster]:
    found = []
    for limb in build_limbs(hand):
        if limb.kind != "nail":
            ends = (limb.start_mm, limb.start_radius_mm), (limb.end_mm, limb.end_radius_mm)
            rings = [circle_mm(end[:2], radius, end[2], 14) for end, radius in ends]
            found.append(ShadowCaster(np.concatenate(rings), limb.end_mm[2]))
    return found


def outlines_px(hand: Hand, view: View) -> list[Pixels]:
    """The outline of every limb in the view."""
    return [hull(view.project(solid.points_mm)) for solid in hand_shadow_casters(hand)]


def _height_map(limb: Limb, view: View, window: tuple[slice, slice]) -> tuple[Pixels, tuple[slice, slice]] | None:
    """(height of the limb in px over a part of the window, minus infinity where the limb is not; that part)."""
    ends = view.project(np.array([limb.start_mm, limb.end_mm]))
    first = limb.start_radius_mm * view.px_per_mm(*limb.start_mm)
    last = limb.end_radius_mm * view.px_per_mm(*limb.end_mm)
    rows, columns = window
    ends = ends - (columns.start, rows.start)
    reach = max(first, last) + 1
    x0, y0 = np.maximum(np.floor(ends.min(0) - reach), 0).astype(int)
    x1 = min(int(np.ceil(ends[:, 0].max() + reach)) + 1, columns.stop - columns.start)
    y1 = min(int(np.ceil(ends[:, 1].max() + reach)) + 1, rows.stop - rows.start)
    if x1 <= x0 or y1 <= y0:
        return None
    x = np.arange(x0, x1, dtype=np.float32)[None, :] - np.float32(ends[0, 0])
    y = np.arange(y0, y1, dtype=np.float32)[:, None] - np.float32(ends[0, 1])
    axis = (ends[1] - ends[0]).astype(np.float32)
    share = np.clip((x * axis[0] + y * axis[1]) / max(float(axis @ axis), 1e-3), 0, 1)
    square = (x - share * axis[0]) ** 2 + (y - share * axis[1]) ** 2
    radius = first + (last - first) * share
    scale = view.px_per_mm(*limb.start_mm)
    level = (limb.start_mm[2] + (limb.end_mm[2] - limb.start_mm[2]) * share) * scale
    round_part = np.sqrt(np.maximum(radius**2 - square, 0))
    bump = np.where(square < radius**2, level + round_part, NOWHERE).astype(np.float32)
    return bump, (slice(int(y0), y1), slice(int(x0), x1))


def paint_hand(canvas: Pixels, hand: Hand, scene: Scene, view: View, light: Pixels) -> None:
    every = build_limbs(hand)
    outlines = np.concatenate(outlines_px(hand, view))
    window = find_window(np.clip(outlines, -500, np.array(view.size_px) + 500.0), view.size_px)
    if window is None:
        return
    shape = window_size(window)[::-1]
    height, kind = np.full(shape, NOWHERE, np.float32), np.zeros(shape, np.uint8)
    for limb in every:
        found = _height_map(limb, view, window)
        if found is None:
            continue
        bump, part = found
        is_there = bump > NOWHERE
        if limb.kind == "nail":
            bump = bump + np.float32(1.5)
        higher = is_there & (bump > height[part])
        height[part][higher] = bump[higher]
        kind[part][higher] = {"skin": 1, "nail": 2, "sleeve": 3}[limb.kind]
    mask = (kind > 0).astype(np.float32)
    ground = cv2.GaussianBlur(mask, (0, 0), 0.7)
    albedo = _albedo(hand, kind, shape, view.px_per_mm(*hand.tip_mm))
    factor = _relief(height, kind, scene, view, hand)
    lit = albedo * factor[..., None] * light[window]
    canvas[window] += (lit - canvas[window]) * (ground * mask)[..., None]


def _albedo(hand: Hand, kind: Pixels, shape: tuple[int, int], px_per_mm: float) -> Pixels:
    rng = np.random.default_rng(hand.seed)
    skin = linear(hand.skin)
    rough = cv2.resize(rng.standard_normal((shape[0] // 6 + 2, shape[1] // 6 + 2)).astype(np.float32), shape[::-1])
    red = cv2.resize(rng.standard_normal((shape[0] // 30 + 2, shape[1] // 30 + 2)).astype(np.float32), shape[::-1])
    albedo = skin * (1 + 0.05 * rough[..., None] + 0.10 * red[..., None] * np.array([-0.6, -0.5, 0.6], np.float32))
    albedo[kind == 2] = np.clip(skin * 1.1 + 0.06, 0, 1)
    if (kind == 3).any():
        cloth = picture_to_light(cut_patch(hand.sleeve, shape[1], shape[0], px_per_mm))
        albedo[kind == 3] = cloth[kind == 3]
    return albedo.astype(np.float32)


def _relief(height: Pixels, kind: Pixels, scene: Scene, view: View, hand: Hand) -> Pixels:
    """Shading by the slope of the height map: brighter where the surface faces the lamps."""
    known = np.where(kind > 0, height, height[kind > 0].min() if (kind > 0).any() else 0).astype(np.float32)
    if (kind == 3).any():
        rng = np.random.default_rng(hand.seed + 1)
        folds = rng.standard_normal((known.shape[0] // 14 + 2, known.shape[1] // 14 + 2)).astype(np.float32)
        large = cv2.resize(folds, known.shape[::-1], interpolation=cv2.INTER_CUBIC)
        known = known + np.where(kind == 3, 3.0 * large, 0).astype(np.float32)
    smooth = cv2.GaussianBlur(known, (0, 0), 1.6)
    slope_x = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=1 / 8)
    slope_y = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=1 / 8)
    steep = np.sqrt(slope_x**2 + slope_y**2)
    limit = np.minimum(1.0, 1.6 / np.maximum(steep, 1e-3))
    slope_x, slope_y = slope_x * limit, slope_y * limit
    length = 1 / np.sqrt(slope_x**2 + slope_y**2 + 1)
    ambient = float(np.mean(scene.ambient))
    factor, total = ambient * (0.45 + 0.55 * length), ambient
    here = np.array([*hand.tip_mm, hand.height_mm])
    step = view.project(here + np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]]))
    turn = np.column_stack([step[1] - step[0], step[2] - step[0]])
    turn = turn / np.linalg.norm(turn[:, 0])
    for lamp in scene.lamps:
        reach = np.array(lamp.at_mm) - here
        reach = reach / np.linalg.norm(reach)
        x, y = turn @ reach[:2]
        facing = np.maximum((-slope_x * x - slope_y * y + reach[2]) * length, 0)
        factor = factor + lamp.strength * facing / max(float(reach[2]), 0.3)
        total += lamp.strength
    return np.asarray(np.clip(factor / max(total, 1e-6), 0.12, 1.8), np.float32)
