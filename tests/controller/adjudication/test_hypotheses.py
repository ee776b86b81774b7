"""Boards of light and dark checkers that were seen clearly, or not at all, and what must stand there."""

from dataclasses import replace
from itertools import islice, pairwise

import pytest

from controller.adjudication.board_view import view_of
from controller.adjudication.hypotheses import (
    BoardHypothesis,
    TemporalPrior,
    enumerate_hypotheses,
    list_place_hypotheses,
)
from controller.adjudication.off_board_count import OffBoardCount, make_off_board_prior
from controller.match.seating import Seating
from controller.observing.board_evidence import BoardEvidence, BoardView
from controller.observing.likelihoods import likelihoods_of
from controller.rules import Player, start_position
from tests.controller.board_sights import BLURRED, EMPTY, Sight, sight_of, with_points
from tests.controller.rules.boards import game
from vision.places import POINTS, Place

BACKGAMMON = game("backgammon")
START = view_of(start_position(BACKGAMMON), Seating(), BACKGAMMON)
ALL_THERE = OffBoardCount(total=15, off=0)


def found(
    seen: BoardEvidence,
    most: int = 3,
    *,
    white: OffBoardCount = ALL_THERE,
    within: float = 8.0,
    before: BoardView = EMPTY,
) -> list[BoardHypothesis]:
    """The likeliest boards; White plays light."""
    known = likelihoods_of(seen)
    ending = make_off_board_prior(
        {Player.WHITE: white, Player.BLACK: ALL_THERE}, known=known, seating=Seating(), mismatch_cost=-1.5
    )
    memory = TemporalPrior(view=before, unchanged_bonus=0.1)
    return list(islice(enumerate_hypotheses(list_place_hypotheses(known, within, memory), ending, within=within), most))


def test_what_is_seen_clearly_comes_first() -> None:
    """And is likelier than anything else by what the commonest misreading is worth."""
    first, second, *_ = found(sight_of(START))
    assert first.view == START
    assert second.log_likelihood < first.log_likelihood - 1


def test_boards_come_in_order_and_only_once() -> None:
    boards = found(sight_of(START, BLURRED), 100)
    likelihoods = [board.log_likelihood for board in boards]
    assert len({board.view for board in boards}) == 100
    # memory may exchange neighbours by what it is worth at a few places
    assert all(later <= earlier + 0.5 for earlier, later in pairwise(likelihoods))


def test_a_hidden_place_holds_what_is_nowhere_else() -> None:
    """Five light checkers are not seen, and their point is hidden."""
    first = found(sight_of(START, Sight(hidden=[Place.T1])))[0]
    assert first.view == START


def test_a_doubtful_count_follows_from_the_total() -> None:
    """A stack that reads a little more like four than five."""
    seen = sight_of(START)
    points = seen.points.copy()
    points[POINTS.index(Place.T1), 1, 4:6] = -0.5, -1.0
    assert found(replace(seen, points=points))[0].view == START


def test_memory_decides_between_two_that_are_alike() -> None:
    """Two hidden points and one checker that is nowhere: it is where one was before."""
    seen = sight_of(with_points(START, B5=(2, 0)), Sight(hidden=[Place.B4, Place.B6]))
    before = with_points(START, B5=(2, 0), B6=(1, 0))
    assert found(seen, before=before)[0].view == before


@pytest.mark.parametrize(("most_more", "off"), [(2, 1), (0, 0)])
def test_what_is_missing_is_off_only_for_one_who_bears_off(most_more: int, off: int) -> None:
    """No tray is in view. It costs nothing where it may be, and is a missing checker where it may not."""
    seen = sight_of(with_points(START, B7=(4, 0)))
    white = OffBoardCount(total=15, off=0, most_more=most_more, is_borne_off_assumed=bool(most_more))
    first = found(seen, white=white)[0]
    assert (first.view.points, first.view.off) == (with_points(START, B7=(4, 0)).points, (off, 0))


def test_a_tray_in_view_tells_which() -> None:
    """Fourteen light checkers on the board and one in the tray, though nobody was expected to bear off."""
    shown = replace(with_points(START, B7=(4, 0)), off=(1, 0))
    first = found(sight_of(shown, Sight(tray_in_view=True)))[0]
    assert first.view.off == (1, 0)


def test_impossible_sums_are_explained_too() -> None:
    """Sixteen light checkers that are seen clearly are sixteen."""
    shown = with_points(START, T3=(1, 0))
    assert found(sight_of(shown))[0].view == shown
