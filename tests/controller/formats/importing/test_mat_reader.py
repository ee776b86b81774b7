"""Plays, ends, illegal plays and names of match text."""

import pytest

from controller.formats.importing.import_file import ImportedMatch, read_match_text
from controller.formats.match_model import CubeAction, GameAction, GameEnding, GameResult, MatchHistory, PlayedTurn
from controller.formats.transcript import ProblemKind, UnreadableFileError
from controller.match.events import CubeAct
from controller.rules import Player, ResultKind
from tests.controller.formats.match_samples import every_play, logged
from tests.controller.formats.simulated_matches import simulated_match

HEAD = " 3 point match\n\n Game 1\n Ann : 0                        Bob : 0\n"


def read(rows: str, head: str = HEAD) -> ImportedMatch:
    return read_match_text(head + rows)


def in_short_words(match: MatchHistory, *, stars: bool) -> str:
    """Match text with short plays: `24/18*/13`, `8/5(2)`, `bar/22`, `Cannot Move`."""
    lines = [f"{match.length} point match", ""]
    for number, game in enumerate(match.games, 1):
        lines += [f"Game {number}", f"A : {game.score[0]}    B : {game.score[1]}"]
        row, cells = 1, [cell for turn in game.turns if (cell := short_cell(turn, stars=stars)) is not None]
        if cells and cells[0][0] is Player.BLACK:
            cells.insert(0, (Player.WHITE, ""))
        for at in range(0, len(cells), 2):
            pair = [text for _, text in cells[at : at + 2]]
            lines.append(f"{row:3}) {pair[0]:<34}  {pair[1] if len(pair) > 1 else ''}")
            row += 1
        result = game.result
        if result is not None:
            indent = " " * (6 if result.winner is Player.WHITE else 36)
            lines += [f"{indent}Wins {result.points} point", ""]
    return "\n".join(lines)


def short_cell(turn: GameAction, *, stars: bool) -> tuple[Player, str] | None:
    match turn:
        case PlayedTurn():
            play = "Cannot Move" if turn.play == "pass" else turn.play or ""
            return turn.player, f"{turn.roll[1]}{turn.roll[0]}: {play if stars else play.replace('*', '')}"
        case CubeAction(player=Player() as player):
            words = {CubeAct.OFFERED: f" Doubles => {turn.value}", CubeAct.TAKEN: " Takes", CubeAct.DROPPED: " Drops"}
            return player, words[turn.act]
        case _:
            return None


class TestPlaysAsPeopleWriteThem:
    @pytest.mark.parametrize("stars", [True, False])
    @pytest.mark.parametrize("seed", range(4))
    def test_whole_matches_in_short_words(self, seed: int, *, stars: bool) -> None:
        """Every play is legal, and every board is the same."""
        match = logged(simulated_match(seed, "backgammon", 5))
        found = read_match_text(in_short_words(match, stars=stars))
        assert not found.problems
        assert every_play(found.match.games) == every_play(match.games)

    @pytest.mark.parametrize(
        "play", ["24/18*/14", "24/14", "24/18* 18/14", "24/18/14", "24-18 18-14", "24/18, 18/14.", "18/14 24/18"]
    )
    def test_one_checker_with_both_dice(self, play: str) -> None:
        """Merged or not, with or without a star: the blot is hit only if the path passes it."""
        rows = f"  1) 21: 13/11 6/5                  64: {play}\n"
        (_, _, _, after) = every_play(read(rows).match.games)[1]
        assert after is not None
        assert after.split("/")[1][14] == "1"

    def test_a_merged_play_that_must_hit(self) -> None:
        """24/15 with 6-3: White's bar point blocks one path, his blot stands on the other, so it was hit."""
        rows = "  1) 61: 13/7 8/7                   31: 8/5 6/5\n  2) 42: 24/22 8/4                  63: 24/15\n"
        found = read(rows)
        assert not found.problems
        (_, _, _, after) = every_play(found.match.games)[3]
        assert after is not None
        white, black = after.split("/")
        assert (white[25], white[4], black[15]) == ("1", "0", "1")

    @pytest.mark.parametrize("play", ["8/5 x", "8/9", "30/24", "8/5(9)", "8//5", "hello", "1/2/3/4/5", "8/5 " * 12])
    def test_text_that_is_no_play(self, play: str) -> None:
        """The line is reported, and the turns before it are kept."""
        found = read(f"  1) 31: 8/5 6/5                    42: 8/4 6/4\n  2) 31: {play}\n  3) 31: 8/5 6/5\n")
        assert len(found.match.games[0].played_turns) == 2
        assert not found.is_whole
        assert any(problem.line == 6 for problem in found.problems)


class TestEnds:
    def test_a_resignation_is_inferred(self) -> None:
        """From a win while checkers are left: a gammon at cube 2."""
        rows = (
            "  1) 31: 8/5 6/5                     Doubles => 2\n"
            "  2)  Takes                      42: 8/4 6/4\n"
            "                                  Wins 4 points\n"
        )
        (game,) = read(rows).match.games
        assert game.result == GameResult(Player.BLACK, ResultKind.MARS, 4, GameEnding.RESIGNED, (0, 4))

    @pytest.mark.parametrize("word", ["Concedes", "Resigns", "Resigned Match"])
    def test_a_resignation_in_the_player_s_column(self, word: str) -> None:
        (game,) = read(f"  1) 31: 8/5 6/5                    {word}\n").match.games
        assert game.result == GameResult(Player.WHITE, ResultKind.SINGLE, 1, GameEnding.RESIGNED, (1, 0))

    def test_thrown_and_then_conceded(self) -> None:
        """Question marks are no play."""
        rows = "  1) 31: 8/5 6/5                    42: ????\n      Wins 1 point\n"
        found = read(rows)
        (game,) = found.match.games
        assert not found.problems
        assert (len(game.played_turns), game.result and game.result.ending) == (1, GameEnding.RESIGNED)

    def test_a_beaver_stands_for_the_take(self) -> None:
        """The next throw accepts it."""
        head = HEAD.replace(" 3 point match", " 0 point match")
        rows = (
            "  1) 31: 8/5 6/5                 42: 8/4 6/4 \n"
            "  2)  Doubles => 2                Beavers => 4\n"
            "  3) 31: 24/23 13/10             \n"
        )
        acts = [turn for turn in read(rows, head).match.games[0].turns if isinstance(turn, CubeAction)]
        assert acts == [
            CubeAction(Player.WHITE, CubeAct.OFFERED, 2),
            CubeAction(Player.BLACK, CubeAct.BEAVERED, 4),
            CubeAction(Player.WHITE, CubeAct.TAKEN, 4),
        ]

    def test_an_unfinished_game_in_the_middle(self) -> None:
        """The next score line has its points."""
        rows = "  1) 31: 8/5 6/5\n\n Game 2\n Ann : 0              Bob : 2\n  1) 31: 8/5 6/5\n"
        first, second = read(rows).match.games
        assert first.result == GameResult(Player.BLACK, ResultKind.MARS, 2, GameEnding.REPORTED, (0, 2))
        assert (second.result, second.score, second.is_crawford) == (None, (0, 2), True)

    def test_a_double_in_the_expected_crawford_game_means_that_there_is_none(self) -> None:
        head = HEAD.replace(" : 0 ", " : 2 ", 1)
        match = read("  1) 31: 8/5 6/5                     Doubles => 2\n  2)  Takes\n", head).match
        assert (match.occasion.crawford, match.games[0].is_crawford) == (False, False)

    def test_wrong_points_are_reported(self) -> None:
        """Three points for a double dropped at 1."""
        rows = "  1) 31: 8/5 6/5                     Doubles => 2\n  2)  Drops                       Wins 3 points\n"
        (problem,) = read(rows).problems
        assert problem.sentence == "line 6: game 1: 3 points were counted, where 1 would be right"


class TestIllegalPlays:
    def test_an_illegal_play_is_kept_and_reported(self) -> None:
        """With line, game, turn, player and rule; the game goes on from it."""
        found = read("  1) 64: 13/8 13/7                  42: 8/4 6/4\n  2) 31: 8/5 6/5\n")
        (problem,) = found.problems
        record = problem.record()
        assert record.pop("sentence") == (
            "line 5: game 1, turn 1 of Ann: '64: 13/8 13/7' is not legal: No legal play with 6-4 leads to this board;"
            " with another throw it would be legal."
        )
        place = {"line": 5, "game": 1, "turn": 1, "player": "W"}
        assert record == {"kind": "illegal_play", **place, "rules": ["wrong_numbers"]}
        assert len(found.match.games[0].played_turns) == 3
        assert found.is_whole

    def test_a_pass_although_6_6_can_be_played(self) -> None:
        (problem,) = read("  1) 66:                            42: 8/4 6/4\n").problems
        assert problem.rules == ("must_play_more",)

    def test_a_play_that_cannot_be_made_ends_its_game(self) -> None:
        """The next game is read."""
        rows = (
            "  1) 31: 8/5 6/5                    42: 8/4 6/4\n  2) 21: 3/1 6/5                   42: 8/4 6/4\n"
            "\n Game 2\n Ann : 0            Bob : 1\n  1) 31: 8/5 6/5\n"
        )
        found = read(rows)
        (problem,) = found.problems
        assert problem.sentence == (
            "line 6: game 1: '21: 3/1 6/5' cannot be played: there are not so many checkers on point 3;"
            " of this game's turns 2 are kept, 2 left out"
        )
        assert [len(game.played_turns) for game in found.match.games] == [2, 1]
        assert not found.is_whole

    def test_a_position_instead_of_a_play(self) -> None:
        """XG writes the board where it cannot write the play."""
        board = "3;0;0;0;1;Bob;Ann;0;0;0;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-4;5;0;0;0;-3;-1;-5;0;0;0;0;2;0;1;1;"
        found = read(f"  1) 11: Illegal play ({board})      42: 8/4 6/4\n")
        assert [one.kind for one in found.problems] == [ProblemKind.ILLEGAL_PLAY]
        assert len(found.match.games[0].played_turns) == 2


XG_MOBILE = """\
; [Site "XG Mobile"]
; [Match ID "491989142"]
; [Player 1 "Ken"]
; [Player 2 "XG"]
; [Player 1 Elo "1522.94/244"]
; [TimeControl "*0"]
; [EventDate "2022.12.24"]
; [EventTime "21.23"]
; [Variation "Backgammon"]
; [Jacoby "On"]

0 point match

Game 1\x20
Ken : 0                              XG : 0\x20
 1)                                  15: 24/23 23/18
 2) 21: 24/23 13/11                  64: 24/18 13/9
 3)  Doubles => 2                     Takes
 4) 42: 8/4 6/4                      66: Cannot Move
 5)  Wins 2 point

Game 2\x20
Ken : 2                              XG : 0\x20
 1) 31: 8/5 6/5                      22: 24/22 24/22 13/11 13/11
 2) 62: 24/18 13/11                   Doubles => 2
 3)  Drops\x20
                                      Wins 1 point
"""


class TestPrograms:
    def test_xg_mobile(self) -> None:
        """Trailing spaces, low dice first, a wide left column, a numbered row for the result."""
        found = read_match_text(XG_MOBILE)
        (problem,) = found.problems  # a pass with a playable roll
        assert (problem.line, problem.rules) == (19, ("must_play_more",))
        first, second = found.match.games
        assert first.result == GameResult(Player.WHITE, ResultKind.SINGLE, 2, GameEnding.RESIGNED, (2, 0))
        assert second.result == GameResult(Player.BLACK, ResultKind.SINGLE, 1, GameEnding.DROPPED, (2, 1))
        assert (found.match.occasion.date, found.match.occasion.time) == ("2022-12-24", "21:23")
        assert found.match.occasion.jacoby

    def test_columns_that_change_from_game_to_game(self) -> None:
        """One program puts the starter on the left; the names decide."""
        rows = "  1) 31: 8/5 6/5                    Resigns\n\n Game 2\n Bob : 0           Ann : 1\n  1) 42: 8/4 6/4\n"
        first, second = read(rows).match.games
        assert first.result is not None
        assert (first.result.winner, second.played_turns[0].player) == (Player.WHITE, Player.BLACK)
        assert second.score == (1, 0)

    def test_a_doubt_behind_a_play_is_ignored(self) -> None:
        assert not read("  1) 31: 8/5 6/5 ILLEGAL?              42: 8/4 6/4\n").problems

    def test_a_forfeited_game_has_a_winner_and_no_turn(self) -> None:
        (game,) = read("  1)                \n   Wins 3 points and the match\n").match.games
        assert game.result is not None
        assert (game.result.winner, game.result.points, game.played_turns) == (Player.WHITE, 3, ())


class TestNames:
    @pytest.mark.parametrize(
        ("line", "names"),
        [
            (" Anna: the 1st (1500) : 0      Bob [x] : 0", ("Anna: the 1st (1500)", "Bob [x]")),
            (" Анна:0  Zażółć : 0", ("Анна", "Zażółć")),
            ("A : 0 B : 0", ("A", "B")),
        ],
    )
    def test_names_with_colons(self, line: str, names: tuple[str, str]) -> None:
        """The score stands before the gap."""
        match = read_match_text(f" 3 point match\n\n Game 1\n{line}\n  1) 31: 8/5 6/5\n").match
        assert (match.white, match.black) == names


class TestOtherGames:
    def test_a_variation_that_is_not_read(self) -> None:
        """LongGammon has another start."""
        with pytest.raises(UnreadableFileError, match="'LongGammon'"):
            read_match_text('; [Variation "LongGammon"]\n\n' + HEAD)
