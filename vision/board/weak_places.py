"""Places that are easily misread on this board: what they resemble, and what the picture shows there that explains it.

A place is weak if it is hidden, or if what stands there has a probability that the overlay shows as doubtful.
What was learned of the board is compared with a reading without it. The explanation is measured in the straight-down
view: what hides the place, glare and darkness, the distance between the colours of checkers and ground, and the
pattern of an empty point.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.board_reading import VISIBLE_FROM, BoardReading
from vision.board.read_board import read_board, shares_in_picture
from vision.checkers import CLEAR_GAP, CheckerPositions, FaceColours, measure_face_colours, measure_median_colours
from vision.dice.candidates import PreviousFrame
from vision.dice.detect import DiceInView
from vision.frame import Frame
from vision.geometry.calibration import Calibration, scale_to_picture
from vision.geometry.projection import KnownBoard
from vision.geometry.top_view import BAR_PX, FIELD_ROWS_PX, HALF_PX, MARGIN_PX, PITCH_PX, view_map
from vision.pixels.drawing import LIKELY
from vision.pixels.picture_quality import DARK_LEVEL, GLARE_LEVEL
from vision.places import POINTS, Colour, Place

Content = tuple[Colour, int]
Occupancy = Mapping[Place, Content]
Cell = NDArray[np.uint8]  # (rows, columns, 3), BGR

ROW_PX = round(0.45 * FIELD_ROWS_PX)  # where the checkers of a point lie, five of them with a diameter of 0.09
# Physical: glare over a quarter of a face hides its edge. A face has a radius of 0.45 points.
LEAST_GLARE = 0.25 * math.pi * (0.45 * PITCH_PX) ** 2 / (PITCH_PX * ROW_PX)
LEAST_INSIDE = 0.95  # physical: the picture cuts off 2 mm of a checker, about the shadow that shows its edge
LEAST_PATTERN = 1.25  # a knob: contrast as a multiple of the median empty point from which a pattern is named
LONGEST_ROW = 5  # checkers beside each other; more lie in a second layer, of which one picture shows little


class Weakness(Enum):
    """What was measured at a weak place and explains it."""

    HIDDEN = "hidden"  # something covers it
    OUTSIDE = "outside"  # a part of it is not in the picture
    DICE = "dice"  # dice or the cube lie there
    GLARE = "glare"
    DARK = "dark"
    COLOUR = "colour"  # what stands there and what it resembles have nearly one colour
    PATTERN = "pattern"  # strong edges on an empty point
    LAYERS = "layers"  # more checkers than lie beside each other
    FACES = "faces"  # not every upper face stands out
    UNEXPLAINED = "unexplained"  # nothing of the above


@dataclass(frozen=True, slots=True)
class WeakPlace:
    """A place, what stands there, and what it resembles, with the probabilities (0..1) of both.

    `amount` is the share of the place with GLARE or OUTSIDE, the distance in CIELAB with COLOUR, the contrast with
    PATTERN, the number of upper faces that were found with FACES, else None.
    """

    place: Place
    stands: Content
    certainty: float  # of `stands`
    resembles: Content
    chance: float  # of `resembles`
    weakness: Weakness
    amount: float | None = None

    @property
    def is_misread(self) -> bool:
        return self.chance > self.certainty


@dataclass(frozen=True, slots=True)
class BoardAppraisal:
    """The weak places, and the places that only what was learned of the board made sure; the weakest first.

    The numbers count points that are in view and read as they stand.
    """

    weak: tuple[WeakPlace, ...] = ()
    learned: tuple[WeakPlace, ...] = ()  # as they were without it
    right: int = len(POINTS)
    right_before: int = len(POINTS)  # without what was learned


def appraise_board(
    pixels: NDArray[np.uint8], calibration: Calibration, reading: BoardReading, occupancy: Occupancy | None = None
) -> BoardAppraisal:
    """Compares the reading of a picture (h, w, 3) with what stands there.

    `reading` is that of `read_board` with this calibration. A point that `occupancy` lacks is empty; without `occupancy`
    the reading itself counts as what stands there.
    """
    stands: Occupancy = {place: _get_content(reading, place, occupancy) for place in POINTS}
    shown = _ShownPlaces.measure(pixels, calibration, reading, stands)
    weak, right = _list_weak_places(reading, stands, shown), _count_right(reading, stands)
    if calibration.appearance is None:
        return BoardAppraisal(weak, (), right, right)
    plain = read_board(Frame(pixels, 0), replace(calibration, appearance=None), detect_dice=detect_no_dice)
    still_weak = {one.place for one in weak}
    learned = [one for one in _list_weak_places(plain, stands, shown) if one.place not in still_weak]
    return BoardAppraisal(weak, tuple(learned), right, _count_right(plain, stands))


def rotate_appraisal(appraisal: BoardAppraisal) -> BoardAppraisal:
    """The appraisal with the places of the board after half a turn of its coordinates: T1 becomes B12."""
    weak, learned = (
        tuple(replace(one, place=POINTS[-1 - POINTS.index(one.place)]) for one in places)
        for places in (appraisal.weak, appraisal.learned)
    )
    return replace(appraisal, weak=weak, learned=learned)


def detect_no_dice(
    _pixels: object,
    _board: KnownBoard | None,
    /,
    *,
    positions: CheckerPositions | None = None,
    previous: PreviousFrame | None = None,
) -> DiceInView:
    """A detector for pictures whose dice do not matter: detection takes most of the time of a reading."""
    del positions, previous
    return DiceInView()


def _get_content(reading: BoardReading, place: Place, occupancy: Occupancy | None) -> Content:
    if occupancy is not None:
        return occupancy.get(place, (Colour.NONE, 0))
    return reading.point(place).find_likeliest()


def _count_right(reading: BoardReading, stands: Occupancy) -> int:
    return sum(
        seen.visible >= VISIBLE_FROM and seen.find_likeliest() == stands[place] for place, seen in reading.points()
    )


def _list_weak_places(reading: BoardReading, stands: Occupancy, shown: "_ShownPlaces") -> tuple[WeakPlace, ...]:
    found = []
    for place, seen in reading.points():
        stands_here = stands[place]
        certainty = seen.compute_chance(*stands_here)
        if certainty < LIKELY or seen.visible < VISIBLE_FROM:
            resembles = seen.find_rival(*stands_here)
            chance = seen.compute_chance(*resembles)
            found.append(WeakPlace(place, stands_here, certainty, resembles, chance, *shown.explain(place, resembles)))
    return tuple(sorted(found, key=lambda one: one.certainty))


@dataclass(frozen=True, slots=True, eq=False)
class _ShownPlaces:
    """What the straight-down view shows at each point, by index 0 to 23."""

    stands: Occupancy
    hidden: NDArray[np.bool_]  # (24,)
    inside: NDArray[np.float32]  # (25,), shares in the picture
    disturbed: frozenset[int]
    glare: NDArray[np.float64]  # (24,), shares
    bright: NDArray[np.float64]  # (24,), grey level of the bright parts
    contrast: NDArray[np.float64]  # (24,), of the median empty point
    ground: NDArray[np.float64]  # (24, 3), CIELAB of the place
    faces: FaceColours
    is_faulty: bool  # the whole picture: what hides a place is said once

    @classmethod
    def measure(
        cls, pixels: NDArray[np.uint8], calibration: Calibration, reading: BoardReading, stands: Occupancy
    ) -> "_ShownPlaces":
        height_px, width_px = pixels.shape[:2]
        here = scale_to_picture(calibration, width_px, height_px)
        view = view_map(here.projection, here.field).warp(pixels)
        cells = [_cut_row(view, index) for index in range(len(POINTS))]
        contrast = np.array([_measure_contrast(cell) for cell in cells])
        empty = [contrast[index] for index, place in enumerate(POINTS) if stands[place][1] == 0]
        return cls(
            stands,
            np.array([seen.visible < VISIBLE_FROM for _, seen in reading.points()]),
            shares_in_picture(here.projection, here.field, (width_px, height_px)),
            reading.disturbed,
            np.array([float((cell.min(axis=2) >= GLARE_LEVEL).mean()) for cell in cells]),
            np.array([float(np.percentile(cell.mean(axis=2), 95)) for cell in cells]),
            contrast / max(float(np.median(empty)) if empty else 0.0, 1e-6),
            measure_median_colours(np.array(cells)),
            measure_face_colours(view, () if reading.of_network is None else reading.of_network.tops),
            reading.picture_fault is not None,
        )

    def explain(self, place: Place, resembles: Content) -> tuple[Weakness, float | None]:
        """What explains that the place resembles this, and how much of it was measured."""
        index = POINTS.index(place)
        if self.inside[index] < LEAST_INSIDE:
            return Weakness.OUTSIDE, 1 - float(self.inside[index])
        if self.glare[index] >= LEAST_GLARE:
            return Weakness.GLARE, float(self.glare[index])
        if self.hidden[index]:
            return (Weakness.UNEXPLAINED if self.is_faulty else Weakness.HIDDEN), None
        if index in self.disturbed:
            return Weakness.DICE, None
        if self.bright[index] < DARK_LEVEL:
            return Weakness.DARK, None
        stands = self.stands[place]
        apart = self._measure_colour_distance(index, stands[0], resembles[0])
        if apart is not None and apart < CLEAR_GAP:
            return Weakness.COLOUR, apart
        if stands[1] == 0:
            strong = self.contrast[index] >= LEAST_PATTERN
            return (Weakness.PATTERN, float(self.contrast[index])) if strong else (Weakness.UNEXPLAINED, None)
        if stands[0] is resembles[0] and min(stands[1], resembles[1]) >= LONGEST_ROW:
            return Weakness.LAYERS, None
        found = int((self.faces.place == index).sum())
        return (Weakness.FACES, float(found)) if found < stands[1] else (Weakness.UNEXPLAINED, None)

    def _measure_colour_distance(self, index: int, own: Colour, other: Colour) -> float | None:
        """Between the place and other places with the colour that it resembles; None if both are one or unknown."""
        if own is other:
            return None
        here = self.ground[index] if own is Colour.NONE else self._get_face_colour([index])
        there = [at for at, place in enumerate(POINTS) if self.stands[place][0] is other and at != index]
        if other is Colour.NONE:
            alike = [self.ground[at] for at in there if _class_of_point(at) == _class_of_point(index)]
            resembled = np.median(alike, axis=0) if alike else None
        else:
            resembled = self._get_face_colour(there)
        return None if here is None or resembled is None else float(np.linalg.norm(here - resembled))

    def _get_face_colour(self, places: list[int]) -> NDArray[np.float64] | None:
        """(3,): the median colour of the upper faces on these places."""
        colours = self.faces.lab[np.isin(self.faces.place, places)]
        return np.asarray(np.median(colours, axis=0), np.float64) if len(colours) else None


def _class_of_point(index: int) -> int:
    return (index % 12 + index // 12) % 2


def _cut_row(view: NDArray[np.uint8], index: int) -> Cell:
    """The part of the view in which the checkers of a point lie."""
    column, is_lower = index % 12, index >= 12
    left = MARGIN_PX + column * PITCH_PX + (BAR_PX if column * PITCH_PX >= HALF_PX else 0)
    top = MARGIN_PX + (FIELD_ROWS_PX - ROW_PX if is_lower else 0)
    return view[top : top + ROW_PX, left : left + PITCH_PX]


def _measure_contrast(cell: Cell) -> float:
    """The mean gradient, in grey levels a pixel of the view."""
    grey = cv2.GaussianBlur(cv2.cvtColor(cell, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), 1.0)
    down, across = np.gradient(grey)
    return float(np.hypot(down, across).mean())
