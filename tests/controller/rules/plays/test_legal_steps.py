"""Single steps: landing, entering, bearing off, and the restrictions of tavla, old English, the race and plakoto."""

import pytest

from controller.rules import Player, Ruleset, legal_plays, make_stage
from tests.controller.rules.boards import against, board, game, plays

BACKGAMMON, TAVLA, PLAKOTO = map(game, ("backgammon", "tavla", "plakoto"))
GUL_BARA, OLD_ENGLISH, RACE = map(game, ("gul_bara", "old_english", "backgammon_race"))
STACKS_OF_SIX = game("long_nardy", max_stack=6)


@pytest.mark.parametrize(
    ("rules", "white", "black", "numbers", "expected"),
    [
        (BACKGAMMON, "5:1 3:1 2:1", "", (5, 3), {"5/off 3/off", "5/2 3/off"}),
        (BACKGAMMON, "5:1 4:1 1:1", "", (6, 4), {"5/off 4/off", "5/1 4/off"}),  # 6 is empty: one from 5, one from 4
        (BACKGAMMON, "3:1 2:1", "", (4,), {"3/off"}),  # 4, 5, 6 are empty: from 3
        (BACKGAMMON, "2:1 1:1", "", (4,), {"2/off"}),
        (BACKGAMMON, "6:1 3:1", "", (4,), {"6/2"}),  # a checker stands above: it has to be moved inside
        (BACKGAMMON, "6:1 4:1", "", (4,), {"4/off", "6/2"}),  # a number may be used inside although it could bear off
        (BACKGAMMON, "7:1 2:1", "", (2,), {"7/5"}),  # not all home
        (BACKGAMMON, "bar:1 2:1", "", (2,), {"bar/23"}),
        (BACKGAMMON, "bar:1 13:2", "", (3,), {"bar/22"}),
        (BACKGAMMON, "13:1", "16:2 13:2", (4, 1), {"pass"}),  # 13/8 needs 9 or 12 open: the sum is no move of its own
        (GUL_BARA, "13:1", "22:1", (3,), {"pass"}),  # a single opposing checker blocks
        (OLD_ENGLISH, "8:1 6:5", "", (2,), {"6/4"}),  # no sixth checker on a point
        (STACKS_OF_SIX, "24:15", "24:15", (2, 1), {"24/21"}),  # the head begins with more
        (STACKS_OF_SIX, "1:6 2:1", "24:15", (2, 1), {"2/off 1/off"}),  # bearing off is no landing
        (TAVLA, "3:1", "", (5, 2), {"3/off"}),  # not 3/1
        (TAVLA, "6:1 2:1", "", (5, 2), {"6/1 2/off"}),  # not 6/4
        (RACE, "reserve:1 10:1", "", (4, 3), {"reserve/18", "reserve/21 10/7", "reserve/22 10/6", "10/3"}),
        (RACE, "bar:1 reserve:1", "", (4,), {"bar/21"}),  # the bar goes first
        (RACE, "reserve:1 2:1", "", (2,), {"reserve/23"}),  # nothing is borne off while checkers wait
    ],
)  # fmt: skip
def test_the_plays(rules: Ruleset, white: str, black: str, numbers: tuple[int, ...], expected: set[str]) -> None:
    assert plays(rules, white, black, *numbers) == expected


@pytest.mark.parametrize(
    ("rules", "white", "black", "after", "numbers", "expected"),
    [
        (BACKGAMMON, "7:1 2:1", "", "7:1", (2,), ["bearoff_early"]),
        (BACKGAMMON, "bar:1 13:2", "", "bar:1 13:1 10:1", (3,), ["bar_first"]),
        (BACKGAMMON, "13:1", "16:2 13:2", "8:1", (4, 1), ["wrong_numbers", "closed_point"]),
        (GUL_BARA, "13:1", "23:1", "12:1", (1,), []),
        (OLD_ENGLISH, "8:1 6:5", "", "6:6", (2,), ["max_stack"]),
        (TAVLA, "6:1 2:1 1:1", "", "4:1 2:1 1:1", (2,), ["forced_bearoff"]),
    ],
)
def test_the_breaches(  # noqa: PLR0917 - a row of the table
    rules: Ruleset, white: str, black: str, after: str, numbers: tuple[int, ...], expected: list[str]
) -> None:
    stage = make_stage(numbers)
    assert against(rules, board(rules, white, black), board(rules, after, black), stage) == expected


def test_a_single_opposing_checker_is_hit() -> None:
    (play,) = legal_plays(board(BACKGAMMON, "13:1", "15:1"), Player.WHITE, make_stage((3,)), BACKGAMMON)
    assert play.after == board(BACKGAMMON, "10:1", "bar:1")


def test_plakoto_pins_and_is_pinned() -> None:
    """A single checker is pinned and stays; the point is closed to its owner; the last checker above frees it."""
    pinned = board(PLAKOTO, "10:1", "15:1", pins={Player.BLACK: {15}})
    (play,) = legal_plays(board(PLAKOTO, "13:1", "15:1"), Player.WHITE, make_stage((3,)), PLAKOTO)
    assert play.after == pinned
    assert legal_plays(pinned, Player.BLACK, make_stage((3,)), PLAKOTO)[0].steps == ()
    onto_it = board(PLAKOTO, "10:1", "17:1 15:1", pins={Player.BLACK: {15}})
    assert legal_plays(onto_it, Player.BLACK, make_stage((2,)), PLAKOTO)[0].steps == ()
    (play,) = legal_plays(pinned, Player.WHITE, make_stage((3,)), PLAKOTO)
    assert play.after == board(PLAKOTO, "7:1", "15:1")


def test_plakoto_a_pinned_checker_at_home() -> None:
    """It counts as home and cannot be borne off; with `pinned_blocks_home` nothing is borne off meanwhile."""
    pins = {Player.WHITE: {3}}
    before = board(PLAKOTO, "3:1 2:1", "22:1", pins=pins)
    (play,) = legal_plays(before, Player.WHITE, make_stage((2,)), PLAKOTO)
    assert play.after == board(PLAKOTO, "3:1", "22:1", pins=pins)
    (blocked,) = legal_plays(before, Player.WHITE, make_stage((2,)), game("plakoto", pinned_blocks_home=True))
    assert blocked.steps == ()
