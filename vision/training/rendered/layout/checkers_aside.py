"""Checkers on the bar and borne off: in a tray, on edge or flat, or in heaps beside the board."""

import numpy as np

from vision.simulated.scene import CheckerSide
from vision.training.rendered.layout.board_shape import BoardShape
from vision.training.rendered.layout.board_size import BoardSize
from vision.training.rendered.layout.checkers_layout import UPRIGHT, PlacedChecker
from vision.training.rendered.layout.positions import SIDES, CheckerPosition
from vision.training.rendered.random_draws import draw_bool, draw_choice, draw_normal, draw_uniform
from vision.training.rendered.tracing.arrays import Floats


def lay_out_bar(
    rng: np.random.Generator, size: BoardSize, position: CheckerPosition, *, cube_room_mm: float, untidiness: float
) -> list[PlacedChecker]:
    """From the middle outwards, light away from the viewer; in layers when the bar is full."""
    placed = []
    diameter, end = size.checker_mm, size.field_height_mm / 2 - 2
    for side, count, up in zip(SIDES, position.bar, (1, -1), strict=True):
        first = diameter / 2 + cube_room_mm + draw_uniform(rng, 4, 25)
        along, layer = first, 0
        for _ in range(count):
            if along + diameter / 2 > end:
                along, layer = first, layer + 1
            x, y = draw_normal(rng, 1 + untidiness), up * along + draw_normal(rng, min(untidiness, 0.4))
            base = (x, y, size.bar_height_mm + layer * size.checker_thick_mm)
            placed.append(PlacedChecker(side, "bar", layer, is_leaning=False, base_mm=base, axis=UPRIGHT))
            along += diameter + 1 + abs(draw_normal(rng, 2))
    return placed


def lay_out_off(
    rng: np.random.Generator, size: BoardSize, shape: BoardShape, position: CheckerPosition
) -> list[PlacedChecker]:
    """Borne-off checkers: in the trays, or without trays on the table left or right of the board."""
    if not shape.trays_mm:
        edge = (shape.right_mm, 1) if draw_bool(rng, 0.7) else (shape.left_mm, -1)
        heap = draw_choice(rng, (1, 5, 5))
        return [
            checker
            for side, count, up in zip(SIDES, position.off, (1, -1), strict=True)
            for checker in _lay_on_table(rng, size, shape, side, count, up=up, edge=edge, heap=heap)
        ]
    in_tray = _lay_on_edge_in_tray if draw_bool(rng, 0.5) else _lay_flat_in_tray
    placed = []
    for side, count, up in zip(SIDES, position.off, (1, -1), strict=True):
        low, high = shape.trays_mm[0] if draw_bool(rng, 0.7) else shape.trays_mm[-1]
        placed += in_tray(rng, size, side, count, up=up, x=(low + high) / 2)
    return placed


def _lay_on_edge_in_tray(
    rng: np.random.Generator, size: BoardSize, side: CheckerSide, count: int, *, up: int, x: float
) -> list[PlacedChecker]:
    """Like coins in a roll, from the end of the tray inwards."""
    y = up * (size.field_height_mm / 2 - 1)
    placed = []
    for _ in range(count):
        base = (x + draw_normal(rng, 0.5), y, size.checker_mm / 2)
        placed.append(PlacedChecker(side, "off", 0, is_leaning=False, base_mm=base, axis=(0.0, -float(up), 0.0)))
        y -= up * (size.checker_thick_mm + abs(draw_normal(rng, 0.2)))
    return placed


def _lay_flat_in_tray(
    rng: np.random.Generator, size: BoardSize, side: CheckerSide, count: int, *, up: int, x: float
) -> list[PlacedChecker]:
    diameter, end = size.checker_mm, size.field_height_mm / 2
    row = max(1, int((end - 4) // (diameter + 0.5)))
    placed = []
    for order in range(count):
        layer, step = divmod(order, row)
        y = up * (end - diameter / 2 - 1 - step * (diameter + 0.5))
        base = (x + draw_normal(rng, 0.8), y, layer * size.checker_thick_mm)
        placed.append(PlacedChecker(side, "off", layer, is_leaning=False, base_mm=base, axis=UPRIGHT))
    return placed


def _lay_on_table(
    rng: np.random.Generator,
    size: BoardSize,
    shape: BoardShape,
    side: CheckerSide,
    count: int,
    *,
    up: int,
    edge: tuple[float, int],
    heap: int,
) -> list[PlacedChecker]:
    """Heaps of `heap` beside the board; `edge` is the x of its outer edge and the outward direction."""
    spots: list[Floats] = []
    placed = []
    for order in range(count):
        layer = order % heap
        if layer == 0:
            spots.append(_find_free_spot(rng, size, spots, up=up, edge=edge))
        x, y = spots[-1] + (rng.normal(0, 0.9, 2) if layer else 0)
        base = (float(x), float(y), shape.table_z_mm + layer * size.checker_thick_mm)
        placed.append(PlacedChecker(side, "off", layer, is_leaning=False, base_mm=base, axis=UPRIGHT))
    return placed


def _find_free_spot(
    rng: np.random.Generator, size: BoardSize, taken: list[Floats], *, up: int, edge: tuple[float, int]
) -> Floats:
    """Near the board, with each failed try farther away."""
    diameter, (x, outwards) = size.checker_mm, edge
    spread = 28.0
    while True:
        out = diameter / 2 + 4 + abs(draw_normal(rng, spread))
        spot = np.array([x + outwards * out, up * draw_uniform(rng, diameter * 0.6, size.field_height_mm / 2)])
        if all(np.hypot(*(spot - other)) > diameter + 0.5 for other in taken):
            return spot
        spread *= 1.02
