"""White sits at the lower edge and plays light: his 6 is B7, 8 B5, 13 T1, 24 T12."""

from dataclasses import replace

import pytest

from controller.adjudication.board_view import view_of
from controller.adjudication.checker_in_hand import CheckerInHand, find_checker_in_hand
from controller.adjudication.turn_evidence import ThrowInPlay
from controller.match.seating import Seating
from controller.observing.board_evidence import BoardEvidence, BoardView
from controller.rules import Player, Position, Roll, RollCounters, Ruleset, make_own_throw, start_position
from tests.controller.board_sights import BLURRED, ONE_LOOK, Sight, sight_of, with_points
from tests.controller.rules.boards import board, game
from vision.places import Place

BACKGAMMON, GUL_BARA = game("backgammon"), game("gul_bara")
START = start_position(BACKGAMMON)
VIEW = view_of(START, Seating(), BACKGAMMON)


def hint(
    glimpse: BoardEvidence,
    *numbers: int,
    before: Position = START,
    now: Position | None = None,
    rules: Ruleset = BACKGAMMON,
) -> CheckerInHand | None:
    """The checker in hand that a glimpse in White's turn shows."""
    throw = make_own_throw(Roll.of(*numbers), rules, RollCounters(8, 4))
    turn = ThrowInPlay(before, Player.WHITE, throw, Seating(), rules)
    return find_checker_in_hand(turn, (now or before).setup, glimpse)


def without_one(view: BoardView, place: str, left: int) -> BoardView:
    return with_points(view, **{place: (left, 0)})


def test_a_lifted_checker_may_go_where_its_numbers_lead() -> None:
    """From the 8 with 3-1: to the 7 and the 5."""
    found = hint(sight_of(without_one(VIEW, "B5", 2), ONE_LOOK), 3, 1)
    assert found == CheckerInHand(8, (7, 5), (Place.B6, Place.B8))


def test_a_hand_that_hides_other_places_does_not_matter() -> None:
    """It comes from the right and covers the upper corner."""
    glimpse = sight_of(without_one(VIEW, "B5", 2), Sight(looks=1, hidden=[Place.T10, Place.T11, Place.T12]))
    found = hint(glimpse, 3, 1)
    assert found is not None
    assert found.source == 8


@pytest.mark.parametrize(
    "glimpse",
    [
        sight_of(VIEW, ONE_LOOK),
        sight_of(without_one(VIEW, "B5", 2), Sight(looks=1, hidden=[Place.B5])),
        sight_of(without_one(VIEW, "B5", 2), BLURRED),
        sight_of(with_points(VIEW, B5=(2, 0), T1=(3, 0), T2=(2, 0)), ONE_LOOK),
        sight_of(with_points(VIEW, B5=(2, 0), B7=(4, 0)), ONE_LOOK),
    ],
    ids=["nothing lifted", "the hand is over it", "blurred", "others lie elsewhere", "two are lifted"],
)
def test_it_is_not_guessed(glimpse: BoardEvidence) -> None:
    assert hint(glimpse, 3, 1) is None


def test_a_checker_that_cannot_be_played_has_nowhere_to_go() -> None:
    """From the 24 with 5-5: the opponent's home point is closed."""
    found = hint(sight_of(without_one(VIEW, "T12", 1), ONE_LOOK), 5, 5)
    assert found == CheckerInHand(24, (), ())


def test_steps_that_were_made_count() -> None:
    """After 8/5 of 3-1 the checker from the 6 has only the 1 left."""
    now = board(BACKGAMMON, "24:2 13:5 8:2 6:5 5:1", "24:2 13:5 8:3 6:5")
    view = without_one(view_of(now, Seating(), BACKGAMMON), "B7", 4)
    found = hint(sight_of(view, ONE_LOOK), 3, 1, now=now)
    assert found == CheckerInHand(6, (5,), (Place.B8,))


def test_a_checker_from_the_bar_enters() -> None:
    before = board(BACKGAMMON, "bar:1 13:14", "24:2 6:5 5:8")
    view = replace(view_of(before, Seating(), BACKGAMMON), bar=(0, 0))
    found = hint(sight_of(view, ONE_LOOK), 3, 1, before=before)
    assert found is not None
    assert (found.source, found.targets) == (25, (24, 22))


def test_a_checker_that_may_be_borne_off_is_shown_the_tray() -> None:
    """From the 3 with 5-3, nothing standing behind."""
    before = board(BACKGAMMON, "3:3", "20:1 13:14")
    found = hint(sight_of(without_one(view_of(before, Seating(), BACKGAMMON), "B10", 2), ONE_LOOK), 5, 3, before=before)
    assert found == CheckerInHand(3, (0,), (Place.TRAY,))


def test_in_a_cascade_the_next_rank_begins_where_the_last_one_ended() -> None:
    """Gul bara, 5-5: the four fives were played, so sixes are due."""
    before = board(GUL_BARA, "24:5 20:5 14:5", "24:15")
    now = board(GUL_BARA, "24:5 20:1 15:4 14:5", "24:15")
    view = view_of(now, Seating(), GUL_BARA)
    place = Seating().place_of(14, Player.WHITE, GUL_BARA.direction)
    found = hint(sight_of(without_one(view, place.value, 4), ONE_LOOK), 5, 5, before=before, now=now, rules=GUL_BARA)
    assert found is not None
    assert (found.source, found.targets) == (14, (8,))
