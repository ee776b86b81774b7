"""The faces of a die: their values and the positions of their pips.

The faces +x, -x, +y, -y, +z, -z of a body have numbers 0 to 5. The board's frame (x right, y down, z up) is
left-handed: seen from outside, the order +x, +y, +z runs clockwise.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.drawn_dice.shape import Array

Values = tuple[int, int, int, int, int, int]
MIRRORED_FACES = (1, 2, 5)  # faces whose texture axes (first, second) are mirrored
NUMERAL_PX = 64
SIX = 6

# Pips by value on a 3 x 3 grid, in one orientation.
_ROWS = {
    1: ("...", ".x.", "..."),
    2: ("x..", "...", "..x"),
    3: ("x..", ".x.", "..x"),
    4: ("x.x", "...", "x.x"),
    5: ("x.x", ".x.", "x.x"),
    6: ("xxx", "...", "xxx"),
}
_GRID = np.array([[[mark == "x" for mark in row] for row in _ROWS[value]] for value in range(1, 7)])
PIP_GRIDS = np.stack([_GRID, np.stack([np.rot90(grid) for grid in _GRID])])  # (turned, value - 1, row, column)


@dataclass(frozen=True, slots=True)
class Pips:
    """Positions and sizes as shares of half the die's edge."""

    spread: float  # distance of the outer pips' middles from the face's middle
    radius: float
    ace_radius: float  # of the one's pip
    depth: float  # depth of the dish as a share of its radius; 0: painted, below 0: raised
    # by value: whether the pips of 2, 3 and 6 are turned by a quarter
    turned: tuple[bool, bool, bool, bool, bool, bool]
    six_rows: float = 1.0  # distance between the two rows of the six, as a share of the grid's


def random_legal_values(rng: np.random.Generator, *, is_western: bool) -> Values:
    """Values of the six faces; opposite faces sum to 7. Western dice have 1, 2, 3 anticlockwise, eastern clockwise."""
    up = int(rng.integers(1, 7))
    across = int(rng.choice([value for value in range(1, 7) if value not in (up, 7 - up)]))
    for along in range(1, 7):
        if along not in (up, 7 - up, across, 7 - across):
            values = (across, 7 - across, along, 7 - along, up, 7 - up)
            if is_western_order(values) == is_western:
                return values
    raise AssertionError("one of the two ways is western")


def is_western_order(values: Values) -> bool:
    axes = np.zeros((3, 3))
    for row, value in enumerate((1, 2, 3)):
        axis, is_minus = divmod(values.index(value), 2)
        axes[row, axis] = -1 if is_minus else 1
    # In a left-handed frame a positive determinant means clockwise as seen from outside.
    return bool(np.linalg.det(axes) < 0)


def locate_on_faces(places: Array) -> tuple[NDArray[np.intp], Array]:
    """Face numbers (n,) and positions on the face (2, n) in mm of surface points (3, n)."""
    axis = np.abs(places).argmax(axis=0)
    rows = np.arange(places.shape[1])
    face = 2 * axis + (places[axis, rows] < 0)
    first = np.where(axis == 0, places[1], places[0])
    second = np.where(axis == 2, places[1], places[2])
    return face, np.stack([first, second])


def compute_pip_share(pips: Pips, value: NDArray[np.intp], place: Array) -> tuple[Array, Array]:
    """Distance (n,) to the nearest pip's middle as a share of its radius, and the direction (2, n) from it.

    `place` is on the face, in shares of half the edge. On a face without a pip the distance is 9.
    """
    is_ace = value == 1
    turned = np.array(pips.turned)[value - 1].astype(np.intp)
    # The six has two rows, so each place between them belongs to one.
    has_two_rows = (value == SIX) & np.stack([turned == 1, turned == 0])
    gaps = np.float32(pips.spread) * np.where(has_two_rows, np.float32(pips.six_rows), np.float32(1))
    cells = np.where(has_two_rows, np.where(place < 0, -1, 1), np.clip(np.rint(place / gaps), -1, 1))
    column, row = np.where(is_ace, 0, cells)
    is_pip = PIP_GRIDS[turned, value - 1, row.astype(np.intp) + 1, column.astype(np.intp) + 1]
    way = (place - np.stack([column, row]) * gaps).astype(np.float32)
    radius = np.where(is_ace, np.float32(pips.ace_radius), np.float32(pips.radius))
    away: Array = np.where(is_pip, np.hypot(way[0], way[1]) / radius, np.float32(9)).astype(np.float32)
    return away, np.asarray(way / radius, np.float32)


@lru_cache(maxsize=64)
def make_numeral(value: int, font: int, turns: int) -> Array:
    """(NUMERAL_PX, NUMERAL_PX), 1 where a doubling cube's number is inked."""
    picture = np.zeros((NUMERAL_PX, NUMERAL_PX), np.uint8)
    scale = 1.7 if value < 10 else 1.15
    (width, height), _ = cv2.getTextSize(str(value), font, scale, 4)
    start = ((NUMERAL_PX - width) // 2, (NUMERAL_PX + height) // 2)
    cv2.putText(picture, str(value), start, font, scale, 255, 4, cv2.LINE_AA)
    return np.asarray(np.ascontiguousarray(np.rot90(picture, turns)) / 255, np.float32)


def numeral_share(values: Values, font: int, turns: Values, face: NDArray[np.intp], place: Array) -> Array:
    """Ink (n,) at these positions on the faces, in shares of half the edge."""
    ink = np.zeros(len(face), np.float32)
    place = np.stack([place[0], np.where(np.isin(face, MIRRORED_FACES), -place[1], place[1])])
    columns, rows = np.clip(((place + 1) * (NUMERAL_PX / 2)).astype(np.intp), 0, NUMERAL_PX - 1)
    for number in range(6):
        here = face == number
        if here.any():
            ink[here] = make_numeral(values[number], font, turns[number])[rows[here], columns[here]]
    return ink
