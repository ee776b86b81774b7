"""Level dice and the doubling cube: at most three faces, each a small texture with rounded corners."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulated.drawing import die_body
from vision.simulated.drawing.lighting import Irradiance, side_factor
from vision.simulated.drawing.optics import View
from vision.simulated.drawing.painting import fill, hull, lay_picture
from vision.simulated.drawing.textures import bgr, linear, picture_to_light
from vision.simulated.scene import Die, Scene

Pixels = NDArray[Any]
FACE_PX = 40
ON_FIELD_MM = 3.0  # mm; a die above this height is out of the walls' shadows


def _make_face_picture(die: Die, value: int, text: str) -> Pixels:
    picture = np.empty((FACE_PX, FACE_PX, 3), np.uint8)
    picture[:] = bgr(die.body).astype(np.uint8)
    ink = bgr(die.pip).tolist()
    if text:
        scale = 1.0 if len(text) == 1 else 0.75
        box, _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, 2)
        start = ((FACE_PX - box[0]) // 2, (FACE_PX + box[1]) // 2)
        cv2.putText(picture, text, start, cv2.FONT_HERSHEY_DUPLEX, scale, ink, 2, cv2.LINE_AA)
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
    low = np.column_stack([flat, np.full(4, die.height_mm)])
    high = np.column_stack([flat, np.full(4, die.height_mm + die.size_mm)])
    return np.concatenate([low, high])


def _make_rounded_mask() -> Pixels:
    mask = np.zeros((FACE_PX * 4, FACE_PX * 4), np.uint8)
    edge = FACE_PX * 4
    radius = edge // 6
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
    body = linear(die.body)
    fill(canvas, _cut_corners(hull(pixels), 0.10), body * 0.8, light.tops)
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
    low, high = -0.5, FACE_PX - 0.5
    source = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, quad_px.astype(np.float32))
    lay_picture(canvas, picture, matrix, mask=mask, light=light)


def _cut_corners(outline: Pixels, share: float) -> Pixels:
    """The outline with its corners cut off."""
    after, before = np.roll(outline, -1, 0), np.roll(outline, 1, 0)
    cut = np.stack([outline + share * (before - outline), outline + share * (after - outline)], 1)
    return cut.reshape(-1, 2)
