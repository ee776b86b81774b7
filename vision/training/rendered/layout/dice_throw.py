"""Throws dice on the board with rigid-body dynamics (MuJoCo) until a throw has the wanted outcome.

The simulation uses cm, g, s. Only the dice move. Sharp boxes stand for the dice.
"""

from collections.abc import Iterator

import mujoco
import numpy as np

from vision.training.rendered.layout.board_shape import Box
from vision.training.rendered.layout.board_size import Bar, BoardSize
from vision.training.rendered.layout.checkers_layout import PlacedChecker
from vision.training.rendered.layout.dice_state import PlacedDie, ThrowOutcome, judge_die, judge_throw
from vision.training.rendered.layout.palette import Surface
from vision.training.rendered.random_draws import draw_bool, draw_choice, draw_uniform
from vision.training.rendered.scene import RenderedTable
from vision.training.rendered.tracing.arrays import Floats

_TRIES = 160
_LONGEST_S, _STEP_S = 2.6, 0.001
_REST_SPEED = 0.35  # cm/s and rad/s; slower for 80 ms counts as rest
_FRICTION = {Surface.FELT: 0.75, Surface.CLOTH: 0.65, Surface.LEATHER: 0.55, Surface.CORK: 0.7}
_ROLLING = ".01 .0008"  # torsional and rolling friction


class Dynamics:
    """The table in MuJoCo, for any number of throws."""

    def __init__(self, table: RenderedTable, *, friction: float, restitution: float, dice: int = 2) -> None:
        self._orders = range(dice)
        size, shape = table.size, table.shape
        grip = f'friction="{friction:.2f} {_ROLLING}"'
        geoms = [f'<geom name="table" type="plane" pos="0 0 {shape.table_z_mm / 10:.4f}" size="300 300 1" {grip}/>']
        geoms += [_box_xml(box, grip) for box in shape.boxes]
        if table.cube is not None:
            half = size.cube_mm / 2
            x, y, z = table.cube.centre_mm
            geoms.append(_box_xml(Box("cube", (x - half, y - half, z - half), (x + half, y + half, z + half)), grip))
        geoms += [_checker_xml(order, checker, size, grip) for order, checker in enumerate(table.checkers)]
        bodies = "".join(_die_xml(order, size.die_mm / 10, grip) for order in self._orders)
        damping = 0.25 + 0.55 * (1 - restitution)
        self._model = mujoco.MjModel.from_xml_string(
            f'<mujoco><option timestep="{_STEP_S}" gravity="0 0 -981" cone="elliptic" impratio="8" '
            f'integrator="implicitfast"/><default><geom solref="0.005 {damping:.2f}" solimp=".95 .99 .002 .5 2"/>'
            f"</default><worldbody>{''.join(geoms)}{bodies}</worldbody></mujoco>"
        )
        self._data = mujoco.MjData(self._model)
        self._names = [str(self._model.geom(order).name) for order in range(self._model.ngeom)]

    def throw(self, rng: np.random.Generator, start_mm: Floats, speed_mm: Floats, spin: Floats) -> bool:
        """Starts with (n, 3) positions, speeds and spins in mm, mm/s, rad/s, at random rotations. Returns whether all
        dice came to rest.
        """
        turns = np.array([rng.standard_normal(4) for _ in self._orders])
        turns /= np.linalg.norm(turns, axis=1, keepdims=True)
        return self.settle(start_mm, turns, speed_mm, spin)

    def settle(self, start_mm: Floats, turns: Floats, speed_mm: Floats, spin: Floats) -> bool:
        """As `throw`, from given quaternions (n, 4), real part first."""
        data = self._data
        mujoco.mj_resetData(self._model, data)
        for order in self._orders:
            data.qpos[7 * order : 7 * order + 3] = start_mm[order] / 10
            data.qpos[7 * order + 3 : 7 * order + 7] = turns[order]
            data.qvel[6 * order : 6 * order + 3] = speed_mm[order] / 10
            data.qvel[6 * order + 3 : 6 * order + 6] = spin[order]
        calm = 0
        for step in range(int(_LONGEST_S / _STEP_S)):
            mujoco.mj_step(self._model, data)
            if step % 10 == 0:
                calm = calm + 1 if np.abs(data.qvel).max() < _REST_SPEED else 0
                if calm >= 8:
                    return True
        return False

    def speeds(self) -> Floats:
        """(n,) largest component of each die's velocity, in cm/s or rad/s."""
        speeds: Floats = np.abs(self._data.qvel).reshape(-1, 6).max(axis=1)
        return speeds

    def quaternions(self) -> Floats:
        """(n, 4) current rotations, real part first."""
        return np.asarray(self._data.qpos.reshape(-1, 7)[:, 3:].copy())

    def rests(self) -> Iterator[tuple[Floats, Floats, frozenset[str]]]:
        """(centre in mm, rotation, what it touches) of each die."""
        touched: list[set[str]] = [set() for _ in self._orders]
        for contact in self._data.contact[: self._data.ncon]:
            pair = self._names[contact.geom1], self._names[contact.geom2]
            for order in self._orders:
                if f"die{order}" in pair:
                    touched[order].update(name for name in pair if name != f"die{order}")
        for order in self._orders:
            body = self._model.body(f"die{order}").id
            yield self._data.xpos[body] * 10, self._data.xmat[body].reshape(3, 3).copy(), frozenset(touched[order])


def _box_xml(box: Box, grip: str) -> str:
    low, high = np.array(box.low) / 10, np.array(box.high) / 10
    return f'<geom name="{box.name}" type="box" pos="{_xml((low + high) / 2)}" size="{_xml((high - low) / 2)}" {grip}/>'


def _checker_xml(order: int, checker: PlacedChecker, size: BoardSize, grip: str) -> str:
    base = np.array(checker.base_mm)
    ends = np.concatenate([base, base + np.array(checker.axis) * size.checker_thick_mm]) / 10
    radius = size.checker_mm / 20
    return f'<geom name="checker{order}" type="cylinder" fromto="{_xml(ends)}" size="{radius:.4f}" {grip}/>'


def _die_xml(order: int, edge_cm: float, grip: str) -> str:
    mass = edge_cm**3 * 1.2
    inertia = mass * edge_cm**2 / 6
    return (
        f'<body name="die{order}" pos="{10 * order} 0 60"><freejoint/><inertial pos="0 0 0" mass="{mass:.4f}" '
        f'diaginertia="{inertia:.5f} {inertia:.5f} {inertia:.5f}"/>'
        f'<geom name="die{order}" type="box" size="{_xml(np.full(3, edge_cm / 2))}" {grip}/></body>'
    )


def _xml(numbers: Floats) -> str:
    return " ".join(f"{number:.4f}" for number in numbers)


def throw_dice(rng: np.random.Generator, table: RenderedTable, wanted: ThrowOutcome) -> tuple[PlacedDie, ...]:
    """Two dice at rest. After too many throws the last one at rest is taken, whatever its outcome."""
    friction = _FRICTION.get(table.ground, 0.4) * draw_uniform(rng, 0.85, 1.15)
    is_hard = table.ground in (Surface.WOOD, Surface.PLAIN)
    dynamics = Dynamics(table, friction=friction, restitution=0.45 if is_hard else 0.2)
    size, shape = table.size, table.shape
    last: tuple[PlacedDie, ...] = ()
    for _ in range(_TRIES):
        start, speed, spin = _draw_throw(rng, table, wanted)
        if np.linalg.norm(start[0] - start[1]) < size.die_mm * 1.8 or not dynamics.throw(rng, start, speed, spin):
            continue
        dice = tuple(judge_die(*rest, size=size, shape=shape) for rest in dynamics.rests())
        if any(is_odd(die, table) for die in dice):
            continue
        last = dice
        if judge_throw(dice) is wanted:
            break
    return last


def is_odd(die: PlacedDie, table: RenderedTable) -> bool:
    """Sunk into something, far off the table, or on the fold of a board without a bar, where no half is defined."""
    x, y, z = die.centre_mm
    size = table.size
    is_sunk = z < table.shape.table_z_mm + size.die_mm * 0.4
    is_away = max(abs(x), abs(y)) > max(size.field_width_mm, size.field_height_mm) / 2 + 420
    is_on_fold = size.bar is Bar.NONE and die.half is not None and abs(x) < size.die_mm * 0.4
    return is_sunk or is_away or is_on_fold


def _draw_throw(rng: np.random.Generator, table: RenderedTable, wanted: ThrowOutcome) -> tuple[Floats, Floats, Floats]:
    """(2, 3) each of position, speed and spin, aimed so that the wanted outcome is likely."""
    size = table.size
    half_width, reach = size.half_width_mm, size.field_height_mm / 2
    middle = draw_choice(rng, (-1, 1)) * (size.bar_width_mm + half_width) / 2
    targets = np.stack([middle + rng.normal(0, half_width * 0.22, 2), rng.normal(0, reach * 0.35, 2)], axis=1)
    if wanted is ThrowOutcome.SPLIT_HALVES and draw_bool(rng, 0.6):
        targets[1, 0] *= -1
    rare = (ThrowOutcome.COCKED, ThrowOutcome.ON_CHECKER, ThrowOutcome.ON_BAR, ThrowOutcome.ON_RIM)
    if wanted in rare and draw_bool(rng, 0.75):
        targets[int(rng.integers(2))] = _draw_target(rng, table, wanted, fallback=targets[0])
        return _draw_drop(rng, table, targets)
    return _draw_roll(rng, table, targets, is_wild=wanted is ThrowOutcome.OFF_BOARD)


def _draw_target(rng: np.random.Generator, table: RenderedTable, wanted: ThrowOutcome, *, fallback: Floats) -> Floats:
    """(2,) above the edge of a checker, a checker, the bar or the rim."""
    size = table.size
    x, y, rim = size.field_width_mm / 2, size.field_height_mm / 2, size.rim_width_mm / 2
    on_points = [checker for checker in table.checkers if checker.is_on_point]
    if wanted is ThrowOutcome.ON_BAR:
        return np.array([rng.normal(0, size.bar_width_mm * 0.2), draw_uniform(rng, -y, y) * 0.9])
    if wanted is ThrowOutcome.ON_RIM:
        side = draw_choice(rng, (-1, 1))
        if draw_bool(rng, 0.5):
            return np.array([draw_uniform(rng, -x, x), (y + rim) * side])
        return np.array([(x + rim) * side, draw_uniform(rng, -y, y)])
    if not on_points:
        return fallback
    away = size.checker_mm / 2 + size.die_mm * 0.3 if wanted is ThrowOutcome.COCKED else size.checker_mm * 0.3
    angle = draw_uniform(rng, 0, 2 * np.pi)
    return np.array(draw_choice(rng, on_points).base_mm[:2]) + away * np.array([np.cos(angle), np.sin(angle)])


def _draw_drop(rng: np.random.Generator, table: RenderedTable, targets: Floats) -> tuple[Floats, Floats, Floats]:
    height = draw_uniform(rng, 25, 60) + table.size.rim_height_mm
    start = np.column_stack([targets, (height, height + 12)])
    speed = rng.normal(0, 60, (2, 3))
    speed[:, 2] = -rng.uniform(0, 200, 2)
    return start, speed, rng.normal(0, 6, (2, 3))


def _draw_roll(
    rng: np.random.Generator, table: RenderedTable, targets: Floats, *, is_wild: bool
) -> tuple[Floats, Floats, Floats]:
    """From above the board, both dice in one direction; a wild throw is twice as fast and often leaves the board."""
    angle, away = draw_uniform(rng, 0, 2 * np.pi), draw_uniform(rng, 60, 200)
    way = np.array([np.cos(angle), np.sin(angle)])
    pace = draw_uniform(rng, 250, 900) * (2 if is_wild else 1)
    height = draw_uniform(rng, 60, 150) + table.size.rim_height_mm
    start = np.column_stack([targets - away * way, (height, height + table.size.die_mm * 1.3)])
    speed = np.column_stack([np.tile(pace * way, (2, 1)), rng.uniform(-500, 100, 2)]) + rng.normal(0, 80, (2, 3))
    return start, speed, rng.normal(0, 22, (2, 3))
