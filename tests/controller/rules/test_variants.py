"""The games as rows of the table in rules.md 2."""

import pytest

from controller.rules import GAMES, RULESETS, Ruleset, UnknownGameError, get_ruleset

NAMES = (
    *("backgammon", "backgammon_g", "caucasian", "nackgammon", "hypergammon", "tavla", "old_english"),
    *("long_nardy", "nardegammon", "gulbar", "crazy_gulbar", "gul_bara"),
    *("fevga", "plakoto", "backgammon_race", "anti_backgammon", "long_gammon"),
)
# name -> direction contact dice_use larger_die max_stack head_limit head_exception prime home_hit bearoff
STEPS_COLUMNS = {
    "backgammon": "contrary hit max True None None none none free standard",
    "backgammon_g": "contrary hit max True None None none none no_bearoff standard",
    "caucasian": "contrary hit max True None None none none no_hide standard",
    "tavla": "contrary hit max True None None none none no_run forced",
    "old_english": "contrary hit nonempty False 5 None none none free standard",
    "long_nardy": "parallel block max True None 1 head_blocked need_checker_ahead free standard",
    "nardegammon": "parallel block max True None 1 head_blocked need_checker_ahead free standard",
    "gulbar": "parallel block max True None 1 head_blocked need_checker_ahead free standard",
    "crazy_gulbar": "parallel block max True None 1 head_blocked need_checker_ahead free standard",
    "gul_bara": "parallel block max True None None none none free standard",
    "fevga": "parallel block max True None None none none free standard",
    "plakoto": "contrary pin max True None None none none free standard",
}
# name -> opening doubles ordinary_rolls transfer bonus_roll scoring cube
FLOW_COLUMNS = {
    "backgammon": "opening_dice four 0 none False usbgf True",
    "nackgammon": "opening_dice four 0 none False usbgf True",
    "hypergammon": "opening_dice four 0 none False usbgf True",
    "tavla": "reroll four 0 none False two False",
    "old_english": "opening_dice four 0 none False one False",
    "long_nardy": "reroll four 0 none False long False",
    "nardegammon": "opening_dice four 0 none False long True",
    "gulbar": "reroll four 0 all True long False",
    "crazy_gulbar": "reroll cascade 0 all False long False",
    "gul_bara": "reroll cascade 3 cascade False two False",
    "fevga": "reroll four 0 none False two False",
    "plakoto": "reroll four 0 none False two False",
    "backgammon_race": "opening_dice four 0 none False usbgf False",
    "anti_backgammon": "opening_dice four 0 none False one False",
    "long_gammon": "opening_dice four 0 none False usbgf True",
}


def row(rules: Ruleset, columns: str) -> str:
    cells = [getattr(rules, column) for column in columns.split()]
    return " ".join(str(getattr(cell, "value", cell)) for cell in cells)


def test_the_games() -> None:
    assert (*NAMES, "grasshopper") == GAMES


@pytest.mark.parametrize("name", STEPS_COLUMNS)
def test_what_the_table_says_of_steps(name: str) -> None:
    columns = "direction contact dice_use larger_die max_stack head_limit head_exception prime home_hit bearoff"
    assert row(RULESETS[name], columns) == STEPS_COLUMNS[name]


@pytest.mark.parametrize("name", FLOW_COLUMNS)
def test_what_the_table_says_of_the_flow(name: str) -> None:
    columns = "opening doubles ordinary_rolls transfer bonus_roll scoring cube"
    assert row(RULESETS[name], columns) == FLOW_COLUMNS[name]


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("backgammon", ((24, 2), (13, 5), (8, 3), (6, 5))),
        ("nackgammon", ((24, 2), (23, 2), (13, 4), (8, 3), (6, 4))),
        ("hypergammon", ((24, 1), (23, 1), (22, 1))),
        ("long_nardy", ((24, 15),)),
        ("plakoto", ((24, 15),)),
        ("long_gammon", ((24, 15),)),
        ("backgammon_race", ((26, 15),)),
        ("anti_backgammon", ((24, 2), (13, 5), (8, 3), (6, 5))),
    ],
)
def test_the_start(name: str, start: tuple[tuple[int, int], ...]) -> None:
    assert RULESETS[name].start == start


def test_the_army_is_complete_in_every_game() -> None:
    for rules in RULESETS.values():
        assert sum(count for _, count in rules.start) == rules.checkers == (3 if rules.name == "hypergammon" else 15)


def test_numbers_of_a_cascade() -> None:
    """Two a rank in crazy gulbar, four in gul bara."""
    assert (RULESETS["crazy_gulbar"].cascade_count, RULESETS["gul_bara"].cascade_count) == (2, 4)


def test_only_the_race_has_a_reserve() -> None:
    assert [rules.name for rules in RULESETS.values() if rules.has_reserve] == ["backgammon_race"]


def test_an_unknown_game_is_told_the_names() -> None:
    with pytest.raises(UnknownGameError, match="unknown game 'backgamon'; choose one of backgammon, backgammon_g, cau"):
        get_ruleset("backgamon")
