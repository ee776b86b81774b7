from dataclasses import replace

import pytest

from controller.adjudication.board_view import view_of
from controller.adjudication.differences import compare_setup
from controller.adjudication.outcome import BoardDifference
from controller.match.seating import Seating
from controller.observing.board_evidence import BoardEvidence
from controller.rules import RULESETS, start_position
from tests.controller.board_sights import ONE_LOOK, Sight, sight_of, with_points
from tests.controller.rules.boards import game
from vision.places import POINTS, Place

BACKGAMMON = game("backgammon")
START = start_position(BACKGAMMON)
VIEW = view_of(START, Seating(), BACKGAMMON)


def against_the_start(seen: BoardEvidence) -> BoardDifference:
    return compare_setup(START.setup, seen, Seating(), BACKGAMMON)


@pytest.mark.parametrize("rules", RULESETS.values(), ids=list(RULESETS))
def test_there_are_none_from_what_stands_there(rules) -> None:  # type: ignore[no-untyped-def]
    """The start of every game, a head of fifteen included, in a single reading."""
    start = start_position(rules)
    seen = sight_of(view_of(start, Seating(), rules), ONE_LOOK)
    assert compare_setup(start, seen, Seating(), rules).is_none


def test_a_checker_on_the_wrong_point_is_extra_there_and_missing_here() -> None:
    """13/12 for White before the game began."""
    found = against_the_start(sight_of(with_points(VIEW, T1=(4, 0), T2=(1, 0))))
    assert found == BoardDifference(extra=(Place.T2,), missing=(Place.T1,), unsure=())


def test_the_wrong_colour_is_both() -> None:
    found = against_the_start(sight_of(with_points(VIEW, B5=(0, 3))))
    assert found == BoardDifference(extra=(Place.B5,), missing=(Place.B5,), unsure=())


def test_a_checker_on_the_bar_is_extra() -> None:
    found = against_the_start(sight_of(replace(with_points(VIEW, B5=(2, 0)), bar=(1, 0))))
    assert found == BoardDifference(extra=(Place.BAR,), missing=(Place.B5,), unsure=())


def test_a_hidden_point_is_doubtful_when_something_should_be_there() -> None:
    found = against_the_start(sight_of(VIEW, Sight(hidden=[Place.T1, Place.T2])))
    assert found == BoardDifference(extra=(), missing=(), unsure=(Place.T1,))


def test_a_count_between_two_is_doubtful() -> None:
    seen = sight_of(VIEW)
    points = seen.points.copy()
    points[POINTS.index(Place.T1), 1, 4:6] = 0.0, -4.0
    assert against_the_start(replace(seen, points=points)).unsure == (Place.T1,)
