import json
from dataclasses import replace
from pathlib import Path

import pytest

from controller.match.commands import (
    AnswerQuestion,
    CallDispute,
    ChoosePlay,
    Condone,
    CorrectBoard,
    CorrectRoll,
    DropDouble,
    EndTurn,
    OfferDouble,
    Resign,
    SettleDispute,
)
from controller.match.events import CommandRefused, GameStarted, Mode, PlayCondoned, PlayMade, PlayRefused
from controller.match.officiating import CASUAL
from controller.match_log.event_json import event_text
from controller.refereeing.state import Phase
from controller.rules import Player, ResultKind
from tests.controller.refereeing.refereed_match import OPENING_HALVES, moved, opened, table_of
from tests.controller.web.shown_match import OPERATOR, ShownMatch, number_of, play_first_turn

pytestmark = pytest.mark.broad

START_SUMS = (15, 15)
START_TEXT = table_of("backgammon").start_text


def order(shown: ShownMatch, **command: object) -> int:
    """The status of the response to an order of the operator."""
    answer = shown.client().post("/api/commands", json=command, headers=OPERATOR)
    return answer.status_code


class TestState:
    def test_the_board_lies_as_in_the_picture(self) -> None:
        """White plays light at the lower edge: five checkers on the 6 point, the 7th place of the lower row."""
        shown = ShownMatch.begun()
        state = shown.state()
        points = state["board"]["points"]
        assert points[12 + 6] == [5, 0]
        assert points[6] == [0, 5]
        assert tuple(map(sum, zip(*points, strict=True))) == START_SUMS
        assert state["numbers"]["W"][12 + 6] == 6
        assert state["numbers"]["B"][12 + 6] == 19
        assert (state["phase"], state["pips"], state["match"]["mode"]) == ("opening", [167, 167], "teach")

    @pytest.mark.parametrize("game", ["grasshopper", "backgammon_race", "plakoto", "long_nardy", "gul_bara"])
    def test_every_kind_of_game_is_shown(self, game: str) -> None:
        """The checkers on points, in trays and in reserve add up."""
        shown = ShownMatch.begun(game)
        board = shown.state()["board"]
        counts = [*board["points"], board["bar"], board["off"], board["waiting"]]
        each = 14 if game == "grasshopper" else 15
        assert [sum(column) for column in zip(*counts, strict=True)] == [each, each]

    def test_no_pips_and_no_help_in_a_tournament(self) -> None:
        """The operator has none either, because that page may be visible in the hall."""
        shown = ShownMatch.begun(mode=Mode.TOURNAMENT)
        shown.match.throw(3, 1, halves=OPENING_HALVES)
        shown.publish()
        for headers in ({}, OPERATOR):
            state = shown.client().get("/api/state", headers=headers).json()["state"]
            assert state["phase"] == "playing"
            assert state["pips"] is None
            assert state["lights"] == []

    def test_an_illegal_play_is_shown_with_what_has_to_go_back(self) -> None:
        shown = illegal()
        state = shown.state()
        assert state["phase"] == "illegal"
        assert state["guide"] == {"extra": ["B9"], "missing": ["B5", "B7"]}
        meanings = {light["meaning"] for light in state["lights"]}
        assert meanings == {"take_back", "belongs_here"}

    def test_an_illegal_play_that_is_only_recorded_is_withheld_from_spectators(self) -> None:
        """In silent mode a spectator sees the end of a turn, the operator the illegal play."""
        shown = illegal(mode=Mode.SILENT)
        client = shown.client()
        spectator = client.get("/api/state").json()["state"]
        operator = client.get("/api/state", headers=OPERATOR).json()["state"]
        assert (spectator["phase"], spectator["guide"]) == ("turn_end", None)
        assert spectator["board"] != operator["board"]
        assert operator["phase"] == "illegal"
        number = number_of(shown, PlayRefused)
        kinds = {}
        for who, headers in (("spectator", {}), ("operator", OPERATOR)):
            events = client.get("/api/events", params={"since": number - 1}, headers=headers).json()["events"]
            kinds[who] = events[0]["event"]["event"]
        assert kinds == {"spectator": "Withheld", "operator": "PlayRefused"}


def illegal(mode: Mode = Mode.TEACH, folder: Path | None = None) -> ShownMatch:
    """White has played 3-1 as 8/4 6/4."""
    shown = ShownMatch.begun(mode=mode, folder=folder)
    shown.match.throw(3, 1, halves=OPENING_HALVES)
    shown.match.play(Player.WHITE, (8, 4), (6, 4), rest_ms=2500)
    assert shown.match.is_in(Phase.ILLEGAL)
    shown.publish()
    return shown


class TestEvents:
    def test_events_are_those_of_the_log_in_their_order(self) -> None:
        """Each event has its number, the content of the log, and a line of text."""
        shown = ShownMatch.after_first_turn()
        answer = shown.client().get("/api/events", params={"since": 2}).json()
        assert [one["number"] for one in answer["events"]] == list(range(3, len(shown.match.events) + 1))
        assert [one["event"] for one in answer["events"]] == [json.loads(event_text(e)) for e in shown.match.events[2:]]
        made = next(one for one in answer["events"] if one["event"]["event"] == "PlayMade")
        assert made["text"] == "White 3-1: 8/5 6/5. Legal."

    def test_old_events_are_read_from_the_log(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Events that are no longer in memory have the same numbers."""
        monkeypatch.setattr("controller.web.match.live_match.MOST_IN_MEMORY", 3)
        shown = ShownMatch.after_first_turn(folder=tmp_path)
        answer = shown.client().get("/api/events", params={"since": 0}).json()
        assert [one["number"] for one in answer["events"]] == list(range(1, len(shown.match.events) + 1))
        assert [one["event"]["event"] for one in answer["events"]] == [type(e).__name__ for e in shown.match.events]

    @pytest.mark.parametrize("since", ["-1", "x", "1e3", "١", "9999999999", ""])
    def test_a_wrong_number_is_refused(self, since: str) -> None:
        answer = ShownMatch.begun().client().get("/api/events", params={"since": since})
        assert (answer.status_code, answer.json()) == (400, {"error": "since is the number of an event."})


class TestOrders:
    def test_an_unsure_turn_is_settled_by_a_choice(self) -> None:
        """Every option is a legal play with its board; the chosen one is made, with the evidence `told`."""
        shown = ShownMatch.unsure()
        question = shown.state(OPERATOR)["question"]
        assert question["about"] == "play"
        assert 3 <= len(question["answers"]) <= 8
        option = next(one for one in question["answers"] if one["play"] == "8/5 6/5")
        assert option["board"]["points"][12 + 7] == [2, 0]
        assert order(shown, command="AnswerQuestion", asked_ms=question["asked_ms"], answer=option["command"]) == 202
        chosen = ChoosePlay(option["command"]["after"])
        assert shown.obey() == (AnswerQuestion(question["asked_ms"], chosen),)
        made = next(event for event in shown.match.events if isinstance(event, PlayMade))
        assert (made.play, made.evidence.value) == ("8/5 6/5", "told")

    def test_a_start_that_fits_several_seatings_asks_who_sits_where(self) -> None:
        """The question stays until the operator sets the seating."""
        shown = ShownMatch.begun("backgammon_race", seating=None)
        shown.match.rest(6000)
        shown.publish()
        question = shown.state(OPERATOR)["question"]
        assert (question["about"], question["is_open"]) == ("seating", True)
        assert question["said"]
        seating = question["answers"][1]["command"]["seating"]
        assert order(shown, command="SetSeating", seating=seating) == 202
        shown.obey()
        shown.match.rest(600)
        shown.publish()
        assert shown.state()["question"] is None

    def test_an_unclear_throw_offers_rolls(self) -> None:
        """The most likely roll comes first."""
        shown = ShownMatch.begun()
        play_first_turn(shown.match)
        shown.match.throw(5, 2, sure=0.9)
        shown.publish()
        question = shown.state(OPERATOR)["question"]
        assert (question["about"], question["answers"][0]["command"]["values"]) == ("roll", [5, 2])
        assert order(shown, command="CorrectRoll", values=[5, 2]) == 202
        shown.obey()
        assert shown.match.roll == (5, 2)

    def test_the_editor_sends_places_of_the_picture(self) -> None:
        """They are converted to a position along the players' paths."""
        shown = ShownMatch.after_first_turn()
        board = shown.state()["board"]
        board["points"][12 + 7][0] -= 1
        board["points"][12 + 6][0] += 1
        assert order(shown, command="CorrectBoard", board=board) == 202
        (sent,) = shown.obey()
        assert sent == CorrectBoard(moved(shown.match.position, Player.WHITE, (5, 6)))
        assert shown.match.state.position == sent.position
        assert order(shown, command="CorrectBoard", board=board, on_turn="W") == 202
        (sent,) = shown.obey()
        assert sent == CorrectBoard(shown.match.state.position, Player.WHITE)
        assert shown.match.state.on_turn is Player.WHITE

    @pytest.mark.parametrize(
        ("sent", "expected"),
        [
            ({"command": "EndTurn"}, EndTurn()),
            ({"command": "EndTurn", "player": "B"}, EndTurn(Player.BLACK)),
            ({"command": "OfferDouble", "player": "W"}, OfferDouble(Player.WHITE)),
            ({"command": "Resign", "player": "W", "kind": "mars"}, Resign(Player.WHITE, ResultKind.MARS)),
            ({"command": "CorrectRoll", "values": [6, 1]}, CorrectRoll((6, 1))),
        ],
    )
    def test_an_order_becomes_its_command(self, sent: dict[str, object], expected: object) -> None:
        shown = ShownMatch.begun()
        assert order(shown, **sent) == 202
        assert shown.obey() == (expected,)

    def test_a_refusal_is_an_event_with_its_reason(self) -> None:
        """The API accepts a well-formed order; the referee refuses it."""
        shown = ShownMatch.begun()
        assert order(shown, command="NextGame") == 202
        shown.obey()
        refused = shown.match.last(CommandRefused)
        events = shown.client().get("/api/events", params={"since": shown.n_published - 1}).json()["events"]
        assert events[0]["text"] == f"Not possible: {refused.reason}"

    @pytest.mark.parametrize(
        "sent",
        [
            [],
            {"command": "Format"},
            {"command": "EndTurn", "player": "X"},
            {"command": "EndTurn", "when": 1},
            {"command": "CorrectRoll", "values": [7, 1]},
            {"command": "CorrectRoll", "values": [True, 1]},
            {"command": "CorrectRoll"},
            {"command": "CorrectBoard", "position": "x"},
            {"command": "CorrectBoard", "board": {"points": [[0, 0]]}},
            {"command": "CorrectBoard", "position": START_TEXT, "on_turn": "X"},
            {"command": "CorrectBoard", "position": START_TEXT, "on_turn": ["W"]},
            {"command": "ChoosePlay", "after": "0" * 300},
            {"command": "SetSeating", "seating": {"white_plays": "green", "edge": "top", "mirrored": False}},
        ],
    )
    def test_a_malformed_order_is_refused(self, sent: object) -> None:
        shown = ShownMatch.begun()
        answer = shown.client().post("/api/commands", json=sent, headers=OPERATOR)
        assert answer.status_code == 422
        assert answer.json()["error"].endswith(".")
        assert shown.obey() == ()

    def test_a_malformed_board_of_grasshopper_is_refused(self) -> None:
        """The referee would accept any text, so the API parses it."""
        shown = ShownMatch.begun("grasshopper")
        assert order(shown, command="CorrectBoard", position="garbled") == 422

    def test_only_possible_orders_have_a_button(self) -> None:
        """Spectators have no buttons."""
        shown = ShownMatch.after_first_turn()
        client = shown.client()
        orders = client.get("/api/state", headers=OPERATOR).json()["state"]["orders"]
        assert {"OfferDouble", "TakeBackPlay", "CorrectRoll", "Pause", "CallDispute"} <= set(orders)
        assert not {"TakeDouble", "NextGame", "ChoosePlay", "Condone", "SettleDispute"} & set(orders)
        assert client.get("/api/state").json()["state"]["orders"] == []


class TestRulings:
    def test_a_refused_play_has_its_rule_and_its_clauses(self, tmp_path: Path) -> None:
        """The clauses are those of the officiating profile."""
        shown = illegal(folder=tmp_path)
        refused = shown.match.only(PlayRefused)
        ruling = shown.client().get(f"/api/rulings/{number_of(shown, PlayRefused)}").json()
        assert ruling["sentences"] == list(refused.sentences)
        assert ruling["rules"] == [rule.value for rule in refused.rules]
        assert ruling["clauses"][0].startswith("Casual play: ")
        assert len(ruling["said"]) == 1
        assert [one["key"] for one in ruling["remedy"]] == ["guide.extra", "guide.missing"]

    def test_a_refused_play_teaches(self, tmp_path: Path) -> None:
        """Which checker, how many pips, and the nearest legal plays, each with the way of its checkers; later too, when the
        play stands.
        """
        match = opened()
        match.play(Player.WHITE, (8, 4), (6, 5), rest_ms=2500)
        match.give(Condone())
        shown = ShownMatch.of(match, folder=tmp_path)
        for kind in (PlayRefused, PlayCondoned):
            ruling = shown.client().get(f"/api/rulings/{number_of(shown, kind)}").json()
            assert ruling["moves"] == [["B5", 3, "B8", 1], ["B7", 5, "B9", 1]]
            taught, no_number = ruling["taught"]
            assert no_number == {"key": "ruling.no-number", "values": {"play": {"plays": ["6/4"]}}}
            assert taught["values"] == {
                "play": {"plays": ["8/5 6/4"]},
                "pips": 5,
                "roll": {"roll": [3, 1]},
                "allowed": 4,
            }
            assert len(ruling["legal"]) == 4
            assert all(legal["play"] and legal["moves"] for legal in ruling["legal"])

    @pytest.mark.parametrize(
        ("mode", "n_legal", "n_of_operator"), [(Mode.TEACH, 4, 4), (Mode.REFEREE, 0, 4), (Mode.TOURNAMENT, 0, 0)]
    )
    def test_legal_plays_are_hints_that_a_viewer_gets_only_where_help_is_allowed(
        self, mode: Mode, n_legal: int, n_of_operator: int, tmp_path: Path
    ) -> None:
        """A spectator may be a player with a phone. The answers to a question are the operator's alone."""
        match = opened(mode=mode, monitor_appointed=True)
        match.play(Player.WHITE, (8, 4), (6, 5), rest_ms=2500)
        shown = ShownMatch.of(match, folder=tmp_path)
        path = f"/api/rulings/{number_of(shown, PlayRefused)}"
        assert len(shown.client().get(path).json()["legal"]) == n_legal
        assert len(shown.client().get(path, headers=OPERATOR).json()["legal"]) == n_of_operator
        assert shown.state()["question"]["answers"] == []
        assert len(shown.state(OPERATOR)["question"]["answers"]) == n_of_operator + 1

    def test_in_a_dispute_the_director_reads_the_legal_plays_also_in_a_tournament(self, tmp_path: Path) -> None:
        """Spectators do not: a player may be one of them."""
        match = opened(mode=Mode.TOURNAMENT, monitor_appointed=True)
        match.play(Player.WHITE, (8, 4), (6, 5), rest_ms=2500)
        match.give(CallDispute())
        shown = ShownMatch.of(match, folder=tmp_path)
        path = f"/api/rulings/{number_of(shown, PlayRefused)}"
        assert len(shown.client().get(path, headers=OPERATOR).json()["legal"]) == 4
        assert shown.client().get(path).json()["legal"] == []

    def test_in_a_dispute_a_legal_play_has_the_others_beside_it(self, tmp_path: Path) -> None:
        """The director compares what was ruled with what else the roll allowed."""
        shown = ShownMatch.after_first_turn(folder=tmp_path)
        path = f"/api/rulings/{number_of(shown, PlayMade)}"
        assert shown.client().get(path, headers=OPERATOR).json()["legal"] == []
        shown.match.give(CallDispute())
        shown.publish()
        legal = shown.client().get(path, headers=OPERATOR).json()["legal"]
        assert len(legal) > 1
        assert "8/5 6/5" in [one["play"] for one in legal]

    def test_both_players_confirm_the_score_and_limited_disputes_are_counted(self) -> None:
        shown = ShownMatch.after_first_turn(profile=replace(CASUAL, disputes=2))
        for command in (
            CallDispute(Player.WHITE),
            SettleDispute(),
            OfferDouble(Player.BLACK),
            DropDouble(Player.WHITE),
        ):
            shown.match.give(command)
        shown.publish()
        shown.client()
        for sent in ({"command": "ConfirmResult", "player": "W"}, {"command": "CallDispute", "player": "B"}):
            assert order(shown, **sent) == 202
            shown.obey()
            match = shown.state(OPERATOR)["match"]
            assert match["confirmed_by"] == (["W"] if sent["player"] == "W" else [])
        assert match["disputes"] == {"caller": "B", "left": [1, 2]}

    def test_a_legal_play_shows_its_way_and_teaches_nothing(self) -> None:
        shown = ShownMatch.after_first_turn()
        ruling = shown.client().get(f"/api/rulings/{number_of(shown, PlayMade)}").json()
        assert (ruling["moves"], ruling["taught"], ruling["legal"]) == (
            [["B5", 3, "B8", 2], ["B7", 5, "B8", 1]],
            [],
            [],
        )

    def test_a_sentence_of_a_rule_has_its_example(self, tmp_path: Path) -> None:
        """The sentences of a pack stay together as the rules gave them."""
        match = opened()
        match.play(Player.WHITE, (8, 5), rest_ms=2500)
        match.give(EndTurn())
        match.rest(2500)
        shown = ShownMatch.of(match, folder=tmp_path)
        ruling = shown.client().get(f"/api/rulings/{number_of(shown, PlayRefused)}").json()
        keys = [[one["key"] for one in sentence] for sentence in ruling["sentences_said"]]
        assert ["fault.must_play_more", "fault.example"] in keys

    def test_a_play_is_proved_by_the_boards_before_and_after(self, tmp_path: Path) -> None:
        """The board before is the one after the last play; both are JPEG."""
        shown = ShownMatch.after_first_turn(folder=tmp_path)
        shown.match.throw(6, 5)
        shown.match.play(Player.BLACK, (24, 18), (18, 13))
        shown.publish()
        first, second = (n for n, one in enumerate(shown.match.events, 1) if isinstance(one, PlayMade))
        client = shown.client()
        assert client.get(f"/api/rulings/{second}").json()["pictures"] == ["before", "after"]
        before = client.get(f"/api/evidence/{second}/before")
        assert before.headers["content-type"] == "image/jpeg"
        assert before.content == client.get(f"/api/evidence/{first}/after").content
        assert client.get(f"/api/evidence/{second}/dice").status_code == 404

    @pytest.mark.parametrize("path", ["rulings/0", "rulings/99999", "rulings/x", "evidence/1/after", "evidence/1/etc"])
    def test_an_unknown_event_or_picture_is_not_found(self, path: str, tmp_path: Path) -> None:
        shown = ShownMatch.begun(folder=tmp_path)
        assert isinstance(shown.match.events[-1], GameStarted)
        assert shown.client().get(f"/api/{path}").status_code == 404
