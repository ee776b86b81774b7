"""What `log show --json` says of a match, from its events."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from controller.match.events import (
    BoardCorrected,
    DiceRolled,
    EndedBy,
    Evidence,
    GameStarted,
    NumbersHandedOver,
    OpeningThrown,
    PassForced,
    PlayCondoned,
    PlayCorrected,
    PlayMade,
    PlayRefused,
    PlayTakenBack,
    PlayUnclear,
    RefereeEvent,
    RollWithdrawn,
    ThrowRefused,
    TurnEnded,
    TurnGoesOn,
)
from controller.match_log import turn_lines
from controller.rules import BadThrow, Player, Rule
from tests.controller.match_log.drawn_events import events
from tests.controller.match_log.match_files import BLACK, WHITE

BEGUN = GameStarted(0, 1, "P0", None)


def rolled(at_ms: int, player: Player, high: int = 6, low: int = 5) -> DiceRolled:
    return DiceRolled(at_ms, player, (high, low))


def made(at_ms: int, player: Player, before: str, after: str, follow: str = "end_turn") -> PlayMade:
    return PlayMade(at_ms, player, (6, 5), "24/13", before, after, follow)


def refused(at_ms: int, player: Player, before: str, after: str) -> PlayRefused:
    return PlayRefused(at_ms, player, (6, 5), before, after, (Rule.MUST_PLAY_MORE, Rule.HEAD), ("No.",))


def condoned(at_ms: int, player: Player, before: str, after: str) -> PlayCondoned:
    return PlayCondoned(at_ms, player, (6, 5), before, after, (Rule.MUST_PLAY_MORE, Rule.HEAD), "casual")


def unclear(at_ms: int, player: Player) -> PlayUnclear:
    return PlayUnclear(at_ms, player, ("a", "b"), ("T1",), "A heap hides it.")


def lines(*told: RefereeEvent) -> list[dict[str, Any]]:
    return [line.record() for line in turn_lines((BEGUN, *told))]


def short(*told: RefereeEvent) -> list[tuple[Any, ...]]:
    """(player, roll, before, after, ruling) of each turn."""
    return [(line["player"], line["roll"], line["before"], line["after"], line["ruling"]) for line in lines(*told)]


class TestOneTurn:
    def test_a_legal_play(self) -> None:
        """Every field of the contract, as JSON."""
        assert lines(OpeningThrown(1, 6, 5, WHITE), rolled(1, WHITE), made(9, WHITE, "P0", "P1")) == [
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
            }
        ]

    def test_throws_that_did_not_count(self) -> None:
        """They belong to the turn whose roll comes after them, each with its reasons; another player's do not."""
        turns = lines(
            ThrowRefused(1, None, (BadThrow.MISSING_DIE,), (6,)),
            ThrowRefused(1, WHITE, (BadThrow.COCKED, BadThrow.SPLIT), (6, None)),
            rolled(2, WHITE),
            ThrowRefused(3, BLACK, (BadThrow.TOO_EARLY,), (1, 1)),
            made(9, WHITE, "P0", "P1"),
            rolled(11, BLACK),
            made(12, BLACK, "P1", "P2"),
            rolled(13, WHITE),
            made(14, WHITE, "P2", "P3"),
        )
        assert [turn["bad_throws"] for turn in turns] == [[["missing_die"], ["cocked", "split"]], [["too_early"]], []]

    def test_a_condoned_play_is_illegal(self) -> None:
        """With its rules, and seen when the board was, not when it was condoned."""
        (turn,) = lines(rolled(1, WHITE), refused(5, WHITE, "P0", "X"), condoned(20, WHITE, "P0", "X"))
        assert (turn["ruling"], turn["rules"], turn["after"]) == ("illegal", ["must_play_more", "head"], "X")
        assert (turn["play"], turn["seen"]) == (None, 5)

    def test_one_that_can_still_be_corrected_is_illegal(self) -> None:
        """The log ends before anybody said what becomes of it."""
        assert short(rolled(1, WHITE), refused(5, WHITE, "P0", "X")) == [("W", [6, 5], "P0", "X", "illegal")]

    def test_a_corrected_play_is_legal(self) -> None:
        """What stands in the end counts."""
        told = (rolled(1, WHITE), refused(5, WHITE, "P0", "X"), PlayCorrected(6, WHITE))
        assert short(*told) == []
        assert short(*told, made(9, WHITE, "P0", "P1")) == [("W", [6, 5], "P0", "P1", "legal")]
        assert lines(*told, made(9, WHITE, "P0", "P1"))[0]["rules"] == []

    def test_an_illegal_play_after_an_illegal_play(self) -> None:
        """The last one stands."""
        told = (rolled(1, WHITE), refused(5, WHITE, "P0", "X"), PlayCorrected(6, WHITE), refused(7, WHITE, "P0", "Y"))
        assert short(*told) == [("W", [6, 5], "P0", "Y", "illegal")]

    def test_an_unclear_play(self) -> None:
        """Unsure until somebody knows better, whoever it is."""
        assert short(rolled(1, WHITE), unclear(5, WHITE)) == [("W", [6, 5], "P0", None, "unsure")]
        known = PlayMade(9, WHITE, (6, 5), "24/13", "P0", "P1", "end_turn", Evidence.TOLD)
        assert short(rolled(1, WHITE), unclear(5, WHITE), known) == [("W", [6, 5], "P0", "P1", "legal")]

    def test_one_that_stays_unclear(self) -> None:
        """The game went on all the same: the turn is listed, and those after it are their own."""
        turns = short(
            rolled(1, WHITE),
            unclear(5, WHITE),
            rolled(6, BLACK),
            made(7, BLACK, "P1", "P2"),
            rolled(8, WHITE),
            made(9, WHITE, "P2", "P3"),
        )
        assert turns == [
            ("W", [6, 5], "P0", None, "unsure"),
            ("B", [6, 5], "P1", "P2", "legal"),
            ("W", [6, 5], "P2", "P3", "legal"),
        ]

    def test_a_turn_without_a_ruling_is_none(self) -> None:
        """Thrown, passed or ended, but not judged yet."""
        assert lines(rolled(1, WHITE), PassForced(2, WHITE), TurnEnded(3, WHITE, EndedBy.BUTTON)) == []

    def test_a_turn_that_goes_on(self) -> None:
        """What was ruled too early does not count."""
        told = (rolled(1, WHITE), refused(5, WHITE, "P0", "X"), TurnGoesOn(6, WHITE))
        assert lines(*told) == []
        assert short(*told, made(9, WHITE, "P0", "P1")) == [("W", [6, 5], "P0", "P1", "legal")]

    def test_a_board_that_was_corrected(self) -> None:
        """The next turn begins with it."""
        assert short(BoardCorrected(1, "C"), rolled(2, WHITE), unclear(3, WHITE))[0][2] == "C"


class TestRolls:
    def test_a_roll_that_was_misread(self) -> None:
        """Another word about the same roll is no other turn."""
        assert short(rolled(1, WHITE), rolled(2, WHITE, 6, 4), made(9, WHITE, "P0", "P1")) == [
            ("W", [6, 4], "P0", "P1", "legal")
        ]

    def test_a_withdrawn_roll(self) -> None:
        """It leaves nothing but the bad throws before it."""
        bad = ThrowRefused(1, WHITE, (BadThrow.SPLIT,), (6, 5))
        turns = lines(
            bad, rolled(2, WHITE), RollWithdrawn(3, WHITE, (6, 5)), rolled(4, WHITE, 2, 1), made(5, WHITE, "P0", "P1")
        )
        assert [(turn["roll"], turn["bad_throws"]) for turn in turns] == [([2, 1], [["split"]])]

    def test_an_early_roll_that_stands(self) -> None:
        """Thrown before the other had finished, it is the second turn."""
        turns = short(rolled(1, WHITE), rolled(2, BLACK, 3, 1), made(9, WHITE, "P0", "P1"), made(12, BLACK, "P1", "P2"))
        assert turns == [("W", [6, 5], "P0", "P1", "legal"), ("B", [3, 1], "P1", "P2", "legal")]

    def test_a_bonus_roll(self) -> None:
        """The same player's next throw is a turn of its own."""
        turns = short(
            rolled(1, WHITE, 6, 6),
            made(2, WHITE, "P0", "P1", "roll_again"),
            rolled(3, WHITE, 2, 1),
            made(4, WHITE, "P1", "P2"),
        )
        assert turns == [("W", [6, 6], "P0", "P1", "legal"), ("W", [2, 1], "P1", "P2", "legal")]

    def test_numbers_handed_over(self) -> None:
        """They are played before the player's own roll, even one that lies there already, and told once."""
        told = (rolled(1, WHITE, 6, 6), rolled(2, BLACK, 2, 1), made(3, WHITE, "P0", "P1", "transfer:6,6"))
        played = (made(5, BLACK, "P1", "P2"), made(6, BLACK, "P2", "P3"))
        expected = [
            ("W", [6, 6], "P0", "P1", "legal"),
            ("B", [6, 6], "P1", "P2", "legal"),
            ("B", [2, 1], "P2", "P3", "legal"),
        ]
        assert short(*told, *played) == expected
        assert short(*told, NumbersHandedOver(4, BLACK, (6, 6)), *played) == expected

    def test_a_game_without_dice(self) -> None:
        """Each ruling is a turn; the roll is empty."""
        turns = short(
            PlayMade(1, WHITE, (), "enter 3", "P0", "P1", "end_turn"),
            PlayRefused(2, BLACK, (), "P1", "X", (), ("No.",)),
            PlayMade(3, BLACK, (), "enter 4", "P1", "P2", "end_turn"),
            PlayMade(4, WHITE, (), "enter 5", "P2", "P3", "end_turn"),
        )
        assert turns == [
            ("W", [], "P0", "P1", "legal"),
            ("B", [], "P1", "P2", "legal"),
            ("W", [], "P2", "P3", "legal"),
        ]


class TestTakenBack:
    def test_the_turn_is_played_again(self) -> None:
        """With the same roll; what was thrown after it is gone, what lay there before stays."""
        told = (rolled(1, WHITE), made(2, WHITE, "P0", "P1"), rolled(3, BLACK, 2, 1), PlayTakenBack(4, WHITE, "P0"))
        assert lines(*told) == []
        again = (*told, made(5, WHITE, "P0", "Q1"), rolled(6, BLACK, 3, 1), made(7, BLACK, "Q1", "Q2"))
        assert short(*again) == [("W", [6, 5], "P0", "Q1", "legal"), ("B", [3, 1], "Q1", "Q2", "legal")]
        early = (
            *(rolled(1, WHITE), rolled(2, BLACK, 2, 1), made(3, WHITE, "P0", "P1"), PlayTakenBack(4, WHITE, "P0")),
            *(made(5, WHITE, "P0", "Q1"), made(7, BLACK, "Q1", "Q2")),
        )
        assert short(*early)[1] == ("B", [2, 1], "Q1", "Q2", "legal")


class TestMatches:
    def test_turns_count_through_all_games(self) -> None:
        """A roll that a resignation left unplayed is no turn."""
        turns = lines(
            *(rolled(1, WHITE), made(2, WHITE, "P0", "P1"), rolled(3, BLACK)),
            *(GameStarted(9, 2, "P0", BLACK), rolled(10, BLACK), made(11, BLACK, "P0", "P1")),
        )
        assert [(turn["turn"], turn["player"], turn["seen"]) for turn in turns] == [(1, "W", 2), (2, "B", 11)]

    @given(st.lists(events(st.integers(0, 1_000)), max_size=30))
    def test_no_order_of_events_breaks_it(self, told: list[RefereeEvent]) -> None:
        """A log that no referee wrote has turns too, numbered from 1."""
        try:
            turns = turn_lines(told)
        except ValueError:  # a `follow` that hands over what is no number; only Hypothesis writes that
            return
        assert [turn.turn for turn in turns] == list(range(1, len(turns) + 1))
