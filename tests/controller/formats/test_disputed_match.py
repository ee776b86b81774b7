"""A match with an illegal play that stands, one that was taken back, and an unfinished game, in every format."""

import json
from pathlib import Path

import pytest

from controller.cli import main
from controller.formats.importing.import_file import read_match_file
from controller.match import events
from controller.match.event_values import BoardUsed, Occasion
from controller.match.events import CubeAct, Mode, RefereeEvent
from controller.match.seating import Checkers, PictureEdge, Seating
from controller.match_log import create_match
from controller.rules import Player, Position, ResultKind, Rule, Setup, Side, get_ruleset, parse_setup, position_text

WHITE, BLACK = Player.WHITE, Player.BLACK
START = "00000050300005000000000020/00000050300005000000000020"


def after(before: str, player: Player, *steps: tuple[int, int]) -> str:
    """The board after steps that hit nothing."""
    setup = parse_setup(before)
    counts = list(setup.side(player).counts)
    for source, target in steps:
        counts[source] -= 1
        counts[target] += 1
    moved = Side.of_counts(tuple(counts))
    sides = Setup(moved, setup.black) if player is WHITE else Setup(setup.white, moved)
    return position_text(Position.of(sides, get_ruleset("backgammon")))


def disputed_events() -> tuple[RefereeEvent, ...]:
    """Two games of a match to three points; White's 5-2 in the first game is played as 5-3 and stands."""
    first = after(START, WHITE, (8, 5), (6, 5))
    wrong = after(first, BLACK, (13, 8), (13, 7))
    second = after(first, BLACK, (24, 14))
    third = after(second, WHITE, (13, 8), (13, 10))
    fourth = after(START, BLACK, (24, 18), (13, 11))
    occasion = Occasion("Board 2", "Club night", "1", "2026-11-21", "20:15", "Zarbiter")
    clause = "casual: it stands after the next throw"
    names, board = (
        ("Anna: the 1st", "Boris"),
        BoardUsed(False, Seating(Checkers.DARK, PictureEdge.TOP), fourth, BLACK),
    )
    return (
        events.MatchStarted(0, "backgammon", None, "casual", Mode.REFEREE, *names, 3, occasion=occasion, board=board),
        events.GameStarted(0, 1, START, None),
        events.OpeningThrown(1_000, 3, 1, WHITE),
        events.DiceRolled(1_000, WHITE, (3, 1)),
        events.PlayMade(9_000, WHITE, (3, 1), "8/5 6/5", START, first, "end_turn"),
        events.DiceRolled(10_000, BLACK, (6, 4)),
        events.PlayRefused(15_000, BLACK, (6, 4), first, wrong, (Rule.WRONG_NUMBERS,), ("No.",)),
        events.PlayCorrected(17_000, BLACK),
        events.PlayMade(18_000, BLACK, (6, 4), "24/14", first, second, "end_turn"),
        events.DiceRolled(20_000, WHITE, (5, 2)),
        events.PlayRefused(25_000, WHITE, (5, 2), second, third, (Rule.WRONG_NUMBERS,), ("No.",)),
        events.PlayCondoned(27_000, WHITE, (5, 2), second, third, (Rule.WRONG_NUMBERS,), clause),
        events.CubeTurned(30_000, CubeAct.OFFERED, BLACK, 1),
        events.CubeTurned(31_000, CubeAct.DROPPED, WHITE, 1),
        events.GameWon(31_000, BLACK, ResultKind.SINGLE, 1, 0, 1),
        events.GameStarted(40_000, 2, START, None),
        events.OpeningThrown(41_000, 2, 6, BLACK),
        events.DiceRolled(41_000, BLACK, (6, 2)),
        events.PlayMade(45_000, BLACK, (6, 2), "24/18 13/11", START, fourth, "end_turn"),
        events.DiceRolled(50_000, WHITE, (4, 1)),
    )


MAT_HEADER = """\
; [Site "Board 2"]
; [Match ID "disputed"]
; [Player 1 "Anna, the 1st"]
; [Player 2 "Boris"]
; [EventDate "2026.11.21"]
; [EventTime "20.15"]
; [Event "Club night"]
; [Round "1"]
; [Variation "Backgammon"]
; [Crawford "On"]
; [Transcriber "Zarbiter"]
; [Remark "Game 1, turn 2 of Boris: an illegal play was taken back"]
; [Remark "Game 1, turn 3 of Anna: the 1st was not legal (wrong_numbers) and stood"]
; [Remark "Game 2 is not finished"]
; [Remark "Game 2: the roll 41 at its end was not played and is left out"]

"""
MAT_GAMES = (
    " 3 point match\n\n"
    " Game 1\n"
    " Anna, the 1st : 0              Boris : 0\n"
    "  1) 31: 8/5 6/5                 64: 24/18 18/14 \n"
    "  2) 52: 13/10 13/8               Doubles => 2\n"
    "  3)  Drops                       Wins 1 point \n\n"
    " Game 2\n"
    " Anna, the 1st : 0              Boris : 1\n"
    "  1)                             62: 24/18 13/11 \n\n"
)
SGF = """\
(;FF[4]GM[6]CA[UTF-8]AP[zarbiter:0.1]MI[length:3][game:0][ws:0][bs:0]PW[Anna, the 1st]PB[Boris]\
DT[2026-11-21]EV[Club night]RO[1]PC[Board 2]AN[Zarbiter]RU[Crawford]RE[B+1]\
C[Game 1, turn 2 of Boris: an illegal play was taken back
Game 1, turn 3 of Anna: the 1st was not legal (wrong_numbers) and stood]
;W[31hefe]
;B[64aggk]C[turn 2 of Boris: an illegal play was taken back]
;W[52mjmh]C[turn 3 of Anna: the 1st was not legal (wrong_numbers) and stood]
;B[double]
;W[drop])
(;FF[4]GM[6]CA[UTF-8]AP[zarbiter:0.1]MI[length:3][game:1][ws:0][bs:1]PW[Anna, the 1st]PB[Boris]\
RU[Crawford]C[Game 2 is not finished]
;B[62agln]
;PL[W]DI[41])
"""


@pytest.fixture
def match(tmp_path: Path) -> Path:
    path = tmp_path / "disputed.zmatch"
    with create_match(path, "backgammon") as log:
        log.append(disputed_events())
    return path


def exported(match: Path, *options: str) -> str:
    out = match.with_name("out")
    assert main(["export", str(match), "--format", *options, "-o", str(out)]) == 0
    return out.read_text(encoding="utf-8")


class TestEveryFormat:
    def test_mat(self, match: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """The steps as made, remarks about the rest, and the same remarks on the terminal."""
        assert exported(match, "mat") == MAT_HEADER + MAT_GAMES
        assert capsys.readouterr().err.splitlines() == [
            "zarbiter: mat: Game 1, turn 2 of Boris: an illegal play was taken back",
            "zarbiter: mat: Game 1, turn 3 of Anna: the 1st was not legal (wrong_numbers) and stood",
            "zarbiter: mat: Game 2 is not finished",
            "zarbiter: mat: Game 2: the roll 41 at its end was not played and is left out",
        ]

    def test_snowie(self, match: Path) -> None:
        """Without a header, so the remarks are on the terminal only."""
        assert exported(match, "snowie") == MAT_GAMES

    def test_sgf(self, match: Path) -> None:
        """The unplayed roll is written, and comments stand at their turns."""
        assert exported(match, "sgf") == SGF

    def test_ids_of_the_end(self, match: Path) -> None:
        """White has thrown 4-1 in the second game."""
        assert exported(match, "xgid") == "XGID=-b----E-C--AeD---cAe----A-:0:0:-1:41:1:0:0:3:10\n"
        assert exported(match, "gnubgid") == "4HPkQSDgc/ABMA:MAFmAAAACAAE\n"

    def test_ids_of_a_turn(self, match: Path) -> None:
        before = exported(match, "xgid", "--at", "3")
        assert before.split(":")[4] == "52"
        assert exported(match, "xgid", "--at", "3:after").split(":")[3:5] == ["1", "00"]

    def test_snowie_position(self, match: Path) -> None:
        line = exported(match, "snowie", "--at", "1")
        assert line.startswith("3;0;0;0;0;Anna, the 1st;Boris;0;0;0;1;0;0;-2;")
        assert line.endswith(";2;0;3;1;\n")

    def test_sheet(self, match: Path) -> None:
        page = exported(match, "sheet")
        assert '5-2: <span class="bad">not legal, stands</span><br><span class="note">wrong numbers</span>' in page
        assert '6-4: 24/14<br><span class="note">taken back: wrong numbers</span>' in page
        assert "casual: it stands after the next throw" in page
        assert "Not finished; Anna: the 1st has thrown 4-1." in page

    def test_jsonl_carries_everything(self, match: Path) -> None:
        """The same events come back."""
        out = match.with_name("match.jsonl")
        out.write_text(exported(match, "jsonl"), encoding="utf-8")
        read = read_match_file(out)
        assert read.events == disputed_events()
        assert not read.problems
        kinds = [json.loads(line)["event"]["event"] for line in out.read_text(encoding="utf-8").splitlines()[1:]]
        assert kinds.count("PlayCondoned") == 1

    def test_mat_read_again(self, match: Path) -> None:
        """The rules core finds the illegal play, with its game, turn and rule."""
        out = match.with_name("match.mat")
        out.write_text(exported(match, "mat"), encoding="utf-8")
        read = read_match_file(out)
        (problem,) = read.problems
        record = problem.record()
        assert (record["kind"], record["line"], record["game"], record["turn"]) == ("illegal_play", 22, 1, 3)
        assert (record["player"], record["rules"]) == ("W", ["wrong_numbers"])
        assert read.is_whole
        assert read.match.games[1].result is None
