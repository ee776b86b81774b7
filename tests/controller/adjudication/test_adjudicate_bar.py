"""A crowd on the bar, which no reader counts: three checkers are read as two or three, and six as well."""

import pytest

from controller.adjudication.adjudicate import adjudicate
from controller.adjudication.board_view import view_of
from controller.adjudication.outcome import IllegalOutcome, LegalOutcome, Outcome
from controller.adjudication.turn_evidence import ThrowInPlay
from controller.match.seating import Seating
from controller.observing.board_evidence import BoardView, Pair
from controller.rules import Player, Position, Roll, RollCounters, Rule, make_own_throw
from tests.controller.adjudication.outcomes import require
from tests.controller.board_sights import sight_of
from tests.controller.rules.boards import board, game
from vision.places import POINTS, Place

BACKGAMMON = game("backgammon")


def adjudicated(
    before: Position, shown: BoardView, reported: Pair, *numbers: int, misread: dict[Place, Pair] | None = None
) -> Outcome:
    """The outcome of White's play when the bar is read as `reported` and other places as in `misread`."""
    throw = make_own_throw(Roll.of(*numbers), BACKGAMMON, RollCounters(8, 4))
    seen = sight_of(shown, misread={Place.BAR: reported, **(misread or {})})
    return adjudicate(ThrowInPlay(before, Player.WHITE, throw, Seating(), BACKGAMMON), seen)


def standing(position: Position) -> BoardView:
    return view_of(position, Seating(), BACKGAMMON)


def reported_as(bar: Pair, count: int) -> Pair:
    """This many checkers of the colour that waits on the bar."""
    light, dark = bar
    return (count, 0) if light else (0, count if dark else 0)


@pytest.mark.parametrize("reported", [2, 3, 4])
def test_more_may_come_there_than_are_read(reported: int) -> None:
    """Two of Black's wait there, and two more are hit: none of them was laid beside the board."""
    before = board(BACKGAMMON, "13:13 8:2", "bar:2 22:1 20:1 6:11")
    after = board(BACKGAMMON, "13:13 5:1 3:1", "bar:4 6:11")
    outcome = require(
        LegalOutcome, adjudicated(before, standing(after), reported_as(standing(after).bar, reported), 5, 3)
    )
    assert outcome.ruling.after == after


@pytest.mark.parametrize("reported", [2, 3])
def test_a_crowd_dances(reported: int) -> None:
    """Four wait before a closed home, and nothing can be played."""
    before = board(BACKGAMMON, "bar:4 13:11", "6:2 5:2 4:2 3:2 2:2 1:2 15:3")
    outcome = require(
        LegalOutcome, adjudicated(before, standing(before), reported_as(standing(before).bar, reported), 6, 5)
    )
    assert outcome.ruling.steps == ()


def test_a_player_lays_no_checker_of_his_own_there() -> None:
    """He plays two from a heap of eight instead of entering. Five of the six are read; the sixth did not go to the bar."""
    before = board(BACKGAMMON, "bar:2 13:8 6:5", "18:2 11:13")
    after = standing(board(BACKGAMMON, "bar:2 13:6 12:1 11:1 6:5", "18:2 11:13"))
    heap, (light, dark) = next(
        (place, pair) for place, pair in zip(POINTS, after.points, strict=True) if max(pair) == 6
    )
    outcome = require(
        IllegalOutcome, adjudicated(before, after, after.bar, 2, 1, misread={heap: (min(light, 5), min(dark, 5))})
    )
    assert outcome.view.bar == after.bar


def test_a_hit_checker_that_is_not_there_is_missed() -> None:
    """Where few wait each one counts: one does, and the one that was hit lies elsewhere."""
    before = board(BACKGAMMON, "13:13 8:2", "bar:1 22:1 6:13")
    after = board(BACKGAMMON, "13:13 5:1 3:1", "bar:2 6:13")
    outcome = require(IllegalOutcome, adjudicated(before, standing(after), reported_as(standing(after).bar, 1), 5, 3))
    assert Rule.HIT_NOT_ON_BAR in outcome.ruling.rules
