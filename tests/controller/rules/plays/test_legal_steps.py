"""Single steps: landing, entering, bearing off, and the restrictions of the games."""

import pytest

from controller.rules import Player, legal_plays, make_stage, start_position
from tests.controller.rules.boards import against, board, game, plays

BACKGAMMON, TAVLA, FEVGA, PLAKOTO = map(game, ("backgammon", "tavla", "fevga", "plakoto"))


@pytest.mark.parametrize(
    ("white", "numbers", "expected"),
    [
        ("5:1 3:1 2:1", (5, 3), {"5/off 3/off", "5/2 3/off"}),
        ("5:1 4:1 1:1", (6, 4), {"5/off 4/off", "5/1 4/off"}),  # 6 is empty: one from 5, one from 4
        ("3:1 2:1", (4,), {"3/off"}),  # 4, 5, 6 are empty: from 3
        ("2:1 1:1", (4,), {"2/off"}),
        ("6:1 3:1", (4,), {"6/2"}),  # something stands above: it has to be moved inside
        ("6:1 4:1", (4,), {"4/off", "6/2"}),  # a number may be used inside even when it could bear off
        ("7:1 2:1", (2,), {"7/5"}),  # not all home
        ("bar:1 2:1", (2,), {"bar/23"}),
    ],
)
def test_bearing_off(white: str, numbers: tuple[int, ...], expected: set[str]) -> None:
    assert plays(BACKGAMMON, white, "", *numbers) == expected


def test_bearing_off_too_early_is_named() -> None:
    before = board(BACKGAMMON, "7:1 2:1", "")
    assert against(BACKGAMMON, before, board(BACKGAMMON, "7:1", ""), make_stage((2,))) == ["bearoff_early"]


def test_the_bar_comes_first() -> None:
    before = board(BACKGAMMON, "bar:1 13:2", "")
    assert plays(BACKGAMMON, "bar:1 13:2", "", 3) == {"bar/22"}
    assert against(BACKGAMMON, before, board(BACKGAMMON, "bar:1 13:1 10:1", ""), make_stage((3,))) == ["bar_first"]


def test_a_checker_lands_after_each_number() -> None:
    """The sum is not a move of its own: 13/8 with 4-1 needs 9 or 12 open."""
    assert plays(BACKGAMMON, "13:1", "16:2 13:2", 4, 1) == {"pass"}
    assert against(
        BACKGAMMON, board(BACKGAMMON, "13:1", "16:2 13:2"), board(BACKGAMMON, "8:1", "16:2 13:2"), make_stage((4, 1))
    ) == ["wrong_numbers", "closed_point"]


def test_a_single_opposing_checker_is_hit() -> None:
    (play,) = legal_plays(board(BACKGAMMON, "13:1", "15:1"), Player.WHITE, make_stage((3,)), BACKGAMMON)
    assert play.after == board(BACKGAMMON, "10:1", "bar:1")


def test_a_single_opposing_checker_blocks() -> None:
    rules = game("gul_bara")
    assert plays(rules, "13:1", "22:1", 3) == {"pass"}
    before, landed = board(rules, "13:1", "23:1"), board(rules, "12:1", "23:1")
    assert against(rules, before, landed, make_stage((1,))) == []


def test_old_english_never_has_six_on_a_point() -> None:
    rules = game("old_english")
    assert plays(rules, "8:1 6:5", "", 2) == {"6/4"}
    before = board(rules, "8:1 6:5", "")
    assert against(rules, before, board(rules, "6:6", ""), make_stage((2,))) == ["max_stack"]


def test_a_stack_limit_as_house_rule_spares_the_head_and_the_tray() -> None:
    """`max_stack=6` in long nardy: the head begins with more, and bearing off is no landing."""
    rules = game("long_nardy", max_stack=6)
    assert plays(rules, "24:15", "24:15", 2, 1) == {"24/21"}
    assert plays(rules, "1:6 2:1", "24:15", 2, 1) == {"2/off 1/off"}


def test_tavla_bears_off_whenever_it_can() -> None:
    """3:1 with 5-2: 3/off with the 5, not 3/1. And 6:1 2:1 with 5-2: 2/off and 6/1; 6/4 is illegal."""
    assert plays(TAVLA, "3:1", "", 5, 2) == {"3/off"}
    assert plays(TAVLA, "6:1 2:1", "", 5, 2) == {"6/1 2/off"}
    before = board(TAVLA, "6:1 2:1 1:1", "")
    assert "forced_bearoff" in against(TAVLA, before, board(TAVLA, "4:1 2:1 1:1", ""), make_stage((2,)))


def test_the_race_enters_freely_but_the_bar_first() -> None:
    """A reserve checker enters at any time, others may move meanwhile; a hit one enters before them."""
    race = game("backgammon_race")
    assert plays(race, "reserve:1 10:1", "", 4, 3) == {
        *("reserve/18", "reserve/21 10/7", "reserve/22 10/6", "10/3"),
    }
    assert plays(race, "bar:1 reserve:1", "", 4) == {"bar/21"}
    assert plays(race, "reserve:1 2:1", "", 2) == {"reserve/23"}  # nothing is borne off from the reserve


def test_fevga_one_runner_first() -> None:
    """First roll 6-6: 24/18, then the runner is stopped by 12 and three sixes are lost."""
    start = start_position(FEVGA)
    (play,) = legal_plays(start, Player.WHITE, make_stage((6,) * 4, first_roll=True), FEVGA)
    assert (len(play.steps), play.unused) == (1, (6, 6, 6))
    assert plays(FEVGA, "24:15", "24:15", 5, 4) == {"24/15"}
    two = board(FEVGA, "24:13 20:1 19:1", "24:15")
    assert against(FEVGA, start, two, make_stage((5, 4))) == ["first_checker"]


def test_fevga_the_others_are_free_when_the_runner_has_passed() -> None:
    """13/11 passes his start on own 12; from 13 with 2-1 the 1 is then free."""
    assert plays(FEVGA, "24:14 13:1", "24:15", 2, 1) == {"24/23 13/11", "13/10"}
    assert "24/21" in plays(FEVGA, "24:14 11:1", "24:15", 2, 1)


def test_fevga_never_holds_the_whole_start_quarter() -> None:
    rules = FEVGA
    before = board(rules, "24:9 23:1 22:1 21:1 20:2 11:1", "24:15")
    all_six = board(rules, "24:9 23:1 22:1 21:1 20:1 19:1 11:1", "24:15")
    assert against(rules, before, all_six, make_stage((1,))) == ["start_quarter"]


def test_fevga_opens_a_block_before_the_whole_army() -> None:
    """His army on his 24, own 12; six-block on own 11 to 6 directly before it: it must be opened where possible."""
    block = "11:1 10:1 9:1 8:1 7:1 6:1 3:1"
    assert plays(FEVGA, block, "24:15", 1) == {"11/10", "10/9", "9/8", "8/7", "7/6", "6/5"}
    before, kept = board(FEVGA, block, "24:15"), board(FEVGA, "11:1 10:1 9:1 8:1 7:1 6:1 2:1", "24:15")
    assert against(FEVGA, before, kept, make_stage((1,))) == ["unblock"]
    assert "3/2" in plays(FEVGA, block, "24:14 4:1", 1)  # not his whole army


def test_fevga_keeps_a_block_that_cannot_be_opened() -> None:
    """Where no legal play opens it, anything may be played."""
    block = "11:2 10:2 9:2 8:2 7:2 6:2 3:1"
    assert plays(FEVGA, block, "24:15", 1) == {"11/10", "10/9", "9/8", "8/7", "7/6", "6/5", "3/2"}


def test_plakoto_pins_and_is_pinned() -> None:
    """A single checker is pinned and stays; the point is closed to its owner; a pinned checker cannot move."""
    pinned = board(PLAKOTO, "10:1", "15:1", pins={Player.BLACK: {15}})
    (play,) = legal_plays(board(PLAKOTO, "13:1", "15:1"), Player.WHITE, make_stage((3,)), PLAKOTO)
    assert play.after == pinned
    assert legal_plays(pinned, Player.BLACK, make_stage((3,)), PLAKOTO)[0].steps == ()
    onto_it = board(PLAKOTO, "10:1", "17:1 15:1", pins={Player.BLACK: {15}})
    assert legal_plays(onto_it, Player.BLACK, make_stage((2,)), PLAKOTO)[0].steps == ()


def test_plakoto_the_last_checker_above_frees_it() -> None:
    before = board(PLAKOTO, "10:1", "15:1", pins={Player.BLACK: {15}})
    (play,) = legal_plays(before, Player.WHITE, make_stage((3,)), PLAKOTO)
    assert play.after == board(PLAKOTO, "7:1", "15:1")


def test_plakoto_a_pinned_checker_at_home() -> None:
    """It counts as home and cannot be borne off; with `pinned_blocks_home` nothing is borne off meanwhile."""
    pins = {Player.WHITE: {3}}
    before = board(PLAKOTO, "3:1 2:1", "22:1", pins=pins)
    (play,) = legal_plays(before, Player.WHITE, make_stage((2,)), PLAKOTO)
    assert play.after == board(PLAKOTO, "3:1", "22:1", pins=pins)
    (blocked,) = legal_plays(before, Player.WHITE, make_stage((2,)), game("plakoto", pinned_blocks_home=True))
    assert blocked.steps == ()


class TestBlocksWhereCheckersAreHit:
    """A house variant of backgammon in which no six-block may stand without an opposing checker ahead of it."""

    RULES = game("backgammon", prime="need_checker_ahead")
    FIVE = "12:2 11:2 10:2 9:2 8:2 14:1"

    def test_an_army_behind_forbids_it(self) -> None:
        """Black's 24 is White's 1, behind both 13 to 8 and 12 to 7."""
        assert plays(self.RULES, self.FIVE, "24:15", 1) == {"12/11", "11/10", "10/9", "9/8"}

    def test_a_checker_ahead_allows_it(self) -> None:
        """Black's 5 is White's 20, ahead of the block on Black's path."""
        assert "8/7" in plays(self.RULES, self.FIVE, "24:14 5:1", 1)

    def test_hitting_the_one_ahead_takes_the_excuse_away(self) -> None:
        """20/14* sends the only checker ahead to the bar, so the block 14 to 9 may not stand."""
        rows = "20:1 13:2 12:2 11:2 10:2 9:2"
        assert "20/14" in plays(self.RULES, rows, "24:14 8:1", 6)
        assert "20/14*" not in plays(self.RULES, rows, "24:14 11:1", 6)
