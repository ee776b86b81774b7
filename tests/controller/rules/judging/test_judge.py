"""The ruling of one stage: legal with what follows, or the rules that stand against it, with a sentence each."""

import pytest

from controller.rules import (
    Effort,
    Illegal,
    Legal,
    Player,
    Roll,
    RollCounters,
    Setup,
    Step,
    ThrowKind,
    Turn,
    is_reachable,
    judge,
    judge_stage,
    legal_plays,
    list_results,
    make_own_throw,
    make_stage,
    make_transfer_throw,
)
from tests.controller.rules.boards import against, board, game, side

BACKGAMMON = game("backgammon")
LATE = RollCounters(game=20, player=10)
W = Player.WHITE


def test_a_legal_turn_names_its_steps_and_what_follows() -> None:
    before, after = board(BACKGAMMON, "12:1", "23:2"), board(BACKGAMMON, "6:1", "23:2")
    turn = Turn((make_own_throw(Roll(6, 4), BACKGAMMON, LATE),))
    ruling = judge(before, W, turn, after.setup, BACKGAMMON)
    assert ruling == Legal((Step(12, 6, 6),), after, ruling.follow)  # type: ignore[union-attr]  # it is Legal
    assert isinstance(ruling, Legal)
    assert str(ruling.follow) == "end_turn"


def test_black_is_judged_on_his_own_path() -> None:
    before, after = board(BACKGAMMON, "23:2", "12:1"), board(BACKGAMMON, "23:2", "6:1")
    assert isinstance(judge_stage(before, Player.BLACK, make_stage((6, 4)), after.setup, BACKGAMMON), Legal)


@pytest.mark.parametrize(("kind", "expected"), [(ThrowKind.ROLL, "transfer:4"), (ThrowKind.TRANSFER, "end_turn")])
def test_what_follows_depends_on_where_the_numbers_come_from(kind: ThrowKind, expected: str) -> None:
    """Gulbar, 5-4, only the 5 can be played: an own 4 goes over, a handed-over one is lost."""
    rules = game("gulbar")
    before, after = board(rules, "12:1", "20:1 15:1"), board(rules, "7:1", "20:1 15:1")
    ruling = judge_stage(before, W, make_stage((5, 4)), after.setup, rules, kind=kind)
    assert isinstance(ruling, Legal)
    assert str(ruling.follow) == expected


@pytest.mark.parametrize(
    ("before", "after", "black", "numbers", "expected"),
    [
        ("12:1", "12:1", "23:2", (6, 4), ["must_play_more"]),
        ("12:1", "8:1", "23:2", (6, 4), ["larger_die"]),
        ("13:2", "13:1 9:1", "", (5,), ["wrong_numbers"]),
        ("13:1", "9:1", "16:2", (4,), ["closed_point"]),
        ("8:1 3:1", "8:1", "", (3,), ["bearoff_early"]),
        ("bar:1 6:1", "bar:1 3:1", "", (3,), ["bar_first"]),
    ],
)
def test_the_rules_against_a_play(
    before: str, after: str, black: str, numbers: tuple[int, ...], expected: list[str]
) -> None:
    """Each rule that alone stands in the way, the decisive one first."""
    rules = against(BACKGAMMON, board(BACKGAMMON, before, black), Setup(side(after), side(black)), make_stage(numbers))
    assert [rule for rule in rules if rule != "wrong_numbers" or expected == [rule]] == expected


def test_two_rules_together() -> None:
    """From the bar a five is played elsewhere, onto a held point: neither rule alone explains it."""
    rules = against(
        BACKGAMMON, board(BACKGAMMON, "bar:1 13:1", "17:2"), Setup(side("bar:1 8:1"), side("17:2")), make_stage((5,))
    )
    assert rules == ["bar_first", "closed_point"]


def test_more_than_three_rules_together_are_called_another_throw() -> None:
    """Past the bar, onto a held point, onto a full one, off too early: what the board itself shows, and no list of four."""
    rules = game("backgammon", max_stack=2)
    before, after = "bar:1 13:1 8:1 6:1 5:2 1:1", "bar:1 12:1 7:1 5:3"
    found = against(rules, board(rules, before, "13:2"), Setup(side(after), side("13:2")), make_stage((1,) * 4))
    assert found == ["bearoff_early", "wrong_numbers"]


def test_a_turn_of_several_throws_is_named_by_all_its_numbers() -> None:
    rules = game("gulbar")
    before, after = board(rules, "20:2", "20:1"), board(rules, "20:1 2:1", "20:1")
    turn = Turn((make_transfer_throw((6, 6)), make_own_throw(Roll(5, 4), rules, LATE)))
    ruling = judge(before, W, turn, after.setup, rules)
    assert isinstance(ruling, Illegal)
    assert any("6-6 and 5-4" in breach.sentence for breach in ruling.breaches)


GUL_BARA = game("gul_bara")


def test_whether_a_throw_of_several_stages_leads_to_a_board() -> None:
    """A double of fives of gul bara is followed by sixes: the board after both stages is reached, no other one is."""
    before = board(GUL_BARA, "22:8 21:7", "24:15")
    throw = make_own_throw(Roll(5, 5), GUL_BARA, LATE)
    middle = legal_plays(before, W, make_stage(throw.stages[0]), GUL_BARA)[0].after
    after = legal_plays(middle, W, make_stage(throw.stages[1]), GUL_BARA)[0].after
    assert after in set(list_results(middle, W, make_stage(throw.stages[1]), GUL_BARA))
    reached = [
        is_reachable(before, W, throw, setup, GUL_BARA, effort=Effort(1_000_000))
        for setup in (after.setup, before.setup, Setup(side("24:14", checkers=14), before.setup.black))
    ]
    assert reached == [True, False, False]
