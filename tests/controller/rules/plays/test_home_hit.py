"""A hit in the mover's own home: tavla, backgammon_g, caucasian."""

import pytest

from controller.rules import Ruleset, make_stage
from tests.controller.rules.boards import against, board, game, plays

TAVLA, CAUCASIAN, BACKGAMMON = game("tavla"), game("caucasian"), game("backgammon")
NO_BEAROFF, ONLY_HITTER = game("backgammon_g"), game("backgammon_g", home_hit_pair=False)


@pytest.mark.parametrize(
    ("why", "rules", "white", "black", "numbers", "expected"),
    [
        ("8/4* would strand the 2, so 8/6/2 is compulsory", TAVLA, "8:1", "21:1", (4, 2), {"8/2"}),
        ("tavla: hits elsewhere are free", TAVLA, "13:1", "15:1", (3, 2), {"13/10*/8", "13/8"}),
        ("the hitter may move on inside the home, not off", NO_BEAROFF, "6:1", "21:1", (2,) * 4, {"6/4*/2"}),
        ("a hitter from outside is held too; 8/2/off hits nothing", NO_BEAROFF, "8:1", "19:1", (6, 2), {"8/off"}),
        ("backgammon has no such rule", BACKGAMMON, "8:1", "19:1", (6, 2), {"8/off", "8/6*/off"}),
        ("backgammon: hit, run and bear off", BACKGAMMON, "6:1", "21:1", (4, 2), {"6/4*/off", "6/off"}),
        ("caucasian: 8/4*/2 would hide, 8/6/2 does not hit", CAUCASIAN, "8:1 2:2", "21:1", (4, 2), {"8/2", "8/4* 2/off"}),
        ("caucasian: off if the number has no other use", CAUCASIAN, "6:1", "24:1", (5, 4), {"6/1*/off", "6/off"}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_the_plays(  # noqa: PLR0917 - a row of the table
    why: str, rules: Ruleset, white: str, black: str, numbers: tuple[int, ...], expected: set[str]
) -> None:
    assert plays(rules, white, black, *numbers) == expected, why


@pytest.mark.parametrize(
    ("why", "rules", "white", "blot", "after", "numbers", "expected"),
    [
        ("one checker must remain on 4", TAVLA, "10:1 6:1", "21:1", "10:1 2:1", (2, 2), ["home_hit"]),
        ("whichever checker it is", TAVLA, "10:1 6:2", "21:1", "10:1 4:1 2:1", (2, 2, 2), []),
        ("4/2*(2): both may stay", NO_BEAROFF, "4:2 6:1", "23:1", "4:1 2:2", (2, 2, 2), []),
        ("2/off: the pair is held too", NO_BEAROFF, "4:2 6:1", "23:1", "4:1 2:1", (2,) * 4, ["home_hit", "pair", "wrong_numbers"]),
        ("without the pair one of the two may go", ONLY_HITTER, "4:2 6:1", "23:1", "4:1 2:1", (2,) * 4, []),
        ("but not both", ONLY_HITTER, "4:2", "23:1", "", (2,) * 4, ["home_hit"]),
        ("no hiding", CAUCASIAN, "8:1 2:2", "21:1", "2:3", (4, 2), ["home_hit"]),
        ("after 6/2* the 2 is 4/2", CAUCASIAN, "6:1 4:1", "23:1", "2:2", (4, 2), []),
        ("and not 2/off", CAUCASIAN, "6:1 4:1", "23:1", "4:1", (4, 2), ["home_hit"]),
        ("the hitter may be covered", CAUCASIAN, "8:2", "21:1", "4:2", (4, 4), []),
        ("and may move on to a free point", CAUCASIAN, "8:2", "21:1", "8:1 2:1", (4, 2), []),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_the_breaches(  # noqa: PLR0917 - a row of the table
    why: str, rules: Ruleset, white: str, blot: str, after: str, numbers: tuple[int, ...], expected: list[str]
) -> None:
    found = against(rules, board(rules, white, blot), board(rules, after, "bar:1"), make_stage(numbers))
    assert found == expected, why
