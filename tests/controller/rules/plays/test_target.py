"""Which states can still become a board."""

from hypothesis import given
from hypothesis import strategies as st

from controller.rules import pack_counts
from controller.rules.plays.target import Target, cumulate_counts, is_level_or_ahead
from controller.rules.position import unpack_counts
from controller.rules.steps import HIT_SHIFT
from tests.controller.rules.boards import board, game

places = st.lists(st.integers(0, 26), min_size=15, max_size=15)


def side_of(coordinates: list[int]) -> int:
    return pack_counts(tuple(coordinates.count(one) for one in range(27)))


@given(places, places)
def test_nobody_went_back_is_what_sorted_checkers_say(earlier: list[int], later: list[int]) -> None:
    """The two subtractions agree with comparing checker by checker from the foremost on."""
    went_forward = all(now <= then for now, then in zip(sorted(later), sorted(earlier), strict=True))
    assert is_level_or_ahead(cumulate_counts(side_of(later)), cumulate_counts(side_of(earlier))) == went_forward


def test_cumulative_counts() -> None:
    """Two on 3 and one on the bar: 12 borne off, 14 up to 3, all 15 from 25 on."""
    counts = unpack_counts(cumulate_counts(board(game("backgammon"), "3:2 bar:1", "").white))
    assert (counts[0], counts[2], counts[3], counts[24], counts[25], counts[26]) == (12, 12, 14, 14, 15, 15)


def test_a_state_that_hit_something_else_cannot_become_the_board() -> None:
    side = board(game("backgammon"), "3:2", "").white
    target = Target.of(side, hits=1 << 5)
    assert target.may_follow(side)
    assert target.may_follow(side | 1 << HIT_SHIFT + 5)
    assert not target.may_follow(side | 1 << HIT_SHIFT + 6)
    assert target.is_reached_by(side | 1 << HIT_SHIFT + 5)
    assert not target.is_reached_by(side)
