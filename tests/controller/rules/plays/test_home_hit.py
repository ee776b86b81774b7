"""A hit in the mover's own home: tavla, backgammon_g, caucasian."""

from controller.rules import make_stage
from tests.controller.rules.boards import against, board, game, plays

TAVLA = game("tavla")
NO_BEAROFF = game("backgammon_g")
ONLY_HITTER = game("backgammon_g", home_hit_pair=False)
CAUCASIAN = game("caucasian")


def test_tavla_a_checker_that_hit_at_home_stays() -> None:
    """8/4* would strand the 2, but 8/6/2 uses both numbers, so it is compulsory."""
    assert plays(TAVLA, "8:1", "21:1", 4, 2) == {"8/2"}


def test_tavla_another_may_cover_and_a_third_pass_on() -> None:
    """After 6/4* one checker must remain on 4, whichever it is."""
    one_checker = board(TAVLA, "10:1 6:1", "21:1")
    runs_on = board(TAVLA, "10:1 2:1", "bar:1")
    assert against(TAVLA, one_checker, runs_on, make_stage((2, 2))) == ["home_hit"]
    three = board(TAVLA, "10:1 6:2", "21:1")
    one_stays = board(TAVLA, "10:1 4:1 2:1", "bar:1")
    assert against(TAVLA, three, one_stays, make_stage((2, 2, 2))) == []


def test_tavla_hits_elsewhere_are_free() -> None:
    assert plays(TAVLA, "13:1", "15:1", 3, 2) == {"13/10*/8", "13/8"}


def test_g_the_pair_is_held_too() -> None:
    """4:2, 6:1, blot on 2, roll 2-2: 4/2*(2) is legal; 2/off afterwards is not, in the pair reading."""
    before = board(NO_BEAROFF, "4:2 6:1", "23:1")
    both_stay, one_off = board(NO_BEAROFF, "4:1 2:2", "bar:1"), board(NO_BEAROFF, "4:1 2:1", "bar:1")
    assert against(NO_BEAROFF, before, both_stay, make_stage((2, 2, 2))) == []
    assert against(NO_BEAROFF, before, one_off, make_stage((2,) * 4))[:2] == ["home_hit", "pair"]


def test_g_without_the_pair_one_of_the_two_may_go() -> None:
    before, one_off = board(ONLY_HITTER, "4:2 6:1", "23:1"), board(ONLY_HITTER, "4:1 2:1", "bar:1")
    assert against(ONLY_HITTER, before, one_off, make_stage((2, 2, 2, 2))) == []
    both_off = board(ONLY_HITTER, "", "bar:1")
    assert against(ONLY_HITTER, board(ONLY_HITTER, "4:2", "23:1"), both_off, make_stage((2,) * 4)) == ["home_hit"]


def test_g_the_hitter_may_move_on_inside_the_home() -> None:
    """6/4*/2 with 2-2, but not off with the third two."""
    assert plays(NO_BEAROFF, "6:1", "21:1", 2, 2, 2, 2) == {"6/4*/2"}


def test_g_holds_a_hitter_that_came_from_outside() -> None:
    """8/6*/off is refused although 8/6* was the last checker to get home; 8/2/off hits nothing."""
    assert plays(NO_BEAROFF, "8:1", "19:1", 6, 2) == {"8/off"}
    assert plays(game("backgammon"), "8:1", "19:1", 6, 2) == {"8/off", "8/6*/off"}


def test_caucasian_no_hiding() -> None:
    """8:1, 2:2, blot on 4, roll 4-2: 8/4*/2 is illegal; 8/6/2 without the hit is legal."""
    before = board(CAUCASIAN, "8:1 2:2", "21:1")
    assert "8/2" in plays(CAUCASIAN, "8:1 2:2", "21:1", 4, 2)
    assert against(CAUCASIAN, before, board(CAUCASIAN, "2:3", "bar:1"), make_stage((4, 2))) == ["home_hit"]


def test_caucasian_off_only_when_the_number_has_no_other_use() -> None:
    """6:1, 4:1, blot on 2, roll 4-2: after 6/2* the 2 is 4/2. Alone, blot on 1, roll 5-4: 6/1*/off."""
    before = board(CAUCASIAN, "6:1 4:1", "23:1")
    assert against(CAUCASIAN, before, board(CAUCASIAN, "2:2", "bar:1"), make_stage((4, 2))) == []
    assert "home_hit" in against(CAUCASIAN, before, board(CAUCASIAN, "4:1", "bar:1"), make_stage((4, 2)))
    assert "6/1*/off" in plays(CAUCASIAN, "6:1", "24:1", 5, 4)


def test_caucasian_covering_and_going_on_to_a_free_point() -> None:
    before = board(CAUCASIAN, "8:2", "21:1")
    assert against(CAUCASIAN, before, board(CAUCASIAN, "4:2", "bar:1"), make_stage((4, 4))) == []
    free_point = board(CAUCASIAN, "8:1 2:1", "bar:1")
    assert against(CAUCASIAN, before, free_point, make_stage((4, 2))) == []


def test_international_rules_have_none_of_it() -> None:
    assert plays(game("backgammon"), "6:1", "21:1", 4, 2) == {"6/4*/off", "6/off"}
