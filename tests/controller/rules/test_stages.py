"""From the roll to stages, and what follows a stage."""

import pytest

from controller.rules import (
    ALL_ROLLS,
    NumbersError,
    Roll,
    RollCounters,
    Stage,
    ThrowKind,
    find_follow,
    make_own_throw,
    make_stage,
    make_transfer_throw,
)
from tests.controller.rules.boards import game

LATE = RollCounters(game=20, player=10)


def stages(name: str, dice: tuple[int, int], before: RollCounters = LATE, **options: object) -> list[str]:
    throw = make_own_throw(Roll.of(*dice), game(name, **options), before)
    return ["".join(map(str, stage)) for stage in throw.stages]


@pytest.mark.parametrize(
    ("name", "dice", "expected"),
    [
        ("backgammon", (2, 5), "52"),
        ("backgammon", (5, 5), "5555"),
        ("long_nardy", (1, 1), "1111"),
        ("gulbar", (6, 6), "6666"),
        ("gul_bara", (2, 2), "2222 3333 4444 5555 6666"),
        ("gul_bara", (6, 6), "6666"),
        ("gul_bara", (4, 3), "43"),
        ("crazy_gulbar", (4, 4), "44 55 66"),
    ],
)
def test_the_stages_of_a_roll(name: str, dice: tuple[int, int], expected: str) -> None:
    assert stages(name, dice) == expected.split()


@pytest.mark.parametrize(
    ("rolls", "scope", "expected"),
    [
        (RollCounters(game=2, player=1), "game", "5555"),
        (RollCounters(game=3, player=1), "game", "5555 6666"),
        (RollCounters(game=5, player=2), "player", "5555"),
        (RollCounters(game=6, player=3), "player", "5555 6666"),
    ],
)
def test_the_first_rolls_of_gul_bara_have_ordinary_doubles(rolls: RollCounters, scope: str, expected: str) -> None:
    """Three rolls: of the game by default, of each player by option."""
    assert stages("gul_bara", (5, 5), rolls, ordinary_rolls_scope=scope) == expected.split()


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [((4,), "4"), ((5, 6), "65"), ((5, 6, 6), "5 66"), ((6, 6), "66"), ((3, 3, 4, 4, 4, 4), "33 4444")],
)
def test_the_stages_of_handed_over_numbers(numbers: tuple[int, ...], expected: str) -> None:
    """Two different ones are one stage; equal ones are a stage for each rank, in rising order."""
    throw = make_transfer_throw(numbers)
    assert throw.kind is ThrowKind.TRANSFER
    assert ["".join(map(str, stage)) for stage in throw.stages] == expected.split()


@pytest.mark.parametrize(
    ("name", "dice", "index", "unused", "expected"),
    [
        ("backgammon", (5, 4), 0, (4,), "end_turn"),
        ("backgammon", (5, 5), 0, (), "end_turn"),
        # gulbar: 6-6 first, two sixes are played, two go to Black; 5-4, only the 5: the 4 goes over
        ("gulbar", (6, 6), 0, (6, 6), "transfer:6,6"),
        ("gulbar", (5, 4), 0, (4,), "transfer:4"),
        ("gulbar", (5, 4), 0, (), "end_turn"),
        ("gulbar", (5, 5), 0, (), "roll_again"),
        # crazy gulbar, 4-4: both fours, one five; Black gets 5, 6, 6
        ("crazy_gulbar", (4, 4), 0, (), "next_rank"),
        ("crazy_gulbar", (4, 4), 1, (5,), "transfer:5,6,6"),
        ("crazy_gulbar", (4, 4), 2, (), "end_turn"),
        ("crazy_gulbar", (5, 4), 0, (4, 5), "transfer:5,4"),
        ("gul_bara", (5, 5), 0, (5,), "transfer:5,6,6,6,6"),
        ("gul_bara", (5, 4), 0, (5, 4), "end_turn"),
        ("gul_bara", (6, 6), 0, (), "end_turn"),
    ],
)
def test_what_follows_a_stage(
    name: str, dice: tuple[int, int], index: int, unused: tuple[int, ...], expected: str
) -> None:
    rules = game(name)
    assert str(find_follow(make_own_throw(Roll.of(*dice), rules, LATE), index, unused, rules)) == expected


def test_an_ordinary_double_of_gul_bara_hands_nothing_over() -> None:
    """3-3 as the second roll of the game: four threes, nothing is handed over."""
    rules = game("gul_bara")
    throw = make_own_throw(Roll.of(3, 3), rules, RollCounters(game=1, player=0))
    assert throw.stages == ((3, 3, 3, 3),)
    assert str(find_follow(throw, 0, (3, 3), rules)) == "end_turn"


def test_a_bonus_roll_by_option_also_after_a_cascade() -> None:
    rules = game("crazy_gulbar", bonus_roll=True)
    assert str(find_follow(make_own_throw(Roll.of(6, 6), rules, LATE), 0, (), rules)) == "roll_again"


@pytest.mark.parametrize(
    ("index", "unused", "expected"),
    [(0, (), "next_rank"), (0, (5,), "end_turn"), (1, (6,), "end_turn"), (1, (), "end_turn")],
)
def test_nothing_ever_goes_back(index: int, unused: tuple[int, ...], expected: str) -> None:
    """What the second player cannot play of handed-over numbers is lost, and all of them give no bonus roll."""
    rules = game("gulbar")
    assert str(find_follow(make_transfer_throw((5, 6, 6)), index, unused, rules)) == expected


def test_the_first_own_roll_is_known_by_its_counter() -> None:
    rules = game("long_nardy")
    assert make_own_throw(Roll.of(6, 6), rules, RollCounters(game=1, player=0)).is_first_roll
    assert not make_own_throw(Roll.of(6, 6), rules, RollCounters(game=1, player=1)).is_first_roll
    assert not make_transfer_throw((6, 6)).is_first_roll


def test_a_stage_of_numbers_in_any_order() -> None:
    assert make_stage((2, 5)) == Stage((5, 2))


@pytest.mark.parametrize(
    ("numbers", "sentence"),
    [
        ((7,), "numbers 7: every number must be from 1 to 6"),
        ((0, 3), "numbers 0,3: every number must be from 1 to 6"),
        ((), "numbers none: a stage is two different numbers"),
        ((2, 5), "numbers 2,5: a stage is two different numbers, the higher first"),
        ((6, 5, 4), "numbers 6,5,4: a stage is two different numbers"),
        ((3,) * 5, "numbers 3,3,3,3,3: a stage is two different numbers, the higher first, or 1 to 4 equal ones"),
    ],
)
def test_numbers_that_are_no_stage(numbers: tuple[int, ...], sentence: str) -> None:
    with pytest.raises(NumbersError) as caught:
        Stage(numbers)
    assert str(caught.value).startswith(sentence)


def test_dice_in_any_order_are_one_roll() -> None:
    assert Roll.of(2, 5) == Roll.of(5, 2) == Roll(5, 2)


def test_a_double() -> None:
    assert Roll.of(3, 3).is_double
    assert not Roll.of(3, 2).is_double


def test_there_are_twenty_one_rolls() -> None:
    assert len(set(ALL_ROLLS)) == 21


@pytest.mark.parametrize("dice", [(0, 1), (7, 1), (-1, 6), (6, 7)])
def test_no_die(dice: tuple[int, int]) -> None:
    with pytest.raises(NumbersError, match="is no die; a roll has two numbers from 1 to 6"):
        Roll.of(*dice)


def test_the_higher_number_comes_first() -> None:
    with pytest.raises(NumbersError, match=r"roll 2-5 has its lower number first; use Roll\.of"):
        Roll(2, 5)
