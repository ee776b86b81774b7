"""Two dice."""

import pytest

from controller.rules import ALL_ROLLS, NumbersError, Roll


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
