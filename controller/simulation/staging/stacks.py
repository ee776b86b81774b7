"""The checkers on a simulated table, stack by stack, and how carrying one changes them."""

from dataclasses import dataclass, replace
from enum import Enum

from controller.match import Checkers, Seating, place_number
from controller.observing import BoardView, Pair
from controller.rules import POINTS, Direction, Player, Ruleset, Setup
from controller.rules.grasshopper.game import State
from vision import Place

Stack = tuple[Checkers, ...]  # the lowest first

SPARE = 1  # extra checkers of each set


class Aside(Enum):
    """Where checkers off the field lie: borne off, or in the box."""

    OFF = "off"
    BOX = "box"


Spot = Place | Aside


@dataclass(frozen=True, slots=True)
class Stacks:
    """Every checker of both sets. `points` are T1..T12, B1..B12; pairs are (light, dark)."""

    points: tuple[Stack, ...]
    bar: Pair = (0, 0)
    off: Pair = (0, 0)
    box: Pair = (0, 0)

    def at(self, spot: Spot) -> Pair:
        """The number of light and of dark checkers."""
        match spot:
            case Aside.OFF:
                return self.off
            case Aside.BOX:
                return self.box
            case Place.BAR:
                return self.bar
            case _:
                return _count_pair(self.points[place_number(spot)])

    @property
    def total(self) -> Pair:
        pairs = (*map(_count_pair, self.points), self.bar, self.off, self.box)
        return sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)

    @property
    def view(self) -> BoardView:
        """The board as a perfect camera sees it."""
        return BoardView(tuple(map(_count_pair, self.points)), self.bar, self.off)


@dataclass(frozen=True, slots=True)
class Carry:
    """One checker taken from one spot to another."""

    checkers: Checkers
    source: Spot
    target: Spot


def stacks_of(setup: Setup, seating: Seating, rules: Ruleset, *, upper: Player = Player.BLACK) -> Stacks:
    """The stacks of a setup; checkers in reserve or missing lie in the box.

    On a point with checkers of both players and no pin, those of `upper` lie on top.
    """
    points: list[Stack] = [()] * len(POINTS)
    for player in (upper.opponent, upper):
        side, checkers = setup.side(player), seating.checkers_of(player)
        for point in POINTS:
            number = place_number(seating.place_of(point, player, rules.direction))
            own = (checkers,) * side.points[point - 1]
            points[number] = own + points[number] if point in side.pinned else points[number] + own
    sides = {seating.checkers_of(player): setup.side(player) for player in Player}
    light, dark = sides[Checkers.LIGHT], sides[Checkers.DARK]
    owned = rules.checkers + SPARE
    box = (owned - light.total + light.reserve, owned - dark.total + dark.reserve)
    return Stacks(tuple(points), (light.bar, dark.bar), (light.off, dark.off), box)


def grasshopper_stacks(state: State, seating: Seating, pieces: int) -> Stacks:
    """The stacks of a Grasshopper state; pieces in hand lie in the box, scored ones are off."""
    points: list[Stack] = [()] * len(POINTS)
    for point in POINTS:
        number = place_number(seating.place_of(point, Player.WHITE, Direction.CONTRARY))
        for player in Player:
            points[number] += (seating.checkers_of(player),) * state.at(point).count(player)
    owners = [seating.player_of(checkers) for checkers in Checkers]
    off = [pieces - state.pieces(owner) for owner in owners]
    box = [state.hand(owner) + SPARE for owner in owners]
    return Stacks(tuple(points), (0, 0), (off[0], off[1]), (box[0], box[1]))


def remove_checker(stacks: Stacks, checkers: Checkers, spot: Spot) -> Stacks:
    """The stacks without the highest checker of that colour; ValueError if there is none."""
    if isinstance(spot, Aside) or spot is Place.BAR:
        pair = stacks.at(spot)
        if not pair[checkers.column]:
            raise ValueError(f"no {checkers.value} checker to take from {spot.value}")
        return _with_pair(stacks, spot, _change_count(pair, checkers, -1))
    stack = stacks.points[place_number(spot)]
    highest = len(stack) - 1 - stack[::-1].index(checkers)
    return _with_stack(stacks, spot, stack[:highest] + stack[highest + 1 :])


def add_checker(stacks: Stacks, checkers: Checkers, spot: Spot) -> Stacks:
    if isinstance(spot, Aside) or spot is Place.BAR:
        return _with_pair(stacks, spot, _change_count(stacks.at(spot), checkers, 1))
    return _with_stack(stacks, spot, (*stacks.points[place_number(spot)], checkers))


def carries_between(now: Stacks, then: Stacks) -> tuple[Carry, ...]:
    """The fewest carries from one table to another; they do not determine the order within a stack."""
    carries: list[Carry] = []
    for checkers in Checkers:
        side = checkers.column
        sources: list[Spot] = []
        targets: list[Spot] = []
        for spot in (*(place for place in Place if place is not Place.TRAY), *Aside):
            more = then.at(spot)[side] - now.at(spot)[side]
            (targets if more > 0 else sources).extend([spot] * abs(more))
        carries += [Carry(checkers, source, target) for source, target in zip(sources, targets, strict=True)]
    return tuple(carries)


def _count_pair(stack: Stack) -> Pair:
    light = sum(one is Checkers.LIGHT for one in stack)
    return light, len(stack) - light


def _change_count(pair: Pair, checkers: Checkers, by: int) -> Pair:
    return (pair[0] + by, pair[1]) if checkers is Checkers.LIGHT else (pair[0], pair[1] + by)


def _with_pair(stacks: Stacks, spot: Spot, pair: Pair) -> Stacks:
    match spot:
        case Aside.OFF:
            return replace(stacks, off=pair)
        case Aside.BOX:
            return replace(stacks, box=pair)
        case _:
            return replace(stacks, bar=pair)


def _with_stack(stacks: Stacks, place: Place, stack: Stack) -> Stacks:
    number = place_number(place)
    return replace(stacks, points=(*stacks.points[:number], stack, *stacks.points[number + 1 :]))
