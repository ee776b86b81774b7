"""How many checkers may leave the head."""

import pytest

from controller.rules import Illegal, Player, Rule, Stage, ThrowKind, judge_stage, make_stage
from tests.controller.rules.boards import against, board, game, plays

LONG_NARDY = game("long_nardy")
START = "24:15"
AFTER_FIVES = "24:14 4:1"  # the opponent opened 5-5: his checker stands on the own point 16


@pytest.mark.parametrize(
    ("exception", "black", "number", "expected"),
    [
        ("head_blocked", START, 6, {"24/18(2)"}),
        ("head_blocked", START, 5, {"24/4"}),
        ("head_blocked", START, 4, {"24/16(2)"}),
        ("head_blocked", START, 3, {"24/21 24/15", "24/18(2)"}),
        ("head_blocked", START, 2, {"24/16"}),
        ("head_blocked", START, 1, {"24/20"}),
        ("head_blocked", AFTER_FIVES, 4, {"24/20"}),  # stopped by that checker, not by the head
        ("head_blocked", AFTER_FIVES, 2, {"24/18"}),
        ("head_blocked", AFTER_FIVES, 6, {"24/18(2)"}),
        ("head_blocked", AFTER_FIVES, 3, {"24/21 24/15", "24/18(2)"}),
        ("list_only", AFTER_FIVES, 4, {"24/20(2)"}),  # any obstacle
        ("list_only", START, 5, {"24/4"}),  # not in the list
        ("cannot_complete", AFTER_FIVES, 2, {"24/20(2)", "24/22 24/18"}),  # stopped after three twos
        ("cannot_complete", START, 2, {"24/16"}),
        ("cannot_complete", "22:15", 6, {"24/18 24/6", "24/12(2)"}),  # the fourth six would bear off too early
        ("none", START, 6, {"24/18"}),
    ],
)
def test_the_first_double(exception: str, black: str, number: int, expected: set[str]) -> None:
    rules = game("long_nardy", head_exception=exception)
    assert plays(rules, START, black, *(number,) * 4, first_roll=True) == expected


def test_only_one_later_and_without_a_double() -> None:
    """One checker a roll if it is not the first, or no double."""
    assert plays(LONG_NARDY, START, START, 6, 6, 6, 6) == {"24/18"}
    assert plays(LONG_NARDY, START, START, 4, 3, first_roll=True) == {"24/17"}
    assert plays(LONG_NARDY, START, START, 5, first_roll=True) == {"24/19"}


def test_other_limits() -> None:
    """No limit in gul bara; two a roll by option."""
    assert plays(game("gul_bara"), START, START, 6, 6, 6, 6) == {"24/18(4)"}
    assert plays(game("gulbar", head_limit=2), START, START, 6, 5) == {"24/13", "24/19 24/18"}


def test_the_allowance_belongs_to_the_roll() -> None:
    """One checker left the head in an earlier rank of the cascade: no other may leave."""
    rules = game("crazy_gulbar")
    before, after = board(rules, "24:14 13:1", START), board(rules, "24:13 19:1 13:1", START)
    assert against(rules, before, after, make_stage((5,))) == []
    assert against(rules, before, after, make_stage((5,), head_taken=1)) == ["head"]


def test_the_refused_second_checker_is_named() -> None:
    """24/18 and 24/19 with 6-5; and 4-4 where the exception does not hold."""
    before, two = board(LONG_NARDY, START, START), board(LONG_NARDY, "24:13 19:1 18:1", START)
    assert against(LONG_NARDY, before, two, make_stage((6, 5))) == ["head"]
    before, two = board(LONG_NARDY, START, AFTER_FIVES), board(LONG_NARDY, "24:13 20:2", AFTER_FIVES)
    assert against(LONG_NARDY, before, two, Stage((4,) * 4, first_roll=True)) == ["head_exception"]


def test_black_has_a_head_too() -> None:
    """The rule follows the mover's own path."""
    before, after = board(LONG_NARDY, START, START), board(LONG_NARDY, START, "24:13 19:1 18:1")
    ruling = judge_stage(before, Player.BLACK, make_stage((6, 5)), after.setup, LONG_NARDY)
    assert isinstance(ruling, Illegal)
    assert ruling.rules == (Rule.HEAD,)


def test_numbers_handed_over_never_enjoy_the_exception() -> None:
    before, stage = board(LONG_NARDY, START, START), Stage((6, 6), first_roll=True)
    after = board(LONG_NARDY, "24:13 18:2", START).setup
    assert isinstance(judge_stage(before, Player.WHITE, stage, after, LONG_NARDY, kind=ThrowKind.TRANSFER), Illegal)
