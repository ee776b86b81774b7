"""Several dice on one board, aimed at the places where dice lie badly: on and against checkers, bar and rim.

Each die is released a few millimetres above its target and falls by rigid-body dynamics, so that every pose is
physically stable. Dice with another result than aimed at are released again while the others stay.
"""

import numpy as np

from vision.training.rendered.dice_windows.release_finder import ReleaseFinder, RestGoal
from vision.training.rendered.dice_windows.scene import RestingDie
from vision.training.rendered.layout.board_size import Bar
from vision.training.rendered.layout.dice_state import PlacedDie, judge_die
from vision.training.rendered.layout.dice_throw import Dynamics, is_odd
from vision.training.rendered.layout.rotations import quaternion
from vision.training.rendered.random_draws import draw_choice, draw_uniform
from vision.training.rendered.scene import RenderedTable
from vision.training.rendered.tracing.arrays import Floats

_FRICTION = 0.45, 1.0  # range of the friction; high as on cloth, because slippery boards allow only some of the poses
_ROUNDS = 12
_LONGEST_ATTEMPTS = 9  # rounds before a die keeps any result
_REST_SPEED = 0.6  # cm/s and rad/s

_AT_CHECKERS = (RestGoal.LEANING_CHECKER, RestGoal.HIDDEN, RestGoal.ASTRIDE, RestGoal.WEDGED, RestGoal.ON_CHECKER)
_AIMS = {  # weights of the aims; half of the leaning dice slide off, so that two in five of all dice end flat
    RestGoal.FLAT: 12,
    RestGoal.HIDDEN: 7,
    RestGoal.TOUCHING: 6,
    RestGoal.STACKED: 3,
    RestGoal.LEANING_CHECKER: 34,
    RestGoal.LEANING_BAR: 12,
    RestGoal.LEANING_RIM: 9,
    RestGoal.ASTRIDE: 40,
    RestGoal.WEDGED: 40,
    RestGoal.ON_CHECKER: 12,
    RestGoal.ON_BAR: 6,
    RestGoal.ON_RIM: 5,
    RestGoal.OFF_BOARD: 6,
}


def throw_many(rng: np.random.Generator, table: RenderedTable, eye_mm: Floats, count: int) -> tuple[RestingDie, ...]:
    """Up to `count` dice at rest; a die that finds no rest is left out. `eye_mm` decides what lies behind what."""
    return _ThrowSimulation(rng, table, eye_mm, count).run()


class _ThrowSimulation:
    """The rounds of one scene: poses of all dice, changed in place until all are settled."""

    def __init__(self, rng: np.random.Generator, table: RenderedTable, eye_mm: Floats, count: int) -> None:
        self._table = table
        self._places = ReleaseFinder(rng, table, eye_mm)
        friction, restitution = draw_uniform(rng, *_FRICTION), draw_uniform(rng, 0.1, 0.4)
        self._dynamics = Dynamics(table, friction=friction, restitution=restitution, dice=count)
        self._aims = [_draw_aim(rng, table, order) for order in range(count)]
        self._centres = np.zeros((count, 3))
        self._turns = np.tile((1.0, 0, 0, 0), (count, 1))
        self._is_settled = [False] * count
        self._touched: list[frozenset[str]] = [frozenset()] * count
        self._dice: list[PlacedDie | None] = [None] * count

    def run(self) -> tuple[RestingDie, ...]:
        for attempt in range(_ROUNDS):
            if all(self._is_settled):
                break
            self._release_dice(attempt)
            self._update_settled(attempt)
        return self._collect_settled()

    def _release_dice(self, attempt: int) -> None:
        speed, spin = np.zeros_like(self._centres), np.zeros_like(self._centres)
        for order, aim in enumerate(self._aims):
            if self._is_settled[order]:
                continue
            dice = zip(self._dice, self._is_settled, strict=True)
            standing = [die for die, is_settled in dice if is_settled and die is not None]
            release = self._places.release(RestGoal.FLAT if attempt >= _ROUNDS - 2 else aim, standing)
            self._centres[order] = self._clear(order, release.centre_mm)
            self._turns[order] = quaternion(release.rotation)
            speed[order], spin[order] = release.speed_mm, release.spin
        self._dynamics.settle(self._centres, self._turns, speed, spin)

    def _clear(self, order: int, centre_mm: Floats) -> Floats:
        """Raises the release while another die is in the way."""
        edge = self._table.size.die_mm
        raised = centre_mm.copy()
        for _ in range(6):
            apart = np.delete(self._centres, order, axis=0) - raised
            if not (np.linalg.norm(apart, axis=1) < edge * 0.98).any():
                break
            raised[2] += edge * 0.4
        return raised

    def _update_settled(self, attempt: int) -> None:
        size, shape = self._table.size, self._table.shape
        self._turns = self._dynamics.quaternions()
        rests = zip(self._dynamics.rests(), self._dynamics.speeds().tolist(), strict=True)
        for order, ((centre_mm, rotation, touched), speed) in enumerate(rests):
            die = judge_die(centre_mm, rotation, touched, size=size, shape=shape)
            x, y, _ = die.centre_mm
            away_mm = max(shape.left_mm - x, x - shape.right_mm, shape.near_mm - y, y - shape.far_mm)
            is_resting = speed < _REST_SPEED and not is_odd(die, self._table) and away_mm < 90
            is_met = self._aims[order].is_met_by(die.state, die.tilt_deg) or attempt >= _LONGEST_ATTEMPTS
            self._is_settled[order] = is_resting and (is_met or self._is_settled[order])
            self._dice[order], self._touched[order] = die, touched
            self._centres[order] = centre_mm

    def _collect_settled(self) -> tuple[RestingDie, ...]:
        """The settled dice that rest against no unsettled one."""
        gone = {f"die{order}" for order, is_settled in enumerate(self._is_settled) if not is_settled}
        while leaning := {
            f"die{order}" for order, touched in enumerate(self._touched) if touched & gone and f"die{order}" not in gone
        }:
            gone |= leaning
        names = [order for order in range(len(self._dice)) if f"die{order}" not in gone]
        renamed = {f"die{order}": f"die{new}" for new, order in enumerate(names)}
        return tuple(
            RestingDie(die, frozenset(renamed.get(name, name) for name in self._touched[order]))
            for order in names
            if (die := self._dice[order]) is not None
        )


def _draw_aim(rng: np.random.Generator, table: RenderedTable, order: int) -> RestGoal:
    """An aim that the board does not allow becomes flat."""
    size = table.size
    possible = {
        **dict.fromkeys((RestGoal.TOUCHING, RestGoal.STACKED), order > 0),
        **dict.fromkeys(_AT_CHECKERS, bool(table.checkers)),
        RestGoal.LEANING_BAR: size.bar is not Bar.NONE and 0.4 < size.bar_height_mm < 0.9 * size.die_mm,
        RestGoal.ON_BAR: size.bar is not Bar.NONE and size.bar_width_mm > 0.9 * size.die_mm,
        RestGoal.LEANING_RIM: size.rim_height_mm < 0.9 * size.die_mm,
        RestGoal.ON_RIM: size.rim_width_mm > 0.8 * size.die_mm,
    }
    aim = draw_choice(rng, tuple(_AIMS), tuple(_AIMS.values()))
    if aim in (RestGoal.LEANING_BAR, RestGoal.LEANING_RIM) and not possible[aim]:
        aim = RestGoal.LEANING_CHECKER
    return aim if possible.get(aim, True) else RestGoal.FLAT
