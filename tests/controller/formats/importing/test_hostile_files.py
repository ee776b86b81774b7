"""Broken, huge and malicious files give one sentence within two seconds and never a traceback."""

import json
import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.cli import main
from controller.formats.exporting.mat_writer import mat_text
from controller.formats.exporting.sgf_writer import sgf_text
from controller.formats.importing.file_text import decode_text
from controller.formats.importing.import_file import ImportedMatch, read_match_text
from controller.formats.limits import MOST_GAMES, MOST_TURNS
from controller.formats.transcript import ProblemKind, UnreadableFileError
from controller.match.events import EventRevised, MatchStarted, PlayMade
from controller.match_log import MatchLog, create_match, read_match
from controller.match_log.chain import ChainRow, MatchFacts, first_link, next_link
from controller.match_log.event_json import canonical_text, event_text
from controller.match_log.export import jsonl_lines
from controller.rules import Player
from tests.controller.formats.match_samples import SAMPLES, logged
from tests.controller.formats.simulated_matches import simulated_match

pytestmark = pytest.mark.broad

WITHIN_S = 2.0
MAT = (SAMPLES / "g2_std_5pt.mat").read_bytes()
SGF = (SAMPLES / "g2_std_5pt.sgf").read_bytes()
HEAD = b" 5 point match\n\n"
GAME = b" Game 1\n A : 0            B : 0\n      Wins 1 point\n\n"
MIDDLE = b" Game 1\n A : 0            B : 0\n  1) "


def hostile_files() -> dict[str, Callable[[], bytes]]:
    return {
        "nothing": lambda: b"",
        "one line of 1 MB": lambda: b"x" * 1_000_000,
        "one line of 1 MB in a game": lambda: HEAD + MIDDLE + b"31: 8/5 " * 125_000,
        "a million games": lambda: HEAD + GAME * 1_000_000,
        "too many short games": lambda: HEAD + b"Game 1\n" * 100_000,
        "a million games as sgf": lambda: b"(;GM[6])" * 1_000_000,
        "too many games as sgf": lambda: b"(;GM[6])" * 100_000,
        "zeros": lambda: bytes(1_000_000),
        "all bytes": lambda: bytes(range(1, 256)) * 4_000,
        "an open bracket": lambda: b"(;GM[6]C[" + b"a\\" * 1_000_000,
        "many open brackets": lambda: b"(" * 1_000_000,
        "nested branches": lambda: b"(;GM[6]" * 300_000 + b")" * 300_000,
        "properties without nodes": lambda: b"([a]" + b"[b]" * 900_000,
        "many values": lambda: b"(;GM[6];AW" + b"[a:y]" * 700_000 + b")",
        "deep JSON": lambda: b"{" + b'"a":[' * 500_000,
        "a log that is none": lambda: b'{"zarbiter_match": 1}\n' * 100_000,
        "a picture": lambda: b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 1_000,
        "colons": lambda: HEAD + b" Game 1\n" + b": 1 " * 499 + b"\n",
        "spaces": lambda: HEAD + b" Game 1\n" + (b" " * 1_900 + b"\n") * 500,
        "spaces and a letter": lambda: HEAD + b" Game 1\n" + (b" " * 1_900 + b"x\n") * 500,
        "spaces before everything": lambda: (b" " * 1_900 + b"x\n") * 500,
        "tabs": lambda: HEAD + b" Game 1\n" + (b"\t" * 1_900 + b"x\n") * 500,
        "a game and spaces": lambda: HEAD + b" Game 1\n" + (b"game 1" + b" " * 1_900 + b"x\n") * 500,
        "a game without end": lambda: HEAD + MIDDLE + b"31: Cannot Move    42: Cannot Move\n  1) " * 25_000,
        "doubles without end": lambda: HEAD + MIDDLE + (b"double " * 270 + b"\n  1) ") * 500,
        "a game without end as sgf": lambda: b"(;GM[6]" + b";W[31hefe];B[31tvrt]" * 190_000 + b")",
        "boards without end as sgf": lambda: b"(;GM[6]" + b";AW[a:y]" * 490_000 + b")",
        "comments without end as sgf": lambda: b"(;GM[6]" + b"C[a]" * 900_000 + b")",
        "numbers": lambda: b"9" * 1_900 + b" point match\n Game 1\n A : " + b"9" * 500 + b"  B : 1\n",
        "rows without plays": lambda: HEAD + MIDDLE + b"\n".join([b"  1) 31: zz    31: zz"] * 30_000),
    }


FILES = hostile_files()


@pytest.mark.parametrize("name", FILES)
def test_hostile_files(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "hostile.mat"
    file.write_bytes(FILES[name]())
    begun = time.process_time()  # independent of the load of the machine
    status = main(["import", str(file), "--data", str(tmp_path / "data")])
    assert time.process_time() - begun < WITHIN_S
    said = capsys.readouterr().err
    assert (status, said[:10]) == (1, "zarbiter: ")


def test_a_pipe_is_not_waited_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pipe.mat"
    os.mkfifo(file)
    assert main(["import", str(file), "--data", str(tmp_path / "data")]) == 1
    assert capsys.readouterr().err == f"zarbiter: {file} was not imported: it is no file but a pipe or a device\n"


def test_too_many_turns_in_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In games that are each short enough."""
    game = b" Game 1\n A : 0            B : 0\n" + b"  1) 31: 8/5 6/5\n" * 60
    file = tmp_path / "many.mat"
    file.write_bytes(HEAD + game * 400)
    assert main(["import", str(file), "--data", str(tmp_path / "data")]) == 1
    assert f"it has more than {MOST_TURNS:,} turns" in capsys.readouterr().err


def test_nothing_is_kept_of_a_file_beyond_the_limits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.mat"
    file.write_bytes(FILES["too many short games"]())
    assert main(["import", str(file), "--data", str(tmp_path / "data")]) == 1
    assert capsys.readouterr().err == f"zarbiter: {file} was not imported: it has more than {MOST_GAMES:,} games\n"
    assert not (tmp_path / "data").exists()


def read_or_refused(content: bytes) -> ImportedMatch | None:
    """None if the file was refused with a sentence."""
    try:
        return read_match_text(decode_text(content).text)
    except UnreadableFileError:
        return None


class TestTruncated:
    @given(st.integers(0, len(MAT)))
    def test_match_text(self, length: int) -> None:
        read = read_or_refused(MAT[:length])
        if read is not None:
            assert len(read.match.games) <= 2

    @given(st.integers(0, len(SGF) - 3))
    def test_sgf(self, length: int) -> None:
        """The cut is reported."""
        read = read_or_refused(SGF[:length])
        if read is not None and length > 200:
            assert read.problems or SGF[:length].rstrip().endswith(b")")

    @given(st.data())
    def test_json_lines(self, log_text: bytes, data: st.DataObject) -> None:
        """The events before the cut are kept."""
        length = data.draw(st.integers(0, len(log_text)))
        read = read_or_refused(log_text[:length])
        if read is not None:
            assert read.events[0].at_ms == 0


@pytest.fixture(scope="module")
def log_text(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """An exported log."""
    path = tmp_path_factory.mktemp("log") / "match.zmatch"
    with create_match(path, "hypergammon") as log:
        log.append(simulated_match(2, "hypergammon", 3))
    return exported_log(path)


def exported_log(path: Path) -> bytes:
    return "".join(f"{line}\n" for line in jsonl_lines(read_match(path))).encode()


class TestDamaged:
    """Random changes anywhere in a good file never give a traceback."""

    @given(st.sampled_from((MAT, SGF)), st.integers(0, len(MAT) - 1), st.binary(max_size=40), st.integers(0, 60))
    def test_random_bytes(self, file: bytes, at: int, other: bytes, cut: int) -> None:
        read_or_refused(file[: at % len(file)] + other + file[at % len(file) + cut :])

    @given(st.integers(0, len(MAT) - 1), st.text("0123456789:/*()? \nWinsDoublesTakesDropsGame", max_size=30))
    def test_match_text_by_its_own_letters(self, at: int, other: str) -> None:
        """A match that is read can be written again."""
        read = read_or_refused(MAT[:at] + other.encode() + MAT[at + len(other) :])
        if read is not None:
            mat_text(logged(read.events))

    @given(st.integers(0, len(SGF) - 1), st.text("abxyz[];()WB:0123456REDIPLAC\\", max_size=12))
    def test_sgf_by_its_own_letters(self, at: int, other: str) -> None:
        read = read_or_refused(SGF[:at] + other.encode() + SGF[at + len(other) :])
        if read is not None:
            sgf_text(logged(read.events))

    @given(st.integers(0, 10_000), st.sampled_from(("gone", "twice", "number", "player")), st.integers(0, 9_999))
    def test_json_lines(self, log_text: bytes, where: int, what: str, number: int) -> None:
        """A changed, missing or repeated line is reported."""
        lines = log_text.decode().splitlines()
        at = 1 + where % (len(lines) - 2)  # without its last line it is the log of a match that goes on
        match what:
            case "gone":
                del lines[at]
            case "twice":
                lines.insert(at, lines[at])
            case "number":
                lines[at] = lines[at].replace("1", str(number), 3)
            case _:
                lines[at] = lines[at].replace('"player": "W"', '"player": "B"')
        read = read_or_refused("\n".join(lines).encode())
        if read is not None and "\n".join(lines).encode() != log_text.rstrip():
            assert read.problems

    @given(st.binary(max_size=400))
    def test_any_bytes(self, content: bytes) -> None:
        assert read_or_refused(content) is None

    @given(st.text("; [](){}GameW0123456789:/\n point match", max_size=300))
    def test_any_text(self, text: str) -> None:
        read_or_refused(text.encode())


class TestForeignLogs:
    def test_a_changed_event_is_reported(self, log_text: bytes) -> None:
        """By its hash and by its play."""
        lines = log_text.decode().splitlines()
        at = next(at for at, line in enumerate(lines) if '"PlayMade"' in line)
        record = json.loads(lines[at])
        record["event"]["after"] = record["event"]["before"]
        lines[at] = json.dumps(record)
        read = read_match_text("\n".join(lines))
        first, second, *_ = read.problems
        assert first.sentence == "its hashes do not fit its events: it was changed after it was written"
        assert (second.kind.value, second.rules) == ("illegal_play", ("must_play_more",))

    @pytest.mark.parametrize("is_board", [True, False], ids=["no legal play", "no board"])
    def test_a_false_correction_is_reported(self, is_board: bool, tmp_path: Path) -> None:
        """A play that was put right is judged like any other."""
        events = simulated_match(2, "hypergammon", 3)
        number, played = next((at, one) for at, one in enumerate(events, 1) if isinstance(one, PlayMade))
        false = replace(played, after=played.before if is_board else "nonsense")
        with create_match(tmp_path / "a.zmatch", "hypergammon") as log:
            log.append((*events, EventRevised(events[-1].at_ms, number, event_text(false))))
        read = read_or_refused(exported_log(tmp_path / "a.zmatch"))
        assert read is not None
        (problem,) = read.problems
        if is_board:
            assert (problem.kind, problem.rules) == (ProblemKind.ILLEGAL_PLAY, ("must_play_more",))
            assert f"event {number} as it was put right" in problem.sentence
        else:
            assert problem.sentence == "what was put right in it makes no match; what the referee ruled is kept"
            assert read.events == events

    def test_a_start_that_is_no_board_is_refused(self, log_text: bytes) -> None:
        lines = log_text.decode().splitlines()
        record = json.loads(lines[1])
        record["event"]["board"] = {"start": "nonsense"}
        with pytest.raises(UnreadableFileError):
            read_match_text("\n".join([lines[0], json.dumps(record), *lines[2:]]))

    def test_a_log_from_before_a_field_was_added_is_intact(self, log_text: bytes) -> None:
        """Its hashes are those of the text without the field."""
        head, *lines = log_text.decode().splitlines()
        facts = json.loads(head)
        link = first_link(MatchFacts(facts["match"], facts["game"], facts["created"]), facts["zarbiter_match"])
        records = [json.loads(line) for line in lines]
        del records[0]["event"]["board"]
        for record in records:
            event = record["event"]
            row = ChainRow(record["sequence"], record["written"], event["at_ms"], canonical_text(event), ())
            link = next_link(link, row)
            record["hash"] = link.hex()
        read = read_match_text("\n".join([head, *map(json.dumps, records)]))
        assert not read.problems
        assert isinstance(read.events[0], MatchStarted)
        assert read.events[0].board is None

    @pytest.mark.parametrize("at", [1, 3])
    def test_an_endless_run_of_one_event_is_refused_in_time(self, log_text: bytes, at: int) -> None:
        lines = log_text.decode().splitlines()
        text = "\n".join([*lines[:3], *[lines[at]] * 40_000])
        begun = time.process_time()
        with pytest.raises(UnreadableFileError, match=r"a game has more than 5,000 events"):
            read_match_text(text)
        assert time.process_time() - begun < WITHIN_S

    def test_a_log_of_any_game_is_imported(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """Long nardy, with every play judged."""
        path, out = tmp_path / "nardy.zmatch", tmp_path / "nardy.jsonl"
        with create_match(path, "long_nardy") as log:
            log.append(simulated_match(4, "long_nardy", 1))
        out.write_bytes(exported_log(path))
        assert main(["import", "--json", str(out), "--data", str(tmp_path / "data")]) == 0
        record = json.loads(capsys.readouterr().out)
        assert (record["games"], record["problems"]) == (1, [])
        (copy,) = (tmp_path / "data" / "matches").iterdir()
        with MatchLog(copy) as log:
            assert log.read().events == read_match(path).events
        assert Player.WHITE in {event.player for event in read_match(copy).events if hasattr(event, "player")}
