import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.match import events
from controller.match.events import Evidence, Mode, RefereeEvent
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import RefereeState
from controller.rules import RULESETS, BadThrow, Player, ResultKind, Rule
from controller.session.announcer import Announcer
from controller.wording.ruling_text import ruling_text

TABLE = MatchConfig(game="backgammon", rules=RULESETS["backgammon"])
NAMES = {Player.WHITE: "Ann", Player.BLACK: "Ben"}


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (events.OpeningThrown(1, 6, 2, Player.WHITE), "Opening throw: Ann 6, Ben 2; Ann starts."),
        (events.OpeningThrown(1, 4, 4, None), "Opening throw: 4 each; both throw again."),
        (events.DiceRolled(1, Player.BLACK, (6, 5)), "Ben throws 6-5."),
        (
            events.ThrowRefused(1, Player.BLACK, (BadThrow.COCKED,), (None, 3)),
            "The throw does not count. A die is cocked; throw all dice again.",
        ),
        (events.PlayMade(1, Player.WHITE, (6, 5), "24/13", "", "", "end_turn"), "Ann 6-5: 24/13. Legal."),
        (
            events.PlayMade(1, Player.WHITE, (6, 5), "24/13", "", "", "end_turn", Evidence.INFERRED),
            "Ann 6-5: 24/13. Not seen; it explains the board.",
        ),
        (
            events.PlayMade(1, Player.WHITE, (3, 1), "8/5 6/5", "", "", "end_turn", next_best="8/5 24/23", odds=40),
            "Ann 3-1: 8/5 6/5. Legal. Next best: 8/5 24/23, 40 times less likely.",
        ),
        (events.BoardCorrected(1, "", Player.BLACK), "The board is taken as entered."),
        (
            events.BoardCorrected(1, "", Player.BLACK, Evidence.INFERRED),
            "A turn was not seen; the other player goes on.",
        ),
        (
            events.PlayMade(1, Player.WHITE, (1, 1), "", "", "", "end_turn", inferred=("B6",)),
            "Ann 1-1: no play. Legal. (not seen but inferred: B6)",
        ),
        (
            events.PlayRefused(
                1, Player.WHITE, (6, 5), "", "", (Rule.HEAD,), ("One checker a turn.",), ("T1",), ("T12",)
            ),
            "Illegal play by Ann (head). One checker a turn. Take back: T1. Put them on: T12.",
        ),
        (events.GameWon(1, Player.BLACK, ResultKind.MARS, 2, 0, 2), "Ben wins a gammon (mars), 2 points. Score 0-2."),
        (events.ClockReserve(1, 1000, 2000), ""),
    ],
)
def test_rulings_in_words(event: RefereeEvent, line: str) -> None:
    assert ruling_text(event, NAMES) == line


@given(st.from_type(RefereeEvent))  # type: ignore[arg-type]
def test_every_event_has_a_text(event: RefereeEvent) -> None:
    assert isinstance(ruling_text(event, NAMES), str)


class TestAnnouncer:
    def test_lines_for_programs_are_json(self) -> None:
        """One object a line for each event, also for events that people do not hear of."""
        said: list[str] = []
        Announcer(said.append, TABLE, as_json=True).publish(
            RefereeState(), (events.ClockReserve(7, 1, 2), events.CameraLost(8, "x")), 8
        )
        assert [json.loads(line)["event"] for line in said] == ["ClockReserve", "CameraLost"]

    def test_players_are_called_by_name(self) -> None:
        started = events.MatchStarted(0, "backgammon", None, "casual", Mode.TEACH, "Zoë", "Bo", None)
        said: list[str] = []
        Announcer(said.append, TABLE).publish(
            RefereeState(started=started), (events.DiceRolled(1, Player.WHITE, (2, 1)),), 1
        )
        assert said == ["Zoë throws 2-1."]

    def test_a_silent_referee_says_nothing_of_a_play(self) -> None:
        """In mode silent an illegal play is announced to programs only."""
        silent = replace(TABLE, mode=Mode.SILENT)
        refused = events.PlayRefused(1, Player.WHITE, (6, 5), "", "", (Rule.HEAD,), ("One checker a turn.",))
        said: list[str] = []
        Announcer(said.append, silent).publish(RefereeState(), (refused,), 1)
        assert said == []
        Announcer(said.append, silent, as_json=True).publish(RefereeState(), (refused,), 1)
        assert len(said) == 1
