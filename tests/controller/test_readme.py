"""What the README shows is true: its commands run, their output is as printed, its variant is one."""

import io
import re
import shlex
import shutil
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from controller.cli import main
from controller.rules import GAMES, parse_house_variant

pytestmark = pytest.mark.broad

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BESIDE = (Path("tests", "vision", "pictures"), Path("tests", "controller", "formats", "samples"))  # what it shows


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def shown_commands() -> list[tuple[str, str]]:
    """Each command of the console blocks with the output printed below it."""
    commands: list[tuple[str, str]] = []
    for line in "".join(blocks("console")).splitlines():
        if line.startswith("$ "):
            commands.append((line[2:], ""))
        else:
            command, output = commands[-1]
            commands[-1] = (command, f"{output}{line}\n")
    return commands


def test_it_opens_with_the_two_commands() -> None:
    """The first two lines are a code block: the demo and the tests."""
    assert README.splitlines()[:3] == ["    ./zarbiter demo", "    ./zarbiter test", ""]


def run_by_the_tests() -> list[ParameterSet]:
    """All of them; the demo is a game of some minutes, `test_demo.py` has a short one."""
    return [
        pytest.param(command, expected, marks=[pytest.mark.slow] if " demo" in command else [])
        for command, expected in shown_commands()
    ]


@pytest.mark.parametrize(("command", "expected"), run_by_the_tests())
def test_its_commands_run(
    command: str,
    expected: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Every command ends with status 0 and prints what the README prints below it."""
    (tmp_path / "club.toml").write_text(blocks("toml")[0], encoding="utf-8")
    for folder in BESIDE:
        shutil.copytree(ROOT / folder, tmp_path / folder)
    monkeypatch.chdir(tmp_path)
    *before, call = command.split(" | ")
    if before:
        echo, text = shlex.split(before[0])
        assert echo == "echo"
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{text}\n"))
    program, *arguments = shlex.split(call)
    assert program == "./zarbiter"
    assert main(arguments) == 0
    output = capsys.readouterr().out
    assert output != ""
    if expected:
        assert output == expected


def test_its_house_variant_is_one() -> None:
    """The TOML block is long nardy with two head checkers a roll, without the exception, scored without home mars."""
    (text,) = blocks("toml")
    rules = parse_house_variant(text)
    assert (rules.name, rules.head_limit, rules.head_exception.value, rules.scoring) == (
        "club_nardy",
        2,
        "none",
        "fsnr",
    )
    assert rules.prime.value == "need_checker_ahead"


def test_its_table_has_every_game() -> None:
    """The eighteen games, each once."""
    names = re.findall(r"^\| `(\w+)` \|", README, re.MULTILINE)
    assert len(names) == 18
    assert sorted(names) == sorted(GAMES)


def test_every_command_in_a_line_is_known() -> None:
    """Between backquotes stand no other commands than those of the blocks, `test` and `--help`."""
    inline = re.findall(r"`(\./zarbiter[^`\n]*)`", README)
    assert set(inline) == {"./zarbiter", "./zarbiter test"}
