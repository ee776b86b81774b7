"""`zarbiter log` and `zarbiter export`, as people and programs call them."""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from controller.cli import main
from controller.match.events import (
    DiceRolled,
    GameStarted,
    MatchStarted,
    Mode,
    PlayCondoned,
    PlayMade,
    PlayRefused,
    ThrowRefused,
)
from controller.match_log import EvidencePicture, MatchLog, PictureKind, create_match, read_match
from controller.rules import BadThrow, Rule
from tests.controller.match_log.match_files import BLACK, START, WHITE, clock, noise, spoil

MATCH_ID = "20260305-142233"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TZ", "UTC")
    return tmp_path / "data"


@pytest.fixture
def match(data: Path) -> Path:
    """One match of two turns."""
    path = data / "matches" / f"{MATCH_ID}.zmatch"
    with create_match(path, "tavla", clock=clock) as log:
        log.append(
            (
                MatchStarted(1, "tavla", None, "casual", Mode.TEACH, "Анна", "An\udcffna", 5),
                GameStarted(2, 1, START, None),
            )
        )
        log.append((ThrowRefused(3, WHITE, (BadThrow.SPLIT, BadThrow.COCKED), (6, None)), DiceRolled(4, WHITE, (6, 5))))
        log.append(
            (PlayMade(5, WHITE, (6, 5), "24/13", START, START, "end_turn"),),
            [EvidencePicture(PictureKind.AFTER, noise())],
        )
        log.append((DiceRolled(6, BLACK, (3, 1)), PlayRefused(7, BLACK, (3, 1), START, START, (Rule.HEAD,), ("No.",))))
        log.append((PlayCondoned(8, BLACK, (3, 1), START, START, (Rule.HEAD,), "casual"),))
    return path


@pytest.fixture
def writer(match: Path) -> Iterator[None]:
    """The match is being written."""
    with MatchLog(match):
        yield


Called = Callable[..., tuple[int, str, str]]


@pytest.fixture
def called(capsys: pytest.CaptureFixture[str]) -> Called:
    """Calls the program; gives status, standard output, standard error."""
    return lambda *arguments: (main([*map(str, arguments)]), *capsys.readouterr())


def json_lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


class TestList:
    def test_a_table(self, called: Called, data: Path, match: Path, writer: None) -> None:
        status, out, err = called("log", "list", "--data", data)
        heading, line = out.splitlines()
        assert (status, err) == (0, "")
        assert heading.split() == ["MATCH", "GAME", "PLAYERS", "SCORE", "EVENTS", "SIZE", "BEGUN"]
        assert line.startswith(f"{MATCH_ID}  tavla  Анна - An?na  0-0 to 5       8  ")
        assert line.endswith("being written")

    def test_json(self, called: Called, data: Path, match: Path) -> None:
        status, out, _ = called("log", "list", "--json", "--data", data)
        (record,) = json_lines(out)
        assert status == 0
        assert record.pop("bytes") == match.stat().st_size
        assert record == {
            "match": MATCH_ID,
            "path": str(match),
            "game": "tavla",
            "white": "Анна",
            "black": "An\udcffna",
            "length": 5,
            "score": [0, 0],
            "winner": None,
            "events": 8,
            "created": "2026-03-05T14:22:33.123Z",
            "being_written": False,
        }

    def test_no_matches(self, called: Called, data: Path) -> None:
        assert called("log", "list", "--data", data) == (0, f"no matches in {data / 'matches'}\n", "")
        assert called("log", "list", "--json", "--data", data) == (0, "", "")
        assert not data.exists()

    def test_one_that_cannot_be_read(self, called: Called, data: Path, match: Path) -> None:
        """The others are listed, and the status says that one was not."""
        letter = match.with_name("letter.zmatch")
        letter.write_text("Dear Anna")
        status, out, err = called("log", "list", "--data", data)
        assert (status, len(out.splitlines())) == (1, 2)
        assert err == f"zarbiter: {letter} is no match file; name one of zarbiter log list.\n"
        status, out, _ = called("log", "list", "--json", "--data", data)
        assert status == 1
        assert json_lines(out)[1]["error"] == f"{letter} is no match file; name one of zarbiter log list."


class TestShow:
    def test_turns_for_people(self, called: Called, data: Path, match: Path) -> None:
        status, out, err = called("log", "show", MATCH_ID, "--data", data)
        assert (status, err) == (0, "")
        assert out.splitlines() == [
            f"{MATCH_ID}  tavla, Анна (W) - An?na (B), 0-0 to 5",
            "   1  W  6-5    24/13  legal     thrown before: split, cocked",
            "   2  B  3-1    -      illegal   head",
        ]

    def test_json(self, called: Called, data: Path, match: Path) -> None:
        """The contract: a line a turn. A beginning of the id is enough."""
        status, out, err = called("log", "show", "2026", "--json", "--data", data)
        assert (status, err) == (0, "")
        positions = {"before": START, "after": START, "remarks": []}
        first = {"turn": 1, "player": "W", "roll": [6, 5], "play": "24/13", "ruling": "legal", "rules": [], "seen": 5}
        second = {
            "turn": 2,
            "player": "B",
            "roll": [3, 1],
            "play": None,
            "ruling": "illegal",
            "rules": ["head"],
            "seen": 7,
        }
        assert json_lines(out) == [
            {**first, **positions, "bad_throws": [["split", "cocked"]]},
            {**second, **positions, "bad_throws": []},
        ]

    def test_a_path(self, called: Called, match: Path) -> None:
        assert called("log", "show", match)[0] == 0

    def test_the_evidence(self, called: Called, match: Path, tmp_path: Path) -> None:
        status, out, _ = called("log", "show", match, "--pictures", tmp_path / "out")
        assert (status, out.splitlines()[-1]) == (0, f"1 picture is in {tmp_path / 'out'}")
        assert [file.name for file in (tmp_path / "out").iterdir()] == ["000005-1-after.jpg"]

    def test_a_match_without_turns(self, called: Called, tmp_path: Path) -> None:
        create_match(tmp_path / "a.zmatch", "tavla", clock=clock).close()
        assert called("log", "show", tmp_path / "a.zmatch") == (
            0,
            "a  tavla\nno turn has been ruled yet\n",
            "",
        )

    def test_an_unknown_match(self, called: Called, data: Path) -> None:
        expected = f"zarbiter: there is no match 'x' in {data / 'matches'}; zarbiter log list names those there are\n"
        assert called("log", "show", "x", "--data", data) == (2, "", expected)

    def test_a_damaged_match(self, called: Called, match: Path) -> None:
        spoil(match, "UPDATE events SET at_ms = 9 WHERE sequence = 4")
        problem = "its text, time, pictures or hash differ from what was written"
        remedy = "take a copy of it from before, or keep what is intact with zarbiter log salvage"
        expected = f"zarbiter: {match} is damaged at event 4: {problem}; {remedy}.\n"
        assert called("log", "show", match, "--json") == (1, "", expected)


class TestVerify:
    def test_intact(self, called: Called, data: Path, match: Path) -> None:
        head = read_match(match).logged[-1].hash.hex()
        expected = f"{MATCH_ID}: intact, 8 events, 1 picture, head {head}\n"
        assert called("log", "verify", "--data", data) == (0, expected, "")
        assert called("log", "verify", MATCH_ID, "--data", data) == (0, expected, "")

    def test_intact_as_json(self, called: Called, match: Path) -> None:
        status, out, _ = called("log", "verify", match, "--json")
        (record,) = json_lines(out)
        assert len(record.pop("last_hash")) == 64
        assert (status, record) == (0, {"match": MATCH_ID, "intact": True, "events": 8, "pictures": 1, "pruned": 0})

    def test_broken(self, called: Called, match: Path) -> None:
        spoil(match, "DELETE FROM events WHERE sequence = 3")
        problem = "this event is missing, and event 4 comes next"
        assert called("log", "verify", match) == (1, f"{MATCH_ID}: broken: event 3: {problem}\n", "")
        status, out, _ = called("log", "verify", match, "--json")
        assert (status, json_lines(out)) == (1, [{"match": MATCH_ID, "intact": False, "event": 3, "problem": problem}])

    def test_what_is_no_match(self, called: Called, tmp_path: Path) -> None:
        """A letter, a database of another program, a match of a later version, a folder: one sentence each."""
        letter, other, later = tmp_path / "letter.zmatch", tmp_path / "other.db", tmp_path / "later.zmatch"
        letter.write_text("Dear Anna")
        with closing(sqlite3.connect(other)) as connection:
            connection.execute("CREATE TABLE bookmarks (a)")
        create_match(later, "tavla").close()
        spoil(later, "PRAGMA user_version = 7")
        files = [str(file) for file in (letter, other, later, f"{tmp_path}/")]
        status, out, err = called("log", "verify", *files)
        assert (status, out) == (1, "")
        assert err.splitlines() == [
            f"zarbiter: {letter} is no match file; name one of zarbiter log list.",
            f"zarbiter: {other} is a database of another program; name one of zarbiter log list.",
            f"zarbiter: {later} was written by a newer zarbiter (form 7; this one knows 1); install that version.",
            f"zarbiter: {tmp_path} cannot be read (it is a folder); name a match of zarbiter log list, or its file.",
        ]


class TestDelete:
    def test_it_asks(self, called: Called, match: Path) -> None:
        expected = f"zarbiter: deleting {match} cannot be undone; give --yes if it shall be gone\n"
        assert called("log", "delete", match) == (2, "", expected)
        assert match.exists()

    def test_it_deletes(self, called: Called, data: Path, match: Path) -> None:
        assert called("log", "delete", MATCH_ID, "--yes", "--data", data) == (
            0,
            f"{match} is deleted\n",
            "",
        )
        assert list(match.parent.iterdir()) == []

    def test_not_while_it_is_written(self, called: Called, match: Path, writer: None) -> None:
        expected = f"zarbiter: {match} is being written by another zarbiter; end that one first.\n"
        assert called("log", "delete", match, "--yes") == (1, "", expected)
        assert match.exists()


class TestExport:
    def test_json_lines(self, called: Called, data: Path, match: Path, tmp_path: Path) -> None:
        file = tmp_path / "out.jsonl"
        file.write_text("from last time")
        arguments = ("export", MATCH_ID, "--format", "jsonl", "-o", str(file), "--data", str(data))
        assert called(*arguments) == (0, "", "")
        head, *events = json_lines(file.read_text(encoding="utf-8"))
        assert head == {"zarbiter_match": 1, "match": MATCH_ID, "game": "tavla", "created": "2026-03-05T14:22:33.123Z"}
        assert [event["sequence"] for event in events] == list(range(1, 9))
        assert events[0]["event"]["white"] == "Анна"
        assert events[0]["event"]["black"] == "An\udcffna"
        assert "Анна" in file.read_text(encoding="utf-8")
        link = hashed([1, head["match"], head["game"], head["created"]])
        for event in events:
            pictures = [
                [one[key] for key in ("kind", "width_px", "height_px", "bytes", "sha256")] for one in event["pictures"]
            ]
            text = json.dumps(event["event"], sort_keys=True, separators=(",", ":"))
            link = hashed([link, event["sequence"], event["written"], event["event"]["at_ms"], text, pictures])
            assert event["hash"] == link

    @pytest.mark.parametrize("name", ["mat", "sgf", "snowie", "xgid", "gnubgid"])
    def test_a_game_that_a_format_does_not_know(self, called: Called, match: Path, tmp_path: Path, name: str) -> None:
        """Another program would replay tavla as backgammon; nothing is written."""
        expected = (
            f"zarbiter: {name}: only backgammon, nackgammon, hypergammon have this format, and tavla is none of them:"
            " another program would replay its plays as backgammon; write jsonl or a sheet instead\n"
        )
        out = tmp_path / "out"
        assert called("export", match, "--format", name, "-o", out) == (1, "", expected)
        assert not out.exists()

    def test_an_unknown_format(self, called: Called, match: Path) -> None:
        expected = "zarbiter: --format: unknown format 'pdf'; choose one of mat, sgf, xg, xgp, snowie, xgid, gnubgid, sheet, jsonl\n"
        assert called("export", match, "--format", "pdf", "-o", "x") == (2, "", expected)

    def test_files_that_must_not_be_written(self, called: Called, match: Path) -> None:
        arguments = ("export", str(match), "--format", "jsonl", "-o")
        assert called(*arguments, match) == (
            2,
            "",
            f"zarbiter: -o: {match} is the match itself; name another file\n",
        )
        status, _, err = called(*arguments, match.parent / "none" / "a.jsonl")
        assert (status, err.endswith("lies in one that is not there; name a file in a folder\n")) == (2, True)

    def test_a_damaged_match_leaves_the_file_as_it_was(self, called: Called, match: Path, tmp_path: Path) -> None:
        file = tmp_path / "out.jsonl"
        file.write_text("from last time")
        spoil(match, "DELETE FROM events WHERE sequence = 8")
        status, _, err = called("export", match, "--format", "jsonl", "-o", file)
        assert (status, "is damaged at event 8" in err) == (1, True)
        assert file.read_text() == "from last time"
        assert sorted(entry.name for entry in tmp_path.iterdir()) == ["data", "out.jsonl"]


def hashed(values: list[Any]) -> str:
    return hashlib.sha256(json.dumps(values, separators=(",", ":")).encode("ascii")).hexdigest()
