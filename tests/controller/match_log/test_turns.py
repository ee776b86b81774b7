"""The output of `log show --json`, computed from events."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.match import events
from controller.match.events import EndedBy, Evidence, RefereeEvent
from controller.match_log import turn_lines
from controller.rules import BadThrow, Player, Rule
from tests.controller.match_log import drawn_events
from tests.controller.match_log.match_files import BLACK, WHITE

BEGUN = events.GameStarted(0, 1, "P0", None)


def rolled(at_ms: int, player: Player, high: int = 6, low: int = 5) -> RefereeEvent:
    return events.DiceRolled(at_ms, player, (high, low))


def made(at_ms: int, player: Player, before: str, after: str, follow: str = "end_turn") -> RefereeEvent:
    return events.PlayMade(at_ms, player, (6, 5), "24/13", before, after, follow)


def refused(at_ms: int, player: Player, before: str, after: str) -> RefereeEvent:
    return events.PlayRefused(at_ms, player, (6, 5), before, after, (Rule.MUST_PLAY_MORE, Rule.HEAD), ("No.",))


def condoned(at_ms: int, player: Player, before: str, after: str) -> RefereeEvent:
    return events.PlayCondoned(at_ms, player, (6, 5), before, after, (Rule.MUST_PLAY_MORE, Rule.HEAD), "casual")


def unclear(at_ms: int, player: Player) -> RefereeEvent:
    return events.PlayUnclear(at_ms, player, ("a", "b"), ("T1",), "A heap hides it.")


def lines(*logged: RefereeEvent) -> list[dict[str, Any]]:
    return [line.record() for line in turn_lines((BEGUN, *logged))]


def test_every_field_of_a_legal_play() -> None:
    assert lines(events.OpeningThrown(1, 6, 5, WHITE), rolled(1, WHITE), made(9, WHITE, "P0", "P1")) == [
        {
            "turn": 1,
            "player": "W",
            "roll": [6, 5],
            "play": "24/13",
            "before": "P0",
            "after": "P1",
            "ruling": "legal",
            "rules": [],
            "bad_throws": [],
            "seen": 9,
            "remarks": [],
        }
    ]


def test_bad_throws_belong_to_the_player_s_next_roll() -> None:
    """Each with its reasons; another player's bad throws do not belong to the turn."""
    turns = lines(
        events.ThrowRefused(1, None, (BadThrow.MISSING_DIE,), (6,)),
        events.ThrowRefused(1, WHITE, (BadThrow.COCKED, BadThrow.SPLIT), (6, None)),
        *(rolled(2, WHITE), events.ThrowRefused(3, BLACK, (BadThrow.TOO_EARLY,), (1, 1)), made(9, WHITE, "P0", "P1")),
        *(rolled(11, BLACK), made(12, BLACK, "P1", "P2"), rolled(13, WHITE), made(14, WHITE, "P2", "P3")),
    )
    assert [turn["bad_throws"] for turn in turns] == [[["missing_die"], ["cocked", "split"]], [["too_early"]], []]


def test_a_withdrawn_roll_leaves_only_the_bad_throws_before_it() -> None:
    bad = events.ThrowRefused(1, WHITE, (BadThrow.SPLIT,), (6, 5))
    withdrawn = events.RollWithdrawn(3, WHITE, (6, 5))
    turns = lines(bad, rolled(2, WHITE), withdrawn, rolled(4, WHITE, 2, 1), made(5, WHITE, "P0", "P1"))
    assert [(turn["roll"], turn["bad_throws"]) for turn in turns] == [([2, 1], [["split"]])]


def test_a_condoned_play_is_illegal() -> None:
    """With its rules, and with the time of the first ruling, not of the condonation."""
    (turn,) = lines(rolled(1, WHITE), refused(5, WHITE, "P0", "X"), condoned(20, WHITE, "P0", "X"))
    assert (turn["ruling"], turn["rules"], turn["after"]) == ("illegal", ["must_play_more", "head"], "X")
    assert (turn["play"], turn["seen"]) == (None, 5)


def test_a_corrected_play_has_no_rules() -> None:
    corrected = (refused(5, WHITE, "P0", "X"), events.PlayCorrected(6, WHITE), made(9, WHITE, "P0", "P1"))
    assert lines(rolled(1, WHITE), *corrected)[0]["rules"] == []


ILLEGAL = (rolled(1, WHITE), refused(5, WHITE, "P0", "X"))
CORRECTED = (*ILLEGAL, events.PlayCorrected(6, WHITE))
GOES_ON = (*ILLEGAL, events.TurnGoesOn(6, WHITE))
UNSURE = (rolled(1, WHITE), unclear(5, WHITE))
TAKEN_BACK = (
    rolled(1, WHITE),
    made(2, WHITE, "P0", "P1"),
    rolled(3, BLACK, 2, 1),
    events.PlayTakenBack(4, WHITE, "P0"),
)
HANDED_OVER = (rolled(1, WHITE, 6, 6), rolled(2, BLACK, 2, 1), made(3, WHITE, "P0", "P1", "transfer:6,6"))
BOTH_PLAYED = (made(5, BLACK, "P1", "P2"), made(6, BLACK, "P2", "P3"))
BOTH_TURNS = ["W 66 P0 P1 legal", "B 66 P1 P2 legal", "B 21 P2 P3 legal"]


@pytest.mark.parametrize(
    ("logged", "expected"),
    [
        pytest.param(ILLEGAL, ["W 65 P0 X illegal"], id="an illegal play that may still be corrected"),
        pytest.param(CORRECTED, [], id="taken back and not played again yet"),
        pytest.param((*CORRECTED, made(9, WHITE, "P0", "P1")), ["W 65 P0 P1 legal"], id="a corrected play"),
        pytest.param((*CORRECTED, refused(7, WHITE, "P0", "Y")), ["W 65 P0 Y illegal"], id="illegal again"),
        pytest.param(GOES_ON, [], id="ruled too early"),
        pytest.param((*GOES_ON, made(9, WHITE, "P0", "P1")), ["W 65 P0 P1 legal"], id="a turn that goes on"),
        pytest.param(UNSURE, ["W 65 P0 None unsure"], id="an unclear play"),
        pytest.param(
            (*UNSURE, events.PlayMade(9, WHITE, (6, 5), "24/13", "P0", "P1", "end_turn", Evidence.ENTERED)),
            ["W 65 P0 P1 legal"],
            id="an unclear play that a person entered",
        ),
        pytest.param(
            (*UNSURE, rolled(6, BLACK), made(7, BLACK, "P1", "P2"), rolled(8, WHITE), made(9, WHITE, "P2", "P3")),
            ["W 65 P0 None unsure", "B 65 P1 P2 legal", "W 65 P2 P3 legal"],
            id="a play that stays unclear",
        ),
        pytest.param(
            (rolled(1, WHITE), events.PassForced(2, WHITE), events.TurnEnded(3, WHITE, EndedBy.BUTTON)),
            [],
            id="a turn without a ruling",
        ),
        pytest.param(
            (events.BoardCorrected(1, "C"), rolled(2, WHITE), unclear(3, WHITE)),
            ["W 65 C None unsure"],
            id="a corrected board",
        ),
        pytest.param(
            (rolled(1, WHITE), rolled(2, WHITE, 6, 4), made(9, WHITE, "P0", "P1")),
            ["W 64 P0 P1 legal"],
            id="a roll that was misread",
        ),
        pytest.param(
            (rolled(1, WHITE), rolled(2, BLACK, 3, 1), made(9, WHITE, "P0", "P1"), made(12, BLACK, "P1", "P2")),
            ["W 65 P0 P1 legal", "B 31 P1 P2 legal"],
            id="an early roll that stands",
        ),
        pytest.param(
            (
                *(rolled(1, WHITE, 6, 6), made(2, WHITE, "P0", "P1", "roll_again")),
                *(rolled(3, WHITE, 2, 1), made(4, WHITE, "P1", "P2")),
            ),
            ["W 66 P0 P1 legal", "W 21 P1 P2 legal"],
            id="a bonus roll",
        ),
        pytest.param((*HANDED_OVER, *BOTH_PLAYED), BOTH_TURNS, id="numbers handed over come before the own roll"),
        pytest.param(
            (*HANDED_OVER, events.NumbersHandedOver(4, BLACK, (6, 6)), *BOTH_PLAYED), BOTH_TURNS, id="handed over once"
        ),
        pytest.param(
            (
                events.PlayMade(1, WHITE, (), "enter 3", "P0", "P1", "end_turn"),
                events.PlayRefused(2, BLACK, (), "P1", "X", (), ("No.",)),
                events.PlayMade(3, BLACK, (), "enter 4", "P1", "P2", "end_turn"),
                events.PlayMade(4, WHITE, (), "enter 5", "P2", "P3", "end_turn"),
            ),
            ["W  P0 P1 legal", "B  P1 P2 legal", "W  P2 P3 legal"],
            id="a game without dice",
        ),
        pytest.param(TAKEN_BACK, [], id="a play taken back"),
        pytest.param(
            (*TAKEN_BACK, made(5, WHITE, "P0", "Q1"), rolled(6, BLACK, 3, 1), made(7, BLACK, "Q1", "Q2")),
            ["W 65 P0 Q1 legal", "B 31 Q1 Q2 legal"],
            id="played again after a take-back, which drops later throws",
        ),
        pytest.param(
            (
                *(rolled(1, WHITE), rolled(2, BLACK, 2, 1), made(3, WHITE, "P0", "P1")),
                *(events.PlayTakenBack(4, WHITE, "P0"), made(5, WHITE, "P0", "Q1"), made(7, BLACK, "Q1", "Q2")),
            ),
            ["W 65 P0 Q1 legal", "B 21 Q1 Q2 legal"],
            id="a take-back keeps an earlier throw",
        ),
    ],
)
def test_the_turns_of_a_log(logged: tuple[RefereeEvent, ...], expected: list[str]) -> None:
    """Player, roll, board before and after, and the ruling of each turn."""
    found = lines(*logged)
    assert [
        f"{turn['player']} {''.join(map(str, turn['roll']))} {turn['before']} {turn['after']} {turn['ruling']}"
        for turn in found
    ] == expected


def test_turns_count_through_all_games() -> None:
    """A roll that a resignation left unplayed is no turn."""
    turns = lines(
        *(rolled(1, WHITE), made(2, WHITE, "P0", "P1"), rolled(3, BLACK)),
        *(events.GameStarted(9, 2, "P0", BLACK), rolled(10, BLACK), made(11, BLACK, "P0", "P1")),
    )
    assert [(turn["turn"], turn["player"], turn["seen"]) for turn in turns] == [(1, "W", 2), (2, "B", 11)]


@given(st.lists(drawn_events.events(st.integers(0, 1_000)), max_size=30))
def test_no_order_of_events_breaks_it(logged: list[RefereeEvent]) -> None:
    """A log that no referee wrote has turns too, numbered from 1."""
    try:
        turns = turn_lines(logged)
    except ValueError:  # a `follow` whose numbers are not numeric, which only Hypothesis writes
        return
    assert [turn.turn for turn in turns] == list(range(1, len(turns) + 1))


def test_a_turn_that_nobody_saw_is_never_legal() -> None:
    """Its play is kept, since it explains the boards; a pass that the rules force is legal without being seen."""
    unseen = events.PlayMade(9, WHITE, (6, 5), "24/13", "P0", "P1", "end_turn", Evidence.INFERRED)
    forced = events.PlayMade(12, BLACK, (), "pass", "P1", "P1", "end_turn", Evidence.FORCED)
    turns = lines(events.DiceRolled(1, WHITE, (6, 5), Evidence.INFERRED), unseen, forced)
    assert [(turn["ruling"], turn["play"]) for turn in turns] == [("not seen", "24/13"), ("legal", "pass")]


def test_a_player_who_was_passed_over_has_a_turn_that_was_not_seen() -> None:
    """Where the other player is seen to play, the log shows the gap; an entered board makes no turn."""
    gap = events.BoardCorrected(5, "P0", BLACK, Evidence.INFERRED)
    turns = lines(gap, rolled(6, BLACK), made(9, BLACK, "P0", "P1"))
    assert [(turn["player"], turn["ruling"], turn["play"]) for turn in turns] == [
        ("W", "not seen", None),
        ("B", "legal", "24/13"),
    ]
    assert len(lines(events.BoardCorrected(5, "P0", BLACK), rolled(6, BLACK), made(9, BLACK, "P0", "P1"))) == 1
