"""Converts checkers along the players' paths into checkers by place of the picture, and back.

The conversion back gives a claim (`Setup`), which may be impossible. Two details that the camera cannot see come from the
position before: which of two colours on a point lies underneath (the colour that was there first), and how many of the
checkers beside the board have never entered (the reserve of backgammon race).

`start_occupancy` is the start position of a game in the picture when White plays light and sits at the lower edge. The
real seating is one of four placements of this set-up, because the two armies are mirror images of each other or turned
by 180 degrees; `vision.field.position_calibration` finds the placement.
"""

from collections.abc import Mapping
from dataclasses import replace

from controller.match import Checkers, Seating, numbers_along
from controller.observing import DEFAULT_TRUST, BoardEvidence, BoardView, Trust, likelihoods_of
from controller.rules import POINTS, Contact, Player, Position, Ruleset, Setup, Side, physical_point, start_position
from vision.places import Colour, Place


def view_of(setup: Setup | Position, seating: Seating, rules: Ruleset) -> BoardView:
    """The board that the camera would see; checkers in reserve are out of view."""
    claimed = setup.setup if isinstance(setup, Position) else setup
    points = [[0, 0] for _ in range(24)]
    bar, off = [0, 0], [0, 0]
    for player in Player:
        column = seating.checkers_of(player).column
        side = claimed.side(player)
        for number, count in zip(numbers_along(seating, player, rules.direction), side.points, strict=True):
            points[number][column] += count
        bar[column], off[column] = side.bar, side.off
    return BoardView(
        points=tuple((light, dark) for light, dark in points),
        bar=(bar[0], bar[1]),
        off=(off[0], off[1]),
        dark_above=_find_dark_above(claimed, seating, rules),
    )


def _find_dark_above(claimed: Setup, seating: Seating, rules: Ruleset) -> frozenset[int]:
    player = seating.player_of(Checkers.LIGHT)
    numbers = numbers_along(seating, player, rules.direction)
    return frozenset(numbers[point - 1] for point in claimed.side(player).pinned)


def setup_of(view: BoardView, seating: Seating, rules: Ruleset, before: Position | None = None) -> Setup:
    """The claim of both players' own counts for a view; it may be impossible.

    Without `before`, the colour that the view has below is the pinned one.
    """
    white, black = (_make_side(view, seating, rules, player) for player in Player)
    if rules.contact is not Contact.PIN:
        return Setup(white, black)
    pinned = {Player.WHITE: set[int](), Player.BLACK: set[int]()}
    for point, number in enumerate(numbers_along(seating, Player.WHITE, rules.direction), start=1):
        if all(view.points[number]):
            across = rules.direction.across(point)
            below = None if before is None else _find_first_owner(before, point, across)
            if below is None:
                below = seating.player_of(Checkers.LIGHT if number in view.dark_above else Checkers.DARK)
            if view.points[number][seating.checkers_of(below).column] == 1:  # two checkers cannot be pinned
                pinned[below].add(point if below is Player.WHITE else across)
    return Setup(
        replace(white, pinned=frozenset(pinned[Player.WHITE])), replace(black, pinned=frozenset(pinned[Player.BLACK]))
    )


def _make_side(view: BoardView, seating: Seating, rules: Ruleset, player: Player) -> Side:
    column = seating.checkers_of(player).column
    points = tuple(view.points[number][column] for number in numbers_along(seating, player, rules.direction))
    bar, off = view.bar[column], view.off[column]
    reserve = max(rules.checkers - off - bar - sum(points), 0) if rules.has_reserve else 0
    return Side(off, points, bar, reserve)


def _find_first_owner(before: Position, white_point: int, black_point: int) -> Player | None:
    """Whose checker stood alone or below on a point before; None if no or both players' checkers stood there."""
    if before.white_pinned >> white_point & 1:
        return Player.WHITE
    if before.black_pinned >> black_point & 1:
        return Player.BLACK
    white, black = before.counts(Player.WHITE)[white_point], before.counts(Player.BLACK)[black_point]
    if bool(white) == bool(black):
        return None
    return Player.WHITE if white else Player.BLACK


def log_likelihood(view: BoardView, seen: BoardEvidence, trust: Trust = DEFAULT_TRUST) -> float:
    """The log-likelihood of the evidence given the board `view`, in nats; only differences are meaningful."""
    return likelihoods_of(seen, trust).of_view(view)


_COLOUR = {Player.WHITE: Colour.LIGHT, Player.BLACK: Colour.DARK}


def start_occupancy(rules: Ruleset) -> Mapping[Place, tuple[Colour, int]]:
    """The colour and count of each occupied point at the start of a game; empty for a game that starts off the board."""
    start = start_position(rules)
    occupancy: dict[Place, tuple[Colour, int]] = {}
    for player in Player:
        for point in POINTS:
            count = start.counts(player)[point]
            if count:
                physical = physical_point(point, player, rules.direction, white_head=rules.white_head)
                occupancy[_to_place(physical)] = (_COLOUR[player], count)
    return occupancy


def _to_place(physical: int) -> Place:
    """P1..P12 are B12..B1, P13..P24 are T1..T12."""
    return Place(f"B{13 - physical}" if physical <= 12 else f"T{physical - 12}")
