"""Random dimensions of a board and its pieces."""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from vision.training.rendered.random_draws import draw_bool, draw_choice, draw_uniform

FLAT_MM = 3.0  # a lower rim is only a printed border


class Bar(Enum):
    """How the two halves meet; the values stand in the labels."""

    SOLID = "solid"
    HINGED = "hinged"  # two bars side by side, the board folds
    NONE = "none"  # a fold or a printed line


class Trays(Enum):
    """The sides of the field that have a tray for borne-off checkers."""

    NONE = "none"
    LEFT = "left"
    RIGHT = "right"
    BOTH = "both"

    def has(self, side: "Trays") -> bool:
        return self in (side, Trays.BOTH)


@dataclass(frozen=True, slots=True)
class BoardSize:
    """All lengths. The field is the area inside the rims, with the bar."""

    checker_mm: float  # diameter
    checker_thick_mm: float
    pitch_mm: float  # from point to point
    margin_mm: float  # at both ends of each half
    field_height_mm: float
    bar: Bar
    bar_width_mm: float
    bar_height_mm: float
    rim_width_mm: float
    rim_height_mm: float
    base_mm: float  # from the table to the field
    trays: Trays
    tray_width_mm: float
    tray_wall_mm: float
    point_length_mm: float
    die_mm: float
    cube_mm: float

    @property
    def half_width_mm(self) -> float:
        return 6 * self.pitch_mm + 2 * self.margin_mm

    @property
    def field_width_mm(self) -> float:
        return 2 * self.half_width_mm + self.bar_width_mm

    @property
    def centres_mm(self) -> tuple[float, ...]:
        """The middle lines of the twelve columns of points, from the left edge of the field."""
        right = self.half_width_mm + self.bar_width_mm
        half = [self.margin_mm + (column + 0.5) * self.pitch_mm for column in range(6)]
        return (*half, *(right + x for x in half))

    @property
    def bar_holds_checkers(self) -> bool:
        """Whether a checker on the bar is clear of those on the points beside it."""
        is_clear = self.bar_width_mm > self.checker_mm + 1 or self.bar_height_mm >= self.checker_thick_mm
        return self.bar is not Bar.NONE and is_clear

    @property
    def bar_holds_cube(self) -> bool:
        return self.bar is not Bar.NONE and self.bar_width_mm > self.cube_mm * 0.8


def draw_board_size(rng: np.random.Generator) -> BoardSize:
    """One board in eight is printed flat, nearly without a rim; one in seven has no bar."""
    checker_mm = draw_uniform(rng, 34, 46)
    is_flat = draw_bool(rng, 0.125)
    if is_flat:
        rim_height_mm = draw_uniform(rng, 0.4, 1.5)
    else:
        rim_height_mm = draw_uniform(rng, 9, 34) if draw_bool(rng, 0.8) else draw_uniform(rng, 5, 48)
    bar, bar_width_mm, bar_height_mm = _draw_bar(rng, checker_mm, rim_height_mm)
    spare = draw_uniform(rng, 0.9, 2.3) if draw_bool(rng, 0.5) else draw_uniform(rng, 0.25, 3.2)
    field_height_mm = checker_mm * (10 + spare)
    return BoardSize(
        checker_mm=checker_mm,
        checker_thick_mm=float(np.clip(checker_mm * draw_uniform(rng, 0.20, 0.29), 7.5, 12.5)),
        pitch_mm=checker_mm
        / (draw_uniform(rng, 0.88, 0.985) if draw_bool(rng, 0.45) else draw_uniform(rng, 0.72, 1.0)),
        margin_mm=draw_uniform(rng, 0, 3),
        field_height_mm=field_height_mm,
        bar=bar,
        bar_width_mm=bar_width_mm,
        bar_height_mm=bar_height_mm,
        rim_width_mm=draw_uniform(rng, 4, 26) if is_flat else draw_uniform(rng, 12, 34),
        rim_height_mm=rim_height_mm,
        base_mm=draw_uniform(rng, 2.5, 7) if is_flat else draw_uniform(rng, 9, 22),
        trays=Trays.NONE
        if is_flat
        else draw_choice(rng, (Trays.NONE, Trays.RIGHT, Trays.LEFT, Trays.BOTH), (62, 18, 8, 12)),
        tray_width_mm=checker_mm + draw_uniform(rng, 3, 9),
        tray_wall_mm=draw_uniform(rng, 6, 14),
        point_length_mm=field_height_mm * draw_uniform(rng, 0.27, 0.485),
        die_mm=draw_uniform(rng, 12, 17),
        cube_mm=draw_uniform(rng, 25, 30),
    )


def _draw_bar(rng: np.random.Generator, checker_mm: float, rim_height_mm: float) -> tuple[Bar, float, float]:
    """(kind, width, height). A bar is at most as high as the rim; on a flat board it is a printed strip."""
    bar = draw_choice(rng, (Bar.SOLID, Bar.HINGED, Bar.NONE), (48, 38, 14))
    if bar is Bar.NONE:
        return bar, draw_uniform(rng, 0.5, 9), 0.0
    if rim_height_mm < FLAT_MM:
        return Bar.SOLID, checker_mm * draw_uniform(rng, 0.7, 1.35), draw_uniform(rng, 0.3, 1.2)
    if bar is Bar.SOLID:
        return bar, draw_uniform(rng, 34, 62), max(5.0, rim_height_mm * draw_uniform(rng, 0.45, 1.0))
    if draw_bool(rng, 0.75):
        return bar, draw_uniform(rng, 18, 44), max(5.0, rim_height_mm)
    return bar, draw_uniform(rng, 14, 30), 5.0
