"""Positions on the simulated board in millimetres: x right, y down from the top-left corner of the field."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import hypot

from controller.match import place_number
from controller.rules import Half
from controller.simulation.staging.stacks import Aside, Spot, Stacks
from vision import POINTS, Place

PointMm = tuple[float, float]

_COLUMNS = 12


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """The measures of a board, by default of usual size. Two halves of six points lie left and right of the bar.

    Without a bar, hit checkers lie on the table left of the board. `margin_mm` is the space beside the points of each half. `row` checkers of a stack fit side by side.
    """

    width_mm: float = 480.0
    height_mm: float = 400.0
    bar_mm: tuple[float, float] = (220.0, 260.0)  # its left and right edge, x
    margin_mm: float = 0.0
    rim_mm: float = 20.0
    checker_mm: float = 34.0
    thickness_mm: float = 8.0
    die_mm: float = 14.0
    row: int = 5
    light_below: bool = True  # light checkers on the bar and off the board lie in the lower half

    @property
    def pitch_mm(self) -> float:
        return (self.bar_mm[0] - 2 * self.margin_mm) / (_COLUMNS // 2)

    @property
    def has_bar(self) -> bool:
        return self.bar_mm[1] > self.bar_mm[0]

    @property
    def bar_middle_mm(self) -> float:
        return sum(self.bar_mm) / 2

    def half_span_mm(self, half: Half) -> tuple[float, float]:
        """The left and right edge of the half, x."""
        return (0.0, self.bar_mm[0]) if half is Half.LEFT else (self.bar_mm[1], self.width_mm)

    def half_at(self, x_mm: float) -> Half | None:
        """The half at x; None on the bar."""
        for half in Half:
            low, high = self.half_span_mm(half)
            if low <= x_mm <= high:
                return half
        return None

    def spot_mm(self, spot: Spot, layer: int, *, is_light: bool = True) -> PointMm:
        """The centre of checker number `layer` (0 is the lowest, at the rim) on a point, the bar or off the board."""
        match spot:
            case Aside():
                y_mm = self.height_mm * (0.75 if is_light is self.light_below else 0.25)
                return self.width_mm + self.rim_mm + self.checker_mm, y_mm + (15.0 if spot is Aside.OFF else -15.0)
            case Place.BAR:
                away_mm = (0.75 + layer % 4) * self.checker_mm
                below = is_light is self.light_below
                x_mm = self.bar_middle_mm if self.has_bar else -self.rim_mm - self.checker_mm
                return x_mm, self.height_mm / 2 + (away_mm if below else -away_mm)
            case _:
                return self._on_point_mm(place_number(spot), layer)

    def _on_point_mm(self, number: int, layer: int) -> PointMm:
        column = number % _COLUMNS
        half_starts_mm = self.margin_mm + (self.bar_mm[1] if column >= _COLUMNS // 2 else 0.0)
        x_mm = half_starts_mm + (column % (_COLUMNS // 2) + 0.5) * self.pitch_mm
        from_rim_mm = (layer % self.row + 0.5) * self.checker_mm
        return x_mm, from_rim_mm if number < _COLUMNS else self.height_mm - from_rim_mm


def checkers_mm(plan: BoardPlan, stacks: Stacks) -> Iterator[PointMm]:
    """The centres of all checkers on points and bar, or beside a board without a bar."""
    for place, stack in zip(POINTS, stacks.points, strict=True):
        for layer in range(len(stack)):
            yield plan.spot_mm(place, layer)
    for count, is_light in zip(stacks.bar, (True, False), strict=True):
        for layer in range(count):
            yield plan.spot_mm(Place.BAR, layer, is_light=is_light)


def distance_mm(one: PointMm, other: PointMm) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])
