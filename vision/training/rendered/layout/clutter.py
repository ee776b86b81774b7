"""Objects around a board: dice cups, mugs, telephones, pads."""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from vision.training.rendered.layout.board_shape import BoardShape
from vision.training.rendered.layout.checkers_layout import PlacedChecker
from vision.training.rendered.layout.palette import draw_colour
from vision.training.rendered.random_draws import draw_bool, draw_choice, draw_uniform
from vision.training.rendered.tracing.arrays import Colour


class ClutterKind(Enum):
    """Telephones and pads lie flat and need more room."""

    CUP = "cup"
    MUG = "mug"
    PHONE = "phone"
    NOTEPAD = "notepad"

    @property
    def clearance_mm(self) -> float:
        return 115.0 if self in (ClutterKind.PHONE, ClutterKind.NOTEPAD) else 80.0


@dataclass(frozen=True, slots=True)
class Clutter:
    """One object on the table; `size` runs from 0 (small) to 1."""

    thing: ClutterKind
    x_mm: float
    y_mm: float
    yaw_rad: float
    size: float
    colour: Colour


def draw_clutter(
    rng: np.random.Generator, shape: BoardShape, checkers: tuple[PlacedChecker, ...]
) -> tuple[Clutter, ...]:
    """Mostly none; clear of the board, of borne-off checkers and of each other."""
    found: list[Clutter] = []
    taken = [checker.base_mm[:2] for checker in checkers if checker.place == "off"]
    for thing in (ClutterKind.CUP, ClutterKind.MUG, ClutterKind.PHONE, ClutterKind.NOTEPAD, ClutterKind.CUP):
        if not draw_bool(rng, 0.22):
            continue
        x, y = _draw_beside(rng, shape, thing)
        if all(np.hypot(x - a, y - b) >= thing.clearance_mm for a, b in taken):
            yaw, size = draw_uniform(rng, 0, 2 * np.pi), draw_uniform(rng, 0, 1)
            found.append(Clutter(thing, x, y, yaw, size, draw_colour(rng, 0.01, 0.7)))
            taken.append((x, y))
    return tuple(found)


def _draw_beside(rng: np.random.Generator, shape: BoardShape, thing: ClutterKind) -> tuple[float, float]:
    away = draw_uniform(rng, *((95, 160) if thing in (ClutterKind.PHONE, ClutterKind.NOTEPAD) else (55, 130)))
    x, y = draw_uniform(rng, shape.left_mm, shape.right_mm), draw_uniform(rng, shape.near_mm, shape.far_mm)
    beside = (
        (shape.left_mm - away, y),
        (shape.right_mm + away, y),
        (x, shape.near_mm - away),
        (x, shape.far_mm + away),
    )
    return draw_choice(rng, beside)
