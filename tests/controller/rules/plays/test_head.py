"""How many checkers may leave the head."""

import pytest

from controller.rules import Illegal, Player, Rule, Stage, ThrowKind, judge_stage, make_stage
from tests.controller.rules.boards import against, board, game, plays

LONG_NARDY = game("long_nardy")
START = "24:15"


def first(white: str, black: str, number: int, **options: object) -> set[str]:
    """White's plays with a double on the first roll."""
    return plays(game("long_nardy", **options), white, black, *(number,) * 4, first_roll=True)


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (6, {"24/18(2)"}),
        (5, {"24/4"}),
        (4, {"24/16(2)"}),
        (3, {"24/21 24/15", "24/18(2)"}),
        (2, {"24/16"}),
        (1, {"24/20"}),
    ],
)
def test_the_first_double_from_the_start(number: int, expected: set[str]) -> None:
    """6-6, 4-4 and 3-3 stop a single checker at the opponent's head, so a second one may leave."""
    assert first(START, START, number) == expected


@pytest.mark.parametrize(
    ("number", "expected"), [(4, {"24/20"}), (2, {"24/18"}), (6, {"24/18(2)"}), (3, {"24/21 24/15", "24/18(2)"})]
)
def test_the_seed_example_of_another_obstacle(number: int, expected: set[str]) -> None:
    """The opponent opened 5-5 and stands on own point 16: 4-4 is stopped by that checker, not by the head."""
    assert first(START, "24:14 4:1", number) == expected


def test_only_one_later_and_without_a_double() -> None:
    """One checker a roll when it is not the first, or no double."""
    assert plays(LONG_NARDY, START, START, 6, 6, 6, 6) == {"24/18"}
    assert plays(LONG_NARDY, START, START, 4, 3, first_roll=True) == {"24/17"}
    assert plays(LONG_NARDY, START, START, 5, first_roll=True) == {"24/19"}


def test_the_list_alone_by_option() -> None:
    """`list_only`: 4-4 allows two even where an ordinary checker is the obstacle, but 5-5 does not."""
    assert first(START, "24:14 4:1", 4, head_exception="list_only") == {"24/20(2)"}
    assert first(START, START, 5, head_exception="list_only") == {"24/4"}


def test_any_double_that_cannot_be_completed_by_option() -> None:
    """`cannot_complete`: 2-2 is stopped after three twos by the checker on 16, so two may leave."""
    assert first(START, "24:14 4:1", 2, head_exception="cannot_complete") == {"24/20(2)", "24/22 24/18"}
    assert first(START, START, 2, head_exception="cannot_complete") == {"24/16"}


def test_no_exception_by_option() -> None:
    assert first(START, START, 6, head_exception="none") == {"24/18"}


def test_no_limit_in_gul_bara() -> None:
    assert plays(game("gul_bara"), START, START, 6, 6, 6, 6) == {"24/18(4)"}


def test_two_a_roll_by_option() -> None:
    assert plays(game("gulbar", head_limit=2), START, START, 6, 5) == {"24/13", "24/19 24/18"}


def test_the_allowance_belongs_to_the_roll() -> None:
    """One checker left the head in an earlier rank of the cascade: none may leave any more."""
    rules = game("crazy_gulbar")
    before = board(rules, "24:14 13:1", START)
    after = board(rules, "24:13 19:1 13:1", START)
    assert against(rules, before, after, make_stage((5,))) == []
    assert against(rules, before, after, make_stage((5,), head_taken=1)) == ["head"]


def test_the_refused_second_checker_is_named() -> None:
    """24/18 and 24/19 with 6-5; and 4-4 where the exception does not hold."""
    before = board(LONG_NARDY, START, START)
    two = board(LONG_NARDY, "24:13 19:1 18:1", START)
    assert against(LONG_NARDY, before, two, make_stage((6, 5))) == ["head"]
    after_fives = board(LONG_NARDY, START, "24:14 4:1")
    two = board(LONG_NARDY, "24:13 20:2", "24:14 4:1")
    assert against(LONG_NARDY, after_fives, two, Stage((4,) * 4, first_roll=True)) == ["head_exception"]


def test_black_has_a_head_too() -> None:
    """The rule follows the mover's own path: Black's second checker is refused as White's is."""
    before, after = board(LONG_NARDY, START, START), board(LONG_NARDY, START, "24:13 19:1 18:1")
    ruling = judge_stage(before, Player.BLACK, make_stage((6, 5)), after.setup, LONG_NARDY)
    assert isinstance(ruling, Illegal)
    assert ruling.rules == (Rule.HEAD,)


def test_a_double_that_runs_off_the_board_cannot_be_completed() -> None:
    """6-6 with all points open: the fourth six would bear off, which nobody may yet, so two may leave."""
    assert first(START, "22:15", 6, head_exception="cannot_complete") == {"24/18 24/6", "24/12(2)"}


def test_numbers_handed_over_never_enjoy_the_exception() -> None:
    before, stage = board(LONG_NARDY, START, START), Stage((6, 6), first_roll=True)
    after = board(LONG_NARDY, "24:13 18:2", START).setup
    assert isinstance(judge_stage(before, Player.WHITE, stage, after, LONG_NARDY, kind=ThrowKind.TRANSFER), Illegal)
