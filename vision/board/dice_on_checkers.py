"""Corrections of the checker likelihoods near dice, and the places whose pixels show more than checkers.

Where a die and a checker's upper face are detected at one spot, either the network took the die for a checker, or the
die lies on the checker. The picture does not decide between them, so one checker fewer becomes equally likely; a caller
that knows the position before knows more. A die that lies or leans on a checker also hides much of it. The network then
misses the checker now and then, or reads a single checker in the other colour.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.checkers import BAR, COUNTS, ViewReading, find_place
from vision.dice.readings import FLAT_LIE, CubeReading, DieReading
from vision.geometry.projection import KnownBoard, Points
from vision.geometry.top_view import HALF_PX, PITCH_PX, to_view

# Distances in edges of the die: from its base or upper face to the centre of a checker's face, and the reach of its
# shadow. The reach of the doubling cube, which is as wide as two dice, is in pixels of the view.
MATCH_DISTANCE_EDGES, AROUND_EDGES, AROUND_CUBE_PX = 0.6, 1.5, PITCH_PX
# Error rates of the network (statistical): a checker below a die is missed, or a single one has the other colour.
MISSED_BELOW_P, OTHER_COLOUR_BELOW_P = 0.04, 0.14
NARROW_BAR = 0.7  # widths of a point; the part of the bar that `point_changes` compares


def allow_fewer_checkers(seen: ViewReading, places: frozenset[int]) -> ViewReading:
    """Makes one checker fewer equally likely on each of the places, 0 to 23 or BAR."""
    if not places:
        return seen
    points, light, dark = seen.points.copy(), seen.bar_light, seen.bar_dark
    for place in places:
        if place == BAR:
            light, dark = _allow_one_less(light), _allow_one_less(dark)
        else:
            points[place] = _allow_one_less_on_point(points[place])
    return replace(seen, points=points, bar_light=light, bar_dark=dark)


def find_places_of_dice(seen: ViewReading, dice: Sequence[DieReading], board: KnownBoard) -> frozenset[int]:
    """The places, 0 to 23 or BAR, at which a detected checker face may be a die."""
    return frozenset(place for die in dice for place in _find_places_of_faces(seen, die, board))


def allow_hidden_checkers(seen: ViewReading, leaning: Mapping[int, float]) -> ViewReading:
    """Raises the likelihood of a missed checker below a die; `leaning` comes from `compute_lean_chances`."""
    if not leaning:
        return seen
    points = seen.points.copy()
    for place, chance in leaning.items():
        points[place] = _allow_one_more_on_point(points[place], chance)
    return replace(seen, points=points)


def compute_lean_chances(dice: Sequence[DieReading], board: KnownBoard) -> dict[int, float]:
    """For each point 0 to 23 under a die or its upper face, the probability that the die does not lie flat there."""
    found = dict[int, float]()
    for die in dice:
        chance = 1 - die.lie_chances[FLAT_LIE] if die.lie_chances else 0.0
        for place in {find_place(x, y) for x, y in _project_to_view_px(die, board)} - {BAR}:
            if place is not None and chance > found.get(place, 0.0):
                found[place] = chance
    return found


def _find_places_of_faces(seen: ViewReading, die: DieReading, board: KnownBoard) -> list[int]:
    """The places of the checker faces near the die."""
    if die.base_mm is None or not seen.tops:
        return []
    edge_px, here_px, found = _edge_in_view_px(die, board), _project_to_view_px(die, board), []
    for top in seen.tops:
        away_px = np.hypot(*(here_px - (top.x_px, top.y_px)).T).min()
        place = find_place(top.x_px, top.y_px)
        if away_px <= MATCH_DISTANCE_EDGES * edge_px and place is not None:
            found.append(place)
    return found


def find_disturbed_places(dice: Sequence[DieReading], cube: CubeReading | None, board: KnownBoard) -> frozenset[int]:
    """The places, 0 to 23 or BAR, whose pixels may show a die, the cube or a shadow.

    A bar much narrower than a point counts too, because the view shows its neighbours beside it.
    """
    found = set[int]()
    for die in dice:
        found |= _find_places_within(_project_to_view_px(die, board), AROUND_EDGES * _edge_in_view_px(die, board))
    if cube is not None:
        found |= _find_places_within(to_view(board.projection.to_board([cube.centre_px]), board.field), AROUND_CUBE_PX)
    if board.field.bar_right_mm - board.field.bar_left_mm < NARROW_BAR * board.field.pitch_mm:
        found.add(BAR)
    return frozenset(found)


def _find_places_within(middles_px: Points, reach_px: float) -> set[int]:
    """The places within a square of this half width around each point of the view, for any position of the lamp."""
    steps_px = np.linspace(-reach_px, reach_px, 1 + 2 * max(1, round(2 * reach_px / PITCH_PX)))
    places = (find_place(x + right, y + down) for x, y in middles_px for right in steps_px for down in steps_px)
    return {place for place in places if place is not None}


def _edge_in_view_px(die: DieReading, board: KnownBoard) -> float:
    return die.size_px / board.px_per_mm * HALF_PX / board.field.bar_left_mm


def _project_to_view_px(die: DieReading, board: KnownBoard) -> Points:
    """(1 or 2, 2): the base of the die, if known, and the centre of its upper face."""
    top_mm = board.projection.to_board([die.centre_px])
    return to_view(top_mm if die.base_mm is None else [die.base_mm, *top_mm], board.field)


def _allow_one_less_on_point(row: NDArray[np.float32]) -> NDArray[np.float32]:
    """`row`: (31,) log-probabilities of none, light 1 to 15, dark 1 to 15."""
    light, dark = (_allow_one_less(np.append(-np.inf, colour)) for colour in (row[1:COUNTS], row[COUNTS:]))
    none = np.logaddexp.reduce([row[0], light[0], dark[0]])
    return np.concatenate([[none], light[1:], dark[1:]]).astype(np.float32)


def _allow_one_more_on_point(row: NDArray[np.float32], chance: float) -> NDArray[np.float32]:
    """`row`: (31,) as above. Adds a missed checker, and a single checker read in the other colour."""
    light, dark = row[1:COUNTS], row[COUNTS:]
    more_light, more_dark = (np.append(row[0], colour[:-1]) + np.log(MISSED_BELOW_P) for colour in (light, dark))
    more_light[0] = np.logaddexp(more_light[0], dark[0] + np.log(OTHER_COLOUR_BELOW_P))
    more_dark[0] = np.logaddexp(more_dark[0], light[0] + np.log(OTHER_COLOUR_BELOW_P))
    below = np.concatenate([[-np.inf], more_light, more_dark]) + np.log(chance)
    return np.asarray(np.logaddexp(row, below), np.float32)


def _allow_one_less(counts: NDArray[np.float32]) -> NDArray[np.float32]:
    """(16,) log-probabilities of 0 to 15 checkers: half for the count, half for one checker fewer."""
    as_many = counts - np.append(0.0, np.full(len(counts) - 1, np.log(2)))
    fewer = np.append(counts[1:] - np.log(2), -np.inf)
    return np.asarray(np.logaddexp(as_many, fewer), np.float32)
