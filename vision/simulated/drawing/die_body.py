"""Dice at any orientation: a cube with rounded edges whose visible faces are small textures with pips.

Local axes are the die's own: `faces` are (up, towards +x, towards +y), and opposite faces sum to seven.
"""

from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np

from vision.simulated.drawing.lighting import facing_factor
from vision.simulated.drawing.optics import Floats, View
from vision.simulated.drawing.painting import PixelWindow, find_window, hull, stretch_to, window_size
from vision.simulated.drawing.textures import Pixels, linear
from vision.simulated.scene import Colour, Die, PipMarks, Scene

FACE_PX = 48
OVERSAMPLING = 3  # factor at which a body is rasterised, for smooth edges
MOTION_SAMPLES = 5
DEFAULT_MARKS = PipMarks(0.52, 0.2, 0.17)
CORNERS = np.array([(x, y, z) for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)], np.float64)
RING = np.column_stack([np.cos(np.arange(16) * np.pi / 8), np.sin(np.arange(16) * np.pi / 8)])
# Axis and sign of each face's outward normal, and the two axes that span its texture.
FACES = ((2, 1, 0, 1), (2, -1, 0, 1), (0, 1, 1, 2), (0, -1, 1, 2), (1, 1, 0, 2), (1, -1, 0, 2))
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


def rotation_of(die: Die) -> Floats:
    """(3, 3) rotation from the die's axes to the board's, heights up."""
    yaw, tilt, way = np.radians((die.yaw_deg, die.tilt_deg, die.way_deg))
    turn = np.array([[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]])
    up, aside = np.array([0.0, 0, 1]), np.array([np.cos(way), np.sin(way), 0])
    lean = np.eye(3) + (np.cos(tilt) - 1) * (np.outer(up, up) + np.outer(aside, aside))
    lean += np.sin(tilt) * (np.outer(aside, up) - np.outer(up, aside))
    return np.asarray(lean @ turn)


def middle_mm(die: Die) -> Floats:
    """(3,) centre of the body whose lowest corner lies at the die's height."""
    low = die.size_mm / 2 * float(np.abs(rotation_of(die)[2]).sum())
    return np.array([*die.centre_mm, die.height_mm + low])


def corners_mm(die: Die) -> Floats:
    """(8, 3) corners; of a level die the lower four, then the upper four."""
    return middle_mm(die) + die.size_mm / 2 * CORNERS @ rotation_of(die).T


def contact_distance_mm(one: tuple[float, float], other: tuple[float, float], way_deg: float) -> float:
    """Distance of the centres of two touching level dice, one seen from the other in direction `way_deg`.

    Each die is (edge in mm, yaw in degrees). Separating axis theorem: two convex bodies are apart when their
    projections on one axis are, and for rectangles the axes along their sides are enough.
    """
    apart_mm: list[float] = []
    for side_deg in (yaw_deg + quarter for _, yaw_deg in (one, other) for quarter in (0, 90)):
        turns = [np.radians(side_deg - yaw_deg) for _, yaw_deg in (one, other)]
        shadows_mm = [
            size_mm / 2 * (abs(np.cos(turn)) + abs(np.sin(turn)))
            for (size_mm, _), turn in zip((one, other), turns, strict=True)
        ]
        apart_mm.append(sum(shadows_mm) / max(abs(np.cos(np.radians(way_deg - side_deg))), 1e-9))
    return float(min(apart_mm))


def face_value(die: Die, number: int) -> int:
    value = die.faces[(0, 0, 1, 1, 2, 2)[number]]
    return value if number % 2 == 0 else 7 - value


def write_number(picture: Pixels, text: str, ink: list[float] | int, *, scale: float, thick: int) -> None:
    """In the middle of the square picture."""
    side, font = picture.shape[0], cv2.FONT_HERSHEY_DUPLEX
    box, _ = cv2.getTextSize(text, font, scale, thick)
    cv2.putText(picture, text, ((side - box[0]) // 2, (side + box[1]) // 2), font, scale, ink, thick, cv2.LINE_AA)


@lru_cache(maxsize=128)
def _make_face_picture(body: Colour, ink: Colour, marks: PipMarks, value: int, text: str) -> Pixels:
    """float32 (FACE_PX, FACE_PX, 4): linear light, and the face's coverage of the rounded body below."""
    picture = np.empty((FACE_PX, FACE_PX, 3), np.float32)
    picture[:] = linear(body)
    mask = np.zeros((FACE_PX, FACE_PX), np.uint8)
    if text:
        write_number(mask, text, 255, scale=1.3 if len(text) == 1 else 0.85, thick=3)
    else:
        for x, y in PIPS[value]:
            centre = np.array([x, y]) * marks.spread * FACE_PX / 2 + FACE_PX / 2 - 0.5
            radius = marks.radius * (marks.ace if value == 1 else 1.0) * FACE_PX / 2
            fixed = (round(float(centre[0]) * 16), round(float(centre[1]) * 16))
            cv2.circle(mask, fixed, round(radius * 16), 255, -1, cv2.LINE_AA, 4)
    share = mask[..., None].astype(np.float32) / 255
    picture += (linear(ink) - picture) * share
    away = np.abs((np.arange(FACE_PX) + 0.5) / FACE_PX * 2 - 1)
    corner = np.maximum(away - (1 - marks.rounding), 0) / max(marks.rounding, 1e-3)
    flat = np.clip(1.25 - np.hypot(corner[None, :], corner[:, None]), 0, 1).astype(np.float32)
    return np.dstack([picture, flat])


def paint(canvas: Pixels, die: Die, scene: Scene, view: View, light: Pixels) -> None:
    """`light` has the size of the canvas."""
    poses = [die]  # during the exposure
    if die.smear_mm != (0.0, 0.0):
        poses = [_shift(die, share) for share in np.linspace(-0.5, 0.5, MOTION_SAMPLES)]
    ends_mm = [corners_mm(pose) for pose in (poses[0], poses[-1])]
    window = find_window(view.project(np.concatenate(ends_mm)), view.size_px)
    if window is None:
        return
    drawn = [_render_pose(pose, scene, view, window) for pose in poses]
    both = sum(drawn[1:], drawn[0]) / np.float32(len(drawn))
    part = canvas[window]
    part *= 1 - both[..., 3:]
    part += both[..., :3] * light[window]


def _shift(die: Die, share: float) -> Die:
    x, y = (centre + share * smear for centre, smear in zip(die.centre_mm, die.smear_mm, strict=True))
    turned = np.degrees(share * np.hypot(*die.smear_mm) / die.size_mm)
    return replace(die, centre_mm=(float(x), float(y)), tilt_deg=die.tilt_deg - float(turned), smear_mm=(0.0, 0.0))


def _render_pose(die: Die, scene: Scene, view: View, window: PixelWindow) -> Pixels:
    """float32 (rows, columns, 4) of the window: colour times coverage, and coverage."""
    small = window_size(window)
    size = (small[0] * OVERSAMPLING, small[1] * OVERSAMPLING)
    start = np.array([window[1].start, window[0].start])
    turned, middle = rotation_of(die), middle_mm(die)
    half, round_mm = die.size_mm / 2, die.size_mm / 2 * (die.marks or DEFAULT_MARKS).rounding
    inner = view.project(middle + (half - round_mm) * CORNERS @ turned.T)
    around = RING * round_mm * view.px_per_mm(*middle)
    outline = hull((inner[:, None] + around).reshape(-1, 2))
    mask = np.zeros(size[::-1], np.uint8)
    fine = ((outline - start + 0.5) * OVERSAMPLING - 0.5) * 16
    cv2.fillConvexPoly(mask, np.round(fine).astype(np.int32), 255, cv2.LINE_8, 4)
    shades = {}  # of the visible faces
    for number, face in enumerate(FACES):
        x, y, up = out = turned[:, face[0]] * face[1]
        if float((np.array(view.position_mm) - middle - half * out) @ out) > 0:
            at = (float(middle[0]), float(middle[1]))
            shades[number] = facing_factor(scene, at, (float(x), float(y), float(up)))
    between = float(np.mean(list(shades.values()))) if shades else 1.0
    colours = np.empty((*size[::-1], 3), np.float32)
    colours[:] = linear(die.body) * np.float32(between)
    for number, shade in shades.items():
        _lay_face(colours, die, number, turned=turned, view=view, start=start, shade=shade)
    both = np.dstack([colours * (mask[..., None] > 0), mask.astype(np.float32) / 255])
    return cv2.resize(both, small, interpolation=cv2.INTER_AREA)


def _lay_face(
    colours: Pixels, die: Die, number: int, *, turned: Floats, view: View, start: Floats, shade: float
) -> None:
    axis, sign, along, across = FACES[number]
    half = die.size_mm / 2
    out = middle_mm(die) + half * sign * turned[:, axis]
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64) * half
    corners = out + square[:, :1] * turned[:, along] + square[:, 1:] * turned[:, across]
    matrix = stretch_to((view.project(corners) - start + 0.5) * OVERSAMPLING - 0.5, FACE_PX, FACE_PX)
    picture = _make_face_picture(die.body, die.pip, (die.marks or DEFAULT_MARKS), face_value(die, number), die.text)
    bent = cv2.warpPerspective(picture, matrix, (colours.shape[1], colours.shape[0]))
    share = bent[..., 3:]
    colours += (bent[..., :3] * np.float32(shade) - colours) * share
