import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.formats.exporting.turn_states import (
    NoSuchMatchStateError,
    TurnMoment,
    TurnReference,
    find_match_state,
    parse_turn_reference,
)
from controller.formats.importing.import_file import read_match_file
from controller.formats.positions.match_state import GameState, IdTextError, MatchState
from controller.formats.positions.position_ids import gnubgid, match_id, parse_gnubgid, parse_match_id, position_id
from controller.formats.positions.snowie_position import parse_board, snowie_position
from controller.formats.positions.xgid import parse_xgid, xgid
from controller.formats.variations import NotForThisGameError
from controller.match.event_values import Occasion
from controller.match.events import CubeAct, CubeTurned, GameStarted, MatchStarted, Mode
from controller.rules import Player
from tests.controller.formats.match_samples import GOLDEN, SAMPLES, logged
from tests.controller.formats.simulated_matches import simulated_match

pytestmark = pytest.mark.broad

START = "00000050300005000000000020/00000050300005000000000020"
PLAYERS = (Player.WHITE, Player.BLACK)
GOLDEN_IDS = [json.loads(line) for line in (SAMPLES / "position_ids.jsonl").read_text().splitlines()]


def golden_name(case: dict[str, Any]) -> str:
    return str(case["name"])


def golden_moment(case: dict[str, Any]) -> MatchState:
    """The state of a golden case; only its XGID has beavers."""
    return MatchState(
        tuple(case["p0"]),
        tuple(case["p1"]),
        PLAYERS[case["on_roll"]],
        PLAYERS[case["to_decide"]],
        tuple(case["dice"]) if any(case["dice"]) else None,
        case["cube"],
        None if case["cube_owner"] < 0 else PLAYERS[case["cube_owner"]],
        tuple(case["score"]),
        case["match_length"],
        is_crawford=case["crawford"],
        jacoby=case["jacoby"],
        beavers=not case["match_length"] and case["xgid"].split(":")[7] in ("2", "3"),
        doubled=case["doubled"],
    )


def seen_by_gnubg(moment: MatchState) -> MatchState:
    """The file orders the sides by who decides, GNU Backgammon by who is on roll (see below)."""
    if moment.on_roll is moment.decides:
        return moment
    return replace(moment, white=moment.black, black=moment.white)


class TestGoldenIds:
    def test_there_are_75(self) -> None:
        assert len(GOLDEN_IDS) == 75

    @pytest.mark.parametrize("case", GOLDEN_IDS, ids=golden_name)
    def test_written_and_read(self, case: dict[str, Any]) -> None:
        """Position id, match id and XGID of GNU Backgammon, both ways."""
        moment = golden_moment(case)
        turned = seen_by_gnubg(moment)
        ids = (case["position_id"], case["match_id"], case["xgid"])
        assert (position_id(turned), match_id(moment), xgid(moment)) == ids
        assert parse_xgid(case["xgid"]) == moment
        assert parse_gnubgid(f"{case['position_id']}:{case['match_id']}") == replace(turned, beavers=False)

    def test_an_offered_double_does_not_exchange_the_players(self) -> None:
        """Black doubles in turn 22 of a golden match; GNU Backgammon's id has Black's checkers second."""
        match = read_match_file(SAMPLES / "g2_std_5pt.mat").match
        offered = find_match_state(match, TurnReference(22, TurnMoment.OFFERED))
        assert (offered.on_roll, offered.decides) == (Player.BLACK, Player.WHITE)
        assert offered.black == (0, 0, 3, 3, 2, 2, 3, 2, *(0,) * 17)
        assert gnubgid(offered) == "SzcBADvcbTcAAA:cBGgAAAAAAAE"
        assert parse_gnubgid("SzcBADvcbTcAAA:cBGgAAAAAAAE") == offered


def sides() -> st.SearchStrategy[tuple[int, ...]]:
    """Up to fifteen checkers on 24 points and the bar."""
    return st.lists(st.integers(0, 24), max_size=15).map(lambda places: tuple(places.count(at) for at in range(25)))


def without_meetings(white: tuple[int, ...], black: tuple[int, ...]) -> tuple[int, ...]:
    """Black without checkers on points that White holds."""
    return (*(0 if white[23 - point] else count for point, count in enumerate(black[:24])), black[24])


@st.composite
def moments(draw: st.DrawFn) -> MatchState:
    """Any moment that an id can express."""
    white = draw(sides())
    length = draw(st.integers(0, 99))
    on_roll, doubled = draw(st.sampled_from(Player)), draw(st.booleans())
    owner = draw(st.sampled_from((None, *Player)))
    is_beaver = owner is on_roll.opponent
    return MatchState(
        white,
        without_meetings(white, draw(sides())),
        on_roll,
        on_roll.opponent if doubled and not is_beaver else on_roll,
        None if doubled else draw(st.none() | st.tuples(st.integers(1, 6), st.integers(1, 6))),
        1 << draw(st.integers(0, 10)),
        owner,
        (draw(st.integers(0, 99)), draw(st.integers(0, 99))),
        length,
        is_crawford=draw(st.booleans()) if length else False,
        jacoby=False if length else draw(st.booleans()),
        doubled=doubled,
    )


class TestInverse:
    @given(moments())
    def test_gnubgid(self, moment: MatchState) -> None:
        assert parse_gnubgid(gnubgid(moment)) == moment

    @given(moments())
    def test_xgid(self, moment: MatchState) -> None:
        assert parse_xgid(xgid(moment)) == moment

    @given(moments(), st.integers(0, 3), st.sampled_from(GameState))
    def test_match_id_carries_resignations_and_ends(self, moment: MatchState, resigned: int, state: GameState) -> None:
        whole = replace(moment, white=(0,) * 25, black=(0,) * 25, resigned=resigned, state=state)
        assert parse_match_id(match_id(whole)) == whole

    @given(moments(), st.sampled_from(Player))
    def test_snowie_positions(self, moment: MatchState, mover: Player) -> None:
        """The checkers come back for either mover."""
        line = snowie_position(replace(moment, on_roll=mover), ("Anna; (1)", "Boris"))
        board = parse_board(f"Illegal play ({line})", mover)
        assert board is not None
        assert (*board.white.points, board.white.bar) == moment.white
        assert (*board.black.points, board.black.bar) == moment.black

    @given(st.text(max_size=60))
    def test_other_text_is_refused(self, text: str) -> None:
        for parse in (parse_gnubgid, parse_xgid):
            try:
                parse(text)
            except IdTextError:
                continue

    @pytest.mark.parametrize("text", ["4HPwATDgc/ABM", "/////////////w", "4HPwATDgc/ABMA===", "Ж" * 14])
    def test_invalid_position_ids(self, text: str) -> None:
        """Too short, too many checkers, padded, other characters."""
        with pytest.raises(IdTextError):
            parse_gnubgid(f"{text}:cAkAAAAAAAAE")

    @pytest.mark.parametrize(
        "board", ["-b----E-C---eE---c-e----B", "-b----E-C---eE---c-e----P-", "A" + "-" * 25, "-OA" + "-" * 23]
    )
    def test_invalid_boards_of_an_xgid(self, board: str) -> None:
        """Too short, a stack of sixteen, Black on White's bar, too many checkers."""
        with pytest.raises(IdTextError):
            parse_xgid(f"XGID={board}:0:0:1:00:0:0:0:0:10")


class TestMomentsOfAMatch:
    @pytest.mark.skipif(not GOLDEN.is_dir(), reason="the golden files are not beside the project")
    @pytest.mark.parametrize("file", sorted((GOLDEN / "matches").glob("*.json")), ids=lambda file: str(file.stem))
    def test_every_turn_has_the_id_that_gnubg_shows(self, file: Any) -> None:
        """Before the throw or after it, and where a double was offered."""
        match = read_match_file(file.with_suffix(".sgf")).match
        number, offered = 0, None
        for game in json.loads(file.read_text(encoding="utf-8"))["games"]:
            for turn in game["turns"]:
                if turn["action"] == "double":
                    offered = turn["gnubg_id_after"]
                if turn["action"] != "move":
                    continue
                number += 1
                shown = {
                    gnubgid(find_match_state(match, TurnReference(number, stage)))
                    for stage in (TurnMoment.BEFORE, TurnMoment.THROWN)
                }
                assert turn["gnubg_id_before"] in shown
                if offered is not None:
                    assert gnubgid(find_match_state(match, TurnReference(number, TurnMoment.OFFERED))) == offered
                offered = None
            offered = None

    def test_without_a_turn_it_is_the_end(self) -> None:
        match = read_match_file(SAMPLES / "g2_std_5pt.mat").match
        assert gnubgid(find_match_state(match, None)) == "AAAA3jtFIAAAAA:AQKgAAAAMAAE"

    def test_a_beaver_is_answered_by_the_doubler(self) -> None:
        """After the beaver the cube is at 2 and offered at 4; the ids are those of the golden case played_50."""
        events = (
            MatchStarted(0, "backgammon", None, "casual", Mode.REFEREE, "A", "B", None, occasion=Occasion(jacoby=True)),
            GameStarted(0, 1, START, Player.BLACK),
            CubeTurned(0, CubeAct.OFFERED, Player.BLACK, 1),
            CubeTurned(0, CubeAct.BEAVERED, Player.WHITE, 1),
        )
        beavered = find_match_state(logged(events), None)
        assert (beavered.cube, beavered.owner, beavered.decides) == (2, Player.WHITE, Player.BLACK)
        assert match_id(beavered) == "QRkAAAAAAAAA"
        taken = find_match_state(logged((*events, CubeTurned(0, CubeAct.TAKEN, Player.BLACK, 4))), None)
        assert (taken.cube, taken.owner, taken.doubled) == (4, Player.WHITE, False)

    @pytest.mark.parametrize("text", ["", "x", "12:", "12:now", "-1", "1" * 9, "12:before:x", "²"])
    def test_text_that_is_no_turn(self, text: str) -> None:
        with pytest.raises(NoSuchMatchStateError, match="is no turn"):
            parse_turn_reference(text)

    def test_missing_turns_and_moments(self) -> None:
        match = read_match_file(SAMPLES / "g2_std_5pt.mat").match
        with pytest.raises(NoSuchMatchStateError, match="no turn 92; the match has 91"):
            find_match_state(match, TurnReference(92))
        with pytest.raises(NoSuchMatchStateError, match="no double was offered"):
            find_match_state(match, TurnReference(3, TurnMoment.OFFERED))

    def test_other_games_have_no_ids(self) -> None:
        with pytest.raises(NotForThisGameError):
            find_match_state(logged(simulated_match(1, "long_nardy", 1), "long_nardy"), None)
