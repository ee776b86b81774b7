"""What a board claims, whatever the throw."""

import pytest

from controller.rules import Breach, Illegal, Player, Ruleset, Setup, Side, judge_stage, make_stage
from controller.rules.judging.claim import read_claim
from tests.controller.rules.boards import against, board, game, side

BACKGAMMON, LONG_NARDY, PLAKOTO = game("backgammon"), game("long_nardy"), game("plakoto")
BEFORE = board(BACKGAMMON, "13:2", "15:1 8:2")
PINS_MOVED = "A pinned checker no longer lies underneath, or another one does; restore the order of the checkers."


def breaches(white: str, black: str, totals: tuple[int, int] = (15, 15)) -> tuple[Breach, ...]:
    after = Setup(side(white, totals[0]), side(black, totals[1]))
    return read_claim(BEFORE, Player.WHITE, after, BACKGAMMON).breaches


@pytest.mark.parametrize(
    ("white", "black", "totals", "rule", "sentence"),
    [
        ("13:1", "15:1 8:2", (14, 15), "checker_missing", "White has 14 of 15 checkers; put the missing ones back."),
        ("13:3", "15:1 8:2", (16, 15), "checker_extra", "White has 16 instead of 15 checkers; take the extra ones away."),
        ("13:2", "15:1 8:1", (15, 14), "checker_missing", "Black has 14 of 15 checkers; put the missing ones back."),
        ("13:2", "15:1 8:3", (15, 16), "checker_extra", "Black has 16 instead of 15 checkers; take the extra ones away."),
        ("14:1 13:1", "15:1 8:2", (15, 15), "moved_backwards", "A checker went back from point 13 to point 14; checkers only move forward."),
        ("bar:1 13:1", "15:1 8:2", (15, 15), "moved_backwards", "A checker went back from point 13 to the bar; checkers only move forward."),
        ("13:1 10:1", "15:1 8:1 7:1", (15, 15), "opponent_moved", "The opponent's checkers changed on point 7 and point 8 (his own count); put them back."),
        ("13:1 10:1", "8:1 bar:2", (15, 15), "opponent_moved", "The opponent's checkers changed on point 8 and point 15 and the bar (his own count); put them back."),
        # 13/10 where Black's blot still stands on his 15: it was hit and belongs on the bar
        ("13:1 10:1", "15:1 8:2", (15, 15), "hit_not_on_bar", "Black's checker on the mover's point 10 was hit; put it on the bar."),
    ],
)  # fmt: skip
def test_what_no_throw_explains(white: str, black: str, totals: tuple[int, int], rule: str, sentence: str) -> None:
    (breach,) = breaches(white, black, totals)
    assert (breach.rule.value, breach.sentence) == (rule, sentence)


def test_a_hit_checker_that_is_nowhere() -> None:
    """It is missing and belongs on the bar; the missing total alone would hide the hit."""
    found = breaches("13:1 10:1", "8:2", (15, 14))
    assert [one.rule.value for one in found] == ["hit_not_on_bar", "checker_missing"]
    assert found[0].sentence == "1 of Black's checkers left the board by a hit; put what was hit on the bar."


@pytest.mark.parametrize(
    ("rules", "before", "white", "black", "number", "expected"),
    [
        # the blot is not on the bar, which does not hide that 13/10 is no five
        (BACKGAMMON, ("13:2", "15:1 8:2"), side("13:1 10:1"), side("15:1 8:2"), 5, ["wrong_numbers", "hit_not_on_bar"]),
        (BACKGAMMON, ("13:2", "15:1 8:2"), side("13:1 10:1"), side("15:1 8:2"), 3, ["hit_not_on_bar"]),
        # a camera without a tray counts the hit checker as borne off
        (BACKGAMMON, ("13:2", "15:1 8:2"), side("13:1 10:1"), side("8:2"), 3, ["hit_not_on_bar"]),
        # the mover's checkers could not have hit the blot that is gone
        (BACKGAMMON, ("13:2", "15:1 8:2"), side("13:1 11:1"), side("8:2"), 2, ["opponent_moved"]),
        # a checker vanished from the bar; nothing was hit
        (BACKGAMMON, ("13:2", "bar:1 8:2"), side("13:1 10:1"), side("8:2", 14), 3, ["checker_missing"]),
        # 16 on the points and -1 in the tray are one too many
        (BACKGAMMON, ("13:15", "8:2"), side("13:15 10:1"), side("8:2"), 3, ["checker_extra"]),
        # a second hit joins the checker on the bar
        (BACKGAMMON, ("13:2", "bar:1 15:1 8:2"), side("13:1 10:1"), side("bar:2 8:2"), 3, []),
        (LONG_NARDY, ("24:15", "24:15"), side("24:14 20:1"), side("24:14 20:1"), 4, ["opponent_moved"]),
        (LONG_NARDY, ("24:15", "24:15"), side("24:14 20:1"), side("24:14", 14), 4, ["checker_missing"]),
        # White lands on Black's single checker: that one is underneath, whatever the claim says
        (PLAKOTO, ("13:1", "15:1"), side("10:1"), side("15:1", pinned=frozenset({15})), 3, []),
        (PLAKOTO, ("13:1", "15:1"), side("10:1", pinned=frozenset({10})), side("15:1"), 3, ["opponent_moved"]),
    ],
)  # fmt: skip
def test_the_breaches(  # noqa: PLR0917 - a row of the table
    rules: Ruleset, before: tuple[str, str], white: Side, black: Side, number: int, expected: list[str]
) -> None:
    after = Setup(white, black)
    assert against(rules, board(rules, *before), after, make_stage((number,))) == expected


@pytest.mark.parametrize(
    ("mover", "before", "after", "numbers", "expected"),
    [
        # two blots were hit; one of them is nowhere
        (
            Player.WHITE, ("13:2", "15:1 14:1 8:2"), Setup(side("11:1 10:1"), side("bar:1 8:2", 14)), (3, 2),
            ["1 of Black's checkers left the board by a hit; put what was hit on the bar.", "Black has 14 of 15 checkers; put the missing ones back."],
        ),
        # Black is read along his own path
        (
            Player.BLACK, ("15:1 8:2", "13:2"), Setup(side("8:2"), side("13:1 10:1")), (3,),
            ["A checker of White's that was hit does not lie on the bar; put it there."],
        ),
    ],
)  # fmt: skip
def test_the_sentences(
    mover: Player, before: tuple[str, str], after: Setup, numbers: tuple[int, ...], expected: list[str]
) -> None:
    ruling = judge_stage(board(BACKGAMMON, *before), mover, make_stage(numbers), after, BACKGAMMON)
    assert isinstance(ruling, Illegal)
    assert [breach.sentence for breach in ruling.breaches] == expected


@pytest.mark.parametrize(
    ("white_pins", "black_pins", "expected"),
    [({5}, {15}, []), (set(), set(), [PINS_MOVED]), ({5}, set(), [PINS_MOVED]), ({5}, {15, 16}, [PINS_MOVED])],
)
def test_pins_must_lie_as_the_counts_say(white_pins: set[int], black_pins: set[int], expected: list[str]) -> None:
    """White, pinned on 5, goes 13/10 and pins Black's checker on his 15; any other order is a breach."""
    before = board(PLAKOTO, "13:1 5:1", "20:1 15:1 16:1", pins={Player.WHITE: {5}})
    white = side("10:1 5:1", pinned=frozenset(white_pins))
    after = Setup(white, side("20:1 15:1 16:1", pinned=frozenset(black_pins)))
    ruling = judge_stage(before, Player.WHITE, make_stage((3,)), after, PLAKOTO)
    found = [breach.sentence for breach in ruling.breaches] if isinstance(ruling, Illegal) else []
    assert found == expected
