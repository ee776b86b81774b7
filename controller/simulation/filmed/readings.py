"""Simulates the reading of a snapshot without drawing it: thousands of turns in seconds.

With `Noise` the readings have the errors of a real reader: counts off by one, more often in high stacks; uncertain dice;
a checker on a pinned one read as one or two.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import hypot
from random import Random

import numpy as np
from numpy.typing import NDArray

from controller.match import Checkers
from controller.observing import Pair
from controller.rules import Half, Lie
from controller.simulation.filmed.snapshots import OUTSIDE_MM, HandPosition, TableSnapshot, interpolate_mm
from controller.simulation.staging import BoardPlan, DieAtRest, PointMm, Stack, distance_mm
from vision import POINTS, BoardReading, DieReading, DieState, PairReading, Place, PlaceReading
from vision.dice.readings import FACES, BoardHalf, Contact

_COUNTS = 16
_PX_PER_MM = 1.2
_PHASES = 7
_HIDDEN = 0.1  # visible share of a place below a hand
_FAR = -30.0  # log-likelihood of contents that are not there
_NEAR = -9.0  # log-likelihood of a count that is off by one


@dataclass(frozen=True, slots=True)
class Noise:
    """Error rates per reading. The error of a place stays the same until its contents change."""

    one_off: float = 0.0  # counts up to five
    one_off_high: float = 0.0  # counts above five
    place_px: float = 0.0  # standard deviation of a die's position
    doubtful_die: float = 0.0  # probability that a die is read with low confidence in one picture


PERFECT = Noise()
TYPICAL_NOISE = Noise(one_off=2e-4, one_off_high=0.02, place_px=0.4, doubtful_die=0.02)


def simulate_reading(
    moment: TableSnapshot, plan: BoardPlan, seed: int, noise: Noise = PERFECT, *, pins: bool = False
) -> BoardReading:
    """The reading that `read_board` should give for a picture of the snapshot; with `pins` checkers can be pinned."""
    phase = moment.taken_ms % _PHASES
    places: dict[Place, PlaceReading | PairReading] = {}
    for number, place in enumerate(POINTS):
        stack = moment.stacks.points[number]
        hidden = _is_hidden(plan.spot_mm(place, min(len(stack), 3)), moment.hand)
        places[place] = _place_reading(f"{seed} {number}", stack, hidden, phase, noise=noise, pins=pins)
    if plan.has_bar:
        hidden = _is_hidden(plan.spot_mm(Place.BAR, 0), moment.hand)
        places[Place.BAR] = _bar_reading(moment.stacks.bar, hidden)
    shift_mm = hypot(*moment.conditions.shift_mm)
    is_over_board = moment.hand is not None and _is_over(moment.hand.tip_mm, plan)
    dice = () if is_over_board and _is_all_hidden(moment) else tuple(_simulate_dice(moment, plan, noise, seed))
    return BoardReading(places, dice, None, is_over_board, shift_mm, taken_ms=moment.taken_ms)


def _is_over(tip_mm: PointMm, plan: BoardPlan) -> bool:
    return -OUTSIDE_MM / 2 < tip_mm[1] < plan.height_mm + OUTSIDE_MM / 2


def _is_hidden(at_mm: PointMm, hand: HandPosition | None) -> bool:
    """Whether the hand, or the arm behind it, covers the place."""
    if hand is None:
        return False
    tip = hand.tip_mm
    behind = at_mm[1] >= tip[1] - 30 if hand.movement.from_below else at_mm[1] <= tip[1] + 30
    return abs(at_mm[0] - tip[0]) < 45 and behind


def _is_all_hidden(moment: TableSnapshot) -> bool:
    """Whether the hand holds the dice."""
    return moment.hand is not None and moment.hand.movement.dice > 0


@lru_cache(maxsize=50_000)
def _place_reading(key: str, stack: Stack, hidden: bool, phase: int, *, noise: Noise, pins: bool) -> PlaceReading:
    """`phase` varies the last digits, as two pictures of one board never give identical likelihoods."""
    table = _point_table(stack, Random(f"{key} {stack}"), noise, pins=pins)
    return PlaceReading(table + np.float32(1e-3 * phase) * (np.arange(_COUNTS) % 2), _HIDDEN if hidden else 1.0)


@lru_cache(maxsize=1000)
def _bar_reading(pair: Pair, hidden: bool) -> PairReading:
    return PairReading(_pair_table(pair), _HIDDEN if hidden else 1.0)


def _point_table(stack: Stack, chance: Random, noise: Noise, *, pins: bool) -> NDArray[np.float32]:
    """(4, 16): none, light, dark, both x count."""
    table = np.full((4, _COUNTS), -np.inf, np.float32)
    table[0, 0] = _FAR
    table[1:3, 1:] = _FAR
    row, count = _draw_row_and_count(stack, chance, noise, pins=pins)
    for near in (count - 1, count + 1):
        if 1 <= near < _COUNTS and row:
            table[row, near] = _NEAR if count <= 5 else _NEAR / 2
    table[row, count] = 0.0
    return table


def _draw_row_and_count(stack: Stack, chance: Random, noise: Noise, *, pins: bool) -> tuple[int, int]:
    """The row of the table and the count that the reader finds."""
    if not stack:
        return 0, 0
    row = 1 if stack[-1] is Checkers.LIGHT else 2
    below = sum(one is not stack[-1] for one in stack)
    if below > 1 or (below and not pins):
        # two colours on one point, which no rule allows: the reader takes all for the colour of the majority
        return (row if 2 * below <= len(stack) else 3 - row), min(len(stack), _COUNTS - 1)
    above = len(stack) - below  # a pinned checker is hidden
    off = noise.one_off if len(stack) <= 5 else noise.one_off_high
    if chance.random() < off:
        above += 1 if chance.random() < 0.5 else -1
    return row, min(max(above, 1), _COUNTS - 1)


def _pair_table(pair: Pair) -> NDArray[np.float32]:
    """(16, 16): light x dark."""
    light, dark = (np.abs(np.arange(_COUNTS) - count) for count in pair)
    table = np.maximum(np.add.outer(light, dark) * _NEAR, _FAR).astype(np.float32)
    return np.asarray(table, np.float32)


def _simulate_dice(moment: TableSnapshot, plan: BoardPlan, noise: Noise, seed: int) -> list[DieReading]:
    chance = Random(f"{seed} dice {moment.taken_ms}")
    dice = [_die_reading(die, die.centre_mm, plan, noise, chance) for die in moment.dice]
    for rolling, share in moment.rolling:
        at_mm = interpolate_mm(rolling.from_mm, rolling.end.centre_mm, 1 - (1 - share) ** 2)
        if share > 0.15 or rolling.is_pushed:
            dice.append(_die_reading(rolling.end, at_mm, plan, noise, chance, is_moving=not rolling.is_pushed))
    return [die for die in dice if moment.hand is None or not _is_hidden_die(die, moment.hand)]


def _is_hidden_die(die: DieReading, hand: HandPosition) -> bool:
    return die.base_mm is not None and (_is_hidden(die.base_mm, hand) or distance_mm(die.base_mm, hand.tip_mm) < 40)


def _die_reading(
    die: DieAtRest, at_mm: PointMm, plan: BoardPlan, noise: Noise, chance: Random, *, is_moving: bool = False
) -> DieReading:
    doubt = chance.random() < noise.doubtful_die
    half = plan.half_at(at_mm[0]) if 0 <= at_mm[1] <= plan.height_mm else None
    lie = die.lie if die.lie not in (Lie.OFF_BOARD, Lie.ON_RIM, Lie.ON_BAR) else None
    leans = Contact.CHECKER if die.lie in (Lie.COCKED, Lie.ON_CHECKER) else Contact.NOTHING
    return DieReading(
        face_log_likelihood=tuple(
            0.0 if face == die.value else -2.0 if doubt else -9.0 for face in range(1, FACES + 1)
        ),
        lies=DieState.MOVING if is_moving else DieState(die.lie.value),
        lie_confidence=0.6 if doubt else 0.97,
        centre_px=tuple(_PX_PER_MM * (at_mm[axis] + 100) + chance.gauss(0, noise.place_px) for axis in range(2)),  # type: ignore[arg-type]
        size_px=_PX_PER_MM * plan.die_mm,
        base_mm=at_mm,
        half=None if half is None or lie is None else BoardHalf.LEFT if half is Half.LEFT else BoardHalf.RIGHT,
        touches=leans,
        tilt_deg=die.tilt_deg if die.tilt_deg else 1.0,
        tilt_sigma_deg=1.0,
    )
