"""Files of eXtreme Gammon: written and read back, read from records that were built byte by byte, and damaged."""

import struct
import zlib
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from controller.cli import main
from controller.formats.checking.match_check import check_transcript
from controller.formats.exporting.turn_states import find_match_state, parse_turn_reference
from controller.formats.importing.import_file import read_match_file, read_match_text, read_matches
from controller.formats.transcript import BoardEntry, ThrowEntry, UnreadableFileError
from controller.formats.variations import NotForThisGameError
from controller.formats.xg.xg_archive import pack_archive
from controller.formats.xg.xg_comments import pack_comments, unpack_comments
from controller.formats.xg.xg_reader import read_xg
from controller.formats.xg.xg_writer import xg_file, xgp_file
from controller.match.events import CubeAct, PlayMade
from tests.controller.formats.match_samples import SAMPLES, every_play, golden_files, logged
from tests.controller.formats.simulated_matches import simulated_match
from tests.controller.formats.test_disputed_match import disputed_events
from tests.fuzz.fuzzed import refusing

START = (0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0)
AFTER_31 = (0, -2, 0, 0, 0, 2, 4, 0, 2, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0)
ID = bytes(16)


def record(kind: int, *fields: tuple[int, str, tuple[object, ...]]) -> bytes:
    """A record of 2,560 bytes with values at the byte offsets that the published description gives."""
    made = bytearray(2560)
    made[8] = kind
    for at, code, values in fields:
        struct.pack_into(f"<{code}", made, at, *values)
    return bytes(made)


def match_header(*more: tuple[int, str, tuple[object, ...]], length: int = 5, variation: int = 0) -> bytes:
    names = ((880, "14s", ("Ирина".encode("utf-16-le"),)), (1138, "8s", ("Omar".encode("utf-16-le"),)))
    numbers = ((92, "ii4B", (length, variation, 1, 0, 0, 0)), (128, "d", (44_000.5,)), (552, "ii", (30, 0x494C4D44)))
    return record(0, *numbers, *names, (516, "ii", (0, 0)), (576, "ii", (-1, -1)), *more)


def game_header(position: tuple[int, ...] = START) -> bytes:
    return record(1, (12, "ii", (0, 0)), (21, "26b", position), (48, "i", (1,)), (56, "ii", (-1, -1)))


def move(
    player: int, dice: tuple[int, int], before: tuple[int, ...], after: tuple[int, ...], *, is_played: int = 1
) -> bytes:
    boards = ((9, "26b", before), (35, "26b", after), (64, "i", (player,)), (100, "ii", dice))
    return record(3, *boards, (2308, "B", (is_played,)), (2312, "d", (-0.25,)), (2524, "i", (0,)))


def cube(player: int, doubled: int, answer: int) -> bytes:
    errors = ((200, "d", (-1000.0,)), (216, "d", (-1000.0,)), (292, "i", (-1,)))
    return record(2, (12, "iii", (player, doubled, answer)), (36, "26b", START), *errors)


def footer(winner: int, points: int, termination: int) -> bytes:
    return record(4, (24, "iii", (winner, points, termination)))


def packed(*records: bytes, comments: tuple[str, ...] = ()) -> bytes:
    files = {"temp.xg": b"".join(records), "temp.xgc": pack_comments(comments) or b"\r\n"}
    return pack_archive(files, match_id=ID, name="a match")


class TestWrittenAndReadBack:
    @pytest.mark.parametrize("file", golden_files(".mat"), ids=lambda file: file.name)
    def test_the_match_of_a_text_file(self, file: Path, tmp_path: Path) -> None:
        read = read_match_file(file)
        (tmp_path / "m.xg").write_bytes(xg_file(read.match)[0])
        back = read_match_file(tmp_path / "m.xg")
        assert back.match.games == read.match.games
        assert (back.match.white, back.match.black) == (read.match.white, read.match.black)
        assert back.problems == ()

    @pytest.mark.parametrize(
        ("game", "length"), [("backgammon", 5), ("backgammon", None), ("nackgammon", 3), ("hypergammon", 7)]
    )
    def test_simulated_matches_with_cube_and_resignations(self, game: str, length: int | None, tmp_path: Path) -> None:
        match = logged(simulated_match(3, game, length), game)
        (tmp_path / "m.xg").write_bytes(xg_file(match)[0])
        back = read_match_file(tmp_path / "m.xg")
        assert not back.problems
        assert every_play(back.match.games) == every_play(match.games)
        assert [game.result for game in back.match.games] == [game.result for game in match.games]
        assert back.match.winner == match.winner
        assert back.match.occasion == match.occasion
        cubes = [[one.act for one in game.turns if hasattr(one, "act")] for game in match.games]
        assert [[one.act for one in game.turns if hasattr(one, "act")] for game in back.match.games] == cubes

    def test_an_illegal_play_that_stood_comes_back_with_its_remark(self, tmp_path: Path) -> None:
        content, remarks = xg_file(logged(disputed_events()))
        assert any("was not legal" in one for one in remarks)
        (tmp_path / "m.xg").write_bytes(content)
        back = read_match_file(tmp_path / "m.xg")
        assert [problem.kind.value for problem in back.problems] == ["illegal_play"]
        assert back.problems[0].sentence.startswith("record ")
        assert any("wrong_numbers" in str(one["text"]) for one in back.list_remarks())
        assert back.match.games[-1].thrown is not None
        assert back.match.games[-1].thrown.roll == (4, 1)

    @pytest.mark.parametrize("cube", ["", "Takes", "Beavers => 4", "Drops"])
    def test_a_game_that_broke_off_at_the_cube(self, cube: str) -> None:
        """An offer without an answer gets none."""
        row = "  1) 31: 8/5 6/5                 42: 8/4 6/4\n"
        head = " 0 point match\n\n Game 1\n Ann : 0                        Bob : 0\n"
        match = read_match_text(f"{head}{row}  2)  Doubles => 2                {cube}\n").match
        (back,) = read_matches(xg_file(match)[0])
        assert back.match.games == match.games
        assert not back.problems

    def test_one_position(self, tmp_path: Path) -> None:
        match = read_match_file(SAMPLES / "g2_std_5pt.mat").match
        turn = next(one for one in match.games[0].played_turns if one.number == 12)
        (tmp_path / "m.xgp").write_bytes(xgp_file(match, find_match_state(match, parse_turn_reference("12"))))
        back = read_match_file(tmp_path / "m.xgp").match
        assert back.games[0].start == turn.before
        assert back.games[0].thrown is not None
        assert (back.games[0].thrown.player, back.games[0].thrown.roll) == (turn.player, turn.roll)

    def test_through_the_command_line(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        data = ["--data", str(tmp_path / "data")]
        assert main(["import", str(SAMPLES / "g5_nack_3pt.mat"), *data]) == 0
        name = capsys.readouterr().out.partition(":")[0]
        assert main(["export", name, "--format", "xg", "-o", str(tmp_path / "m.xg"), *data]) == 0
        assert main(["import", str(tmp_path / "m.xg"), *data]) == 0
        assert main(["export", name, "--format", "xgp", "--at", "3", "-o", str(tmp_path / "m.xgp"), *data]) == 0
        assert main(["import", str(tmp_path / "m.xgp"), *data]) == 0
        assert "nackgammon" in capsys.readouterr().out


class TestRecords:
    def test_names_plays_cube_and_result(self) -> None:
        black_before = AFTER_31
        seen_by_black = (0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 6, 0, 0, 0, -2, 0, -4, -2, 0, 0, 0, 1, 0)
        game = (
            cube(1, -2, -1),
            move(1, (3, 1), START, AFTER_31),
            cube(-1, 0, -1),
            move(-1, (6, 5), black_before, seen_by_black),
            cube(1, 1, 0),
            footer(1, 1, 0),
        )
        read = read_xg(packed(match_header(), game_header(), *game, comments=("A strong opening", "никогда")))
        assert (read.white, read.black, read.length) == ("Ирина", "Omar", 5)
        assert (read.occasion.date, read.occasion.time) == ("2020-06-18", "12:00")
        checked = check_transcript(read)
        turns = checked.match.games[0].played_turns
        assert [(one.player.value, one.roll, one.play) for one in turns[:1]] == [("W", (3, 1), "8/5 6/5")]
        assert (turns[1].roll, turns[1].play) == ((6, 5), "24/13")
        acts = [one.act for one in checked.match.games[0].turns if hasattr(one, "act")]
        assert acts == [CubeAct.OFFERED, CubeAct.DROPPED]
        result = checked.match.games[0].result
        assert result is not None
        assert (result.winner, result.points) == (turns[0].player, 1)
        remarks = [(one.after, one.remark) for one in checked.match.games[0].remarks]
        assert [(after, one.text, one.play_error) for after, one in remarks] == [
            (1, "A strong opening", 0.25),
            (2, "A strong opening", 0.25),
        ]

    def test_a_board_that_was_edited_is_put(self) -> None:
        edited = (0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 4, 0, 0, 0, -3, 0, -5, 0, 1, 0, 0, 2, 0)
        read = read_xg(packed(match_header(), game_header(), move(1, (3, 1), edited, edited)))
        boards = [one for one in read.games[0].entries if isinstance(one, BoardEntry)]
        assert len(boards) == 2
        assert boards[1].board.white.points[20] == 1

    def test_what_is_missing_is_reported(self) -> None:
        read = read_xg(
            packed(match_header(), game_header(), move(1, (3, 1), START, AFTER_31), record(6), footer(1, 2, 2))
        )
        assert [one.sentence for one in read.problems] == [
            "record 4: game 1: what was played here is missing; the rest of the game is not kept"
        ]
        assert not read.games[0].is_whole

    @pytest.mark.parametrize(
        ("content", "words"),
        [
            (b"RGMH" + bytes(100), "damaged or cut off"),
            (packed(match_header(variation=3), game_header()), "LongGammon"),
            (packed(game_header()), "first record is no match"),
            (packed(match_header()), "no game"),
        ],
    )
    def test_files_without_a_match_are_refused(self, content: bytes, words: str) -> None:
        with pytest.raises(UnreadableFileError, match=words):
            read_xg(content)

    def test_a_small_file_cannot_fill_the_memory(self) -> None:
        bomb = pack_archive({"temp.xg": bytes(150_000_000)}, match_id=ID, name="")
        assert len(bomb) < 1_000_000
        with pytest.raises(UnreadableFileError, match="more than 100 MB"):
            read_xg(bomb)

    def test_a_file_that_hides_its_size_is_refused(self) -> None:
        """The index says one record where the stream unpacks to very much."""
        true = packed(match_header(), game_header())
        stream = zlib.compress(match_header() + game_header())
        larger = zlib.compress(match_header() + bytes(40_000_000))
        with pytest.raises(UnreadableFileError, match="damaged"):
            read_xg(true.replace(stream, larger))


class TestComments:
    @pytest.mark.parametrize("text", ["plain", "two\nlines", "{braces} \\ back", "Ωμέγα и кубик", "🎲 6-6"])
    def test_text_comes_back(self, text: str) -> None:
        assert unpack_comments(pack_comments(["first", text])) == ("first", text)

    def test_rich_text_of_the_program(self) -> None:
        written = (
            rb"{\rtf1\ansi\ansicpg1252\deff0\deflang1033{\fonttbl{\f0\fnil\fcharset0 Arial;}}{\colortbl ;\red0\green0;}"
            b"\x01\x02"
            rb"\viewkind4\uc1\pard\fs18 Sch\'f6ner Zug\par second \b line\b0\par}"
            b"\r\n"
        )
        assert unpack_comments(written) == ("Schöner Zug\nsecond line",)


@pytest.mark.broad
def test_damaged_files_are_refused_with_a_sentence(request: pytest.FixtureRequest) -> None:
    content, _ = xg_file(read_match_file(SAMPLES / "g2_std_5pt.mat").match)
    whole = read_xg(content)
    rng = Random(59)
    for _ in range(1_000 if request.config.getoption("--slow") else 60):
        damaged = bytearray(content)
        for _ in range(rng.randint(1, 8)):
            damaged[rng.randrange(4, len(damaged))] = rng.randrange(256)
        damaged = damaged[: rng.randint(10, len(damaged))] if rng.random() < 0.3 else damaged
        with refusing(UnreadableFileError):  # where only names in the header were hit, the match is whole
            assert read_xg(bytes(damaged)).games == whole.games


def test_every_play_of_a_long_match_is_legal() -> None:
    events = simulated_match(5, "backgammon", 7)
    plays = sum(isinstance(event, PlayMade) for event in events)
    read = read_xg(xg_file(logged(events))[0])
    assert sum(isinstance(one, ThrowEntry) for game in read.games for one in game.entries) == plays


def test_a_number_that_the_format_has_no_place_for_is_refused() -> None:
    """Such a score stands in no match that was played, but may stand in a log from elsewhere."""
    match = next(one for one in (read_match_file(file).match for file in sorted(SAMPLES.glob("*.mat"))) if one.length)
    with pytest.raises(NotForThisGameError, match="the format has no place for"):
        xg_file(replace(match, games=tuple(replace(game, score=(10**40, 0)) for game in match.games)))
