"""Options, and house variants from TOML text."""

import pytest

from controller.rules import DiceUse, RulesetError, get_ruleset, parse_house_variant, with_options
from controller.rules.ruleset import Prime
from tests.controller.rules.boards import game

BACKGAMMON = get_ruleset("backgammon")


def problems(**options: object) -> tuple[str, ...]:
    with pytest.raises(RulesetError) as caught:
        with_options(BACKGAMMON, options)
    assert str(caught.value) == "; ".join(caught.value.problems)
    return caught.value.problems


def test_without_options_the_row_itself() -> None:
    assert with_options(BACKGAMMON, {}) is BACKGAMMON


def test_each_kind_of_value() -> None:
    """A word, a number, a truth, yes and no, and none for no limit."""
    rules = game("long_nardy", prime="none", head_limit=2, cube=True, winner_starts="yes", beaver="no", max_stack=6)
    assert (rules.prime, rules.head_limit, rules.cube) == (Prime.NONE, 2, True)
    assert (rules.winner_starts, rules.beaver, rules.max_stack) == (True, False, 6)
    assert game("old_english", max_stack="none").max_stack is None
    assert game("old_english", max_stack=None).max_stack is None
    assert game("backgammon", scoring="lithuanian", white_head=24).white_head == 24
    assert game("backgammon", dice_use="free").dice_use is DiceUse.FREE


def test_a_start_position_from_text() -> None:
    assert game("backgammon_race", checkers=5, start="6:2 reserve:3").start == ((26, 3), (6, 2))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"max_stak": 5}, "unknown option 'max_stak'; did you mean max_stack?"),
        ({"checkers": 16}, "option checkers: 16 does not fit; give a whole number from 1 to 15"),
        ({"checkers": True}, "option checkers: True does not fit; give a whole number from 1 to 15"),
        ({"checkers": "3"}, "option checkers: '3' does not fit; give a whole number from 1 to 15"),
        ({"checkers": None}, "option checkers: null means no limit, and checkers is no limit; give a value"),
        ({"max_stack": 0}, 'option max_stack: 0 does not fit; give a whole number from 1 to 15, or "none"'),
        ({"cube": "maybe"}, "option cube: 'maybe' is neither true nor false; write one of them"),
        ({"cube": 1}, "option cube: 1 is neither true nor false; write one of them"),
        ({"contact": "push"}, "option contact: 'push' is not known; choose one of hit, block, pin"),
        ({"contact": ["hit"]}, "option contact: ['hit'] is not known; choose one of hit, block, pin"),
        ({"white_head": 6}, "option white_head: 6 is not known; choose one of 12, 24"),
        ({"scoring": True}, "option scoring: True is not known; choose one of usbgf, lithuanian"),
        ({"start": 24}, "option start: 24 is no start position; write point:checkers pairs, like 24:2 13:5 8:3 6:5"),
        ({"start": " "}, "option start: ' ' is no start position; write point:checkers pairs"),
        ({"start": "25:15"}, "option start: '25:15' is no start position"),
        ({"start": "24:x"}, "option start: '24:x' is no start position"),
        ({"start": "24-15"}, "option start: '24-15' is no start position"),
        ({"start": "24:8 24:7"}, "option start: '24:7' names a point twice or not 1 to 15 checkers"),
        ({"start": "24:0"}, "option start: '24:0' is no start position"),
    ],
)
def test_a_wrong_value_is_named_with_its_remedy(options: dict[str, object], sentence: str) -> None:
    (problem,) = problems(**options)
    assert problem.startswith(sentence)


@pytest.mark.parametrize("start", [f"{'9' * 5000}:1", f"24:{'9' * 5000}"])
def test_a_start_of_too_many_digits(start: str) -> None:
    (problem,) = problems(start=start)
    assert problem.startswith("option start")


def test_all_mistakes_at_once() -> None:
    assert len(problems(contact="push", checkers=0, nonsense=1)) == 3


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"checkers": 14}, "start: 15 checkers stand there, but checkers = 14; make them equal"),
        ({"start": "24:14 1:1"}, "start: both armies would stand on point 1; move one of the start points"),
        ({"home_hit": "no_run", "bonus_roll": True}, "home_hit: a hit is remembered for one stage"),
        ({"home_hit": "no_hide", "transfer": "all"}, "home_hit: a hit is remembered for one stage"),
        ({"transfer": "cascade"}, "transfer: cascade needs doubles = cascade; set both or use transfer = all"),
        ({"head_limit": 1}, "head_limit: with contact = hit checkers enter on the head again; set contact = block"),
        ({"home_hit": "no_run", "contact": "block"}, "home_hit: without contact = hit nothing is hit; set home_hit = free"),
        ({"home_hit": "no_run", "doubles": "cascade"}, "home_hit: a hit is remembered for one stage, so cascades"),
        ({"mother": True}, "mother: a mother checker can only be caught where contact = pin; set both or neither"),
    ],
)  # fmt: skip
def test_values_that_make_no_game_together(options: dict[str, object], sentence: str) -> None:
    (problem,) = problems(**options)
    assert problem.startswith(sentence)


def test_a_house_variant() -> None:
    rules = parse_house_variant(
        'name = "club_nardy"\nbase = "long_nardy"\n[parameters]\nhead_limit = 2\nprime = "none"\n'
    )
    assert (rules.name, rules.head_limit, rules.prime) == ("club_nardy", 2, Prime.NONE)
    assert parse_house_variant('name = "same"\nbase = "tavla"').bearoff is get_ruleset("tavla").bearoff


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("name = ", "this is no TOML:"),
        ('base = "tavla"', "name: give the variant a name of letters, digits and underscores"),
        ('name = "a b"\nbase = "tavla"', "name: give the variant a name of letters, digits and underscores"),
        ('name = "tavla"\nbase = "tavla"', "name: tavla is a built-in game; choose another name"),
        ('name = "mine"', "base: name the game that it changes; choose one of backgammon, backgammon_g"),
        ('name = "mine"\nbase = "grasshopper"', "base: 'grasshopper' is no game with options; choose one of backgammon"),
        ('name = "mine"\nbase = "tavla"\nparameters = 3', "parameters: write them as a table, [parameters]"),
        ('name = "mine"\nbase = "tavla"\ncube = true', "unknown key 'cube'; choose one of name, base, parameters"),
        ('name = "mine"\nbase = "tavla"\n[parameters]\ncube = 3', "option cube: 3 is neither true nor false"),
    ],
)  # fmt: skip
def test_a_house_variant_that_is_none(text: str, sentence: str) -> None:
    with pytest.raises(RulesetError) as caught:
        parse_house_variant(text)
    assert caught.value.problems[0].startswith(sentence)


def test_all_mistakes_of_a_house_variant_at_once() -> None:
    with pytest.raises(RulesetError) as caught:
        parse_house_variant('base = "chess"\nextra = 1\n[parameters]\ncube = 3\nhead_limit = 0')
    assert len(caught.value.problems) == 5


def test_a_limit_may_be_dropped_alone() -> None:
    """Gulbar without the head rule: its exception, which stays in the row, then excepts from nothing."""
    rules = with_options(get_ruleset("gulbar"), {"head_limit": None})
    assert rules.head_limit is None


def test_a_long_value_is_cut_short() -> None:
    (problem,) = problems(prime="x" * 100_000)
    assert len(problem) < 200


def test_a_number_of_thousands_of_digits_is_no_toml() -> None:
    """Python refuses to read it, and so do we, in one sentence."""
    with pytest.raises(RulesetError, match="this is no TOML"):
        parse_house_variant(f'name = "x"\nbase = "tavla"\n[parameters]\nhead_limit = {"9" * 5000}\n')
