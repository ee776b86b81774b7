"""Dice among the checkers: one that was counted as a checker, and places whose picture is not that of checkers alone.

Where a die is found and a checker's upper face at the same spot, the one was taken for the other, or the die lies on
the checker. What is seen does not tell which, so a checker less is as likely there: whoever knows what stood on the
place before knows more. On drawn tables of the held-apart styles 12 of 477 flat dice were counted, rendered ones are rarer.

A die that lies or leans on a checker also hides so much of it that it is overlooked now and then, or taken for one of the
other colour where it stands alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.checkers.colour_classes import BAR, find_place
from vision.checkers.network import COUNTS, ViewReading
from vision.dice.readings import FLAT_LIE, CubeReading, DieReading
from vision.geometry.projection import KnownBoard, Points
from vision.geometry.top_view import HALF_PX, PITCH_PX, to_view

MATCH_DISTANCE_EDGES = 0.6  # of a die, from its base or its upper face to the middle of the checker's
AROUND_EDGES = 1.5  # of a die, from its middle as far as its shadow may reach
AROUND_CUBE_PX = PITCH_PX  # the same of the doubling cube, which is as wide as two dice
# Of 600 points with a die on a checker, drawn at 960x720, 20 were read with one less, and of the 174 where that checker
# stands alone 24 in the other colour.
MISSED_BELOW_P, OTHER_COLOUR_BELOW_P = 0.04, 0.14
NARROW_BAR = 0.7  # widths of a point; so wide is what is compared of the bar


def allow_fewer_checkers(seen: ViewReading, counted: frozenset[int]) -> ViewReading:
    """The reading with one checker less as likely as it is, on each place where a face may be that of a die."""
    if not counted:
        return seen
    points, light, dark = seen.points.copy(), seen.bar_light, seen.bar_dark
    for place in counted:
        if place == BAR:
            light, dark = _allow_one_less(light), _allow_one_less(dark)
        else:
            points[place] = _allow_one_less_on_point(points[place])
    return replace(seen, points=points, bar_light=light, bar_dark=dark)


def find_places_of_dice(seen: ViewReading, dice: Sequence[DieReading], board: KnownBoard) -> frozenset[int]:
    """Where a face may be that of a die: 0 to 23, or BAR."""
    return frozenset(place for die in dice for place in _find_places_of_faces(seen, die, board))


def allow_hidden_checkers(seen: ViewReading, leaning: Mapping[int, float]) -> ViewReading:
    """The reading with as much chance for a checker below a die as is missed there; `leaning` as `places_leant_on` has it."""
    if not leaning:
        return seen
    points = seen.points.copy()
    for place, chance in leaning.items():
        points[place] = _allow_one_more_on_point(points[place], chance)
    return replace(seen, points=points)


def compute_lean_chances(dice: Sequence[DieReading], board: KnownBoard) -> dict[int, float]:
    """Points 0 to 23 at which a die stands or shows, with the chance that it lies or leans on something there."""
    found = dict[int, float]()
    for die in dice:
        chance = 1 - die.lie_chances[FLAT_LIE] if die.lie_chances else 0.0
        for place in {find_place(x, y) for x, y in _project_to_view_px(die, board)} - {BAR}:
            if place is not None and chance > found.get(place, 0.0):
                found[place] = chance
    return found


def _find_places_of_faces(seen: ViewReading, die: DieReading, board: KnownBoard) -> list[int]:
    """The places of faces that lie where the die does."""
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
    """0 to 23, or BAR: where more is seen than the checkers of the place: a die, the cube, their shadows.

    And a bar that is much narrower than a point, for beside it the view shows its neighbours.
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
    """What lies at most so far from them to each side, however the lamp stands."""
    steps_px = np.linspace(-reach_px, reach_px, 1 + 2 * max(1, round(2 * reach_px / PITCH_PX)))
    places = (find_place(x + right, y + down) for x, y in middles_px for right in steps_px for down in steps_px)
    return {place for place in places if place is not None}


def _edge_in_view_px(die: DieReading, board: KnownBoard) -> float:
    return die.size_px / board.px_per_mm * HALF_PX / board.field.bar_left_mm


def _project_to_view_px(die: DieReading, board: KnownBoard) -> Points:
    """(1 or 2, 2): where its base stands, as far as that is known, and the middle of its upper face."""
    top_mm = board.projection.to_board([die.centre_px])
    return to_view(top_mm if die.base_mm is None else [die.base_mm, *top_mm], board.field)


def _allow_one_less_on_point(row: NDArray[np.float32]) -> NDArray[np.float32]:
    """(31,) log-probabilities of none, light 1 to 15, dark 1 to 15."""
    light, dark = (_allow_one_less(np.append(-np.inf, colour)) for colour in (row[1:COUNTS], row[COUNTS:]))
    none = np.logaddexp.reduce([row[0], light[0], dark[0]])
    return np.concatenate([[none], light[1:], dark[1:]]).astype(np.float32)


def _allow_one_more_on_point(row: NDArray[np.float32], chance: float) -> NDArray[np.float32]:
    """(31,) as above: one more than is told where it was overlooked, and a lone one in the other colour."""
    light, dark = row[1:COUNTS], row[COUNTS:]
    more_light, more_dark = (np.append(row[0], colour[:-1]) + np.log(MISSED_BELOW_P) for colour in (light, dark))
    more_light[0] = np.logaddexp(more_light[0], dark[0] + np.log(OTHER_COLOUR_BELOW_P))
    more_dark[0] = np.logaddexp(more_dark[0], light[0] + np.log(OTHER_COLOUR_BELOW_P))
    below = np.concatenate([[-np.inf], more_light, more_dark]) + np.log(chance)
    return np.asarray(np.logaddexp(row, below), np.float32)


def _allow_one_less(counts: NDArray[np.float32]) -> NDArray[np.float32]:
    """(16,) log-probabilities of 0 to 15 checkers: as many, or one of them is the die, where there are any."""
    as_many = counts - np.append(0.0, np.full(len(counts) - 1, np.log(2)))
    fewer = np.append(counts[1:] - np.log(2), -np.inf)
    return np.asarray(np.logaddexp(as_many, fewer), np.float32)
