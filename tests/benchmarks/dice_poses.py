"""Poses of dice on a simulated table: valid ones and every kind that voids a throw.

Every function takes the die's number and upper face and returns None when the table has no room for such a pose. The
pose stays clear of the checkers, dice and cube of `arrangement`.
"""

from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulated.checker_spots import place_checkers, require_board
from vision.simulated.drawing.dice import corners_mm
from vision.simulated.drawing.die_body import contact_distance_mm, middle_mm
from vision.simulated.drawing.optics import distort, pinhole_view
from vision.simulated.drawing.walls import outer_mm
from vision.simulated.scene import Checker
from vision.simulated.scene_building import apply_bump, make_checker, make_cube, make_die
from vision.simulated.tabletop import Arrangement, DiePose, TableStyle

Floats = NDArray[np.float64]
TRIES = 200
CLEAR_MM = 3.0  # between a die and anything it does not lean on
WALL_CLEAR_MM = 4.0
GAP_MM = 0.05  # between dice that touch, so that neither penetrates the other
IN_VIEW_PX = 2.0


class FieldHalf(Enum):
    """The half of the field beside the bar."""

    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class LeanSupport:
    """An edge that a die leans on: a point on it, the horizontal direction away from it, its height.

    With `is_wall` the die's raised edge touches the wall's side; otherwise the die's lower face rests on the edge.
    """

    at_mm: tuple[float, float]
    away: tuple[float, float]
    height_mm: float
    is_wall: bool


def place_flat_die(
    style: TableStyle, arrangement: Arrangement, half: FieldHalf, rng: np.random.Generator, *, number: int, up: int
) -> DiePose | None:
    """Flat on the field, clear of checkers, dice, bar and rim."""
    low, high = _middle_range_mm(style, half, number)
    for _ in range(TRIES):
        x, y = rng.uniform(low, high)
        die = DiePose(number, up, (float(x), float(y)), float(rng.uniform(0, 360)))
        if _is_free(style, arrangement, die):
            return die
    return None


def place_flat_dice(
    style: TableStyle, arrangement: Arrangement, half: FieldHalf, rng: np.random.Generator, *, ups: tuple[int, ...]
) -> tuple[DiePose, ...] | None:
    """Flat dice in one half, one for each upper face of `ups`."""
    return _place_one_by_one(style, arrangement, (half,) * len(ups), rng, ups=ups)


def place_split_dice(
    style: TableStyle, arrangement: Arrangement, rng: np.random.Generator, *, ups: tuple[int, int]
) -> tuple[DiePose, ...] | None:
    """Two flat dice, one in each half."""
    halves = (FieldHalf.LEFT, FieldHalf.RIGHT) if rng.random() < 0.5 else (FieldHalf.RIGHT, FieldHalf.LEFT)
    return _place_one_by_one(style, arrangement, halves, rng, ups=ups)


def place_touching_dice(
    style: TableStyle, arrangement: Arrangement, half: FieldHalf, rng: np.random.Generator, *, ups: tuple[int, int]
) -> tuple[DiePose, ...] | None:
    """Two flat dice in one half that touch each other."""
    for _ in range(TRIES):
        first = place_flat_die(style, arrangement, half, rng, number=0, up=ups[0])
        if first is None:
            return None
        second = _place_against(style, first, rng, number=1, up=ups[1])
        if _is_inside_half(style, half, second, beyond_mm=0.0) and _is_free(style, arrangement, second):
            return first, second
    return None


def _place_against(style: TableStyle, die: DiePose, rng: np.random.Generator, *, number: int, up: int) -> DiePose:
    """A flat die that touches another one at a random angle."""
    (x, y), turn, yaw = die.centre_mm, float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0, 360))
    squares = (style.dice[die.number].size_mm, die.yaw_deg), (style.dice[number].size_mm, yaw)
    away = contact_distance_mm(*squares, float(np.degrees(turn))) + GAP_MM
    return DiePose(number, up, (x + away * float(np.cos(turn)), y + away * float(np.sin(turn))), yaw)


def _place_one_by_one(
    style: TableStyle,
    arrangement: Arrangement,
    halves: tuple[FieldHalf, ...],
    rng: np.random.Generator,
    *,
    ups: tuple[int, ...],
) -> tuple[DiePose, ...] | None:
    found: list[DiePose] = []
    for number, (half, up) in enumerate(zip(halves, ups, strict=True)):
        die = place_flat_die(style, with_dice(arrangement, found), half, rng, number=number, up=up)
        if die is None:
            return None
        found.append(die)
    return tuple(found)


def with_dice(arrangement: Arrangement, dice: list[DiePose]) -> Arrangement:
    """Adds these dice; each replaces the die with its number."""
    taken = {die.number for die in dice}
    kept = tuple(die for die in arrangement.dice if die.number not in taken)
    return replace(arrangement, dice=(*kept, *dice))


def lean_on_checker(
    style: TableStyle, arrangement: Arrangement, half: FieldHalf, rng: np.random.Generator, *, number: int, up: int
) -> DiePose | None:
    """The die's lower face rests on a checker's edge, its lower edge on the field."""
    scene = style.scene
    lower = [checker for checker in place_checkers(style, arrangement) if _is_low(checker) and checker.layer == 0]
    for _ in range(TRIES if lower else 0):
        checker = lower[int(rng.integers(len(lower)))]
        turn = float(rng.uniform(0, 2 * np.pi))
        away = (float(np.cos(turn)), float(np.sin(turn)))
        radius = scene.checker_diameter_mm / 2
        at = (checker.centre_mm[0] + radius * away[0], checker.centre_mm[1] + radius * away[1])
        die = _lean_die(style, LeanSupport(at, away, scene.checker_thickness_mm, False), rng, number=number, up=up)
        if (
            die is not None
            and _is_inside_half(style, half, die)
            and _is_free(style, arrangement, die, leans_on=checker)
        ):
            return die
    return None


def lean_on_wall(
    style: TableStyle, arrangement: Arrangement, half: FieldHalf, rng: np.random.Generator, *, number: int, up: int
) -> DiePose | None:
    """The die leans against the rim."""
    board = require_board(style)
    left, right = _half_span_mm(style, half)
    height, rim = board.field_mm[1], board.rim_height_mm
    outside = 0.0 if half is FieldHalf.LEFT else board.field_mm[0]
    for _ in range(TRIES):
        kind = int(rng.integers(3))
        if kind == 0:
            support = LeanSupport(
                (outside, float(rng.uniform(20, height - 20))), (1.0 if outside == 0 else -1.0, 0.0), rim, True
            )
        else:
            edge, away = (0.0, 1.0) if kind == 1 else (height, -1.0)
            support = LeanSupport((float(rng.uniform(left + 20, right - 20)), edge), (0.0, away), rim, True)
        die = _lean_die(style, support, rng, number=number, up=up)
        if die is not None and _is_inside_half(style, half, die) and _is_free(style, arrangement, die):
            return die
    return None


def place_on_checker(
    style: TableStyle, arrangement: Arrangement, half: FieldHalf, rng: np.random.Generator, *, number: int, up: int
) -> DiePose | None:
    """Flat on top of a checker."""
    scene = style.scene
    left, right = _half_span_mm(style, half)
    checkers = [checker for checker in place_checkers(style, arrangement) if _is_low(checker)]
    checkers = [checker for checker in checkers if left < checker.centre_mm[0] < right]
    tops = [checker for checker in checkers if not any(_is_above(other, checker) for other in checkers)]
    for _ in range(TRIES if tops else 0):
        checker = tops[int(rng.integers(len(tops)))]
        away = rng.normal(0, 0.16 * scene.checker_diameter_mm, 2)
        place = (checker.centre_mm[0] + float(away[0]), checker.centre_mm[1] + float(away[1]))
        height = checker.height_mm + scene.checker_thickness_mm
        die = DiePose(number, up, place, float(rng.uniform(0, 360)), height_mm=height)
        if float(np.hypot(*away)) < 0.3 * scene.checker_diameter_mm and _is_free(style, arrangement, die):
            return die
    return None


def place_on_bar(
    style: TableStyle, arrangement: Arrangement, rng: np.random.Generator, *, number: int, up: int
) -> DiePose | None:
    """Flat on the bar."""
    board, size = require_board(style), style.dice[number].size_mm
    middle = (board.bar_mm[0] + board.bar_mm[1]) / 2
    for _ in range(TRIES):
        y = float(rng.uniform(size, board.field_mm[1] - size))
        yaw = float(90 * rng.integers(4) + rng.normal(0, 10))
        die = DiePose(number, up, (middle + float(rng.normal(0, 0.8)), y), yaw, height_mm=board.bar_height_mm)
        if _is_free(style, arrangement, die):
            return die
    return None


def place_on_rim(
    style: TableStyle, arrangement: Arrangement, rng: np.random.Generator, *, number: int, up: int
) -> DiePose | None:
    """Flat on the rim, its middle over the rim."""
    board, size = require_board(style), style.dice[number].size_mm
    (width, height), away = board.field_mm, board.rim_width_mm / 2
    for _ in range(TRIES):
        side = int(rng.integers(4))
        along_x, along_y = rng.uniform(size, width - size), rng.uniform(size, height - size)
        spots = ((along_x, -away), (along_x, height + away), (-away, along_y), (width + away, along_y))
        if side == 3 and board.trays_mm[1] > 0:
            continue
        x, y = spots[side]
        yaw = float(90 * rng.integers(4) + rng.normal(0, 6))
        die = DiePose(number, up, (float(x), float(y)), yaw, height_mm=board.rim_height_mm)
        if _is_free(style, arrangement, die) and _is_in_view(style, arrangement, die):
            return die
    return None


def place_off_board(
    style: TableStyle, arrangement: Arrangement, rng: np.random.Generator, *, number: int, up: int
) -> DiePose | None:
    """On the table beside the board, completely in the picture."""
    board, size = require_board(style), style.dice[number].size_mm
    left, _, right, _ = outer_mm(board)
    for _ in range(TRIES):
        is_left = bool(rng.random() < 0.5)
        away = _occluded_width_mm(style, left if is_left else right) + float(rng.uniform(0.7, 1.0)) * size
        x = left - away if is_left else right + away
        y = float(rng.uniform(size, board.field_mm[1] - size))
        yaw = float(90 * rng.integers(4) + rng.normal(0, 15))
        die = DiePose(number, up, (x, y), yaw, height_mm=-board.depth_mm)
        if _is_free(style, arrangement, die) and _is_in_view(style, arrangement, die):
            return die
    return None


def _occluded_width_mm(style: TableStyle, edge_mm: float) -> float:
    """Width of the strip of table that the rim hides beyond that edge of the box."""
    board = require_board(style)
    x, _, up = pinhole_view(style.scene.camera).position_mm
    tall = board.rim_height_mm + board.depth_mm
    return max(0.0, abs(edge_mm - x) * tall / max(up - board.rim_height_mm, 1.0))


def _is_low(checker: Checker) -> bool:
    return checker.place not in ("bar", "off")


def _is_above(other: Checker, checker: Checker) -> bool:
    x, y = other.centre_mm[0] - checker.centre_mm[0], other.centre_mm[1] - checker.centre_mm[1]
    return other.height_mm > checker.height_mm + 1 and bool(np.hypot(x, y) < 20)


def _half_span_mm(style: TableStyle, half: FieldHalf) -> tuple[float, float]:
    board = require_board(style)
    return (0.0, board.bar_mm[0]) if half is FieldHalf.LEFT else (board.bar_mm[1], board.field_mm[0])


def _middle_range_mm(
    style: TableStyle, half: FieldHalf, number: int
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Range of the middle of a flat die, whatever its yaw."""
    left, right = _half_span_mm(style, half)
    away = style.dice[number].size_mm * np.sqrt(0.5) + WALL_CLEAR_MM
    return (left + away, away), (right - away, require_board(style).field_mm[1] - away)


def _is_inside_half(style: TableStyle, half: FieldHalf, die: DiePose, *, beyond_mm: float = 0.5) -> bool:
    """Whether the die lies over that half; `beyond_mm` lets a die that leans on a wall touch it."""
    left, right = _half_span_mm(style, half)
    corners = corners_mm(make_die(style.dice[die.number], die))
    x, y = corners[:, 0], corners[:, 1]
    inside = x.min() > left - beyond_mm and x.max() < right + beyond_mm and y.min() > -beyond_mm
    return bool(inside and y.max() < require_board(style).field_mm[1] + beyond_mm)


def _is_in_view(style: TableStyle, arrangement: Arrangement, die: DiePose) -> bool:
    camera = apply_bump(style.scene.camera, arrangement.bump)
    corners = corners_mm(make_die(style.dice[die.number], die))
    seen = distort(camera, pinhole_view(camera).project(corners))
    return bool((seen > IN_VIEW_PX).all() and (seen < np.array(camera.size_px) - 1 - IN_VIEW_PX).all())


def _lean_die(
    style: TableStyle, support: LeanSupport, rng: np.random.Generator, *, number: int, up: int
) -> DiePose | None:
    """The die with its lower edge on the field and the face above it on the support; None when that is too high."""
    size = style.dice[number].size_mm
    if support.is_wall:
        steepest = min(np.degrees(np.arcsin(min(0.95 * support.height_mm / size, 1.0))), 38.0)
        tilt, reach = np.radians(rng.uniform(14.0, max(steepest, 15.0))), size
    else:
        reach = float(rng.uniform(0.82, 0.97)) * size
        if support.height_mm > 0.65 * reach:
            return None
        tilt = np.arcsin(support.height_mm / reach)
    away = reach * np.cos(tilt) - size / 2 * np.cos(tilt) + size / 2 * np.sin(tilt)
    (x, y), (to_x, to_y) = support.at_mm, support.away
    way = float(np.degrees(np.arctan2(to_y, to_x)))
    yaw = way + float(90 * rng.integers(4))
    return DiePose(number, up, (x + float(away) * to_x, y + float(away) * to_y), yaw, float(np.degrees(tilt)), way)


def _is_free(style: TableStyle, arrangement: Arrangement, die: DiePose, leans_on: Checker | None = None) -> bool:
    """Whether the die is clear of other dice, the cube and every checker that it does not lie or lean on."""
    mine = corners_mm(make_die(style.dice[die.number], die))
    outline, low = _outline(mine), float(mine[:, 2].min())
    radius = style.scene.checker_diameter_mm / 2
    for checker in (*place_checkers(style, arrangement), *(make_checker(one) for one in arrangement.loose)):
        below = checker.height_mm + style.scene.checker_thickness_mm < low + 0.5
        if checker == leans_on or below:
            continue
        if _distance(outline, checker.centre_mm) < radius + CLEAR_MM:
            return False
    others = [make_die(style.dice[one.number], one) for one in arrangement.dice if one.number != die.number]
    for other in [*others, *make_cube(style, arrangement)]:
        apart = np.linalg.norm(middle_mm(other)[:2] - np.array(die.centre_mm))
        if apart < (other.size_mm + style.dice[die.number].size_mm) * np.sqrt(0.5) + CLEAR_MM:
            return False
    return True


def _outline(corners: Floats) -> NDArray[Any]:
    """Convex hull of the corners' vertical projection: (n, 1, 2) float32."""
    return cv2.convexHull(corners[:, :2].astype(np.float32))


def _distance(outline: NDArray[Any], place: tuple[float, float]) -> float:
    """Signed distance of a point from the outline in mm, negative inside."""
    return -float(cv2.pointPolygonTest(outline, (float(place[0]), float(place[1])), True))
