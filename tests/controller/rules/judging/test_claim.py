"""What a board claims before any throw is asked."""

import pytest

from controller.rules import Breach, Illegal, Player, Setup, judge_stage, make_stage
from controller.rules.judging.claim import read_claim
from tests.controller.rules.boards import against, board, game, side

BACKGAMMON, LONG_NARDY, PLAKOTO = game("backgammon"), game("long_nardy"), game("plakoto")
BEFORE = board(BACKGAMMON, "13:2", "15:1 8:2")


def breaches(white: str, black: str, *, white_total: int = 15, black_total: int = 15) -> tuple[Breach, ...]:
    after = Setup(side(white, white_total), side(black, black_total))
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
    ],
)  # fmt: skip
def test_what_no_throw_explains(white: str, black: str, totals: tuple[int, int], rule: str, sentence: str) -> None:
    (breach,) = breaches(white, black, white_total=totals[0], black_total=totals[1])
    assert (breach.rule.value, breach.sentence) == (rule, sentence)


def test_a_hit_checker_left_standing() -> None:
    """13/10 where Black's blot still stands on his 15: it was hit and belongs on the bar."""
    (breach,) = breaches("13:1 10:1", "15:1 8:2")
    assert (breach.rule.value, breach.sentence) == (
        "hit_not_on_bar",
        "Black's checker on the mover's point 10 was hit; put it on the bar.",
    )


def test_a_hit_checker_that_is_nowhere() -> None:
    """It is missing and belongs on the bar; the missing total alone would hide the hit."""
    found = breaches("13:1 10:1", "8:2", black_total=14)
    assert [one.rule.value for one in found] == ["hit_not_on_bar", "checker_missing"]
    assert found[0].sentence == "1 of Black's checkers left the board by a hit; put what was hit on the bar."


def test_a_hit_left_standing_does_not_hide_what_else_was_played() -> None:
    """13/10 with a 5: no such step, and the blot is not on the bar."""
    rules = against(BACKGAMMON, BEFORE, Setup(side("13:1 10:1"), side("15:1 8:2")), make_stage((5,)))
    assert rules == ["wrong_numbers", "hit_not_on_bar"]
    legal_step = against(BACKGAMMON, BEFORE, Setup(side("13:1 10:1"), side("15:1 8:2")), make_stage((3,)))
    assert legal_step == ["hit_not_on_bar"]


def test_the_opponent_moved_where_nothing_is_hit() -> None:
    before = board(LONG_NARDY, "24:15", "24:15")
    moved = Setup(side("24:14 20:1"), side("24:14 20:1"))
    assert against(LONG_NARDY, before, moved, make_stage((4,))) == ["opponent_moved"]
    missing = Setup(side("24:14 20:1"), side("24:14", 14))
    assert against(LONG_NARDY, before, missing, make_stage((4,))) == ["checker_missing"]


def test_pins_must_lie_as_the_counts_say() -> None:
    """White lands on Black's single checker: that one is underneath, whatever the claim says."""
    before = board(PLAKOTO, "13:1", "15:1")
    right = Setup(side("10:1"), side("15:1", pinned=frozenset({15})))
    reversed_order = Setup(side("10:1", pinned=frozenset({10})), side("15:1"))
    assert against(PLAKOTO, before, right, make_stage((3,))) == []
    assert against(PLAKOTO, before, reversed_order, make_stage((3,))) == ["opponent_moved"]


def test_a_hit_checker_laid_in_the_tray_belongs_on_the_bar() -> None:
    """A camera without a tray counts what is gone as borne off; the play itself was right."""
    before = board(BACKGAMMON, "13:2", "15:1 8:2")
    after = Setup(side("13:1 10:1"), side("8:2"))
    assert against(BACKGAMMON, before, after, make_stage((3,))) == ["hit_not_on_bar"]


def test_a_blot_that_was_only_taken_away_was_moved() -> None:
    before = board(BACKGAMMON, "13:2", "15:1 8:2")
    after = Setup(side("13:1 11:1"), side("8:2"))
    assert against(BACKGAMMON, before, after, make_stage((2,))) == ["opponent_moved"]


def test_a_checker_that_vanished_from_the_bar_is_missing() -> None:
    before = board(BACKGAMMON, "13:2", "bar:1 8:2")
    after = Setup(side("13:1 10:1"), side("8:2", 14))
    assert against(BACKGAMMON, before, after, make_stage((3,))) == ["checker_missing"]


def test_too_many_checkers_counted_against_the_tray_are_extra() -> None:
    """16 on the points and -1 in the tray are one too many, not a checker that came back from the tray."""
    before = board(BACKGAMMON, "13:15", "8:2")
    after = Setup(side("13:15 10:1"), side("8:2"))
    assert after.white.off == -1
    assert against(BACKGAMMON, before, after, make_stage((3,))) == ["checker_extra"]


def test_a_second_hit_joins_the_checker_on_the_bar() -> None:
    """One waited on the bar already; the blot that was hit lies there too."""
    before = board(BACKGAMMON, "13:2", "bar:1 15:1 8:2")
    after = board(BACKGAMMON, "13:1 10:1", "bar:2 8:2")
    assert against(BACKGAMMON, before, after, make_stage((3,))) == []


def test_two_blots_of_which_one_lies_on_the_bar() -> None:
    """Both were hit; the checker that is nowhere is reported, and the right total."""
    before = board(BACKGAMMON, "13:2", "15:1 14:1 8:2")
    ruling = judge_stage(
        before, Player.WHITE, make_stage((3, 2)), Setup(side("11:1 10:1"), side("bar:1 8:2", 14)), BACKGAMMON
    )
    assert isinstance(ruling, Illegal)
    assert [breach.sentence for breach in ruling.breaches] == [
        "1 of Black's checkers left the board by a hit; put what was hit on the bar.",
        "Black has 14 of 15 checkers; put the missing ones back.",
    ]


def test_black_is_read_along_his_own_path() -> None:
    before, after = board(BACKGAMMON, "15:1 8:2", "13:2"), Setup(side("8:2"), side("13:1 10:1"))
    ruling = judge_stage(before, Player.BLACK, make_stage((3,)), after, BACKGAMMON)
    assert isinstance(ruling, Illegal)
    assert [breach.sentence for breach in ruling.breaches] == [
        "A checker of White's that was hit does not lie on the bar; put it there."
    ]


@pytest.mark.parametrize(
    ("white_pins", "black_pins"),
    [(frozenset(), frozenset()), (frozenset({5}), frozenset()), (frozenset({5}), frozenset({15, 16}))],
)
def test_pins_that_lie_otherwise_were_moved(white_pins: frozenset[int], black_pins: frozenset[int]) -> None:
    """White, pinned on 5, goes 13/10 and pins Black's checker on his 15; any other order is a breach."""
    before = board(PLAKOTO, "13:1 5:1", "20:1 15:1 16:1", pins={Player.WHITE: {5}})
    after = Setup(side("10:1 5:1", pinned=white_pins), side("20:1 15:1 16:1", pinned=black_pins))
    ruling = judge_stage(before, Player.WHITE, make_stage((3,)), after, PLAKOTO)
    assert isinstance(ruling, Illegal)
    assert [breach.sentence for breach in ruling.breaches] == [
        "A pinned checker no longer lies underneath, or another one does; restore the order of the checkers."
    ]
    right = Setup(side("10:1 5:1", pinned=frozenset({5})), side("20:1 15:1 16:1", pinned=frozenset({15})))
    assert against(PLAKOTO, before, right, make_stage((3,))) == []
