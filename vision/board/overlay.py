"""Draws a reading over its frame, with the confidence of each part.

No mark depends on hue alone. Letter and lightness of a badge give the colour of the checkers (L3 dark on light, D2 light
on dark), and the outline gives the confidence: thick for sure, thin for likely, dashed for doubtful, hatched for
unknown. A die is a square with its value beside it, the cube a square on its corner. A value that is not sure is "?",
and a word gives the lie of a die that is not flat. The upper left corner of the field has the number 1. A plate with
the name of a point and "!" marks a weak place, one with "+" a place that is sure because the board was learned; a
word on it says what explains this.
"""

import math
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.board.board_reading import BoardReading
from vision.board.weak_places import BoardAppraisal, Weakness
from vision.dice.readings import CubeReading, DieReading, DieState
from vision.geometry.projection import POINTS_A_HALF, FieldShape, Points, Projection
from vision.pixels.drawing import (
    DARK,
    DOUBT,
    FINE_BITS,
    LIGHT,
    LIKELY,
    Picture,
    append_remarks,
    draw_note,
    draw_plate,
    draw_sides,
)
from vision.places import Colour, Place

_POINT_LENGTH = 0.45  # of the field's height
_AROUND = 1.5  # edges of a die; the outline leaves the upper face free at any orientation
_CUBE_PER_FIELD = 1 / 18  # size of a common cube as a share of the field's width; the reading has no size
_SMALLEST_PX = 8.0  # of a drawn square; the largest one is as large as the picture
_LEGEND = "L light  D dark  thick: sure  thin: likely  dashed: doubtful  hatched: unknown"
_WEAK_LEGEND = "  !: weak  +: sure by learning"
_DICE_LEGEND = "square: a die  thick: sure  thin: likely  dashed: doubtful  ?: unknown"


def draw_reading(
    pixels: Picture,
    reading: BoardReading,
    projection: Projection,
    field: FieldShape,
    *,
    appraisal: BoardAppraisal | None = None,
    remarks: Sequence[str] = (),
) -> Picture:
    """A copy of the picture (h, w, 3), BGR, with the reading drawn over it; remarks make it higher by a strip below."""
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
    if appraisal is not None:
        _mark_weak_places(pen, appraisal, field)
    mark_dice(pen.picture, reading.dice)
    if reading.cube is not None:
        mark_cube(pen.picture, reading.cube, pen.field_px)
    draw_note(
        pen.picture,
        _bar_text(reading)
        + _tray_text(reading)
        + ("hand in view  " if reading.hand_in_view else "")
        + _LEGEND
        + ("" if appraisal is None else _WEAK_LEGEND),
    )
    return append_remarks(pen.picture, remarks)


def draw_dice(pixels: Picture, dice: Sequence[DieReading]) -> Picture:
    """A copy of a picture without a board, with the dice drawn over it."""
    picture = pixels.copy()
    mark_dice(picture, dice)
    draw_note(picture, _DICE_LEGEND)
    return picture


def mark_dice(picture: Picture, dice: Sequence[DieReading]) -> None:
    """Draws dice on the picture itself."""
    for die in dice:
        edge_px = _clamp_edge_px(_AROUND * die.size_px, picture)
        confidence = min(die.lie_confidence, die.value_confidence) if die.shows_a_value else die.lie_confidence
        sides = _square_sides(die.centre_px, edge_px)
        draw_sides(picture, sides, confidence=confidence, thin_px=max(1, round(edge_px / 45)))
        _draw_label_beside(picture, die_text(die), die.centre_px, edge_px, is_doubtful=confidence < LIKELY)


def mark_cube(picture: Picture, cube: CubeReading, field_px: float) -> None:
    """Draws the cube on the picture itself; `field_px` is the width of the field in it."""
    edge_px = _clamp_edge_px(_CUBE_PER_FIELD * field_px, picture)
    sides = _square_sides(cube.centre_px, edge_px, on_corner=True)
    draw_sides(picture, sides, confidence=cube.confidence, thin_px=max(1, round(edge_px / 45)))
    text = f"cube {'?' if cube.value is None else cube.value}"
    is_doubtful = cube.value is None or cube.confidence < LIKELY
    _draw_label_beside(picture, text, cube.centre_px, edge_px, is_doubtful=is_doubtful)


def die_text(die: DieReading) -> str:
    """The accepted value, and the lie of a die that is not flat: `5`, `? cocked`, `3 on rim`."""
    value = "?" if die.accepted_value is None else str(die.accepted_value)
    return value if die.lies is DieState.FLAT else f"{value} {die.lies.value.replace('_', ' ')}"


def _clamp_edge_px(edge_px: float, picture: Picture) -> float:
    return min(max(edge_px, _SMALLEST_PX), float(min(picture.shape[:2])))


def _square_sides(
    centre_px: tuple[float, float], edge_px: float, *, on_corner: bool = False
) -> Iterator[NDArray[np.int32]]:
    """The sides of a square, each in five pieces for dashes, in parts of a pixel."""
    corners = [(0, -1), (1, 0), (0, 1), (-1, 0)] if on_corner else [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    corners_px: Points = centre_px + np.array(corners) * (edge_px / 2)
    along = np.linspace(0.0, 1.0, 6)[:, None]
    for start, end in zip(corners_px, np.roll(corners_px, -1, axis=0), strict=True):
        yield np.rint((start + along * (end - start)) * (1 << FINE_BITS)).astype(np.int32)


def _draw_label_beside(
    picture: Picture, text: str, centre_px: tuple[float, float], edge_px: float, *, is_doubtful: bool
) -> None:
    """Draws a plate above the square, or below it at the upper edge of the picture."""
    x_px, y_px = centre_px
    size = float(np.clip(edge_px / 60, 0.4, 1.2))
    away_px = edge_px / 2 + 16 * size + 4
    at_px = (x_px, y_px - away_px if y_px > away_px + 16 * size else y_px + away_px)
    draw_plate(picture, text, at_px, size=size, ink=DARK, plate=DOUBT if is_doubtful else LIGHT)


def _mark_weak_places(pen: "_Pen", appraisal: BoardAppraisal, field: FieldShape) -> None:
    for places, sign, colour in ((appraisal.weak, "!", Colour.UNKNOWN), (appraisal.learned, "+", Colour.LIGHT)):
        for one in places:
            cause = "" if one.weakness is Weakness.UNEXPLAINED else f" {one.weakness.value}"
            pen.badge(f"{one.place.value}{sign}{cause}", plate_mm(one.place, field), colour)


def plate_mm(place: Place, field: FieldShape) -> tuple[float, float]:
    """The middle of the plate of a weak place in board mm: at the tip of its point, where checkers seldom lie."""
    from_rim_mm = field.height_mm * _POINT_LENGTH
    y_mm = from_rim_mm if _is_upper(place) else field.height_mm - from_rim_mm
    return field.point_middle_mm(_column(place)), y_mm


def _bar_text(reading: BoardReading) -> str:
    return "no bar  " if reading.bar is None else ""


def _tray_text(reading: BoardReading) -> str:
    """The sum of all trays, for the note because a reading does not locate the trays; empty when it is unknown."""
    guess = None if reading.tray is None else reading.tray.best()
    if guess is None or guess.light is None or guess.dark is None:
        return ""
    return f"tray L{guess.light} D{guess.dark}{'?' if guess.confidence < LIKELY else ''}  "


def _draw_bar(pen: "_Pen", reading: BoardReading, field: FieldShape) -> None:
    if reading.bar is None:
        return
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
    """Shrinks a box, so that neighbours do not share a line."""
    return box + np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)]) * by_mm


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
    """The position of the badge of a point: on the rim beside its base."""
    beside_mm = field.pitch_mm * 0.45
    return field.point_middle_mm(_column(place)), -beside_mm if _is_upper(place) else field.height_mm + beside_mm


@cache
def _shares(pieces: int) -> NDArray[np.float64]:
    """From 0 to 1 as a column."""
    return np.linspace(0.0, 1.0, pieces)[:, None]


class _Pen:
    """Draws on its own picture, in board mm."""

    def __init__(self, picture: Picture, projection: Projection, field: FieldShape) -> None:
        self.picture = picture
        self._projection = projection
        rim_px = projection.to_picture([(0.0, 0.0), (field.width_mm, 0.0)])
        self.field_px = float(np.linalg.norm(rim_px[1] - rim_px[0]))
        self._pitch_px = self.field_px * field.pitch_mm / field.width_mm
        self._thin_px = max(1, round(self._pitch_px / 40))

    def outline(self, corners_mm: Points, *, confidence: float) -> None:
        draw_sides(self.picture, self._sides_px(corners_mm), confidence=confidence, thin_px=self._thin_px)

    def _sides_px(self, corners_mm: Points) -> list[NDArray[np.int32]]:
        """The sides in short pieces, for the curvature of the lens and for dashes, in parts of a pixel.

        All are projected at once: a call costs more than its points.
        """
        sides_mm = []
        for start, end in zip(corners_mm, np.roll(corners_mm, -1, axis=0), strict=True):
            pieces = 2 * max(4, round(math.dist(start, end) / 12)) + 1
            sides_mm.append(start + _shares(pieces) * (end - start))
        ends = list(accumulate(map(len, sides_mm)))
        return np.split(self._px(np.concatenate(sides_mm), fine=1 << FINE_BITS), ends[:-1])

    def _px(self, points_mm: ArrayLike, *, fine: int = 1) -> NDArray[np.int32]:
        """Pixels in `fine` parts of a pixel."""
        limit = 4 * max(self.picture.shape)  # keeps coordinates far outside the picture small
        return np.rint(np.clip(self._projection.to_picture(points_mm), -limit, limit) * fine).astype(np.int32)

    def hatch(self, corners_mm: Points) -> None:
        mask = np.zeros(self.picture.shape[:2], np.uint8)
        cv2.fillPoly(mask, [np.concatenate(self._sides_px(corners_mm))], 255, shift=FINE_BITS)
        rows, columns = np.nonzero(mask)
        step_px = max(6, round(self._pitch_px / 4))
        phase = (rows + columns) % step_px
        for least, most, colour in ((0, 3, DOUBT), (3, 5, DARK)):
            chosen = (phase >= least * step_px // 12) & (phase < max(1, most * step_px // 12))
            self.picture[rows[chosen], columns[chosen]] = colour

    def badge(self, text: str, at_mm: ArrayLike, colour: Colour) -> None:
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
