"""Places the dice of a throw: flat in one half, or with a mishap."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from math import cos, degrees, pi, radians, sin, tan
from random import Random

from controller.rules import Half, Lie, Player, ThrownDie
from controller.simulation.staging.beats import DieAtRest
from controller.simulation.staging.board_plan import BoardPlan, PointMm, checkers_mm, distance_mm
from controller.simulation.staging.stacks import Stacks
from vision.simulated.drawing.die_body import contact_distance_mm

_MAX_ATTEMPTS = 400
_WAYS = 60  # directions tried for a die that leans on a checker or touches another
_TOUCHING = 0.03  # share of throws whose dice touch; an estimate
_HALF = 0.5
_COCKED_DEG = (28.0, 36.0)  # geometry: a 14 mm die that leans on a checker of 8 mm tilts by at least 24 degrees


class ThrowMishap(Enum):
    """What is wrong with a throw."""

    COCKED = "cocked"
    ON_CHECKER = "on_checker"
    ON_BAR = "on_bar"
    ON_RIM = "on_rim"
    OFF_BOARD = "off_board"
    SPLIT = "split"
    MISSING_DIE = "missing_die"
    EXTRA_DIE = "extra_die"
    WRONG_HALF = "wrong_half"


@dataclass(frozen=True, slots=True)
class Landing:
    """The board with its checkers, the dice that lie there already, and the half aimed at."""

    plan: BoardPlan
    stacks: Stacks
    resting_dice: tuple[DieAtRest, ...]
    half: Half
    pair: Player
    first_number: int


def place_dice(
    values: Sequence[int], landing: Landing, chance: Random, mishap: ThrowMishap | None = None
) -> tuple[DieAtRest, ...]:
    """The dice of one throw at rest; one fewer or more than `values` for a missing or an extra die."""
    count = len(values) + (mishap is ThrowMishap.EXTRA_DIE) - (mishap is ThrowMishap.MISSING_DIE)
    shown = [*values, 1 + int(chance.random() * 6)][:count]
    halves = [landing.half.other if mishap is ThrowMishap.WRONG_HALF else landing.half] * count
    if mishap is ThrowMishap.SPLIT:
        halves[-1] = halves[0].other
    lies = [Lie.FLAT] * count
    if mishap is not None and mishap.value in _LIES:
        lies[int(chance.random() * count)] = _LIES[mishap.value]
    dice: list[DieAtRest] = []
    for number, (value, half, lie) in enumerate(zip(shown, halves, lies, strict=True), start=landing.first_number):
        there = replace(landing, half=half, resting_dice=(*landing.resting_dice, *dice))
        dice.append(_settle(DieAtRest(number, landing.pair, value, lie, (0.0, 0.0)), there, chance))
    # The later digits of the random yaw decide, instead of a new draw that would change every later throw.
    if mishap is None and len(dice) > 1 and (1000 * dice[-1].yaw_deg) % 1 < _TOUCHING:
        dice[-1] = _move_against(dice[-2], dice[-1], landing, Random(dice[-1].yaw_deg))
    return tuple(dice)


_LIES = {lie.value: lie for lie in Lie if lie not in (Lie.FLAT, Lie.MOVING)}


def find_flat_place(half: Half, landing: Landing, chance: Random) -> PointMm:
    """A free place in that half; after _MAX_ATTEMPTS the place with the most clearance."""
    plan = landing.plan
    low, high = plan.half_span_mm(half)
    margin_mm = 1.1 * plan.die_mm
    checkers = tuple(checkers_mm(plan, landing.stacks))
    best, most_mm = ((low + high) / 2, plan.height_mm / 2), -1000.0
    for _ in range(_MAX_ATTEMPTS):
        at = (
            low + margin_mm + chance.random() * (high - low - 2 * margin_mm),
            margin_mm + chance.random() * (plan.height_mm - 2 * margin_mm),
        )
        free_mm = _clearance_mm(at, checkers, landing)
        if free_mm > 0:
            return at
        if free_mm > most_mm:
            best, most_mm = at, free_mm
    return best


def _move_against(other: DieAtRest, die: DieAtRest, landing: Landing, chance: Random) -> DieAtRest:
    """The die moved until it touches the other, clear of everything else; unmoved if there is no room."""
    plan, checkers = landing.plan, tuple(checkers_mm(landing.plan, landing.stacks))
    low, high = plan.half_span_mm(landing.half)
    for _ in range(_WAYS):
        way = 2 * pi * chance.random()
        away_mm = contact_distance_mm((plan.die_mm, other.yaw_deg), (plan.die_mm, die.yaw_deg), degrees(way))
        at = (other.centre_mm[0] + away_mm * cos(way), other.centre_mm[1] + away_mm * sin(way))
        is_inside = (
            low + plan.die_mm < at[0] < high - plan.die_mm and plan.die_mm < at[1] < plan.height_mm - plan.die_mm
        )
        if is_inside and _clearance_mm(at, checkers, landing) > 0:
            return replace(die, centre_mm=at)
    return die


def _clearance_mm(at: PointMm, checkers: tuple[PointMm, ...], landing: Landing) -> float:
    """The clearance between a die centred there and the nearest checker or die."""
    plan = landing.plan
    from_checker_mm = plan.checker_mm / 2 + 0.72 * plan.die_mm + 3.0
    to_checkers = min((distance_mm(at, one) - from_checker_mm for one in checkers), default=1000.0)
    to_dice = min((distance_mm(at, die.centre_mm) - 2 * plan.die_mm for die in landing.resting_dice), default=1000.0)
    return min(to_checkers, to_dice)


def _settle(die: DieAtRest, landing: Landing, chance: Random) -> DieAtRest:
    die = _with_lie(replace(die, yaw_deg=90 * chance.random()), landing, chance)
    is_in_half = die.lie in (Lie.FLAT, Lie.COCKED, Lie.ON_CHECKER)
    half = landing.plan.half_at(die.centre_mm[0]) if is_in_half else None
    on_checker = True if die.lie is Lie.ON_CHECKER else None
    return replace(die, thrown=ThrownDie(die.value, die.lie, half, on_checker))


def _with_lie(die: DieAtRest, landing: Landing, chance: Random) -> DieAtRest:
    """Sets position, layers and tilt for the die's lie."""
    plan = landing.plan
    low, high = plan.half_span_mm(landing.half)
    in_half = [at for at in checkers_mm(plan, landing.stacks) if low < at[0] < high]
    single = [at for at in in_half if _layers_at(at, in_half) == 1]
    middle_mm = plan.height_mm * _draw_between(0.3, 0.7, chance)
    match die.lie:
        case Lie.COCKED if single:
            return _lean_on_checker(die, landing, single, chance)
        case Lie.COCKED if plan.has_bar:  # leaning on it
            inner_mm, way_deg = (high - 2, 180.0) if landing.half is Half.LEFT else (low + 2, 0.0)
            return replace(die, centre_mm=(inner_mm, middle_mm), tilt_deg=30.0, tilt_direction_deg=way_deg)
        case Lie.ON_CHECKER if in_half:
            below = _choose_place(in_half, chance)
            centre_mm = below[0] + _draw_between(-4, 4, chance), below[1] + _draw_between(-4, 4, chance)
            return replace(die, centre_mm=centre_mm, layers=_layers_at(below, in_half))
        case Lie.ON_BAR:
            x_mm = plan.bar_middle_mm + _draw_between(-4, 4, chance)
            return replace(die, centre_mm=(x_mm, plan.height_mm * _draw_between(0.44, 0.56, chance)))
        case Lie.ON_RIM:
            y_mm = -plan.rim_mm / 2 if chance.random() < _HALF else plan.height_mm + plan.rim_mm / 2
            return replace(die, centre_mm=(_draw_between(low + 20, high - 20, chance), y_mm))
        case Lie.OFF_BOARD:
            away_mm = plan.rim_mm + 30
            x_mm = -away_mm if landing.half is Half.LEFT else plan.width_mm + away_mm
            return replace(die, centre_mm=(x_mm, middle_mm))
        case _:  # also COCKED and ON_CHECKER if there is nothing to lean or lie on
            return replace(die, lie=Lie.FLAT, centre_mm=find_flat_place(landing.half, landing, chance))


def _layers_at(at: PointMm, checkers: Sequence[PointMm]) -> int:
    return sum(distance_mm(at, other) < 1.0 for other in checkers)


def _lean_on_checker(die: DieAtRest, landing: Landing, checkers: Sequence[PointMm], chance: Random) -> DieAtRest:
    """Leans the die on a checker, its lowest edge on the board, where there is the most room."""
    plan = landing.plan
    tilt = radians(_draw_between(*_COCKED_DEG, chance))
    touching_mm = plan.thickness_mm / tan(tilt)  # from its lowest edge to the point of contact
    reach_mm = plan.checker_mm / 2 + touching_mm - plan.die_mm / 2 * (cos(tilt) - sin(tilt))
    low, high = plan.half_span_mm(landing.half)
    others = tuple(checkers_mm(plan, landing.stacks))
    best, most_mm = (checkers[0], 0.0), -1.0
    for _ in range(_WAYS):
        at, way = _choose_place(checkers, chance), chance.random() * 2 * pi
        centre = (at[0] + reach_mm * cos(way), at[1] + reach_mm * sin(way))
        is_inside = low + 12 < centre[0] < high - 12 and 12 < centre[1] < plan.height_mm - 12
        room_mm = min((distance_mm(centre, one) for one in others if one != at), default=100.0)
        if is_inside and room_mm > most_mm:
            best, most_mm = (centre, way), room_mm
    return replace(die, centre_mm=best[0], tilt_deg=degrees(tilt), tilt_direction_deg=degrees(best[1]))


def _choose_place(places: Sequence[PointMm], chance: Random) -> PointMm:
    return places[int(chance.random() * len(places))]


def _draw_between(low: float, high: float, chance: Random) -> float:
    return low + (high - low) * chance.random()
