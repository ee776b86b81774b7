"""Finds where to release dice over a board so that they come to rest as wanted, or nearly so."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from vision.dice.readings import DieState
from vision.training.rendered.layout.checkers_layout import PlacedChecker
from vision.training.rendered.layout.dice_state import FACE_AXES, PlacedDie
from vision.training.rendered.layout.rotations import about, about_z, from_upright
from vision.training.rendered.random_draws import draw_bool, draw_choice, draw_uniform
from vision.training.rendered.scene import RenderedTable
from vision.training.rendered.tracing.arrays import Floats

_FREE_TRIES = 25
_TIPPED_DEG = 12.0
_WEDGED_MOST_DEG = 18.0
_ASTRIDE_OFF, _WEDGED_OFF = 0.25, 0.15  # standard deviation of the distance from the middle of a gap, in edges of a die


class RestGoal(Enum):
    """How a die shall come to rest."""

    FLAT = "flat"
    HIDDEN = "hidden"  # behind checkers, as the camera sees it
    TOUCHING = "touching"  # beside another die
    STACKED = "stacked"  # on another die
    LEANING_CHECKER = "leaning_checker"
    LEANING_BAR = "leaning_bar"
    LEANING_RIM = "leaning_rim"
    ASTRIDE = "astride"  # on a checker that leans, or on a checker and its neighbour
    WEDGED = "wedged"  # in a gap hardly wider than the die, so that it leans slightly
    ON_CHECKER = "on_checker"
    ON_BAR = "on_bar"
    ON_RIM = "on_rim"
    OFF_BOARD = "off_board"

    def is_met_by(self, state: DieState, tilt_deg: float) -> bool:
        if self in _ENDS_FLAT:
            return state is DieState.FLAT
        if self in _ENDS_COCKED:
            return state is DieState.COCKED and (self is not RestGoal.WEDGED or tilt_deg <= _WEDGED_MOST_DEG)
        return state is DieState(self.value)


_ENDS_FLAT = {RestGoal.FLAT, RestGoal.HIDDEN, RestGoal.TOUCHING}
_LEANING = {RestGoal.LEANING_CHECKER, RestGoal.LEANING_BAR, RestGoal.LEANING_RIM}
_ENDS_COCKED = {RestGoal.STACKED, RestGoal.ASTRIDE, RestGoal.WEDGED, *_LEANING}


@dataclass(frozen=True, slots=True, eq=False)
class Release:
    """Pose and motion of a die at its release, in mm, mm/s, rad/s."""

    centre_mm: Floats
    rotation: Floats
    speed_mm: Floats
    spin: Floats


class ReleaseFinder:
    """Finds releases over one table."""

    def __init__(self, rng: np.random.Generator, table: RenderedTable, eye_mm: Floats) -> None:
        self._rng, self._table, self._eye_mm = rng, table, eye_mm
        on_board = [checker for checker in table.checkers if checker.place != "off"]
        self._uppermost = [checker for checker in on_board if not _is_covered(checker, on_board, table)] or on_board

    def release(self, aim: RestGoal, standing: list[PlacedDie]) -> Release:
        if aim in _LEANING:
            return self._release_leaning(aim)
        if aim in (RestGoal.TOUCHING, RestGoal.STACKED) and standing:
            return self._release_beside(draw_choice(self._rng, standing), is_on_top=aim is RestGoal.STACKED)
        if aim in (RestGoal.ASTRIDE, RestGoal.WEDGED) and self._uppermost:
            spot_mm = self._draw_spot_astride() if aim is RestGoal.ASTRIDE else self._draw_spot_in_gap(_WEDGED_OFF)
            return self._tip(self._drop(spot_mm, is_tumbling=False))
        return self._drop(self._draw_spot(aim), is_tumbling=aim is RestGoal.FLAT and draw_bool(self._rng, 0.3))

    def _draw_spot(self, aim: RestGoal) -> Floats:
        """(2,) target in mm."""
        rng, size, shape = self._rng, self._table.size, self._table.shape
        x_mm, y_mm, rim_mm = size.field_width_mm / 2, size.field_height_mm / 2, size.rim_width_mm / 2
        side = draw_choice(rng, (-1, 1))
        match aim:
            case RestGoal.HIDDEN if self._uppermost:
                return self._find_free_spot(self._draw_spot_behind_checker)
            case RestGoal.ON_CHECKER if self._uppermost:
                return self._draw_spot_within(self._uppermost, 0.32)
            case RestGoal.ON_BAR:
                return np.array([rng.normal(0, size.bar_width_mm * 0.15), draw_uniform(rng, -y_mm, y_mm) * 0.92])
            case RestGoal.ON_RIM if draw_bool(rng, 0.6):
                return np.array([draw_uniform(rng, -x_mm, x_mm), (y_mm + rim_mm) * side])
            case RestGoal.ON_RIM:
                rim_x_mm = (shape.right_mm - rim_mm) if side > 0 else (shape.left_mm + rim_mm)
                return np.array([rim_x_mm, draw_uniform(rng, -y_mm, y_mm)])
            case RestGoal.OFF_BOARD:
                return self._draw_spot_off_board(side)
            case _ if draw_bool(rng, 0.55) and self._uppermost:
                return self._find_free_spot(lambda: self._spot_by_checker(draw_uniform(rng, 0, 2 * np.pi)))
            case _:
                return self._find_free_spot(self._draw_on_field)

    def _draw_spot_astride(self) -> Floats:
        """(2,) in mm, on a checker that leans, or over the gap between a checker and its neighbour or a wall."""
        rng = self._rng
        leaning = [checker for checker in self._uppermost if checker.is_leaning]
        if leaning and draw_bool(rng, 0.5):
            return self._draw_spot_within(leaning, 0.45)
        return self._draw_spot_in_gap(_ASTRIDE_OFF)

    def _draw_spot_in_gap(self, off_edges: float) -> Floats:
        """(2,) in mm, between a checker and its neighbour or a wall, with an error in edges of a die."""
        rng, size = self._rng, self._table.size
        here_mm = np.array(draw_choice(rng, self._uppermost).base_mm[:2])
        beside_mm = [there for there in self._beside_checker(here_mm) if np.hypot(*there) < 0.8 * size.checker_mm]
        gap_mm = draw_choice(rng, beside_mm) if beside_mm else size.checker_mm / 2 * _draw_direction(rng)
        return np.asarray(here_mm + gap_mm + rng.normal(0, off_edges, 2) * size.die_mm)

    def _draw_spot_within(self, checkers: list[PlacedChecker], reach: float) -> Floats:
        """(2,) in mm, on one of these, within that share of its diameter from its middle."""
        rng = self._rng
        away_mm = self._table.size.checker_mm * reach * np.sqrt(rng.uniform()) * _draw_direction(rng)
        return np.asarray(draw_choice(rng, checkers).base_mm[:2] + away_mm)

    def _beside_checker(self, here_mm: Floats) -> Sequence[Floats]:
        """(2,) each, in mm: from a checker's middle to halfway between its rim and the rims of others and the walls."""
        size, radius_mm = self._table.size, self._table.size.checker_mm / 2
        others_mm = [np.array(checker.base_mm[:2]) - here_mm for checker in self._uppermost]
        halfway_mm = [other / 2 for other in others_mm if np.hypot(*other) > radius_mm]
        x_mm, y_mm, bar_mm = size.field_width_mm / 2, size.field_height_mm / 2, size.bar_width_mm / 2
        walls_mm = [np.array([x - here_mm[0], 0.0]) for x in (-x_mm, x_mm)]
        walls_mm += [np.array([0.0, y - here_mm[1]]) for y in (-y_mm, y_mm)]
        walls_mm += [np.array([x - here_mm[0], 0.0]) for x in (-bar_mm, bar_mm)]
        away_mm = [(wall, float(np.hypot(*wall))) for wall in walls_mm]
        return halfway_mm + [wall * (far + radius_mm) / 2 / far for wall, far in away_mm if far > radius_mm / 2]

    def _draw_spot_off_board(self, side: int) -> Floats:
        rng, shape, away_mm = self._rng, self._table.shape, draw_uniform(self._rng, 12, 60)
        if shape.trays_mm and draw_bool(rng, 0.5):
            x_mm = sum(draw_choice(rng, shape.trays_mm)) / 2 + rng.normal(0, 4)
            return np.array([x_mm, draw_uniform(rng, shape.near_mm, shape.far_mm) * 0.8])
        if draw_bool(rng, 0.5):
            x_mm = shape.right_mm + away_mm if side > 0 else shape.left_mm - away_mm
            return np.array([x_mm, draw_uniform(rng, shape.near_mm, shape.far_mm)])
        y_mm = shape.far_mm + away_mm if side > 0 else shape.near_mm - away_mm
        return np.array([draw_uniform(rng, shape.left_mm, shape.right_mm), y_mm])

    def _find_free_spot(self, draw: Callable[[], Floats]) -> Floats:
        """The first of several spots that is on the bare field, or the last."""
        for _ in range(_FREE_TRIES):
            spot_mm = draw()
            if self._height_mm(spot_mm, self._table.size.die_mm * 0.5) <= 0:
                break
        return spot_mm

    def _draw_on_field(self) -> Floats:
        size, reach_mm = self._table.size, self._table.size.die_mm
        middle_mm = draw_choice(self._rng, (-1, 1)) * (size.bar_width_mm + size.half_width_mm) / 2
        half_mm = np.array([size.half_width_mm / 2 - reach_mm, size.field_height_mm / 2 - reach_mm])
        return np.asarray(np.array([middle_mm, 0]) + self._rng.uniform(-1, 1, 2) * half_mm)

    def _draw_spot_behind_checker(self) -> Floats:
        """Behind a checker, preferably a high one."""
        spots = [checker for checker in self._uppermost if checker.layer > 0]
        checker = draw_choice(self._rng, spots if spots and draw_bool(self._rng, 0.7) else self._uppermost)
        away_mm = np.array(checker.base_mm[:2]) - self._eye_mm[:2]
        angle_rad = float(np.arctan2(away_mm[1], away_mm[0])) + self._rng.normal(0, 0.5)
        return self._spot_by_checker(angle_rad, checker)

    def _spot_by_checker(self, angle_rad: float, checker: PlacedChecker | None = None) -> Floats:
        size = self._table.size
        checker = checker or draw_choice(self._rng, self._uppermost)
        away_mm = size.checker_mm / 2 + size.die_mm * draw_uniform(self._rng, 0.52, 0.95)
        return np.asarray(checker.base_mm[:2] + away_mm * _direction(angle_rad))

    def _height_mm(self, spot_mm: Floats, reach_mm: float) -> float:
        """The height of the highest thing below a disc, or of the table."""
        size, shape, (x_mm, y_mm) = self._table.size, self._table.shape, spot_mm.tolist()
        tops_mm = [shape.table_z_mm]
        for box in shape.boxes:
            (left, low, _), (right, high, top) = box.low, box.high
            if left - reach_mm < x_mm < right + reach_mm and low - reach_mm < y_mm < high + reach_mm:
                tops_mm.append(top)
        for checker in self._table.checkers:
            if np.hypot(x_mm - checker.base_mm[0], y_mm - checker.base_mm[1]) < size.checker_mm / 2 + reach_mm:
                tops_mm.append(checker.base_mm[2] + size.checker_thick_mm * (2.2 if checker.is_leaning else 1))
        if self._table.cube is not None:
            x, y, z = self._table.cube.centre_mm
            if np.hypot(x_mm - x, y_mm - y) < size.cube_mm * 0.7 + reach_mm:
                tops_mm.append(z + size.cube_mm / 2)
        return max(tops_mm)

    def _drop(self, spot_mm: Floats, *, is_tumbling: bool) -> Release:
        """Level with a random face up, or at a random rotation from slightly higher."""
        rng, edge_mm = self._rng, self._table.size.die_mm
        height_mm = self._height_mm(spot_mm, edge_mm * 0.6)
        if is_tumbling:
            tumble = from_upright(rng.standard_normal(3)) @ about_z(draw_uniform(rng, 0, 2 * np.pi))
            centre_mm = np.array([*spot_mm, height_mm + edge_mm * draw_uniform(rng, 1.0, 2.0)])
            return Release(centre_mm, tumble, rng.normal(0, 90, 3), rng.normal(0, 8, 3))
        centre_mm = np.array([*spot_mm, height_mm + edge_mm * 0.5 + draw_uniform(rng, 0.5, 3.0)])
        turn = draw_level_rotation(rng, draw_uniform(rng, 0, 2 * np.pi))
        return Release(centre_mm, turn, rng.normal(0, 8, 3), rng.normal(0, 0.5, 3))

    def _tip(self, release: Release) -> Release:
        """Turned slightly about a level axis, and raised by what its corners need."""
        rng, edge_mm = self._rng, self._table.size.die_mm
        axis = (*_draw_direction(rng).tolist(), 0.0)
        turn = about(axis, np.radians(rng.normal(0, _TIPPED_DEG))) @ release.rotation
        higher_mm = (float(np.abs(turn[2]).sum()) - 1) * edge_mm / 2
        return replace(release, centre_mm=release.centre_mm + np.array([0, 0, higher_mm]), rotation=turn)

    def _release_beside(self, other: PlacedDie, *, is_on_top: bool) -> Release:
        """A side's length from another die, mostly square to it; or on it, off its middle."""
        rng, edge_mm = self._rng, self._table.size.die_mm
        yaw_rad = float(np.arctan2(*other.rotation[1::-1, int(np.argmin(np.abs(other.rotation[2])))]))
        centre_mm = np.array(other.centre_mm)
        if is_on_top:
            aside_mm = np.array([*(rng.uniform(-0.35, 0.35, 2) * edge_mm), edge_mm + 1.0])
            turn = draw_level_rotation(rng, draw_uniform(rng, 0, 6.3))
            return Release(centre_mm + aside_mm, turn, np.zeros(3), np.zeros(3))
        is_square = draw_bool(rng, 0.7)
        way = _direction(yaw_rad + draw_choice(rng, (0, 1, 2, 3)) * np.pi / 2)
        away_mm = edge_mm * (draw_uniform(rng, 1.01, 1.06) if is_square else draw_uniform(rng, 1.1, 1.35))
        along_mm = np.array([-way[1], way[0]]) * rng.normal(0, 0.3) * edge_mm
        aside_mm = np.array([*(away_mm * way + along_mm), draw_uniform(rng, 0.5, 2.0)])
        turn = draw_level_rotation(rng, yaw_rad if is_square else draw_uniform(rng, 0, 2 * np.pi))
        return Release(centre_mm + aside_mm, turn, np.array([*(-40 * way), 0.0]), np.zeros(3))

    def _release_leaning(self, aim: RestGoal) -> Release:
        """One lower edge over the edge of a thing, the other on the field; released just above that pose."""
        rng, size = self._rng, self._table.size
        edge_mm, foot_mm, out, height_mm = size.die_mm, *self._draw_ledge(aim)
        lean_rad = float(np.arcsin(min(height_mm / edge_mm, 0.85))) * draw_uniform(rng, 0.85, 1.2)
        overlap_mm = edge_mm * draw_uniform(rng, 0.03, 0.4)
        away_mm = -overlap_mm + edge_mm * np.cos(lean_rad) / 2 + edge_mm / 2 * np.sin(lean_rad)
        z_mm = height_mm / 2 + edge_mm / 2 * np.cos(lean_rad) + draw_uniform(rng, 0.3, 2.5)
        turn_rad = rng.normal(0, 0.25) if draw_bool(rng, 0.6) else draw_uniform(rng, 0, 6.3)
        yaw_rad = float(np.arctan2(out[1], out[0])) + turn_rad
        tilt = about((-out[1], out[0], 0.0), lean_rad)
        centre_mm = np.array([*(foot_mm + out * away_mm), z_mm])
        return Release(centre_mm, tilt @ draw_level_rotation(rng, yaw_rad), rng.normal(0, 12, 3), rng.normal(0, 1.0, 3))

    def _draw_ledge(self, aim: RestGoal) -> tuple[Floats, Floats, float]:
        """(point on the edge in mm, direction out over the field, height over the field in mm)."""
        rng, size = self._rng, self._table.size
        x_mm, y_mm = size.field_width_mm / 2, size.field_height_mm / 2
        side = draw_choice(rng, (-1.0, 1.0))
        if aim is RestGoal.LEANING_BAR:
            foot_mm = np.array([side * size.bar_width_mm / 2, draw_uniform(rng, -y_mm, y_mm) * 0.94])
            return foot_mm, np.array([side, 0.0]), size.bar_height_mm
        if aim is RestGoal.LEANING_RIM and draw_bool(rng, 0.5):
            foot_mm = np.array([draw_uniform(rng, -x_mm, x_mm) * 0.94, side * y_mm])
            return foot_mm, np.array([0.0, -side]), size.rim_height_mm
        if aim is RestGoal.LEANING_RIM:
            foot_mm = np.array([side * x_mm, draw_uniform(rng, -y_mm, y_mm) * 0.94])
            return foot_mm, np.array([-side, 0.0]), size.rim_height_mm
        return self._find_free_ledge()

    def _find_free_ledge(self) -> tuple[Floats, Floats, float]:
        """The edge of a checker, if possible with bare field before it."""
        rng, size = self._rng, self._table.size
        low = [checker for checker in self._uppermost if checker.base_mm[2] < 1 and not checker.is_leaning]
        for _ in range(_FREE_TRIES):
            checker = draw_choice(rng, low or self._uppermost)
            out, centre_mm = _draw_direction(rng), np.array(checker.base_mm[:2])
            ahead_mm = centre_mm + out * (size.checker_mm / 2 + size.die_mm * 0.9)
            if self._height_mm(ahead_mm, size.die_mm * 0.3) <= 0:
                break
        return centre_mm + out * size.checker_mm / 2, out, checker.base_mm[2] + size.checker_thick_mm


def _direction(angle_rad: float) -> Floats:
    return np.array([np.cos(angle_rad), np.sin(angle_rad)])


def _draw_direction(rng: np.random.Generator) -> Floats:
    return _direction(draw_uniform(rng, 0, 2 * np.pi))


def _is_covered(checker: PlacedChecker, others: list[PlacedChecker], table: RenderedTable) -> bool:
    x_mm, y_mm, z_mm = checker.base_mm
    reach_mm = table.size.checker_mm * 0.7
    return any(
        other.base_mm[2] > z_mm + 1 and np.hypot(other.base_mm[0] - x_mm, other.base_mm[1] - y_mm) < reach_mm
        for other in others
    )


def draw_level_rotation(rng: np.random.Generator, yaw_rad: float) -> Floats:
    """(3, 3) of a level die with a random face up."""
    up = np.array(FACE_AXES[int(rng.integers(1, 7))])
    return np.asarray(about_z(yaw_rad) @ about_z(int(rng.integers(4)) * np.pi / 2) @ from_upright(up).T)
