"""Level dice and the doubling cube: at most three faces, each a small texture with rounded corners."""

import cv2
import numpy as np

from vision.simulated.drawing import die_body
from vision.simulated.drawing.lighting import Irradiance, side_factor
from vision.simulated.drawing.optics import View
from vision.simulated.drawing.painting import fill, hull, lay_picture, lift_to_height, stretch_to
from vision.simulated.drawing.textures import Pixels, bgr, linear, picture_to_light
from vision.simulated.scene import Die, Scene

FACE_PX = 40
ON_FIELD_MM = 3.0  # mm; a die above this height is out of the walls' shadows


def _make_face_picture(die: Die, value: int, text: str) -> Pixels:
    picture = np.empty((FACE_PX, FACE_PX, 3), np.uint8)
    picture[:] = bgr(die.body).astype(np.uint8)
    ink = bgr(die.pip).tolist()
    if text:
        die_body.write_number(picture, text, ink, scale=1.0 if len(text) == 1 else 0.75, thick=2)
        return picture_to_light(picture)
    for x, y in die_body.PIPS[value]:
        centre = (FACE_PX // 2 + round(x * FACE_PX * 0.26), FACE_PX // 2 + round(y * FACE_PX * 0.26))
        cv2.circle(picture, centre, round(FACE_PX * 0.1), ink, -1, cv2.LINE_AA)
    return picture_to_light(picture)


def corners_mm(die: Die) -> Pixels:
    """(8, 3) corners: the lower four, then the upper four, before the tilt. With marks: the tilted body's corners."""
    if die.marks is not None:
        return die_body.corners_mm(die)
    angle = np.radians(die.yaw_deg)
    along = np.array([np.cos(angle), np.sin(angle)]) * die.size_mm / 2
    across = np.array([-np.sin(angle), np.cos(angle)]) * die.size_mm / 2
    flat = np.array([-along - across, along - across, along + across, -along + across]) + die.centre_mm
    return np.concatenate([lift_to_height(flat, up) for up in (die.height_mm, die.height_mm + die.size_mm)])


def _make_rounded_mask() -> Pixels:
    edge, radius = FACE_PX * 4, FACE_PX * 4 // 6
    mask = np.zeros((edge, edge), np.uint8)
    cv2.rectangle(mask, (radius, 0), (edge - radius, edge), 255, -1)
    cv2.rectangle(mask, (0, radius), (edge, edge - radius), 255, -1)
    for x in (radius, edge - radius):
        for y in (radius, edge - radius):
            cv2.circle(mask, (x, y), radius, 255, -1)
    small = cv2.resize(mask, (FACE_PX, FACE_PX), interpolation=cv2.INTER_AREA)
    return small.astype(np.float32) / 255


def paint_die(canvas: Pixels, die: Die, scene: Scene, view: View, light: Irradiance) -> None:
    if die.marks is not None:
        on_field = abs(die.height_mm) < ON_FIELD_MM
        die_body.paint(canvas, die, scene, view, light.tops if on_field else light.free)
        return
    corners = corners_mm(die)
    pixels = view.project(corners)
    outline = hull(pixels)
    after, before = np.roll(outline, -1, 0), np.roll(outline, 1, 0)
    cut = np.stack([outline + 0.10 * (before - outline), outline + 0.10 * (after - outline)], 1)  # without its corners
    fill(canvas, cut.reshape(-1, 2), linear(die.body) * 0.8, light.tops)
    x, y, _ = view.position_mm
    mask = _make_rounded_mask()
    sides = [(0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
    for number, side in enumerate(sides):
        middle = corners[list(side)].mean(0)
        out = (middle[:2] - die.centre_mm) / (die.size_mm / 2)
        if (x - middle[0]) * out[0] + (y - middle[1]) * out[1] <= 0:
            continue
        shade = side_factor(scene, die.centre_mm, (float(out[0]), float(out[1])))
        value = die.faces[1] if number % 2 else die.faces[2]
        value = value if number in (1, 2) else 7 - value
        _paint_face(canvas, _make_face_picture(die, value, die.text) * shade, pixels[list(side)], mask, light.tops)
    _paint_face(canvas, _make_face_picture(die, die.faces[0], die.text) * 1.05, pixels[4:], mask, light.tops)


def _paint_face(canvas: Pixels, picture: Pixels, quad_px: Pixels, mask: Pixels, light: Pixels) -> None:
    lay_picture(canvas, picture, stretch_to(quad_px, FACE_PX, FACE_PX), mask=mask, light=light)
