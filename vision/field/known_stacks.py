"""The checkers of a known position as a target: where they stand on a field, and which seen face is which of them.

A point of a known position holds a row of checkers from the rim inwards. Each of them is a slot: column, row and index
from the rim. On a field, with a diameter of the checkers, a slot has a place in board mm; a seen face belongs to the
slot that it lies nearest to. Checkers of a heap (more than HEAP) may lie on one another, so that their slots tell the
column only.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.geometry.projection import FieldShape, Points
from vision.places import POINTS, Colour, Place

HEAP = 5  # checkers; a sixth may lie on the others
# Diameters of checkers in points (physical: from boards with wide points to boards whose checkers touch); a picture that
# was stretched to a square shows a third more.
LEAST_DIAMETER, USUAL_DIAMETER, MOST_DIAMETER = 0.65, 0.93, 1.4
GATE = 0.45  # points; two slots of one stack lie about one point apart, so a face within half of that is decided
# The search: shifts as shares of the field's width, up to the usual error of a rough field, and widths of the bar from
# none to the widest of real boards. A step of 0.02 is a quarter of a point, well inside the gate.
SHIFTS = (-0.04, -0.02, 0.0, 0.02, 0.04)
BARS = (0.0, 0.045, 0.09, 0.13)
OTHER_COLOUR = 0.3  # worth of a face of the other colour group in the search; colours may be mistaken there


@dataclass(frozen=True, slots=True, eq=False)
class Slots:
    """The checkers of a known position, in the order of POINTS and outward from the rim."""

    points: NDArray[np.int64]  # (n,) index into POINTS
    depths: NDArray[np.int64]  # (n,) index from the rim
    in_heap: NDArray[np.bool_]  # (n,)
    is_dark: NDArray[np.bool_]  # (n,)

    @property
    def columns(self) -> NDArray[np.int64]:
        """(n,) 1 to 12 from the left."""
        return np.asarray(self.points % 12 + 1)

    @property
    def is_lower(self) -> NDArray[np.bool_]:
        return np.asarray(self.points >= 12)


def make_slots(expected: Mapping[Place, tuple[Colour, int]]) -> Slots:
    """The slots of a position in the coordinates of the board."""
    rows = [
        (index, depth, expected[place][1] > HEAP, expected[place][0] is Colour.DARK)
        for index, place in enumerate(POINTS)
        if place in expected
        for depth in range(min(expected[place][1], HEAP))
    ]
    points, depths, in_heap, is_dark = np.array(rows, int).reshape(-1, 4).T
    return Slots(points, depths, in_heap.astype(bool), is_dark.astype(bool))


def locate_slots_mm(slots: Slots, field: FieldShape, diameter_mm: float) -> Points:
    """(n, 2) board mm: the middles of checkers that lie tidily."""
    middles_mm = np.array([field.point_middle_mm(column) for column in range(1, 13)])
    from_rim_mm = (slots.depths + 0.5) * diameter_mm
    y_mm = np.where(slots.is_lower, field.height_mm - from_rim_mm, from_rim_mm)
    return np.column_stack([middles_mm[slots.columns - 1], y_mm])


def estimate_diameter_mm(faces_mm: Points, field: FieldShape) -> float:
    """The diameter of the checkers: most of them touch the next one of their stack."""
    usual_mm = USUAL_DIAMETER * field.pitch_mm
    if len(faces_mm) < 2:
        return usual_mm
    apart = np.linalg.norm(faces_mm[:, None] - faces_mm[None], axis=2) + np.diag(np.full(len(faces_mm), np.inf))
    return float(np.clip(np.median(apart.min(axis=1)), LEAST_DIAMETER * field.pitch_mm, MOST_DIAMETER * field.pitch_mm))


@dataclass(frozen=True, slots=True)
class PatternStart:
    """A rough agreement of faces with a known position; `worth` counts the faces that agree."""

    worth: float
    option: int  # which of the patterns
    shift_mm: tuple[float, float]  # of the slots on the board
    field: FieldShape  # with the bar of this start


def search_starts(
    faces_mm: Points, is_dark: NDArray[np.bool_], patterns: Sequence[Slots], field: FieldShape
) -> list[PatternStart]:
    """The best start for each pattern, the best pattern first."""
    diameter_mm = estimate_diameter_mm(faces_mm, field)
    starts = []
    for option, slots in enumerate(patterns):
        trials = []
        for shape in _vary_bar(field):
            worth = _count_near(faces_mm, is_dark, slots, locate_slots_mm(slots, shape, diameter_mm), field)
            right, down = divmod(int(worth.argmax()), len(SHIFTS))
            shift_mm = (SHIFTS[right] * field.width_mm, SHIFTS[down] * field.width_mm)
            trials.append(PatternStart(float(worth.max()), option, shift_mm, shape))
        starts.append(max(trials, key=lambda trial: trial.worth))
    return sorted(starts, key=lambda start: -start.worth)


def _vary_bar(field: FieldShape) -> list[FieldShape]:
    shapes = [
        FieldShape(field.width_mm, field.height_mm, (0.5 - bar / 2) * field.width_mm, (0.5 + bar / 2) * field.width_mm)
        for bar in BARS
    ]
    return [field, *shapes]


def _count_near(
    faces_mm: Points, is_dark: NDArray[np.bool_], slots: Slots, spots_mm: Points, field: FieldShape
) -> NDArray[np.float64]:
    """(len(SHIFTS), len(SHIFTS)): how many faces agree with the spots after each shift to the right and down."""
    shifts_mm = np.array(SHIFTS)[:, None, None] * field.width_mm
    if not len(faces_mm):
        return np.zeros((len(SHIFTS), len(SHIFTS)))
    x_mm, y_mm = (spots_mm[:, axis, None] - faces_mm[None, :, axis] + shifts_mm for axis in (0, 1))
    near = 1 - (x_mm[:, None] ** 2 + y_mm[None] ** 2) / (GATE * field.pitch_mm) ** 2
    same = np.where(slots.is_dark[:, None] == is_dark[None], 1.0, OTHER_COLOUR)
    return np.asarray((np.maximum(near, 0) * same).max(axis=3).sum(axis=2))


def assign_faces(faces_mm: Points, spots_mm: Points, field: FieldShape) -> NDArray[np.int64]:
    """(n slots,): the face on each slot, the nearest pairs first; -1 without a face within the gate."""
    taken = np.full(len(spots_mm), -1)
    if not len(faces_mm):
        return taken
    apart = np.linalg.norm(spots_mm[:, None] - faces_mm[None], axis=2)
    free = np.ones(len(faces_mm), bool)
    for pair in np.argsort(apart, axis=None):
        slot, face = divmod(int(pair), len(faces_mm))
        if apart[slot, face] > GATE * field.pitch_mm:
            break
        if taken[slot] < 0 and free[face]:
            taken[slot], free[face] = face, False
    return taken


def group_by_lightness(lab: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(n,): whether each face (n, 3) belongs to the darker one of two groups of colours.

    Two means, begun at the darkest and the lightest quarter.
    """
    if len(lab) < 2:
        return np.zeros(len(lab), bool)
    order = np.argsort(lab[:, 0])
    quarter = max(1, len(lab) // 4)
    dark, light = np.median(lab[order[:quarter]], axis=0), np.median(lab[order[-quarter:]], axis=0)
    for _ in range(8):
        is_dark = np.linalg.norm(lab - dark, axis=1) < np.linalg.norm(lab - light, axis=1)
        if is_dark.all() or not is_dark.any():
            break
        dark, light = np.median(lab[is_dark], axis=0), np.median(lab[~is_dark], axis=0)
    return np.asarray(is_dark)
