"""Draws a reading over its frame: what was understood, and how surely.

Nothing rests on hue alone. A colour is told by letter and by the badge's own lightness (L3 dark on light, D2 light on
dark), how sure by the outline: thick, thin, dashed for doubtful, hatched for unknown. Upper left is corner 1.
"""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.board.board_reading import BoardReading
from vision.board.dice_overlay import mark_cube, mark_dice
from vision.geometry.projection import POINTS_A_HALF, FieldShape, Points, Projection
from vision.pixels.drawing import DARK, DOUBT, FINE_BITS, LIGHT, LIKELY, Picture, draw_note, draw_plate, draw_sides
from vision.places import Colour, Place

_POINT_LENGTH = 0.45  # of the field's height
_LEGEND = "L light  D dark  thick: sure  thin: likely  dashed: doubtful  hatched: unknown"


def draw_reading(pixels: Picture, reading: BoardReading, projection: Projection, field: FieldShape) -> Picture:
    """A new picture of the same size, BGR."""
    pen = _Pen(pixels.copy(), projection, field)
    pen.outline(field.corners_mm, confidence=1.0)
    for place, seen in reading.points():
        guess = seen.best()
        box = _point_box_mm(place, field)
        if guess.colour is Colour.UNKNOWN:
            pen.hatch(box)
        elif guess.colour is not Colour.NONE or guess.confidence < LIKELY:
            pen.outline(_shrink_box(box, field.pitch_mm / 12), confidence=guess.confidence)
        text = {Colour.NONE: "-", Colour.UNKNOWN: "?", Colour.BOTH: f"LD{guess.count}"}.get(
            guess.colour, f"{guess.colour.value[0].upper()}{guess.count}"
        )
        pen.badge(text, _badge_place_mm(place, field), guess.colour)
    _draw_bar(pen, reading, field)
    _draw_corners(pen, field)
    mark_dice(pen.picture, reading.dice)
    if reading.cube is not None:
        mark_cube(pen.picture, reading.cube, pen.field_px)
    draw_note(pen.picture, _tray_text(reading) + ("hand in view  " if reading.hand_in_view else "") + _LEGEND)
    return pen.picture


def _tray_text(reading: BoardReading) -> str:
    """A reading knows the trays' sum, not where they lie; said in the note, and not at all where it is unknown."""
    guess = None if reading.tray is None else reading.tray.best()
    if guess is None or guess.light is None or guess.dark is None:
        return ""
    return f"tray L{guess.light} D{guess.dark}{'?' if guess.confidence < LIKELY else ''}  "


def _draw_bar(pen: "_Pen", reading: BoardReading, field: FieldShape) -> None:
    guess = reading.bar.best()
    middle_mm, half_mm = (field.bar_left_mm + field.bar_right_mm) / 2, (field.bar_right_mm - field.bar_left_mm) / 2
    half_mm = max(half_mm, field.pitch_mm / 4)
    box = _box(middle_mm - half_mm, 0, middle_mm + half_mm, field.height_mm)
    if guess.light is None or guess.dark is None:
        pen.hatch(box)
        pen.badge("?", (middle_mm, field.height_mm / 2), Colour.UNKNOWN)
        return
    pen.outline(_shrink_box(box, field.pitch_mm / 12), confidence=guess.confidence)
    apart_mm = field.pitch_mm * 0.5
    for count, colour, y_mm in ((guess.light, Colour.LIGHT, -apart_mm), (guess.dark, Colour.DARK, apart_mm)):
        if count:
            pen.badge(f"{colour.value[0].upper()}{count}", (middle_mm, field.height_mm / 2 + y_mm), colour)


def _draw_corners(pen: "_Pen", field: FieldShape) -> None:
    middle_mm = field.corners_mm.mean(axis=0)
    for number, corner_mm in enumerate(field.corners_mm, start=1):
        outward_mm = corner_mm + (corner_mm - middle_mm) / np.abs(corner_mm - middle_mm) * field.pitch_mm * 0.8
        pen.mark(corner_mm)
        pen.badge(str(number), outward_mm, Colour.UNKNOWN)


def _box(left: float, top: float, right: float, bottom: float) -> Points:
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float64)


def _shrink_box(box: Points, by_mm: float) -> Points:
    """Drawn a little inside, neighbours do not share their line."""
    shrunk: Points = box + np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)]) * by_mm
    return shrunk


def _column(place: Place) -> int:
    return int(place.value[1:])


def _is_upper(place: Place) -> bool:
    return place.value.startswith("T")


def _point_box_mm(place: Place, field: FieldShape) -> Points:
    middle_mm = field.point_middle_mm(_column(place))
    in_left = _column(place) <= POINTS_A_HALF
    half_mm = (field.bar_left_mm if in_left else field.width_mm - field.bar_right_mm) / (2 * POINTS_A_HALF)
    length_mm = field.height_mm * _POINT_LENGTH
    top_mm = 0.0 if _is_upper(place) else field.height_mm - length_mm
    return _box(middle_mm - half_mm, top_mm, middle_mm + half_mm, top_mm + length_mm)


def _badge_place_mm(place: Place, field: FieldShape) -> tuple[float, float]:
    """Where the badge of a point lies: on the rim beside its base."""
    beside_mm = field.pitch_mm * 0.45
    return field.point_middle_mm(_column(place)), -beside_mm if _is_upper(place) else field.height_mm + beside_mm


class _Pen:
    """Draws on its own picture, places given in board mm."""

    def __init__(self, picture: Picture, projection: Projection, field: FieldShape) -> None:
        self.picture = picture
        self._projection = projection
        rim_px = projection.to_picture([(0.0, 0.0), (field.width_mm, 0.0)])
        self.field_px = float(np.linalg.norm(rim_px[1] - rim_px[0]))
        self._pitch_px = self.field_px * field.pitch_mm / field.width_mm
        self._thin_px = max(1, round(self._pitch_px / 40))

    def outline(self, corners_mm: Points, *, confidence: float) -> None:
        draw_sides(self.picture, self._sides_px(corners_mm), confidence=confidence, thin_px=self._thin_px)

    def _sides_px(self, corners_mm: Points) -> Iterator[NDArray[np.int32]]:
        """Each side in short pieces, so that it bends as the lens bends it and can be dashed. In parts of a pixel."""
        for start, end in zip(corners_mm, np.roll(corners_mm, -1, axis=0), strict=True):
            pieces = 2 * max(4, round(float(np.linalg.norm(end - start)) / 12)) + 1
            along = np.linspace(0.0, 1.0, pieces)[:, None]
            yield self._px(start + along * (end - start), fine=1 << FINE_BITS)

    def _px(self, points_mm: ArrayLike, *, fine: int = 1) -> NDArray[np.int32]:
        """In `fine` parts of a pixel."""
        limit = 4 * max(self.picture.shape)  # far outside nothing is drawn, and the numbers stay small
        return np.rint(np.clip(self._projection.to_picture(points_mm), -limit, limit) * fine).astype(np.int32)

    def hatch(self, corners_mm: Points) -> None:
        mask = np.zeros(self.picture.shape[:2], np.uint8)
        cv2.fillPoly(mask, [np.concatenate(list(self._sides_px(corners_mm)))], 255, shift=FINE_BITS)
        rows, columns = np.nonzero(mask)
        step_px = max(6, round(self._pitch_px / 4))
        phase = (rows + columns) % step_px
        for least, most, colour in ((0, 3, DOUBT), (3, 5, DARK)):
            chosen = (phase >= least * step_px // 12) & (phase < max(1, most * step_px // 12))
            self.picture[rows[chosen], columns[chosen]] = colour

    def badge(self, text: str, at_mm: ArrayLike, colour: Colour) -> None:
        """A small plate with its text."""
        ink, plate = (LIGHT, DARK) if colour is Colour.DARK else (DARK, LIGHT)
        if colour is Colour.UNKNOWN:
            plate = DOUBT
        at_px = self._px(np.asarray(at_mm, np.float64)[None])[0]
        draw_plate(self.picture, text, at_px, size=max(0.35, self._pitch_px / 75), ink=ink, plate=plate)

    def mark(self, at_mm: ArrayLike) -> None:
        x_px, y_px = self._px(np.asarray(at_mm, np.float64)[None])[0].tolist()
        radius = max(3, round(self._pitch_px / 8))
        cv2.circle(self.picture, (x_px, y_px), radius, DARK, self._thin_px + 2, cv2.LINE_AA)
        cv2.circle(self.picture, (x_px, y_px), radius, DOUBT, self._thin_px, cv2.LINE_AA)
