"""Actions on a simulated table over time: (arrangement, action, time) gives the arrangement of that moment.

An action changes what lies on the table and moves a hand in and out of view. `arrangement_at` is pure: the outcome of
one action is the `before` of the next.
"""

from dataclasses import dataclass, replace

import numpy as np

from vision.simulated.checker_spots import find_next_spot, find_top_spot, require_board
from vision.simulated.rolling import die_in_flight
from vision.simulated.scene import CheckerSide, PointMm
from vision.simulated.tabletop import Arrangement, CubePose, DiePose, HandPose, LooseChecker, TableEdge, TableStyle

SHOULDER_MM = 430.0  # mm from the edge of the field to the shoulder
OUT_MM = 75.0  # mm beyond the edge of the field: finger tips there are out of view
LIFT_MM = 24.0  # height of a carried checker at mid-way
GRASP_AT, RELEASE_AT = 0.34, 0.7  # share of a move's duration
THROW_AT = 0.28  # share of a throw's duration
FIRST_LIFT_AT, LAST_LIFT_AT = 0.3, 0.65  # share of the duration of lifting dice


@dataclass(frozen=True, slots=True)
class MoveChecker:
    """Moves the uppermost checker (of `side`, if given) to another place. The same place twice: touches it only."""

    from_place: str
    to_place: str
    edge: TableEdge
    takes_ms: int = 1100
    side: CheckerSide | None = None


@dataclass(frozen=True, slots=True)
class ThrowDice:
    """Dice leave a hand and roll to their final poses."""

    dice: tuple[DiePose, ...]
    edge: TableEdge
    takes_ms: int = 1400


@dataclass(frozen=True, slots=True)
class LiftDice:
    """A hand sweeps over the dice with these numbers and takes them away."""

    numbers: tuple[int, ...]
    edge: TableEdge
    takes_ms: int = 1000


@dataclass(frozen=True, slots=True)
class PushDie:
    """A finger pushes or turns a die into the pose `to`."""

    to: DiePose
    edge: TableEdge
    takes_ms: int = 900


@dataclass(frozen=True, slots=True)
class PutCube:
    """Puts the cube into the pose `to`, or takes it off the table (None)."""

    to: CubePose | None
    edge: TableEdge
    takes_ms: int = 1200


@dataclass(frozen=True, slots=True)
class HoldHand:
    """A hand comes, stays over a place and leaves."""

    at_mm: PointMm
    edge: TableEdge
    takes_ms: int = 1500


Action = MoveChecker | ThrowDice | LiftDice | PushDie | PutCube | HoldHand


def arrangement_at(style: TableStyle, before: Arrangement, action: Action, t_ms: float) -> Arrangement:
    """The arrangement `t_ms` after the action began. Before its begin and after its end no hand is in view.

    Raises IndexError when the checker to move does not stand there, KeyError when the die does not lie there.
    """
    share = t_ms / action.takes_ms
    if share <= 0:
        return before
    if share >= 1:
        return arrangement_after(style, before, action)
    match action:
        case MoveChecker():
            return _move_checker(style, before, action, share)
        case ThrowDice():
            return _throw_dice(style, before, action, t_ms)
        case LiftDice():
            return _lift_dice(style, before, action, share)
        case PushDie():
            return _push_die(style, before, action, share)
        case PutCube():
            return _put_cube(style, before, action, share)
        case HoldHand():
            tip = _hand_path(style, action.edge, (action.at_mm, action.at_mm), share, (0.25, 0.75))
            return with_hand(style, before, action.edge, tip, 18.0)


def arrangement_after(style: TableStyle, before: Arrangement, action: Action) -> Arrangement:
    """The arrangement after the action has ended."""
    match action:
        case MoveChecker():
            side, _ = find_top_spot(style, before, action.from_place, action.side)
            return before.without_top(action.from_place, side).with_top(action.to_place, side)
        case ThrowDice():
            return replace(before, dice=(*_other_dice(before, action.dice), *action.dice))
        case LiftDice():
            found = tuple(_find_die(before, number) for number in action.numbers)
            return replace(before, dice=_other_dice(before, found))
        case PushDie():
            _find_die(before, action.to.number)
            return replace(before, dice=tuple(action.to if d.number == action.to.number else d for d in before.dice))
        case PutCube():
            return replace(before, cube=action.to)
        case HoldHand():
            return before


def with_hand(
    style: TableStyle, before: Arrangement, edge: TableEdge, tip_mm: PointMm, height_mm: float
) -> Arrangement:
    """Adds a hand over `tip_mm` whose arm comes from the seat at that edge."""
    width, height = require_board(style).field_mm
    x, y = width / 2, height + SHOULDER_MM if edge is TableEdge.BOTTOM else -SHOULDER_MM
    from_deg = float(np.degrees(np.arctan2(y - tip_mm[1], x - tip_mm[0])))
    return replace(before, hands=(*before.hands, HandPose(edge, tip_mm, height_mm, from_deg)))


def _find_die(before: Arrangement, number: int) -> DiePose:
    for die in before.dice:
        if die.number == number:
            return die
    raise KeyError(number)


def _other_dice(before: Arrangement, dice: tuple[DiePose, ...]) -> tuple[DiePose, ...]:
    taken = {die.number for die in dice}
    return tuple(die for die in before.dice if die.number not in taken)


def _ease(share: float, begin: float, end: float) -> float:
    """Smoothstep: 0 before `begin`, 1 after `end`."""
    u = min(max((share - begin) / (end - begin), 0.0), 1.0)
    return u * u * (3 - 2 * u)


def _interpolate(a: PointMm, b: PointMm, share: float) -> PointMm:
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def _waiting_place(style: TableStyle, edge: TableEdge, at_mm: PointMm) -> PointMm:
    """Where a hand waits out of view before it reaches for `at_mm`."""
    width, height = require_board(style).field_mm
    x = width / 2 + 0.7 * (at_mm[0] - width / 2)
    return (x, height + OUT_MM) if edge is TableEdge.BOTTOM else (x, -OUT_MM)


def _hand_path(
    style: TableStyle, edge: TableEdge, ends: tuple[PointMm, PointMm], share: float, stay: tuple[float, float]
) -> PointMm:
    """The finger tips move in to the first place, on to the second during `stay`, and out."""
    first, second = ends
    if share < stay[0]:
        return _interpolate(_waiting_place(style, edge, first), first, _ease(share, 0.0, stay[0]))
    if share <= stay[1]:
        return _interpolate(first, second, _ease(share, *stay))
    return _interpolate(second, _waiting_place(style, edge, second), _ease(share, stay[1], 1.0))


def _move_checker(style: TableStyle, before: Arrangement, action: MoveChecker, share: float) -> Arrangement:
    side, start = find_top_spot(style, before, action.from_place, action.side)
    without = before.without_top(action.from_place, side)
    end = find_next_spot(style, without, action.to_place, side)
    tip = _hand_path(style, action.edge, (start.centre_mm, end.centre_mm), share, (GRASP_AT, RELEASE_AT))
    far = 1 if action.edge is TableEdge.TOP else -1
    over = (tip[0], tip[1] + far * 0.2 * style.scene.checker_diameter_mm)
    if share < GRASP_AT:
        return with_hand(style, before, action.edge, over, max(start.height_mm, 0.0) + 6)
    if share > RELEASE_AT:
        return with_hand(style, without.with_top(action.to_place, side), action.edge, over, max(end.height_mm, 0.0) + 6)
    on_way = _ease(share, GRASP_AT, RELEASE_AT)
    height = start.height_mm + on_way * (end.height_mm - start.height_mm) + LIFT_MM * float(np.sin(np.pi * on_way))
    turn = start.turn_deg + on_way * (end.turn_deg - start.turn_deg)
    carried = LooseChecker(side, tip, height, turn)
    carrying = replace(without, loose=(*without.loose, carried))
    return with_hand(style, carrying, action.edge, over, max(height, 0.0) + 4)


def _throw_dice(style: TableStyle, before: Arrangement, action: ThrowDice, t_ms: float) -> Arrangement:
    board = require_board(style)
    middle = np.mean([die.centre_mm for die in action.dice], axis=0)
    width, height = board.field_mm
    low = action.edge is TableEdge.BOTTOM
    release = (float(np.clip(middle[0], 0.08 * width, 0.92 * width)), height * (0.95 if low else 0.05))
    share = t_ms / action.takes_ms
    tip = _hand_path(style, action.edge, (release, release), share, (THROW_AT - 0.04, THROW_AT + 0.04))
    thrown = replace(before, dice=_other_dice(before, action.dice))
    if share > THROW_AT:
        rolled_ms, whole_ms = t_ms - THROW_AT * action.takes_ms, (1 - THROW_AT) * action.takes_ms
        start = (release[0], height * (0.82 if low else 0.18))
        flying = [
            die_in_flight(die, start, style.dice[die.number].size_mm, t_ms=rolled_ms, takes_ms=whole_ms)
            for die in action.dice
        ]
        thrown = replace(thrown, dice=(*thrown.dice, *flying))
    return with_hand(style, thrown, action.edge, tip, 20.0)


def _lift_dice(style: TableStyle, before: Arrangement, action: LiftDice, share: float) -> Arrangement:
    """The hand moves from die to die; a die disappears when the hand reaches it."""
    dice = [_find_die(before, number) for number in action.numbers]
    times = np.linspace(FIRST_LIFT_AT, LAST_LIFT_AT, max(len(dice), 2))
    gone = tuple(die for die, at in zip(dice, times, strict=False) if share >= at)
    first, last = dice[0].centre_mm, dice[-1].centre_mm
    if share <= times[0] or share >= times[-1] or len(dice) < 2:
        tip = _hand_path(style, action.edge, (first, last), share, (FIRST_LIFT_AT, LAST_LIFT_AT))
    else:
        number = int(np.searchsorted(times, share, side="right")) - 1
        after = min(number + 1, len(dice) - 1)
        on_way = _ease(share, float(times[number]), float(times[min(number + 1, len(times) - 1)]) + 1e-9)
        tip = _interpolate(dice[number].centre_mm, dice[after].centre_mm, on_way)
    return with_hand(style, replace(before, dice=_other_dice(before, gone)), action.edge, tip, 6.0)


def _push_die(style: TableStyle, before: Arrangement, action: PushDie, share: float) -> Arrangement:
    was, to = _find_die(before, action.to.number), action.to
    stay = (0.35, 0.6)
    on_way = _ease(share, *stay)
    tip = _hand_path(style, action.edge, (was.centre_mm, to.centre_mm), share, stay)
    if 0 < on_way < 1 and was.up == to.up:
        turned = was.yaw_deg + on_way * ((to.yaw_deg - was.yaw_deg + 180) % 360 - 180)
        lies = replace(to, centre_mm=_interpolate(was.centre_mm, to.centre_mm, on_way), yaw_deg=turned)
    else:
        lies = was if on_way < 0.5 else to
    pushed = replace(before, dice=tuple(lies if die.number == to.number else die for die in before.dice))
    return with_hand(style, pushed, action.edge, tip, 8.0)


def _put_cube(style: TableStyle, before: Arrangement, action: PutCube, share: float) -> Arrangement:
    width, _ = require_board(style).field_mm
    beside = _waiting_place(style, action.edge, (width / 2, 0.0))
    start = before.cube.centre_mm if before.cube is not None else beside
    end = action.to.centre_mm if action.to is not None else beside
    tip = _hand_path(style, action.edge, (start, end), share, (GRASP_AT, RELEASE_AT))
    cube = before.cube if share < GRASP_AT else action.to
    if GRASP_AT <= share <= RELEASE_AT:
        carried = action.to or before.cube
        on_way = _ease(share, GRASP_AT, RELEASE_AT)
        up = LIFT_MM * float(np.sin(np.pi * on_way))
        cube = None if carried is None else replace(carried, centre_mm=tip, height_mm=carried.height_mm + up)
    return with_hand(style, replace(before, cube=cube), action.edge, tip, 25.0)
