import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.cli import main
from controller.rules import GAMES

pytestmark = pytest.mark.broad

ROOT = Path(__file__).parents[3]
HOUSE = 'name = "two_heads"\nbase = "long_nardy"\n[parameters]\nhead_limit = 2\n'
KOKS = '{"id": "a", "scheme": "usbgf", "direction": "contrary", "loser": "00000050300005000000000011"}'


def usage_error(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Standard error of a wrong call, which prints nothing on standard output."""
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    return printed.err


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def run(*command: str, encoding: str = "utf-8") -> subprocess.CompletedProcess[str]:
    """Runs a command beside the project; its terminal has the encoding."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": encoding}
    return subprocess.run(command, env=environment, capture_output=True, encoding=encoding, check=False)


class TestHelp:
    def test_help_names_everything(self, capsys: pytest.CaptureFixture[str]) -> None:
        text = output(capsys, "--help")
        assert "./zarbiter test runs the tests" in text
        assert all(command in text for command in ("demo", "read", "calibrate", "rules", "import", "replay", "analyse"))

    @pytest.mark.parametrize("arguments", [["rules"], ["leds"], ["log"]])
    def test_every_group_has_help(self, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        assert output(capsys, *arguments, "--help").startswith(f"usage: zarbiter {' '.join(arguments)} ")

    @pytest.mark.parametrize(
        "arguments",
        [
            *(["demo"], ["read"], ["calibrate"], ["rules", "list"], ["rules", "show"], ["rules", "answer"]),
            *(["leds", "test"], ["leds", "map"], ["leds", "off"]),
            *(["log", "list"], ["log", "show"], ["log", "verify"], ["log", "delete"], ["export"]),
            *(["import"], ["replay"], ["analyse"]),
        ],
    )
    def test_every_command_has_help(self, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        """It takes a configuration file and a data folder."""
        text = output(capsys, *arguments, "--help")
        assert text.startswith(f"usage: zarbiter {' '.join(arguments)} ")
        assert "--config FILE" in text
        assert "--data DIR" in text

    def test_an_installed_package_promises_no_tests(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("controller.cli._IS_PROJECT", False)
        assert "./zarbiter" not in output(capsys, "--help")
        assert "not in the installed package" in usage_error(capsys, "test")

    def test_the_version(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("importlib.metadata.version", {"zarbiter": "0.1.0"}.__getitem__)
        assert output(capsys, "--version") == "zarbiter 0.1.0\n"


class TestUsageErrors:
    @pytest.mark.parametrize(
        ("arguments", "sentence"),
        [
            ([], "give a command, for example demo; see zarbiter --help"),
            (["test"], "this command runs no tests; call ./zarbiter test in the project's folder"),
            (["demo", "--gam", "tavla"], "there is no option --gam; did you mean --game; see zarbiter demo --help"),
            (["demo", "--games", "0"], "argument --games: 0 is not 1 or more; see zarbiter demo --help"),
            (["demo", "--seed", "x"], "argument --seed: invalid int value: 'x'; see zarbiter demo --help"),
            (["rules"], "the following arguments are required: COMMAND; see zarbiter rules --help"),
            (["rules", "answer"], "the following arguments are required: KIND; see zarbiter rules answer --help"),
            (
                ["rules", "answer", "riddles"],
                "unknown kind 'riddles'; choose one of plays, grasshopper, flow, scoring, cube, match, games",
            ),
        ],
    )
    def test_a_wrong_call(self, arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert usage_error(capsys, *arguments) == f"zarbiter: {sentence}\n"

    @pytest.mark.parametrize("arguments", [["demo", "--game", "chess"], ["rules", "show", "chess"]])
    def test_an_unknown_game(self, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        assert usage_error(capsys, *arguments) == f"zarbiter: unknown game 'chess'; choose one of {', '.join(GAMES)}\n"

    def test_no_game_to_show(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert usage_error(capsys, "rules", "show") == f"zarbiter: name a game: {', '.join(GAMES)}\n"


class TestConfigAndData:
    @pytest.mark.parametrize(
        ("content", "sentence"),
        [
            (None, "--config: cannot read {file} (No such file or directory); name a file that can be read"),
            (b"a = = 1\n", "{file}: this is no TOML: Invalid value (at line 1, column 5); correct that place"),
            (b"\xff\xfe", "--config: {file} is no UTF-8 text; save it as UTF-8"),
        ],
    )
    def test_a_config_that_cannot_be_read(
        self, content: bytes | None, sentence: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        file = tmp_path / "club.toml"
        if content is not None:
            file.write_bytes(content)
        error = usage_error(capsys, "rules", "list", "--config", str(file))
        assert error == f"zarbiter: {sentence.format(file=file)}\n"

    def test_the_data_folder_is_not_made_yet(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        output(capsys, "rules", "list", "--data", str(tmp_path / "data"))
        assert list(tmp_path.iterdir()) == []

    def test_a_data_folder_that_is_a_file(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        file = tmp_path / "data"
        file.touch()
        expected = f"zarbiter: --data: {file} is no folder; name one, or leave the option out\n"
        assert usage_error(capsys, "rules", "list", "--data", str(file)) == expected


class TestHouseVariants:
    @pytest.fixture
    def house(self, tmp_path: Path) -> str:
        file = tmp_path / "house.toml"
        file.write_text(HOUSE, encoding="utf-8")
        return str(file)

    def test_it_is_listed_last(self, house: str, capsys: pytest.CaptureFixture[str]) -> None:
        lines = output(capsys, "rules", "list", "--json", "--rules", house).splitlines()
        assert json.loads(lines[-1])["game"] == "two_heads"
        assert len(lines) == 19

    def test_it_is_shown_without_a_name(self, house: str, capsys: pytest.CaptureFixture[str]) -> None:
        text = output(capsys, "rules", "show", "--rules", house)
        assert text.startswith("two_heads\nA house variant.\n")
        assert " * head_limit             2\n" in text

    def test_the_others_can_still_be_shown(self, house: str, capsys: pytest.CaptureFixture[str]) -> None:
        text = output(capsys, "rules", "show", "long_nardy", "--rules", house)
        assert " * head_limit             1\n" in text

    def test_it_is_played(
        self, house: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("controller.simulation.demo.MAX_TURNS", 0)
        assert main(["demo", "--rules", house]) == 1  # no turn is played, so nobody wins
        assert capsys.readouterr().out.startswith("two_heads: seed 1.\n")

    def test_it_can_be_asked_about(
        self, house: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Cases name it as their variant: with two from the head 6-5 of the start has two results, not one."""
        start = f"{'0' * 24}f0/{'0' * 24}f0"
        case = {"id": 1, "variant": "two_heads", "player": "W", "pos": start, "numbers": [6, 5]}
        monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(case)))
        answer = json.loads(output(capsys, "rules", "answer", "plays", "--rules", house))["answer"]
        assert answer["n"] == 2

    def test_all_mistakes_are_reported_with_the_file(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        file = tmp_path / "bad.toml"
        file.write_text('name = "tavla"\nbase = "chess"\n[parameters]\ncube = 7\n', encoding="utf-8")
        lines = usage_error(capsys, "demo", "--rules", str(file)).splitlines()
        assert [line.split(": ")[:3] for line in lines] == [
            ["zarbiter", f"{file}, line 1", "name"],
            ["zarbiter", f"{file}, line 2", "base"],
            ["zarbiter", f"{file}, line 4", "option cube"],
        ]


class TestListAndShow:
    def test_the_list_names_all_and_what_is_left_out(self, capsys: pytest.CaptureFixture[str]) -> None:
        """Eighteen games with native names and sources; three more are left out, with the reason."""
        text = output(capsys, "rules", "list")
        assert "gulbar           Gulbar (ru: гюльбар)\n" in text
        assert "                 Sources: Russian app help, Russian article on long nardy,\n" in text
        assert [line.split()[0] for line in text.splitlines() if line[:1].islower()][:18] == list(GAMES)
        words = " ".join(text.split())
        assert "Left out: acey-deucey, because " in words
        assert "crowded backgammon, because no readable rules were found; cloning backgammon, because " in words

    def test_the_list_as_json(self, capsys: pytest.CaptureFixture[str]) -> None:
        records = [json.loads(line) for line in output(capsys, "rules", "list", "--json").splitlines()]
        assert [record["game"] for record in records] == list(GAMES)
        assert records[2] == {
            "game": "caucasian",
            "name": "Short nardy, Caucasian",
            "native": {},
            "special": "Backgammon where a checker that hit in its own home may not hide on another own one in that turn.",
            "sources": ["Russian common rules"],
        }

    def test_show_marks_what_differs(self, capsys: pytest.CaptureFixture[str]) -> None:
        lines = output(capsys, "rules", "show", "tavla").splitlines()
        assert lines[:4] == [
            "Tavla (tr: tavla)",
            "No hit and run at home, and who can bear off must; no cube.",
            "Sources: Russian app help, second Russian app help",
            "Names: Russian app help; Wikipedia, Tavla",
        ]
        assert [line.split()[1:] for line in lines if line.startswith(" * ")] == [
            ["opening", "reroll"],
            ["home_hit", "no_run"],
            ["bearoff", "forced"],
            ["scoring", "two"],
            ["cube", "no"],
        ]
        assert "   made point             kapı" in lines

    def test_show_as_json(self, capsys: pytest.CaptureFixture[str]) -> None:
        """Parameters, what differs, and the start as position text."""
        record = json.loads(output(capsys, "rules", "show", "hypergammon", "--json"))
        assert record["differs"] == ["checkers", "start"]
        assert record["parameters"]["start"] == "24:1 23:1 22:1"
        assert record["parameters"]["max_stack"] is None
        assert record["start_position"] == f"{'0' * 22}1110/{'0' * 22}1110"

    def test_show_grasshopper(self, capsys: pytest.CaptureFixture[str]) -> None:
        """The game without dice has its own two parameters and its own board."""
        text = output(capsys, "rules", "show", "grasshopper")
        assert "hand   14" in text
        assert "   entry_blocked_by_walls no\n" in text

    @pytest.mark.parametrize("game", GAMES)
    def test_every_page_fits_into_80_columns(self, game: str, capsys: pytest.CaptureFixture[str]) -> None:
        lines = output(capsys, "rules", "show", game).splitlines()
        assert max(map(len, lines)) <= 80
        assert len(lines) > 20


class TestAnswer:
    def test_a_bad_line_does_not_stop_the_others(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{KOKS}\nnonsense\n{KOKS}\n"))
        assert main(["rules", "answer", "scoring"]) == 1
        lines = capsys.readouterr().out.splitlines()
        assert json.loads(lines[0]) == {"id": "a", "answer": {"kind": "koks", "points": 3}}
        assert sorted(json.loads(lines[1])) == ["error", "id"]
        assert lines[2] == lines[0]

    def test_answers_come_line_by_line(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The first answer is out before the second question is read."""
        seen: list[str] = []

        def questions() -> Iterator[str]:
            yield KOKS
            seen.append(capsys.readouterr().out)
            yield KOKS

        monkeypatch.setattr("sys.stdin", questions())
        assert main(["rules", "answer", "scoring"]) == 0
        assert seen == ['{"id": "a", "answer": {"kind": "koks", "points": 3}}\n']

    def test_no_questions_are_no_failure(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("sys.stdin", None)
        assert output(capsys, "rules", "answer", "plays") == ""


class TestInterruptions:
    def test_ctrl_c_ends_with_130(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:

        def interrupted(_line: str) -> str:
            raise KeyboardInterrupt

        monkeypatch.setattr("sys.stdin", map(interrupted, [""]))
        assert main(["rules", "answer", "plays"]) == 130
        assert capsys.readouterr().err == ""

    def test_a_reader_that_leaves_is_no_error(self) -> None:
        command = f"{sys.executable} -m controller demo --games 3 | head -1"
        ended = run("bash", "-c", f"set -o pipefail; {command}")
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, "Backgammon: game 1 of 3, seed 1.\n", "")


class TestAsAProgram:
    def test_the_version_is_quick(self) -> None:
        check = (
            "import sys; from controller.cli import main; status = main(['--version']); "
            "heavy = {'numpy', 'cv2', 'controller.rules', 'controller.simulation.demo'} & set(sys.modules); "
            "sys.exit(status or ', '.join(heavy) or None)"
        )
        ended = run(sys.executable, "-c", check)
        assert (ended.returncode, ended.stderr) == (0, "")
        assert ended.stdout.startswith("zarbiter ")

    def test_an_ascii_terminal_gets_ascii_boards(self) -> None:
        ended = run(sys.executable, "-m", "controller", "rules", "show", "hypergammon", encoding="ascii")
        assert (ended.returncode, ended.stderr) == (0, "")
        assert "X Black" in ended.stdout
        assert "?" not in ended.stdout
