"""Rows, ends, remarks and positions of match text as people and programs really write them."""

import pytest

from controller.formats.importing.import_file import ImportedMatch, read_match_text, read_matches
from controller.formats.match_model import CubeAction, GameEnding, GameHistory
from controller.formats.transcript import ProblemKind
from controller.match.events import CubeAct
from controller.rules import Player, ResultKind
from tests.controller.formats.match_samples import logged

HEAD = " 5 point match\n\n Game 1\n Ann : 0                        Bob : 0\n"
ROW = "  1) 31: 8/5 6/5                 42: 8/4 6/4\n"


def read(rows: str, head: str = HEAD) -> ImportedMatch:
    return read_match_text(head + rows)


def game_of(rows: str) -> GameHistory:
    """The only game, read without problems."""
    found = read(rows)
    assert not found.problems, [problem.sentence for problem in found.problems]
    (game,) = found.match.games
    return game


def ended(game: GameHistory) -> tuple[Player | None, ResultKind | None, int, GameEnding]:
    assert game.result is not None
    return game.result.winner, game.result.kind, game.result.points, game.result.ending


class TestRows:
    def test_a_drop_and_a_win_without_a_number(self) -> None:
        """It is a drop, not a resignation."""
        game = game_of(
            "  1) 31: 8/5 6/5                  Doubles => 2\n      Drops                       Wins 1 point\n"
        )
        assert ended(game) == (Player.BLACK, ResultKind.SINGLE, 1, GameEnding.DROPPED)
        assert [turn.act for turn in game.turns if isinstance(turn, CubeAction)] == [CubeAct.OFFERED, CubeAct.DROPPED]

    def test_rows_without_numbers(self) -> None:
        """A line that begins with a roll or a cube action is a row."""
        game = game_of("  31: 8/5 6/5                 42: 8/4 6/4\n   Doubles => 2                 Takes\n")
        assert (len(game.played_turns), len(game.turns)) == (2, 4)

    def test_prose_is_no_row(self) -> None:
        """It is reported and skipped."""
        found = read(ROW + "Double trouble for Bob here\n  2) 65: 24/18 18/13\n")
        assert [problem.kind for problem in found.problems] == [ProblemKind.UNREADABLE]
        assert len(found.match.games[0].turns) == 3

    def test_a_win_in_a_row_of_its_own_after_the_first_play(self) -> None:
        """A numbered win is no second turn, so the play in the left column is White's."""
        game = game_of("  1) 31: 8/5 6/5                  \n  2)  Wins 1 point\n")
        assert (game.starter, ended(game)[0]) == (Player.WHITE, Player.WHITE)

    def test_a_missing_colon(self) -> None:
        """A play has to follow the roll."""
        game = game_of("  1) 31 8/5 6/5                 42 8/4 6/4\n  2) 65 24/18 18/13               66:\n")
        assert [turn.roll for turn in game.played_turns] == [(3, 1), (4, 2), (6, 5)]

    def test_tabs_stand_every_eighth_column(self) -> None:
        assert ended(game_of(ROW + "\t\t\t\t  Wins 1 point\n"))[0] is Player.BLACK

    def test_carriage_returns_as_line_ends(self) -> None:
        assert len(read_match_text((HEAD + ROW).replace("\n", "\r")).match.games[0].played_turns) == 2

    @pytest.mark.parametrize("line", ["; a fine play", "# a fine play", "// a fine play", "| a fine play |", "+-----+"])
    def test_remarks_between_rows(self, line: str) -> None:
        assert len(game_of(ROW + line + "\n  2) 65: 24/18 18/13\n").played_turns) == 3

    @pytest.mark.parametrize("remark", ["{31: best}", "(best)", "[good]", "(2nd)", "illegal?"])
    def test_remarks_behind_a_play(self, remark: str) -> None:
        """In any brackets; a number in brackets stays a count."""
        game = game_of(f"  1) 31: 8/5 6/5 {remark}           66: 24/18 (2) 13/7(2) {remark}\n")
        assert [turn.play for turn in game.played_turns] == ["8/5 6/5", "24/18(2) 13/7(2)"]


class TestPlays:
    @pytest.mark.parametrize("play", ["24/18x2 13/7x2", "24/18 x2 13/7[2]", "24/18(2)13/7(2)", "24 / 18(2); 13 / 7(2)"])
    def test_counts(self, play: str) -> None:
        assert game_of(f"  1) 31: 8/5 6/5                 66: {play}\n").played_turns[1].play == "24/18(2) 13/7(2)"

    @pytest.mark.parametrize("words", ["fan", "Pass", "(no move)", "Cannot Move", "0/0"])
    def test_a_pass_in_words(self, words: str) -> None:
        """It is judged, and not taken for a drop."""
        (problem,) = read(f"  1) 31: 8/5 6/5                 66: {words}\n  2) 65: 24/18 18/13\n").problems
        assert (problem.kind, problem.rules) == (ProblemKind.ILLEGAL_PLAY, ("must_play_more",))

    def test_0_0_for_a_number_without_a_checker(self) -> None:
        assert game_of("  1) 31: 8/5 6/5 0/0                 42: 8/4 6/4\n").played_turns[0].play == "8/5 6/5"


class TestEnds:
    @pytest.mark.parametrize("end", ["      Wins 1 point\n", "", "  3)  Resigned Game\n      Wins 1 point\n"])
    def test_a_playable_roll_without_a_play_at_the_end(self, end: str) -> None:
        """GNU Backgammon writes this when a player throws and resigns; it is no pass."""
        rows = "  1)                             62: 24/18 13/11\n  2) 62: 13/7* 24/22             51:\n"
        game = game_of(rows + end)
        assert len(game.played_turns) == 2
        assert game.thrown is not None
        assert (game.thrown.player, game.thrown.roll) == (Player.BLACK, (5, 1))
        if end:
            assert ended(game) == (Player.WHITE, ResultKind.SINGLE, 1, GameEnding.RESIGNED)
        (kept,) = logged(read(rows + end).events).games  # a log has the same game
        assert (kept.thrown, kept.result) == (game.thrown, game.result)

    def test_an_unplayable_roll_is_a_pass_also_at_the_end(self) -> None:
        rows = (
            "  1) 31: 8/5 6/5                 11: 24/22 6/5(2)\n  2) 64: 24/14                   55: 13/3 13/3\n"
            "  3) 65: 14/3*                   66:\n"
        )
        game = game_of(rows)
        assert (game.played_turns[-1].is_pass, game.thrown) == (True, None)

    @pytest.mark.parametrize("said", ["00:", "00: ????", "31: Illegal play", "31: ???"])
    def test_an_unknown_throw_before_a_win(self, said: str) -> None:
        rows = ROW + f"  2) {said}\n                                  Wins 1 point\n"
        assert ended(game_of(rows)) == (Player.BLACK, ResultKind.SINGLE, 1, GameEnding.RESIGNED)

    @pytest.mark.parametrize("side", Player)
    @pytest.mark.parametrize("mark", Player)
    def test_the_win_decides_who_resigned(self, side: Player, mark: Player) -> None:
        """Some programs write the resignation into the winner's column."""
        columns = {Player.WHITE: 6, Player.BLACK: 34}
        word = "  2)".ljust(columns[mark]) + "Resigned Game\n"
        game = game_of(ROW + word + " " * columns[side] + "Wins 2 points\n")
        assert ended(game) == (side, ResultKind.MARS, 2, GameEnding.RESIGNED)

    @pytest.mark.parametrize(
        ("word", "kind"), [("normal", ResultKind.SINGLE), ("gammon", ResultKind.MARS), ("backgammon", ResultKind.KOKS)]
    )
    def test_a_resignation_with_its_kind(self, word: str, kind: ResultKind) -> None:
        """Without a win line."""
        assert ended(game_of(ROW + f"  2)  Resign {word}\n"))[:2] == (Player.BLACK, kind)

    @pytest.mark.parametrize("words", ["Forfeits", "Lost on time", "Concedes"])
    def test_other_words_for_a_resignation(self, words: str) -> None:
        assert ended(game_of(f"  1) 31: 8/5 6/5                 {words}\n"))[0] is Player.WHITE

    @pytest.mark.parametrize(("length", "points"), [(5, 5), (0, 3)])
    def test_impossible_points_are_limited_and_reported(self, length: int, points: int) -> None:
        """To the points that the match needed, or to three times the cube."""
        found = read(ROW + "      Wins 2008 point\n", HEAD.replace("5", str(length), 1))
        result = found.match.games[0].result
        assert result is not None
        assert (result.points, result.score) == (points, (points, 0))
        assert [problem.kind for problem in found.problems] == [ProblemKind.RESULT]


class TestHeads:
    @pytest.mark.parametrize(
        "line",
        ["Game 1:", "Game #1", "Game: 1", "Game No. 1", "Game 1 of 5", "Game 1 (Crawford)", "Game 1 - Crawford game"],
    )
    def test_the_line_of_a_game(self, line: str) -> None:
        assert len(read_match_text((HEAD + ROW).replace("Game 1", line)).match.games[0].played_turns) == 2

    @pytest.mark.parametrize(
        "line", ["5pt match", "Match of 5 points", "Match length: 5", "5 pts. match", "5-point match"]
    )
    def test_the_length(self, line: str) -> None:
        assert read_match_text((HEAD + ROW).replace("5 point match", line)).match.length == (None if "." in line else 5)

    def test_a_word_behind_the_score_belongs_to_no_name(self) -> None:
        match = read(ROW, HEAD.replace("Bob : 0", "Bob : 0 (Crawford)")).match
        assert (match.white, match.black) == ("Ann", "Bob")

    def test_quotes_and_brackets_are_part_of_a_tag(self) -> None:
        occasion = read(ROW, '; [Event "The "Queen" [final]"]\n' + HEAD).match.occasion
        assert occasion.event == 'The "Queen" [final]'


class TestSetPositions:
    def test_setting_the_present_position_changes_nothing(self) -> None:
        game = game_of("; Set Pos=-b----E-C---eE---c-e----B-/0\n" + ROW)
        assert (len(game.played_turns), len(game.turns)) == (2, 2)

    def test_a_game_that_begins_elsewhere(self) -> None:
        """The left player is uppercase; his plays are judged from there."""
        game = game_of("; Set Pos=-B----------------------b-/0\n  1) 31: 1/0 1/0\n                                  \n")
        assert game.start == "d2000000000000000000000000/d2000000000000000000000000"
        assert ended(game)[0] is Player.WHITE

    def test_a_turned_cube_is_reported_as_unread(self) -> None:
        (problem,) = read("; Set Pos=-b----E-C---eE---c-e----B-/1\n" + ROW).problems
        assert problem.sentence == "line 5: the cube that is set here is not read"

    @pytest.mark.parametrize(
        "board", ["-b----E-C---eE---c-e----B", "zb----E-C---eE---c-e----B-", "-o----E-C---eE---c-e----B-"]
    )
    def test_an_invalid_board_is_a_remark(self, board: str) -> None:
        assert len(game_of(f"; Set Pos={board}/0\n" + ROW).played_turns) == 2


class TestHabitsOfServices:
    @pytest.mark.parametrize(
        ("row", "winner", "turns"),
        [
            ("  2) 61: 13/7 8/7                 Losses 1 point\n\n      Wins 1 point\n", Player.WHITE, 3),
            ("  2)  Losses 2 points\n\n                                  Wins 2 points\n", Player.BLACK, 2),
        ],
    )
    def test_a_resignation_as_a_loss(self, row: str, winner: Player, turns: int) -> None:
        game = game_of(ROW + row)
        assert (ended(game)[0], ended(game)[3]) == (winner, GameEnding.RESIGNED)
        assert len(game.played_turns) == turns

    def test_a_row_that_is_broken_after_its_first_play(self) -> None:
        game = game_of("  1) 31: 8/5 6/5\n                                 42: 8/4 6/4\n  2) 61: 13/7 8/7\n")
        assert [turn.player for turn in game.played_turns] == [Player.WHITE, Player.BLACK, Player.WHITE]

    def test_rows_that_are_glued_together(self) -> None:
        game = game_of("  1) 31: 8/5 6/5   42: 8/4 6/4  2) 61: 13/7 8/7   43: 13/9 13/10\n")
        assert [turn.roll for turn in game.played_turns] == [(3, 1), (4, 2), (6, 1), (4, 3)]

    @pytest.mark.parametrize(
        ("offer", "drop"),
        [
            ("Verdoppelt => 2", "Lehnt ab"),
            ("Dobla => 2", "Rechaza"),
            ("Raddoppia => 2", "Rifiuta"),
            ("Double => 2", "Refuse"),
        ],
    )
    def test_the_cube_in_other_languages(self, offer: str, drop: str) -> None:
        game = game_of(f"{ROW}  2)  {offer}                {drop}\n")
        assert [turn.act for turn in game.turns if isinstance(turn, CubeAction)] == [CubeAct.OFFERED, CubeAct.DROPPED]

    @pytest.mark.parametrize("gap", ["", " ", "  "])
    @pytest.mark.parametrize("word", ["Pass", "passt", "passe", "pasa", "passa"])
    def test_a_pass_after_a_roll_is_no_answer_to_a_double(self, gap: str, word: str) -> None:
        (problem,) = read(f"  1) 31: 8/5 6/5                 42:{gap}{word}\n").problems
        assert problem.kind is ProblemKind.ILLEGAL_PLAY  # 4-2 could be played, and it is said that it was not

    def test_the_second_half_of_a_row_is_in_the_right_column(self) -> None:
        game = game_of("  1)                             42: 8/4 6/4\n     31: 8/5 6/5\n")
        assert [turn.player for turn in game.played_turns] == [Player.BLACK, Player.WHITE]

    @pytest.mark.parametrize("names", [("Ann", "Bob"), ("Vince", "Passe"), ("Win", "Gana")])
    @pytest.mark.parametrize("side", Player)
    @pytest.mark.parametrize(
        "words", ["wins 2 points", "vince 2 punti", "gewinnt 2 Punkte", "wins 2 points and the match"]
    )
    def test_who_is_named_before_a_win_has_won(self, names: tuple[str, str], side: Player, words: str) -> None:
        head = HEAD.replace("Ann", names[0]).replace("Bob", names[1])
        name = names[0 if side is Player.WHITE else 1]
        found = read(f"{ROW}{name} {words}\n", head)
        assert (ended(found.match.games[0])[0], ended(found.match.games[0])[2]) == (side, 2)
        assert not found.problems

    def test_who_is_named_before_a_resignation_has_lost(self) -> None:
        assert ended(game_of(ROW + "Bob resigns\n"))[0] is Player.WHITE

    @pytest.mark.parametrize("line", ["Vince gioca bene", "I hope Ann wins", "The judge wins 2 points", "wins of Bob"])
    def test_prose_about_winning_is_no_result(self, line: str) -> None:
        found = read(f"{ROW}{line}\n")
        assert found.match.games[0].result is None
        assert [problem.sentence for problem in found.problems] == [
            f"line 6: {line!r} belongs to no match text; it was passed over"
        ]

    @pytest.mark.parametrize(("turn", "n_turns"), [("", 2), ("61: 13/7 8/7                 ", 3)])
    def test_prose_about_winning_in_a_row(self, turn: str, n_turns: int) -> None:
        """The turn beside it is kept."""
        found = read(f"{ROW}  2) {turn}Vince bene\n")
        assert (len(found.match.games[0].played_turns), found.match.games[0].result) == (n_turns, None)
        assert ["no turn; it was passed over" in problem.sentence for problem in found.problems] == [True]

    def test_points_that_are_capped_by_the_length_of_the_match(self) -> None:
        """White needs two points of the four that a gammon with a turned cube would be."""
        head = HEAD.replace("Ann : 0 ", "Ann : 3 ")
        found = read(ROW + "  2)  Doubles => 2                Takes\n  3) 61: 13/7 8/7\n      Wins 2 points\n", head)
        assert [problem.sentence for problem in found.problems] == []

    def test_points_that_the_next_score_contradicts_are_kept_and_reported(self) -> None:
        text = " 0 point match\n\n Game 1\n Ann : 0          Bob : 0\n" + ROW + "      Wins 3 points\n\n Game 2\n"
        found = read_match_text(text + " Ann : 1          Bob : 0\n" + ROW)
        assert ended(found.match.games[0])[2] == 3
        assert ["1-0 where 3-0 was due" in problem.sentence for problem in found.problems] == [True]

    def test_rows_without_anything_readable_make_an_empty_match(self) -> None:
        assert read("  1) (3 1) 8/5 6/5               (4 2) 8/4 6/4\n      Wins 1 point\n").is_empty
        assert not read("      Wins 1 point\n").is_empty

    def test_each_match_of_a_file_is_read(self) -> None:
        both = (HEAD + ROW + '\n\n; [Site "Club"]\n' + HEAD.replace("Ann", "Eva") + ROW).encode()
        assert [one.match.white for one in read_matches(both)] == ["Ann", "Eva"]
        assert [problem.kind for problem in read_match_text(both.decode()).problems] == [ProblemKind.UNREADABLE]

    def test_a_match_that_was_forfeited_before_the_first_throw(self) -> None:
        """All points of the match are won; a file without a line of names has them in its header."""
        head = '; [Player 1 "Ann"]\n; [Player 2 "Bob"]\n\n5 point match\n\n Game 1\n'
        found = read_match_text(head + "  1)                              Losses 5 points\n      Wins 5 points\n")
        assert [problem.sentence for problem in found.problems] == []
        assert (found.match.white, found.match.black, found.is_empty) == ("Ann", "Bob", False)
        assert ended(found.match.games[0])[:1] + ended(found.match.games[0])[2:3] == (Player.WHITE, 5)

    def test_a_number_of_points_that_cannot_be(self) -> None:
        found = read(ROW + "  2) 61: 13/7 8/7\n   Wins 4016 points\n")
        assert ended(found.match.games[0])[2] == 5  # the whole match
        assert ["4016 points were counted" in problem.sentence for problem in found.problems] == [True]

    def test_a_match_that_was_resigned_as_backgammon_studio_writes_it(self) -> None:
        """1,004 times the cube; the winner gets what he needs."""
        found = read(ROW + "  2)  Doubles => 2               Takes\n  3) 61: ????\n" + " " * 34 + "Wins 2008 point\n")
        assert ended(found.match.games[0])[2] == 5
        assert found.problems == ()

    def test_nobody_resigns_a_match_where_games_are_for_money(self) -> None:
        found = read(ROW + "      Wins 1004 point\n", HEAD.replace("5", "0", 1))
        assert [
            "1004 points were counted, where 1 or 2 or 3 would be right" in one.sentence for one in found.problems
        ] == [True]
