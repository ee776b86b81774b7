"""The duty to use the numbers, its other forms, and the rules about the final board."""

import pytest

from controller.rules import Player, Ruleset, legal_plays, list_endings, make_stage
from tests.controller.rules.boards import against, board, game, plays

BACKGAMMON, OLD_ENGLISH, ANY_NUMBER = game("backgammon"), game("old_english"), game("backgammon", larger_die=False)
GREEDY, FREE = game("backgammon", dice_use="greedy"), game("backgammon", dice_use="free")


@pytest.mark.parametrize(
    ("why", "rules", "white", "black", "numbers", "expected"),
    [
        ("12/6 and 12/8 are possible, never both: the 6", BACKGAMMON, "12:1", "23:2", (6, 4), {"12/6"}),
        ("the same without `larger_die`", ANY_NUMBER, "12:1", "23:2", (6, 4), {"12/6", "12/8"}),
        ("the 5 is possible only after 20/18", BACKGAMMON, "20:1 8:1", "10:2 22:2 19:2", (5, 2), {"20/13"}),
        ("only the 2 enters; the 3 is lost", BACKGAMMON, "bar:2", "3:2", (3, 2), {"bar/23"}),
        ("3/off with the 4 alone is no complete play", BACKGAMMON, "3:1", "23:1", (4, 1), {"3/2*/off"}),
        ("the bar enters with the 4, any checker plays the 6", BACKGAMMON, "bar:1 13:1", "6:2", (6, 4), {"bar/21 13/7", "bar/15"}),
        ("old English: either number or both", OLD_ENGLISH, "24:1", "", (6, 4), {"24/18", "24/20", "24/14"}),
        ("old English: a double one to four times", OLD_ENGLISH, "24:1", "", (2,) * 4, {"24/22", "24/20", "24/18", "24/16"}),
        ("old English: nothing is possible", OLD_ENGLISH, "24:1", "7:2 5:2", (6, 4), {"pass"}),
        ("greedy: both numbers stop, no larger number", GREEDY, "12:1", "23:2", (6, 4), {"12/6", "12/8"}),
        ("greedy: after 20/18 the five has a step", GREEDY, "20:1 8:1", "10:2 22:2 19:2", (5, 2), {"20/13"}),
        ("free: any number of steps", FREE, "24:1", "", (6, 4), {"pass", "24/18", "24/20", "24/14"}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_the_plays(  # noqa: PLR0917 - a row of the table
    why: str, rules: Ruleset, white: str, black: str, numbers: tuple[int, ...], expected: set[str]
) -> None:
    assert plays(rules, white, black, *numbers) == expected, why


@pytest.mark.parametrize(
    ("rules", "white", "black", "after", "numbers", "expected"),
    [
        (BACKGAMMON, "3:1", "23:1", "", (4, 1), ["must_play_more", "wrong_numbers"]),
        (OLD_ENGLISH, "24:1", "", "24:1", (6, 4), ["must_play_one"]),
        (GREEDY, "24:1", "", "24:1", (6, 4), ["must_play_more"]),
        (FREE, "24:1", "", "24:1", (6, 4), []),
    ],
)
def test_the_breaches(  # noqa: PLR0917 - a row of the table
    rules: Ruleset, white: str, black: str, after: str, numbers: tuple[int, ...], expected: list[str]
) -> None:
    stage = make_stage(numbers)
    assert against(rules, board(rules, white, black), board(rules, after, black), stage) == expected


def test_nothing_can_be_played() -> None:
    """The one result of a forced pass is the unchanged board."""
    before = board(BACKGAMMON, "bar:1 6:1", "6:2 5:2")
    (only,) = legal_plays(before, Player.WHITE, make_stage((6, 5)), BACKGAMMON)
    assert (only.steps, only.after, only.unused) == ((), before, (6, 5))


def test_a_double_uses_as_many_numbers_as_any_sequence_does() -> None:
    """12/9/6 and 13/10 with threes, then 3 is held by Black: three of four are played."""
    (only,) = legal_plays(board(BACKGAMMON, "12:1 13:1", "22:2 18:2"), Player.WHITE, make_stage((3,) * 4), BACKGAMMON)
    assert only.unused == (3,)
    assert len(only.steps) == 3


def test_the_larger_die_rule_in_a_bear_off() -> None:
    """Without it, either number bears the last checker off: two endings with one board."""
    endings = list_endings(board(ANY_NUMBER, "2:1", "24:15"), Player.WHITE, make_stage((6, 5)), ANY_NUMBER)
    assert {(after.counts(Player.WHITE)[0], unused) for after, unused in endings} == {(15, (5,)), (15, (6,))}
