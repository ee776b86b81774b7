import io
import json
import os
import sqlite3
import subprocess
import sys
import xml.etree.ElementTree as ET
import zipfile
from pathlib import Path

import pytest

from controller.cli import main
from controller.formats.importing import match_sources
from controller.formats.limits import LIMITS
from controller.match.events import DiceRolled, GameStarted, MatchStarted, Mode, PlayMade, ThrowRefused
from controller.match_log import create_match, creation
from controller.rules import BadThrow, Player
from tests.controller.formats.match_samples import SAMPLES
from tests.controller.formats.simulated_matches import simulated_match
from tests.controller.subcommands.called import Program

pytestmark = pytest.mark.broad

GOLDEN = SAMPLES / "g2_std_5pt.mat"
KEYS = "[Enter] next, b back, a number goes to that turn, q ends: "
START = "00000050300005000000000020/00000050300005000000000020"
AFTER_31 = "00000240200005000000000020/00000050300005000000000020"


@pytest.fixture
def data(tmp_path: Path) -> list[str]:
    return ["--data", str(tmp_path / "data")]


@pytest.fixture
def name(data: list[str], zarbiter: Program) -> str:
    """The id of the imported golden match."""
    return zarbiter("import", GOLDEN, *data).out.partition(":")[0]


def refused_by_the_disk(*_arguments: object) -> None:
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    raise error


class Keys(io.StringIO):
    """A terminal with typed keys."""

    def isatty(self) -> bool:
        return True


class TestImport:
    def test_one_object_for_programs(self, data: list[str], zarbiter: Program) -> None:
        """A turn is a throw with its play; doubles and takes are none."""
        record = json.loads(zarbiter("import --json", GOLDEN, *data).out)
        assert (record["games"], record["turns"], record["problems"]) == (2, 91, [])
        lines = zarbiter("log show", record["match"], "--json", *data).out.splitlines()
        assert len(lines) == 91
        assert json.loads(lines[1]) == {
            "turn": 2,
            "player": "B",
            "roll": [6, 2],
            "play": "24/22*/16",
            "ruling": "legal",
            "rules": [],
            "before": "00010040300005000000000020/00000050300005000000000020",
            "after": "00000040300005000000000021/00000050300005001000000010",
            "bad_throws": [],
            "seen": 0,
            "remarks": [],
        }

    def test_one_line_for_people(self, data: list[str], zarbiter: Program) -> None:
        printed = zarbiter("import", GOLDEN, *data)
        assert printed.out.partition(": ")[2] == "backgammon, Carla - Dmitri, 2 games and 91 turns\n"

    def test_one_turn(self, tmp_path: Path, data: list[str], zarbiter: Program) -> None:
        """The line is in the singular."""
        file = tmp_path / "one.mat"
        file.write_text(" 1 point match\n\n Game 1\n A : 0         B : 0\n  1) 31: 8/5 6/5\n", encoding="utf-8")
        assert zarbiter("import", file, *data).out.endswith(": backgammon, A - B, 1 game and 1 turn\n")

    def test_a_file_that_breaks_off(self, tmp_path: Path, data: list[str], zarbiter: Program) -> None:
        """The kept and the lost part are reported."""
        file = tmp_path / "half.sgf"
        file.write_bytes((SAMPLES / "g2_std_5pt.sgf").read_bytes()[:700])
        printed = zarbiter("import", file, *data, status=1)
        assert "1 game and 12 turns" in printed.out
        assert printed.err == "zarbiter: line 14: game 1 breaks off here; what stands before is kept\n"

    @pytest.mark.parametrize("rows", ["", "  1) nothing of this is a turn\n"])
    def test_nothing_that_could_be_read(self, tmp_path: Path, data: list[str], zarbiter: Program, rows: str) -> None:
        """No match is made of it."""
        file = tmp_path / "empty.mat"
        file.write_text(f" 1 point match\n\n Game 1\n A : 0         B : 0\n{rows}", encoding="utf-8")
        printed = zarbiter("import", file, *data, status=1)
        expected = f"zarbiter: {file} was not imported: no turn and no result could be read in it; see whether it is a match file"
        assert printed.err.splitlines()[-1] == expected
        record = json.loads(zarbiter("import --json", file, *data, status=1).out)
        assert (record["match"], record["games"], len(record["problems"])) == (None, 0, bool(rows))
        assert not (tmp_path / "data").exists()

    def test_two_imports_at_once_make_a_match_once(self, tmp_path: Path) -> None:
        command = (sys.executable, "-m", "controller", "import", str(GOLDEN), "--data", str(tmp_path / "data"))
        running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
        printed = [one.communicate(timeout=120)[0] for one in running]
        assert sorted("already there" in line for line in printed) == [False, True, True]
        assert len(list((tmp_path / "data" / "matches").glob("*.zmatch"))) == 1

    def test_a_match_is_made_once(self, tmp_path: Path, data: list[str], zarbiter: Program) -> None:
        """Also from a file of another format."""
        first = zarbiter("import", GOLDEN, *data).out.partition(":")[0]
        again = zarbiter("import", GOLDEN, *data).out
        assert again == f"{first}: backgammon, Carla - Dmitri, 2 games and 91 turns, already there\n"
        zarbiter("export", first, "--format xg -o", tmp_path / "same.xg", *data)
        record = json.loads(zarbiter("import --json", tmp_path / "same.xg", *data).out)
        assert (record["match"], record["already_there"]) == (first, True)
        assert len(list((tmp_path / "data" / "matches").glob("*.zmatch"))) == 1

    def test_who_forfeits_twice_has_two_matches(self, tmp_path: Path, data: list[str], zarbiter: Program) -> None:
        """Without a turn the date tells them apart."""
        file = tmp_path / "forfeit.mat"
        for day, end in (("2026.11.21", ""), ("2026.11.28", ""), ("2026.11.28", ", already there")):
            head = f'; [EventDate "{day}"]\n\n 5 point match\n\n Game 1\n Ann : 0            Bob : 0\n'
            file.write_text(f"{head}  1)                              Losses 5 points\n", encoding="utf-8")
            printed = zarbiter("import", file, *data).out.splitlines()[0]
            assert printed.endswith(f"0 turns{end}")

    def test_a_folder_and_an_archive(self, tmp_path: Path, data: list[str], zarbiter: Program) -> None:
        """Each match file is imported, what is none is passed over, and what cannot be read is refused by its name."""
        folder = tmp_path / "evenings" / "2026"
        folder.mkdir(parents=True)
        for name in ("g2_std_5pt.mat", "g4_money_5games.sgf"):
            (folder / name).write_bytes((SAMPLES / name).read_bytes())
        (folder / "notes.md").write_text("no match", encoding="utf-8")
        (folder / "broken.xg").write_bytes(b"RGMH")
        printed = zarbiter("import", tmp_path / "evenings", *data, status=1)
        assert printed.out.splitlines()[-1].startswith("3 matches: ")
        assert "2 imported" in printed.out
        assert f"{folder}/broken.xg was not imported: " in printed.err
        archive = tmp_path / "all.zip"
        with zipfile.ZipFile(archive, "w") as packed:
            packed.write(folder / "g2_std_5pt.mat", "a/g2.mat")
            packed.write(SAMPLES / "g5_nack_3pt.mat", "b/g5.mat")
        printed = zarbiter("import", archive, *data)
        assert "2 matches: 1 already there, 1 imported" in printed.out

    @pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
    def test_a_damaged_entry(self, tmp_path: Path, data: list[str], zarbiter: Program, method: int) -> None:
        """Whatever its compression, one sentence says so."""
        archive = tmp_path / "all.zip"
        with zipfile.ZipFile(archive, "w", method) as packed:
            packed.write(GOLDEN, "a.mat")
        content = bytearray(archive.read_bytes())
        content[60:70] = bytes(10)
        archive.write_bytes(content)
        printed = zarbiter("import", archive, *data, status=1)
        assert printed.err.startswith(f"zarbiter: {archive}: a.mat ")
        assert printed.err.count("\n") == 1

    def test_one_match_of_several(self, tmp_path: Path, data: list[str], zarbiter: Program) -> None:
        file = tmp_path / "two.mat"
        text = " 1 point match\n\n Game 1\n {} : 0         B : 0\n  1) 31: 8/5 6/5\n\n"
        file.write_text(text.format("Ann") + text.format("Eva"), encoding="utf-8")
        assert "Eva - B" in zarbiter("import", file, "--match 2", *data).out
        printed = zarbiter("import", file, "--match 3", *data, status=1)
        assert "it has 2 matches, no 3; name one of them" in printed.err
        printed = zarbiter("import", file, "--match 0", *data, status=2)
        assert printed.err == "zarbiter: --match: matches are counted from 1; give 1 or more\n"
        assert "2 matches: 1 imported, 1 already there" in zarbiter("import", file, *data).out

    @pytest.mark.parametrize("content", [b"PK\x03\x04 is no archive", b""])
    def test_a_damaged_archive(self, tmp_path: Path, data: list[str], zarbiter: Program, content: bytes) -> None:
        (tmp_path / "a.zip").write_bytes(content)
        printed = zarbiter("import", tmp_path / "a.zip", *data, status=1)
        assert printed.err == f"zarbiter: {tmp_path}/a.zip was not imported: it is no whole zip archive; copy it anew\n"

    @pytest.mark.parametrize("is_archive", [False, True])
    def test_more_files_than_are_imported_at_a_time(
        self, tmp_path: Path, data: list[str], zarbiter: Program, monkeypatch: pytest.MonkeyPatch, is_archive: bool
    ) -> None:
        """It is told before any match is made."""
        monkeypatch.setattr(match_sources, "MOST_FILES", 2)
        given = tmp_path / ("many.zip" if is_archive else "many")
        if is_archive:
            with zipfile.ZipFile(given, "w") as packed:
                for name in "abc":
                    packed.writestr(f"{name}.mat", "")
        else:
            given.mkdir()
            for name in "abc":
                (given / f"{name}.mat").touch()
        printed = zarbiter("import", given, *data, status=1)
        what = "archive" if is_archive else "folder"
        assert printed.err == (
            f"zarbiter: {given} was not imported: the {what} has 3 match files, and 2 are the most at a time; "
            "import its parts one by one\n"
        )

    def test_an_archive_that_would_fill_the_memory(self, tmp_path: Path, data: list[str], zarbiter: Program) -> None:
        with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr("bomb.mat", bytes(200_000_000))
        assert "match files are much smaller" in zarbiter("import", tmp_path / "a.zip", *data, status=1).err

    def test_a_full_disk(
        self, data: list[str], zarbiter: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The sentence says that no match was made, and none is there."""
        monkeypatch.setattr(creation, "write_schema", refused_by_the_disk)
        printed = zarbiter("import", GOLDEN, *data, status=1)
        assert printed.err.startswith(f"zarbiter: {GOLDEN} was not imported: {tmp_path}/data/matches/")
        assert printed.err.endswith(
            ".zmatch: not saved (the disk is full); no match was made; see to the disk and try again.\n"
        )
        assert list((tmp_path / "data" / "matches").iterdir()) == []

    def test_the_limits_stand_in_the_help(self, zarbiter: Program) -> None:
        assert " ".join(LIMITS.split()) in " ".join(zarbiter("import --help").out.split())

    def test_a_missing_file(self, data: list[str], zarbiter: Program) -> None:
        printed = zarbiter("import /nowhere.mat", *data, status=1)
        expected = "zarbiter: /nowhere.mat cannot be read (No such file or directory); name another file\n"
        assert printed.err == expected


class TestExport:
    def test_names_are_made_safe(self, tmp_path: Path, zarbiter: Program) -> None:
        """No colon, no control character, no empty name, at most 31 bytes; letters of any script stay."""
        path = tmp_path / "names.zmatch"
        names = ("Анна: the\t 1st \n" + "ы" * 20, "\x00 \u202e ")
        with create_match(path, "backgammon") as log:
            log.append(
                (MatchStarted(0, "backgammon", None, "casual", Mode.TEACH, *names, 5), GameStarted(0, 1, START, None))
            )
        zarbiter("export", path, "--format snowie -o", tmp_path / "out")
        line = (tmp_path / "out").read_text(encoding="utf-8").splitlines()[3]
        assert line.count(" : ") == 2
        left, right = line.split(" : 0")[:2]
        assert left == " Анна, the 1st ыыыыыы"
        assert len(left[1:].encode()) <= 31
        assert right.strip() == "Black"

    def test_at_is_for_moments(self, name: str, data: list[str], zarbiter: Program) -> None:
        """A whole match has no moment, and the turn has to exist."""
        call = ["export", name, "-o", "x", *data]
        zarbiter(*call, "--format mat --at 3", status=2)
        zarbiter(*call, "--format mat --pictures", status=2)
        zarbiter(*call, "--format xgid --at 3:later", status=2)
        printed = zarbiter(*call, "--format xgid --at 200", status=1)
        assert printed.err == "zarbiter: there is no turn 200; the match has 91\n"

    def test_a_file_of_another_program(self, tmp_path: Path, zarbiter: Program) -> None:
        """Only a log is exported; the sentence says how to make one."""
        printed = zarbiter("export", GOLDEN, "--format sgf -o", tmp_path / "out.sgf", status=1)
        expected = f"zarbiter: {GOLDEN} is no match log; zarbiter import makes one of a match file\n"
        assert printed.err == expected
        assert not (tmp_path / "out.sgf").exists()

    @pytest.mark.parametrize("call", [["export", "--format", "mat", "-o"], ["analyse", "--no-gnubg", "--svg"]])
    def test_a_device_is_not_replaced(
        self, call: list[str], name: str, data: list[str], tmp_path: Path, zarbiter: Program
    ) -> None:
        """Neither is a pipe."""
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        printed = zarbiter(*call, pipe, name, *data, status=2)
        assert printed.err.endswith(f"{pipe} is a device or a pipe, which would be replaced; name a file\n")
        assert pipe.is_fifo()

    @pytest.mark.parametrize("call", [["export", "--format", "mat", "-o"], ["analyse", "--no-gnubg", "--svg"]])
    def test_a_link_stays_a_link(
        self, call: list[str], name: str, data: list[str], tmp_path: Path, zarbiter: Program
    ) -> None:
        """The file that it names is replaced atomically."""
        (tmp_path / "there").write_text("old")
        (tmp_path / "link").symlink_to(tmp_path / "there")
        zarbiter(*call, tmp_path / "link", name, *data)
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "there").read_text(encoding="utf-8") != "old"
        assert sorted(file.name for file in tmp_path.glob("*part*")) == []

    def test_a_house_variant_with_other_plays(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """It is refused; a variant that differs only in Jacoby is backgammon to every program."""
        for parameters, status in (("jacoby = true", 0), ("max_stack = 5", 1)):
            path = tmp_path / f"{status}.zmatch"
            toml = f'name = "ours"\nbase = "backgammon"\n[parameters]\n{parameters}\n'
            with create_match(path, "ours") as log:
                started = MatchStarted(0, "ours", toml, "casual", Mode.TEACH, "A", "B", None)
                log.append((started, GameStarted(0, 1, START, None)))
            assert main(["export", str(path), "--format", "mat", "-o", str(tmp_path / "out.mat")]) == status
        assert '; [Jacoby "On"]' in (tmp_path / "out.mat").read_text(encoding="utf-8")
        assert "ours has rules of its own" in capsys.readouterr().err


class TestReplay:
    def test_all_at_once(self, name: str, data: list[str], zarbiter: Program) -> None:
        """Every turn with its board, from a log and from a file."""
        printed = zarbiter("replay", name, "--all", *data).out
        assert "turn 2, Dmitri: 6-2: 24/22*/16\n" in printed
        assert "Dmitri doubles to 2\n" in printed
        assert printed.count("pips") == 2 * (91 + 2 + 2 + 4)
        assert zarbiter("replay", GOLDEN, "--all", *data).out == printed

    def test_stepping(self, name: str, data: list[str], zarbiter: Program, monkeypatch: pytest.MonkeyPatch) -> None:
        """Enter steps forward, b back, a number jumps to that turn, q ends."""
        monkeypatch.setattr(sys, "stdin", Keys("\n\nb\n22\n999\nq\n"))
        lines = [line.removeprefix(KEYS) for line in zarbiter("replay", name, *data).out.splitlines()]
        heads = [line.split(",")[0] for line in lines if line.startswith(("Game", "turn", "there"))]
        assert heads == [
            *("Game 1: Carla 0 - 0 Dmitri", "turn 1", "turn 2", "turn 1", "turn 22"),
            "there is nothing further that way",
        ]

    def test_the_end_of_the_keys_ends_it(
        self, name: str, data: list[str], zarbiter: Program, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sys, "stdin", Keys(""))
        assert "turn 5, Carla: 5-2" in zarbiter("replay", name, "--at 5", *data).out

    @pytest.mark.parametrize("game", ["long_nardy", "tavla", "plakoto"])
    def test_every_game(self, game: str, tmp_path: Path, zarbiter: Program) -> None:
        path = tmp_path / "game.zmatch"
        with create_match(path, game) as log:
            log.append(simulated_match(5, game, 1))
        assert "cannot be drawn" not in zarbiter("replay", path, "--all").out

    def test_a_missing_turn_is_a_usage_error(self, name: str, data: list[str], zarbiter: Program) -> None:
        zarbiter("replay", name, "--at 92", *data, status=2)


@pytest.fixture
def timed(tmp_path: Path) -> str:
    """A match with times and a cocked die."""
    path = tmp_path / "timed.zmatch"
    with create_match(path, "backgammon") as log:
        log.append(
            (
                MatchStarted(0, "backgammon", None, "casual", Mode.TEACH, "A", "B", 5),
                GameStarted(1, 1, START, Player.WHITE),
                ThrowRefused(500, Player.WHITE, (BadThrow.COCKED,), (3, None)),
                DiceRolled(1_000, Player.WHITE, (3, 1)),
                PlayMade(7_500, Player.WHITE, (3, 1), "8/5 6/5", START, AFTER_31, "end_turn"),
            )
        )
    return str(path)


class TestAnalyse:
    def test_facts(self, timed: str, zarbiter: Program) -> None:
        """Rolls, pips, bad throws, and the time of a turn."""
        printed = zarbiter("analyse", timed, "--no-gnubg").out.splitlines()
        assert printed[0] == "backgammon, 1 game, 1 of them not finished, 1 turn, 0-0"
        rows = {line[:24].strip(): line[24:].split() for line in printed[2:-1]}
        assert rows["rolls"] == ["1", "0"]
        assert rows["pips thrown"] == ["4", "0"]
        assert rows["pips played"] == ["4", "0"]
        assert rows["seconds a turn (median)"] == ["6.5", "-"]
        assert printed[-1] == "A: 1 throw did not count (cocked)"

    def test_plots(self, name: str, data: list[str], tmp_path: Path, zarbiter: Program) -> None:
        file = tmp_path / "facts.svg"
        zarbiter("analyse", name, "--no-gnubg --svg", file, *data)
        root = ET.parse(file).getroot()  # noqa: S314 - we wrote it
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert len(root.findall("{*}polyline")) == 2
        assert len(root.findall("{*}rect")) == 1 + 12 + 2

    def test_json(self, name: str, data: list[str], zarbiter: Program) -> None:
        """Without GNU Backgammon there are no error rates."""
        record = json.loads(zarbiter("analyse", name, "--json --no-gnubg", *data).out)
        assert (record["games"], record["turns"], record["score"]) == (2, 91, [0, 6])
        assert record["white"]["dice"] == [18, 11, 11, 11, 20, 19]
        assert record["error_rates"] is None

    def test_without_gnubg(
        self, name: str, data: list[str], zarbiter: Program, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The facts, and a sentence about how to get the error rates."""
        monkeypatch.setattr("shutil.which", lambda *_arguments, **_names: None)
        printed = zarbiter("analyse", name, *data)
        assert printed.out.startswith("backgammon, 2 games")
        assert printed.err == (
            "zarbiter: no error rates: GNU Backgammon is not installed; on Debian and Raspberry Pi OS, apt install gnubg\n"
        )

    def test_of_a_game_that_gnubg_does_not_know(self, tmp_path: Path, zarbiter: Program) -> None:
        path = tmp_path / "nardy.zmatch"
        with create_match(path, "long_nardy") as log:
            log.append(simulated_match(5, "long_nardy", 1))
        assert "GNU Backgammon does not know this game" in zarbiter("analyse", path).err
