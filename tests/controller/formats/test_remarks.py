"""What stands beside the play in a file is kept in the log with its turn, shown, and written back."""

from collections.abc import Callable
from pathlib import Path

import pytest

from controller.cli import main
from controller.formats.anonymous import hide_names
from controller.formats.exporting.mat_writer import mat_text
from controller.formats.exporting.sgf_writer import sgf_text
from controller.formats.from_events import build_match
from controller.formats.importing.import_file import ImportedMatch, read_match_text, read_matches
from controller.formats.xg.xg_writer import xg_file
from controller.match import Candidate, MatchStarted, PlayMade, Remark, RemarkMade
from controller.match_log import turn_lines
from controller.match_log.chain import MatchFacts
from controller.match_log.event_json import event_text, parse_event
from controller.refereeing.match_config import MatchConfig
from controller.rules import RULESETS, Player
from controller.web.match.ruling_record import make_ruling_record
from tests.controller.formats.xg.test_xg_files import (
    AFTER_31,
    START,
    cube,
    footer,
    game_header,
    match_header,
    packed,
    record,
)

FAR = "E ver 3 0.5 0.1 0.0 0.1 0.0"
ANALYSED = f"""(;FF[4]GM[6]AP[GNU Backgammon:1.08]MI[length:1][game:0][ws:0][bs:0]PW[Ann]PB[Ben]C[A final]
;W[31fehe]A[1][xwwt {FAR} 0.1544 2C 0 1][fehe {FAR} 0.0882 2C 0 1]LU[0.2519]C[Safe,\n but not best]
;B[65aggl]A[0][aggl {FAR} 0.1 2C 0 1]LU[-inf])
"""


def xg_play(player: int, error: float, luck: float, comment: int) -> bytes:
    """A play by the numbers of the published description; the comment counts from 0."""
    boards = ((9, "26b", START), (35, "26b", AFTER_31), (64, "i", (player,)), (100, "ii", (3, 1)))
    return record(3, *boards, (2308, "B", (1,)), (2312, "dd", (error, luck)), (2524, "i", (comment,)))


def xg_match(comment: str = "Natural") -> bytes:
    plays = cube(1, -2, -1), xg_play(1, -0.25, 0.125, 0), cube(-1, 1, 0), footer(1, 1, 0)
    return packed(match_header(), game_header(), *plays, comments=(comment,))


def reread_xg(read: ImportedMatch) -> ImportedMatch:
    return read_matches(xg_file(read.match)[0])[0]


def reread_sgf(read: ImportedMatch) -> ImportedMatch:
    return read_match_text(sgf_text(read.match)[0])


def reread_mat(read: ImportedMatch) -> ImportedMatch:
    return read_match_text(mat_text(read.match)[0])


def test_eXtreme_gammons_numbers_and_comments() -> None:  # noqa: N802 - the name of the program
    (read,) = read_matches(xg_match())
    (turn,) = turn_lines(read.events)
    assert turn.remarks == (Remark("Natural", "eXtreme Gammon", play_error=0.25, luck=0.125),)
    assert reread_xg(read).match.games[0].remarks == read.match.games[0].remarks


def test_the_last_comments_of_a_game_that_broke_off() -> None:
    """Of the end of the game, and of a decision about the cube whose throw did not follow."""
    ends = record(1, (12, "ii", (0, 0)), (21, "26b", START), (48, "i", (1,)), (56, "ii", (-1, 1)))
    undecided = record(2, (12, "iii", (-1, 0, -1)), (36, "26b", START), (200, "d", (-0.5,)), (292, "i", (2,)))
    plays = cube(1, -2, -1), xg_play(1, 0.0, 0.0, 0), undecided
    (read,) = read_matches(packed(match_header(), ends, *plays, comments=("Natural", "Too late", "Double?")))
    assert [one.remark for one in read.match.games[0].remarks] == [Remark("Natural"), Remark("Double?\nToo late")]


def test_gnu_backgammons_numbers_and_comments() -> None:
    read = read_match_text(ANALYSED)
    (turn, _) = turn_lines(read.events)
    weighed = (Candidate("24/23 23/20", 0.1544), Candidate("6/5 8/5", 0.0882))
    found = Remark("Safe,\nbut not best", "GNU Backgammon", play_error=0.0662, luck=0.2519, candidates=weighed)
    assert turn.remarks == (found,)
    assert [one.remark.text for one in read.match.games[0].remarks] == ["A final", found.text]


HEAD = '; [Player 1 "Ann"]\n; [ClockType "Delay"]\n; [Remark "Played twice"]\n; | Venue: Riga |\n 1 point match\n\n Game 1\n'
ROWS = " Ann : 0           Ben : 0\n  1) 31: 8/5 6/5 {safe}          42: 8/4 6/4\n ; a short pause\n  2) 21: 6/4 4/3\n"


def test_tags_lines_and_brackets_of_match_text() -> None:
    read = read_match_text(HEAD + ROWS)
    assert read.match.remarks == (Remark("ClockType: Delay\nPlayed twice\nVenue: Riga"),)
    assert [[one.text for one in turn.remarks] for turn in turn_lines(read.events)] == [["safe"], ["a short pause"], []]
    text, told = mat_text(read.match)
    assert read_match_text(text).match.remarks[0].text.startswith("ClockType: Delay\nPlayed twice\nVenue: Riga")
    assert "Game 1: remarks beside the play are not written (2)" in told


@pytest.mark.parametrize("again", [reread_xg, reread_sgf])
def test_words_come_back_beside_their_turns(again: Callable[[ImportedMatch], ImportedMatch]) -> None:
    read = read_match_text(HEAD + ROWS)
    back = again(read)
    assert [[one.text for one in turn.remarks] for turn in turn_lines(back.events)] == [["safe"], ["a short pause"], []]
    words = "\n".join(one.text for one in (*back.match.remarks, *(one.remark for one in back.match.games[0].remarks)))
    assert words.startswith("ClockType: Delay\nPlayed twice\nVenue: Riga")


@pytest.mark.parametrize("again", [reread_xg, reread_sgf, reread_mat])
def test_what_an_export_says_of_itself_does_not_grow(again: Callable[[ImportedMatch], ImportedMatch]) -> None:
    """An illegal play that stood is told in words, which an import keeps."""
    first = again(again(read_match_text(HEAD + ROWS.replace("42: 8/4 6/4", "42: 8/3 6/4"))))
    assert "not legal" in str(first.match)
    second = again(first)
    assert second.match.remarks == first.match.remarks
    assert [game.remarks for game in second.match.games] == [game.remarks for game in first.match.games]


def test_nobody_computed_what_came_through_an_export() -> None:
    """Our .sgf has the luck without the program that computed it."""
    lucky = read_match_text(ANALYSED.replace("A[1]", "XA[1]"))
    assert [one.remark.source for one in lucky.match.games[0].remarks] == ["", "GNU Backgammon"]
    (_, remark) = (one.remark for one in reread_sgf(lucky).match.games[0].remarks)
    assert (remark.luck, remark.source) == (0.2519, "")


@pytest.mark.parametrize("read", [read_match_text(ANALYSED), read_matches(xg_match())[0]])
def test_the_log_has_them_as_the_file_has(read: ImportedMatch) -> None:
    logged = [parse_event(event_text(event)) for event in read.events]
    assert tuple(logged) == read.events
    games = build_match(MatchFacts("", "backgammon", ""), logged).games
    assert [game.remarks for game in games] == [game.remarks for game in read.match.games]


def test_no_code_of_a_comment_reaches_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "m.sgf").write_text(ANALYSED.replace("A final", "\x1b[31mred\x07\u202e"))
    data = ["--data", str(tmp_path / "data")]
    assert main(["import", str(tmp_path / "m.sgf"), *data]) == 0
    name = capsys.readouterr().out.partition(":")[0]
    for command in (["log", "show"], ["replay", "--all"]):
        assert main([*command, name, *data]) == 0
        shown = capsys.readouterr().out
        assert "red" in shown
        assert not {"\x1b", "\x07", "\u202e"} & set(shown)
        assert "Error of the play: 0.066." in shown


def test_the_page_shows_them_with_the_ruling() -> None:
    made = PlayMade(1, Player.WHITE, (3, 1), "8/5 6/5", "", "", "end_turn")
    table = MatchConfig(game="backgammon", rules=RULESETS["backgammon"])
    remarks = make_ruling_record(made, table, (Remark("Natural", luck=0.125),))["remarks"]
    assert remarks == [[{"plain": "Natural"}, {"key": "event.remark.luck", "values": {"luck": "+0.125"}}]]


def test_a_report_without_names_has_no_comments() -> None:
    (read,) = read_matches(xg_match("Ann told Carla"))
    hidden = [hide_names(event, ("Ann",)) for event in read.events if not isinstance(event, MatchStarted)]
    assert not any("Carla" in event_text(event) for event in hidden)
    assert any(isinstance(event, RemarkMade) and event.remark.play_error == 0.25 for event in hidden)
