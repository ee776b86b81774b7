"""A match written as servers save it gives the plays and results of its match text."""

import re
from collections.abc import Iterator

import pytest

from controller.formats.exporting.game_replay import ReplayTurn, make_replay
from controller.formats.importing.import_file import read_match_text, read_matches
from controller.formats.match_model import CubeAction, GameHistory, MatchHistory, PlayedTurn
from controller.formats.variations import Variation
from controller.match.events import CubeAct
from controller.rules import Player
from tests.controller.formats.match_samples import every_play, golden_files, logged
from tests.controller.formats.simulated_matches import simulated_match

NAMES = {25: "bar", 0: "off"}
FIBS = {CubeAct.OFFERED: "doubles", CubeAct.TAKEN: "accepts", CubeAct.DROPPED: "rejects"}
SGG = {
    CubeAct.OFFERED: "Double to 2",
    CubeAct.TAKEN: "Accept",
    CubeAct.DROPPED: "Pass",
    CubeAct.BEAVERED: "Beaver to 4",
}


def winner_of(game: GameHistory) -> tuple[Player, int]:
    assert game.result is not None
    assert game.result.winner is not None
    return game.result.winner, game.result.points


def oldmoves(match: MatchHistory) -> Iterator[str]:
    """As FIBS: O moves upwards, and every second game exchanges the signs."""
    for number, game in enumerate(match.games):
        signs = {Player.WHITE: "XO"[number % 2], Player.BLACK: "OX"[number % 2]}
        order = [Player.WHITE, Player.BLACK][:: -1 if number % 2 else 1]
        score = [game.score[0 if player is Player.WHITE else 1] for player in order]
        yield f"Score is {score[0]}-{score[1]} in a {match.length} point match."
        yield f"{'anna' if order[0] is Player.WHITE else 'boris'} is X - {'boris' if number % 2 == 0 else 'anna'} is O"
        for cell in make_replay(game, Variation.BACKGAMMON, match).cells:
            match cell:
                case ReplayTurn():
                    up = signs[cell.turn.player] == "O"
                    words = [
                        "-".join(NAMES.get(place) or str(25 - place if up else place) for place in step)
                        for step in cell.steps
                    ]
                    yield f"{signs[cell.turn.player]}: ({cell.turn.roll[0]} {cell.turn.roll[1]}) {' '.join(words)}"
                case CubeAction(player=Player() as player):
                    yield f"{signs[player]}: {FIBS[cell.act]}"
                case _:
                    raise AssertionError("no board is put in these matches")
        winner, points = winner_of(game)
        yield f"{signs[winner]}: wins {points} points"
        yield ""


def sgg(match: MatchHistory) -> Iterator[str]:
    """As GamesGrid: throws on lines of their own, and lines twice."""
    yield from (
        "anna                 vs.                boris",
        "Thursday November 21, 2002",
        "Crawford: Yes",
        "Jacoby: Yes",
    )
    for game in match.games:
        length = f"/{match.length}" if match.length else ""
        yield f"Game {game.number}.{game.score[0]}{'*' if game.is_crawford else ''}-{game.score[1]}{length}"
        yield ""
        for number, cell in enumerate(make_replay(game, Variation.BACKGAMMON, match).cells, 1):
            match cell:
                case ReplayTurn():
                    front = f"{number}\t{'' if cell.turn.player is Player.WHITE else chr(9)}"
                    roll = "".join(map(str, cell.turn.roll))
                    words = ", ".join("/".join(NAMES.get(place) or str(place) for place in step) for step in cell.steps)
                    if words:
                        yield f"{front}{roll}: "
                    yield f"{front}{roll}: {words or 'O-O'}"
                    yield f"{front}{roll}: {words or 'O-O'}"
                case CubeAction(player=Player() as player):
                    yield f"{number}\t{'' if player is Player.WHITE else chr(9)}{SGG[cell.act]}"
                case _:
                    raise AssertionError("no board is put in these matches")
        winner, points = winner_of(game)
        yield f"{'anna' if winner is Player.WHITE else 'boris'} wins {points} points."
        yield ""


@pytest.mark.parametrize("write", [oldmoves, sgg])
@pytest.mark.parametrize("file", golden_files("std_5pt.mat", "std_7pt.mat"), ids=lambda file: file.name)
def test_the_match_of_a_text_file(write: object, file: object) -> None:
    text = read_match_text(file.read_text(encoding="utf-8")).match  # type: ignore[attr-defined]
    assert callable(write)
    found = read_match_text("\n".join(write(text)))
    assert [problem.sentence for problem in found.problems] == []
    assert (found.match.white, found.match.black, found.match.length) == ("anna", "boris", text.length)
    assert every_play(found.match.games) == every_play(text.games)
    assert [game.result for game in found.match.games] == [game.result for game in text.games]


def test_a_money_session_with_beavers() -> None:
    match = logged(simulated_match(11, "backgammon", None))
    found = read_match_text("\n".join(sgg(match)))
    assert [problem.sentence for problem in found.problems] == []
    assert every_play(found.match.games) == every_play(match.games)
    assert (found.match.length, found.match.occasion.date, found.match.occasion.jacoby) == (None, "2002-11-21", True)


def test_a_resignation_after_the_throw() -> None:
    rows = "1\t31: 8/5, 6/5\n1\t\t62: 24/18, 13/11\n2\t41: resign\nboris wins 1 point.\n"
    (game,) = read_match_text("anna vs. boris\nGame 1.0-0/5\n" + rows).match.games
    assert winner_of(game) == (Player.BLACK, 1)
    assert len([turn for turn in game.turns if isinstance(turn, PlayedTurn)]) == 2


def test_a_date_is_one_that_can_be_read() -> None:
    text = "anna vs. boris\nDate: yesterday\nGame 1.0-0/5\n1\t31: 8/5, 6/5\n"
    assert read_match_text(text).match.occasion.date == ""


def test_other_players_are_another_match() -> None:
    match = logged(simulated_match(3, "backgammon", 1))
    one = "\n".join(oldmoves(match))
    other = re.sub("boris", "carla", one)
    assert [read.match.black for read in read_matches(f"{one}\n{other}".encode())] == ["boris", "carla"]


def test_a_problem_is_one_of_its_own_match() -> None:
    one = "Score is 0-0 in a 1 point match.\nanna is X - boris is O\nX: (3 1) 8-5 6-5\n{}\n"
    both = one.format("O: kibitzes something") + one.format("").replace("boris", "carla")
    assert [len(read.problems) for read in read_matches(both.encode())] == [1, 0]


def test_what_is_no_turn_is_reported_with_its_line() -> None:
    text = "Score is 0-0 in a 1 point match.\nanna is X - boris is O\nX: (3 1) 8-5 6-5\nO: kibitzes something\n"
    assert [problem.sentence for problem in read_match_text(text).problems] == [
        "line 4: 'kibitzes something' is no turn; it was passed over"
    ]


def test_games_for_money_may_each_begin_at_nothing() -> None:
    game = " Game {}\n Ann : 0                        Ben : 0\n  1) 31: 8/5 6/5                 42: 8/4 6/4\n      Wins 1 point\n"
    read = read_match_text(" 0 point match\n\n" + game.format(1) + game.format(2))
    assert read.problems == ()
    assert len(read.match.games) == 2


OPEN_GAMMON = """; [Site "OpenGammon"]
; [Player 1 "ann"]
; [Player 2 "ben"]
; [Cubelimit "64"]

3 point match

 Game 1
 ann: 0                                 ben: 0
  1) 13: 8/5 6/5                                42: 8/4 6/4
  2) Doubles => 2                               Takes
  3) 66: 24/18 24/18 13/7 13/7                  51: 13/8 6/5
  4) 31: 8/5 6/5                                Doubles => 4
  5) Drops
                                              Wins 2 points

 Game 2
 ann: 0                                 ben: 2
  1)                                            53: 8/3 6/3
  2) 61: 13/7 8/7                               Resigned Match
     Wins 3 points and the match
"""
STUDIO = """; [Site "Backgammon Studio"]
; [ClockType "Live8 780/10"]

3 point match


 Game 1
 Ann : 0                               Ben : 0
  1) 51: 24/23 13/8                     41: 6/2* 2/1*
  2) 62: bar/23                         00: ????
  3)  Wins 1 point

 Game 2
 Ann : 1                               Ben : 0
  1)                                    53: 8/3 6/3
  2)  Doubles => 2                       Takes
  3) 61: 13/7 8/7                       66: ????
  4)  Wins 2008 point
"""


@pytest.mark.parametrize(
    ("text", "scores", "remark"),
    [
        (OPEN_GAMMON, [(0, 2), (3, 2)], "Cubelimit: 64"),
        (STUDIO, [(1, 0), (3, 0)], "ClockType: Live8 780/10"),
    ],
)
def test_match_text_as_two_services_write_it(text: str, scores: list[tuple[int, int]], remark: str) -> None:
    read = read_match_text(text)
    assert read.problems == ()
    assert [game.result.score for game in read.match.games if game.result] == scores
    assert [one.text for one in read.match.remarks] == [remark]
