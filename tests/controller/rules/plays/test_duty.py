"""The duty to use the numbers, its other forms, and the rules about the final board."""

from controller.rules import Player, legal_plays, list_endings, make_stage
from tests.controller.rules.boards import against, board, game, plays

BACKGAMMON = game("backgammon")
OLD_ENGLISH = game("old_english")


def test_the_larger_of_two_numbers_that_cannot_both_be_played() -> None:
    """12/6 and 12/8 are possible alone, never both, because 2 is held: the 6 it is."""
    assert plays(BACKGAMMON, "12:1", "23:2", 6, 4) == {"12/6"}


def test_either_number_where_the_larger_one_is_not_asked_for() -> None:
    """The same board with `larger_die` off."""
    assert plays(game("backgammon", larger_die=False), "12:1", "23:2", 6, 4) == {"12/6", "12/8"}


def test_a_number_that_is_possible_only_after_the_other() -> None:
    """The 5 is possible only after 20/18, so 20/18/13 is the only play."""
    assert plays(BACKGAMMON, "20:1 8:1", "10:2 22:2 19:2", 5, 2) == {"20/13"}


def test_two_on_the_bar_and_one_number_that_enters() -> None:
    """Only the 2 enters; the 3 is lost."""
    assert plays(BACKGAMMON, "bar:2", "3:2", 3, 2) == {"bar/23"}


def test_both_numbers_must_be_used_even_when_one_ends_the_game() -> None:
    """3/2*/off with both; 3/off with the 4 alone is not a complete play although nothing is left on the board."""
    before = board(BACKGAMMON, "3:1", "23:1")
    assert plays(BACKGAMMON, "3:1", "23:1", 4, 1) == {"3/2*/off"}
    assert against(BACKGAMMON, before, board(BACKGAMMON, "", "23:1"), make_stage((4, 1))) == [
        "must_play_more",
        "wrong_numbers",
    ]


def test_nothing_can_be_played() -> None:
    """The one result of a forced pass is the unchanged board."""
    before = board(BACKGAMMON, "bar:1 6:1", "6:2 5:2")
    (only,) = legal_plays(before, Player.WHITE, make_stage((6, 5)), BACKGAMMON)
    assert (only.steps, only.after, only.unused) == ((), before, (6, 5))


def test_a_double_uses_as_many_numbers_as_any_way_does() -> None:
    """12/9/6 and 13/10 with threes, then all is stuck: 3 is held by Black, and three of four are played."""
    (only,) = legal_plays(board(BACKGAMMON, "12:1 13:1", "22:2 18:2"), Player.WHITE, make_stage((3,) * 4), BACKGAMMON)
    assert only.unused == (3,)
    assert len(only.steps) == 3


def test_the_bar_example_of_both_seeds() -> None:
    """6-4, Black holds the sixth entry point: in with the 4, then the 6 by any checker if possible."""
    assert plays(BACKGAMMON, "bar:1 13:1", "6:2", 6, 4) == {"bar/21 13/7", "bar/15"}


def test_old_english_asks_for_one_number_and_no_more() -> None:
    """6-4 from 12 and 24: either number or both, any of them, but not none."""
    assert plays(OLD_ENGLISH, "24:1", "", 6, 4) == {"24/18", "24/20", "24/14"}
    before = board(OLD_ENGLISH, "24:1", "")
    assert against(OLD_ENGLISH, before, before, make_stage((6, 4))) == ["must_play_one"]


def test_old_english_doubles_are_played_one_to_four_times() -> None:
    assert plays(OLD_ENGLISH, "24:1", "", 2, 2, 2, 2) == {"24/22", "24/20", "24/18", "24/16"}


def test_old_english_passes_when_nothing_is_possible() -> None:
    assert plays(OLD_ENGLISH, "24:1", "7:2 5:2", 6, 4) == {"pass"}


def test_greedy_goes_on_while_a_number_has_a_step() -> None:
    """No larger number: 12/6 or 12/8 both stop there; but after 20/18 the five has a step and is played."""
    greedy = game("backgammon", dice_use="greedy")
    assert plays(greedy, "12:1", "23:2", 6, 4) == {"12/6", "12/8"}
    assert plays(greedy, "20:1 8:1", "10:2 22:2 19:2", 5, 2) == {"20/13"}
    before = board(greedy, "24:1", "")
    assert against(greedy, before, before, make_stage((6, 4))) == ["must_play_more"]


def test_free_allows_any_number_of_steps() -> None:
    free = game("backgammon", dice_use="free")
    assert plays(free, "24:1", "", 6, 4) == {"pass", "24/18", "24/20", "24/14"}
    assert against(free, board(free, "24:1", ""), board(free, "24:1", ""), make_stage((6, 4))) == []


def test_the_larger_die_rule_in_a_bear_off() -> None:
    """Two ways to one board: with larger_die off, either number bears the last checker off."""
    rules = game("backgammon", larger_die=False)
    before = board(rules, "2:1", "24:15")
    ways = list_endings(before, Player.WHITE, make_stage((6, 5)), rules)
    assert {(after.counts(Player.WHITE)[0], unused) for after, unused in ways} == {(15, (5,)), (15, (6,))}
