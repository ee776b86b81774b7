"""Every sentence with which a command ends in failure is collected from the code: a test expects each, and each has a remedy."""

import ast
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from unittest.mock import Mock

import pytest

from controller.cli import main
from controller.match.events import GameStarted, MatchStarted, Mode, RefereeEvent
from controller.match_log import MatchLog, create_match, read_match
from controller.refereeing.match_config import MatchConfig
from controller.rules import RULESETS, Player, position_text, start_position
from controller.settings import Settings
from controller.subcommands import calibrate
from controller.subcommands.demonstration.report import Figures, LinePrinter, print_figures
from controller.subcommands.match.match_resuming import find_named_match, resume_from_log
from controller.subcommands.match.recording import open_recording
from controller.subcommands.options import UsageError
from controller.subcommands.transcribing import transcription
from tests.controller.fake_sources import FakeSource
from vision import Refusal

ROOT = Path(__file__).parents[3]
SHORTEST_QUOTE = 12
"""Characters of a sentence that a test must quote at least."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """The fixed parts of a sentence, in their order, and where it stands. A part is "" where the sentence is another error's."""

    place: str
    parts: tuple[str, ...]

    @property
    def text(self) -> str:
        return "…".join(self.parts)


def sentences() -> Iterator[Sentence]:
    """What UsageError, CommandFailedError and errors that are logged say, in `controller/cli.py` and the commands."""
    for file in (ROOT / "controller/cli.py", *sorted((ROOT / "controller/subcommands").rglob("*.py"))):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and name_of(node.func) in ("UsageError", "CommandFailedError", "_LOG.error"):
                for given in node.args[:1]:
                    yield Sentence(f"{file.relative_to(ROOT)}:{node.lineno}", parts_of(given))


def name_of(node: ast.expr) -> str:
    return ast.unparse(node)


def parts_of(node: ast.expr) -> tuple[str, ...]:
    match node:
        case ast.Constant(value=str(text)):
            return tuple(text.split("%s"))
        case ast.JoinedStr(values=values):
            return tuple(one.value for one in values if isinstance(one, ast.Constant) and isinstance(one.value, str))
        case ast.BinOp(left=left, right=right):
            return (*parts_of(left), *parts_of(right))
        case _:
            return ()


@cache
def quoted_in_tests() -> str:
    """All texts that tests compare with, one a line."""
    texts: list[str] = []
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        texts += (one.value for one in ast.walk(tree) if isinstance(one, ast.Constant) and isinstance(one.value, str))
    return "\n".join(texts)


def is_expected(sentence: Sentence) -> bool:
    """Whether a test quotes the longest of its pieces between colons and semicolons: the problem or the remedy."""
    pieces = [piece.strip() for part in sentence.parts for piece in part.replace(":", ";").split(";")]
    return max(pieces, key=len) in quoted_in_tests()


OWN = [one for one in sentences() if len("".join(one.parts)) >= SHORTEST_QUOTE]


def test_the_table_is_not_empty() -> None:
    assert len(OWN) > 60


@pytest.mark.parametrize("sentence", OWN, ids=lambda one: one.place)
def test_a_test_expects_it(sentence: Sentence) -> None:
    assert is_expected(sentence), sentence.text


@pytest.mark.parametrize("sentence", OWN, ids=lambda one: one.place)
def test_it_has_a_remedy(sentence: Sentence) -> None:
    """After a semicolon, or it is nothing else, or another error's sentence follows."""
    is_remedy = sentence.text.strip().startswith(("give ", "name ", "Or give "))
    assert is_remedy or ";" in sentence.text or ": …" in f"{sentence.text}…", sentence.text


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ("test", "this command runs no tests; call ./zarbiter test in the project's folder"),
        ("dmo", "command: 'dmo' is unknown; did you mean demo; see zarbiter --help"),
        ("log lst", "command: 'lst' is unknown; did you mean list; see zarbiter log --help"),
        ("demo --sped 3", "there is no option --sped; did you mean --speed; see zarbiter demo --help"),
        ("demo tavla", "'tavla' is one word too many; leave it out; see zarbiter demo --help"),
        ("play --on-turn whit", "--on-turn: 'whit' is unknown; did you mean white; see zarbiter play --help"),
        ("rules show backgamon", "unknown game 'backgamon'; did you mean backgammon?"),
        ("rules answer cub", "unknown kind 'cub'; did you mean cube?"),
        ("read a.jpg --profile tavla_t", "unknown profile 'tavla_t'; did you mean tavla_tr?"),
        ("export a -o b --format mt", "--format: unknown format 'mt'; did you mean mat?"),
        ("rules list --rules {file}", "{file}, line 4: unknown option 'head_limt'; did you mean head_limit?"),
        ("export a -o b --format mat --at 3", "--at: mat is of a whole match; it goes with xgid, gnubgid"),
        ("export a -o b --format mat --pictures", "--pictures: mat shows none; they go with sheet"),
        ("log verify a --head x", "is no head; give its 64 hexadecimal digits, or the first 16 or more"),
        ("calibrate a -o b --occupancy T1=dark:2 --game tavla", "--occupancy tells the whole board; leave --game"),
        ("calibrate --page --overlay a", "--page shows what is read on the page; leave --overlay out"),
        ("calibrate --page --corners 0,0,9,0,9,9,0,9", "--corners are set on the page with --page; leave one of them"),
        ("calibrate a -o b --game grasshopper --position 0", "--position: grasshopper has no checkers of two players"),
        ("read a --dice-only --calibration b", "--dice-only needs no board; leave out --calibration and --corners"),
        ("read a --dice-only --explain", "--explain is about the checkers on a board; leave out --dice-only"),
        ("play --set-up --web none", "--set-up is done on the page, and --web none is without one; leave one"),
        ("play --set-up --resume a", "--set-up begins on the page, and --resume goes on with a match; leave one"),
        ("play --resume none-such", "there is no match 'none-such' in"),
        (
            "play --resume ./a.zmatch",
            "--resume: there is no file a.zmatch; zarbiter log list names the matches there are",
        ),
        ("leds map --camera a --calibration b", "give -o FILE, where the layout that the camera finds is kept"),
        ("leds map -o {folder}", "is a folder; name a file in it"),
        ("leds test --driver adalight --leds 72", "this driver does not find its board; name the port by --port"),
        ("leds test --port fake --leds 2", "give --layout FILE"),
        ("transcribe usb-none -o a", "zarbiter"),
        ("transcribe {folder} --cluster here", "there is no film in {folder}; name a folder with videos"),
    ],
)
def test_a_call_that_fails(
    call: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing on standard output, status 2, and the sentence."""
    monkeypatch.setattr("controller.subcommands.match.light_boards.serial_paths", lambda: ())
    file = tmp_path / "house.toml"
    file.write_text('name = "a"\nbase = "long_nardy"\n[parameters]\nhead_limt = 2\n', encoding="utf-8")
    words = [word.format(file=file, folder=tmp_path) for word in call.split()]
    data = ["--data", str(tmp_path)] if len(words) > 1 else []
    assert main([*words, *data]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert sentence.format(file=file, folder=tmp_path) in printed.err


def test_a_data_folder_that_may_not_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_given: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.scandir", refuse)
    assert main(["log", "list", "--data", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert (
        said
        == f"zarbiter: --data: {tmp_path} cannot be read (Permission denied); name a folder of yours, or leave the option out\n"
    )


BEGUN = MatchStarted(0, "backgammon", None, "casual", Mode.TEACH, "A", "B", 5)
GAME = GameStarted(0, 1, position_text(start_position(RULESETS["backgammon"])), Player.WHITE)
LOGS: dict[str, tuple[RefereeEvent, ...]] = {
    "empty": (),
    "begun": (BEGUN, GAME),
    "strange": (replace(BEGUN, game="halma"),),
    "clocked": (replace(BEGUN, clock="a minute"), GAME),
}


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A data folder with these matches."""
    for name, events in LOGS.items():
        create_match(tmp_path / "matches" / f"{name}.zmatch", "backgammon", events).close()
    return tmp_path


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ("replay empty", "no game has begun in this match; choose another one of zarbiter log list"),
        ("replay empty --page --headless", "no game has begun in this match; choose another one of zarbiter log list"),
        ("replay clocked --page --headless", "clocked.zmatch cannot be shown: "),
        ("replay begun --table", "no turn of this match can be shown on the table; see its turns with --all"),
    ],
)
def test_a_match_that_cannot_be_shown(call: str, sentence: str, logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*call.split(), "--data", str(logs)]) == 1
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("empty", "empty.zmatch is empty; begin a new match"),
        ("strange", "strange.zmatch cannot go on: its game 'halma' is none that this version knows"),
    ],
)
def test_a_match_that_cannot_be_resumed(name: str, sentence: str, logs: Path) -> None:
    table = MatchConfig(game="backgammon", rules=RULESETS["backgammon"])
    with ExitStack() as opened, pytest.raises(UsageError, match=sentence):
        resume_from_log(find_named_match(name, logs / "matches"), table, lambda: 0, 1_000, opened)


def test_a_recording_that_cannot_be_gone_on_with(logs: Path) -> None:
    file = logs / "matches/strange.zmatch"
    table = MatchConfig(game="backgammon", rules=RULESETS["backgammon"])
    with pytest.raises(UsageError, match=r"strange.zmatch cannot be gone on with: .*; name another file"):
        transcription._resume_table(file, read_match(file).events, table)


def test_a_camera_is_no_recording(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.subcommands.match.recording.open_source", lambda *_, **__: FakeSource())
    with pytest.raises(UsageError, match="0 is no recording; a camera is watched by zarbiter play"):
        open_recording("0", Settings())


def test_a_board_that_the_demo_does_not_find(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("controller.simulation.demo.DemoGame.calibrate", lambda *_: Refusal("it is dark"))
    assert main(["demo", "--web", "none"]) == 1
    assert "the board was not found: it is dark" in capsys.readouterr().err


def test_a_calibration_without_a_picture_to_draw_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("controller.pictures.calibrate.draw_calibration", lambda _: None)
    assert not calibrate._save_overlay(Mock(), Mock())
    assert "--overlay: no picture shows the calibrated view; give pictures of one size" in caplog.text


def test_a_demo_without_an_end(logs: Path, caplog: pytest.LogCaptureFixture) -> None:
    with MatchLog(logs / "matches/begun.zmatch") as log:
        assert not print_figures(Figures(), (), log, took_s=1, say=LinePrinter()).is_well
    assert "the game was not refereed to its end; try another --seed, and report this one" in caplog.text


def test_a_folder_for_the_layout_in_which_nothing_may_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    assert main(["leds", "map", "-o", str(tmp_path / "a.json")]) == 2
    assert "-o: nothing may be written to the folder" in capsys.readouterr().err
