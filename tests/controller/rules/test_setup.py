"""Claimed checkers and what is wrong with them."""

import pytest

from controller.rules import Fault, ImpossibleSetupError, Position, Setup, Side
from tests.controller.rules.boards import game, side

BACKGAMMON, LONG_NARDY, PLAKOTO, RACE = map(game, ("backgammon", "long_nardy", "plakoto", "backgammon_race"))
START = side("24:2 13:5 8:3 6:5")


def test_the_start_has_no_faults() -> None:
    assert not Setup(START, START).faults(BACKGAMMON)
    assert Setup(START, START).fault_sentences(BACKGAMMON) == ()


def test_all_faults_are_reported_at_once() -> None:
    """White has 16, Black 14, and both stand on one point."""
    setup = Setup(side("24:2 13:5 8:3 6:6", 16), side("1:2 13:5 8:3 6:4", 14))
    assert setup.faults(BACKGAMMON) == Fault.WHITE_EXTRA | Fault.BLACK_MISSING | Fault.BOTH_ON_POINT
    assert setup.fault_sentences(BACKGAMMON) == (
        "White has 16 checkers; backgammon needs 15, so take the extra ones away",
        "Black has 14 checkers; backgammon needs 15, so add the missing ones",
        "White's point 24 and Black's point 1 are the same place and both hold checkers; move one of them away",
    )


@pytest.mark.parametrize(
    ("white", "black", "fault", "words"),
    [
        (side("", 14), START, Fault.WHITE_MISSING, "White has 14 checkers"),
        (START, side("", 16), Fault.BLACK_EXTRA, "Black has 16 checkers"),
        (side("reserve:1"), side(""), Fault.RESERVE_NOT_USED, "White has a checker in reserve"),
        (side("6:1", pinned=frozenset({6})), side(""), Fault.PINS_NOT_USED, "nothing is pinned in backgammon"),
    ],
)
def test_each_fault_of_backgammon(white: Side, black: Side, fault: Fault, words: str) -> None:
    setup = Setup(white, black)
    assert setup.faults(BACKGAMMON) == fault
    assert words in setup.fault_sentences(BACKGAMMON)[0]


def test_nobody_is_on_the_bar_where_nothing_is_hit() -> None:
    setup = Setup(side(""), side("bar:1"))
    assert setup.faults(LONG_NARDY) == Fault.BAR_NOT_USED
    assert not setup.faults(BACKGAMMON)


def test_the_reserve_is_used_in_the_race() -> None:
    assert not Setup(side("reserve:15"), side("reserve:15")).faults(RACE)


def test_both_on_a_point_needs_a_pin_in_plakoto() -> None:
    """White's 7 is Black's 18; which of the two lies underneath must be said."""
    bare = Setup(side("7:1"), side("18:2"))
    assert bare.faults(PLAKOTO) == Fault.BOTH_ON_POINT
    assert bare.fault_sentences(PLAKOTO)[0].endswith("say which one is pinned")
    assert not Setup(side("7:1", pinned=frozenset({7})), side("18:2")).faults(PLAKOTO)


@pytest.mark.parametrize(
    ("white", "black"),
    [
        (side("7:1", pinned=frozenset({7})), side("")),  # nobody above it
        (side("7:2", pinned=frozenset({7})), side("18:1")),  # two cannot be pinned
        (side("7:1", pinned=frozenset({7})), side("18:1", pinned=frozenset({18}))),  # each under the other
    ],
)
def test_a_pin_needs_one_checker_under_another(white: Side, black: Side) -> None:
    setup = Setup(white, black)
    assert Fault.PIN_WITHOUT_CHECKERS in setup.faults(PLAKOTO)
    assert "pin on point 7 needs one checker there" in " ".join(setup.fault_sentences(PLAKOTO))


def test_a_position_is_never_impossible() -> None:
    with pytest.raises(ImpossibleSetupError) as caught:
        Position.of(Setup(side("", 14), START), BACKGAMMON)
    assert caught.value.faults == Fault.WHITE_MISSING
    assert caught.value.sentences == (str(caught.value),)


def test_counts_and_back() -> None:
    """27 counts: borne off, points 1 to 24, bar, reserve; 26 have no reserve."""
    one = side("24:2 bar:1 reserve:3")
    assert one.counts == (9, *[0] * 23, 2, 1, 3)
    assert Side.of_counts(one.counts) == one
    assert Side.of_counts(one.counts[:26]).reserve == 0
    assert one.total == 15


def test_a_place_below_nought_means_too_many_elsewhere() -> None:
    """The tray counted as 15 less what is seen: 16 on the points leave -1."""
    found = Setup(side("6:16"), START)
    assert found.faults(BACKGAMMON) == Fault.WHITE_EXTRA
    assert found.fault_sentences(BACKGAMMON) == (
        "White has a place with fewer than 0 checkers, so there are too many elsewhere; count again",
    )
