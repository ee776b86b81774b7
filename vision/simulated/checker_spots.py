"""Where the checkers of a stack stand: rows of five from the rim inward, the next five on top, each slightly displaced.

The position depends on the checker's index in the stack alone, so no checker moves when another one is taken or added.
"""

from dataclasses import dataclass

import numpy as np

from vision.errors import NoBoardInSceneError
from vision.simulated.drawing.walls import outer_mm
from vision.simulated.scene import PLACES, Board, Checker, CheckerSide, PointMm
from vision.simulated.tabletop import BAR, OFF, Arrangement, TableStyle, point_index

ON_THE_BAR = 4  # checkers in a row, on either side of the bar's middle
BESIDE = 5  # checkers in a row on the table


@dataclass(frozen=True, slots=True)
class CheckerSpot:
    """`height_mm` is the height of the checker's underside."""

    centre_mm: PointMm
    height_mm: float
    layer: int
    turn_deg: float


def require_board(style: TableStyle) -> Board:
    """Raises NoBoardInSceneError for a table without a board."""
    board = style.scene.board
    if board is None:
        raise NoBoardInSceneError
    return board


def locate_checker(style: TableStyle, place: str, number: int, side: CheckerSide) -> CheckerSpot:
    """The spot of checker `number`, 0 the lowest of its point. On the bar and off the board each side counts its own."""
    key = (*PLACES, BAR, OFF).index(place)
    rng = np.random.default_rng([style.seed, key, number, side is CheckerSide.LIGHT])
    away = np.clip(rng.normal(0, style.untidy_mm, 2), -2 * style.untidy_mm, 2 * style.untidy_mm)
    turn_deg = float(rng.uniform(0, 360))
    if place == BAR:
        (x, y), low, layer = _locate_on_bar(style, number, side)
    elif place == OFF:
        (x, y), low, layer = _locate_off(style, number, side)
    else:
        (x, y), low, layer = _locate_on_point(style, place, number)
        away[1] = abs(away[1]) * (1 if place.startswith("T") else -1)
    return CheckerSpot((x + float(away[0]), y + float(away[1])), low, layer, turn_deg)


def _locate_on_point(style: TableStyle, place: str, number: int) -> tuple[PointMm, float, int]:
    scene, board = style.scene, require_board(style)
    layer, rank = divmod(number, style.per_layer)
    gap = 2.2 * style.untidy_mm
    along = scene.checker_diameter_mm * 0.5 + 0.4 + rank * (scene.checker_diameter_mm + gap)
    column = point_index(place) % 12
    y = along if place.startswith("T") else board.field_mm[1] - along
    return (board.point_x_mm(column), y), layer * scene.checker_thickness_mm, layer


def _is_low(style: TableStyle, side: CheckerSide) -> bool:
    """Whether that side's checkers wait at the lower edge."""
    return (side is CheckerSide.LIGHT) == style.light_at_bottom


def _locate_on_bar(style: TableStyle, number: int, side: CheckerSide) -> tuple[PointMm, float, int]:
    """On the bar; left of a board without one, on the table."""
    scene, board = style.scene, require_board(style)
    if board.bar_mm[0] == board.bar_mm[1]:
        column, rank = divmod(number, BESIDE)
        x, y = outer_mm(board)[0] - (0.62 + 1.06 * column) * scene.checker_diameter_mm, (0.8 + rank * 1.06)
        y *= scene.checker_diameter_mm
        return (x, board.field_mm[1] - y if _is_low(style, side) else y), -board.depth_mm, 0
    layer, rank = divmod(number, ON_THE_BAR)
    away = (0.75 + 1.04 * rank) * scene.checker_diameter_mm
    y = board.field_mm[1] / 2 + (away if _is_low(style, side) else -away)
    x = (board.bar_mm[0] + board.bar_mm[1]) / 2
    return (x, y), board.bar_height_mm + layer * scene.checker_thickness_mm, layer


def _locate_off(style: TableStyle, number: int, side: CheckerSide) -> tuple[PointMm, float, int]:
    scene, board = style.scene, require_board(style)
    diameter, height = scene.checker_diameter_mm, board.field_mm[1]
    if board.trays_mm[1] > 0:
        per_layer = int(0.46 * height / (1.02 * diameter))
        layer, rank = divmod(number, per_layer)
        x = board.field_mm[0] + 0.6 * board.rim_width_mm + board.trays_mm[1] / 2
        y, low = (0.52 + rank * 1.02) * diameter, layer * scene.checker_thickness_mm
    else:
        column, rank = divmod(number, BESIDE)
        _, _, right, _ = outer_mm(board)
        x, low, layer = right + (0.62 + 1.06 * column) * diameter, -board.depth_mm, 0
        y = (0.8 + rank * 1.06) * diameter
    return (x, height - y if _is_low(style, side) else y), low, layer


def place_checkers(style: TableStyle, arrangement: Arrangement) -> tuple[Checker, ...]:
    """All checkers that stand on a place."""
    found = []
    for place in (*PLACES, BAR, OFF):
        stack = arrangement.stack(place)
        for index, side in enumerate(stack):
            # on the bar and off the board each side has a stack of its own
            rank = index if place not in (BAR, OFF) else stack[:index].count(side)
            spot = locate_checker(style, place, rank, side)
            found.append(Checker(side, place, spot.layer, spot.centre_mm, spot.height_mm, (0.0, 0.0), spot.turn_deg))
    return tuple(found)
